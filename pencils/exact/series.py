"""The reduced Dyson equations solved by formal power series, exactly: over the rationals, or modulo a prime.

Every series carries its error term O(eps^prec), as a ball carries its radius. The iteration g -> F(g) from 0 finds leading
terms; then a set c + O(eps^q) that F maps into a smaller set of its kind holds exactly one solution of g = F(g), for F
contracts there, and the error terms say which coefficients of it are known.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import sympy as sp

from pencils.errors import ConvergenceError
from pencils.exact.rational_functions import walk

LEADING, SWEEPS = 4, 12  # terms and sweeps with which leading terms are looked for
EXACT: Any = math.inf  # the error exponent of what is known exactly


class Field:
    """Coefficients: ``poly(list)`` makes a polynomial in eps with ``mul_low``, ``left_shift``, ``right_shift``, ``truncate``;
    ``number`` a coefficient of a SymPy rational."""

    def __init__(self, poly: Callable[[list[Any]], Any], number: Callable[[sp.Rational], Any]) -> None:
        self.poly, self.number = poly, number
        self.limit = 64  # terms kept of an exact quotient

    def constant(self, value: Any) -> Series:
        return Series(self, 0, self.poly([value]), EXACT)

    def power(self, exponent: int, coefficient: Any) -> Series:
        """coefficient * eps^exponent."""
        return Series(self, exponent, self.poly([coefficient]), EXACT)

    def unknown(self, precision: int) -> Series:
        """O(eps^precision)."""
        return Series(self, precision, self.poly([]), precision)


class Series:
    """eps^low * poly + O(eps^prec), with poly(0) not 0, or poly = 0 and low = prec."""

    __slots__ = ("field", "low", "poly", "prec")

    def __init__(self, field: Field, low: int, poly: Any, prec: int) -> None:
        poly = poly.truncate(max(prec - low, 0)) if prec < EXACT else poly
        if poly.is_zero():
            low = prec
        elif not poly[0]:
            skip = next(k for k in range(poly.length()) if poly[k])
            poly, low = poly.right_shift(skip), low + skip
        self.field, self.low, self.poly, self.prec = field, low, poly, prec

    def __add__(self, other: Series) -> Series:
        prec = min(self.prec, other.prec)
        if self.poly.is_zero() or other.poly.is_zero():
            one = other if self.poly.is_zero() else self
            return Series(self.field, one.low, one.poly, prec)
        low = min(self.low, other.low)
        poly = self.poly.left_shift(self.low - low) + other.poly.left_shift(other.low - low)
        return Series(self.field, low, poly, prec)

    def __sub__(self, other: Series) -> Series:
        return self + Series(other.field, other.low, -other.poly, other.prec)

    def __mul__(self, other: Series) -> Series:
        if self.is_zero or other.is_zero:
            return Series(self.field, EXACT, self.field.poly([]), EXACT)
        low = self.low + other.low
        prec = min(self.low + other.prec, other.low + self.prec)
        length = prec - low if prec < EXACT else self.poly.length() + other.poly.length()
        return Series(self.field, low, self.poly.mul_low(other.poly, length) if length > 0 else self.field.poly([]), prec)

    @property
    def is_zero(self) -> bool:
        """Exactly zero."""
        return bool(self.poly.is_zero() and self.prec >= EXACT)

    @property
    def is_constant(self) -> bool:
        """Exactly a coefficient."""
        return bool(self.prec == EXACT and self.low == 0 and self.poly.length() == 1)

    def inverse(self) -> Series:
        """1/self. Raises ZeroDivisionError where no coefficient is known to differ from 0."""
        if self.poly.is_zero():
            raise ZeroDivisionError("a series whose leading term is not known")
        length = self.prec - self.low if self.prec < EXACT else self.field.limit
        if self.prec >= EXACT and self.poly.length() == 1:
            return Series(self.field, -self.low, self.field.poly([1 / self.poly[0]]), EXACT)
        found, known = self.field.poly([1 / self.poly[0]]), 1
        while known < length:
            known = min(2 * known, length)
            found = found + found - found.mul_low(found, known).mul_low(self.poly.truncate(known), known)
        return Series(self.field, -self.low, found, length - self.low)

    def __truediv__(self, other: Series) -> Series:
        return self * other.inverse()

    def __pow__(self, exponent: int) -> Series:
        if exponent < 0:
            return self.inverse() ** -exponent
        result = self.field.constant(self.field.number(sp.S.One))
        for _ in range(exponent):
            result = result * self
        return result

    def root(self, index: int, leading: Callable[[Any, int], Any]) -> Series:
        """The index-th root whose leading coefficient ``leading`` chooses, by Newton's iteration. Raises ConvergenceError where
        the leading term has none."""
        if self.poly.is_zero() or self.low % index:
            raise ConvergenceError("a root of a series with no root of its leading term")
        start = leading(self.poly[0], index)
        root = self.field.power(self.low // index, start)
        if self.poly.length() == 1 and self.prec >= EXACT:
            return root
        share = self.field.constant(self.field.number(sp.Rational(1, index)))
        terms = self.field.limit if self.prec >= EXACT else self.prec - self.low
        known = 1
        while known < terms:
            known = min(2 * known, terms)
            target = Series(self.field, self.low, self.poly, min(self.prec, self.low + known))
            root = root + share * (target * root ** (1 - index) - root)
            root = Series(self.field, root.low, root.poly.truncate(known), EXACT)
        return Series(self.field, root.low, root.poly, root.low + terms)


class FormalSolution:
    """The solution of equations ``unknown = expression`` as series in eps, given the parameters as series in eps."""

    def __init__(
        self,
        equations: Mapping[sp.Symbol, sp.Expr],
        definitions: Mapping[sp.Symbol, sp.Expr],
        given: Mapping[sp.Symbol, Series],
        field: Field,
    ) -> None:
        self.equations, self.definitions, self.given, self.field = equations, definitions, dict(given), field
        self.known: dict[sp.Symbol, Series] = {}
        self._start()

    def _leaf(self, point: Mapping[sp.Symbol, Series]) -> Callable[[sp.Expr], Series]:
        def leaf(expr: sp.Expr) -> Series:
            if expr.is_Rational:
                return self.field.constant(self.field.number(expr))
            return point[expr] if expr in point else self.given[expr]

        return leaf

    def _map(self, point: Mapping[sp.Symbol, Series]) -> dict[sp.Symbol, Series]:
        """One sweep through the equations, each with what those before it gave."""
        found = dict(point)
        for symbol, expr in self.equations.items():
            found[symbol] = walk(expr, self._leaf(found), {})
        return found

    def _start(self) -> None:
        """Leading terms by iterating from 0, and the proof that one solution has them."""
        exact = {s: self.field.power(0, self.field.number(sp.S.Zero)) for s in self.equations}
        self.field.limit = LEADING
        for _ in range(SWEEPS):
            last = exact
            try:
                image = self._map(exact)
            except ZeroDivisionError as error:
                raise ConvergenceError("the iteration from 0 divides by 0 as a formal series") from error
            exact = {s: Series(self.field, v.low, v.poly.truncate(LEADING), EXACT) for s, v in image.items()}
            if all((exact[s] - last[s]).poly.is_zero() for s in exact):
                break
        for terms in (1, 2, 3):
            guess = {s: Series(self.field, v.low, v.poly, (v.low if v.poly else 0) + terms) for s, v in exact.items()}
            image = guess
            try:
                for _ in self.equations:  # an unknown may gain only when those that it depends on have gained
                    image = self._map(image)
                    if not all(_inside(image[s], v) for s, v in guess.items()):
                        break
                    if all(image[s].prec > v.prec for s, v in guess.items()):
                        self.known = image
                        return
            except ZeroDivisionError:
                continue
        if not self.equations:
            return
        raise ConvergenceError("the iteration does not contract as a formal series")

    def solve(self, terms: int, value: sp.Expr) -> tuple[dict[sp.Symbol, Series], Series]:
        """The unknowns, and ``value`` to O(eps^(low + terms)), low its leading exponent, or to O(eps^terms) if it seems 0."""
        self.field.limit = 2 * terms + 16
        while True:
            found = self._value(value)
            if found.prec - (0 if found.poly.is_zero() else found.low) >= terms:
                return self.known, found
            last = self.known
            for _ in self.equations:
                self.known = self._map(self.known)
            if all(self.known[s].prec <= last[s].prec for s in last):
                return self.known, found  # everything is exact

    def _value(self, value: sp.Expr) -> Series:
        point = dict(self.known)
        memo: dict[sp.Expr, Series] = {}
        for symbol, expr in self.definitions.items():
            point[symbol] = walk(expr, self._leaf(point), memo)
        return walk(value, self._leaf(point), memo)  # type: ignore[no-any-return]


def _inside(image: Series, outer: Series) -> bool:
    """Whether a set c + O(eps^q) lies in another."""
    return bool(image.prec >= outer.prec and (image - outer).poly.is_zero())


def coefficients(series: Series, start: int, count: int) -> list[Any]:
    """Coefficients of eps^start, eps^(start + 1), ... of a series known that far."""
    if series.prec < start + count:
        raise ConvergenceError(f"the series is known to order {series.prec} only")
    places: Sequence[int] = [k - series.low for k in range(start, start + count)]
    zero = series.field.number(sp.S.Zero)
    return [series.poly[k] if 0 <= k < series.poly.length() else zero for k in places]
