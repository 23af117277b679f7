"""Misprints of damian2022: exponents in Lemma 25 and Appendix B."""

from theory.register.record import Claim, Statement

_SOURCE = "damian2022, {} (statements, section 4)"

# at models, whose parameters are multiples of 1/16, this says that one is 1, 2, 3 or 4
_WHOLE = "Abs(({0} - 1)*({0} - 2)*({0} - 3)*({0} - 4)) < 1/10**6"

ENTRIES = (
    Statement(
        "damian2022.misprint-exponents",
        "The powers in Lemma 25, and the bound of Appendix B",
        _SOURCE.format("Lemma 25, Appendix B"),
        "read",
        hypotheses={f"{name} = 1, 2, 3 or 4": _WHOLE.format(one) for name, one in (("p", "degree"), ("m", "width"), ("r", "rank"))},
        claims=(
            Claim(
                "lemma_25",
                "last term of Bernstein's inequality in Lemma 25: the square, over m^2, of the source's range "
                "r^p kappa^(2p) iota^(6p)",
                "rank**(2*degree)*kappa_H**(4*degree)*iota**(12*degree)/width**2",
                "rank**(2*degree)*kappa_H**(3*degree)*iota**(6*degree)/width**2",
                "erratum",
                kind="equality",
            ),
            Claim(
                "lemma_25_direct",
                "range of h_T at the leading gradient, |T| = 1, H inverted once: kappa^p",
                "(sqrt(pi/2)/C)**degree*rank**degree*kappa_H**degree*iota**(2*degree)",
                kind="inequality",
            ),
            Claim(
                "theorem_3",
                "sum of an approximation error sqrt(A/m) and an estimation error sqrt(A/N), A = r^p kappa^(2p), for m <= N: "
                "the first term of Theorem 3 up to a factor of 2",
                "2*sqrt(rank**degree*kappa_H**(2*degree)/width)",
                kind="inequality",
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
        chapter="derivations.damian2022.misprints",
    ),
)
