"""Lemma 17 of damian2022 at every degree: the means of random biased ReLUs, and the size of the weight."""

from theory.register.record import SAME, Claim, Statement

ENTRIES = (
    Statement(
        "damian2022.monomials",
        "Monomials from random biased ReLUs, every degree k >= 2",
        "damian2022, Lemma 17",
        "read",
        claims=(
            Claim("zero", "E v_0 relu(a x + b), v_0 = 6 b, |x| <= 1", "1", SAME, "confirmed", kind="identity"),
            Claim("first", "E v_1 relu(a x + b), v_1 = 2 a", "x", SAME, "confirmed", kind="identity"),
            Claim(
                "curvature",
                "E 2(1-a) f''(b) relu(a x + b) = f(x) + [f'(1) - f(1)] - f'(1) x, at f = x^k",
                "x**order_k + order_k - 1 - order_k*x",
                "x**order_k + (order_k - 1) - order_k*x",
                "confirmed",
                kind="identity",
            ),
            Claim("monomial", "E v_k relu(a x + b)", "x**order_k", SAME, "confirmed", kind="identity"),
            Claim("even_supremum", "sup |v_k|, k even", "4*order_k**2 - 6", kind="identity"),
            Claim("odd_supremum", "sup |v_k|, k odd, k >= 3", "4*order_k**2 - 8*order_k + 6", kind="identity"),
            Claim(
                "even_second_moment",
                "E v_k^2, k even",
                "8*order_k**2*(order_k - 1)**2/(2*order_k - 3) + 12*(order_k - 1)**2 - 4*order_k**2",
                kind="identity",
            ),
            Claim(
                "odd_second_moment",
                "E v_k^2, k odd, k >= 3",
                "8*order_k**2*(order_k - 1)**2/(2*order_k - 3) - 12*(order_k - 1)**2 + 4*order_k**2",
                kind="identity",
            ),
        ),
        notes=("Both suprema are attained at a = b = -1; sup |v_0| = 6, sup |v_1| = 2.",),
        chapter="derivations.damian2022.monomials",
    ),
)
