"""Theorem 2 of ``damian2022`` with its constants: the tolerance below which q correlational queries see nothing.

The class: f_v = He_p(<v, x>)/sqrt(p!) over n unit vectors with |<v, w>| <= eps, so that E f_v f_w = <v, w>^p. A query h,
E h^2 = 1, of tolerance tau may be answered 0 unless |E h f_v| > tau, which holds for at most (1 - eps^p)/(tau^2 - eps^p) of
them. If two functions are left, a learner's mean square error is at least (1 - eps^p)/2 on one of them. So to do better
takes tau^2 <= eps^p + q (1 - eps^p)/(n - 1). Derivations: ``derivations.damian2022.lower_bound``. Source: statements.md, section 4.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pencils.exact.numbers import decimal, refine, to_ball
from theory.register.record import Computed

COUNTED = 5000  # largest d at which the packing is counted by exact binomial sums
TABLE = tuple((d, p, q) for p in (3, 4, 6) for d in (10**2, 10**3, 10**4, 10**6) for q in (d, d**2, d**4))

Values = dict[str, Any]


def overlap(d: int, n: Any) -> Any:
    """eps at which n = (1/2) exp(eps^2 d/2): so many sign vectors exist (Gilbert-Varshamov and Hoeffding). A ball."""
    return (2 * (2 * n).log() / d).sqrt()


def _named(prefix: str, eps: Any, n: Any, square: Any) -> Values:
    return {
        f"{prefix}eps": eps,
        f"{prefix}packing_size": n,
        f"{prefix}tau_squared": square,
        f"{prefix}tolerance": square.sqrt(),
    }


def explicit(d: int, p: int, q: int) -> Values:
    """n = 1 + q d^(p/2): eps^2 = (2/d) log(2 + 2 q d^(p/2)) and tau^2 = eps^p + d^(-p/2), at the working precision; ``ratio`` is
    that of tau^2 to the printed order (log(qd)/d)^(p/2), at most (p + 2)^(p/2) + 1 for q d >= 4."""
    power = to_ball(d).sqrt() ** p
    eps = overlap(d, 1 + q * power)
    square = eps**p + 1 / power
    ratio = square * power / to_ball(q * d).log().sqrt() ** p
    return _named("", eps, 1 + q * power, square) | {"ratio": ratio, "error": (1 - eps**p) / 2}


def best(d: int, p: int, q: int, bits: int) -> Values:
    """The least eps^p + q/(n - 1) over n. With y = n - 1 and L = log(2 + 2y), the derivative of (2L/d)^(p/2) + q/y has the
    sign of (p/2)(2/d)^(p/2) L^(p/2 - 1) y^2/(1 + y) - q, which increases in y: its one zero is bisected."""
    scale = p * (to_ball(2) / d).sqrt() ** p / 2

    def slope(y: Any) -> Any:
        return scale * (2 + 2 * y).log().sqrt() ** (p - 2) * y**2 / (1 + y) - q

    low = high = to_ball(1)
    while not slope(high) > 0:
        high = 2 * high
    while not slope(low) < 0:
        low = low / 2
    for _ in range(4 * bits):
        middle = ((low + high) / 2).mid()
        sign = slope(middle)
        if sign.contains(0):
            break
        low, high = (low, middle) if sign > 0 else (middle, high)
    y = low.union(high)
    eps = overlap(d, 1 + y)
    return _named("best_", eps, 1 + y, eps**p + q / y)


def counted(d: int, p: int, q: int) -> Values:
    """The least eps^p + q (1 - eps^p)/(n - 1) over packings of sign vectors counted exactly, without Hoeffding's bound.

    A maximal set of sign vectors with |<v, w>| <= (s - 2)/d has at least 2^d/#{|S| >= s} members, S a sum of d signs: each
    member forbids #{|S| >= s} of the 2^d vectors, and all are forbidden.
    """
    tail, term, found = 0, 1, []
    for minus in range(d // 2):  # s = d - 2 minus >= 2
        tail += 2 * term
        term = term * (d - minus) // (minus + 1)
        n = -(-(2**d) // tail)
        if n > 1:
            power = ((d - 2 * minus - 2) / d) ** p
            found.append((power + (1 - power) * (q / (n - 1)), d - 2 * minus - 2, n))
    _, top, n = min(found)
    eps = to_ball(top) / d
    return _named("counted_", eps, to_ball(n), eps**p + q * (1 - eps**p) / to_ball(n - 1))


def _refined(part: Callable[[int], Values], digits: int) -> Values:
    """The balls of ``part(bits)`` once the widest of them proves the digits."""
    found: Values = {}

    def widest(bits: int) -> Any:
        found.update(part(bits))
        return min(found.values(), key=lambda ball: ball.rel_accuracy_bits())

    refine(widest, digits, "tolerance")
    return found


def values(d: int, p: int, q: int, digits: int) -> Values:
    """All values at one (d, p, q), each with ``digits`` digits proven."""
    found = _refined(lambda bits: explicit(d, p, q), digits) | _refined(lambda bits: best(d, p, q, bits), digits)
    return found | (_refined(lambda bits: counted(d, p, q), digits) if d <= COUNTED else {})


def compute(parameters: Mapping[str, Any], digits: int) -> Computed:
    """The values of the entry ``damian2022.theorem-2`` at d, p, q."""
    found = values(parameters["d"], parameters["p"], parameters["q"], digits)
    packed, informative = bool(found["eps"] < 1), bool(found["tau_squared"] < 1)
    notes = []
    if packed:
        size = decimal(found["packing_size"], min(digits, 6))
        notes.append(f"at least {size} sign vectors have overlaps <= eps: (1/2) exp(eps^2 d/2), Gilbert-Varshamov and Hoeffding")
    else:
        found["error"] = None
    if not informative:
        notes.append("tau_squared >= 1 says nothing, since |E h f_v| <= 1: d is too small for this p and q")
    if parameters["d"] > COUNTED:
        notes.append(f"the exact count of the packing (counted_...) is made up to d = {COUNTED}")
    return Computed(found, {"eps < 1": packed, "tau^2 < 1": informative}, tuple(notes))


def table(parameters: Mapping[str, Any], digits: int) -> Values:
    """The values of the entry ``damian2022.theorem-2-table``: columns over the grid ``TABLE`` of d, p, q."""
    rows = [values(d, p, q, digits) for d, p, q in TABLE]
    return {
        **{name: [str(cell[place]) for cell in TABLE] for place, name in enumerate(("d", "p", "q"))},
        **{name: [row[name] for row in rows] for name in ("tolerance", "best_tolerance", "eps", "packing_size")},
        "informative": [bool(row["tau_squared"] < 1) for row in rows],
    }
