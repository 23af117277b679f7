"""Corollary 18 of damian2022: monomials from random ReLUs with Gaussian biases."""

from theory.register.record import Claim, Statement

ENTRIES = (
    Statement(
        "damian2022.corollary-18",
        "The same with Gaussian biases, b ~ N(0, 1)",
        "damian2022, Corollary 18",
        "read",
        claims=(
            Claim(
                "monomial",
                "E v~_k relu(a x + b), v~_k = sqrt(pi/2) exp(b^2/2) v_k for |b| <= 1 and 0 beyond",
                "x**order_k",
                kind="identity",
                proof="derivations.damian2022.monomials:gaussian_monomial",
            ),
            Claim(
                "factor",
                "sup |v~_k|/sup |v_k| = sqrt(pi e/2)",
                "sqrt(pi*exp(1)/2)",
                kind="identity",
                proof="derivations.damian2022.monomials:gaussian_factor",
            ),
        ),
        notes=("What the source prints of v~_k is not on the sheet: nothing is compared with it.",),
    ),
)
