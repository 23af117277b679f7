"""The ridgeless risk: the limit lambda -> 0 of the risk and of the gain."""

from theory.register.record import Claim, Statement
from theory.risk.forms import BIAS, DELTA, DF2, R0, RIDGELESS, SPECTRAL, VARIANCE
from theory.risk.limit_forms import LIMIT_DIGITS, LIMIT_MODELS
from theory.spike.forms import HYPOTHESES, ORIENTED, THETA1, THETA2, WITH_NOISE

ENTRIES = (
    Statement(
        key="ba2022.ridgeless",
        title="The limit lambda -> 0: the ridgeless risk",
        source="statements, section 2",
        provenance="derived",
        hypotheses={**HYPOTHESES, "psi1 != psi2": "Abs(psi1 - psi2) > 0"},
        where={"derived": {**WITH_NOISE, "theta1": THETA1, "theta2": THETA2, "omega": RIDGELESS, **SPECTRAL, "df2": DF2}},
        claims=(
            Claim(
                name="bias",
                kind="limit",
                says="lim of the bias as lambda -> 0",
                derived=BIAS,
                proof="derivations.ba2022.risk_limits:ridgeless_bias",
                route="theory.risk.limits_route:ridgeless_bias",
                digits=LIMIT_DIGITS,
                models=LIMIT_MODELS,
            ),
            Claim(
                name="variance",
                kind="limit",
                says="lim of the variance as lambda -> 0",
                derived=VARIANCE,
                proof="derivations.ba2022.risk_limits:ridgeless_variance",
                route="theory.risk.limits_route:ridgeless_variance",
                digits=LIMIT_DIGITS,
                models=LIMIT_MODELS,
            ),
            Claim(
                name="R0",
                kind="limit",
                says="lim of R0 as lambda -> 0",
                derived=R0,
                proof="derivations.ba2022.risk_limits:ridgeless_risk",
                route="theory.risk.limits_route:ridgeless_risk",
                digits=LIMIT_DIGITS,
                models=LIMIT_MODELS,
            ),
            Claim(
                name="delta",
                kind="limit",
                says="lim of delta as lambda -> 0",
                derived=DELTA,
                proof="derivations.ba2022.risk_limits:ridgeless_gain",
                route="theory.risk.limits_route:ridgeless_gain",
                digits=LIMIT_DIGITS,
                models=LIMIT_MODELS,
            ),
        ),
        sweep=("psi2", "1/10", "4"),
        notes=("At psi1 = psi2 the limits are infinite: see ba2022.ridgeless-peak.", *ORIENTED),
    ),
)
