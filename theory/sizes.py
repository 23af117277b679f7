"""Finite sizes: input dimension, samples, width, and their ratios after rounding. Cheap to import."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from pencils.errors import InputError
from pencils.numbers import exact


def whole(name: str, value: Any, least: int) -> int:
    """``value`` if it is an int of at least ``least``; InputError otherwise."""
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise InputError(f"{name} = {value}: give a whole number, at least {least}")
    return value


@dataclass(frozen=True)
class Sizes:
    """Input dimension d, number of samples n, width N."""

    d: int
    n: int
    N: int

    def __post_init__(self) -> None:
        for name, least in (("d", 2), ("n", 1), ("N", 2)):
            whole(name, getattr(self, name), least)

    @property
    def psi1(self) -> Fraction:
        """n/d, after rounding."""
        return Fraction(self.n, self.d)

    @property
    def psi2(self) -> Fraction:
        """N/d, after rounding."""
        return Fraction(self.N, self.d)


def sizes_for(d: int, psi1: Any, psi2: Any) -> Sizes:
    """Sizes with n = round(psi1 d), N = round(psi2 d); the ratios got are its ``psi1`` and ``psi2``.

    Raises InputError for a ratio that is not a positive number or that rounds to too small a dimension.
    """
    ratios = {name: exact(value, name) for name, value in (("psi1", psi1), ("psi2", psi2))}
    for name, ratio in ratios.items():
        if ratio <= 0:
            raise InputError(f"{name} = {ratio}: give a positive number, the limit of a ratio of dimensions")
    whole("d", d, 2)
    return Sizes(d, round(ratios["psi1"] * d), round(ratios["psi2"] * d))
