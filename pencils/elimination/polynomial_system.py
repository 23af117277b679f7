"""The reduced equations of a law as polynomials with integer coefficients."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import sympy as sp
from flint import fmpz_mpoly

from pencils.dyson.equations import Equations
from pencils.errors import NoPolynomialError
from pencils.exact.rational_functions import Names, Ring


@dataclass(frozen=True)
class Plain:
    """The reduced equations of a law with ``fixed`` parameters put in, names for what is not rational, and the dimension
    ``scale`` put 1 (a law depends on ratios).

    ``relations`` holds the polynomials that vanish at names, ``bases`` what the named roots are roots of; ``parameters`` are
    the other symbols: parameters left free, and names of constants.
    """

    names: Names
    equations: Mapping[sp.Symbol, sp.Expr]
    definitions: Mapping[sp.Symbol, sp.Expr]
    value: sp.Expr
    relations: Mapping[sp.Symbol, sp.Expr]
    bases: Mapping[sp.Symbol, tuple[sp.Expr, int]]
    parameters: tuple[sp.Symbol, ...]
    fixed: Mapping[sp.Symbol, sp.Expr]
    scale: sp.Symbol | None


@dataclass(frozen=True)
class System(Plain):
    """``polynomials`` in ``letter`` (the value), ``unknowns`` and parameters, which vanish at the solution of a law."""

    ring: Ring
    letter: sp.Symbol
    unknowns: tuple[sp.Symbol, ...]
    polynomials: tuple[fmpz_mpoly, ...]


def plain_equations(of: Equations, fixed: Mapping[sp.Symbol, sp.Expr]) -> Plain:
    """The reduced equations of a law as rational expressions in symbols. Raises NoPolynomialError where they hold integrals."""
    if any(sp.sympify(e.rhs).has(sp.Integral) for e in (*of.reduced.equations, *of.reduced.definitions)):
        raise NoPolynomialError("a matrix has a law with a density, and the equations hold integrals over it")
    names = Names()
    free = [d for d in of.dimensions if d not in fixed]
    scale = free[0] if free and len(free) == len(of.dimensions) else None
    one = {} if scale is None else {scale: sp.S.One}

    def plain(expr: sp.Expr) -> sp.Expr:
        return names.rational(sp.sympify(expr).xreplace(dict(fixed))).xreplace(one)

    value = plain(of.value)
    equations = {e.lhs: plain(e.rhs) for e in of.reduced.equations}
    definitions = _needed(value, {e.lhs: plain(e.rhs) for e in of.reduced.definitions})
    relations = {name: relation.xreplace(one) for name, relation in names.relations.items()}
    bases = {name: (base.xreplace(one), index) for name, (base, index) in names.roots.items()}
    occurring = {s for e in [value, *equations.values(), *definitions.values(), *relations.values()] for s in e.free_symbols}
    parameters = sorted(occurring - {*equations, *definitions, *relations}, key=str)
    return Plain(names, equations, definitions, value, relations, bases, tuple(parameters), fixed, scale)


def polynomial_system(of: Equations, fixed: Mapping[sp.Symbol, sp.Expr]) -> System:
    """The equations of a law with cleared denominators. Raises NoPolynomialError where they are too large.

    A denominator vanishes on components that are no solutions; the equations hold at the solution all the same.
    """
    plain = plain_equations(of, fixed)
    letter, unknowns = sp.Dummy("value"), (*plain.equations, *plain.relations)
    ring = Ring([letter, *unknowns, *plain.parameters])
    for symbol, expr in plain.definitions.items():
        ring.memo[symbol] = ring.fraction(expr)
    answer = ring.fraction(plain.value)
    polynomials = [(ring.fraction(s) - ring.fraction(e)).top for s, e in plain.equations.items()]
    polynomials.append(answer.bottom * ring.gen(letter) - answer.top)
    polynomials += [ring.fraction(r).top for r in plain.relations.values()]
    return System(**vars(plain), ring=ring, letter=letter, unknowns=unknowns, polynomials=tuple(polynomials))


def _needed(value: sp.Expr, definitions: Mapping[sp.Symbol, sp.Expr]) -> dict[sp.Symbol, sp.Expr]:
    """The definitions that a value uses, in their order."""
    used = set(value.free_symbols)
    for symbol in reversed(definitions):
        if symbol in used:
            used |= definitions[symbol].free_symbols
    return {s: e for s, e in definitions.items() if s in used}
