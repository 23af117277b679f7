"""A SymPy matrix expression as a checked tree.

SymPy does not check symbolic shapes, so this walk does. What SymPy cancels before it is seen here (``A - A``,
``B.inverse()*B``) is not detected.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import sympy as sp

from pencils.errors import InputError
from pencils.language.declarations import (
    DeclarationError,
    Remedy,
    check_declaration,
    check_mapping,
    check_names,
    check_spaces,
    check_unused,
    short,
)
from pencils.language.ensembles import Ensemble, Vector, Wigner, same
from pencils.language.scalars import scalar
from pencils.language.tree import Atom, End, Expression, Identity, Inverse, Node, Sum, product, transpose, walk

MAX_POWER = 64


def read(expr: Any, ensembles: Mapping[sp.MatrixSymbol, Ensemble]) -> Expression:
    """The checked tree of a SymPy matrix expression, whose normalised trace is meant, or of a bilinear form u.T*E*v.

    Every declared matrix must occur, but for members of a joint law and vectors named in an overlap. Raises InputError
    naming the culprit.
    """
    if isinstance(expr, sp.Expr) and not isinstance(expr, sp.MatrixExpr) and expr.has(sp.Trace):
        raise InputError(f"{short(expr)} is a trace: give the matrix itself, its normalised trace is what is computed")
    if not isinstance(expr, sp.MatrixExpr):
        raise InputError(f"a SymPy matrix expression is wanted, not {type(expr).__name__} {short(expr)}")
    check_mapping(ensembles)
    check_names([*expr.atoms(sp.MatrixSymbol), *ensembles])
    ends = None
    if expr.shape == (1, 1):
        ends = tuple(_ends(expr, ensembles))
        tree: Node = Sum(sp.S.One, sp.S.One, tuple((c, product(_between(u, [node], v))) for c, u, node, v in ends))
    else:
        tree = _tree(expr, ensembles)
    used = {node.symbol: ensembles[node.symbol] for node in walk(tree) if isinstance(node, Atom)}
    check_unused(ensembles, used)
    check_spaces(used)
    found = Expression(expr, tree, used, ends)
    check_names(found.parameters)
    return found


def _tree(expr: Any, ensembles: Mapping[sp.MatrixSymbol, Ensemble]) -> Node:
    if isinstance(expr, sp.MatrixSymbol):
        check_declaration(expr, ensembles)
        if isinstance(ensembles[expr], Vector):
            raise DeclarationError(
                f"the vector {expr} is inside a matrix expression, and finite-rank terms do not change a trace", Remedy.OUTLIERS
            )
        return Atom(expr.rows, expr.cols, expr)
    if expr.shape == (1, 1):
        raise InputError(f"{short(expr)} is 1 x 1: write it as a scalar symbol")
    if isinstance(expr, (sp.Identity, sp.ZeroMatrix)):
        if any(space.is_Integer for space in expr.shape):
            raise InputError(f"{expr} is {expr.rows} x {expr.cols}: a dimension that is an integer stays finite; use a symbol")
        return Identity(expr.rows, expr.cols) if isinstance(expr, sp.Identity) else Sum(expr.rows, expr.cols, ())
    if isinstance(expr, (sp.Transpose, sp.Adjoint)):
        return _flip(expr, ensembles)
    if isinstance(expr, (sp.Inverse, sp.MatPow)):
        return _power(expr, ensembles)
    if isinstance(expr, sp.MatAdd):
        terms = [_tree(arg, ensembles) for arg in expr.args]
        for arg, term in zip(expr.args, terms, strict=True):
            _check_sum(terms[0], term, expr.args[0], arg)
        return _sum(terms)
    if isinstance(expr, sp.MatMul):
        coefficient, factors = _factors(expr)
        _check_scalar_factors(factors)
        nodes = [_tree(factor, ensembles) for factor in factors]
        _check_product(nodes, factors)
        whole = product(nodes)
        return whole if coefficient == 1 else _sum([whole], coefficient)
    raise InputError(
        f"{short(expr)}: {_refusal(expr)} is not accepted; an expression is made of declared matrix symbols, "
        "identities, scalars, sums, products, transposes, inverses and whole powers"
    )


def _refusal(expr: Any) -> str:
    return "an explicit matrix" if isinstance(expr, sp.MatrixBase) else f"a {type(expr).__name__}"


def _factors(expr: sp.MatMul) -> tuple[sp.Expr, list[Any]]:
    """The scalar and the matrices of a product, in order."""
    coefficient = sp.Mul(*[arg for arg in expr.args if not arg.is_Matrix])
    return scalar(coefficient, short(expr)), [arg for arg in expr.args if arg.is_Matrix]


def _flip(expr: Any, ensembles: Mapping[sp.MatrixSymbol, Ensemble]) -> Node:
    node = _tree(expr.arg, ensembles)
    conjugate = isinstance(expr, sp.Adjoint)
    for part in walk(node):
        ensemble = ensembles[part.symbol] if isinstance(part, Atom) else None
        if not conjugate and isinstance(ensemble, Wigner) and ensemble.field == "complex":
            raise DeclarationError(
                f"{short(expr)} holds the transpose of a complex Wigner matrix, which is its conjugate, another matrix",
                Remedy.ADJOINT,
            )
    for part in walk(node) if conjugate else ():
        for symbol in {s for c, _ in part.terms for s in c.free_symbols} if isinstance(part, Sum) else ():
            if not symbol.is_real:
                raise InputError(f"{symbol} in {short(expr)}: declare it with real=True, or use .T, which does not conjugate")
    return transpose(node, ensembles, conjugate)


def _power(expr: Any, ensembles: Mapping[sp.MatrixSymbol, Ensemble]) -> Node:
    base, exponent = (expr.arg, sp.Integer(-1)) if isinstance(expr, sp.Inverse) else (expr.base, expr.exp)
    node = _tree(base, ensembles)
    if not exponent.is_Integer:
        raise InputError(f"{short(expr)}: only whole powers of a matrix are accepted, not {exponent}")
    if abs(exponent) > MAX_POWER:
        raise InputError(f"{short(expr)}: powers of a matrix are accepted up to {MAX_POWER}")
    if not same(node.rows, node.cols):
        raise InputError(f"{short(base)} is {node.rows} x {node.cols}: only a square matrix has an inverse or a power")
    if exponent == 0:
        return Identity(node.rows, node.cols)
    factor = node if exponent > 0 else Inverse(node.rows, node.cols, node)
    return product([factor] * abs(int(exponent)))


def _ends(term: Any, ensembles: Mapping[sp.MatrixSymbol, Ensemble]) -> Iterator[End]:
    """The terms coefficient * u.T * E * v of a bilinear form."""
    if isinstance(term, sp.ZeroMatrix):
        return
    if isinstance(term, sp.MatAdd):
        for arg in term.args:
            yield from _ends(arg, ensembles)
        return
    coefficient, factors = _factors(term) if isinstance(term, sp.MatMul) else (sp.S.One, [term])
    if len(factors) == 1 and isinstance(factors[0], sp.MatAdd):
        yield from ((coefficient * c, *rest) for c, *rest in _ends(factors[0], ensembles))
        return
    left, right = (factors[0].arg if isinstance(factors[0], (sp.Transpose, sp.Adjoint)) else None), factors[-1]
    if len(factors) < 2 or not (isinstance(left, sp.MatrixSymbol) and isinstance(right, sp.MatrixSymbol)):
        raise InputError(
            f"{short(term)} is 1 x 1: accepted are sums of u.T*E*v with vectors u and v; write other 1 x 1 matrices as scalars"
        )
    for symbol in (left, right):
        check_declaration(symbol, ensembles)
        if not isinstance(ensembles[symbol], Vector):
            raise DeclarationError(f"{symbol} is {symbol.rows} x {symbol.cols}", Remedy.VECTOR)
    middle = factors[1:-1]
    _check_scalar_factors(middle)
    for end in range(1, len(factors) - 1):
        if factors[end].cols == 1:
            _check_scalar_factors(factors[: end + 1])
    nodes = [_tree(factor, ensembles) for factor in middle] or [Identity(left.rows, left.rows)]
    _check_product(_between(left, nodes, right), factors)
    yield coefficient, left, product(nodes), right


def _between(left: sp.MatrixSymbol, nodes: list[Node], right: sp.MatrixSymbol) -> list[Node]:
    return [Atom(sp.S.One, left.rows, left, True), *nodes, Atom(right.rows, sp.S.One, right)]


def _check_sum(left: Node, right: Node, a: Any, b: Any) -> None:
    if not (same(left.rows, right.rows) and same(left.cols, right.cols)):
        raise InputError(
            f"{short(a)} is {left.rows} x {left.cols} and {short(b)} is {right.rows} x {right.cols}: "
            "only matrices of one shape can be added"
        )


def _check_product(nodes: Sequence[Node], factors: Sequence[Any]) -> None:
    for left, right, a, b in zip(nodes, nodes[1:], factors, factors[1:], strict=False):
        if not same(left.cols, right.rows):
            raise InputError(
                f"{short(a)} ({left.rows} x {left.cols}) times {short(b)} ({right.rows} x {right.cols}): "
                f"{left.cols} and {right.rows} are not the same dimension"
            )


def _check_scalar_factors(factors: Sequence[Any]) -> None:
    """No stretch of a product may be 1 x 1."""
    for start, first in enumerate(factors):
        for end in range(start, len(factors)):
            if first.rows == 1 and factors[end].cols == 1:
                inner = sp.MatMul(*factors[start : end + 1])
                raise InputError(f"{short(inner)} is 1 x 1 inside a product: write it as a scalar symbol")


def _sum(nodes: list[Node], coefficient: sp.Expr = sp.S.One) -> Node:
    terms: list[tuple[sp.Expr, Node]] = []
    for node in nodes:
        inner = node.terms if isinstance(node, Sum) else ((sp.S.One, node),)
        terms += [(coefficient * c, term) for c, term in inner]
    return Sum(nodes[0].rows, nodes[0].cols, tuple(terms))
