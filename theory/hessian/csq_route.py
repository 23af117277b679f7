"""Second routes to the numbers of Theorem 2 and of targets without a Hessian, in mpmath; they share no formula with the first.

The tolerance comes from counting: the equation q falls(tau) + 1 = n is solved for tau, the packing's tail is an incomplete
beta function, and the best eps is a zero of a numerical derivative. Gradients come from moments on the half space w.x > 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import mpmath

from theory.hessian.lower_bound import COUNTED, TABLE
from theory.hessian.packing import constructed


def _context(digits: int) -> Any:
    ctx = mpmath.mp.clone()
    ctx.dps = 2 * digits + 30
    return ctx


def _whole(value: Any) -> int:
    return int(float(value))


def _text(ctx: Any, values: Mapping[str, Any], digits: int) -> dict[str, str]:
    return {name: ctx.nstr(value, digits + 5) for name, value in values.items()}


def _tolerance(ctx: Any, d: int, p: int, q: int, eps: Any) -> Any:
    """tau at which q queries, each with at most 1/(tau^2 - eps^p) falls, leave one function of (1/2) exp(eps^2 d/2)."""
    n = ctx.exp(eps * eps * d / 2) / 2
    return ctx.sqrt(ctx.findroot(lambda square: (n - 1) * (square - eps**p) - q, (eps**p, 1 + eps**p), solver="secant"))


def _numbers(d: int, p: int, q: int, digits: int) -> dict[str, Any]:
    ctx = _context(digits)
    half = ctx.mpf(p) / 2
    # the eps at which the share of forbidden vectors, 2 exp(-eps^2 d/2), is 1/(1 + q d^(p/2))
    eps = ctx.findroot(lambda e: e * e * d / 2 + ctx.log(0.5) - ctx.log1p(q * ctx.power(d, half)), ctx.mpf("0.5"))
    tau = _tolerance(ctx, d, p, q, eps)
    top = ctx.log(q * ctx.power(d, half))
    # y q = 1/q ... q d^p holds the minimum: the slope in log y is negative at one end and positive at the other
    least = ctx.findroot(lambda log_y: ctx.diff(lambda s: ctx.log(_at(ctx, d, half, q, ctx.exp(s))), log_y),
                         (-top, 2 * top), solver="anderson", tol=ctx.mpf(10) ** (-2 * digits - 10))  # fmt: skip
    y = ctx.exp(least)
    best = _at(ctx, d, half, q, y)
    return {
        "eps": eps,
        "packing_size": ctx.exp(eps * eps * d / 2) / 2,
        "tau_squared": tau * tau,
        "tolerance": tau,
        "order": ctx.power(ctx.log(ctx.mpf(q) * d) / d, half),
        "constant": 1 + ctx.power(p + 2, half),
        "error": (1 - ctx.power(eps, p)) / 2,
        "best_eps": ctx.sqrt(2 * ctx.log(2 + 2 * y) / d),
        "best_packing_size": 1 + y,
        "best_tau_squared": best,
        "best_tolerance": ctx.sqrt(best),
    }


def _at(ctx: Any, d: int, half: Any, q: int, y: Any) -> Any:
    return ctx.power(2 * ctx.log(2 + 2 * y) / d, half) + q / y


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


def theorem_2(parameters: Mapping[str, Any], digits: int) -> dict[str, str]:
    """The values of ``damian2022.theorem-2``."""
    d, p, q = (_whole(parameters[name]) for name in ("d", "p", "q"))
    found = _numbers(d, p, q, digits) | (_counted(d, p, q, digits) if d <= COUNTED else {})
    return _text(_context(digits), found, digits)


def table(parameters: Mapping[str, Any], digits: int) -> dict[str, list[Any]]:
    """The columns of ``damian2022.theorem-2-table``."""
    rows = [_text(_context(digits), _numbers(*cell, digits), digits) for cell in TABLE]
    return {name: [row[name] for row in rows] for name in ("tolerance", "best_tolerance", "eps", "packing_size")}


def zero_hessian(parameters: Mapping[str, Any], digits: int) -> dict[str, str]:
    """The values of ``damian2022.zero-hessian``: moments over the half plane <w, x> > 0, then a quadrature."""
    p, d = _whole(parameters["p"]), _whole(parameters["d"])
    ctx = mpmath.mp.clone()
    ctx.dps = digits + 25
    length = _length(ctx, p)
    square = ctx.quad(lambda s: length(s) * (1 - s * s) ** (ctx.mpf(d - 3) / 2), [-1, 0, 1])
    square /= ctx.beta(ctx.mpf(1) / 2, ctx.mpf(d - 1) / 2)  # s^2 has a Beta law
    found = {"mean_square": square, "root_mean_square": ctx.sqrt(abs(square)), "information_exponent": ctx.mpf(p)}
    # d^(p-1) E s^(2p-2) tends to a Gaussian moment, beside the slope of |g|^2 in s^(2p-2) at 0
    tiny = ctx.mpf(10) ** (-digits - 10)
    with ctx.workdps(2 * p * (digits + 15)):
        slope = _length(ctx, p)(tiny) / tiny ** (2 * p - 2)
    found["limit"] = slope * _moment(ctx, 2 * p - 2)
    if p % 2 == 0:
        found["exponent"] = ctx.mpf(1 - p) / 2
    return _text(ctx, found, digits)


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


def packing(parameters: Mapping[str, Any], digits: int) -> dict[str, str]:
    """The values of ``damian2022.packing``: overlaps by counting the bits in which two vectors differ."""
    d, size = _whole(parameters["d"]), _whole(parameters["size"])
    given = {"d": d, "size": size, "construction": parameters.get("construction", "signs")}
    words = [int("".join("1" if x > 0 else "0" for x in row), 2) for row in constructed(given)]
    largest = max(abs(d - 2 * (one ^ words[j]).bit_count()) for i, one in enumerate(words) for j in range(i))
    ctx = _context(digits)
    found = {
        "overlap": ctx.mpf(largest) / d,
        "existence": ctx.findroot(lambda e: e * e * d / 2 - ctx.log(2) - ctx.log(size), ctx.mpf(1)),
        "union": ctx.findroot(lambda e: 2 * ctx.log(size) - e * e * d / 2, ctx.mpf(1)),
        "attained": ctx.findroot(lambda c: c * ctx.mpf(largest) ** 2 / d - ctx.log(2 * size), ctx.mpf(1)),
    }
    return _text(ctx, found, digits)
