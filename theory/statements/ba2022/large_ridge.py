"""The limit lambda -> infinity of the risk and of the gain."""

from theory.register.record import Claim, Statement
from theory.risk.limit_forms import LIMITS, NULL_GAIN, NULL_RISK
from theory.spike.forms import HYPOTHESES, ORIENTED, THETA2

ENTRIES = (
    Statement(
        "ba2022.large-ridge",
        "The limit lambda -> infinity: nothing is learned",
        "statements, section 2",
        "derived",
        claims=(
            Claim("R0_null", "lim R0 as lambda -> infinity", NULL_RISK),
            Claim("gain_decay", "lim lambda delta as lambda -> infinity", NULL_GAIN),
        ),
        hypotheses=HYPOTHESES,
        where={"derived": {"theta2": THETA2}},
        sweep=("eta", "0", "5"),
        notes=ORIENTED,
        **LIMITS,
    ),
)
