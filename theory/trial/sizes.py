"""Finite sizes: input dimension, samples, width, and their ratios after rounding. Cheap to import."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from pencils.errors import InputError
from pencils.exact.numbers import exact
from pencils.language.parse import names, parse, to_sympy


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
    return sizes_by(d, "psi1*d", "psi2*d", ratios)


def sizes_by(d: int, n: str, N: str, parameters: Mapping[str, Any]) -> Sizes:
    """Sizes at d whose n and N are forms in d and the numbers among ``parameters``, rounded to whole numbers.

    Raises InputError for a form that uses anything else or rounds to too small a dimension.
    """
    whole("d", d, 2)
    known = {**parameters, "d": d}
    return Sizes(d, _rounded("n", n, known), _rounded("N", N, known))


def _rounded(name: str, form: str, known: Mapping[str, Any]) -> int:
    tree = parse(form, name)
    product = [part.strip() for part in form.split("*")]
    if len(product) == 2 and all(part in known for part in product):  # a ratio times d: no SymPy
        return round(exact(known[product[0]]) * exact(known[product[1]]))
    import sympy as sp

    values = {word: sp.Rational(str(exact(known[word], word))) for word in names(tree) if word in known}
    return round(float(to_sympy(tree, values, {"sqrt": sp.sqrt}, name)))
