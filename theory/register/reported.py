"""Single numbers that a source prints for a quantity, judged against the computed ones.

A printed number agrees when the computed one rounds to it, that is, lies within half a unit of its last digit.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from flint import arb, fmpq

from pencils.errors import PrecisionError
from pencils.exact.balls import enclose
from pencils.exact.numbers import exact, working_precision
from theory.functions.language import to_expression
from theory.register.record import Quantity, Reported

_BITS = 120


def rounds_to(value: arb, printed: str) -> bool:
    """Whether the number enclosed by ``value`` lies within half a unit of the last digit of ``printed``.

    Raises PrecisionError where the enclosure cannot decide.
    """
    centre, half = exact(printed), _unit(printed) / 2
    with working_precision(_BITS):
        gap = abs(arb(value) - _ball(centre)) - _ball(half)
    if gap.contains(0):
        raise PrecisionError(f"{value} cannot be told apart from the border of what rounds to {printed}")
    return bool(gap < 0)


def _unit(printed: str) -> Fraction:
    """One unit of the last digit: 1/10000 for 3e-4, 1/100 for 0.03."""
    mantissa, _, exponent = printed.lower().partition("e")
    decimals = len(mantissa.partition(".")[2])
    return Fraction(10) ** (int(exponent or 0) - decimals)


def _ball(value: Fraction) -> arb:
    return arb(fmpq(value.numerator, value.denominator))


def judge(one: Reported, value: Any, provenance: str) -> dict[str, Any]:
    """The printed number beside the computed one: verdict, and whether the factor that explains a difference does."""
    agrees = rounds_to(value, one.printed)
    verdict = "confirmed" if agrees else "erratum" if provenance == "read" else "differs, as reported"
    found: dict[str, Any] = {"value": one.value, "printed": one.printed, "verdict": verdict}
    if one.factor is not None:
        with working_precision(_BITS):
            product = arb(enclose(to_expression(one.factor, "factor"), {})) * value
        fits = rounds_to(product, one.printed)
        found["factor"] = one.factor
        found["times_factor"] = product.str(6, radius=False)
        found["explained"] = fits
        found["why"] = one.why if fits else f"not explained: {one.factor} times the computed value does not round to it"
    return found


def applies(one: Reported, given: Mapping[str, str]) -> bool:
    """Whether the parameters are those for which the number was printed."""
    return {name: str(value).lower() for name, value in given.items() if str(value).lower() != "false"} == dict(one.parameters)


def judged(entry: Quantity, given: Mapping[str, str], values: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Judgements of the numbers printed for these parameters."""
    for one in entry.reported:
        if applies(one, given):
            yield judge(one, values[one.value], entry.reported_provenance)
