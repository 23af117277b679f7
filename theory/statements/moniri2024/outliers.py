"""moniri2024: how strong the spikes are at n samples, which are outliers, and where these stand."""

from theory.register.record import Claim, Experiment, Quantity, Statement
from theory.staircase.forms import REPORTED

ENTRIES = (
    Quantity(
        key="moniri2024.outliers",
        title="The strengths of the spikes at n samples, the thresholds they must pass, and the outliers at n and in the limit",
        source="moniri2024; strengths and thresholds derived",
        parameters=("phi", "psi", "alpha", "n", "sigma_eps", "activation", "teacher"),
        compute="theory.staircase.outlier_values:compute",
        route="theory.staircase.outliers_route:outliers",
        optional=("c",),
        samples=(
            {**REPORTED, "alpha": "29/100", "n": "1000", "c": "13/10"},
            {**REPORTED, "alpha": "1/10", "n": "1000", "activation": "softplus", "teacher": "He1"},
        ),
        digits=15,
        chapter=("derivations.moniri2024.spikes:outlier_equation",),
        notes=(
            "An outlier stands 5 percent beyond the bulk. count is that of F0's law and all spikes at once "
            "(M(p, a), not its series); thresholds are those of one spike alone.",
            "Reported: two outliers at eta = n^0.29, n 1000, N 500, d 300. With eta = n^0.29 exactly the second spike is below its "
            "threshold there; eta = 1.3 n^0.29 brings it out, as does n = 10^5.",
        ),
    ),
    Statement(
        key="moniri2024.positions",
        title="The first two singular values of the features and their vectors, against the finite-rank model at the same n",
        source="derived",
        provenance="derived",
        claims=tuple(
            Claim(
                name=f"position_{k}",
                kind="limit",
                says=f"the singular value s_{k} over the model's",
                derived="1",
                expected="open",
                observable=f"s{k}/s{k}_predicted",
                trend=("1/2", "1"),
            )
            for k in (1, 2)
        )
        + tuple(
            Claim(
                name=f"overlap_{k}",
                kind="inequality",
                says=f"1 less the squared length of the projection of left singular vector {k} on span{{(X b)^ok, k <= l}}: at "
                "most 1/2 (it falls like n^(2 alpha - 1), slowly)",
                derived="1/2",
                observable=f"1 - overlap{k}",
                trend=("7/25", "1"),
                expected="open",
            )
            for k in (1, 2)
        ),
        experiment=Experiment(
            observe="theory.staircase.spikes_trial:observe_outliers",
            setting={**REPORTED, "alpha": "9/25"},
            sizes=(120, 180, 270, 405),
            draws=16,
            from_scratch=True,
            n="d/phi",
            N="d/psi",
        ),
    ),
)
