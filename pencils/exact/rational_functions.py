"""SymPy expressions as rational functions over the integers: exact fractions of FLINT polynomials.

What is not rational gets a name. An algebraic number or a root of a parameter is a name with a *relation* (r^2 = 2,
r^2 = zeta): later an unknown like any other. pi, exp(1), Min(n, p) and the like are names without one, and count as
parameters: an identity in such a name holds at its value.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import sympy as sp
from flint import fmpz_mpoly, fmpz_mpoly_ctx

from pencils.errors import NoPolynomialError

MOST_TERMS = 3000  # of a numerator or denominator


@dataclass
class Names:
    """Names of what is not rational, inner ones first: ``meaning`` says what each stands for, ``relations`` holds the
    polynomial in the name (and earlier ones) that vanishes, and ``roots`` the pairs (base, index) of those that are roots."""

    meaning: dict[sp.Symbol, sp.Expr] = field(default_factory=dict)
    relations: dict[sp.Symbol, sp.Expr] = field(default_factory=dict)
    roots: dict[sp.Symbol, tuple[sp.Expr, int]] = field(default_factory=dict)
    known: dict[sp.Expr, sp.Symbol] = field(default_factory=dict)

    @property
    def constants(self) -> list[sp.Symbol]:
        """Names without a relation."""
        return [name for name in self.meaning if name not in self.relations]

    def rational(self, expr: sp.Expr) -> sp.Expr:
        """The expression with names in place of what is not rational."""
        expr = sp.sympify(expr)
        if expr.is_Rational or expr.is_Symbol:
            return expr
        if isinstance(expr, (sp.Add, sp.Mul)):
            return expr.func(*[self.rational(a) for a in expr.args])
        if isinstance(expr, sp.Pow) and expr.exp.is_Integer:
            return sp.Pow(self.rational(expr.base), expr.exp)
        if isinstance(expr, sp.Pow) and expr.exp.is_Rational and not expr.base.is_Rational:
            return self._root(expr.base, int(expr.exp.q)) ** int(expr.exp.p)
        if isinstance(expr, sp.Pow) and expr.exp.is_Rational and expr.base.is_positive:
            # by primes: sqrt(6) beside sqrt(2) and sqrt(3) would be three names with a relation that nobody knows
            factors = sp.factorint(expr.base)
            return sp.Mul(*[self._root(sp.Integer(b), int(expr.exp.q)) ** (e * int(expr.exp.p)) for b, e in factors.items()])
        if expr not in self.known:
            name = self._new(expr)
            if expr.is_number and expr.is_algebraic:
                self.relations[name] = sp.minimal_polynomial(expr, name)
        return self.known[expr]

    def _root(self, base: sp.Expr, index: int) -> sp.Symbol:
        key = sp.Pow(base, sp.Rational(1, index))
        if key not in self.known:
            inner = self.rational(base)
            name = self._new(key)
            self.relations[name], self.roots[name] = name**index - inner, (inner, index)
        return self.known[key]

    def _new(self, expr: sp.Expr) -> sp.Symbol:
        self.known[expr] = name = sp.Dummy(f"r{len(self.known)}")
        self.meaning[name] = expr
        return name


def walk(expr: sp.Expr, leaf: Callable[[sp.Expr], Any], memo: dict[sp.Expr, Any]) -> Any:
    """A rational expression in anything that can be added, multiplied and raised to integer powers."""
    if expr not in memo:
        if isinstance(expr, sp.Add):
            first, *rest = (walk(a, leaf, memo) for a in expr.args)
            for term in rest:
                first = first + term
            memo[expr] = first
        elif isinstance(expr, sp.Mul):
            first, *rest = (walk(a, leaf, memo) for a in expr.args)
            for factor in rest:
                first = first * factor
            memo[expr] = first
        elif isinstance(expr, sp.Pow):
            memo[expr] = walk(expr.base, leaf, memo) ** int(expr.exp)
        else:
            memo[expr] = leaf(expr)
    return memo[expr]


class Fraction:
    """A quotient of integer polynomials in lowest terms."""

    __slots__ = ("bottom", "top")

    def __init__(self, top: fmpz_mpoly, bottom: fmpz_mpoly) -> None:
        if bottom.is_zero():
            raise ZeroDivisionError("a denominator vanishes identically")
        if not bottom.is_one():
            common = top.gcd(bottom)
            top, bottom = top / common, bottom / common
        self.top, self.bottom = top, bottom
        if max(len(top), len(bottom)) > MOST_TERMS:
            raise NoPolynomialError(f"a rational function of more than {MOST_TERMS} terms occurs")

    def __add__(self, other: Fraction) -> Fraction:
        if self.bottom == other.bottom:
            return Fraction(self.top + other.top, self.bottom)
        common = self.bottom.gcd(other.bottom)
        left, right = other.bottom / common, self.bottom / common
        check_product(self.top, left)
        check_product(other.top, right)
        return Fraction(self.top * left + other.top * right, self.bottom * left)

    def __sub__(self, other: Fraction) -> Fraction:
        return self + -other

    def __neg__(self) -> Fraction:
        return Fraction(-self.top, self.bottom)

    def __mul__(self, other: Fraction) -> Fraction:
        check_product(self.top, other.top)
        check_product(self.bottom, other.bottom)
        return Fraction(self.top * other.top, self.bottom * other.bottom)

    def __rtruediv__(self, other: int) -> Fraction:
        return Fraction(other * self.bottom, self.top)

    def __truediv__(self, other: Fraction) -> Fraction:
        return self * other**-1

    def __pow__(self, exponent: int) -> Fraction:
        if exponent < 0:
            return Fraction(self.bottom, self.top) ** -exponent
        return Fraction(self.top**exponent, self.bottom**exponent)

    def __bool__(self) -> bool:
        return not self.top.is_zero()


def check_product(left: fmpz_mpoly, right: fmpz_mpoly) -> None:
    """Refuse a product that would take long to form."""
    if len(left) * len(right) > MOST_TERMS**2:
        raise NoPolynomialError(f"a product of polynomials of {len(left)} and {len(right)} terms occurs")


class Ring:
    """ZZ[symbols] and its fractions."""

    def __init__(self, symbols: Sequence[sp.Symbol]) -> None:
        self.symbols = list(symbols)
        self.context = fmpz_mpoly_ctx.get([f"x{k}" for k in range(len(self.symbols))] or ["x0"], "lex")
        self.place = {symbol: k for k, symbol in enumerate(self.symbols)}
        self.memo: dict[sp.Expr, Fraction] = {}

    def gen(self, symbol: sp.Symbol) -> fmpz_mpoly:
        """The generator of a symbol."""
        return self.context.gens()[self.place[symbol]]

    def degree(self, poly: fmpz_mpoly, symbol: sp.Symbol) -> int:
        """Degree in a symbol."""
        return int(poly.degrees()[self.place[symbol]])

    def fraction(self, expr: sp.Expr) -> Fraction:
        """The fraction that a rational expression is. Raises NoPolynomialError where it is too large."""
        return walk(expr, self._leaf, self.memo)  # type: ignore[no-any-return]

    def _leaf(self, expr: sp.Expr) -> Fraction:
        one = self.context.constant(1)
        if expr.is_Rational:
            return Fraction(self.context.constant(int(expr.p)), self.context.constant(int(expr.q)))
        return Fraction(self.gen(expr), one)
