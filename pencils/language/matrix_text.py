"""Text of a matrix expression and of its declarations -> SymPy matrix expression, ensembles and parameters.

An expression is written as in ``tr(inv(X.T*X/n + lam*I))``: declared matrices, scalars, + - * / ** and .T, with ``inv`` of
a square matrix, ``sqrt`` of a scalar, ``I`` the identity, ``i`` the imaginary unit, and one optional ``tr`` around it all.
A declaration is ``NAMES: SHAPE, CLAUSE, ...``, for instance ``X Y: n x d, variance 1/n``; a shape with one side is square, or
a column for a vector. Names in shapes are dimensions; a name declared nowhere is a scalar.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sympy as sp

from pencils.errors import InputError, ParseError
from pencils.language.declarations import short
from pencils.language.ensembles import Deterministic, Ensemble, Gaussian, Vector, Wigner, commuting, same
from pencils.language.parse import Node, names, parse, to_sympy

CLAUSES = {
    "gaussian": ("variance",),
    "wigner": ("variance", "real", "complex"),
    "deterministic": ("law", "singular"),
    "commuting": ("law",),
    "vector": ("norm", "components", "overlap"),
}
FUNCTIONS = ("inv", "sqrt", "tr")
RESERVED = {"I": "the identity", "i": "the imaginary unit", "pi": "a number", **dict.fromkeys(FUNCTIONS, "a function")}
_NUMBERS = {"i": sp.I, "pi": sp.pi}
_FLAGS = ("real", "complex")


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
    declared = [_Declaration(kind, declaration) for kind, declaration in declarations]
    scalars = _Scalars(
        {name for d in declared for side in d.sides for name in names(side)},
        {name: number(value, name) for name, value in values.items()},
    )
    matrices: dict[str, sp.MatrixSymbol] = {}
    for declaration in declared:
        declaration.check_spaces_around_x(values)
        shape = [_dimension(side, scalars, declaration.what) for side in declaration.sides]
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


def number(text: str, what: str) -> sp.Expr:
    """An exact number, such as ``0.1``, ``5/2``, ``7/10 + i/2`` or ``sqrt(2)/pi``."""
    try:
        value = to_sympy(parse(text, "value", words=[*_NUMBERS, "sqrt"]), _NUMBERS, {"sqrt": _root}, "value")
    except InputError as error:
        raise InputError(
            f"{what} = {short(text, 40)!r}: not a number ({error}); accepted are numbers such as 0.1, 5/2, sqrt(2), 7/10+2*i"
        ) from error
    # What SymPy cannot split into real and imaginary part (2**i) has no exact value here.
    if not isinstance(value, sp.Expr) or not value.is_finite or any(p.has(sp.re, sp.im) for p in value.as_real_imag()):
        raise InputError(f"{what} = {short(text, 40)!r}: not a number")
    return value


def _root(value: sp.Expr) -> sp.Expr:
    if not isinstance(value, sp.Expr) or isinstance(value, (sp.MatrixExpr, _Eye)):
        raise InputError(f"sqrt({_show(value)}): only a scalar has a square root here")
    return sp.sqrt(value)


class _Scalars:
    """Symbols of dimensions and scalars, made when they are met."""

    def __init__(self, dimensions: set[str], values: Mapping[str, sp.Expr]) -> None:
        self.dimensions, self.values = dimensions, values
        self.symbols: dict[str, sp.Symbol] = {}

    def symbol(self, name: str) -> sp.Symbol:
        if name not in self.symbols:
            positive = name != "z" and bool(self.values.get(name, sp.S.One).is_positive)
            self.symbols[name] = sp.Symbol(name, positive=True if positive or name in self.dimensions else None)
        return self.symbols[name]

    def formula(self, node: Node, what: str) -> sp.Expr:
        """A scalar formula that may hold dimensions and scalars."""
        known = {name: self.symbol(name) for name in names(node) if name not in RESERVED}
        value = to_sympy(node, {**known, **_NUMBERS}, {"sqrt": _root}, what)
        if not isinstance(value, sp.Expr):
            raise ParseError(f"{what}: a formula is wanted, not a condition")
        return value


def _dimension(side: Node, scalars: _Scalars, what: str) -> sp.Expr:
    value = scalars.formula(side, what)
    if value.is_number and value != 1:
        raise InputError(f"{what}: the side {value} stays finite; give a name, or 1 for a vector")
    return value


class _Declaration:
    """``NAMES: SHAPE, CLAUSE, ...``; a clause is a word and what follows it."""

    def __init__(self, kind: str, text: str) -> None:
        self.kind, self.what = kind, f"{kind} {short(text, 60)!r}"
        front, colon, back = text.partition(":")
        self.names = front.split()
        shape, *clauses = [part.strip() for part in back.split(",")]
        if not colon or not self.names or not shape:
            raise InputError(f'{self.what}: write NAMES: SHAPE, for instance "X: n x d", and clauses after commas')
        for name in self.names:
            if not re.fullmatch(r"[^\W\d]\w*", name) or name in RESERVED:
                raise InputError(f"{self.what}: {short(name, 20)!r} is {RESERVED.get(name, 'no name')}")
        sides = re.split(r"\s+x\s+", shape, maxsplit=1)
        if len(sides) == 1:
            sides = [shape, "1"] if kind == "vector" else [shape, shape]
        try:
            self.sides = [parse(side, self.what) for side in sides]
        except ParseError as error:
            raise ParseError(f"{error}; a shape is written as n x d, or d for a square matrix or a vector") from error
        self.clauses: list[tuple[str, str]] = []
        for clause in clauses:
            word, _, rest = clause.partition(" ")
            if word == "density":
                raise InputError(
                    f"{self.what}: a law with a density is declared in Python, as Deterministic(density=(rho, t, low, "
                    "high)); here a law has finitely many values"
                )
            if word not in CLAUSES[kind]:
                spaces = "; between the entries of a law are spaces" if ":" in word else ""
                raise InputError(
                    f"{self.what}: {short(clause, 20)!r} is not accepted; after the shape may come "
                    f"{', '.join(CLAUSES[kind])}{spaces}"
                )
            if bool(rest.strip()) == (word in _FLAGS):
                raise InputError(f"{self.what}: {word} {'stands alone' if word in _FLAGS else 'needs a value after it'}")
            if word != "overlap" and word in dict(self.clauses):
                raise InputError(f"{self.what}: {word} is given twice")
            self.clauses.append((word, rest.strip()))

    def check_spaces_around_x(self, values: Mapping[str, Any]) -> None:
        """``nxd`` is a name of its own; beside values for n and d it is a shape without spaces."""
        for name in {str(side.value) for side in self.sides if side.kind == "name"} - set(values):
            for place in [k for k, letter in enumerate(name) if letter == "x"]:
                if name[:place] in values and name[place + 1 :] in values:
                    raise InputError(f'{self.what}: write "{name[:place]} x {name[place + 1 :]}", with spaces around the x')

    def ensembles(self, matrices: Mapping[str, sp.MatrixSymbol], scalars: _Scalars) -> dict[sp.MatrixSymbol, Ensemble]:
        given, own = dict(self.clauses), [matrices[name] for name in self.names]
        try:
            if self.kind == "commuting":
                *columns, weights = zip(*self._law("law", len(own) + 1), strict=True)
                return dict(commuting(dict(zip(own, columns, strict=True)), weights))
            return dict.fromkeys(own, self._ensemble(given, matrices, scalars))
        except ParseError:
            raise  # it names the declaration already
        except InputError as error:
            said = str(error)
            raise InputError(said if said.startswith(self.what) else f"{self.what}: {said}") from error

    def _ensemble(self, given: Mapping[str, str], matrices: Mapping[str, sp.MatrixSymbol], scalars: _Scalars) -> Ensemble:
        if self.kind == "vector":
            return self._vector(given, matrices)
        if self.kind == "deterministic":
            if len(given) != 1:
                raise InputError(
                    "give either its law (of eigenvalues) or its singular values; a matrix that stays a symbol "
                    "needs an array, which only Python can give"
                )
            law = self._law(next(iter(given)), 2)
            return Deterministic(law=law) if "law" in given else Deterministic(singular_values=law)
        variance = scalars.formula(parse(given.get("variance", "1"), self.what), self.what)
        if self.kind == "gaussian":
            return Gaussian(variance)
        if {"real", "complex"} <= set(given):
            raise InputError("real or complex, not both")
        return Wigner(variance, "complex" if "complex" in given else "real")

    def _vector(self, given: Mapping[str, str], matrices: Mapping[str, sp.MatrixSymbol]) -> Vector:
        components = self._numbers(given["components"]) if "components" in given else None
        overlaps: dict[sp.MatrixSymbol, Any] = {}
        for word, rest in self.clauses:
            if word == "overlap":
                name, *inner = rest.split()
                if name not in matrices or not inner:
                    raise InputError(f"overlap {short(rest, 20)!r}: give a declared vector and its inner product with this one")
                if matrices[name] in overlaps:
                    raise InputError(f"the overlap with {name} is given twice")
                if components is None and len(inner) != 1:
                    raise InputError(f"overlap with {name}: {len(inner)} numbers, and only components take more than one")
                found = self._numbers(" ".join(inner))
                overlaps[matrices[name]] = found if components is not None else found[0]
        norm = number(given["norm"], self.what) if "norm" in given else None
        return Vector(norm=norm, components=components, overlaps=overlaps)

    def _numbers(self, text: str) -> list[sp.Expr]:
        return [number(part, self.what) for part in text.split()]

    def _law(self, word: str, size: int) -> list[Sequence[sp.Expr]]:
        """Entries of ``size`` numbers with colons between them, the last the weight."""
        entries = [entry.split(":") for entry in dict(self.clauses).get(word, "").split()]
        wrong = next((entry for entry in entries if len(entry) != size), None)
        if wrong is not None or not entries:
            wanted = ":".join(["value"] * (size - 1) + ["weight"])
            raise InputError(f"{word} {short(':'.join(wrong or []), 20)!r}: an entry is {wanted}, without spaces in it")
        return [[number(part, self.what) for part in entry] for entry in entries]


def _show(value: Any) -> str:
    """As one would type it: i is the imaginary unit, I is the identity."""
    return short(value.xreplace({sp.I: sp.Symbol("i")}) if isinstance(value, sp.Basic) else value)


@dataclass(frozen=True)
class _Eye:
    """``coefficient`` times the identity, of a size that a neighbour in a sum will give. In a product it acts as the
    scalar, so that only one that meets no matrix at all stays without a size."""

    coefficient: sp.Expr

    def __str__(self) -> str:
        front = _show(self.coefficient)
        return "I" if front == "1" else f"({front})*I" if self.coefficient.is_Add else f"{front}*I"


class _Reader:
    """Tree -> scalar (``sp.Expr``), matrix (``sp.MatrixExpr``) or identity without a size (``_Eye``), shapes checked."""

    def __init__(self, matrices: Mapping[str, sp.MatrixSymbol], scalars: _Scalars) -> None:
        self.matrices, self.scalars = matrices, scalars

    def matrix(self, tree: Node) -> sp.MatrixExpr:
        """The whole expression: a square matrix, or a bilinear form."""
        value = self.value(tree)
        if isinstance(value, _Eye):
            raise InputError(f"{value}: the identity has no neighbour in a sum that gives it a size")
        if not isinstance(value, sp.MatrixExpr):
            raise InputError(f"expression: {_show(value)} is a scalar, since no declared matrix is in it; declare the matrices")
        if not same(*value.shape):
            raise InputError(f"{_show(value)} is {_shape(value)}: only a square matrix has a trace")
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
            return _multiply(sp.S.NegativeOne, self.value(args[0]))
        if node.kind not in ("+", "-", "*", "/", "**"):
            sign = "a list in parentheses" if node.kind == "pair" else repr(node.kind)
            raise ParseError(f"expression: {sign} at position {node.at + 1} is not accepted")
        left, right = (self.value(arg) for arg in args)
        if node.kind == "*":
            return _multiply(left, right)
        if node.kind == "/":
            return _divide(left, right)
        if node.kind == "**":
            return _power(left, right)
        return _add(left, right if node.kind == "+" else _multiply(sp.S.NegativeOne, right))

    def _name(self, name: str) -> Any:
        if name in FUNCTIONS:
            raise ParseError(f"expression: {name} is a function; write {name}(...)")
        if name in _NUMBERS:
            return _NUMBERS[name]
        if name == "I":
            return _Eye(sp.S.One)
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
        return _power(value, sp.S.NegativeOne) if name == "inv" else _root(value)

    def _transpose(self, arg: Node) -> Any:
        value = self._matrix_only(arg, "transpose")
        return value if isinstance(value, _Eye) else value.T

    def _matrix_only(self, arg: Node, what: str) -> Any:
        value = self.value(arg)
        if isinstance(value, (_Eye, sp.MatrixExpr)):
            return value
        cure = "only a matrix has one" + ("; write 1/(...)" if what == "inverse" else "")
        if arg.kind == "name" and arg.value not in RESERVED and arg.value not in self.scalars.dimensions:
            cure += f". If {arg.value} is meant to be a matrix, declare it as {', '.join(CLAUSES)}"
        raise InputError(f"{_show(value)} is a scalar and its {what} is asked for: {cure}")


def _shape(value: sp.MatrixExpr) -> str:
    return f"{value.rows} x {value.cols}"


def _one_by_one(*values: Any) -> None:
    for value in values:
        if isinstance(value, sp.MatrixExpr) and value.shape == (1, 1):
            raise InputError(f"{_show(value)} is 1 x 1 inside an expression: write it as a scalar symbol")


def _add(left: Any, right: Any) -> Any:
    matrices = [value for value in (left, right) if isinstance(value, sp.MatrixExpr)]
    eyes = [value for value in (left, right) if isinstance(value, _Eye)]
    if len(matrices) + len(eyes) == 0:
        return left + right
    if len(matrices) + len(eyes) == 1:
        matrix, scalar = (right, left) if isinstance(right, (sp.MatrixExpr, _Eye)) else (left, right)
        if scalar == 0:
            return matrix
        if isinstance(matrix, sp.MatrixExpr) and matrix.shape == (1, 1):
            raise InputError(
                f"{_show(matrix)} is 1 x 1, a bilinear form, and {_show(scalar)} is added to it: leave that out, and "
                "add it to the value"
            )
        raise InputError(
            f"the scalar {_show(scalar)} is added to the matrix {_show(matrix)}: write {_Eye(scalar)}, since a scalar is no matrix"
        )
    if len(eyes) == 2:
        return _Eye(left.coefficient + right.coefficient)
    if len(matrices) == 2:
        if not all(same(a, b) for a, b in zip(left.shape, right.shape, strict=True)):
            raise InputError(
                f"{_show(left)} is {_shape(left)} and {_show(right)} is {_shape(right)}: only matrices of one shape can be added"
            )
        return left + right
    matrix, eye = matrices[0], eyes[0]
    _one_by_one(matrix)
    if not same(*matrix.shape):
        raise InputError(f"{eye} is added to {_show(matrix)}, which is {_shape(matrix)}: the identity is square")
    return matrix + eye.coefficient * sp.Identity(matrix.rows)


def _multiply(left: Any, right: Any) -> Any:
    if isinstance(left, _Eye) and isinstance(right, _Eye):
        return _Eye(left.coefficient * right.coefficient)
    for one, other in ((left, right), (right, left)):
        if isinstance(one, _Eye):
            _one_by_one(other)
            return other * one.coefficient if isinstance(other, sp.MatrixExpr) else _Eye(other * one.coefficient)
    if isinstance(left, sp.MatrixExpr) and isinstance(right, sp.MatrixExpr):
        _one_by_one(left, right)
        if not same(left.cols, right.rows):
            raise InputError(
                f"{_show(left)} ({_shape(left)}) times {_show(right)} ({_shape(right)}): {left.cols} and "
                f"{right.rows} are not the same dimension"
            )
    return left * right


def _divide(left: Any, right: Any) -> Any:
    if isinstance(right, (_Eye, sp.MatrixExpr)):
        raise InputError(f"division by the matrix {_show(right)}: write inv({_show(right)}) on the side where it belongs")
    if right == 0:
        raise InputError(f"{_show(left)} is divided by zero")
    return _multiply(left, 1 / right)


def _power(base: Any, exponent: Any) -> Any:
    if isinstance(exponent, (_Eye, sp.MatrixExpr)):
        raise InputError(f"the exponent {_show(exponent)} is a matrix; only numbers are accepted")
    if not isinstance(base, (_Eye, sp.MatrixExpr)):
        power = base**exponent
        if power.has(sp.nan, sp.zoo, sp.oo):
            raise InputError(f"{_show(base)} to the power {_show(exponent)} is not finite")
        return power
    if not exponent.is_Integer:
        raise InputError(
            f"{_show(base)} to the power {_show(exponent)}: only whole powers of a matrix are accepted, and a "
            "transpose is written .T"
        )
    if isinstance(base, _Eye):
        return _Eye(_power(base.coefficient, exponent))
    _one_by_one(base)
    if not same(*base.shape):
        raise InputError(f"{_show(base)} is {_shape(base)}: only a square matrix has an inverse or a power")
    if isinstance(base, sp.ZeroMatrix) and exponent.is_negative:
        raise InputError("the zero matrix has no inverse")
    return sp.Inverse(base) if exponent == -1 else base**exponent
