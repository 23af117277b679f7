"""Second routes to the numbers of Theorem 2 and of targets without a Hessian, in mpmath: from the steps of the proofs.

A packing's size comes from Chernoff's bound, minimised numerically; a query fells as many functions as Cauchy's inequality lets
it; the tolerance is the tau at which q queries fell all functions but one, by bracketing; the best eps is a zero of a numerical
derivative of that tau^2. Correlations, and with them the error and the information exponent, are Gauss-Hermite sums; the counted
packing's tails incomplete beta functions; gradients moments on the half space w.x > 0 and quadratures over the sphere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import mpmath

from pencils.exact.numbers import Number
from theory.hessian.lower_bound import COUNTED, TABLE
from theory.hessian.packing import constructed


def _context(digits: int) -> Any:
    ctx = mpmath.mp.clone()
    ctx.dps = 2 * digits + 30
    return ctx


def _whole(value: Any) -> int:
    return int(float(value))


def _size(ctx: Any, d: int, eps: Any) -> Any:
    """log of one over the share of sign vectors within reach of one: twice the least of exp(-t eps d) exp(t^2/2)^d over t > 0."""
    least = ctx.findroot(lambda t: ctx.diff(lambda u: d * u * u / 2 - u * eps * d, t), (eps / 2, 2 * eps), solver="secant")
    return -ctx.log(2) + least * eps * d - d * least**2 / 2


def _tolerance(ctx: Any, E: Any, log_each: Any) -> Any:
    """tau^2 at which one query can fell N = exp(log_each) functions and no more: (N tau)^2 <= (E h F)^2 <= E F^2 <= N + N^2 eps^p
    for F their signed sum. The two ends are bracketed in log(tau^2 - eps^p)."""
    N = ctx.exp(log_each)
    gap = ctx.findroot(
        lambda s: 2 * log_each + ctx.log(E + ctx.exp(s)) - ctx.log(N + N * N * E),
        (-log_each - 1, -log_each + 1),
        solver="illinois",
        verify=False,
    )
    return E + ctx.exp(gap)


def _numbers(d: int, p: int, q: int, digits: int) -> dict[str, Any]:
    ctx = _context(digits)
    half = ctx.mpf(p) / 2
    needed = half * ctx.log(d)  # n - 1 = q d^(p/2): each of q queries is to fell d^(p/2)

    def each(eps: Any) -> Any:  # log((n - 1)/q)
        return ctx.log(ctx.expm1(_size(ctx, d, eps))) - ctx.log(q)

    def square_at(eps: Any) -> Any:
        return _tolerance(ctx, eps**p, each(eps))

    def bend(x: Any) -> Any:  # the slope of log tau^2 in x = eps^2 d/2
        return ctx.diff(lambda y: ctx.log(square_at(ctx.sqrt(2 * y / d))), x)

    start = needed + ctx.log(q) + ctx.log(2)
    eps = ctx.findroot(lambda e: each(e) - needed, (ctx.sqrt(2 * start / d), 2 * ctx.sqrt(start / d)), solver="secant")
    square = square_at(eps)
    high = eps * eps * d / 2
    low = max(high - 2 - ctx.log(p) - abs(half - 1) * ctx.log(2 * high), ctx.log(ctx.mpf("2.01")))
    best_eps = ctx.sqrt(2 * ctx.findroot(bend, (low, high), solver="anderson", verify=False) / d)
    best = square_at(best_eps)
    return {
        "eps": eps,
        "packing_size": ctx.exp(_size(ctx, d, eps)),
        "tau_squared": square,
        "tolerance": ctx.sqrt(square),
        "ratio": ctx.exp(ctx.log(square) - half * (ctx.log(ctx.log(ctx.mpf(q) * d)) - ctx.log(d))),
        "best_eps": best_eps,
        "best_packing_size": ctx.exp(_size(ctx, d, best_eps)),
        "best_tau_squared": best,
        "best_tolerance": ctx.sqrt(best),
    }


def _gauss(ctx: Any, count: int) -> list[tuple[Any, Any]]:
    """Nodes and weights of E over a standard normal, exact for polynomials of degree 2 count - 1: eigenvalues of the Jacobi matrix
    and squares of the first entries of its eigenvectors."""
    matrix = ctx.matrix(count, count)
    for k in range(1, count):
        matrix[k, k - 1] = matrix[k - 1, k] = ctx.sqrt(k)
    values, vectors = ctx.eigsy(matrix)
    return [(values[i], vectors[0, i] ** 2) for i in range(count)]


def _correlations(ctx: Any, p: int, orders: Sequence[int], rho: Any) -> list[Any]:
    """E He_p(z1) He_k(rho z1 + sqrt(1 - rho^2) z2)/sqrt(p! k!) for each k <= p of ``orders``, as sums over nodes."""

    def he(order: int, x: Any) -> Any:
        before, now = ctx.zero, ctx.one
        for j in range(order):
            before, now = now, x * now - j * before
        return now

    nodes, across = _gauss(ctx, p + 1), ctx.sqrt(1 - rho * rho)
    first = [a * he(p, x) for x, a in nodes]
    return [
        sum(one * b * he(k, rho * x + across * y) for one, (x, _) in zip(first, nodes, strict=True) for y, b in nodes)
        / ctx.sqrt(ctx.factorial(p) * ctx.factorial(k))
        for k in orders
    ]


def _counted(d: int, p: int, q: int, digits: int) -> dict[str, Any]:
    """The same minimum, every tail P(|S| >= s) = 2 P(Binomial(d, 1/2) >= (d + s)/2) an incomplete beta function."""
    ctx = _context(digits)
    found = []
    for top in range(d % 2, d - 1, 2):  # d overlap = top is allowed, top + 2 is not
        least = (d + top + 2) // 2
        share = 2 * ctx.betainc(least, d - least + 1, 0, ctx.mpf(1) / 2, regularized=True)
        # at top = 0 or 1 and even share = 1/2 the quotient is a whole number: no rounding up from below it
        n = ctx.ceil(1 / share - ctx.mpf(10) ** -digits)
        power = (ctx.mpf(top) / d) ** p
        if n > 1:
            found.append((power + q * (1 - power) / (n - 1), ctx.mpf(top) / d, n))
    square, eps, n = min(found)
    return {
        "counted_eps": eps,
        "counted_packing_size": n,
        "counted_tau_squared": square,
        "counted_tolerance": ctx.sqrt(square),
    }


def theorem_2(parameters: Mapping[str, Any], digits: int) -> dict[str, Number]:
    """The values of ``damian2022.theorem-2``."""
    d, p, q = (_whole(parameters[name]) for name in ("d", "p", "q"))
    found = _numbers(d, p, q, digits) | (_counted(d, p, q, digits) if d <= COUNTED else {})
    if found["eps"] < 1:
        # of two functions f, f' one is missed by at least E (f - f')^2/4, E f f' a sum over nodes
        found["error"] = (1 - _correlations(_context(digits), p, [p], found["eps"])[0]) / 2
    return found


def table(parameters: Mapping[str, Any], digits: int) -> dict[str, list[Number]]:
    """The columns of ``damian2022.theorem-2-table``."""
    rows = [_numbers(*cell, digits) for cell in TABLE]
    return {name: [row[name] for row in rows] for name in ("tolerance", "best_tolerance", "eps", "packing_size")}


def zero_hessian(parameters: Mapping[str, Any], digits: int) -> dict[str, Number]:
    """The values of ``damian2022.zero-hessian``: moments over the half plane <w, x> > 0, then a quadrature."""
    p, d = _whole(parameters["p"]), _whole(parameters["d"])
    ctx = mpmath.mp.clone()
    ctx.dps = digits + 25
    square = _mean_square(ctx, p, d)
    found = {"mean_square": square, "root_mean_square": ctx.sqrt(abs(square)), "information_exponent": _first_seen(ctx, p)}
    # d^(p-1) E s^(2p-2) tends to a Gaussian moment, beside the slope of |g|^2 in s^(2p-2) at 0
    tiny = ctx.mpf(10) ** (-digits - 10)
    with ctx.workdps(2 * p * (digits + 15)):
        slope = _length(ctx, p)(tiny) / tiny ** (2 * p - 2)
    found["limit"] = slope * _moment(ctx, 2 * p - 2)
    if abs(square) > tiny:
        found["exponent"] = _exponent(p)
    return found


def _mean_square(ctx: Any, p: int, d: int, **effort: int) -> Any:
    """E|g|^2 over the sphere, on which s^2 has a Beta law: in parts that see where the law is."""
    length, width = _length(ctx, p), min(ctx.one, 8 / ctx.sqrt(d))
    ends = sorted({0, width, 1})  # |g|^2 is even in s
    total = 2 * ctx.quad(lambda s: length(s) * (1 - s * s) ** (ctx.mpf(d - 3) / 2), ends, **effort)
    return total / ctx.beta(ctx.mpf(1) / 2, ctx.mpf(d - 1) / 2)


def _first_seen(ctx: Any, p: int) -> Any:
    """The first k at which E f* He_k(<w, x>) is not 0, <u, w> = 3/5."""
    values = _correlations(ctx, p, range(p + 1), ctx.mpf(3) / 5)
    return ctx.mpf(next(k for k, value in enumerate(values) if abs(value) > ctx.mpf(10) ** (20 - ctx.dps)))


def _exponent(p: int) -> Any:
    """Half the whole number next to the slope of log E|g|^2 in log d between two large d, which differs from it by O(1/d)."""
    ctx = mpmath.mp.clone()
    ctx.dps = 20 + 4 * p
    low, high = 10**5, 10**6
    slope = ctx.log(_mean_square(ctx, p, high, maxdegree=4) / _mean_square(ctx, p, low, maxdegree=4)) / ctx.log(ctx.mpf(high) / low)
    assert abs(slope - ctx.nint(slope)) < 0.01
    return ctx.nint(slope) / 2


def _length(ctx: Any, p: int) -> Any:
    """The function s = <u, w> -> |g(w)|^2, from f* = sum over k of h_k (s a + sqrt(1 - s^2) b)^k."""
    # He_p = sum of (-1)^m p!/(k! m! 2^m) x^k, m = (p - k)/2
    terms = []
    for k in range(p % 2, p + 1, 2):
        m = (p - k) // 2
        weight = (-1) ** m * ctx.factorial(p) / (ctx.factorial(k) * ctx.factorial(m) * 2**m)
        for j in range(k + 1):
            along = _half_moment(ctx, j + 1) * _moment(ctx, k - j)
            across = _half_moment(ctx, j) * _moment(ctx, k - j + 1)
            terms.append((j, k - j, weight * ctx.binomial(k, j) * along, weight * ctx.binomial(k, j) * across))

    def length(s: Any) -> Any:
        t = ctx.sqrt(1 - s * s)
        along = sum(c * s**i * t**j for i, j, c, _ in terms)
        across = sum(c * s**i * t**j for i, j, _, c in terms)
        return (along**2 + across**2) / ctx.factorial(p)

    return length


def _half_moment(ctx: Any, k: int) -> Any:
    """E z^k over z > 0."""
    return 2 ** (ctx.mpf(k) / 2) * ctx.gamma(ctx.mpf(k + 1) / 2) / (2 * ctx.sqrt(ctx.pi))


def _moment(ctx: Any, k: int) -> Any:
    """E z^k."""
    return ctx.zero if k % 2 else 2 * _half_moment(ctx, k)


def packing(parameters: Mapping[str, Any], digits: int) -> dict[str, Number]:
    """The values of ``damian2022.packing``: overlaps by counting the bits in which two vectors differ."""
    d, size = _whole(parameters["d"]), _whole(parameters["size"])
    given = {"d": d, "size": size, "construction": parameters.get("construction", "signs")}
    words = [int("".join("1" if x > 0 else "0" for x in row), 2) for row in constructed(given)]
    largest = max(abs(d - 2 * (one ^ words[j]).bit_count()) for i, one in enumerate(words) for j in range(i))
    ctx = _context(digits)
    found = {
        "overlap": ctx.mpf(largest) / d,
        "existence": ctx.findroot(lambda e: _size(ctx, d, e) - ctx.log(size), ctx.mpf(1)),
        # size^2/2 pairs, each beyond e with the share of the other line
        "union": ctx.findroot(lambda e: ctx.log(ctx.mpf(size) ** 2 / 2) - _size(ctx, d, e), ctx.mpf(1)),
    }
    found["attained"] = (found["existence"] / found["overlap"]) ** 2 / 2  # c overlap^2 = existence^2/2, both at this size
    return found
