"""Lemma 21 of damian2022: the spectrum of the moment matrix of the leading gradient, and the minimum-norm z_T."""

from theory.register.record import Experiment, Quantity

ENTRIES = (
    Quantity(
        "damian2022.lemma-21",
        "Spectrum of E (H w)^{(x) 2k} on symmetric tensors against (r d kappa^2)^{-k}, and E z_T^2",
        "damian2022, Lemma 21, at the leading term g = H w/sqrt(2 pi)",
        ("k", "H"),
        "theory.hessian.moment_matrix:compute",
        optional=("d", "tensor"),
        route="theory.hessian.moment_matrix_route:values",
        samples=(
            {"k": "1", "H": "1,-1/2,1/3", "d": "7", "tensor": "x1 - 2*x3"},
            {"k": "2", "H": "1,-1/2", "tensor": "x1**2 - x1*x2/3"},
            {"k": "2", "H": "3/5,-3/5,3/5", "d": "10"},
            {"k": "3", "H": "1/2,-1/3", "d": "5", "tensor": "x1**3 + x1*x2**2"},
            {"k": "4", "H": "1,-2/3", "d": "8", "tensor": "x1**2*x2**2 - x2**4"},
            {"k": "4", "H": "-1/3", "d": "4"},
        ),
        experiment=Experiment(
            "theory.hessian.moment_matrix:observe",
            setting={"k": "2", "H": "1,-1/2", "tensor": "x2**2 - x1*x2/3"},
            sizes=(40, 60, 90, 135),
            draws=10,
            n="30000",
            N="2",
        ),
        judged={
            "smallest": ("smallest", "floor"),
            "largest": ("largest",),
            "second_moment": ("second_moment", "second_moment_bound"),
        },
        chapter=(
            *(f"derivations.damian2022.moments:smallest_{k}" for k in (1, 2, 3, 4)),
            "derivations.damian2022.moments:second_moment",
        ),
        notes=(
            "H: eigenvalues on S*, of any sign; kappa = |H^+|/sqrt r, r their number. Without d the values are those of d^k times "
            "the matrix as d -> infinity, and bound is (r kappa^2)^-k. k goes to 8.",
            "ratio = smallest/bound is between least_ratio (reached where all |h_i| are equal) and greatest_ratio (approached as "
            "the others grow), whatever H is; floor = least_ratio bound.",
            "gradient_smallest is of H w/sqrt(2 pi), which second_moment = E z_T^2 is for too; T is given by the polynomial "
            "<T, x^(x)k>. Algorithm 1's weights are 2 eta_1 a g: divide second_moment by (2 eta_1)^(2k).",
        ),
    ),
)
