"""Second routes: what they are, how their numbers are compared with the first ones, and how they are written where they differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from pencils.exact.numbers import Number, agreement
from theory.register.model import Model


class Route(Protocol):
    """A second way to a claim's value: a number right to ``digits`` digits, or a truth value. Never text."""

    def __call__(self, model: Model, digits: int) -> Number | bool: ...


class QuantityRoute(Protocol):
    """A second way to the numbers of a quantity, by name, at parameters as they are given; a list as name[0], name[1], ..."""

    def __call__(self, sample: Mapping[str, str], digits: int) -> Mapping[str, Number | Sequence[Number]]: ...


def agreed_digits(first: Number | bool, second: Number | bool, digits: int) -> int:
    """To how many digits two values agree, at most ``digits``; truth values to all or to none."""
    if isinstance(first, bool) or isinstance(second, bool):
        return digits if first is second else 0
    return agreement(first, second, digits)


def written(value: Any, digits: int) -> Any:
    """A second route's value for a witness: an mpf as text of ``digits`` digits, a truth value as it is, the rest as it shows."""
    if hasattr(value, "_mpf_"):
        return str(value.context.nstr(value, digits))
    return value if isinstance(value, bool) else str(value)
