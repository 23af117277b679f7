"""Second route to the monomials of Lemma 17: mpmath quadrature in b, piece by piece, of the weight as the lemma builds it.

Shares nothing with ``theory.hessian.monomials``: v_k comes from f'', f', f and v_0, v_1; moments from quadrature split at the
kink b = -a x; suprema from the zeros of v_k' in closed form and from grids.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import mpmath

from pencils.exact.numbers import Number

GRID = 10  # points at which the largest variance is looked for


def weight(k: int, a: int, b: Any) -> Any:
    """v_k(a, b) as the lemma writes it, with f = x^k."""
    zeroth, first = 6 * b, 2 * a
    second_derivative = k * (k - 1) * b ** (k - 2) if k >= 2 else 0
    return 2 * (1 - a) * second_derivative - (k - 1) * zeroth + k * first


def expectation(ctx: Any, function: Callable[[int, Any], Any], density: Callable[[Any], Any], kinks: list[Any]) -> Any:
    """E of function(a, b) over the fair sign a and b in [-1, 1] of that density, split at -a times each kink."""
    levels = max(5, ctx.dps.bit_length() - 1)  # 3 2^levels/2 nodes: entire integrands, which rounding stops from settling
    total = ctx.zero
    for a in (1, -1):
        cuts = sorted({ctx.mpf(-1), ctx.mpf(1), *(-a * kink for kink in kinks)})
        total += ctx.quad(lambda b, a=a: density(b) * function(a, b), cuts, method="gauss-legendre", maxdegree=levels) / 2
    return total


def values(parameters: Mapping[str, str], digits: int) -> dict[str, Number]:
    """The numbers of ``damian2022.lemma-17``."""
    ctx = mpmath.mp.clone()
    ctx.dps = digits + 15
    k = int(parameters["k"])

    def uniform(b: Any) -> Any:
        return ctx.mpf(1) / 2

    def gaussian_weight(a: int, b: Any) -> Any:
        return weight(k, a, b) / (2 * ctx.npdf(b))

    def averaged(power: int, x: Any, v: Callable[[int, Any], Any], density: Callable[[Any], Any]) -> Any:
        return expectation(ctx, lambda a, b: (v(a, b) * max(a * x + b, ctx.zero)) ** power, density, [x])

    def plain(a: int, b: Any) -> Any:
        return weight(k, a, b)

    def variance(x: Any) -> Any:
        return averaged(2, x, plain, uniform) - averaged(1, x, plain, uniform) ** 2

    found = {
        "sup": max(abs(plain(a, b)) for a in (1, -1) for b in _stationary(ctx, k)),
        "gaussian_sup": max(abs(gaussian_weight(a, ctx.mpf(i) / 100)) for a in (1, -1) for i in range(-100, 101)),
        "second_moment": expectation(ctx, lambda a, b: plain(a, b) ** 2, uniform, []),
        "gaussian_second_moment": expectation(ctx, lambda a, b: gaussian_weight(a, b) ** 2, ctx.npdf, []),
        "variance_sup": max(variance(ctx.mpf(i) / GRID) for i in range(-GRID, GRID + 1)),
    }
    # even and odd x tie at the ends where v_k(-a, b) = +- v_k(a, b); rounding must not break the tie
    ends = [end for end in (1, -1) if abs(variance(ctx.mpf(end)) / found["variance_sup"] - 1) < ctx.mpf(10) ** (-digits)]
    if ends:  # a maximum inside is not located by a grid, and then no route vouches for it
        found["variance_sup_at"] = ctx.mpf(ends[0])
    if "x" in parameters:
        exact = Fraction(parameters["x"])
        x = ctx.mpf(exact.numerator) / exact.denominator
        found |= {
            "mean_at": averaged(1, x, plain, uniform),
            "variance_at": variance(x),
            "raw_at": averaged(2, x, plain, uniform),
            "gaussian_variance_at": averaged(2, x, gaussian_weight, ctx.npdf) - averaged(1, x, gaussian_weight, ctx.npdf) ** 2,
        }
    return found


def _stationary(ctx: Any, k: int) -> list[Any]:
    """The ends of [-1, 1] and, inside, the zeros of v_k'(-1, b) = 4 k (k-1) (k-2) b^(k-3) - 6 (k-1)."""
    points = [ctx.mpf(1), ctx.mpf(-1)]
    if k >= 4:
        root = ctx.root(ctx.mpf(3) / (2 * k * (k - 2)), k - 3)
        points += [root, -root]
    return points
