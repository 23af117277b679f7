"""Theorem 2 of damian2022: what correlational statistical queries cannot learn, with the constants that the order hides."""

from theory.hessian.letters import LETTERS
from theory.register.record import Claim, Experiment, Quantity, Statement

_SOURCE = "damian2022, Theorem 2 (statements, section 4)"
_FALLS = "(tau_query**2 - eps_pack**degree)"
_ORDER = "(log(queries*d)/d)**(degree/2)"

ENTRIES = (
    Quantity(
        key="damian2022.theorem-2",
        title="Tolerance that q correlational queries need to learn He_p(<v, x>)/sqrt(p!), x in d dimensions",
        source=_SOURCE,
        provenance="read",
        parameters=("d", "p", "q"),
        letters=LETTERS,
        compute="theory.hessian.lower_bound:compute",
        route="theory.hessian.lower_bound_route:theorem_2",
        samples=({"d": "100", "p": "4", "q": "50"}, {"d": "61", "p": "3", "q": "1000"}, {"d": "100000", "p": "6", "q": "1e12"}),
        chapter=("derivations.damian2022.lower_bound:tolerance", "derivations.damian2022.lower_bound:constant"),
        notes=(
            "A deterministic learner with q queries of a larger tolerance has mean square error at least ``error`` on a function "
            "of the class: if all queries are answered 0, its queries, adaptive or not, and what it returns are fixed. A learner "
            "with random bits is one for each value of them, but the function may then depend on the bits; no more is claimed.",
            "tolerance, tau_squared: the choice eps^2 = (2/d) log(2 + 2 q d^(p/2)); best_...: the best eps; counted_...: the "
            "packing of sign vectors counted by binomial sums in place of Hoeffding's bound. Smaller is stronger.",
            "ratio is that of tau_squared to the printed order (log(q d)/d)^(p/2): at most (p + 2)^(p/2) + 1 for q d >= 4 "
            "(theorem-2-steps.constant).",
        ),
    ),
    Quantity(
        key="damian2022.theorem-2-table",
        title="Tolerance of Theorem 2 over d = 10^2, 10^3, 10^4, 10^6, p = 3, 4, 6 and q = d, d^2, d^4",
        source=_SOURCE,
        provenance="read",
        parameters=(),
        compute="theory.hessian.lower_bound:table",
        route="theory.hessian.lower_bound_route:table",
        samples=({},),
        digits=15,
        notes=("Columns of equal length; informative: tau^2 < 1, below which the bound says something.",),
    ),
    Quantity(
        key="damian2022.packing",
        title="Sign vectors with small overlaps, constructed and measured",
        source=_SOURCE,
        parameters=("d", "size"),
        optional=("construction", "seed"),
        compute="theory.hessian.packing:compute",
        route="theory.hessian.lower_bound_route:packing",
        samples=(
            {"d": "100", "size": "150"},
            {"d": "64", "size": "300", "construction": "bent"},
            {"d": "37", "size": "250", "construction": "legendre"},
        ),
        chapter=("derivations.damian2022.lower_bound:packing", "derivations.damian2022.lower_bound:union"),
        notes=(
            "construction: signs (random), bent (d = 4^k, d^(3/2) vectors), legendre (d an odd prime, (d^2 - d)/2 vectors).",
            "The overlaps of bent and legendre are of order d^(-1/2) without a logarithm; with polynomials of degree k in place "
            "of quadratics, the logarithm in Theorem 2 gives way to a constant of p and b for q = d^b: "
            "theorem-2-steps.without_logarithm.",
        ),
    ),
    Statement(
        key="damian2022.theorem-2-steps",
        title="The class, the packing and the count behind Theorem 2",
        source=_SOURCE,
        provenance="read",
        claims=(
            Claim(
                name="correlation",
                kind="limit",
                says="E f_v f_w for f_v = He_p(<v, x>)/sqrt(p!), as a function of <v, w>",
                printed="overlap**degree",
                derived="overlap**degree",
                proof="derivations.damian2022.lower_bound:correlation",
                observable="correlation",
                expected="confirmed",
            ),
            Claim(
                name="packing",
                kind="identity",
                says="number of sign vectors with overlaps at most epsilon; printed (1/2) exp(c epsilon^2 d), and c = 1/2 will do",
                derived="exp(eps_pack**2*d/2)/2",
                proof="derivations.damian2022.lower_bound:packing",
            ),
            Claim(
                name="union",
                kind="identity",
                says="number of random sign vectors that may have such overlaps by the union bound over pairs: c = 1/4",
                derived="exp(eps_pack**2*d/4)",
                proof="derivations.damian2022.lower_bound:union",
            ),
            Claim(
                name="falls",
                kind="inequality",
                says="most functions that fall a query of tolerance tau (Szorenyi)",
                printed=f"2/{_FALLS}",
                derived=f"2/{_FALLS}",
                proof="derivations.damian2022.lower_bound:falls_printed",
                expected="confirmed",
            ),
            Claim(
                name="falls_signed",
                kind="inequality",
                says="the same where |E f_v f_w| <= epsilon^p: signs are taken in at once, and the 2 is not needed",
                derived=f"(1 - eps_pack**degree)/{_FALLS}",
                proof="derivations.damian2022.lower_bound:falls",
            ),
            Claim(
                name="error",
                kind="inequality",
                says="mean square error that is not avoided where two functions are left",
                derived="(1 - eps_pack**degree)/2",
                proof="derivations.damian2022.lower_bound:error",
            ),
            Claim(
                name="counting",
                kind="inequality",
                says="tau^2 that q queries against n functions need",
                derived="eps_pack**degree + queries*(1 - eps_pack**degree)/(packing - 1)",
                proof="derivations.damian2022.lower_bound:counting",
            ),
            Claim(
                name="tolerance",
                kind="inequality",
                says="tau^2 that q queries need in d dimensions",
                derived="(2*log(2 + 2*queries*d**(degree/2))/d)**(degree/2) + d**(-degree/2)",
                proof="derivations.damian2022.lower_bound:tolerance",
            ),
            Claim(
                name="constant",
                kind="inequality",
                says="the same as a constant times the printed order, for q d >= 4 and p >= 2",
                derived=f"((degree + 2)**(degree/2) + 1)*{_ORDER}",
                proof="derivations.damian2022.lower_bound:constant",
            ),
            Claim(
                name="order",
                kind="inequality",
                says="the same up to a constant of p",
                printed="log(queries*d)**(degree/2)/d**(degree/2)",
                derived=_ORDER,
                proof="derivations.damian2022.lower_bound:order",
                expected="confirmed",
            ),
            Claim(
                name="without_logarithm",
                kind="inequality",
                says="tau^2 that q <= (n - 1)/d^(p/2) queries need in a prime dimension d, n the number of irreducible "
                "polynomials of degree k >= 2 modulo d",
                derived="((2*order_k - 1)**degree + 1)*d**(-degree/2)",
                proof="derivations.damian2022.lower_bound:without_logarithm",
            ),
        ),
        experiment=Experiment(
            observe="theory.hessian.lower_bound_trial:correlation",
            setting={"degree": "3", "overlap": "-3/5"},
            sizes=(60, 90, 135, 200),
            draws=12,
            from_scratch=True,
            n="20000",
            N="2",
        ),
        notes=(
            "counting is for deterministic learners: all answers 0 fix the queries and the output (as in the note of theorem-2).",
            "At odd p correlations have the sign of <v, w>, and |<v, w>| <= epsilon bounds both signs; where only "
            "<v, w> <= epsilon is known, the two signs of E h f_v are counted one by one, and the 2 of Szorenyi's count is needed.",
            "falls_signed is attained: by the normalised sum of functions whose correlations are all epsilon^p.",
        ),
    ),
)
