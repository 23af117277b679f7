"""Random exact points at which two expressions are compared: each symbol in its domain.

A symbol of the alphabet draws in that domain and its range; any other by SymPy's assumptions of it, in the range of the
alphabet's symbol of that name where there is one.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import sympy as sp

from theory.proof.domains import Complex, Negative, Number, Positive, Real
from theory.proof.symbols import COMMON, Alphabet

Point = Mapping[sp.Symbol, Any]


def random_points(
    symbols: Iterable[sp.Symbol], count: int, seed: int = 0, alphabet: Alphabet = COMMON
) -> Iterator[dict[sp.Symbol, Any]]:
    """``count`` random points with rational coordinates inside the ranges of the alphabet; complex symbols take complex
    rationals."""
    rng = random.Random(seed)
    ranges = [(symbol, domain := domain_of(symbol, alphabet), _span(symbol, domain, alphabet)) for symbol in symbols]
    for _ in range(count):
        yield {symbol: domain.point(rng, low, high) for symbol, domain, (low, high) in ranges}


def far_points(
    symbols: Iterable[sp.Symbol], count: int, seed: int = 0, alphabet: Alphabet = COMMON
) -> Iterator[dict[sp.Symbol, Any]]:
    """Points with coordinates spread over twelve powers of ten, where formulas that agree in the middle part."""
    rng = random.Random(seed + 1000)
    domains = {symbol: domain_of(symbol, alphabet) for symbol in symbols}
    for _ in range(count):
        yield {symbol: domain.far(rng) for symbol, domain in domains.items()}


def midpoint(low: Point, high: Point, alphabet: Alphabet = COMMON) -> dict[sp.Symbol, Any]:
    """A point half way between two, each coordinate in its domain."""
    return {symbol: domain_of(symbol, alphabet).between(low[symbol], high[symbol]) for symbol in low}


def domain_of(symbol: sp.Symbol, alphabet: Alphabet = COMMON) -> Number:
    """The domain of a SymPy symbol: the alphabet's where it is the alphabet's symbol, or what its assumptions say."""
    if symbol.name in alphabet and alphabet.symbol(symbol.name) == symbol:
        return alphabet.entry(symbol.name).number
    if symbol.is_nonnegative:
        return Positive()
    if symbol.is_negative:
        return Negative()
    return Real() if symbol.is_real else Complex()


def _span(symbol: sp.Symbol, domain: Number, alphabet: Alphabet) -> Any:
    return alphabet.entry(symbol.name).span(domain) if symbol.name in alphabet else Positive().span()
