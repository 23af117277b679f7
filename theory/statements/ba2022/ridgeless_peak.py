"""The peak of the ridgeless risk, where samples and neurons are as many."""

from theory.register.record import Claim, Statement
from theory.risk.forms import SPECTRAL, ZERO_RIDGE
from theory.risk.limit_forms import LIMITS, PEAK
from theory.spike.forms import HYPOTHESES

ENTRIES = (
    Statement(
        "ba2022.ridgeless-peak",
        "The peak of the ridgeless risk at psi1 = psi2",
        "statements, section 2",
        "derived",
        claims=(Claim("peak_constant", "lim sqrt(lambda) R0 as lambda -> 0 at psi1 = psi2", PEAK),),
        hypotheses={**HYPOTHESES, "mu2 != 0": "mu2 > 0"},
        where={"derived": {"omega": ZERO_RIDGE, **SPECTRAL}},
        sweep=("psi2", "1/10", "4"),
        **LIMITS,
    ),
)
