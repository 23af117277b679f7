"""Hermite polynomials, monic: He_0 = 1, He_1 = x, He_{j+1} = x He_j - j He_{j-1}, E He_k(z)^2 = k! for z ~ N(0, 1)."""

from __future__ import annotations

from functools import lru_cache

from flint import fmpz_poly


@lru_cache(maxsize=256)
def hermite_polynomial(k: int) -> fmpz_poly:
    """He_k with its integer coefficients."""
    before, now, x = fmpz_poly([]), fmpz_poly([1]), fmpz_poly([0, 1])
    for j in range(k):
        before, now = now, x * now - j * before
    return now
