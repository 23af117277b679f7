"""Lemma 17 of damian2022: the weight under which random biased ReLUs average to a monomial."""

from theory.hessian.letters import LETTERS
from theory.register.record import Experiment, Quantity

ENTRIES = (
    Quantity(
        "damian2022.lemma-17",
        "The weight v_k(a, b) with E v_k relu(a x + b) = x^k on [-1, 1], its size, and the variance of the average",
        "damian2022, Lemma 17 and Corollary 18",
        ("k",),
        "theory.hessian.monomials:compute",
        optional=("x",),
        letters=LETTERS,
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
            "theory.hessian.monomials:observe",
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
        chapter=(
            "derivations.damian2022.monomials:monomial",
            "derivations.damian2022.monomials:even_supremum",
            "derivations.damian2022.monomials:odd_supremum",
            "derivations.damian2022.monomials:even_second_moment",
            "derivations.damian2022.monomials:odd_second_moment",
            "derivations.damian2022.monomials:gaussian_factor",
        ),
        notes=(
            "a is a fair sign, b uniform on [-1, 1]. variance is m times that of (1/m) sum_j v_k(a_j, b_j) relu(a_j x + b_j), a "
            "polynomial in x on [-1, 1]; variance_sup its largest value there, raw_at its value at x with x^(2k) left in.",
            "gaussian: b ~ N(0, 1) and v_k times gaussian_factor (Corollary 18).",
            "In simulation the width m is d.",
        ),
    ),
)
