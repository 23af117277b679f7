"""One polynomial of a law: P(m, parameters) = 0 for its value m, irreducible over the rationals.

The reduced equations, the value, and r^q = b for every root r in them are polynomials once denominators are cleared. Unknowns
are eliminated one by one with resultants; each resultant is factored, and factors that do not vanish at the solution, which
``witness`` says exactly, are dropped.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice, permutations, product
from math import prod
from typing import Any

import sympy as sp
from flint import fmpz_mpoly

from pencils.dyson.equations import Equations
from pencils.dyson.values import exact_number
from pencils.elimination.polynomial_system import System, polynomial_system
from pencils.elimination.witness import Contradiction, Witness
from pencils.errors import InputError, NoPolynomialError
from pencils.exact.resultant import Budget, bound, resultant, size

MOST_TERMS = 20000  # of a polynomial that is factored
MOST_ORDERS = 12
THOROUGH = 3  # orders that are tried with much work
EASY = 20000  # bound on monomials of a resultant above which the choice of the next unknown is worth a closer look
WORK = (10**7, 4 * 10**7)  # products of terms for one order of the unknowns: all orders with little before one with much
LETTERS = ("m", "y", "t", "x", "u", "w", "value")


def polynomial(of: Equations, values: Mapping[sp.Symbol, Any] | None = None) -> sp.Poly:
    """The irreducible polynomial that a law's value satisfies, over the parameters.

    Returns a ``sympy.Poly`` in a symbol for the value (m where no parameter has that name), with coefficients in ZZ[parameters],
    primitive, leading coefficient positive. ``values`` fixes some or all of the parameters first. pi and Min(n, p) count as
    parameters: with Min(n, p) in it the polynomial is right for n < p and for n > p, but may be reducible in either case.

    What is proved: the eliminant vanishes at the solution, because the equations do; every factor but the one returned does
    not, because its certified ball at one point excludes 0, or because its expansion at infinity in the spectral parameter has
    a coefficient that is not 0 modulo a prime. So the one returned vanishes, as far as the solution is analytic in the
    parameters. Where there is an expansion (in another scaling too), the one returned vanishes on it to 48 terms as well.

    Raises NoPolynomialError where bounds on terms are passed; InputError for values that are no parameters.
    """
    fixed = {}
    for symbol, value in (values or {}).items():
        if symbol not in of.parameters:
            raise InputError(f"{symbol} is not a parameter; they are {', '.join(map(str, of.parameters))}")
        fixed[symbol] = exact_number(value, str(symbol))
    if of.symbols_without_law:
        raise NoPolynomialError(
            f"{of.symbols_without_law[0]} is a matrix without a law, and its equations are equations of matrices: "
            "give it a law, or take numbers from evaluate with an array"
        )
    try:
        system = polynomial_system(of, fixed)
        found = Elimination(system, Witness(of, system)).run()
    except NoPolynomialError as error:
        raise NoPolynomialError(
            f"elimination to one polynomial was given up: {error}. Numbers for parameters, polynomial({{...}}), make it smaller; "
            "evaluate, diff, sample, density and edges do not need it"
        ) from error
    return _as_poly(of, system, found)


class Elimination:
    """Resultants of one system, each formed once; the ``witness`` says which of their factors vanish at the solution."""

    def __init__(self, system: System, witness: Witness) -> None:
        self.system, self.ring, self.witness = system, system.ring, witness
        self.steps: dict[Any, fmpz_mpoly] = {}
        self.budget = Budget(WORK[-1])

    def run(self) -> fmpz_mpoly:
        """The factor of the eliminant that vanishes at the law's value."""
        try:
            return self._run()
        except Contradiction:
            if self.witness.series is None:
                raise
        self.witness.series = None  # not the expansion of the solution: balls alone
        self.steps.clear()
        return self._run()

    def _run(self) -> fmpz_mpoly:
        """Tries several orders of the unknowns."""
        failures: dict[str, None] = {}
        start = [self._vanishing(p) for p in self.system.polynomials]
        orders = [(), *islice(permutations(self.system.unknowns), MOST_ORDERS)]
        for work, order in [*product(WORK[:1], orders), *product(WORK[1:], orders[:THOROUGH])]:
            self.budget = Budget(work)
            try:
                return self.witness.single(_factors(self._in_order(start, order)))
            except Contradiction:
                raise
            except NoPolynomialError as error:
                failures[str(error)] = None
        raise NoPolynomialError("; ".join(list(failures)[-2:]))

    def _in_order(self, start: list[fmpz_mpoly], order: tuple[sp.Symbol, ...]) -> fmpz_mpoly:
        """A polynomial in the value and the parameters alone; without an ``order`` the cheapest unknown goes first."""
        degree, letter, polynomials = self.ring.degree, self.system.letter, start
        left = list(order or self.system.unknowns)
        while True:
            left = [s for s in left if any(degree(p, s) for p in polynomials)]
            done = [p for p in polynomials if degree(p, letter) and not any(degree(p, s) for s in left)]
            if done:
                return min(done, key=len)
            if not left:
                raise NoPolynomialError("the equations left do not determine the value")
            symbol, pivot = self._choice(polynomials, left[:1] if order else left)
            with_it = [p for p in polynomials if p is not pivot and degree(p, symbol)]
            polynomials = [p for p in polynomials if not degree(p, symbol)]
            for other in with_it:
                found = self._eliminated(pivot, other, symbol)
                if found not in polynomials:
                    polynomials.append(found)

    def _choice(self, polynomials: list[fmpz_mpoly], symbols: list[sp.Symbol]) -> tuple[sp.Symbol, fmpz_mpoly]:
        """The symbol to eliminate next and the polynomial to do it with: where the resultants are smallest."""
        choices = []
        for symbol in symbols:
            place = self.ring.place[symbol]
            inside = [p for p in polynomials if self.ring.degree(p, symbol)]
            bounds = [max((bound(pivot, p, place) for p in inside if p is not pivot), default=0) for pivot in inside]
            best = bounds.index(min(bounds))
            choices.append((bounds[best], symbol, inside[best], [p for p in inside if p is not inside[best]]))
        cost, symbol, pivot, _ = min(choices, key=lambda c: c[0])
        if cost > EASY and len(choices) > 1:
            _, symbol, pivot, _ = min(choices, key=lambda c: self._size(c[2], c[3], c[1]))
        return symbol, pivot

    def _size(self, pivot: fmpz_mpoly, others: list[fmpz_mpoly], symbol: sp.Symbol) -> int:
        return max((size(pivot, p, self.ring.place[symbol]) for p in others), default=0)

    def _eliminated(self, pivot: fmpz_mpoly, other: fmpz_mpoly, symbol: sp.Symbol) -> fmpz_mpoly:
        key = frozenset((str(pivot), str(other))), symbol
        if key not in self.steps:
            self.steps[key] = self._vanishing(resultant(pivot, other, self.ring.place[symbol], self.budget))
        return self.steps[key]

    def _vanishing(self, poly: fmpz_mpoly) -> fmpz_mpoly:
        """The irreducible factor that is not shown to differ from 0 at the solution; the product where there are several, of
        which one vanishes."""
        if poly.is_zero():
            raise NoPolynomialError("two equations have a common component")
        moving = [self.system.letter, *self.system.unknowns]
        found = [f for f in _factors(poly) if any(self.ring.degree(f, s) for s in moving)]
        if len(found) > 1:
            found = [f for f in found if not self.witness.excludes(f)]
        if not found:
            raise Contradiction("an equation does not vanish at the solution")
        return prod(found[1:], start=found[0])


def _factors(poly: fmpz_mpoly) -> list[fmpz_mpoly]:
    if len(poly) > MOST_TERMS:
        raise NoPolynomialError(f"a polynomial of {len(poly)} terms would have to be factored (limit {MOST_TERMS})")
    return [factor for factor, _ in poly.factor()[1]]


def _as_poly(of: Equations, system: System, found: fmpz_mpoly) -> sp.Poly:
    """Primitive, positive leading coefficient, homogeneous in the dimensions again."""
    ring, scale, content = system.ring, system.scale, found.primitive()[1]
    meaning = {s: system.names.meaning.get(s, s) for s in system.parameters if ring.degree(found, s)}
    terms = {tuple(int(e) for e in powers): int(c) for powers, c in content.to_dict().items()}
    sizes = [ring.place[s] for s, e in meaning.items() if s in of.dimensions or isinstance(e, (sp.Min, sp.Max))]
    weight = {powers: sum(powers[k] for k in sizes) for powers in terms}
    top = max(weight.values())
    generators = sorted([*meaning.values(), *([] if scale is None or min(weight.values()) == top else [scale])], key=str)
    places = {e: ring.place[s] for s, e in meaning.items()}
    domain = sp.ZZ[generators] if generators else sp.ZZ
    coefficients: dict[tuple[int], Any] = {}
    for powers, c in terms.items():
        key = tuple(top - weight[powers] if e == scale else powers[places[e]] for e in generators)
        coefficients.setdefault((powers[0],), {})[key] = c
    lead = coefficients[max(coefficients)]
    sign = 1 if lead[max(lead)] > 0 else -1
    taken = {s.name for s in of.parameters}
    letter = sp.Symbol(next(name for name in LETTERS if name not in taken))
    elements = {power: domain.ring.from_dict(part) if generators else part[()] for power, part in coefficients.items()}
    return sp.Poly.from_dict(elements, letter, domain=domain) * sign
