"""The tree of a formula, and how large it may be: it is measured before anything is computed with it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from pencils.errors import ParseError

MAX_CHAIN = 200  # x + x + ... is as deep a tree as it has signs, and trees are walked by recursion
MAX_DEGREE = 200
MAX_CONSTANT_DIGITS = 400


@dataclass(frozen=True)
class Node:
    """A node of the tree: ``kind`` is number, name, call, or an operator; ``at`` is its place in the text."""

    kind: str
    value: Any = None
    args: tuple[Node, ...] = ()
    at: int = 0

    def walk(self) -> Iterator[Node]:
        yield self
        for arg in self.args:
            yield from arg.walk()


def names(node: Node) -> set[str]:
    """Names of the tree that stand for values (not those of called functions)."""
    return {part.value for part in node.walk() if part.kind == "name"}


def measure(node: Node, what: str, depth: int = 0) -> tuple[Fraction | None, int]:
    """(value if the node is a plain rational constant, degree as a polynomial), refusing powers too large to expand."""
    if depth > MAX_CHAIN:
        raise ParseError(f"{what}: more than {MAX_CHAIN} operations in a row; use parentheses to group them")
    measured = [measure(arg, what, depth + 1) for arg in node.args]
    if node.kind == "number":
        _check_constant(node.value, what)
        return node.value, 0
    if node.kind == "name":
        return None, 1
    degrees = [degree for _, degree in measured]
    values = [value for value, _ in measured]
    if node.kind == "**":
        value, degree = _measure_power(values, degrees, what)
    else:
        value = _fold(node.kind, values)
        degree = sum(degrees) if node.kind in ("*", "/") else max(degrees, default=0)
    if degree > MAX_DEGREE:
        raise ParseError(f"{what}: a power of degree {degree}; at most {MAX_DEGREE} is accepted")
    if value is not None:
        _check_constant(value, what)
    return value, degree


def _check_constant(value: Fraction, what: str) -> None:
    if max(len(str(value.numerator)), len(str(value.denominator))) > MAX_CONSTANT_DIGITS:
        raise ParseError(f"{what}: a constant of more than {MAX_CONSTANT_DIGITS} digits")


def _measure_power(values: list[Fraction | None], degrees: list[int], what: str) -> tuple[Fraction | None, int]:
    base, exponent = values
    if exponent is None:
        # A symbolic exponent of a constant base is fine; constants hidden in it were measured below.
        return None, max(degrees)
    if abs(exponent) > MAX_DEGREE:
        raise ParseError(f"{what}: the exponent {str(exponent)[:20]} is too large; at most {MAX_DEGREE} is accepted")
    degree = degrees[0] * max(1, int(abs(exponent)))
    if base is None or exponent.denominator != 1 or (base == 0 and exponent < 0):
        return None, degree
    digits = max(len(str(base.numerator)), len(str(base.denominator))) * int(abs(exponent))
    if digits > MAX_CONSTANT_DIGITS:
        raise ParseError(f"{what}: a constant of more than {MAX_CONSTANT_DIGITS} digits")
    return base ** int(exponent), degree


def _fold(kind: str, values: list[Fraction | None]) -> Fraction | None:
    if any(value is None for value in values):
        return None
    if kind == "neg":
        return -values[0]  # type: ignore[operator]
    if kind not in ("+", "-", "*", "/"):
        return None
    a, b = values[0], values[1]
    assert a is not None and b is not None
    if kind == "/":
        return a / b if b else None
    return a + b if kind == "+" else a - b if kind == "-" else a * b
