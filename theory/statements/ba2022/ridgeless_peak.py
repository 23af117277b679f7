"""The peak of the ridgeless risk, where samples and neurons are as many."""

from theory.register.record import Claim, Statement
from theory.risk.forms import SPECTRAL, ZERO_RIDGE
from theory.risk.limit_forms import LIMIT_DIGITS, LIMIT_MODELS, PEAK
from theory.spike.forms import HYPOTHESES

ENTRIES = (
    Statement(
        key="ba2022.ridgeless-peak",
        title="The peak of the ridgeless risk at psi1 = psi2",
        source="statements, section 2",
        provenance="derived",
        hypotheses={**HYPOTHESES, "mu2 != 0": "mu2 > 0"},
        where={"derived": {"omega": ZERO_RIDGE, **SPECTRAL}},
        claims=(
            Claim(
                name="peak_constant",
                kind="limit",
                says="lim sqrt(lambda) R0 as lambda -> 0 at psi1 = psi2",
                derived=PEAK,
                proof="derivations.ba2022.risk_limits:peak",
                route="theory.risk.limits_route:peak",
                digits=LIMIT_DIGITS,
                models=LIMIT_MODELS,
            ),
        ),
        sweep=("psi2", "1/10", "4"),
    ),
)
