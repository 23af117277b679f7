"""Rigorous quadrature of Gaussian expectations in ball arithmetic.

E g(z) He_k(z) = (2 pi)^(-1/2) int g(x) He_k(x) exp(-x^2/2) dx is an integral over [0, T] of the part of g with the parity
of k, by adaptive Gauss-Legendre with proven error (``acb.integral``), plus a tail bounded by the growth of g.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import Any

import sympy as sp
from flint import acb, arb, fmpq, fmpz_poly

from pencils.errors import PrecisionError
from pencils.exact.balls import compile_balls, enclose
from pencils.exact.numbers import working_precision
from theory.functions.growth import Growth, growth_bound
from theory.functions.hermite_polynomials import hermite_polynomial
from theory.functions.language import variable
from theory.functions.normal_form import even_odd, pieces

MAX_TRUNCATION = 100_000
# Smooth integrands take 4 to 50 evaluations a bit, kinks met by bisection about 400.
SMOOTH_EVALUATIONS, KINK_EVALUATIONS = 100, 400
_Piece = tuple[sp.Expr, sp.Expr | None, Callable[..., Any]]


def expectation_ball(g: sp.Expr, bits: int) -> arb:
    """Enclosure of E g(z), z ~ N(0, 1), with an error near 2^-bits (absolute).

    ``g`` is an expression in ``theory.functions.language.variable()``. Raises InputError where g is not real on the line and
    MomentError where E |g(z)| is infinite or could not be shown to be finite.
    """
    return half_line_ball(even_odd(g)[0], growth_bound(g, "integrand", 1), bits)


@lru_cache(maxsize=4096)
def half_line_ball(part: sp.Expr, growth: Growth, bits: int, order: int = 0) -> arb:
    """Enclosure of E part(z) He_order(z), where part has the parity of ``order`` and |part| the bound ``growth``."""
    if part == 0:
        return arb(0)
    hermite = hermite_polynomial(order)
    # He_k in powers of x cancels by at most about k bits where the Gaussian weight matters.
    with working_precision(bits + 20 + order):
        # The natural size of the result: sqrt(k!), times the bound of f where that is small.
        small = min(growth.A, Fraction(0))
        size = arb(order).fac().sqrt() * arb(fmpq(small.numerator, small.denominator)).exp()
        tolerance = arb(2) ** -bits * size
        cut, tail = _truncation(growth, order, tolerance)
        total = arb(0)
        kinks = part.has(sp.Abs, sp.Max, sp.Min, sp.sign, sp.Heaviside, sp.Piecewise)
        limit = 5000 + bits * (KINK_EVALUATIONS if kinks else SMOOTH_EVALUATIONS)
        end = arb(fmpq(cut.numerator, cut.denominator))
        for low, high, f in _integrands(part):
            upper = end if high is None else enclose(high, {})
            total += _segment(f, hermite, enclose(low, {}), end if upper > end else upper, end, tolerance, limit)
        total += arb(0, tail.abs_upper())
        if total.rad() > size * arb(2) ** (-bits // 4):
            # More bits would take longer and get no farther.
            reached = max(0, int(-float((total.rad() / size).log() / 2.302585))) if total.is_finite() else 0
            raise PrecisionError(
                f"certified quadrature of {str(part)[:60]} against the Gaussian weight got no farther than {reached} digits: "
                "it oscillates too fast, or has kinks where they cannot be located"
            )
        return 2 * total / (2 * arb.pi()).sqrt()


@lru_cache(maxsize=256)
def _integrands(part: sp.Expr) -> tuple[_Piece, ...]:
    """Compiled smooth branches on [0, oo); one branch, kinks left to the analytic flag, where no exact split is known.
    The upper end None stands for infinity."""
    split = pieces(part, sp.S.Zero, sp.oo)
    if split is None:
        split = [(sp.S.Zero, sp.oo, part)]
    return tuple(
        (low, None if high is sp.oo else high, compile_balls(expr, [variable()])) for low, high, expr in split if expr != 0
    )


def _segment(f: Callable[..., Any], hermite: fmpz_poly, low: arb, high: arb, end: arb, tolerance: arb, limit: int) -> arb:
    """int f He exp(-x^2/2) over [low, high], nothing of it beyond ``end``, for ends known as balls."""
    if low > end:
        return arb(0)

    def integrand(x: acb, analytic: bool) -> acb:
        return acb(f(x, analytic=analytic)) * hermite(x) * (-x * x / 2).exp()

    # The integral runs between midpoints; what that leaves out at an inexact end is at most radius * |integrand|.
    # At such an end f is still the branch of this segment, so no kink is met.
    total = acb.integral(
        integrand,
        low.mid(),
        high.mid(),
        rel_tol=arb(0),
        abs_tol=tolerance,
        eval_limit=limit,
    ).real
    for ball in (low, high):
        if not ball.is_exact():
            total += arb(0, (integrand(acb(ball), False) * ball.rad()).abs_upper())
    return total


def _truncation(growth: Growth, order: int, tolerance: arb) -> tuple[Fraction, arb]:
    """(T, bound of the integral of |f He_k| exp(-x^2/2) over x > T), the bound below ``tolerance``.

    With h(x) = |He_k(ix)|, whose coefficients are those of He_k without signs: |He_k(x)| <= h(T) (x/T)^k <=
    h(T) exp(k (x - T)/T) for x >= T, and the exponent A + Bx + Cx^2 - x^2/2 + k(x - T)/T is below its tangent at T.
    """
    h = fmpz_poly([abs(int(c)) for c in hermite_polynomial(order)])
    a, b, c = (arb(fmpq(q.numerator, q.denominator)) for q in (growth.A, growth.B, growth.C))
    cut = Fraction(4)
    while cut < MAX_TRUNCATION:
        t = arb(fmpq(cut.numerator, cut.denominator))
        slope = (1 - 2 * c) * t - b - order / t
        if slope > 0:
            tail = h(t) * (a + b * t + (c - arb(0.5)) * t**2).exp() / slope
            if tail < tolerance:
                return cut, tail
        cut = Fraction(int(8 * cut * Fraction(9, 8)) + 1, 8)
    raise PrecisionError(f"the Gaussian tail beyond {MAX_TRUNCATION} could not be made small; the function grows too fast")
