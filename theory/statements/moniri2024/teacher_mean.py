"""moniri2024: the drop of the training loss for a teacher with a mean."""

from theory.register.record import Claim, Statement
from theory.risk.forms import OMEGA
from theory.spike.forms import HYPOTHESES
from theory.staircase.forms import DROP_WITH_MEAN, TRACES, WITH_MEAN

ENTRIES = (
    Statement(
        key="moniri2024.teacher-mean",
        title="A teacher with a mean: the second of the reported spikes takes part of it",
        source="statements, section 3",
        provenance="derived",
        hypotheses=HYPOTHESES,
        where={"derived": {**TRACES, **WITH_MEAN}},
        bindings={"omega": OMEGA},
        claims=(
            Claim(
                name="Delta_2",
                kind="limit",
                says="drop of the training loss with two spikes, for a teacher whose mean c_{*,0} is not subtracted",
                derived=DROP_WITH_MEAN,
                proof="derivations.moniri2024.drops:with_mean",
                route=("theory.staircase.drops_route:drop", {"of": "delta", "ell": 2, "keep_mean": True}),
                models=2,
            ),
        ),
        sweep=("psi1", "1/10", "4"),
        notes=(
            "c0_star = E sigma*(z) of the teacher as given; the other coefficients are those of the centred one.",
            "For the spikes (X~ beta_hat)^{ok} alone: the step as it is written has more, since a mean of the labels stretches a "
            "row by 2 c_2 c_{*,0} eta a_i, a spike of the order of the first.",
        ),
    ),
)
