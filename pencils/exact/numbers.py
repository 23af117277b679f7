"""Exact numbers in, right digits out, enclosures between.

Input is exact: ``"5/2"``, ``"1e-3"`` and ``0.1`` (the decimal that its repr shows) become fractions. Inside, values
are balls (``flint.arb``, ``flint.acb``): a midpoint and a proven radius. Output is decimal, and a digit is shown only
when the ball proves it to within one unit of the last place.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

from pencils.errors import InputError, PrecisionError

if TYPE_CHECKING:
    import mpmath
    import sympy as sp
    from flint import arb

# What may be compared with a ball: one itself, an mpf of any context, an exact number, a float (the binary number it is).
Number: TypeAlias = "arb | mpmath.mpf | sp.Rational | Fraction | int | float"

MAX_DIGITS = 1000
DEFAULT_DIGITS = 30
# A literal longer than this, or with a larger power of ten, is refused before any big integer is built.
MAX_LITERAL = 2000
MAX_EXPONENT = 1000
_DECIMAL = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE]([+-]?\d+))?\Z")
_ACCEPTED = "an integer, a fraction such as 5/2, or a decimal such as 0.1 or 1e-3"


def exact(value: Any, name: str = "number") -> Fraction:
    """The exact rational that ``value`` denotes.

    Accepts int, Fraction, Decimal, SymPy rationals, decimal or fraction text, and float, which means the decimal its
    ``repr`` shows (``0.1`` is 1/10). Raises InputError for anything else, NaN and infinities included.
    """
    if isinstance(value, bool):
        raise InputError(f"{name} = {value}: a truth value is not a number; give {_ACCEPTED}")
    if isinstance(value, (int, Fraction)):
        return Fraction(value)
    if isinstance(value, (float, Decimal)):
        value = str(value)
    if isinstance(value, str):
        return _from_text(value.strip(), name)
    if getattr(value, "is_Rational", False):
        return Fraction(int(value.p), int(value.q))
    if getattr(value, "is_Float", False):
        return _from_text(str(value), name)
    if type(value).__module__ == "numpy" and getattr(value, "ndim", 1) == 0:
        # A NumPy scalar is exact binary, unlike a Python float: it did not come from a decimal that someone typed.
        item = value.item()
        if isinstance(item, int) and not isinstance(item, bool):
            return Fraction(item)
        if isinstance(item, float) and item - item == 0:
            return Fraction(item)
    raise InputError(f"{name} = {_short(value)}: not a number; give {_ACCEPTED}")


def _from_text(text: str, name: str) -> Fraction:
    if len(text) > MAX_LITERAL:
        raise InputError(f"{name}: a number of {len(text)} characters; at most {MAX_LITERAL} are accepted")
    top, slash, bottom = text.partition("/")
    parts = []
    for part in (top, bottom) if slash else (top,):
        match = _DECIMAL.match(part.strip())
        if match is None:
            raise InputError(f"{name} = {_short(text)}: not a number; give {_ACCEPTED}")
        if match[4] is not None and abs(int(match[4])) > MAX_EXPONENT:
            raise InputError(f"{name} = {_short(text)}: the power of ten must be between -{MAX_EXPONENT} and {MAX_EXPONENT}")
        parts.append(Fraction(part.strip()))
    if slash and parts[1] == 0:
        raise InputError(f"{name} = {_short(text)}: the denominator is zero")
    return parts[0] / parts[1] if slash else parts[0]


def _short(value: Any, limit: int = 40) -> str:
    text = str(value)
    return repr(text if len(text) <= limit else text[: limit - 3] + "...")


def check_digits(digits: Any) -> int:
    """``digits`` as an int between 1 and MAX_DIGITS; InputError otherwise."""
    try:
        number = exact(digits, "digits")
    except InputError:
        number = Fraction(1, 2)
    if number.denominator != 1 or not 1 <= number <= MAX_DIGITS:
        raise InputError(f"digits = {_short(digits)}: give a whole number from 1 to {MAX_DIGITS}")
    return int(number)


def bits_for(digits: int) -> int:
    """Binary precision that holds ``digits`` decimal digits with a few guard digits."""
    return int(digits * 3.3219280948873626) + 40


@contextmanager
def working_precision(bits: int) -> Iterator[None]:
    """Ball arithmetic at ``bits`` inside the block. FLINT keeps its precision in a global; this is the only room that
    sets it, and it is restored on the way out."""
    import flint

    with flint.ctx.workprec(bits):
        yield


def to_ball(value: Any) -> arb:
    """Enclosure of a rational at the current working precision."""
    from flint import arb, fmpq

    fraction = exact(value)
    return arb(fmpq(fraction.numerator, fraction.denominator))


def refine(compute: Callable[[int], Any], digits: int, what: str = "value", growth: int = 6) -> Any:
    """Call ``compute(bits)`` with more and more bits until the ball it returns proves ``digits`` digits.

    ``compute`` returns an arb or acb enclosing one fixed number; a ball that is exactly zero is accepted. A component
    of a complex number counts against the modulus, so that a tiny imaginary part need not be resolved beyond it.
    Raises PrecisionError with the radius reached after ``growth`` doublings.
    """
    bits = bits_for(digits)
    ball: Any = None
    for _ in range(growth):
        with working_precision(bits):
            ball = compute(bits)
            if proves(ball, digits):
                return ball
        bits *= 2
    raise PrecisionError(f"{what}: {digits} digits could not be proven; the last enclosure was {ball}")


def proves(ball: Any, digits: int) -> bool:
    """True when the ball determines ``digits`` significant digits (or is exactly zero)."""
    from flint import acb

    if not ball.is_finite():
        return False
    if isinstance(ball, acb):
        if ball.real.is_zero() or ball.imag.is_zero():
            return proves(ball.real, digits) and proves(ball.imag, digits)
        return bool(ball.rel_accuracy_bits() >= bits_for(digits) - 36)
    return ball.is_zero() or bool(ball.rel_accuracy_bits() >= bits_for(digits) - 36)


def decimal(ball: Any, digits: int) -> str:
    """Decimal text of a real ball, ``digits`` significant digits, the last right to within one unit; "0" for zero.

    Raises PrecisionError when the ball is too wide to prove that many.
    """
    if ball.is_zero():
        return "0"
    with working_precision(bits_for(digits) + 64):
        text = ball.str(digits, radius=False)
    shown = len(re.sub(r"[eE].*", "", text).lstrip("-").replace(".", "").lstrip("0"))
    if "nan" in text or "[" in text or shown < digits:
        raise PrecisionError(f"{digits} digits were asked for and only {shown} are proven by the enclosure {ball}")
    return text


def as_float(ball: Any, digits: int) -> sp.Expr:
    """``sympy.Float`` (``a + I*b`` when complex) carrying the ``digits`` that the ball proves."""
    import sympy as sp
    from flint import acb

    if isinstance(ball, acb):
        if ball.imag.is_zero():
            return as_float(ball.real, digits)
        return _component(ball.real, abs(ball), digits) + sp.I * _component(ball.imag, abs(ball), digits)
    text = decimal(ball, digits)
    return sp.Integer(0) if text == "0" else sp.Float(text, digits)


def _component(part: Any, modulus: Any, digits: int) -> sp.Expr:
    """A component of a complex number, with the digits that ``digits`` digits of the modulus determine: fewer when it is
    small beside it, and 0 when it is below the last of them."""
    import sympy as sp

    if part.is_zero() or proves(part, digits):
        return as_float(part, digits)
    with working_precision(64):
        lost = float((modulus.abs_lower() / part.abs_upper()).log() / 2.302585)
    left = digits - max(0, math.ceil(lost))
    return as_float(part, left) if left >= 1 else sp.Float(0, digits)


def as_ball(value: Number) -> arb:
    """A real number as a ball: an mpf with its mantissa and exponent, so exactly at any precision, whatever its context; a
    float likewise; a rational enclosed at the working precision. An infinite or undefined mpf gives a ball that is not finite."""
    from flint import arb

    rational = isinstance(value, Fraction) or getattr(value, "is_Rational", False)
    return to_ball(value) if rational else arb(value)


def agreement(left: Number, right: Number, limit: int) -> int:
    """Number of significant digits to which two numbers agree, at most ``limit``; decimals where one side is exactly 0.

    Counts with the farthest points of the two balls, so that a wide ball cannot agree by being wide.
    """
    from flint import arb

    with working_precision(bits_for(limit) + 64):
        first, second = as_ball(left), as_ball(right)
        gap = abs(first - second).abs_upper()
        if gap.is_zero():
            return limit
        one_is_zero = first.is_zero() or second.is_zero()
        size = arb(1) if one_is_zero else abs(first).abs_upper()
        if not gap.is_finite():
            return 0
        digits = float((size / gap).log() / arb(10).log())
    return max(0, min(limit, int(digits)))
