"""Least squares on the powers z, z^2, ..., z^ell of a Gaussian z: what a free fit of them takes out of a random variable.

He_k is monic, E He_k(z)^2 = k!. The powers z^2, ..., z^ell span, beside z, the polynomials He_k(z) - He_k(0) with k <= ell: an even
one carries the constant e_k = -He_k(0), so that the Gram matrix of the even ones is diag(k!) + e e^T. Source: statements.md,
section 3 (``moniri2024``).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb, factorial
from typing import Any


def power_moment(k: int) -> int:
    """E z^k: 0 for odd k, else (k - 1)!!."""
    return 0 if k % 2 else factorial(k) // (2 ** (k // 2) * factorial(k // 2))


def hermite_in_power(k: int, j: int) -> int:
    """E[z^k He_j(z)] = k!/((k - j)/2)!/2^((k - j)/2), and 0 unless j <= k and k - j is even."""
    return 0 if j > k or (k - j) % 2 else comb(k, j) * factorial(j) * power_moment(k - j)


def heat_power(k: int, variance: Any) -> dict[int, Any]:
    """{j: coefficient of z^j} of E_g (z + sqrt(variance) g)^k = sum_i binom(k, 2i) (2i - 1)!! variance^i z^{k - 2i}."""
    return {k - i: comb(k, i) * power_moment(i) * variance ** (i // 2) for i in range(0, k + 1, 2)}


def remaining_gram(powers: Sequence[int]) -> list[list[int]]:
    """E u_j u_k for u_k = z^k - E[z^{k+1}] z, what is left of a power beside z."""
    return [[power_moment(j + k) - power_moment(j + 1) * power_moment(k + 1) for k in powers] for j in powers]


def nonlinear_gain(powers: Sequence[int], weights: Sequence[Any], zero: Any) -> Any:
    """The drop Q of E (Y - P)^2 by the best P in span{z, z^k : k in powers} beyond what z takes, for a Y with Hermite
    coefficients ``weights[j]`` = E[Y He_j(z)]/j!, j = 0 .. max(powers): g^T G^-1 g, G = ``remaining_gram``, g_k = E[u_k Y].

    ``powers`` are distinct and at least 2; ``weights`` and ``zero`` are balls. The inverse is exact.
    """
    from flint import arb, fmpq_mat

    if not powers:
        return zero
    inverse = fmpq_mat(remaining_gram(powers)).inv()
    g = [sum((weights[j] * hermite_in_power(k, j) for j in range(k + 1) if j != 1), zero) for k in powers]
    return sum((arb(inverse[i, j]) * one * other for i, one in enumerate(g) for j, other in enumerate(g)), zero)
