"""Is E sigma(z)^2 finite, z ~ N(0, 1)?  Shown with an explicit bound, shown not to be, or neither."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import sympy as sp
from flint import acb, fmpq

from pencils.errors import InputError, MomentError
from pencils.exact.balls import compile_balls
from pencils.exact.numbers import working_precision
from theory.functions.bounds import bounds
from theory.functions.divergence import divergence
from theory.functions.language import variable
from theory.functions.quadratics import BITS, UnknownError

_SAMPLES = [Fraction(p, 7) for p in (-50, -22, -9, -3, -1, 1, 3, 9, 22, 50)]


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


def _refuse_unreal(expr: sp.Expr, what: str) -> None:
    """InputError with a witness when f has a proven imaginary part at a sample point."""
    try:
        f = compile_balls(expr, [variable()])
    except InputError as error:
        raise InputError(f"{what}: {error}") from error
    with working_precision(BITS):
        for point in _SAMPLES:
            ball = f(acb(fmpq(point.numerator, point.denominator)))
            if isinstance(ball, acb) and ball.is_finite() and not ball.imag.contains(0):
                raise InputError(f"{what}: not real on the line; its value at x = {point} is not a real number")
