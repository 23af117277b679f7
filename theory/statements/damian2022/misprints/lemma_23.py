"""Misprints of damian2022: Lemma 23."""

from theory.register.record import Claim, Statement

_SOURCE = "damian2022, {} (statements, section 4)"

# at models, whose parameters are multiples of 1/16, this says that one is 1, 2, 3 or 4
_WHOLE = "Abs(({0} - 1)*({0} - 2)*({0} - 3)*({0} - 4)) < 1/10**6"

ENTRIES = (
    Statement(
        "damian2022.misprint-lemma-23",
        "Lemma 23: degree, factor and indicator of E h_T sigma(w^(1).x + b) = <T, x^(x)k>",
        _SOURCE.format("Corollary 22 and Lemma 23"),
        "read",
        hypotheses={
            "k = 1, 2, 3 or 4": _WHOLE.format("order_k"),
            "p = 1, 2, 3 or 4": _WHOLE.format("degree"),
            "k <= p": "order_k <= degree",
        },
        claims=(
            Claim(
                "second_moment_power",
                "power of d with which E z_T^2 grows, T of order k (Corollary 22): by differences of exact values",
                "order_k",
                kind="equality",
                route="theory.hessian.minimum_norm:dimension_exponent",
            ),
            Claim(
                "lemma_23_degree",
                "E h_T sigma(w^(1).x + b) at 2 x over its value at x: that of <T, x^(x)k>; printed: that of x^(x)p",
                "2**order_k",
                "2**degree",
                "erratum",
                printed_proof="derivations.damian2022.misprints:printed_lemma_23_degree",
                kind="equality",
                route="theory.hessian.minimum_norm:scaling",
            ),
            Claim(
                "lemma_23_factor",
                "E v_k z_T sigma(w^(1).x + b) over <T, x^(x)k>, by which v_k z_T is divided in Lemma 23",
                "(2*eta1)**order_k",
                kind="equality",
                route="theory.hessian.minimum_norm:factor",
            ),
            Claim(
                "lemma_23_indicator",
                "bound of 2 eta1 |g_n(w).x_j|, which the indicator of Lemma 23 keeps at most 1",
                "2*C",
                kind="identity",
            ),
        ),
        notes=(
            "The sheet has (2 eta)^k printed for (2 eta1)^k. The first step has one learning rate, eta1, and the sheet does not "
            "say what eta would be: a slip of the name, which no value can decide, so that lemma_23_factor holds what is derived.",
            "The sheet gives no printed form of the indicator, and none was invented; the paper was not at hand.",
        ),
        chapter="derivations.damian2022.misprints",
    ),
)
