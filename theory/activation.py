"""Activations: text of a formula in ``x`` -> a checked function of one real variable, centred and normalised on demand.

Reading a text, and refusing a bad one, uses no SymPy; ``Activation.expr`` builds the expression when it is first asked
for, and then checks that it is real on the line and has E sigma(z)^2 < oo, z ~ N(0, 1).
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pencils.errors import InputError, ParseError
from pencils.parse import MAX_DEGREE, Node, parse, to_sympy

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
_ALIASES = {"swish": "silu", "logistic": "sigmoid", "linear": "identity"}
_ONE_ARGUMENT = {"exp", "log", "sqrt", "sin", "cos", "tan", "sinh", "cosh", "tanh", "atan", "erf", "erfc", "abs", "sign",
                 "heaviside", *BUILTINS, *_ALIASES}
_EXTREMES = {"max", "min"}
_CONSTANTS = {"pi", "E"}
_HERMITE = re.compile(r"He_?(\d+)\Z")
MAX_HERMITE = 100
# Above this, a constant exponent would be a number that SymPy may try to write out.
_LARGEST_EXPONENT = 1000.0


class _Words(Collection[str]):
    """The vocabulary; He<k> is recognised by its form, and is one word in a listing."""

    _listed = sorted({"x", "Piecewise", "He<k>", "Heaviside"} | _CONSTANTS | _ONE_ARGUMENT - {"heaviside"} | _EXTREMES)

    def __contains__(self, word: object) -> bool:
        return isinstance(word, str) and (word == "x" or word in _CONSTANTS or _HERMITE.match(word) is not None
                                          or word.lower() in _ONE_ARGUMENT | _EXTREMES)

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


@dataclass(frozen=True)
class Activation:
    """A real function sigma of one real variable with E sigma(z)^2 < oo, perhaps centred and normalised.

    ``(base - subtracted)/scale`` with subtracted = E base(z) when ``is_centred`` and scale^2 = Var base(z) when
    ``is_normalised``. ``subtracted`` and ``scale`` are exact SymPy numbers, or None where no closed form is known.
    """

    text: str
    role: str = "activation"
    is_centred: bool = False
    is_normalised: bool = False
    given: sp.Expr | None = None

    @property
    def name(self) -> str:
        """The built-in's name, or the text of the formula."""
        word = self.text.lower()
        word = _ALIASES.get(word, word)
        return word if word in BUILTINS else self.text

    @property
    def label(self) -> str:
        """How messages call it: ``teacher relu(x)``."""
        bare = self.given is None and self.text.lower() in _ONE_ARGUMENT
        return f"{self.role} {self.text}(x)" if bare else f"{self.role} {self.text}"

    @cached_property
    def base(self) -> sp.Expr:
        """The function before centring, in the symbol ``variable()``. Raises InputError where it is not real on the
        line, MomentError where E sigma(z)^2 is infinite or its finiteness cannot be shown."""
        from theory.growth import growth_bound

        expr = _to_expression(self.text, self.role) if self.given is None else self.given
        growth_bound(expr, self.label)
        return expr

    @cached_property
    def subtracted(self) -> sp.Expr | None:
        """The constant that centring subtracts: 0 when not centred, None when E sigma(z) has no known closed form."""
        import sympy as sp

        if not self.is_centred:
            return sp.S.Zero
        from theory.hermite import base_coefficient

        return base_coefficient(self.base, 0).exact

    @cached_property
    def scale(self) -> sp.Expr | None:
        """The constant that normalising divides by: 1 when not normalised, None without a known closed form."""
        import sympy as sp

        if not self.is_normalised:
            return sp.S.One
        from theory.hermite import base_deviation

        return base_deviation(self.base).exact

    @property
    def expr(self) -> sp.Expr:
        """The function itself; a constant without closed form appears as the symbol ``mu_0`` (mean) or ``s`` (standard
        deviation), see ``numeric``. Errors as for ``base``."""
        import sympy as sp

        mean = sp.Symbol("mu_0", real=True) if self.subtracted is None else self.subtracted
        scale = sp.Symbol("s", positive=True) if self.scale is None else self.scale
        return (self.base - mean) / scale

    def numeric(self, digits: int = 30) -> sp.Expr:
        """``expr`` with the constants that have no closed form replaced by their values to ``digits`` digits."""
        import sympy as sp

        from theory.hermite import base_coefficient, base_deviation

        values = {}
        if self.subtracted is None:
            values[sp.Symbol("mu_0", real=True)] = base_coefficient(self.base, 0).value(digits)
        if self.scale is None:
            values[sp.Symbol("s", positive=True)] = base_deviation(self.base).value(digits)
        return self.expr.xreplace(values)

    def centred(self) -> Activation:
        """sigma - E sigma(z): mu0 is exactly 0, every other Hermite coefficient is unchanged."""
        return replace(self, is_centred=True)

    def normalised(self) -> Activation:
        """(sigma - E sigma(z)) / sqrt(Var sigma(z)): mean 0, variance 1. Raises InputError for a constant function."""
        from theory.hermite import base_deviation

        if base_deviation(self.base).exact == 0:
            raise InputError(f"{self.label}: a constant has variance 0 and cannot be normalised")
        return replace(self, is_centred=True, is_normalised=True)

    def notes(self) -> list[str]:
        """What centring and normalising did, one line each; empty for a function used as it was given."""
        from theory.hermite import base_coefficient, base_deviation

        lines = []
        if self.is_centred:
            if self.subtracted == 0:
                lines.append(f"{self.label} centred: its mean is exactly 0, nothing was subtracted")
            else:
                value = base_coefficient(self.base, 0).value(10)
                lines.append(f"{self.label} centred: subtracted {value} ({_closed(self.subtracted)})")
        if self.is_normalised:
            if self.scale == 1:
                lines.append(f"{self.label} normalised: its variance is exactly 1, nothing was divided")
            else:
                value = base_deviation(self.base).value(10)
                lines.append(f"{self.label} normalised: divided by {value} ({_closed(self.scale)})")
        return lines

    def _repr_latex_(self) -> str:
        import sympy as sp

        return f"$\\displaystyle {sp.latex(self.expr)}$"


def activation(value: Any, role: str = "activation") -> Activation:
    """The activation that a text, a SymPy expression in one symbol, or an Activation denotes; ``role`` names it in
    messages. Raises ParseError for a text outside the grammar, InputError for anything else."""
    if isinstance(value, Activation):
        return value if role == "activation" else replace(value, role=role)
    if isinstance(value, str):
        text = value.strip()
        _read(text, role)
        return Activation(text, role)
    symbols = getattr(value, "free_symbols", None)
    if symbols is None or not getattr(value, "is_commutative", False) or not hasattr(value, "as_coeff_Mul"):
        raise InputError(f"{role}: give a formula in x as text, or a SymPy expression, not {type(value).__name__}")
    if len(symbols) > 1:
        names = ", ".join(sorted(str(symbol) for symbol in symbols))
        raise InputError(f"{role}: a function of one variable is wanted, this one has {names}")
    expr = value.subs(dict.fromkeys(symbols, variable()))
    return Activation(str(expr), role, given=expr)


def variable() -> sp.Symbol:
    """The real symbol x in which every activation is written."""
    import sympy as sp

    return sp.Symbol("x", real=True)


def _closed(constant: sp.Expr | None) -> str:
    return "no closed form is known" if constant is None else f"= {constant}"


def _read(text: str, role: str) -> Node:
    """The tree of ``text``, with every word used as it may be and no constant or power too large to work with."""
    node = parse(text, role, _WORDS)
    for part in node.walk():
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
    _check_size(node, role)
    return node


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
            node.kind, first / last if node.kind == "/" else first)
    except (OverflowError, ZeroDivisionError):
        return math.inf


def _to_expression(text: str, role: str, argument: sp.Expr | None = None) -> sp.Expr:
    """The SymPy expression of a text, with ``argument`` for x; a function's name alone is applied to it."""
    import sympy as sp

    from theory.hermite import he

    x = variable() if argument is None else argument
    plain: dict[str, Any] = {"abs": sp.Abs, "sqrt": sp.sqrt, "heaviside": lambda u: sp.Heaviside(u)}
    # Unevaluated: SymPy would otherwise try to order the arguments, which can take seconds and is not needed.
    plain |= {"max": lambda *u: sp.Max(*u, evaluate=False), "min": lambda *u: sp.Min(*u, evaluate=False)}
    plain |= {name: getattr(sp, name) for name in
              ("exp", "log", "sin", "cos", "tan", "sinh", "cosh", "tanh", "atan", "erf", "erfc", "sign")}

    def function(word: str) -> Any:
        index = _hermite_index(word, role)
        if index is not None:
            return lambda u: he(index, u)
        word = word.lower()
        word = _ALIASES.get(word, word)
        if word in plain:
            return plain[word]
        return (lambda u: _to_expression(BUILTINS[word], role, u)) if word in BUILTINS else None

    def value(word: str) -> Any:
        if word in _CONSTANTS:
            return getattr(sp, word)
        if word == "x":
            return x
        applied = function(word)
        return None if applied is None or word.lower() in _EXTREMES else applied(x)

    expr = to_sympy(_read(text, role), _Table(value), _Table(function), role)
    if not isinstance(expr, sp.Expr):
        raise ParseError(f"{role}: a comparison is not a function; use it inside Piecewise")
    if expr.has(sp.zoo, sp.nan, sp.oo, -sp.oo):
        raise ParseError(f"{role}: the formula divides by zero")
    return expr
