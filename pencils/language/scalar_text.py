"""Scalars as text: exact numbers, and formulas in the names of dimensions and scalars."""

from __future__ import annotations

from collections.abc import Mapping

import sympy as sp

from pencils.errors import InputError, ParseError
from pencils.language.checked_algebra import Eye, show
from pencils.language.declarations import short
from pencils.language.parse import Node, names, parse, to_sympy

FUNCTIONS = ("inv", "sqrt", "tr")
RESERVED = {"I": "the identity", "i": "the imaginary unit", "pi": "a number", **dict.fromkeys(FUNCTIONS, "a function")}
NUMBERS = {"i": sp.I, "pi": sp.pi}


def number(text: str, what: str) -> sp.Expr:
    """An exact number, such as ``0.1``, ``5/2``, ``7/10 + i/2`` or ``sqrt(2)/pi``."""
    try:
        value = to_sympy(parse(text, "value", words=[*NUMBERS, "sqrt"]), NUMBERS, {"sqrt": root}, "value")
    except InputError as error:
        raise InputError(
            f"{what} = {short(text, 40)!r}: not a number ({error}); accepted are numbers such as 0.1, 5/2, sqrt(2), 7/10+2*i"
        ) from error
    # What SymPy cannot split into real and imaginary part (2**i) has no exact value here.
    if not isinstance(value, sp.Expr) or not value.is_finite or any(p.has(sp.re, sp.im) for p in value.as_real_imag()):
        raise InputError(f"{what} = {short(text, 40)!r}: not a number")
    return value


def root(value: sp.Expr) -> sp.Expr:
    """The square root of a scalar."""
    if not isinstance(value, sp.Expr) or isinstance(value, (sp.MatrixExpr, Eye)):
        raise InputError(f"sqrt({show(value)}): only a scalar has a square root here")
    return sp.sqrt(value)


class Scalars:
    """Symbols of dimensions and scalars, made when they are met."""

    def __init__(self, dimensions: set[str], values: Mapping[str, sp.Expr]) -> None:
        self.dimensions, self.values = dimensions, values
        self.symbols: dict[str, sp.Symbol] = {}

    def symbol(self, name: str) -> sp.Symbol:
        """The symbol of a name, positive unless it is z or has a value that is not."""
        if name not in self.symbols:
            positive = name != "z" and bool(self.values.get(name, sp.S.One).is_positive)
            self.symbols[name] = sp.Symbol(name, positive=True if positive or name in self.dimensions else None)
        return self.symbols[name]

    def formula(self, node: Node, what: str) -> sp.Expr:
        """A scalar formula that may hold dimensions and scalars."""
        known = {name: self.symbol(name) for name in names(node) if name not in RESERVED}
        value = to_sympy(node, {**known, **NUMBERS}, {"sqrt": root}, what)
        if not isinstance(value, sp.Expr):
            raise ParseError(f"{what}: a formula is wanted, not a condition")
        return value


def dimension(side: Node, scalars: Scalars, what: str) -> sp.Expr:
    """A side of a shape: a formula in names, or 1."""
    value = scalars.formula(side, what)
    if value.is_number and value != 1:
        raise InputError(f"{what}: the side {value} stays finite; give a name, or 1 for a vector")
    return value
