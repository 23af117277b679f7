"""A misprint of damian2022: Corollary 22."""

from theory.register.record import Claim, Statement

_SOURCE = "damian2022, {} (statements, section 4)"

ENTRIES = (
    Statement(
        "damian2022.misprint-corollary-22",
        "Corollary 22: the exponent of the gradient in E z_T (g.x)^k = <T, x^(x)k> is the order k of T",
        _SOURCE.format("Corollary 22"),
        "read",
        claims=(
            Claim(
                "corollary_22",
                "<T, x^(x)k> at k = 2, d = 6 for T = u^(x)2, H = u u^T/kappa, overlap = <u, x>, |x| = 1; printed: "
                "E z_T (g.x)^p for that z_T at p = 4",
                "overlap**2",
                "overlap**4/(4*pi*kappa_H**2)",
                "erratum",
                printed_proof="derivations.damian2022.misprints:printed_corollary_22",
                kind="equality",
                proof="derivations.damian2022.misprints:corollary_22",
                route="theory.hessian.minimum_norm:second_power",
            ),
        ),
        notes=(
            "The sheet names this misprint in three words, and the paper was not at hand: the sheet does not say at which place of "
            "Corollary 22 the exponent p stands. Here it is that of the gradient. As the exponent of "
            "r d kappa^2 in a bound of E z_T^2, p for k <= p is weaker and not false, as r d kappa^2 >= 1 "
            "(kappa^2 >= 1/2 from E f*^2 = 1): the power that E z_T^2 has is misprint-lemma-23.second_moment_power.",
        ),
    ),
)
