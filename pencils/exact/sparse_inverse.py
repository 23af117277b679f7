"""Single entries of the inverse of a sparse symbolic matrix, by elimination over a field of rational functions.

Radicals, the imaginary unit and functions of parameters become generators of their own, with the relations that they satisfy
(r^m = base), so that what is zero cancels to zero and arithmetic is that of polynomials; the pivot is the one of least fill
(Markowitz). No dense symbolic inverse is formed.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from functools import reduce
from operator import add, mul
from typing import Any

import sympy as sp
from flint import Ordering, fmpz_mpoly, fmpz_mpoly_ctx


class Quotient:
    """numer/denom, without common factors, in a ``RationalField``.

    Relations decide what is zero, and are put in at the end: with them put in at every step, common factors would not be
    polynomials any more, and would stay."""

    __slots__ = ("denom", "field", "numer")

    def __init__(self, field: RationalField, numer: fmpz_mpoly, denom: fmpz_mpoly) -> None:
        self.field = field
        if not field.remainder(denom):
            raise ZeroDivisionError("division by a scalar that is zero")
        if not field.remainder(numer):
            numer = field.context.constant(0)
        common = numer.gcd(denom)
        if denom.leading_coefficient() < 0:
            common = -common
        self.numer, self.denom = numer // common, denom // common

    def __bool__(self) -> bool:
        return bool(self.numer)

    def __add__(self, other: Quotient) -> Quotient:
        shared = self.denom.gcd(other.denom)
        left, right = other.denom // shared, self.denom // shared
        return Quotient(self.field, self.numer * left + other.numer * right, self.denom * left)

    def __neg__(self) -> Quotient:
        return Quotient(self.field, -self.numer, self.denom)

    def __sub__(self, other: Quotient) -> Quotient:
        return self + -other

    def __mul__(self, other: Quotient) -> Quotient:
        return Quotient(self.field, self.numer * other.numer, self.denom * other.denom)

    def __truediv__(self, other: Quotient) -> Quotient:
        return Quotient(self.field, self.numer * other.denom, self.denom * other.numer)

    def __pow__(self, exponent: int) -> Quotient:
        if exponent < 0:
            return Quotient(self.field, self.denom**-exponent, self.numer**-exponent)
        return Quotient(self.field, self.numer**exponent, self.denom**exponent)


class RationalField:
    """QQ(generators) for a set of expressions: a generator for every symbol and for everything that is not rational in
    symbols; r = base^(1/m) satisfies r^m = base, and the radicals of a number are those of its primes."""

    def __init__(self, exprs: Iterable[sp.Expr]) -> None:
        self.orders: dict[sp.Expr, int] = {}  # the m of every base
        atoms: set[sp.Expr] = set()
        for expr in exprs:
            self._collect(sp.sympify(expr), atoms)
        # radicals stand before what they are radicals of: then r^m is the leading term of its relation
        radicals = sorted(self.orders, key=lambda base: (-_depth(base), str(base)))
        others = sorted(atoms, key=str)
        self.generators = [base ** sp.Rational(1, self.orders[base]) for base in radicals] + others
        self.context = fmpz_mpoly_ctx.get([f"x{k}" for k in range(len(self.generators))], Ordering.lex)
        self.relations: list[fmpz_mpoly] = []
        self.zero, self.one = self._constant(0), self._constant(1)
        shift = len(radicals)
        self.atoms = {atom: Quotient(self, self.context.gen(shift + k), self.one.denom) for k, atom in enumerate(others)}
        self.roots: dict[sp.Expr, Quotient] = {}
        for place in reversed(range(shift)):
            self._relate(radicals[place], place)

    def _constant(self, numer: int, denom: int = 1) -> Quotient:
        return Quotient(self, self.context.constant(numer), self.context.constant(denom))

    def _collect(self, expr: sp.Expr, atoms: set[sp.Expr]) -> None:
        if expr.is_Add or expr.is_Mul or _is_power(expr):
            for arg in expr.args[:1] if expr.is_Pow else expr.args:
                self._collect(arg, atoms)
        elif radicals := _radicals(expr):
            for base, exponent in radicals:
                self.orders[base] = int(sp.ilcm(self.orders.get(base, 1), exponent.q))
                self._collect(base, atoms)
        elif not expr.is_Rational:
            atoms.add(expr)

    def _relate(self, base: sp.Expr, place: int) -> None:
        """The relation x^m = a b^(m-1), where the generator x is b times the m-th root of the base a/b."""
        order, inside, x = self.orders[base], self.element(base), self.context.gen(place)
        self.roots[base] = Quotient(self, x, inside.denom)
        self.generators[place] *= self._expand(inside.denom)
        self.relations.append(x**order - inside.numer * inside.denom ** (order - 1))

    def remainder(self, polynomial: fmpz_mpoly) -> fmpz_mpoly:
        """The polynomial without the powers that relations replace."""
        for relation in reversed(self.relations):
            polynomial = divmod(polynomial, relation)[1]
        return polynomial

    def element(self, expr: sp.Expr) -> Quotient:
        """The element of the field that an expression is; it holds nothing that the field was not made for."""
        expr = sp.sympify(expr)
        if expr.is_Rational:
            return self._constant(int(expr.p), int(expr.q))
        if expr.is_Add or expr.is_Mul:
            parts = [self.element(arg) for arg in expr.args]
            return reduce(add if expr.is_Add else mul, parts)
        if _is_power(expr):
            return self.element(expr.base) ** int(expr.exp)
        if radicals := _radicals(expr):
            return reduce(mul, (self.roots[base] ** int(exponent * self.orders[base]) for base, exponent in radicals))
        return self.atoms[expr]

    def expr(self, element: Quotient) -> sp.Expr:
        """Back to SymPy."""
        simple = Quotient(self, self.remainder(element.numer), self.remainder(element.denom))
        return self._expand(simple.numer) / self._expand(simple.denom)

    def _expand(self, polynomial: fmpz_mpoly) -> sp.Expr:
        return sp.Add(
            *[
                sp.Mul(sp.Integer(int(coefficient)), *[g**e for g, e in zip(self.generators, powers, strict=True) if e])
                for powers, coefficient in polynomial.to_dict().items()
            ]
        )

    def degree(self, polynomial: fmpz_mpoly, symbols: Container[sp.Symbol]) -> int:
        """Total degree in some of the symbols."""
        places = [k for k, generator in enumerate(self.generators) if generator in symbols]
        return max((sum(powers[k] for k in places) for powers in polynomial.monoms()), default=0)


def _is_power(expr: sp.Expr) -> bool:
    return bool(expr.is_Pow and expr.exp.is_Integer)


def _radicals(expr: sp.Expr) -> list[tuple[sp.Expr, sp.Rational]]:
    """(base, exponent) of the radicals whose product is a radical or the imaginary unit; none for anything else."""
    if expr == sp.I:
        return [(sp.S.NegativeOne, sp.Rational(1, 2))]
    if not (expr.is_Pow and expr.exp.is_Rational):
        return []
    base, exponent = expr.base, expr.exp
    if not base.is_Rational or base == -1:
        return [(base, exponent)]
    primes = sp.factorrat(base)
    return [(sp.Integer(prime), power * exponent) for prime, power in primes.items()]


def _depth(expr: sp.Expr) -> int:
    """How deep radicals are nested in an expression."""
    inner = max((_depth(arg) for arg in expr.args), default=0)
    return inner + bool(_radicals(expr))


def inverse_entries(
    size: int, cells: Mapping[tuple[int, int], Quotient], wanted: Iterable[tuple[int, int]], field: RationalField
) -> dict[tuple[int, int], Quotient]:
    """Entries (k, l) of the inverse of a square matrix given by its non-zero cells. Raises ZeroDivisionError if singular."""
    wanted = list(wanted)
    columns = sorted({l for _, l in wanted})
    rows: list[dict[Any, Quotient]] = [{} for _ in range(size)]
    for (i, j), value in cells.items():
        if value:
            rows[i][j] = value
    for l in columns:
        rows[l]["rhs", l] = field.one
    pivots: list[tuple[int, int]] = []
    left_rows, left_columns = set(range(size)), set(range(size))
    while left_rows:
        counts = {j: sum(j in rows[i] for i in left_rows) for j in left_columns}
        best = (
            min(
                ((sum(j in left_columns for j in rows[i]) - 1) * (counts[k] - 1), _weight(rows[i][k]), i, k)
                for i in left_rows
                for k in rows[i]
                if k in left_columns
            )
            if any(k in left_columns for i in left_rows for k in rows[i])
            else None
        )
        if best is None:
            raise ZeroDivisionError("the matrix of the Dyson equation is singular")
        *_, i, k = best
        pivots.append((i, k))
        left_rows.discard(i)
        left_columns.discard(k)
        pivot = rows[i][k]
        for other in left_rows:
            if k in rows[other]:
                factor = rows[other].pop(k) / pivot
                for j, value in rows[i].items():
                    if j == k:
                        continue
                    summed = rows[other].get(j, field.zero) - factor * value
                    if summed:
                        rows[other][j] = summed
                    else:
                        rows[other].pop(j, None)
    solution: dict[int, dict[int, Quotient]] = {}
    for i, k in reversed(pivots):
        found = {}
        for l in columns:
            value = rows[i].get(("rhs", l), field.zero)
            for j, coefficient in rows[i].items():
                if isinstance(j, int) and j != k and l in solution[j]:
                    value -= coefficient * solution[j][l]
            if value:
                found[l] = value / rows[i][k]
        solution[k] = found
    return {(k, l): solution[k].get(l, field.zero) for k, l in wanted}


def _weight(element: Quotient) -> int:
    return len(element.numer) + len(element.denom)
