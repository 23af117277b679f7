"""The limit lambda -> infinity of the risk and of the gain."""

from theory.register.record import Claim, Statement
from theory.risk.limit_forms import LIMIT_DIGITS, LIMIT_MODELS, NULL_GAIN, NULL_RISK
from theory.spike.forms import HYPOTHESES, ORIENTED, THETA2

ENTRIES = (
    Statement(
        key="ba2022.large-ridge",
        title="The limit lambda -> infinity: nothing is learned",
        source="statements, section 2",
        provenance="derived",
        hypotheses=HYPOTHESES,
        where={"derived": {"theta2": THETA2}},
        claims=(
            Claim(
                name="R0_null",
                kind="limit",
                says="lim R0 as lambda -> infinity",
                derived=NULL_RISK,
                proof="derivations.ba2022.risk_limits:null_risk",
                route="theory.risk.limits_route:null_risk",
                digits=LIMIT_DIGITS,
                models=LIMIT_MODELS,
            ),
            Claim(
                name="gain_decay",
                kind="limit",
                says="lim lambda delta as lambda -> infinity",
                derived=NULL_GAIN,
                proof="derivations.ba2022.risk_limits:null_gain",
                route="theory.risk.limits_route:null_gain",
                digits=LIMIT_DIGITS,
                models=LIMIT_MODELS,
            ),
        ),
        sweep=("eta", "0", "5"),
        notes=ORIENTED,
    ),
)
