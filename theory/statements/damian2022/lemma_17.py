"""Lemma 17 and Corollary 18 of damian2022: monomials from random biased ReLUs."""

from theory.hessian.letters import LETTERS
from theory.register.record import Claim, Experiment, Quantity, Statement

_CHAPTER = "derivations.damian2022.monomials:"


def _claim(name: str, says: str, derived: str, printed: str | None = None, proof: str | None = None) -> Claim:
    return Claim(
        name=name,
        kind="identity",
        says=says,
        printed=printed,
        derived=derived,
        proof=_CHAPTER + (proof or name),
        expected="confirmed" if printed else "derived",
    )


ENTRIES = (
    Quantity(
        key="damian2022.lemma-17",
        title="The weight v_k(a, b) with E v_k relu(a x + b) = x^k on [-1, 1], its size, and the variance of the average",
        source="damian2022, Lemma 17 and Corollary 18",
        parameters=("k",),
        optional=("x",),
        letters=LETTERS,
        compute="theory.hessian.monomials:compute",
        route="theory.hessian.monomials_route:values",
        samples=(
            {"k": "0", "x": "1/3"},
            {"k": "1", "x": "-5/7"},
            {"k": "2", "x": "2/9"},
            {"k": "3", "x": "-4/5"},
            {"k": "5", "x": "-2/7"},
            {"k": "6", "x": "6/7"},
        ),
        experiment=Experiment(
            observe="theory.hessian.monomials:observe",
            setting={"k": "2", "x": "9/10"},
            sizes=(40, 60, 90, 135),
            draws=12,
            n="4000*d",
            N="d",
        ),
        judged={
            "variance": ("variance_at", "raw_at"),
            "mean": ("mean_at",),
            "gaussian_variance": ("gaussian_variance_at", "variance_at"),
            "gaussian_mean": ("mean_at",),
        },
        chapter=tuple(
            _CHAPTER + name
            for name in ("monomial", "even_supremum", "odd_supremum", "even_second_moment", "odd_second_moment", "gaussian_factor")
        ),
        notes=(
            "a is a fair sign, b uniform on [-1, 1]. variance is m times that of (1/m) sum_j v_k(a_j, b_j) relu(a_j x + b_j), a "
            "polynomial in x on [-1, 1]; variance_sup its largest value there, raw_at its value at x with x^(2k) left in.",
            "gaussian: b ~ N(0, 1) and v_k times gaussian_factor (Corollary 18).",
            "In simulation the width m is d.",
        ),
    ),
    Statement(
        key="damian2022.monomials",
        title="Monomials from random biased ReLUs, every degree k >= 2",
        source="damian2022, Lemma 17",
        provenance="read",
        claims=(
            _claim("zero", "E v_0 relu(a x + b), v_0 = 6 b, |x| <= 1", "1", "1"),
            _claim("first", "E v_1 relu(a x + b), v_1 = 2 a", "x", "x"),
            _claim(
                "curvature",
                "E 2(1-a) f''(b) relu(a x + b) = f(x) + [f'(1) - f(1)] - f'(1) x, at f = x^k",
                "x**order_k + order_k - 1 - order_k*x",
                "x**order_k + (order_k - 1) - order_k*x",
            ),
            _claim("monomial", "E v_k relu(a x + b)", "x**order_k", "x**order_k"),
            _claim("even_supremum", "sup |v_k|, k even", "4*order_k**2 - 6"),
            _claim("odd_supremum", "sup |v_k|, k odd, k >= 3", "4*order_k**2 - 8*order_k + 6"),
            _claim(
                "even_second_moment",
                "E v_k^2, k even",
                "8*order_k**2*(order_k - 1)**2/(2*order_k - 3) + 12*(order_k - 1)**2 - 4*order_k**2",
            ),
            _claim(
                "odd_second_moment",
                "E v_k^2, k odd, k >= 3",
                "8*order_k**2*(order_k - 1)**2/(2*order_k - 3) - 12*(order_k - 1)**2 + 4*order_k**2",
            ),
        ),
        notes=("Both suprema are attained at a = b = -1; sup |v_0| = 6, sup |v_1| = 2.",),
    ),
    Statement(
        key="damian2022.corollary-18",
        title="The same with Gaussian biases, b ~ N(0, 1)",
        source="damian2022, Corollary 18",
        provenance="read",
        claims=(
            _claim(
                "monomial",
                "E v~_k relu(a x + b), v~_k = sqrt(pi/2) exp(b^2/2) v_k for |b| <= 1 and 0 beyond",
                "x**order_k",
                proof="gaussian_monomial",
            ),
            _claim("factor", "sup |v~_k|/sup |v_k| = sqrt(pi e/2)", "sqrt(pi*exp(1)/2)", proof="gaussian_factor"),
        ),
        notes=("What the source prints of v~_k is not on the sheet: nothing is compared with it.",),
    ),
)
