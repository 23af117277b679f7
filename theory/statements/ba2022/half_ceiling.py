"""Beyond the paper: the learning rate at which a small step gains half of what it can."""

from theory.register.record import Claim, Statement
from theory.risk.forms import HALF_ETA, OMEGA, RISK_CURVE
from theory.spike.forms import HYPOTHESES, ORIENTED, WITH_NOISE

ENTRIES = (
    Statement(
        key="ba2022.half-ceiling",
        title="The step that gains half of what a small step can",
        source="statements, section 2",
        provenance="derived",
        hypotheses={**HYPOTHESES, "mu1* != 0": "Abs(mu1_star) > 0"},
        where={"derived": {**WITH_NOISE, **RISK_CURVE}},
        bindings={"omega": OMEGA},
        claims=(
            Claim(
                name="eta_half",
                kind="limit",
                says="the learning rate at which delta is half of its limit as eta -> infinity",
                derived=HALF_ETA,
                proof="derivations.ba2022.risk:half",
                route="theory.risk.limits_route:half",
                models=2,
            ),
        ),
        sweep=("psi1", "1/10", "4"),
        notes=("The route bisects the certified delta in eta.", *ORIENTED),
    ),
)
