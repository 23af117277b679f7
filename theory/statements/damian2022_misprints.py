"""The misprints of damian2022, each with the check that decides it."""

from theory.record import Claim, Statement

ENTRIES = (
    Statement(
        key="damian2022.misprint-initialisation",
        title="The symmetric initialisation pairs j with m + 1 - j",
        source="damian2022, Algorithm 1",
        provenance="read",
        claims=(
            Claim(
                name="paired",
                kind="equality",
                says="how many of m = 6 neurons have a partner other than themselves with -a and the same w, which makes f = 0; "
                "printed: a_j = -a_{m-j}, w_j = w_{m-j}, j <= m/2, which pairs m/2 with itself and leaves m alone",
                printed="4",
                derived="6",
                proof="derivations.damian_gradient:paired",
                route="theory.hessian.gradient_route:paired",
                expected="erratum",
            ),
            Claim(
                name="index_sum",
                kind="identity",
                says="sum of all indices of the pairs, j <= m/2: that of 1, ..., m only if the pairs are all the neurons",
                printed="width**2/2",
                derived="width*(width + 1)/2",
                proof="derivations.damian_gradient:all_neurons",
                expected="erratum",
            ),
        ),
        notes=(
            "Under the printed rule f(x) = a_{m/2} sigma(w_{m/2}.x) + a_m sigma(w_m.x) at the start, of mean square |x|^2/d, not "
            "0; and a_{m/2} = -a_{m/2} contradicts a = +-1.",
        ),
    ),
    Statement(
        key="damian2022.misprint-exponents",
        title="Exponents in Corollary 22, Lemmas 23 and 25, and the bound of Appendix B",
        source="damian2022, Corollary 22, Lemmas 23 and 25, Appendix B (statements, section 4)",
        provenance="read",
        hypotheses={"k <= p": "order_k <= degree"},
        claims=(
            Claim(
                name="corollary_22",
                kind="equality",
                says="the exponent in Corollary 22: of r d kappa^2 in E z_T^2, of the gradient in E z_T (g.x)^k = <T, x^k>",
                printed="degree",
                derived="order_k",
                proof="derivations.damian_misprints:corollary_22",
                expected="erratum",
            ),
            Claim(
                name="lemma_23_degree",
                kind="equality",
                says="the degree in x of E h_T sigma(w^(1).x + b) in Lemma 23: <T, x^k>, for the printed x^p",
                printed="degree",
                derived="order_k",
                proof="derivations.damian_misprints:lemma_23_degree",
                expected="erratum",
            ),
            Claim(
                name="lemma_23_factor",
                kind="equality",
                says="the factor by which v_k z_T is divided in Lemma 23",
                printed="(2*eta)**order_k",
                derived="(2*eta1)**order_k",
                proof="derivations.damian_misprints:lemma_23_factor",
                expected="erratum",
            ),
            Claim(
                name="lemma_23_indicator",
                kind="identity",
                says="bound of 2 eta1 |g_n(w).x_j|, which the indicator of Lemma 23 keeps at most 1",
                derived="2*C",
                proof="derivations.damian_misprints:lemma_23_indicator",
            ),
            Claim(
                name="lemma_25",
                kind="equality",
                says="last term of Bernstein's inequality in Lemma 25, the square of the range over m^2",
                printed="rank**(2*degree)*kappa_H**(3*degree)*iota**(6*degree)/width**2",
                derived="rank**(2*degree)*kappa_H**(4*degree)*iota**(12*degree)/width**2",
                proof="derivations.damian_misprints:lemma_25",
                expected="erratum",
            ),
            Claim(
                name="theorem_3",
                kind="inequality",
                says="sum of an approximation error sqrt(A/m) and an estimation error sqrt(A/N), A = r^p kappa^(2p), for m <= N: "
                "the first term of Theorem 3 up to a factor of 2",
                derived="2*sqrt(rank**degree*kappa_H**(2*degree)/width)",
                proof="derivations.damian_misprints:theorem_3",
            ),
        ),
        notes=(
            "The sheet names these misprints in a few words, and the paper was not at hand. It does not say at which place "
            "of Corollary 22 the exponent p stands: in a bound of E z_T^2, p for k is weaker and not false once "
            "r d kappa^2 >= 1; as the degree of an identity it is wrong.",
            "The sheet gives no printed form of the indicator of Lemma 23, and none of Appendix B's final bound: "
            "lemma_23_indicator and theorem_3 hold what is derived, and no printed form was invented.",
            "lemma_25: the powers of r and kappa follow from Lemma 21; that of iota in the range, 6p, is the sheet's, and only "
            "its doubling is decided. The printed kappa^(3p) iota^(6p) are those of the middle term, "
            "r^(3p/2) kappa^(3p) iota^(6p)/m^(3/2).",
        ),
    ),
)
