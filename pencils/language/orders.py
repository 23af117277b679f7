"""Whether an expression has a limit: the rule on the sizes of its summands.

All dimensions grow like one number N. The operator norm of a p x q Gaussian matrix, or of a Wigner matrix, with entry
variance v grows like sqrt(N v); deterministic matrices have bounded norm; products add exponents and inverses negate them.
A sum has a limit when its terms have one exponent, a normalised trace or a bilinear form when the whole has exponent 0.
"""

from __future__ import annotations

from collections.abc import Collection

import sympy as sp

from pencils.errors import InputError
from pencils.language.declarations import short
from pencils.language.ensembles import Gaussian, Wigner
from pencils.language.tree import Atom, Expression, Identity, Inverse, Node, Product, Sum, term_text, text, walk


def degree(scalar: sp.Expr, dimensions: Collection[sp.Symbol]) -> sp.Rational:
    """The degree of a scalar that is homogeneous in the dimensions: f(t n, t d, ...) = t^degree f(n, d, ...).

    Only such a scalar has a value that depends on the ratios alone, once its power of N is taken out. Raises InputError
    for others, such as (n + 1)/n, whose limit the user has to write.
    """
    found = _degree(scalar, dimensions)
    if found is None:
        found = _degree(sp.factor(scalar), dimensions)
    if found is not None:
        return found
    raise InputError(
        f"{short(scalar)} is not homogeneous in the dimensions {', '.join(map(str, dimensions))}: "
        "write its leading order, since only ratios of dimensions matter in the limit"
    )


def _degree(scalar: sp.Expr, dimensions: Collection[sp.Symbol]) -> sp.Rational | None:
    if scalar.is_Symbol or not scalar.free_symbols & set(dimensions):
        return sp.Integer(scalar in dimensions)
    parts = []
    for arg in scalar.args:
        part = _degree(arg, dimensions)
        if part is None:
            return None
        parts.append(part)
    if scalar.is_Mul:
        return sum(parts, sp.S.Zero)
    if scalar.is_Pow:
        return parts[0] * scalar.exp
    return parts[0] if len(set(parts)) == 1 else None


def exponent(node: Node, expression: Expression) -> sp.Rational:
    """The e such that the operator norm of ``node`` grows like N^e. Raises InputError for a sum of different sizes."""
    if isinstance(node, Atom):
        ensemble = expression.ensembles[node.symbol]
        if isinstance(ensemble, (Gaussian, Wigner)):
            return (degree(ensemble.variance, expression.dimensions) + 1) / sp.Integer(2)
        return sp.S.Zero
    if isinstance(node, Identity):
        return sp.S.Zero
    if isinstance(node, Inverse):
        return -exponent(node.arg, expression)
    if isinstance(node, Product):
        return sum((exponent(factor, expression) for factor in node.factors), sp.S.Zero)
    assert isinstance(node, Sum)
    sizes = [degree(c, expression.dimensions) + exponent(term, expression) for c, term in node.terms]
    if len(set(sizes)) > 1:
        _refuse(node, sizes)
    return sizes[0] if sizes else sp.S.Zero


def check_limit(expression: Expression) -> None:
    """Raise InputError unless the normalised trace, or the bilinear form, has a limit as the dimensions grow together.

    The message names the term, its size and the power of a dimension that is missing.
    """
    for node in walk(expression.tree):
        for space in (node.rows, node.cols):
            if space != 1 and degree(space, expression.dimensions) != 1:
                raise InputError(
                    f"the dimension {space} is of degree {degree(space, expression.dimensions)} in its symbols: "
                    "all dimensions must grow in proportion"
                )
    size = exponent(expression.tree, expression)
    if size != 0:
        what = "the normalised trace of " if expression.ends is None else ""
        raise InputError(
            f"{what}{short(text(expression.tree))} has size of order {_power(expression.tree, size)} and "
            f"no limit: {_cure(expression.tree, size)}"
        )


def _refuse(node: Sum, sizes: list[sp.Rational]) -> None:
    """The culprit is a term that has not the size nearest to order 1."""
    wanted = min(sizes, key=abs)
    culprit = next(k for k, size in enumerate(sizes) if size != wanted)
    beside = sizes.index(wanted)
    coefficient, term = node.terms[culprit]
    raise InputError(
        f"{short(term_text(coefficient, term))} has size of order {_power(term, sizes[culprit])} in {short(text(node))}, "
        f"beside {short(term_text(*node.terms[beside]))} of order {_power(node.terms[beside][1], wanted)}: "
        f"{_cure(term, sizes[culprit] - wanted)}"
    )


def _dimension(node: Node) -> sp.Expr:
    """A dimension to divide by: one that is summed over, such as n in X.T*X, before one of the shape."""
    spaces = {space for part in walk(node) for space in (part.rows, part.cols) if str(space) != "1"}  # nor a symbol "1"
    return min(spaces - {node.rows, node.cols} or spaces, key=str)


def _power(node: Node, size: sp.Rational) -> str:
    return str(_dimension(node) ** size)


def _cure(node: Node, size: sp.Rational) -> str:
    return f"divide it by {_power(node, size)}" if size > 0 else f"multiply it by {_power(node, -size)}"
