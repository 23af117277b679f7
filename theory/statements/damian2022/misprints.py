"""The misprints of damian2022, each with the check that decides it."""

from theory.register.record import Claim, Statement

_SOURCE = "damian2022, {} (statements, section 4)"
# at models, whose parameters are multiples of 1/16, this says that one is 1, 2, 3 or 4
_WHOLE = "Abs(({0} - 1)*({0} - 2)*({0} - 3)*({0} - 4)) < 1/10**6"

ENTRIES = (
    Statement(
        key="damian2022.misprint-initialisation",
        title="The symmetric initialisation pairs j with m + 1 - j",
        source="damian2022, Algorithm 1",
        provenance="read",
        claims=(
            Claim(
                name="paired",
                printed_proof="derivations.damian2022.gradient:printed_paired",
                kind="equality",
                says="how many of m = 6 neurons have a partner other than themselves with -a and the same w, which makes f = 0; "
                "printed: a_j = -a_{m-j}, w_j = w_{m-j}, j <= m/2, which pairs m/2 with itself and leaves m alone",
                printed="4",
                derived="6",
                proof="derivations.damian2022.gradient:paired",
                route="theory.hessian.gradient_route:paired",
                expected="erratum",
            ),
            Claim(
                name="index_sum",
                printed_proof="derivations.damian2022.gradient:printed_index_sum",
                kind="identity",
                says="sum of all indices of the pairs, j <= m/2: that of 1, ..., m only if the pairs are all the neurons",
                printed="width**2/2",
                derived="width*(width + 1)/2",
                proof="derivations.damian2022.gradient:all_neurons",
                expected="erratum",
            ),
        ),
        notes=(
            "Under the printed rule f(x) = a_{m/2} sigma(w_{m/2}.x) + a_m sigma(w_m.x) at the start, of mean square |x|^2/d, not "
            "0; and a_{m/2} = -a_{m/2} contradicts a = +-1.",
        ),
    ),
    Statement(
        key="damian2022.misprint-corollary-22",
        title="Corollary 22: the exponent of the gradient in E z_T (g.x)^k = <T, x^(x)k> is the order k of T",
        source=_SOURCE.format("Corollary 22"),
        provenance="read",
        claims=(
            Claim(
                name="corollary_22",
                printed_proof="derivations.damian2022.misprints:printed_corollary_22",
                kind="equality",
                says="<T, x^(x)k> at k = 2, d = 6 for T = u^(x)2, H = u u^T/kappa, overlap = <u, x>, |x| = 1; printed: "
                "E z_T (g.x)^p for that z_T at p = 4",
                printed="overlap**4/(4*pi*kappa_H**2)",
                derived="overlap**2",
                proof="derivations.damian2022.misprints:corollary_22",
                route="theory.hessian.minimum_norm:second_power",
                expected="erratum",
            ),
        ),
        notes=(
            "The sheet names this misprint in three words, and the paper was not at hand: the sheet does not say at which place of "
            "Corollary 22 the exponent p stands. Here it is that of the gradient. As the exponent of "
            "r d kappa^2 in a bound of E z_T^2, p for k <= p is weaker and not false, as r d kappa^2 >= 1 "
            "(kappa^2 >= 1/2 from E f*^2 = 1): the power that E z_T^2 has is misprint-lemma-23.second_moment_power.",
        ),
    ),
    Statement(
        key="damian2022.misprint-lemma-23",
        title="Lemma 23: degree, factor and indicator of E h_T sigma(w^(1).x + b) = <T, x^(x)k>",
        source=_SOURCE.format("Corollary 22 and Lemma 23"),
        provenance="read",
        hypotheses={
            "k = 1, 2, 3 or 4": _WHOLE.format("order_k"),
            "p = 1, 2, 3 or 4": _WHOLE.format("degree"),
            "k <= p": "order_k <= degree",
        },
        claims=(
            Claim(
                name="second_moment_power",
                kind="equality",
                says="power of d with which E z_T^2 grows, T of order k (Corollary 22): by differences of exact values",
                derived="order_k",
                proof="derivations.damian2022.misprints:second_moment_power",
                route="theory.hessian.minimum_norm:dimension_exponent",
            ),
            Claim(
                name="lemma_23_degree",
                printed_proof="derivations.damian2022.misprints:printed_lemma_23_degree",
                kind="equality",
                says="E h_T sigma(w^(1).x + b) at 2 x over its value at x: that of <T, x^(x)k>; printed: that of x^(x)p",
                printed="2**degree",
                derived="2**order_k",
                proof="derivations.damian2022.misprints:lemma_23_degree",
                route="theory.hessian.minimum_norm:scaling",
                expected="erratum",
            ),
            Claim(
                name="lemma_23_factor",
                kind="equality",
                says="E v_k z_T sigma(w^(1).x + b) over <T, x^(x)k>, by which v_k z_T is divided in Lemma 23",
                derived="(2*eta1)**order_k",
                proof="derivations.damian2022.misprints:lemma_23_factor",
                route="theory.hessian.minimum_norm:factor",
            ),
            Claim(
                name="lemma_23_indicator",
                kind="identity",
                says="bound of 2 eta1 |g_n(w).x_j|, which the indicator of Lemma 23 keeps at most 1",
                derived="2*C",
                proof="derivations.damian2022.misprints:lemma_23_indicator",
            ),
        ),
        notes=(
            "The sheet has (2 eta)^k printed for (2 eta1)^k. The first step has one learning rate, eta1, and the sheet does not "
            "say what eta would be: a slip of the name, which no value can decide, so that lemma_23_factor holds what is derived.",
            "The sheet gives no printed form of the indicator, and none was invented; the paper was not at hand.",
        ),
    ),
    Statement(
        key="damian2022.misprint-exponents",
        title="The powers in Lemma 25, and the bound of Appendix B",
        source=_SOURCE.format("Lemma 25, Appendix B"),
        provenance="read",
        hypotheses={f"{name} = 1, 2, 3 or 4": _WHOLE.format(one) for name, one in (("p", "degree"), ("m", "width"), ("r", "rank"))},
        claims=(
            Claim(
                name="lemma_25",
                kind="equality",
                says="last term of Bernstein's inequality in Lemma 25: the square, over m^2, of the source's range "
                "r^p kappa^(2p) iota^(6p)",
                printed="rank**(2*degree)*kappa_H**(3*degree)*iota**(6*degree)/width**2",
                derived="rank**(2*degree)*kappa_H**(4*degree)*iota**(12*degree)/width**2",
                proof="derivations.damian2022.misprints:lemma_25",
                expected="erratum",
            ),
            Claim(
                name="lemma_25_direct",
                kind="inequality",
                says="range of h_T at the leading gradient, |T| = 1, H inverted once: kappa^p",
                derived="(sqrt(pi/2)/C)**degree*rank**degree*kappa_H**degree*iota**(2*degree)",
                proof="derivations.damian2022.misprints:lemma_25_direct",
            ),
            Claim(
                name="theorem_3",
                kind="inequality",
                says="sum of an approximation error sqrt(A/m) and an estimation error sqrt(A/N), A = r^p kappa^(2p), for m <= N: "
                "the first term of Theorem 3 up to a factor of 2",
                derived="2*sqrt(rank**degree*kappa_H**(2*degree)/width)",
                proof="derivations.damian2022.misprints:theorem_3",
            ),
        ),
        notes=(
            "lemma_25: the powers of r and kappa in the range follow from Lemma 21 and |g|^2 <= iota/(pi d); that of iota, 6p, is "
            "the source's (at the leading gradient 2p are enough), and only its doubling is decided. The printed kappa^(3p) "
            "iota^(6p) are those of the middle term, r^(3p/2) kappa^(3p) iota^(6p)/m^(3/2).",
            "The printed term does not follow from the source's range, but is not false as a bound at the leading gradient: the "
            "square of lemma_25_direct, r^(2p) kappa^(2p) iota^(4p), is below it up to a constant, as kappa^2 >= 1/2.",
            "The sheet gives no printed form of Appendix B's final bound: theorem_3 holds what is derived.",
        ),
    ),
)
