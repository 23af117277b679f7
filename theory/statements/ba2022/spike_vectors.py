"""The singular vectors of the spike, which Theorem 3 of ba2022 does not state."""

from theory.register.record import Claim, Statement
from theory.spike.forms import HYPOTHESES, LEFT_OVERLAP, ORIENTED, RIGHT_OVERLAP, SPIKE_TREND, THETA1, TRIAL, WITH_NOISE

ENTRIES = (
    Statement(
        key="ba2022.spike-vectors",
        title="Singular vectors of the spike along the rank-one update",
        source="statements, section 2 (from the proof of Theorem 3)",
        provenance="derived",
        hypotheses=HYPOTHESES,
        where={"derived": {**WITH_NOISE, "theta1": THETA1}},
        claims=(
            Claim(
                name="left_overlap",
                kind="limit",
                says="<u1, u/|u|>^2 of the leading left singular vector, u = (eta mu1/n) X^T y",
                derived=LEFT_OVERLAP,
                proof="derivations.ba2022.spike:left_overlap",
                route="theory.spike.route:left_overlap",
                observable="left_overlap",
                trend=SPIKE_TREND,
            ),
            Claim(
                name="right_overlap",
                kind="limit",
                says="<v1, a/|a|>^2 of the leading right singular vector",
                derived=RIGHT_OVERLAP,
                proof="derivations.ba2022.spike:right_overlap",
                route="theory.spike.route:right_overlap",
                observable="right_overlap",
                trend=SPIKE_TREND,
            ),
        ),
        notes=ORIENTED,
        experiment=TRIAL,
        sweep=("eta", "0", "5"),
    ),
)
