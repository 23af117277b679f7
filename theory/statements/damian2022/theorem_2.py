"""Theorem 2 of damian2022: what correlational statistical queries cannot learn, with the constants that the order hides."""

from theory.hessian.letters import LETTERS
from theory.register.record import Quantity

_SOURCE = "damian2022, Theorem 2 (statements, section 4)"

ENTRIES = (
    Quantity(
        "damian2022.theorem-2",
        "Tolerance that q correlational queries need to learn He_p(<v, x>)/sqrt(p!), x in d dimensions",
        _SOURCE,
        ("d", "p", "q"),
        "theory.hessian.lower_bound:compute",
        provenance="read",
        letters=LETTERS,
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
        "damian2022.theorem-2-table",
        "Tolerance of Theorem 2 over d = 10^2, 10^3, 10^4, 10^6, p = 3, 4, 6 and q = d, d^2, d^4",
        _SOURCE,
        (),
        "theory.hessian.lower_bound:table",
        provenance="read",
        route="theory.hessian.lower_bound_route:table",
        samples=({},),
        digits=15,
        notes=("Columns of equal length; informative: tau^2 < 1, below which the bound says something.",),
    ),
)
