"""The value of a bound symbol: the one zero of an increasing form between two ends, enclosed by two certain signs.

That the form increases is a theorem, and the register names its derivation; here a value is only given out between a point
where the form is negative and one where it is positive, both decided in ball arithmetic.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from flint import arb

from pencils.exact.balls import Balls, compile_balls
from pencils.exact.numbers import working_precision
from theory.proof.symbols import COMMON, Alphabet

if TYPE_CHECKING:
    from theory.register.record import Root

_BISECTIONS = 24  # enough for Newton's iteration to take over, at the parameters that are met
_GUARD = 64


@lru_cache(maxsize=64)
def _compiled(name: str, binding: Root, alphabet: Alphabet) -> tuple[tuple[str, ...], Balls, Balls, Balls, Balls]:
    """(model symbols, equation, its derivative in the bound symbol, low, high), the first two with the symbol first."""
    import sympy as sp

    unknown = alphabet.symbol(name)
    equation, low, high = (alphabet.read_form(text, name) for text in (binding.equation, binding.low, binding.high))
    symbols = sorted((equation.free_symbols | low.free_symbols | high.free_symbols) - {unknown}, key=str)
    order = [unknown, *symbols]
    return (
        tuple(s.name for s in symbols),
        compile_balls(equation, order),
        compile_balls(sp.diff(equation, unknown), order),
        compile_balls(low, symbols),
        compile_balls(high, symbols),
    )


def root_ball(name: str, binding: Root, ball: Callable[[str, int], Any], bits: int, alphabet: Alphabet = COMMON) -> Any:
    """Enclosure of the bound symbol where ``ball(name, bits)`` encloses the others, to about ``bits`` of relative precision as far
    as the equation allows; a ball that is not finite where the precision does not suffice to tell a sign."""
    needs, equation, slope, low_form, high_form = _compiled(name, binding, alphabet)
    with working_precision(bits + _GUARD):
        balls = [ball(need, bits + _GUARD) for need in needs]
        low, high = low_form(*balls).upper(), high_form(*balls).upper()
        # at the ends of the bracket the signs are the theorem's; inside it they are computed
        return zero_between(lambda at: equation(at, *balls), lambda at: slope(at, *balls), low, high, bits)


def zero_between(equation: Any, slope: Any, low: Any, high: Any, bits: int) -> Any:
    """Enclosure of a zero of a function that is negative at ``low`` and positive at ``high``: the hull of a point where it is
    certainly negative, or ``low``, and one where it is certainly positive, or ``high``."""
    x = _approximate(equation, slope, low, high, bits)
    size = abs(x).upper() * arb(2) ** (-bits - _GUARD // 2)
    for _ in range(12):
        left, right = max(low, (x - size).lower()), min(high, (x + size).upper())
        if (left == low or equation(left) < 0) and (right == high or equation(right) > 0):
            return left.union(right)
        size *= 32
    return arb.nan()


def _approximate(equation: Any, slope: Any, low: Any, high: Any, bits: int) -> Any:
    """A point close to the zero: bisection, then Newton's iteration kept inside the bracket."""
    for _ in range(_BISECTIONS):
        middle = ((low + high) / 2).mid()
        low, high = (middle, high) if equation(middle) < 0 else (low, middle)
    x = high
    for _ in range(bits + 40):  # next to a double root the error only halves
        value = equation(x)
        step = (value / slope(x)).mid()
        if not step.is_finite():
            break
        if value < 0:
            low = x
        elif value > 0:
            high = x
        moved = (x - step).mid()
        if not low < moved < high:
            moved = ((low + high) / 2).mid()
        if abs(moved - x) <= abs(x) * arb(2) ** (-bits - _GUARD // 2 - 4):
            return moved
        x = moved
    return x
