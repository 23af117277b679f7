"""Checked matrix expressions as trees of sums, products, inverses and atoms over spaces; their adjoints and their text.

A *space* is a dimension, written as the SymPy expression that it is in the shapes: two spaces are one when the expressions
are equal. ``expression.read`` makes such trees.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Any, TypeAlias

import sympy as sp

from pencils.language.ensembles import Ensemble, same, symmetric_atom

Space: TypeAlias = sp.Expr


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


def product(nodes: list[Node]) -> Node:
    """The product of nodes, flat and without identities."""
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
        return product([transpose(factor, ensembles, conjugate) for factor in reversed(node.factors)])
    assert isinstance(node, Inverse)
    return Inverse(node.cols, node.rows, transpose(node.arg, ensembles, conjugate))


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
