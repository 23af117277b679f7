"""Polynomial majorants |f(t)| <= sum a_k |t|^k, and the Gaussian moments and exponential bounds that follow from them."""

from __future__ import annotations

from functools import lru_cache
from math import exp, factorial, log, sqrt

import sympy as sp

from theory.functions.bounds import bounds
from theory.functions.growth import Growth, growth_bound
from theory.functions.language import variable
from theory.functions.quadratics import UnknownError

_UP = 1 + 2**-30


@lru_cache(maxsize=256)
def majorant(f: sp.Expr) -> tuple[float, ...] | None:
    """Coefficients a_k >= 0 with |f(t)| <= sum a_k |t|^k on the line; None where none is known."""
    if f.is_polynomial(variable()):
        return tuple(abs(float(c)) * _UP for c in sp.Poly(f, variable()).all_coeffs()[::-1])
    try:
        size = bounds(f).size()
    except UnknownError:
        return None
    if size is None:
        return None
    found = [float(c) * _UP for c in size]
    while len(found) > 1 and found[-1] == 0:
        found.pop()
    return tuple(found)


def is_bounded(f: sp.Expr) -> bool:
    """True when f is shown to be bounded; False where it is unbounded or no bound is known."""
    found = majorant(f)
    return found is not None and len(found) == 1


def slow_growth(f: sp.Expr, rate: float) -> tuple[float, float, float]:
    """(A, B, C) with |f(t)| <= exp(A + B|t| + C t^2): B at most ``rate`` and C = 0 where f has a polynomial majorant, since
    exp(B t) >= (B t)^k/k!; the bound of ``growth_bound`` elsewhere."""
    found = majorant(f)
    if found is None:
        growth: Growth = growth_bound(f)
        return tuple(float(v) + abs(float(v)) * 2**-40 for v in (growth.A, growth.B, growth.C))  # type: ignore[return-value]
    if len(found) == 1:
        return log(found[0] + 1e-300) + 2**-30, 0.0, 0.0
    largest = max(a * factorial(k) / rate**k for k, a in enumerate(found))
    return log(largest) + 2**-30, rate, 0.0


def smoothed_growth(growth: tuple[float, float, float]) -> tuple[float, float, float]:
    """(A, B, C) with (E f(m + xi)^2)^(1/2) <= exp(A + B|m| + C m^2), from the same for f with 4C < 1."""
    a, b, c = growth
    room = 1 - 4 * c
    if room <= 0:
        return float("inf"), b, c
    return a + b * b / room + (log(2) - log(room) / 2) / 2 + 2**-30, b / room * _UP, c / room * _UP


def sixth_moment(f: sp.Expr, farthest: float) -> float:
    """Upper bound of (E z^6 f(kappa z + xi)^2)^(1/2) for |kappa| <= farthest.

    With |f(t)| <= sum a_k |t|^k it is at most sum a_k (E z^6 u^(2k))^(1/2), u = kappa z + xi, which grows with |kappa|.
    """
    found = majorant(f)
    if found is None:
        return _by_growth(growth_bound(f), farthest)
    total = 0.0
    for k, coefficient in enumerate(found):
        moment = sum(
            factorial(2 * k)
            / (factorial(2 * i) * factorial(2 * k - 2 * i))
            * farthest ** (2 * i)
            * _gaussian(6 + 2 * i)
            * _gaussian(2 * k - 2 * i)
            for i in range(k + 1)
        )
        total += coefficient * sqrt(moment)
    return total * (1 + 2**-30)


def _gaussian(power: int) -> float:
    """E z^power for an even power."""
    return factorial(power) / (2 ** (power // 2) * factorial(power // 2))


def _by_growth(growth: Growth, farthest: float) -> float:
    """The same from |f(t)|^2 <= exp(2A + 2B|t| + 2Ct^2): E over xi, then over z as a tilted normal variable."""
    a, b, c = (2 * float(value) for value in (growth.A, growth.B, growth.C))
    room = 1 - 2 * c
    alpha, beta = c * farthest**2 / room, b * farthest / room
    if 2 * alpha >= 1:
        return float("inf")
    variance = 1 / (1 - 2 * alpha)
    shift = variance * beta
    moment = sum(
        factorial(6) / (factorial(2 * i) * factorial(6 - 2 * i)) * _gaussian(2 * i) * variance**i * shift ** (6 - 2 * i)
        for i in range(4)
    )
    exponent = a + b**2 / (2 * room) + variance * beta**2 / 2
    return sqrt(4 / sqrt(room) * sqrt(variance) * moment * exp(exponent)) if exponent < 700 else float("inf")
