"""Hermite polynomials, monic: He_0 = 1, He_1 = x, He_{j+1} = x He_j - j He_{j-1}, E He_k(z)^2 = k! for z ~ N(0, 1)."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import sympy as sp
from flint import fmpz_poly

from pencils.errors import InputError

MAX_ORDER = 200


@lru_cache(maxsize=256)
def hermite_polynomial(k: int) -> fmpz_poly:
    """He_k with its integer coefficients."""
    before, now, x = fmpz_poly([]), fmpz_poly([1]), fmpz_poly([0, 1])
    for j in range(k):
        before, now = now, x * now - j * before
    return now


def he(k: int, x: Any) -> sp.Expr:
    """Monic probabilists' Hermite polynomial He_k(x), E He_k(z)^2 = k!. Raises InputError unless 0 <= k <= 200."""
    return sp.Add(*[int(c) * sp.sympify(x) ** power for power, c in enumerate(hermite_polynomial(check_order(k)))])


def check_order(k: Any) -> int:
    """``k`` as an int; InputError unless it is a whole number from 0 to 200."""
    if isinstance(k, bool) or not hasattr(k, "__index__") or not 0 <= int(k) <= MAX_ORDER:
        raise InputError(f"Hermite order {str(k)[:40]}: give a whole number from 0 to {MAX_ORDER}")
    return int(k)
