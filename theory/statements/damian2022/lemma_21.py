"""Lemma 21 of damian2022: the moment matrix of the leading gradient, its constant, and the minimum-norm z_T."""

from theory.register.record import Claim, Experiment, Quantity, Statement

_CHAPTER = "derivations.damian2022.moments:"
_CONSTANTS = {1: "1", 2: "2/(1 + 2/d)", 3: "6/((1 + 2/d)*(1 + 4/d))", 4: "24/((1 + 2/d)*(1 + 4/d)*(1 + 6/d))"}


def _claim(name: str, says: str, derived: str, kind: str = "identity") -> Claim:
    return Claim(name=name, kind=kind, says=says, derived=derived, proof=_CHAPTER + name)


ENTRIES = (
    Quantity(
        key="damian2022.lemma-21",
        title="Spectrum of E (H w)^{(x) 2k} on symmetric tensors against (r d kappa^2)^{-k}, and E z_T^2",
        source="damian2022, Lemma 21, at the leading term g = H w/sqrt(2 pi)",
        parameters=("k", "H"),
        optional=("d", "tensor"),
        compute="theory.hessian.moment_matrix:compute",
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
            observe="theory.hessian.moment_matrix:observe",
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
        chapter=tuple(_CHAPTER + name for name in ("smallest_1", "smallest_2", "smallest_3", "smallest_4", "second_moment")),
        notes=(
            "H: eigenvalues on S*, of any sign; kappa = |H^+|/sqrt r, r their number. Without d the values are those of d^k times "
            "the matrix as d -> infinity, and bound is (r kappa^2)^-k. k goes to 8.",
            "ratio = smallest/bound is between least_ratio (reached where all |h_i| are equal) and greatest_ratio (approached as "
            "the others grow), whatever H is; floor = least_ratio bound.",
            "gradient_smallest is of H w/sqrt(2 pi), which second_moment = E z_T^2 is for too; T is given by the polynomial "
            "<T, x^(x)k>. Algorithm 1's weights are 2 eta_1 a g: divide second_moment by (2 eta_1)^(2k).",
        ),
    ),
    Statement(
        key="damian2022.moment-matrix",
        title="The constant of Lemma 21 at the leading term, and the second moment of z_T",
        source="damian2022, Lemma 21",
        provenance="read",
        claims=(
            *(
                _claim(
                    f"smallest_{k}",
                    f"smallest eigenvalue of E (H w)^(x){2 * k} on symmetric tensors of order {k}: its least over H of any "
                    f"signature with that kappa and r{' >= 2' if k > 1 else ''}, reached where all |h_i| are equal",
                    f"{constant}/(rank*d*kappa_H**2)**{k}",
                )
                for k, constant in _CONSTANTS.items()
            ),
            _claim("largest_2", "the other eigenvalue at k = 2, all |h_i| equal", "(rank + 2)/(1 + 2/d)/(rank*d*kappa_H**2)**2"),
            _claim(
                "greatest_2",
                "supremum over H of smallest eigenvalue times (r d kappa^2)^2 at k = 2, approached as all |h_i| but the least grow",
                "2*(rank + 2)/(rank + 1)/(1 + 2/d)",
            ),
            _claim(
                "one",
                "(j+1) d/(d+2j) >= 1, so k! d^k/(d ... (d+2k-2)) >= 1: the leading term has c = (2 pi)^-k for all d >= 2",
                "1",
                "inequality",
            ),
            _claim(
                "second_moment",
                "E z_T^2 <= (2 pi r d kappa^2)^k |T|^2 for the minimum-norm z_T of g = H w/sqrt(2 pi)",
                "(2*pi*rank*d*kappa_H**2)**order_k",
                "inequality",
            ),
            _claim(
                "rescaled",
                "the same for 2 eta_1 a g, eta_1 = C sqrt(d/iota^3): r^k kappa^(2k) up to logarithms, so r^p kappa^(2p) at k = p",
                "(pi/2*rank*kappa_H**2*iota**3/C**2)**order_k",
                "inequality",
            ),
        ),
        notes=(
            "The source's constant c is not given, so nothing is compared with it; its matrix is of g_n, ours of the leading term "
            "H w/sqrt(2 pi) of its mean.",
            "E f*^2 = 1 gives |H|_F^2 <= 2, so kappa^2 >= 1/2.",
        ),
    ),
)
