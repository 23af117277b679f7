"""Moments of an expression with deterministic matrices whose law has a density.

The k-th moment is a polynomial in the moments of that law, up to k times the degree of the expression in its matrices, if the
expression has no inverse of them. So every law with those moments, of any sign, has the same k-th moment: nodes 0, 1, ..., N
with the weights that integrate polynomials of degree N exactly. Elsewhere the nodes of a quadrature. What is integrated
numerically is so twice, with twice the nodes, as a check.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import sympy as sp

from pencils.dyson.equations import Equations
from pencils.elimination.moments import moments
from pencils.errors import ConvergenceError
from pencils.language.densities import COUNTS, Continuous, at_nodes
from pencils.language.ensembles import Deterministic
from pencils.language.tree import Atom, Expression, Identity, Inverse, Node, Product, Sum

DIGITS = 25


def continuous_moments(of: Equations, given: Expression, count: int, values: Mapping[sp.Symbol, sp.Expr]) -> list[sp.Expr]:
    """The moments 1, ..., ``count`` of ``given`` from the equations of its resolvent. Raises ConvergenceError where twice as many
    nodes give others."""
    degree = _degree(given.tree, given)
    measures = [e.density for e in given.ensembles.values() if isinstance(e, Deterministic) and e.density is not None]
    if degree is not None:
        found = moments(_with_rule(of, degree * count), count, values)
        return found if all(m.density.is_polynomial(m.variable) for m in measures) else [_shown(e) for e in found]
    less, more = (moments(_at_nodes(of, nodes), count, values) for nodes in COUNTS[:2])
    for one, other in zip(less, more, strict=True):
        gap, size = (sp.Abs(e.xreplace(dict.fromkeys(other.free_symbols, sp.S.One))) for e in (other - one, other))
        if gap > sp.Rational(1, 10 ** (DIGITS + 1)) * (1 + size):
            raise ConvergenceError(f"{COUNTS[1]} nodes for the continuous law are not enough for {DIGITS} digits of a moment")
    return [_shown(e) for e in more]


def _shown(moment: sp.Expr) -> sp.Expr:
    """To 25 digits; a coefficient of rounding's size is none."""
    return moment.xreplace({c: sp.S.Zero for c in moment.atoms(sp.Rational) if abs(c) < sp.Rational(1, 10**30)}).evalf(DIGITS)


def _with_rule(of: Equations, degree: int) -> Equations:
    """The equations with sums in them that integrate polynomials exactly."""

    def rule(measure: Continuous) -> list[tuple[sp.Expr, sp.Expr]]:
        t, powers, weighted = measure.variable, _powers(measure, degree), []
        for j in range(degree + 1):
            lagrange = sp.Poly(1, t)
            for i in range(degree + 1):
                lagrange *= sp.Poly((t - i) / sp.Integer(j - i), t) if i != j else 1
            weighted.append((sp.Integer(j), sum((c * powers[i] for (i,), c in lagrange.terms()), sp.S.Zero)))
        return weighted

    equations, definitions = (
        tuple(sp.Eq(e.lhs, at_nodes(e.rhs, rule), evaluate=False) for e in group)
        for group in (of.reduced.equations, of.reduced.definitions)
    )
    return of.reduced_to(replace(of.reduced, equations=equations, definitions=definitions))


def _powers(measure: Continuous, degree: int) -> list[sp.Expr]:
    """The integrals of the powers 0, ..., degree of the variable."""
    t, density = measure.variable, measure.density
    if density.is_polynomial(t):
        primitives = [sp.Poly(density * t**i, t).integrate(t) for i in range(degree + 1)]
        return [p.eval(measure.high) - p.eval(measure.low) for p in primitives]
    rules = [measure.nodes(nodes, 2 * DIGITS) for nodes in COUNTS[2:4]]
    less, more = ([sum((w * x**i for x, w in rule), sp.S.Zero) for i in range(degree + 1)] for rule in rules)
    for one, other in zip(less, more, strict=True):
        if abs(other - one) > sp.Rational(1, 10 ** (DIGITS + 5)) * (1 + abs(other)):
            raise ConvergenceError(f"{COUNTS[3]} nodes for the continuous law are not enough for {DIGITS} digits of a moment")
    return more


def _at_nodes(of: Equations, count: int) -> Equations:
    given = of.expression.ensembles
    ensembles = {m: e.at_nodes(count, DIGITS + 10) if isinstance(e, Deterministic) else e for m, e in given.items()}
    return Equations(replace(of.expression, ensembles=ensembles), of.spectral)


def _degree(node: Node, given: Expression) -> int | None:
    """The degree in the variable of a density; None where that is no polynomial."""
    if isinstance(node, Atom):
        ensemble = given.ensembles[node.symbol]
        if not isinstance(ensemble, Deterministic) or ensemble.density is None:
            return 0
        value, variable = sp.sympify(ensemble.law[-1][0]), ensemble.density.variable
        return int(sp.degree(value, variable)) if value.is_polynomial(variable) else None
    if isinstance(node, Identity):
        return 0
    if isinstance(node, Inverse):
        return 0 if _degree(node.arg, given) == 0 else None
    assert isinstance(node, (Sum, Product))
    parts = [_degree(part, given) for part in (node.factors if isinstance(node, Product) else [term for _, term in node.terms])]
    if any(part is None for part in parts):
        return None
    known = [part for part in parts if part is not None]
    return sum(known) if isinstance(node, Product) else max(known, default=0)
