"""Signs in Theorem 7 of ba2022: the gain is positive, grows with the step and falls with the noise."""

from theory.register.record import Claim, Statement
from theory.risk.forms import DELTA, FALL_IN_NOISE, RISK_CURVE, SLOPE_IN_ETA
from theory.spike.forms import THETA1, THETA2, WITH_NOISE

ENTRIES = (
    Statement(
        key="ba2022.theorem-7-signs",
        title="The gain is positive, grows with the step and falls with the noise",
        source="ba2022, Theorem 7 and statements, section 2",
        provenance="derived",
        where={"derived": {**WITH_NOISE, **RISK_CURVE, "theta1": THETA1, "theta2": THETA2}},
        claims=(
            Claim(
                name="positive",
                kind="inequality",
                says="0 <= delta, and delta = 0 iff mu1 mu1* eta = 0",
                derived=DELTA,
                proof="derivations.ba2022.delta_signs:positive",
            ),
            Claim(
                name="increasing",
                kind="inequality",
                says="0 <= d delta/d eta for every psi1, and 0 only where mu1 mu1* eta = 0",
                derived=SLOPE_IN_ETA,
                proof="derivations.ba2022.delta_signs:increasing",
            ),
            Claim(
                name="decreasing",
                kind="inequality",
                says="0 <= -d delta/d sigma_eps^2, and 0 only where mu1 mu1* eta = 0",
                derived=FALL_IN_NOISE,
                proof="derivations.ba2022.delta_signs:decreasing",
            ),
        ),
    ),
)
