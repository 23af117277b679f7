"""Domains of what is no number of a formula: words, functions, polynomials, vectors, laws. Importing this room is cheap."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from pencils.errors import InputError
from pencils.exact.numbers import exact
from theory.proof.domains import Domain, Positive

if TYPE_CHECKING:
    import sympy as sp

    from theory.activations.activation import Activation
    from theory.activations.polynomial import PolynomialTeacher


@dataclass(frozen=True)
class PositiveOrInfinite(Domain):
    """Greater than 0; None stands for infinity."""

    def check(self, name: str, value: Any) -> Fraction | None:
        if str(value).strip().lower() in ("inf", "oo", "infinity"):
            return None
        return Positive().check(name, value)


@dataclass(frozen=True, init=False)
class OneOf(Domain):
    """One of a few words."""

    words: tuple[str, ...]

    def __init__(self, *words: str) -> None:
        object.__setattr__(self, "words", words)

    def check(self, name: str, value: Any) -> str:
        word = str(value).strip().lower()
        if word not in self.words:
            raise InputError(f"{name} = {value}: {name} is one of {', '.join(self.words)}")
        return word


@dataclass(frozen=True)
class Truth(Domain):
    """True or false, or yes or no."""

    def check(self, name: str, value: Any) -> bool:
        if isinstance(value, bool):
            return value
        words = {"true": True, "yes": True, "false": False, "no": False}
        if str(value).lower() not in words:
            raise InputError(f"{name} = {value}: {name} must be true or false")
        return words[str(value).lower()]


@dataclass(frozen=True)
class Numbers(Domain):
    """Exact numbers from ``1,-1/2`` or a sequence."""

    def check(self, name: str, value: Any) -> tuple[Fraction, ...]:
        return tuple(exact(part, name) for part in _parts(value))


@dataclass(frozen=True)
class Direction(Domain):
    """Exact coordinates from ``3/5,4/5,0`` or a sequence; not all 0."""

    def check(self, name: str, value: Any) -> tuple[sp.Expr, ...]:
        from theory.activations.polynomial import number

        found = tuple(number(part.strip() if isinstance(part, str) else part, name) for part in _parts(value))
        if not any(found):
            raise InputError(f"{name} = {value}: a direction has a coordinate that is not 0")
        return found


@dataclass(frozen=True)
class DiscreteLaw(Domain):
    """``uniform``, ``gaussian``, or pairs (value, weight) from ``1:1/2,2:1/2``; whoever uses them scales the weights to sum 1."""

    def check(self, name: str, value: Any) -> str | tuple[tuple[Fraction, Fraction], ...]:
        word = str(value).strip().lower()
        if word in ("uniform", "gaussian"):
            return word
        pairs = []
        for part in word.split(","):
            atom, colon, weight = part.partition(":")
            if not colon:
                raise InputError(f"{name} = {value}: {name} is uniform, gaussian, or a list value:weight such as 1:1/2,2:1/2")
            pairs.append((exact(atom.strip(), name), Positive().check(f"weight in {name}", weight.strip())))
        if all(atom == 0 for atom, _ in pairs):
            raise InputError(f"{name} = {value}: at least one value must differ from 0, or no neuron moves")
        return tuple(pairs)


@dataclass(frozen=True)
class Function(Domain):
    """A function of one variable: a name or a formula in x."""

    def check(self, name: str, value: Any) -> Activation:
        from theory.activations.activation import activation

        return activation(value, role=name)


@dataclass(frozen=True)
class Polynomial(Domain):
    """A polynomial in x1, x2, ..."""

    def check(self, name: str, value: Any) -> PolynomialTeacher:
        from theory.activations.polynomial import polynomial

        return polynomial(value, name)


def _parts(value: Any) -> Any:
    return value.split(",") if isinstance(value, str) else value if isinstance(value, (list, tuple)) else [value]
