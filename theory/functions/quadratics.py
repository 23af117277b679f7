"""Quadratics a + b t + c t^2 in t >= 0 with rational coefficients: the form of every bound on growth.

Transcendental constants enter rounded to the safe side on a grid, so that coefficients stay short.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from fractions import Fraction

from flint import arb, fmpq

from pencils.exact.numbers import working_precision

Quadratic = tuple[Fraction, Fraction, Fraction]
BITS = 128
_GRID = 2**24
_MAX_BITS = 20_000


class UnknownError(Exception):
    """The calculus of bounds has no rule; the text says for what."""


def quadratic(a: Fraction | int = 0, b: Fraction | int = 0, c: Fraction | int = 0) -> Quadratic:
    """a + b t + c t^2."""
    return Fraction(a), Fraction(b), Fraction(c)


def scaled(q: Quadratic, factor: Fraction | int) -> Quadratic:
    """factor * q."""
    return quadratic(*(factor * a for a in q))


def added(quadratics: Iterable[Quadratic | None]) -> Quadratic | None:
    """The sum; nothing when a term is missing."""
    return columns(sum, quadratics)


def columns(pick: Callable[..., Fraction], quadratics: Iterable[Quadratic | None]) -> Quadratic | None:
    """``pick`` (sum, max or min) coefficient by coefficient; nothing when one is missing. Sound for t >= 0."""
    rows = list(quadratics)
    present = [row for row in rows if row is not None]
    if not present or len(present) < len(rows):
        return None
    a, b, c = (pick(column) for column in zip(*present, strict=True))
    return quadratic(a, b, c)


def minimum(q: Quadratic | None) -> Fraction | None:
    """Minimum over t >= 0; None when there is none."""
    if q is None:
        return None
    a, b, c = q
    if c < 0 or (c == 0 and b < 0):
        return None
    return a if b >= 0 else a - b * b / (4 * c)


def maximum(q: Quadratic | None) -> Fraction | None:
    """Maximum over t >= 0; None when there is none."""
    least = None if q is None else minimum(scaled(q, -1))
    return None if least is None else -least


def upper(ball: arb) -> Fraction:
    """A rational on a grid above every point of the ball."""
    mantissa, exponent = (int(part) for part in ball.upper().man_exp())
    if exponent > _MAX_BITS:
        raise UnknownError("a constant is too large to work with")
    if exponent < -_MAX_BITS:
        return Fraction(1 if mantissa > 0 else 0, _GRID)
    return Fraction(math.ceil(Fraction(mantissa) * Fraction(2) ** exponent * _GRID), _GRID)


def log_above(value: Fraction) -> Fraction:
    """A rational above log(value)."""
    with working_precision(BITS):
        return upper(arb(fmpq(value.numerator, value.denominator)).log())


def log_below(value: Fraction) -> Fraction:
    """A rational below log(value)."""
    return -log_above(1 / value)


def exp_above(value: Fraction) -> Fraction | None:
    """A rational above exp(value); None when it would be too large to be of use."""
    if value > 4096:
        return None
    with working_precision(BITS):
        return upper(arb(fmpq(value.numerator, value.denominator)).exp())


def log_of_sum(logs: list[Quadratic | None]) -> Quadratic | None:
    """log |e1 + ... + en| <= log n + max."""
    top = columns(max, logs)
    return None if top is None else (top[0] + (log_above(Fraction(len(logs))) if len(logs) > 1 else 0), *top[1:])


def log_of_size(size: Quadratic | None) -> Quadratic | None:
    """log(a + b t + c t^2) for coefficients >= 0, by t <= exp(t/e) <= exp(3t/8)."""
    if size is None:
        return None
    return log_of_sum([quadratic(log_above(a), Fraction(3 * k, 8)) for k, a in enumerate(size) if a > 0]) or quadratic()


def is_flat(q: Quadratic) -> bool:
    """True for a constant."""
    return q[1] == 0 and q[2] == 0


def times(p: Quadratic | None, q: Quadratic | None) -> Quadratic | None:
    """The product when it is quadratic."""
    if p is None or q is None:
        return None
    product = [sum((p[i] * q[k - i] for i in range(3) if 0 <= k - i < 3), Fraction(0)) for k in range(5)]
    return None if product[3] or product[4] else quadratic(*product[:3])


def sqrt_above(value: Fraction) -> Fraction:
    """A rational above sqrt(value)."""
    with working_precision(BITS):
        return upper(arb(fmpq(value.numerator, value.denominator)).sqrt()) if value else Fraction(0)
