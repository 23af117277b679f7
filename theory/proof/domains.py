"""Domains: what a symbol may be. Each checks input; one of numbers knows SymPy's assumptions, and draws points.

``check(name, value)`` returns the value that is kept, or raises InputError in the words of the command line. A domain of
numbers gives the ``assumptions`` under which SymPy reads a symbol, the ``span`` of its random numbers where a symbol has none
of its own, and these in three kinds: ``draw`` a simple one for a model, ``point`` a generic exact one at which two forms are
compared, ``far`` one anywhere within twelve powers of ten. Domains of other things are in ``theory.proof.inputs``. Importing
this room is cheap: SymPy is loaded when a complex point is drawn.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from typing import Any

from pencils.errors import InputError
from pencils.exact.numbers import exact
from pencils.language.parse import parse

_GRAIN = Fraction(1, 16)  # models have parameters that are multiples of it


@dataclass(frozen=True)
class Domain:
    """Anything that can be checked."""

    def check(self, name: str, value: Any) -> Any:
        """The value that is kept of the one given; InputError where it is not in the domain."""
        raise NotImplementedError


@dataclass(frozen=True)
class Number(Domain):
    """A number, so that a symbol of formulas may range over it."""

    def assumptions(self) -> Mapping[str, bool]:
        """What SymPy is told of a symbol."""
        return {}

    def span(self) -> tuple[Fraction, Fraction]:
        """The range of the random numbers of a symbol that has none of its own."""
        return Fraction(1, 4), Fraction(4)

    def draw(self, rng: random.Random, low: Fraction, high: Fraction) -> Fraction:
        """A multiple of 1/16 in the range, now and then a whole number, so that borders such as psi2 = 1 are met."""
        step = Fraction(1) if rng.random() < 0.25 else _GRAIN
        if -(-low // step) > high // step:  # no whole number in the range
            step = _GRAIN
        return step * rng.randint(int(-(-low // step)), int(high // step))

    def point(self, rng: random.Random, low: Fraction, high: Fraction) -> Any:
        """A generic exact number of the domain whose size is in the range."""
        return self.turned(low + (high - low) * Fraction(rng.randint(1, 9998), 9999), rng)

    def far(self, rng: random.Random) -> Any:
        """A number of any size from 10^-6 to 10^7."""
        return self.turned(Fraction(rng.randint(1000, 9999), 1000) * Fraction(10) ** rng.randint(-6, 6), rng)

    def turned(self, size: Fraction, rng: random.Random) -> Any:
        """A number of that size, of a random sign or angle where the domain has several."""
        return size

    def between(self, low: Any, high: Any) -> Any:
        """A number of the domain half way between two of its own."""
        return (low + high) / 2


@dataclass(frozen=True)
class Positive(Number):
    """Greater than 0; ``otherwise`` goes on with the sentence that refuses 0."""

    otherwise: str = ""

    def assumptions(self) -> Mapping[str, bool]:
        return {"positive": True}

    def check(self, name: str, value: Any) -> Fraction:
        number = exact(value, name)
        if number <= 0:
            raise InputError(f"{name} = {value}: {name} must be greater than 0{self.otherwise}")
        return number


@dataclass(frozen=True)
class NonNegative(Number):
    """0 or more."""

    def assumptions(self) -> Mapping[str, bool]:
        return {"nonnegative": True}

    def check(self, name: str, value: Any) -> Fraction:
        number = exact(value, name)
        if number < 0:
            raise InputError(f"{name} = {value}: {name} must be at least 0")
        return number


@dataclass(frozen=True)
class Real(Number):
    """Of either sign."""

    def assumptions(self) -> Mapping[str, bool]:
        return {"real": True}

    def check(self, name: str, value: Any) -> Fraction:
        return exact(value, name)

    def turned(self, size: Fraction, rng: random.Random) -> Any:
        return -size if rng.random() < 0.5 else size


@dataclass(frozen=True)
class Negative(Number):
    """Less than 0."""

    def assumptions(self) -> Mapping[str, bool]:
        return {"negative": True}

    def span(self) -> tuple[Fraction, Fraction]:
        return Fraction(-4), Fraction(-1, 4)

    def check(self, name: str, value: Any) -> Fraction:
        number = exact(value, name)
        if number >= 0:
            raise InputError(f"{name} = {value}: {name} must be less than 0")
        return number

    def turned(self, size: Fraction, rng: random.Random) -> Any:
        return -abs(Real().turned(size, rng))


@dataclass(frozen=True)
class UnitInterval(Number):
    """From -1 to 1; ``otherwise`` goes on with the sentence that refuses another number."""

    otherwise: str = ""

    def assumptions(self) -> Mapping[str, bool]:
        return {"real": True}

    def span(self) -> tuple[Fraction, Fraction]:
        return Fraction(-1), Fraction(1)

    def check(self, name: str, value: Any) -> Fraction:
        number = exact(value, name)
        if abs(number) > 1:
            raise InputError(f"{name} = {value}: {name} must be in [-1, 1]{self.otherwise}")
        return number

    def far(self, rng: random.Random) -> Any:
        return self.point(rng, *self.span())


@dataclass(frozen=True)
class Complex(Number):
    """Any number; text is kept as the tree of the formula it is."""

    def check(self, name: str, value: Any) -> Any:
        if isinstance(value, str):
            return parse(value, name, words={"i", "I"})
        return value

    def turned(self, size: Fraction, rng: random.Random) -> Any:
        import sympy as sp

        size = Real().turned(size, rng)
        angle = Fraction(rng.randint(1, 97), 97)
        return sp.Rational(size.numerator, size.denominator) * (1 + sp.I * sp.Rational(angle.numerator, angle.denominator))


@dataclass(frozen=True)
class Whole(Number):
    """A whole number, ``least`` or more; where no other range is said, one of the first five."""

    least: int = 0

    def assumptions(self) -> Mapping[str, bool]:
        return {"integer": True, "positive" if self.least > 0 else "nonnegative": True}

    def span(self) -> tuple[Fraction, Fraction]:
        return Fraction(self.least), Fraction(self.least + 4)

    def check(self, name: str, value: Any) -> int:
        number = exact(value, name)
        if number.denominator != 1 or number < 0:
            raise InputError(f"{name} = {value}: {name} must be a whole number, 0 or more")
        if number < self.least:
            raise InputError(f"{name} = {value}: {name} must be {self.least} or more")
        return int(number)

    def draw(self, rng: random.Random, low: Fraction, high: Fraction) -> Fraction:
        least = max(self.least, ceil(low))
        return Fraction(rng.randint(least, max(least, floor(high))))

    def point(self, rng: random.Random, low: Fraction, high: Fraction) -> Any:
        return self.draw(rng, low, high)

    def far(self, rng: random.Random) -> Any:
        return Fraction(self.least + 10 ** rng.randint(0, 3) * rng.randint(1, 9))

    def between(self, low: Any, high: Any) -> Any:
        return Fraction((low + high) // 2)


@dataclass(frozen=True, init=False)
class Among(Number):
    """One of a few numbers, in increasing order."""

    values: tuple[Fraction, ...]

    def __init__(self, *values: Any) -> None:
        object.__setattr__(self, "values", tuple(sorted(exact(value) for value in values)))

    def assumptions(self) -> Mapping[str, bool]:
        least = self.values[0]
        sign = "positive" if least > 0 else "nonnegative" if least == 0 else "real"
        whole = {"integer": True} if all(value.denominator == 1 for value in self.values) else {}
        return {sign: True, **whole}

    def span(self) -> tuple[Fraction, Fraction]:
        return self.values[0], self.values[-1]

    def check(self, name: str, value: Any) -> Fraction:
        number = exact(value, name)
        if number not in self.values:
            raise InputError(f"{name} = {value}: {name} is one of {', '.join(map(str, self.values))}")
        return number

    def draw(self, rng: random.Random, low: Fraction, high: Fraction) -> Fraction:
        return rng.choice([value for value in self.values if low <= value <= high] or list(self.values))

    def point(self, rng: random.Random, low: Fraction, high: Fraction) -> Any:
        return self.draw(rng, low, high)

    def far(self, rng: random.Random) -> Any:
        return rng.choice(self.values)

    def between(self, low: Any, high: Any) -> Any:
        inside = [value for value in self.values if min(low, high) <= value <= max(low, high)]
        return inside[len(inside) // 2]
