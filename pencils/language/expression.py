"""A SymPy matrix expression as a checked tree of sums, products, inverses and atoms over spaces.

A *space* is a dimension, written as the SymPy expression that it is in the shapes: two spaces are one when the expressions
are equal. SymPy does not check symbolic shapes, so this walk does. What SymPy cancels before it is seen here (``A - A``,
``B.inverse()*B``) is not detected.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Any, TypeAlias

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
from pencils.language.ensembles import Ensemble, Vector, Wigner, same, scalar, symmetric_atom

Space: TypeAlias = sp.Expr
MAX_POWER = 64


@dataclass(frozen=True)
class Node:
    """A matrix expression of ``rows`` x ``cols``."""

    rows: Space
    cols: Space


@dataclass(frozen=True)
class Atom(Node):
    """A declared matrix, or its transpose (adjoint)."""

    symbol: sp.MatrixSymbol
    transposed: bool = False


@dataclass(frozen=True)
class Identity(Node):
    """The identity of a space."""


@dataclass(frozen=True)
class Sum(Node):
    """Sum of coefficient * node; no terms is the zero matrix."""

    terms: tuple[tuple[sp.Expr, Node], ...]


@dataclass(frozen=True)
class Product(Node):
    """Product of nodes, from left to right."""

    factors: tuple[Node, ...]


@dataclass(frozen=True)
class Inverse(Node):
    """Inverse of a square node."""

    arg: Node


End = tuple[sp.Expr, sp.MatrixSymbol, Node, sp.MatrixSymbol]  # coefficient * left.T * node * right


@dataclass(frozen=True)
class Expression:
    """A checked expression: its tree, the ensembles of its atoms, and its parameters (dimensions and scalars).

    ``ends`` is None for an expression whose normalised trace is meant. For a bilinear form, the sum of
    coefficient * u.T * E * v, it lists (coefficient, u, tree of E, v), and ``tree`` is the 1 x 1 sum of all.
    """

    source: Any
    tree: Node
    ensembles: Mapping[sp.MatrixSymbol, Ensemble]
    ends: tuple[End, ...] | None = None

    @cached_property
    def dimensions(self) -> list[sp.Symbol]:
        """Symbols that occur in shapes."""
        spaces = {space for node in walk(self.tree) for space in (node.rows, node.cols)}
        return sorted({s for space in spaces for s in space.free_symbols}, key=str)

    @cached_property
    def parameters(self) -> list[sp.Symbol]:
        """Every scalar symbol: dimensions and the symbols of coefficients and variances."""
        found = set(self.dimensions)
        for node in walk(self.tree):
            if isinstance(node, Sum):
                found |= {s for coefficient, _ in node.terms for s in coefficient.free_symbols}
            if isinstance(node, Atom):
                found |= getattr(self.ensembles[node.symbol], "variance", sp.S.Zero).free_symbols
        return sorted(found, key=str)


def walk(node: Node) -> Iterator[Node]:
    """All nodes of a tree, parents first."""
    yield node
    children: tuple[Node, ...] = ()
    if isinstance(node, Sum):
        children = tuple(term for _, term in node.terms)
    elif isinstance(node, Product):
        children = node.factors
    elif isinstance(node, Inverse):
        children = (node.arg,)
    for child in children:
        yield from walk(child)


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
        tree: Node = Sum(sp.S.One, sp.S.One, tuple((c, _product(_between(u, [node], v))) for c, u, node, v in ends))
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
        product = _product(nodes)
        return product if coefficient == 1 else _sum([product], coefficient)
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
    return _product([factor] * abs(int(exponent)))


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
    yield coefficient, left, _product(nodes), right


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


def _product(nodes: list[Node]) -> Node:
    factors: list[Node] = []
    for node in nodes:
        factors += node.factors if isinstance(node, Product) else [] if isinstance(node, Identity) else [node]
    if not factors:
        return nodes[0]
    if len(factors) == 1:
        return factors[0]
    return Product(factors[0].rows, factors[-1].cols, tuple(factors))


def transpose(node: Node, ensembles: Mapping[sp.MatrixSymbol, Ensemble], conjugate: bool = True) -> Node:
    """The adjoint of a tree. The imaginary unit in a coefficient is conjugated unless ``conjugate`` is False; symbols are
    taken as they are (a complex parameter is not conjugated)."""
    if isinstance(node, Atom):
        flipped = not node.transposed and not symmetric_atom(ensembles[node.symbol])
        return Atom(node.cols, node.rows, node.symbol, flipped)
    if isinstance(node, Identity):
        return node
    if isinstance(node, Sum):
        turn = {sp.I: -sp.I} if conjugate else {}
        terms = ((c.xreplace(turn), transpose(term, ensembles, conjugate)) for c, term in node.terms)
        return Sum(node.cols, node.rows, tuple(terms))
    if isinstance(node, Product):
        return _product([transpose(factor, ensembles, conjugate) for factor in reversed(node.factors)])
    assert isinstance(node, Inverse)
    return Inverse(node.cols, node.rows, transpose(node.arg, ensembles, conjugate))


def text(node: Node) -> str:
    """The tree as plain text, as one would type it; I is the identity."""
    if isinstance(node, Atom):
        return f"{node.symbol}.T" if node.transposed else str(node.symbol)
    if isinstance(node, Identity):
        return "I"
    if isinstance(node, Inverse):
        return f"inv({text(node.arg)})"
    if isinstance(node, Product):
        return "*".join(_power_text(factor, len(list(run))) for factor, run in groupby(node.factors))
    assert isinstance(node, Sum)
    return " + ".join(term_text(*term) for term in node.terms).replace("+ -", "- ") or "0"


def _power_text(node: Node, times: int) -> str:
    front = f"({text(node)})" if isinstance(node, Sum) else text(node)
    return front if times == 1 else f"{front}**{times}"


def term_text(coefficient: sp.Expr, node: Node) -> str:
    """coefficient * node as plain text; i is the imaginary unit."""
    top, bottom = coefficient.xreplace({sp.I: sp.Symbol("i")}).as_numer_denom()
    sign, top = ("-", -top) if top.could_extract_minus_sign() else ("", top)
    front = "" if top == 1 else f"({top})*" if top.is_Add else f"{top}*"
    back = "" if bottom == 1 else f"/({bottom})" if bottom.is_Add or bottom.is_Mul else f"/{bottom}"
    return f"{sign}{front}{text(node)}{back}"


def is_symmetric(expression: Expression) -> bool:
    """Whether the tree is its own adjoint, but for the order of sums and of commuting matrices.

    A structural test: True is a proof (for real parameters, of a Hermitian matrix), False is not a disproof.
    """
    tree, ensembles = expression.tree, expression.ensembles
    return same(tree.rows, tree.cols) and _canonical(tree, ensembles) == _canonical(transpose(tree, ensembles), ensembles)


def _canonical(node: Node, ensembles: Mapping[sp.MatrixSymbol, Ensemble]) -> tuple[Any, ...]:
    """A key that is equal for equal trees, whatever the order of terms and of commuting factors."""
    if isinstance(node, Atom):
        return "atom", str(node.symbol), node.transposed
    if isinstance(node, Identity):
        return ("identity",)
    if isinstance(node, Inverse):
        return "inverse", _canonical(node.arg, ensembles)
    if isinstance(node, Sum):
        total: dict[Any, sp.Expr] = defaultdict(lambda: sp.S.Zero)
        for coefficient, term in node.terms:
            total[_canonical(term, ensembles)] += coefficient
        return "sum", frozenset((key, c) for key, value in total.items() if (c := sp.expand(value)) != 0)
    assert isinstance(node, Product)
    runs: list[tuple[Any, list[Any]]] = []
    for factor in node.factors:
        group = getattr(ensembles[factor.symbol], "joint", None) if isinstance(factor, Atom) else None
        if group is None or not runs or runs[-1][0] != group:
            runs.append((group, []))
        runs[-1][1].append(_canonical(factor, ensembles))
    return "product", tuple(tuple(sorted(keys, key=str)) if group else tuple(keys) for group, keys in runs)
