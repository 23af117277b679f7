"""The text of a polynomial in x1, x2, ...: checked without SymPy, so that a mistake is answered at once, then expanded.

Coefficients are rationals and sums of square roots of rationals, expanded, which is a form in which only zero is 0.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from pencils.errors import InputError, ParseError
from pencils.language.parse import MAX_DEGREE, Node

if TYPE_CHECKING:
    import sympy as sp

    Terms = Mapping[tuple[int, ...], sp.Expr]  # exponents of the variables, in a given order -> coefficient

MAX_TERMS = 3000
MAX_HERMITE = 30
MAX_RADICAND = 10**12  # SymPy takes square factors out of integers of this size reliably
_VARIABLE = re.compile(r"x([1-9]\d{0,5})\Z")
_HERMITE = re.compile(r"He(\d{1,2})\Z")
_ACCEPTED = "a polynomial has x1, x2, ..., rationals, + - * ** ( ), sqrt of a rational, and He2(x1) for a Hermite polynomial"


@dataclass(frozen=True)
class Shape:
    """What can be said of a part of the text without algebra; ``value`` where it is a plain rational."""

    variables: frozenset[int]
    degree: int
    value: Fraction | None = None


def shape(node: Node, what: str) -> Shape:
    """Check that a tree is a polynomial. One line of error names the part that is not."""
    if node.kind == "number":
        return Shape(frozenset(), 0, node.value)
    if node.kind == "name":
        match = _VARIABLE.match(node.value)
        if match is None:
            raise ParseError(f"{what}: {node.value!r} is not a variable of a polynomial; {_ACCEPTED}")
        return Shape(frozenset({int(match[1])}), 1)
    if node.kind not in ("call", "neg", "+", "-", "*", "/", "**"):
        raise ParseError(f"{what}: not a polynomial (a comparison or a list); {_ACCEPTED}")
    if node.kind == "call" and node.value != "sqrt" and not _HERMITE.match(node.value):
        raise ParseError(f"{what}: not a polynomial, because of {node.value!r}; {_ACCEPTED}")
    parts = [shape(arg, what) for arg in node.args]
    if node.kind == "call":
        return _call_shape(node, parts, what)
    first, last = parts[0], parts[-1]
    if node.kind == "/" and last.variables:
        raise ParseError(f"{what}: not a polynomial, because of a division by x{min(last.variables)}")
    if node.kind == "**" and (last.value is None or last.value < 0 or last.value.denominator != 1):
        raise ParseError(f"{what}: not a polynomial, because of an exponent that is not a whole number, 0 or more")
    if node.kind == "/" and last.value == 0:
        raise ParseError(f"{what}: division by zero")
    degree = (
        first.degree * int(last.value or 0)
        if node.kind == "**"
        else first.degree + last.degree
        if node.kind == "*"
        else max(part.degree for part in parts)
    )
    if degree > MAX_DEGREE:
        raise ParseError(f"{what}: degree {degree}; at most {MAX_DEGREE} is accepted")
    values = [part.value for part in parts]
    return Shape(frozenset().union(*(part.variables for part in parts)), degree, _fold(node.kind, values))


def _call_shape(node: Node, parts: list[Shape], what: str) -> Shape:
    if len(parts) != 1:
        raise ParseError(f"{what}: {node.value} takes one argument")
    part = parts[0]
    if node.value == "sqrt":
        if part.value is None or part.value < 0:
            raise ParseError(f"{what}: not a polynomial with real coefficients: sqrt takes a rational that is not negative")
        if part.value.numerator * part.value.denominator > MAX_RADICAND:
            raise ParseError(f"{what}: sqrt takes a rational whose numerator times denominator is at most {MAX_RADICAND}")
        return Shape(frozenset(), 0)
    order = int(node.value[2:])
    if order > MAX_HERMITE or part.degree * order > MAX_DEGREE:
        raise ParseError(f"{what}: {node.value} of degree {part.degree}; orders to {MAX_HERMITE}, degrees to {MAX_DEGREE}")
    return Shape(part.variables, part.degree * order)


def _fold(kind: str, values: list[Fraction | None]) -> Fraction | None:
    if any(value is None for value in values):
        return None
    first, last = values[0] or Fraction(0), values[-1] or Fraction(0)
    if kind == "neg":
        return -first
    if kind == "**":
        return first ** int(last)
    return {"+": first + last, "-": first - last, "*": first * last}.get(kind, first / last if kind == "/" else None)


def expand(node: Node, variables: tuple[int, ...]) -> dict[tuple[int, ...], sp.Expr]:
    """Coefficients of the tree that ``shape`` has checked. InputError for more than MAX_TERMS of them."""
    import sympy as sp

    none = (0,) * len(variables)
    if node.kind == "number":
        return _clean({none: sp.Rational(node.value.numerator, node.value.denominator)})
    if node.kind == "name":
        place = variables.index(int(node.value[1:]))
        return {(*none[:place], 1, *none[place + 1 :]): sp.S.One}
    parts = [expand(arg, variables) for arg in node.args]
    if node.kind == "call":
        if node.value == "sqrt":
            return _clean({none: sp.sqrt(parts[0].get(none, sp.S.Zero))})
        before, now = {none: sp.S.Zero}, {none: sp.S.One}
        for order in range(int(node.value[2:])):  # He_{j+1}(y) = y He_j(y) - j He_{j-1}(y)
            before, now = now, _plus(_times(parts[0], now), before, sp.Integer(-order))
        return now
    if node.kind == "neg":
        return {powers: -value for powers, value in parts[0].items()}
    if node.kind in "+-":
        return _plus(parts[0], parts[1], sp.S.One if node.kind == "+" else sp.S.NegativeOne)
    if node.kind == "*":
        return _times(parts[0], parts[1])
    if node.kind == "/":
        below = parts[1].get(none, sp.S.Zero)
        if below == 0 or len(sp.Add.make_args(below)) > 4:  # SymPy rationalises sums of up to four roots
            raise ParseError("a polynomial divided by zero, or by a sum of more than four square roots")
        return _clean({powers: sp.radsimp(value / below) for powers, value in parts[0].items()})
    power = {none: sp.S.One}
    for _ in range(int(parts[1].get(none, sp.S.Zero))):
        power = _times(power, parts[0])
    return power


def _plus(first: Terms, second: Terms, factor: sp.Expr) -> dict[tuple[int, ...], sp.Expr]:
    total = dict(first)
    for powers, value in second.items():
        total[powers] = total.get(powers, _zero()) + factor * value
    return _clean(total)


def _times(first: Terms, second: Terms) -> dict[tuple[int, ...], sp.Expr]:
    total: dict[tuple[int, ...], Any] = {}
    for left, value in first.items():
        for right, other in second.items():
            powers = tuple(i + j for i, j in zip(left, right, strict=True))
            total[powers] = total.get(powers, 0) + value * other
        if len(total) > MAX_TERMS:
            raise InputError(f"a polynomial of more than {MAX_TERMS} terms when expanded")
    return _clean(total)


def _clean(terms: Terms) -> dict[tuple[int, ...], sp.Expr]:
    """Expanded coefficients, those that are 0 left out."""
    import sympy as sp

    expanded = {powers: value if value.is_Rational else sp.expand(value) for powers, value in terms.items()}
    return {powers: value for powers, value in expanded.items() if value != 0}


def _zero() -> sp.Expr:
    import sympy as sp

    return sp.S.Zero
