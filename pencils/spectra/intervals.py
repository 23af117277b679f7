"""Intervals of the real line: a support, the gaps between its parts, and how they are approached."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any

import sympy as sp

from pencils.errors import InputError
from pencils.exact.numbers import exact

Edge = Fraction | float  # a float only where it is infinite


def intervals(support: Iterable[Any]) -> list[tuple[Edge, Edge]]:
    """Intervals in order, those that touch made one."""
    found: list[tuple[Edge, Edge]] = []
    for low, high in sorted((_edge(low), _edge(high)) for low, high in support):
        if high < low:
            raise InputError(f"support: an interval from {low} to {high} is empty")
        if found and low <= found[-1][1]:
            found[-1] = found[-1][0], max(high, found[-1][1])
        else:
            found.append((low, high))
    if not found:
        raise InputError("support: a spectrum has at least one interval or atom")
    return found


def gaps(parts: list[tuple[Edge, Edge]]) -> list[tuple[Edge, Edge]]:
    """What lies between the intervals, and on either side of them."""
    ends = [-math.inf, *(e for part in parts for e in part), math.inf]
    return [(low, high) for low, high in zip(ends[::2], ends[1::2], strict=True) if low < high]


def sides(low: Edge, high: Edge, size: Fraction) -> Iterator[tuple[Fraction, Fraction]]:
    """The finite ends of a gap, each with the inner point from which it is approached; ``size`` is that of the spectrum."""
    step = Fraction(min(high - low, size)) / 3
    if isinstance(low, Fraction):
        yield low, low + step
    if isinstance(high, Fraction):
        yield high, high - step


def scale(parts: list[tuple[Edge, Edge]]) -> Fraction:
    """The size of the spectrum, as far as it is finite."""
    finite = [abs(e) for part in parts for e in part if isinstance(e, Fraction)]
    return max(finite, default=Fraction(0)) or Fraction(1)


def _edge(value: Any) -> Edge:
    """An edge to 60 digits: a place to approach, and no more."""
    if value in (sp.oo, -sp.oo):
        return math.inf if value > 0 else -math.inf
    if isinstance(value, sp.Expr) and not value.is_Rational:
        value = sp.Rational(value if value.is_Float else value.evalf(60))
    return exact(value, "support")
