"""moniri2024: a step with a constant learning rate learns the linear part only."""

from theory.register.record import SAME, Claim, Experiment, Statement
from theory.staircase.forms import NO_LINEAR_PART, SCRATCH, TEACHER

ENTRIES = (
    Statement(
        "moniri2024.constant-step",
        "A step with eta of order one learns the linear part only",
        "moniri2024",
        "reported",
        claims=(
            Claim(
                "risk",
                "mu2*^2 over the test error after a step with eta of order one: no test of it is run, since what a step with "
                "eta = n^0.29 attains at these n is above mu2*^2 too; the next claim tells the two apart",
                "1",
                SAME,
                "confirmed",
                kind="inequality",
                proof="derivations.ba2022.linear_bound:equivalent_features",
            ),
            Claim(
                "second",
                "the square of E f(x) He_2(<x, beta>)/sqrt 2 after a step with eta of order one",
                "-1",
                kind="rate",
                proof="derivations.moniri2024.spikes:second_degree",
                observable="second**2",
                against="d",
            ),
            Claim(
                "second_at_29",
                "1/20 over the same component (not squared) after a step with eta = n^0.29: it stays above 1/20",
                "1",
                expected="open",
                kind="inequality",
                observable="1/(20*second_large)",
            ),
        ),
        experiment=Experiment(
            "theory.staircase.no_gain_trial:observe_constant",
            {**NO_LINEAR_PART, "eta": "1", "teacher": TEACHER},
            sizes=(120, 180, 270, 405),
            draws=24,
            **SCRATCH,
        ),
        notes=("The teacher's own component is sqrt(2) c_{*,2}, 1 here.",),
    ),
)
