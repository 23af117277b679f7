"""The ridgeless risk: the limit lambda -> 0 of the risk and of the gain."""

from theory.register.record import Claim, Statement
from theory.risk.forms import BIAS, DELTA, DF2, R0, RIDGELESS, SPECTRAL, VARIANCE
from theory.risk.limit_forms import LIMITS
from theory.spike.forms import HYPOTHESES, ORIENTED, THETA1, THETA2, WITH_NOISE

ENTRIES = (
    Statement(
        "ba2022.ridgeless",
        "The limit lambda -> 0: the ridgeless risk",
        "statements, section 2",
        "derived",
        claims=(
            Claim("bias", "lim of the bias as lambda -> 0", BIAS),
            Claim("variance", "lim of the variance as lambda -> 0", VARIANCE),
            Claim("R0", "lim of R0 as lambda -> 0", R0),
            Claim("delta", "lim of delta as lambda -> 0", DELTA),
        ),
        hypotheses={**HYPOTHESES, "psi1 != psi2": "Abs(psi1 - psi2) > 0"},
        where={"derived": {**WITH_NOISE, "theta1": THETA1, "theta2": THETA2, "omega": RIDGELESS, **SPECTRAL, "df2": DF2}},
        sweep=("psi2", "1/10", "4"),
        notes=("At psi1 = psi2 the limits are infinite: see ba2022.ridgeless-peak.", *ORIENTED),
        **{**LIMITS, "chapter": "derivations.ba2022.ridgeless", "routes": "theory.risk.ridgeless_route"},
    ),
)
