"""The language of activations: text of a formula in ``x`` -> a checked tree -> a SymPy expression.

Reading, and refusing, uses no SymPy; every word, type, degree and constant is checked before anything is computed.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from pencils.errors import ParseError
from pencils.language.parse import MAX_DEGREE, Node, parse, to_sympy

if TYPE_CHECKING:
    import sympy as sp

# tanh forms of the logistic function: its symmetry is then visible to plain algebra.
BUILTINS: dict[str, str] = {
    "erf": "erf(x)",
    "tanh": "tanh(x)",
    "relu": "max(x, 0)",
    "softplus": "log(1 + exp(x))",
    "sigmoid": "(1 + tanh(x/2))/2",
    "sin": "sin(x)",
    "cos": "cos(x)",
    "gelu": "x*(1 + erf(x/sqrt(2)))/2",
    "silu": "x*(1 + tanh(x/2))/2",
    "identity": "x",
}
ALIASES = {"swish": "silu", "logistic": "sigmoid", "linear": "identity"}
ONE_ARGUMENT = {
    "exp",
    "log",
    "sqrt",
    "sin",
    "cos",
    "tan",
    "sinh",
    "cosh",
    "tanh",
    "atan",
    "erf",
    "erfc",
    "abs",
    "sign",
    "heaviside",
    *BUILTINS,
    *ALIASES,
}
_EXTREMES = {"max", "min"}
_CONSTANTS = {"pi", "E"}
_COMPARISONS = {"<", "<=", ">", ">="}
_TRUTHS = {"True", "otherwise"}
_HERMITE = re.compile(r"He_?(\d+)\Z")
MAX_HERMITE = 100
# Above this, a constant exponent would be a number that SymPy may try to write out.
_LARGEST_EXPONENT = 1000.0


class _Words(Collection[str]):
    """The vocabulary; He<k> is recognised by its form, and is one word in a listing."""

    _listed = sorted({"x", "Piecewise", "He<k>", "Heaviside"} | _CONSTANTS | ONE_ARGUMENT - {"heaviside"} | _EXTREMES)

    def __contains__(self, word: object) -> bool:
        return isinstance(word, str) and (
            word == "x" or word in _CONSTANTS or _HERMITE.match(word) is not None or word.lower() in ONE_ARGUMENT | _EXTREMES
        )

    def __iter__(self) -> Iterator[str]:
        return iter(self._listed)

    def __len__(self) -> int:
        return len(self._listed)


class _Table(Mapping[str, Any]):
    """Words looked up by a function, so that He<k> needs no table and case does not matter."""

    def __init__(self, find: Callable[[str], Any]) -> None:
        self._find = find

    def __getitem__(self, word: str) -> Any:
        found = self._find(word)
        if found is None:
            raise KeyError(word)
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(_WORDS)

    def __len__(self) -> int:
        return len(_WORDS)


_WORDS = _Words()


def variable() -> sp.Symbol:
    """The real symbol x in which every activation is written."""
    import sympy as sp

    return sp.Symbol("x", real=True)


@lru_cache(maxsize=256)
def read(text: str, role: str) -> Node:
    """The tree of ``text``, with every word used as it may be and no constant or power too large to work with."""
    node = parse(text, role, _WORDS)
    for part in node.walk():
        if part.kind in ("==", "!="):
            raise ParseError(f"{role}: {part.kind} changes a function only at points; use < or >")
        if part.kind == "name":
            if part.value.lower() in _EXTREMES:
                raise ParseError(f"{role}: {part.value} needs its arguments, as in {part.value}(x, 0)")
            _hermite_index(part.value, role)
        elif part.kind == "call" and part.value != "Piecewise":
            if part.value.lower() in _EXTREMES:
                if len(part.args) < 2:
                    raise ParseError(f"{role}: {part.value} takes at least two arguments, as in {part.value}(x, 0)")
            elif part.value in _CONSTANTS or part.value == "x":
                raise ParseError(f"{role}: {part.value} is not a function; write {part.value}*(...) for a product")
            elif len(part.args) != 1:
                raise ParseError(f"{role}: {part.value} takes one argument, {len(part.args)} were given")
            _hermite_index(part.value, role)
    _check_types(node, role, "value")
    _check_size(node, role)
    return node


def _check_types(node: Node, role: str, wanted: str) -> None:
    """A comparison stands only as the condition of a pair, a pair only inside Piecewise."""
    is_truth = node.kind in _COMPARISONS or (node.kind == "name" and node.value in _TRUTHS)
    if node.kind == "pair":
        if wanted != "pair" or len(node.args) != 2:
            raise ParseError(f"{role}: a pair (value, condition) at position {node.at + 1} is accepted only inside Piecewise")
    elif wanted == "pair":
        raise ParseError(f"{role}: Piecewise takes pairs (value, condition), as in Piecewise((0, x < 0), (x, True))")
    elif is_truth != (wanted == "condition"):
        raise ParseError(
            f"{role}: "
            + (
                "a comparison is accepted only as a condition inside Piecewise"
                if is_truth
                else "a condition inside Piecewise must be a comparison or True"
            )
        )
    if node.kind == "call" and node.value == "Piecewise":
        last = node.args[-1]
        if last.kind == "pair" and last.args[-1].kind != "name":
            raise ParseError(f"{role}: Piecewise must end with a pair (value, True), so that it has a value everywhere")
    if node.kind == "/" and node.args[1].kind == "number" and node.args[1].value == 0:
        raise ParseError(f"{role}: division by zero at position {node.at + 1}")
    inside = (
        ["value", "condition"]
        if node.kind == "pair"
        else ["pair" if node.kind == "call" and node.value == "Piecewise" else "value"] * len(node.args)
    )
    for arg, kind in zip(node.args, inside, strict=True):
        _check_types(arg, role, kind)


def _hermite_index(word: str, role: str) -> int | None:
    match = _HERMITE.match(word)
    if match is None:
        return None
    if int(match[1]) > MAX_HERMITE:
        raise ParseError(f"{role}: {word[:20]} is beyond He{MAX_HERMITE}, the last Hermite polynomial accepted in a formula")
    return int(match[1])


def _check_size(node: Node, role: str) -> tuple[int, float | None]:
    """(degree as a polynomial counting He<k> as k, rough value of a constant), refusing what would not fit."""
    measured = [_check_size(arg, role) for arg in node.args]
    degrees, values = [degree for degree, _ in measured], [value for _, value in measured]
    degree = sum(degrees) if node.kind == "*" else max(degrees, default=0)
    if node.kind in ("name", "call"):
        index = _hermite_index(node.value, role)
        if index is not None:
            degree = index * max(1, degree)
        elif node.kind == "name":
            degree = 0 if node.value in _CONSTANTS else 1
    if node.kind == "**" and isinstance(values[1], float):
        degree = degrees[0] * max(1, math.ceil(abs(values[1])))
    if degree > MAX_DEGREE:
        raise ParseError(f"{role}: a polynomial of degree {degree}; at most {MAX_DEGREE} is accepted")
    return degree, _rough_value(node, values, role)


def _rough_value(node: Node, values: list[float | None], role: str) -> float | None:
    if node.kind == "number":
        return float(node.value) if abs(node.value) < 10**300 else math.inf
    if node.kind == "name":
        return {"pi": math.pi, "E": math.e}.get(node.value)
    if not values or any(value is None for value in values):
        return None
    first: float = values[0]  # type: ignore[assignment]
    last: float = values[-1]  # type: ignore[assignment]
    if node.kind == "call":
        exponent = first if node.value.lower() in ("exp", "sinh", "cosh") else 0.0
    elif node.kind == "**":
        exponent = last * math.log(max(abs(first), 1 / max(abs(first), 1e-300), 1.0))
    else:
        exponent = 0.0
    if not abs(exponent) <= _LARGEST_EXPONENT:
        raise ParseError(f"{role}: a constant beyond exp({_LARGEST_EXPONENT:.0f}) is not accepted")
    try:
        if node.kind == "call":
            return math.exp(exponent) if exponent else max(abs(first), abs(last), 10.0)
        if node.kind == "**":
            return math.exp(min(abs(exponent), 700.0))
        return {"+": abs(first) + abs(last), "-": abs(first) + abs(last), "*": first * last}.get(
            node.kind, first / last if node.kind == "/" else first
        )
    except (OverflowError, ZeroDivisionError):
        return math.inf


def to_expression(text: str, role: str, argument: sp.Expr | None = None) -> sp.Expr:
    """The SymPy expression of a text, with ``argument`` for x; a function's name alone is applied to it."""
    import sympy as sp

    from theory.functions.hermite_polynomials import he

    x = variable() if argument is None else argument
    plain: dict[str, Any] = {"abs": sp.Abs, "sqrt": sp.sqrt, "heaviside": lambda u: sp.Heaviside(u)}
    # Unevaluated: SymPy would otherwise try to order the arguments, which can take seconds and is not needed.
    plain |= {"max": lambda *u: sp.Max(*u, evaluate=False), "min": lambda *u: sp.Min(*u, evaluate=False)}
    plain |= {
        name: getattr(sp, name)
        for name in ("exp", "log", "sin", "cos", "tan", "sinh", "cosh", "tanh", "atan", "erf", "erfc", "sign")
    }

    def function(word: str) -> Any:
        index = _hermite_index(word, role)
        if index is not None:
            return lambda u: he(index, u)
        word = word.lower()
        word = ALIASES.get(word, word)
        if word in plain:
            return plain[word]
        return (lambda u: to_expression(BUILTINS[word], role, u)) if word in BUILTINS else None

    def value(word: str) -> Any:
        if word in _CONSTANTS:
            return getattr(sp, word)
        if word == "x":
            return x
        applied = function(word)
        return None if applied is None or word.lower() in _EXTREMES else applied(x)

    expr = to_sympy(read(text, role), _Table(value), _Table(function), role)
    if expr.has(sp.zoo, sp.nan, sp.oo, -sp.oo):
        raise ParseError(f"{role}: the formula divides by zero")
    return expr
