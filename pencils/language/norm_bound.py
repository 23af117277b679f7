"""A bound on the operator norm of an expression in the limit of large dimensions."""

from __future__ import annotations

from collections.abc import Mapping

import sympy as sp

from pencils.language.ensembles import Deterministic, Gaussian, Wigner
from pencils.language.tree import Atom, Expression, Inverse, Node, Product, Sum

Norms = Mapping[sp.MatrixSymbol, sp.Expr]


def norm_bound(expression: Expression, values: Mapping[sp.Symbol, sp.Expr], norms: Norms) -> float | None:
    """An upper bound on the limit of the operator norm at given parameters; None where an inverse leaves it open.

    p x q Gaussian entries of variance v: sqrt(v) (sqrt p + sqrt q); Wigner: 2 sqrt(v n) (Bai-Yin); ``norms`` has those of
    vectors. Sums and products by the triangle inequality.
    """
    return _bound(expression.tree, expression, values, norms)


def _bound(node: Node, expression: Expression, values: Mapping[sp.Symbol, sp.Expr], norms: Norms) -> float | None:
    if isinstance(node, Inverse):
        return None
    if isinstance(node, Atom):
        if node.symbol in norms:
            return float(norms[node.symbol])
        ensemble = expression.ensembles[node.symbol]
        if isinstance(ensemble, Deterministic):
            law = ensemble.law or ensemble.singular_values
            return None if law is None else max(abs(float(value)) for value, _ in law)
        assert isinstance(ensemble, (Gaussian, Wigner))
        sides = [float(side.xreplace(values)) for side in node.symbol.shape]
        variance = abs(complex(sp.sympify(ensemble.variance).xreplace(values)))
        return float(variance**0.5 * sum(side**0.5 for side in sides))
    if isinstance(node, Sum):
        parts = [(abs(complex(c.xreplace(values))), _bound(term, expression, values, norms)) for c, term in node.terms]
        return None if any(p is None for _, p in parts) else sum(c * p for c, p in parts if p is not None)
    factors = [_bound(factor, expression, values, norms) for factor in node.factors] if isinstance(node, Product) else []
    result = 1.0
    for factor in factors:
        if factor is None:
            return None
        result *= factor
    return result
