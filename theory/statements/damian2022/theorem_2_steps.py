"""The steps of Theorem 2 of damian2022: the class, the packing and the count."""

from theory.register.record import SAME, Claim, Experiment, Statement

_FALLS = "(tau_query**2 - eps_pack**degree)"
_ORDER = "(log(queries*d)/d)**(degree/2)"

ENTRIES = (
    Statement(
        "damian2022.theorem-2-steps",
        "The class, the packing and the count behind Theorem 2",
        "damian2022, Theorem 2 (statements, section 4)",
        "read",
        claims=(
            Claim(
                "correlation",
                "E f_v f_w for f_v = He_p(<v, x>)/sqrt(p!), as a function of <v, w>",
                "overlap**degree",
                SAME,
                "confirmed",
            ),
            Claim(
                "packing",
                "number of sign vectors with overlaps at most epsilon; printed (1/2) exp(c epsilon^2 d), and c = 1/2 will do",
                "exp(eps_pack**2*d/2)/2",
                kind="identity",
            ),
            Claim(
                "union",
                "number of random sign vectors that may have such overlaps by the union bound over pairs: c = 1/4",
                "exp(eps_pack**2*d/4)",
                kind="identity",
            ),
            Claim(
                "falls",
                "most functions that fall a query of tolerance tau (Szorenyi)",
                f"2/{_FALLS}",
                SAME,
                "confirmed",
                kind="inequality",
            ),
            Claim(
                "falls_signed",
                "the same where |E f_v f_w| <= epsilon^p: signs are taken in at once, and the 2 is not needed",
                f"(1 - eps_pack**degree)/{_FALLS}",
                kind="inequality",
            ),
            Claim(
                "error",
                "mean square error that is not avoided where two functions are left",
                "(1 - eps_pack**degree)/2",
                kind="inequality",
            ),
            Claim(
                "counting",
                "tau^2 that q queries against n functions need",
                "eps_pack**degree + queries*(1 - eps_pack**degree)/(packing - 1)",
                kind="inequality",
            ),
            Claim(
                "tolerance",
                "tau^2 that q queries need in d dimensions",
                "(2*log(2 + 2*queries*d**(degree/2))/d)**(degree/2) + d**(-degree/2)",
                kind="inequality",
            ),
            Claim(
                "constant",
                "the same as a constant times the printed order, for q d >= 4 and p >= 2",
                f"((degree + 2)**(degree/2) + 1)*{_ORDER}",
                kind="inequality",
            ),
            Claim(
                "order",
                "the same up to a constant of p",
                _ORDER,
                "log(queries*d)**(degree/2)/d**(degree/2)",
                "confirmed",
                kind="inequality",
            ),
            Claim(
                "without_logarithm",
                "tau^2 that q <= (n - 1)/d^(p/2) queries need in a prime dimension d, n the number of irreducible "
                "polynomials of degree k >= 2 modulo d",
                "((2*order_k - 1)**degree + 1)*d**(-degree/2)",
                kind="inequality",
            ),
        ),
        experiment=Experiment(
            "theory.hessian.lower_bound_trial:correlation",
            setting={"degree": "3", "overlap": "-3/5"},
            sizes=(60, 90, 135, 200),
            draws=12,
            from_scratch=True,
            n="20000",
            N="2",
            measures=("correlation",),
        ),
        notes=(
            "counting is for deterministic learners: all answers 0 fix the queries and the output (as in the note of theorem-2).",
            "At odd p correlations have the sign of <v, w>, and |<v, w>| <= epsilon bounds both signs; where only "
            "<v, w> <= epsilon is known, the two signs of E h f_v are counted one by one, and the 2 of Szorenyi's count is needed.",
            "falls_signed is attained: by the normalised sum of functions whose correlations are all epsilon^p.",
        ),
        chapter="derivations.damian2022.lower_bound",
    ),
)
