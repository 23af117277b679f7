"""Text of a matrix expression and of its declarations -> SymPy matrix expression, ensembles and parameters.

An expression is written as in ``tr(inv(X.T*X/n + lam*I))``: declared matrices, scalars, + - * / ** and .T, with ``inv`` of
a square matrix, ``sqrt`` of a scalar, ``I`` the identity, ``i`` the imaginary unit, and one optional ``tr`` around it all.
A declaration is ``NAMES: SHAPE, CLAUSE, ...``, for instance ``X Y: n x d, variance 1/n``; a shape with one side is square, or
a column for a vector. Names in shapes are dimensions; a name declared nowhere is a scalar.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import sympy as sp

from pencils.errors import InputError, ParseError
from pencils.language.checked_algebra import Eye, add, divide, multiply, power, shape_of, show
from pencils.language.declaration_text import CLAUSES, Declaration
from pencils.language.declarations import short
from pencils.language.ensembles import Ensemble, same
from pencils.language.parse import Node, names, parse
from pencils.language.scalar_text import FUNCTIONS, NUMBERS, RESERVED, Scalars, dimension, number, root


@dataclass(frozen=True)
class Problem:
    """An expression, the ensembles of its matrices, and the numbers given for its parameters, as ``Law.evaluate`` takes
    them."""

    expr: sp.MatrixExpr
    ensembles: dict[sp.MatrixSymbol, Ensemble]
    values: dict[sp.Symbol, sp.Expr]


def read(text: str, declarations: Iterable[tuple[str, str]], values: Mapping[str, str]) -> Problem:
    """The problem that is written in ``text``, with ``declarations`` as pairs (kind, text), kinds as in ``CLAUSES``, and the
    numbers of the parameters as text.

    A dimension is positive, and so is a scalar, but for one that is called z or is given a value that is not positive: such a
    one is complex, and may be the spectral parameter. Raises InputError for whatever is not of the form above.
    """
    tree = parse(text, "expression", transpose=True)
    if tree.kind == "call" and tree.value == "tr" and len(tree.args) == 1:
        tree = tree.args[0]
    declared = [Declaration(kind, declaration) for kind, declaration in declarations]
    scalars = Scalars(
        {name for d in declared for side in d.sides for name in names(side)},
        {name: number(value, name) for name, value in values.items()},
    )
    matrices: dict[str, sp.MatrixSymbol] = {}
    for declaration in declared:
        declaration.check_spaces_around_x(values)
        shape = [dimension(side, scalars, declaration.what) for side in declaration.sides]
        for name in declaration.names:
            if name in matrices or name in scalars.dimensions:
                other = "a dimension" if name in scalars.dimensions else "a matrix that is already declared"
                raise InputError(f"{declaration.what}: {name} is {other}; give another name")
            matrices[name] = sp.MatrixSymbol(name, *shape)
    ensembles: dict[sp.MatrixSymbol, Ensemble] = {}
    for declaration in declared:
        ensembles.update(declaration.ensembles(matrices, scalars))
    expr = _Reader(matrices, scalars).matrix(tree)
    for name in scalars.values:
        if name in matrices:
            raise InputError(f"{name} = {values[name]}: {name} is a matrix, and only dimensions and scalars take a value")
    return Problem(expr, ensembles, {scalars.symbol(name): value for name, value in scalars.values.items()})


class _Reader:
    """Tree -> scalar (``sp.Expr``), matrix (``sp.MatrixExpr``) or identity without a size (``Eye``), shapes checked."""

    def __init__(self, matrices: Mapping[str, sp.MatrixSymbol], scalars: Scalars) -> None:
        self.matrices, self.scalars = matrices, scalars

    def matrix(self, tree: Node) -> sp.MatrixExpr:
        """The whole expression: a square matrix, or a bilinear form."""
        value = self.value(tree)
        if isinstance(value, Eye):
            raise InputError(f"{value}: the identity has no neighbour in a sum that gives it a size")
        if not isinstance(value, sp.MatrixExpr):
            raise InputError(f"expression: {show(value)} is a scalar, since no declared matrix is in it; declare the matrices")
        if not same(*value.shape):
            raise InputError(f"{show(value)} is {shape_of(value)}: only a square matrix has a trace")
        return value

    def value(self, node: Node) -> Any:
        args = node.args
        if node.kind == "number":
            return sp.Rational(node.value.numerator, node.value.denominator)
        if node.kind == "name":
            return self._name(node.value)
        if node.kind == "call":
            return self._call(node)
        if node.kind == "transpose":
            return self._transpose(args[0])
        if node.kind == "neg":
            return multiply(sp.S.NegativeOne, self.value(args[0]))
        if node.kind not in ("+", "-", "*", "/", "**"):
            sign = "a list in parentheses" if node.kind == "pair" else repr(node.kind)
            raise ParseError(f"expression: {sign} at position {node.at + 1} is not accepted")
        left, right = (self.value(arg) for arg in args)
        if node.kind == "*":
            return multiply(left, right)
        if node.kind == "/":
            return divide(left, right)
        if node.kind == "**":
            return power(left, right)
        return add(left, right if node.kind == "+" else multiply(sp.S.NegativeOne, right))

    def _name(self, name: str) -> Any:
        if name in FUNCTIONS:
            raise ParseError(f"expression: {name} is a function; write {name}(...)")
        if name in NUMBERS:
            return NUMBERS[name]
        if name == "I":
            return Eye(sp.S.One)
        return self.matrices[name] if name in self.matrices else self.scalars.symbol(name)

    def _call(self, node: Node) -> Any:
        name = node.value
        if name not in FUNCTIONS:
            known = "a matrix" if name in self.matrices else "no function"
            raise ParseError(
                f"expression: {short(name, 40)} at position {node.at + 1} is {known}; the functions are "
                f"{', '.join(FUNCTIONS)}, and a product is written with *"
            )
        if len(node.args) != 1:
            raise ParseError(f"expression: {name} takes one argument, not {len(node.args)}")
        if name == "tr":
            raise InputError(
                "tr is accepted once, around the whole expression; put factors inside it, and take the traces of "
                "matrices of different sizes one by one"
            )
        value = self._matrix_only(node.args[0], "inverse") if name == "inv" else self.value(node.args[0])
        return power(value, sp.S.NegativeOne) if name == "inv" else root(value)

    def _transpose(self, arg: Node) -> Any:
        value = self._matrix_only(arg, "transpose")
        return value if isinstance(value, Eye) else value.T

    def _matrix_only(self, arg: Node, what: str) -> Any:
        value = self.value(arg)
        if isinstance(value, (Eye, sp.MatrixExpr)):
            return value
        cure = "only a matrix has one" + ("; write 1/(...)" if what == "inverse" else "")
        if arg.kind == "name" and arg.value not in RESERVED and arg.value not in self.scalars.dimensions:
            cure += f". If {arg.value} is meant to be a matrix, declare it as {', '.join(CLAUSES)}"
        raise InputError(f"{show(value)} is a scalar and its {what} is asked for: {cure}")
