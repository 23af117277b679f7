"""Gaussian means in mpmath, for second routes alone.

The wall: nothing here is shared with the ball quadratures beside it (``half_line``, ``line``, ``gauss``), neither rules nor nodes
nor bounds of tails, so that two routes that agree do not agree by a common mistake. A first route must not import this file.

Numbers are mpf of private contexts. One of another context enters by ``number``, rounded, or by ``ctx.convert``, with its whole
mantissa; what is computed with it has the digits of the context that computes.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from math import ceil, log2
from typing import Any

from mpmath import MPContext
from mpmath.calculus.quadrature import GaussLegendre

from pencils.errors import InputError, PrecisionError
from pencils.exact.numbers import exact

Function = Callable[[Any, Any], Any]  # (context, mpf) -> mpf
Pair = tuple[Any, Any]


@lru_cache(maxsize=16)
def context(digits: int) -> Any:
    """A private mpmath context, whose precision nobody changes afterwards (so that nodes can be kept with it)."""
    ctx = MPContext()
    ctx.dps = digits
    return ctx


def number(ctx: Any, value: Any, name: str = "number") -> Any:
    """An mpf of ``ctx``, rounded to its precision, from an mpf of any context or an exact number (text, Fraction, SymPy).

    Raises InputError for what is not a finite number.
    """
    # A SymPy Float has the attribute of an mpf too, and means the decimal it prints.
    if hasattr(value, "_mpf_") and not hasattr(value, "is_Float"):
        found = ctx.mpf(value)
        if not ctx.isfinite(found):
            raise InputError(f"{name} = {value}: not a finite number")
        return found
    fraction = exact(value, name)
    return ctx.mpf(fraction.numerator) / fraction.denominator


def midpoint(ctx: Any, ball: Any) -> Any:
    """The midpoint of a real ball as an mpf of ``ctx``."""
    mantissa, exponent = ball.mid().man_exp()
    return ctx.ldexp(ctx.mpf(int(mantissa)), int(exponent))


def rounded(ctx: Any, value: Any, digits: int) -> Fraction:
    """The decimal of ``digits`` significant digits next to an mpf: what is exactly 1 but for rounding becomes 1."""
    if not value:
        return Fraction(0)
    places = digits - 1 - int(ctx.floor(ctx.log10(abs(value))))
    return Fraction(int(ctx.nint(value * ctx.mpf(10) ** places))) * Fraction(10) ** -places


def gaussian_means(ctx: Any, integrand: Callable[[Any], list[Any]], kinks: set[Any], digits: int) -> list[Any]:
    """E integrand(z), z ~ N(0, 1), componentwise: Gauss-Legendre on panels of length at most 1 that end at the kinks.

    Two rules with as many nodes must agree to digits + 6: one on the panels, one of half the degree on half panels.
    Between kinks the integrand is taken to be analytic; then the error is of order r^{-2n} for n nodes on a panel and
    about (2 r)^{-n} on its halves, so that the difference is the error of the second, and the first, which is
    returned, is far better. The outermost panels must not count to digits + 12.
    """
    negligible, agreed = ctx.mpf(10) ** -(digits + 12), ctx.mpf(10) ** -(digits + 6)
    # exp(-z^2/2) falls below 10^-(digits + 12) two panels before the last, for what the integrand itself may grow.
    reach = int((2 * 2.3026 * (digits + 12)) ** 0.5) + 3
    farthest, degree = 8 * reach, 5
    highest = 6 + max(0, ceil(log2(digits / 25)))  # nodes in proportion to digits, 96 at 25
    while degree <= highest:
        cuts = sorted({ctx.mpf(k) for k in range(-reach, reach + 1)} | {point for point in kinks if abs(point) < reach})
        panels = [_panel(integrand, normal_nodes(ctx, left, right, degree)) for left, right in pairwise(cuts)]
        totals = [sum(column, ctx.zero) for column in zip(*panels, strict=True)]
        sizes = [max(1, abs(total)) for total in totals]
        tails = [max(abs(left), abs(right)) for left, right in zip(panels[0], panels[-1], strict=True)]
        if any(tail > negligible * size for tail, size in zip(tails, sizes, strict=True)):
            reach *= 2
            if reach > farthest:
                raise PrecisionError(f"an expectation under N(0, 1): the integrand is not negligible at {farthest}")
            continue
        halves = sorted(cuts + [(left + right) / 2 for left, right in pairwise(cuts)])
        others = [_panel(integrand, normal_nodes(ctx, left, right, degree - 1)) for left, right in pairwise(halves)]
        checks = [sum(column, ctx.zero) for column in zip(*others, strict=True)]
        if all(abs(total - check) <= agreed * size for total, check, size in zip(totals, checks, sizes, strict=True)):
            return [total if abs(total) > negligible else ctx.zero for total in totals]
        degree += 1
    raise PrecisionError(
        f"an expectation under N(0, 1): {digits} digits were not reached with "
        f"{3 * 2 ** (highest - 1)} nodes a panel; a kink or jump may be missing from the breakpoints"
    )


def _panel(integrand: Callable[[Any], list[Any]], nodes: list[Pair]) -> list[Any]:
    totals: list[Any] | None = None
    for z, weight in nodes:
        terms = [weight * value for value in integrand(z)]
        totals = [total + term for total, term in zip(totals, terms, strict=True)] if totals else terms
    return totals or []


@lru_cache(maxsize=512)
def normal_nodes(ctx: Any, left: Any, right: Any, degree: int) -> list[Pair]:
    """Gauss-Legendre nodes z on (left, right), 3 2^(degree - 1) of them, and their weights times the density of N(0, 1)."""
    half, middle, scale = (right - left) / 2, (right + left) / 2, 1 / ctx.sqrt(2 * ctx.pi)
    nodes = [(middle + half * node, half * weight) for node, weight in _legendre(ctx, degree)]
    return [(z, weight * scale * ctx.exp(-z * z / 2)) for z, weight in nodes]


@lru_cache(maxsize=64)
def _legendre(ctx: Any, degree: int) -> list[Pair]:
    return list(GaussLegendre(ctx).calc_nodes(degree, ctx.prec))
