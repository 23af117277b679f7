"""Why the variance does not move in a small step: W^T W changes by a matrix of bounded Frobenius norm."""

from theory.register.record import Claim, Experiment, Statement
from theory.spike.forms import HYPOTHESES, ORIENTED, THETA1, WITH_NOISE

MOVED = "theta1**4 + 2*psi2*theta1**2"

ENTRIES = (
    Statement(
        "ba2022.gram-change",
        "One step moves W^T W by a bounded Frobenius norm",
        "statements, section 2 (the variance in Theorem 7)",
        "derived",
        hypotheses=HYPOTHESES,
        where={"derived": {**WITH_NOISE, "theta1": THETA1}},
        claims=(
            Claim(
                "rank_one",
                "|W^T W - W0^T W0|_F^2 for W = W0 + u a^T, the rank-one part of the step",
                MOVED,
                route="theory.spike.gram_route:rank_one",
            ),
            Claim(
                "rest",
                "|eta sqrt N (B + C)|_F^2, the rest of the step",
                "eta**2*mubar**2/psi1*(slope_energy - mu1**2)",
                route="theory.spike.gram_route:rest",
            ),
            Claim(
                "moved",
                "|W1^T W1 - W0^T W0|_F^2",
                f"{MOVED} + 2*psi2*eta**2*mubar**2/psi1*(slope_energy - mu1**2)",
                route="theory.spike.gram_route:moved",
                trend=("1/2", "1"),
            ),
        ),
        experiment=Experiment(
            observe="theory.equivalence.kernels:gram_observables",
            setting={"activation": "tanh", "teacher": "tanh", "psi1": "2", "psi2": "1", "eta": "2", "sigma_eps": "1"},
            sizes=(150, 224, 338, 506),
            draws=16,
            parts=True,
            measures=(
                "rank_one",
                "rest",
                "moved",
            ),
        ),
        sweep=("eta", "0", "5"),
        notes=(
            "B + C is small in operator norm (Proposition 2), not in Frobenius norm: the rank-one part alone falls short.",
            "A bounded Frobenius norm beside N eigenvalues of order one: traces, and with them df2, do not move in the limit.",
            *ORIENTED,
        ),
        chapter="derivations.ba2022.gram",
    ),
)
