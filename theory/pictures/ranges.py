"""What a picture is drawn over, as typed: a parameter's range ``a:b`` or ``a:b:points``, and ``d=``, ``draws=`` of its dots."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from pencils.errors import InputError
from pencils.exact.numbers import exact

if TYPE_CHECKING:
    from theory.register.record import Figure


@dataclass(frozen=True)
class Range:
    """The parts of a parameter's range, not read yet: which of two mistakes is named first is the picture's to say."""

    name: str
    text: str
    parts: tuple[str, ...]

    @classmethod
    def of(cls, name: str, text: str, says: str = "a range is a:b or a:b:points", most: int = 3) -> Range:
        """The range in two to ``most`` parts; InputError with ``says`` otherwise."""
        parts = tuple(text.split(":"))
        if not 2 <= len(parts) <= most:
            raise InputError(f"{name} = {text}: {says}")
        return cls(name, text, parts)

    def ends(self) -> tuple[Fraction, Fraction]:
        """(a, b), exact, in any order."""
        return exact(self.parts[0], self.name), exact(self.parts[1], self.name)

    def points(self, usual: int, most: int) -> int:
        """The number of points, ``usual`` where none is given; InputError unless it is whole and from 2 to ``most``."""
        count = exact(self.parts[2], f"{self.name}'s number of points") if len(self.parts) == 3 else exact(usual)
        if count.denominator != 1 or not 2 <= count <= most:
            raise InputError(f"{self.name} = {self.text}: the number of points must be a whole number from 2 to {most}")
        return int(count)


def one_range(given: Mapping[str, str]) -> tuple[tuple[str, str] | None, dict[str, str]]:
    """((name, text) of the one parameter that is a range, None where none is; the others). InputError for two ranges."""
    ranges = {name: value for name, value in given.items() if ":" in value}
    if len(ranges) > 1:
        raise InputError(f"one parameter may be a range, not {len(ranges)}: {', '.join(ranges)}")
    rest = {name: value for name, value in given.items() if name not in ranges}
    return next(iter(ranges.items()), None), rest


def spread(low: Any, high: Any, points: int) -> list[Any]:
    """``points`` numbers from low to high, evenly."""
    return [low + (high - low) * index / (points - 1) for index in range(points)]


def size_and_draws(figure: Figure, given: Mapping[str, Any]) -> tuple[Any, Any, dict[str, Any]]:
    """(d, draws, what else is given): the size and the number of runs of a figure's dots, its own where none are given."""
    rest = dict(given)
    return rest.pop("d", figure.d), rest.pop("draws", figure.draws), rest


def whole(name: str, value: Any, low: int, high: int) -> int:
    """A whole number; InputError outside low..high."""
    number = exact(value, name)
    if number.denominator != 1 or not low <= number <= high:
        raise InputError(f"{name} = {value}: give a whole number from {low} to {high}")
    return int(number)
