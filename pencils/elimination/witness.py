"""Which polynomials do not vanish at the solution of a law: two exact ways to exclude one.

*Series.* With the spectral parameter 1/eps (or another scaling in which the equations contract), parameters random in F_p and
roots taken there, the solution is a series over F_p. A polynomial whose value is not 0 to some order modulo p does not vanish
identically. *Balls.* At random parameters the value is a certified ball; a polynomial whose ball excludes 0 does not vanish.
When a product vanishes and all its factors but one are excluded, that one vanishes: series have no zero divisors, and the
solution is analytic in the parameters. A factor is never accepted for looking small.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

import sympy as sp
from flint import acb, fmpz_mpoly, nmod, nmod_poly

from pencils.dyson.equations import Equations
from pencils.elimination.polynomial_system import System
from pencils.errors import ConvergenceError, GradstepError, NoPolynomialError
from pencils.exact.balls import compile_balls
from pencils.exact.numbers import bits_for, working_precision
from pencils.exact.rational_functions import walk
from pencils.exact.resultant import PRIME
from pencils.exact.series import Field, FormalSolution, Series

ORDERS = (12, 48, 160)  # terms of the series that are tried
DIGITS = 120  # of the balls
TRIES = 12  # random points at which a certified solution is looked for


class Contradiction(NoPolynomialError):
    """Every factor of something that vanishes was excluded: the series is not that of the solution."""


class Witness:
    """The solution of a law, as series modulo a prime and as balls, each made when first needed."""

    def __init__(self, of: Equations, system: System) -> None:
        self.of, self.system = of, system

    def excludes(self, poly: fmpz_mpoly) -> bool:
        """Whether a polynomial in unknowns, value and parameters is proved not to vanish at the solution."""
        if self.series is not None:
            return self.series.excludes(poly, ORDERS[1])
        return self._excluded_by_balls(poly)

    def single(self, factors: list[fmpz_mpoly]) -> fmpz_mpoly:
        """The one factor that vanishes. Raises Contradiction where none is left, NoPolynomialError where several are.

        Balls decide; the series must agree. Where several are left, or no certified point was found, the series decides if it
        is the one at infinity of a spectral parameter, which is the solution's by definition.
        """
        left = [f for f in factors if self.system.ring.degree(f, self.system.letter) and not self._excluded_by_balls(f)]
        if self.series is not None and (len(left) == 1 or self.series.at_infinity):
            for order in ORDERS:
                left = [f for f in left if not self.series.excludes(f, order)]
                if len(left) < 2:
                    break
        if not left:
            raise Contradiction("no factor of the eliminant vanishes at the solution")
        if len(left) > 1 or not (self.balls or (self.series and self.series.at_infinity)):
            raise NoPolynomialError("factors of the eliminant could not be told apart")
        return left[0]

    def _excluded_by_balls(self, poly: fmpz_mpoly) -> bool:
        return any(not _enclosure(self.system, poly, point).contains(0) for point in self.balls)

    @cached_property
    def series(self) -> SeriesWitness | None:
        """The first scaling in which the equations contract; None where there is none."""
        for symbol, exponent in self._scalings():
            try:
                return SeriesWitness(self.system, symbol, exponent, self._is_spectral(symbol))
            except (ConvergenceError, ZeroDivisionError):
                continue
        return None

    def _is_spectral(self, symbol: sp.Symbol) -> bool:
        return symbol not in self.of.dimensions and not symbol.is_positive

    def _scalings(self) -> Iterator[tuple[sp.Symbol, int]]:
        """(symbol, exponent of eps that it is put): the spectral parameter first, large; then other scalars, large; then
        anything, small."""
        free = [s for s in self.of.parameters if s in self.system.ring.place]
        scalars = [s for s in free if s not in self.of.dimensions]
        for symbol in sorted(scalars, key=lambda s: not self._is_spectral(s)):
            yield symbol, -1
        for symbol in free:
            yield symbol, 1

    @cached_property
    def balls(self) -> list[dict[sp.Symbol, Any]]:
        """The value and the unknowns at a random point; at several, where Min(n, p) makes different cases of n and p."""
        rng, found = random.Random(2), []
        wanted = 4 if self.system.names.constants and len(self.of.dimensions) > 1 else 1
        for _ in range(TRIES):
            try:
                found.append(self._point(rng))
            except GradstepError:
                continue
            if len(found) == wanted:
                break
        return found

    def _point(self, rng: random.Random) -> dict[sp.Symbol, Any]:
        of, system = self.of, self.system
        values: dict[sp.Symbol, sp.Expr] = dict(system.fixed)
        for s in of.parameters:
            real = sp.Rational(rng.randint(60, 180), 100)
            values.setdefault(s, real * (sp.Rational(7, 10) * sp.I - 1) if self._is_spectral(s) else real)
        if system.scale is not None:
            values[system.scale] = sp.S.One
        exact = of.exact(values)
        balls, _ = of.evaluator.solved(exact, DIGITS)
        solution = dict(zip(of.evaluator.pairs, balls, strict=True))
        with working_precision(bits_for(DIGITS)):
            point = {s: compile_balls(v)() for s, v in exact.items()}
            for name, meaning in system.names.meaning.items():
                point[name] = compile_balls(meaning.xreplace(exact))()
            for symbol in system.equations:
                point[symbol] = solution[of.pairs[symbol]]
            output = [(compile_balls(sp.sympify(c).xreplace(exact))(), pair) for pair, c in of.dyson.output.items()]
            point[system.letter] = sum((c * solution[pair] for c, pair in output), acb(0))
        return point


def _enclosure(system: System, poly: fmpz_mpoly, point: Mapping[sp.Symbol, Any]) -> Any:
    with working_precision(bits_for(DIGITS)):
        total = acb(0)
        for powers, coefficient in poly.to_dict().items():
            term = acb(int(coefficient))
            for symbol, e in zip(system.ring.symbols, powers, strict=False):
                if e:
                    term *= point[symbol] ** int(e)
            total += term
    return total


class SeriesWitness:
    """The solution over F_p[[eps]] with one parameter a power of eps and the others random.

    Raises ConvergenceError where the equations do not contract, or roots do not exist.
    """

    def __init__(self, system: System, symbol: sp.Symbol, exponent: int, spectral: bool) -> None:
        self.system = system
        self.at_infinity = spectral and exponent < 0
        self.field = Field(lambda c: nmod_poly(c, PRIME), lambda q: nmod(int(q.p), PRIME) / nmod(int(q.q), PRIME))
        # a square root of the parameter is to be a power of eps as well
        ramified = max([1, *(index for _, index in system.bases.values())])
        rng = random.Random(3)
        for attempt in range(200):
            try:
                self.given = self._parameters(symbol, exponent * ramified, rng)
                break
            except ConvergenceError:
                if attempt == 199:
                    raise
        self.solution = FormalSolution(system.equations, system.definitions, self.given, self.field)
        self.order, self.point = 0, dict(self.given)

    def _parameters(self, symbol: sp.Symbol, exponent: int, rng: random.Random) -> dict[sp.Symbol, Series]:
        field, system = self.field, self.system
        given = {s: field.constant(nmod(rng.randrange(2, PRIME), PRIME)) for s in system.parameters}
        given[symbol] = field.power(exponent, nmod(rng.randrange(2, PRIME), PRIME))

        def leaf(expr: sp.Expr) -> Series:
            return field.constant(field.number(expr)) if expr.is_Rational else given[expr]

        for name, relation in system.relations.items():
            if name in system.bases:
                base, index = system.bases[name]
                given[name] = walk(base, leaf, {}).root(index, _root)
            else:
                coefficients = reversed(sp.Poly(relation, name).all_coeffs())
                given[name] = field.constant(_root_of(nmod_poly([int(c) % PRIME for c in coefficients], PRIME)))
        return given

    def excludes(self, poly: fmpz_mpoly, order: int) -> bool:
        """Whether the polynomial's value has a coefficient other than 0, the value being known to ``order`` terms."""
        if order > self.order:
            unknowns, value = self.solution.solve(order, self.system.value)
            self.order, self.point = order, {**self.given, **unknowns, self.system.letter: value}
        return not self._substitute(poly).poly.is_zero()

    def _substitute(self, poly: fmpz_mpoly) -> Series:
        """A polynomial at the series; terms are collected by their powers of what is not constant first."""
        series = [self.point.get(s) for s in self.system.ring.symbols]
        constant = [s is not None and s.is_constant for s in series]
        collected: dict[tuple[int, ...], Any] = {}
        for powers, coefficient in poly.to_dict().items():
            number = nmod(int(coefficient) % PRIME, PRIME)
            for s, e, c in zip(series, powers, constant, strict=False):
                if e and c:
                    number *= s.poly[0] ** int(e)  # type: ignore[union-attr]
            key = tuple(0 if c else int(e) for e, c in zip(powers, constant, strict=False))
            collected[key] = collected.get(key, nmod(0, PRIME)) + number
        total = self.field.constant(nmod(0, PRIME))
        known: dict[tuple[int, int], Series] = {}
        for key, number in collected.items():
            term = self.field.constant(number)
            for k, e in enumerate(key):
                if e:
                    if (k, e) not in known:
                        known[k, e] = series[k] ** e  # type: ignore[operator]
                    term = term * known[k, e]
            total = total + term
        return total


def _root(value: Any, index: int) -> Any:
    return _root_of(nmod_poly([-value, *[0] * (index - 1), 1], PRIME))


def _root_of(poly: Any) -> Any:
    """A root in F_p. Raises ConvergenceError where there is none."""
    for factor, _ in poly.factor()[1]:
        if factor.degree() == 1:
            return -factor[0] / factor[1]
    raise ConvergenceError("no root modulo the prime")
