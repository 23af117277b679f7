"""Is E sigma(z)^2 finite?  A calculus of proven bounds on the line, and of proven failure.

Every bound is a quadratic q(t) = a + b t + c t^2 in t = |x| with rational coefficients, valid for every real x. The
recursion carries, for a real function e: low <= e <= high and exp(log_low) <= |e| <= exp(log_high); each may be missing.
The answer is a bound |f(x)| <= exp(A + B|x| + C x^2), or a proof that the integral diverges, or neither.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache, reduce

import sympy as sp
from flint import acb, arb, fmpq

from pencils.balls import compile_balls, enclose
from pencils.errors import InputError, MomentError
from pencils.numbers import working_precision
from theory.activation import variable

Quadratic = tuple[Fraction, Fraction, Fraction]
_GRID = 2**24
_BITS = 128
_STURM_DEGREE = 20
_SAMPLES = [sp.Rational(p, 7) for p in (-50, -22, -9, -3, -1, 1, 3, 9, 22, 50)]


@dataclass(frozen=True)
class Growth:
    """|f(x)| <= exp(A + B|x| + C x^2) for every real x outside a null set."""

    A: Fraction
    B: Fraction
    C: Fraction

    def squared(self) -> Growth:
        return Growth(2 * self.A, 2 * self.B, 2 * self.C)


@lru_cache(maxsize=1024)
def growth_bound(expr: sp.Expr, what: str = "activation", power: int = 2) -> Growth:
    """A proven bound of ``expr`` that makes E |f(z)|^power finite, z ~ N(0, 1): power * C < 1/2.

    Raises InputError where f is not real on the line; MomentError where the moment is infinite, or where neither its
    finiteness nor its failure could be shown (the message says which).
    """
    from theory.divergence import divergence

    reason = "it grows too fast for the bounds known here"
    log_low = None
    try:
        found = bounds(expr)
        log_low = found.log_low
        if found.log_high is not None and power * found.log_high[2] < Fraction(1, 2):
            return Growth(*found.log_high)
    except UnknownError as unknown:
        reason = str(unknown)
    _refuse_unreal(expr, what)
    moment = "the second moment E sigma(z)^2" if power == 2 else "E |g(z)|"
    failure = divergence(expr, log_low, power)
    if failure is not None:
        raise MomentError(f"{what}: {moment} under N(0, 1) is infinite ({failure}); a finite one is needed")
    raise MomentError(f"{what}: neither finiteness nor failure of {moment} under N(0, 1) could be shown ({reason})")


class UnknownError(Exception):
    """The calculus has no rule; the text says for what."""


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
        return _q(*(max(abs(a), abs(b)) for a, b in zip(self.low, self.high, strict=True)))


def _q(a: Fraction | int = 0, b: Fraction | int = 0, c: Fraction | int = 0) -> Quadratic:
    return Fraction(a), Fraction(b), Fraction(c)


def _scaled(q: Quadratic, factor: Fraction | int) -> Quadratic:
    return _q(*(factor * a for a in q))


def _sum(quadratics: Iterable[Quadratic | None]) -> Quadratic | None:
    return _columns(sum, quadratics)


def _columns(pick: Callable[..., Fraction], quadratics: Iterable[Quadratic | None]) -> Quadratic | None:
    """``pick`` (sum, max or min) coefficient by coefficient; nothing when one is missing. Sound for t >= 0."""
    rows = list(quadratics)
    present = [row for row in rows if row is not None]
    if not present or len(present) < len(rows):
        return None
    a, b, c = (pick(column) for column in zip(*present, strict=True))
    return _q(a, b, c)


def _minimum(q: Quadratic | None) -> Fraction | None:
    """Minimum over t >= 0; None when there is none."""
    if q is None:
        return None
    a, b, c = q
    if c < 0 or (c == 0 and b < 0):
        return None
    return a if b >= 0 else a - b * b / (4 * c)


def _maximum(q: Quadratic | None) -> Fraction | None:
    least = None if q is None else _minimum(_scaled(q, -1))
    return None if least is None else -least


def _up(ball: arb) -> Fraction:
    """A rational on a grid above every point of the ball."""
    mantissa, exponent = ball.upper().man_exp()
    return Fraction(math.ceil(Fraction(int(mantissa)) * Fraction(2) ** int(exponent) * _GRID), _GRID)


def _log_up(value: Fraction) -> Fraction:
    with working_precision(_BITS):
        return _up(arb(fmpq(value.numerator, value.denominator)).log())


def _log_down(value: Fraction) -> Fraction:
    return -_log_up(1 / value)


def _exp_up(value: Fraction) -> Fraction | None:
    if value > 4096:
        return None
    with working_precision(_BITS):
        return _up(arb(fmpq(value.numerator, value.denominator)).exp())


def _log_sum(logs: list[Quadratic | None]) -> Quadratic | None:
    """log |e1 + ... + en| <= log n + max."""
    top = _columns(max, logs)
    return None if top is None else (top[0] + (_log_up(Fraction(len(logs))) if len(logs) > 1 else 0), *top[1:])


def _log_of_size(size: Quadratic | None) -> Quadratic | None:
    """log(a + b t + c t^2) for coefficients >= 0, by t <= exp(t/e) <= exp(3t/8)."""
    if size is None:
        return None
    return _log_sum([_q(_log_up(a), Fraction(3 * k, 8)) for k, a in enumerate(size) if a > 0]) or _q()


def _completed(b: Bounds) -> Bounds:
    """Fill what the other entries imply."""
    least, most = _minimum(b.low), _maximum(b.high)
    sign = b.sign or (1 if least is not None and least >= 0 else -1 if most is not None and most <= 0 else 0)
    log_low = b.log_low
    if log_low is None and least is not None and least > 0:
        log_low = _q(_log_down(least))
    if log_low is None and most is not None and most < 0:
        log_low = _q(_log_down(-most))
    log_high = b.log_high if b.log_high is not None else _log_of_size(b.size())
    peak = _maximum(log_high)
    bound = None if peak is None else _exp_up(peak)
    low, high = b.low, b.high
    if low is None and (sign == 1 or bound is not None):
        low = _q() if sign == 1 else _q(-(bound or 0))
    if high is None and (sign == -1 or bound is not None):
        high = _q() if sign == -1 else _q(bound or 0)
    return Bounds(low, high, log_low, log_high, sign)


def _negated(b: Bounds) -> Bounds:
    return replace(b, low=None if b.high is None else _scaled(b.high, -1),
                   high=None if b.low is None else _scaled(b.low, -1), sign=-b.sign)


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
    if isinstance(e, sp.Piecewise) and e.args[-1][1] == True:  # noqa: E712 - SymPy's true
        return _union([bounds(value) for value, _ in e.args])
    if isinstance(e, (sp.Max, sp.Min)):
        args = [bounds(arg) for arg in e.args]
        return _maximum_of(args) if isinstance(e, sp.Max) else _negated(_maximum_of([_negated(arg) for arg in args]))
    if len(e.args) == 1 or isinstance(e, sp.Heaviside):
        return _function(e, bounds(e.args[0]))
    raise UnknownError(f"no bound is known for {e.func}")


@lru_cache(maxsize=1024)
def _constant(e: sp.Basic) -> Bounds:
    if isinstance(e, sp.Rational):
        low = high = Fraction(int(e.p), int(e.q))
    else:
        with working_precision(_BITS):
            ball = acb(enclose(e, {}))
            if not ball.is_finite() or not ball.imag.contains(0):
                raise UnknownError(f"the constant {e} is not a real number")
            low, high = -_up(-ball.real), _up(ball.real)
    size = max(abs(low), abs(high))
    return _completed(Bounds(_q(low), _q(high), None, _q(_log_up(size)) if size else _q()))


def _polynomial(e: sp.Basic) -> Bounds:
    coefficients = {degree[0]: _constant(c) for degree, c in sp.Poly(e, variable()).terms()}
    logs = [_q(b.log_high[0], Fraction(3 * k, 8)) for k, b in coefficients.items() if b.log_high is not None]
    found = Bounds(log_high=_log_sum(list(logs)))
    degree = max(coefficients)
    if degree <= 2:
        zero = Bounds(_q(), _q())
        sizes = [coefficients.get(k, zero) for k in range(3)]
        slope = sizes[1].size() or _q()
        lows, highs = [b.low or _q() for b in sizes], [b.high or _q() for b in sizes]
        return replace(found, low=_q(lows[0][0], -slope[0], lows[2][0]), high=_q(highs[0][0], slope[0], highs[2][0]))
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
    return replace(found, low=_q(bound)) if poly.LC() > 0 else replace(found, high=_q(-bound))


def _below(poly: sp.Poly) -> Fraction | None:
    """A constant below an even polynomial with rational coefficients, by counting real roots (Sturm)."""
    positive = poly.count_roots() == 0
    tries = (Fraction(1, 2**j) for j in range(60)) if positive else (-Fraction(2) ** j for j in range(-10, 200))
    for bound in tries:
        if (poly - sp.Rational(bound.numerator, bound.denominator)).count_roots() == 0:
            return bound
    return Fraction(0) if positive else None


def _add(terms: list[Bounds]) -> Bounds:
    low, high = _sum(term.low for term in terms), _sum(term.high for term in terms)
    log_low, sign = None, _common_sign(terms)
    if sign and (_minimum(low) or 0) <= 0:
        # Terms of one sign: the sum is at least as large as any of them.
        log_low = next((term.log_low for term in terms if term.log_low is not None), None)
    return Bounds(low, high, log_low, _log_sum([term.log_high for term in terms]), sign)


def _common_sign(terms: list[Bounds]) -> int:
    return terms[0].sign if len({term.sign for term in terms}) == 1 else 0


def _product(left: Bounds, right: Bounds) -> Bounds:
    sign = left.sign * right.sign
    low = high = None
    for one, other in ((left, right), (right, left)):
        # A bounded factor of one sign keeps the shape of the other's bounds: linear in it, extreme at its ends.
        if one.sign and one.low is not None and one.high is not None and one.low[1:] == one.high[1:] == (0, 0):
            under, over = (other.low, other.high) if one.sign == 1 else (other.high, other.low)
            ends = max(one.low[0], 0) if one.sign == 1 else one.low[0], min(one.high[0], 0) if one.sign == -1 else one.high[0]
            low = None if under is None else _columns(min, [_scaled(under, end) for end in ends])
            high = None if over is None else _columns(max, [_scaled(over, end) for end in ends])
            break
    if low is None and high is None:
        size = _times(left.size(), right.size())
        if size is not None:
            low, high = (_scaled(size, -1) if sign != 1 else None), (size if sign != -1 else None)
    return Bounds(low, high, _sum([left.log_low, right.log_low]), _sum([left.log_high, right.log_high]), sign)


def _times(p: Quadratic | None, q: Quadratic | None) -> Quadratic | None:
    if p is None or q is None:
        return None
    product = [sum((p[i] * q[k - i] for i in range(3) if 0 <= k - i < 3), Fraction(0)) for k in range(5)]
    return None if product[3] or product[4] else _q(*product[:3])


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
        log_low = None if base.log_high is None else _scaled(base.log_high, exponent)
        return Bounds(log_low=log_low, log_high=_scaled(base.log_low, exponent), sign=sign)
    log_low, log_high = (None if q is None else _scaled(q, exponent) for q in (base.log_low, base.log_high))
    size = base.size()
    if size is not None and exponent == Fraction(1, 2):
        # sqrt(a + bt + ct^2) <= sqrt(a) + sqrt(b)(1 + t)/2 + sqrt(c) t
        a, b, c = (_sqrt_up(coefficient) for coefficient in size)
        size = _q(a + b / 2, b / 2 + c)
    elif size is not None and exponent < 1:
        size = _q(1 + size[0], *size[1:])
    elif size is not None and exponent.denominator == 1 and (exponent == 2 or size[1:] == (0, 0)):
        size = reduce(lambda p, q: _times(p, q) if p is not None else None, [size] * exponent.numerator)  # type: ignore
    else:
        size = None
    low = None if size is None or sign == 1 else _scaled(size, -1)
    return Bounds(low, None if sign == -1 else size, log_low, log_high, sign)


def _sqrt_up(value: Fraction) -> Fraction:
    with working_precision(_BITS):
        return _up(arb(fmpq(value.numerator, value.denominator)).sqrt()) if value else Fraction(0)


def _union(branches: list[Bounds]) -> Bounds:
    return Bounds(_columns(min, [b.low for b in branches]), _columns(max, [b.high for b in branches]),
                   _columns(min, [b.log_low for b in branches]), _columns(max, [b.log_high for b in branches]),
                   _common_sign(branches))


def _maximum_of(args: list[Bounds]) -> Bounds:
    lows = [arg.low for arg in args if arg.low is not None]
    # The maximum is above each argument; the most useful lower bound is the one with the largest minimum.
    bounded = [low for low in lows if _minimum(low) is not None]
    low = max(bounded, key=lambda q: _minimum(q) or 0) if bounded else lows[0] if lows else None
    sign = 1 if any(arg.sign == 1 for arg in args) else -1 if all(arg.sign == -1 for arg in args) else 0
    return Bounds(low, _columns(max, [arg.high for arg in args]), None,
                   _columns(max, [arg.log_high for arg in args]), sign)


def _function(e: sp.Basic, g: Bounds) -> Bounds:
    head, one = e.func, _q(1)
    if head is sp.log:
        return _logarithm(g, e)
    if head in (sp.sin, sp.cos):
        return Bounds(_q(-1), one)
    if head in (sp.tanh, sp.erf, sp.sign):
        return Bounds(_q(-1), one, sign=g.sign)
    if head is sp.atan:
        return Bounds(_q(-Fraction(11, 7)), _q(Fraction(11, 7)), sign=g.sign)  # 11/7 > pi/2
    if head is sp.erfc:
        return Bounds(_q(), _q(2), sign=1)
    if head is sp.Heaviside:
        return Bounds(_q(), one, sign=1)
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
    return _q(-max(abs(offset.low[0]), abs(offset.high[0])), min(abs(slope.low[0]), abs(slope.high[0])))


def _refuse_unreal(expr: sp.Expr, what: str) -> None:
    """InputError with a witness when f has a proven imaginary part at a sample point."""
    f = compile_balls(expr, [variable()])
    with working_precision(_BITS):
        for point in _SAMPLES:
            ball = f(acb(fmpq(int(point.p), int(point.q))))
            if isinstance(ball, acb) and ball.is_finite() and not ball.imag.contains(0):
                raise InputError(f"{what}: not real on the line; its value at x = {point} is not a real number")
