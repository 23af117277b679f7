"""A calculus of proven bounds on the line, by recursion over an expression.

For a real function e of x it carries low <= e <= high and exp(log_low) <= |e| <= exp(log_high), each a quadratic in
t = |x| that holds for every real x outside a null set; each may be missing.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache, reduce

import sympy as sp
from flint import acb

from pencils.exact.balls import enclose
from pencils.exact.numbers import working_precision
from theory.functions.language import variable
from theory.functions.quadratics import (
    BITS,
    Quadratic,
    UnknownError,
    added,
    columns,
    exp_above,
    is_flat,
    log_below,
    log_of_size,
    log_of_sum,
    maximum,
    minimum,
    quadratic,
    scaled,
    sqrt_above,
    times,
    upper,
)

_STURM_DEGREE = 20


@dataclass(frozen=True)
class Bounds:
    """low <= e <= high, exp(log_low) <= |e| <= exp(log_high), each a quadratic in t = |x| or missing."""

    low: Quadratic | None = None
    high: Quadratic | None = None
    log_low: Quadratic | None = None
    log_high: Quadratic | None = None
    sign: int = 0  # 1: e >= 0, -1: e <= 0, 0: not known

    def size(self) -> Quadratic | None:
        """|e| <= size(t), coefficients >= 0."""
        if self.low is None or self.high is None:
            return None
        return quadratic(*(max(abs(a), abs(b)) for a, b in zip(self.low, self.high, strict=True)))


def _completed(b: Bounds) -> Bounds:
    """Fill what the other entries imply."""
    least, most = minimum(b.low), maximum(b.high)
    sign = b.sign or (1 if least is not None and least >= 0 else -1 if most is not None and most <= 0 else 0)
    log_low = b.log_low
    if log_low is None and least is not None and least > 0:
        log_low = quadratic(log_below(least))
    if log_low is None and most is not None and most < 0:
        log_low = quadratic(log_below(-most))
    log_high = b.log_high if b.log_high is not None else log_of_size(b.size())
    peak = maximum(log_high)
    bound = None if peak is None else exp_above(peak)
    low, high = b.low, b.high
    if low is None and (sign == 1 or bound is not None):
        low = quadratic() if sign == 1 else quadratic(-(bound or 0))
    if high is None and (sign == -1 or bound is not None):
        high = quadratic() if sign == -1 else quadratic(bound or 0)
    return Bounds(low, high, log_low, log_high, sign)


def _negated(b: Bounds) -> Bounds:
    return replace(
        b,
        low=None if b.high is None else scaled(b.high, -1),
        high=None if b.low is None else scaled(b.low, -1),
        sign=-b.sign,
    )


@lru_cache(maxsize=4096)
def bounds(e: sp.Basic) -> Bounds:
    """The proven bounds of ``e``; raises UnknownError where there is no rule or realness could not be shown."""
    return _completed(_rule(e))


def _rule(e: sp.Basic) -> Bounds:
    x = variable()
    if not e.has(x):
        return _constant(e)
    if e.is_polynomial(x):
        return _polynomial(e)
    if isinstance(e, sp.Add):
        return _add([bounds(arg) for arg in e.args])
    if isinstance(e, sp.Mul):
        return reduce(lambda a, b: _completed(_product(a, b)), [bounds(arg) for arg in e.args])
    if isinstance(e, sp.exp):
        return _exponential(bounds(e.exp))
    if isinstance(e, sp.Pow):
        return _power(e)
    if isinstance(e, sp.Piecewise):
        if e.args[-1][1] != True:  # noqa: E712 - SymPy's true
            raise UnknownError("a Piecewise must end with a pair (value, True)")
        return _union([bounds(value) for value, _ in e.args])
    if isinstance(e, (sp.Max, sp.Min)):
        args = [bounds(arg) for arg in e.args]
        return _maximum_of(args) if isinstance(e, sp.Max) else _negated(_maximum_of([_negated(arg) for arg in args]))
    if len(e.args) == 1 or isinstance(e, sp.Heaviside):
        return _function(e, bounds(e.args[0]))
    raise UnknownError(f"no bound is known for {e.func}")


@lru_cache(maxsize=1024)
def _constant(e: sp.Basic) -> Bounds:
    with working_precision(BITS):
        ball = acb(enclose(e, {}))
        if not ball.is_finite() or not ball.imag.contains(0):
            raise UnknownError(f"the constant {e} is not a real number")
        value = ball.real
        if isinstance(e, sp.Rational):
            low = high = Fraction(int(e.p), int(e.q))
        else:
            low, high = -upper(-value), upper(value)
        if value.contains(0):
            return _completed(Bounds(quadratic(low), quadratic(high)))
        # The logarithm of the ball itself: a tiny constant would be lost on the grid.
        log = abs(value).log()
        return Bounds(quadratic(low), quadratic(high), quadratic(-upper(-log)), quadratic(upper(log)), 1 if value > 0 else -1)


def _polynomial(e: sp.Basic) -> Bounds:
    coefficients = {degree[0]: _constant(c) for degree, c in sp.Poly(e, variable()).terms()}
    logs = [quadratic(b.log_high[0], Fraction(3 * k, 8)) for k, b in coefficients.items() if b.log_high is not None]
    found = Bounds(log_high=log_of_sum(list(logs)))
    degree = max(coefficients)
    if degree <= 2:
        zero = Bounds(quadratic(), quadratic())
        sizes = [coefficients.get(k, zero) for k in range(3)]
        slope = sizes[1].size() or quadratic()
        lows, highs = [b.low or quadratic() for b in sizes], [b.high or quadratic() for b in sizes]
        return replace(found, low=quadratic(lows[0][0], -slope[0], lows[2][0]), high=quadratic(highs[0][0], slope[0], highs[2][0]))
    poly = sp.Poly(e, variable())
    if degree > _STURM_DEGREE or not all(c.is_Rational for c in poly.coeffs()):
        terms = poly.as_expr().as_ordered_terms()
        if len(terms) > 1:
            return replace(_add([bounds(term) for term in terms]), log_high=found.log_high)
        return replace(found, sign=coefficients[degree].sign if degree % 2 == 0 else 0)
    if degree % 2:
        return found
    bound = _below(poly if poly.LC() > 0 else -poly)
    if bound is None:
        return found
    return replace(found, low=quadratic(bound)) if poly.LC() > 0 else replace(found, high=quadratic(-bound))


def _below(poly: sp.Poly) -> Fraction | None:
    """A constant below an even polynomial with rational coefficients, by counting real roots (Sturm)."""
    positive = poly.count_roots() == 0
    tries = (Fraction(1, 2**j) for j in range(60)) if positive else (-(Fraction(2) ** j) for j in range(-10, 200))
    for bound in tries:
        if (poly - sp.Rational(bound.numerator, bound.denominator)).count_roots() == 0:
            return bound
    return Fraction(0) if positive else None


def _add(terms: list[Bounds]) -> Bounds:
    low, high = added(term.low for term in terms), added(term.high for term in terms)
    log_low, sign = None, _common_sign(terms)
    if sign and (minimum(low) or 0) <= 0:
        # Terms of one sign: the sum is at least as large as any of them.
        log_low = next((term.log_low for term in terms if term.log_low is not None), None)
    return Bounds(low, high, log_low, log_of_sum([term.log_high for term in terms]), sign)


def _common_sign(terms: list[Bounds]) -> int:
    return terms[0].sign if len({term.sign for term in terms}) == 1 else 0


def _product(left: Bounds, right: Bounds) -> Bounds:
    sign = left.sign * right.sign
    low = high = None
    for one, other in ((left, right), (right, left)):
        # A bounded factor of one sign keeps the shape of the other's bounds: linear in it, extreme at its ends.
        if one.sign and one.low is not None and one.high is not None and is_flat(one.low) and is_flat(one.high):
            under, over = (other.low, other.high) if one.sign == 1 else (other.high, other.low)
            ends = [one.low[0], one.high[0]]
            if ends[0] < 0 < ends[1]:
                ends[0 if one.sign == 1 else 1] = Fraction(0)
            low = None if under is None else columns(min, [scaled(under, end) for end in ends])
            high = None if over is None else columns(max, [scaled(over, end) for end in ends])
            break
    if low is None and high is None:
        size = times(left.size(), right.size())
        if size is not None:
            low, high = (scaled(size, -1) if sign != 1 else None), (size if sign != -1 else None)
    return Bounds(low, high, added([left.log_low, right.log_low]), added([left.log_high, right.log_high]), sign)


def _exponential(g: Bounds) -> Bounds:
    return Bounds(log_low=g.low, log_high=g.high, sign=1)


def _logarithm(g: Bounds, e: sp.Basic) -> Bounds:
    if g.sign != 1 or g.log_low is None:
        raise UnknownError(f"the argument of {e} could not be shown to be positive")
    return Bounds(low=g.log_low, high=g.log_high)


def _power(e: sp.Pow) -> Bounds:
    base = bounds(e.base)
    if not e.exp.is_Rational:
        product = _product(bounds(e.exp), _completed(_logarithm(base, e)))
        return _exponential(_completed(product))
    exponent = Fraction(int(e.exp.p), int(e.exp.q))
    if exponent.denominator > 1 and base.sign != 1:
        raise UnknownError(f"the base of {e} could not be shown to be >= 0")
    sign = 1 if exponent.denominator > 1 or exponent.numerator % 2 == 0 else base.sign
    if exponent < 0:
        if base.log_low is None:
            raise UnknownError(f"the denominator in {e} could not be shown to stay away from 0")
        log_low = None if base.log_high is None else scaled(base.log_high, exponent)
        return Bounds(log_low=log_low, log_high=scaled(base.log_low, exponent), sign=sign)
    log_low, log_high = (None if q is None else scaled(q, exponent) for q in (base.log_low, base.log_high))
    size = base.size()
    if size is not None and exponent == Fraction(1, 2):
        # sqrt(a + bt + ct^2) <= sqrt(a) + sqrt(b)(1 + t)/2 + sqrt(c) t
        a, b, c = (sqrt_above(coefficient) for coefficient in size)
        size = quadratic(a + b / 2, b / 2 + c)
    elif size is not None and exponent < 1:
        size = quadratic(1 + size[0], *size[1:])
    elif size is not None and exponent.denominator == 1 and (exponent == 2 or is_flat(size)):
        factor = size
        for _ in range(exponent.numerator - 1):
            size = times(size, factor)
    else:
        size = None
    low = None if size is None or sign == 1 else scaled(size, -1)
    return Bounds(low, None if sign == -1 else size, log_low, log_high, sign)


def _union(branches: list[Bounds]) -> Bounds:
    return Bounds(
        columns(min, [b.low for b in branches]),
        columns(max, [b.high for b in branches]),
        columns(min, [b.log_low for b in branches]),
        columns(max, [b.log_high for b in branches]),
        _common_sign(branches),
    )


def _maximum_of(args: list[Bounds]) -> Bounds:
    lows = [arg.low for arg in args if arg.low is not None]
    # The maximum is above each argument; the most useful lower bound is the one with the largest minimum.
    bounded = [low for low in lows if minimum(low) is not None]
    low = max(bounded, key=lambda q: minimum(q) or 0) if bounded else lows[0] if lows else None
    sign = 1 if any(arg.sign == 1 for arg in args) else -1 if all(arg.sign == -1 for arg in args) else 0
    return Bounds(low, columns(max, [arg.high for arg in args]), None, columns(max, [arg.log_high for arg in args]), sign)


def _function(e: sp.Basic, g: Bounds) -> Bounds:
    head, one = e.func, quadratic(1)
    if head is sp.log:
        return _logarithm(g, e)
    if head in (sp.sin, sp.cos):
        return Bounds(quadratic(-1), one)
    if head in (sp.tanh, sp.erf, sp.sign):
        return Bounds(quadratic(-1), one, sign=g.sign)
    if head is sp.atan:
        return Bounds(quadratic(-Fraction(11, 7)), quadratic(Fraction(11, 7)), sign=g.sign)  # 11/7 > pi/2
    if head is sp.erfc:
        return Bounds(quadratic(), quadratic(2), sign=1)
    if head is sp.Heaviside:
        return Bounds(quadratic(), one, sign=1)
    if head is sp.Abs:
        return Bounds(_below_linear(e.args[0]), g.size(), g.log_low, g.log_high, sign=1)
    if head in (sp.sinh, sp.cosh):
        size = g.size()
        return Bounds(one if head is sp.cosh else None, None, None, size, 1 if head is sp.cosh else g.sign)
    raise UnknownError(f"no bound is known for {head}")


def _below_linear(e: sp.Basic) -> Quadratic | None:
    """|a x + b| >= |a| t - |b|."""
    x = variable()
    if not e.is_polynomial(x) or sp.degree(e, x) != 1:
        return None
    slope, offset = _constant(e.coeff(x, 1)), _constant(e.coeff(x, 0))
    if slope.low is None or slope.high is None or offset.low is None or offset.high is None or not slope.sign:
        return None
    return quadratic(-max(abs(offset.low[0]), abs(offset.high[0])), min(abs(slope.low[0]), abs(slope.high[0])))
