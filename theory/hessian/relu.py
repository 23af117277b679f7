"""Hermite coefficients of the ReLU in closed form: sigma = sum c_k He_k/k!, c_k = E sigma(z) He_k(z), z ~ N(0, 1), He_k monic.

Stein's lemma twice, sigma'' the unit mass at 0, leaves He_{k-2}(0) times the density at 0
(``derivations.damian2022.gradient:relu``).
The same numbers come from ``theory.activations.hermite`` for any activation; this form has no largest k and no algebra.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sympy as sp


def relu_multiple(k: int) -> int:
    """sqrt(2 pi) c_k for k != 1: 1 at k = 0 and He_{k-2}(0) = (-1)^(k/2-1) (k-3)!! beyond, 0 at odd k."""
    if k == 1:
        raise ValueError("c_1 = 1/2 is no whole multiple of 1/sqrt(2 pi)")
    if k % 2:
        return 0
    return 1 if k == 0 else (-1) ** (k // 2 - 1) * prod(range(k - 3, 0, -2))


def relu_coefficient(k: int) -> sp.Expr:
    """c_k exactly: 1/sqrt(2 pi), 1/2, 1/sqrt(2 pi), 0, -1/sqrt(2 pi), ..."""
    import sympy as sp

    return sp.Rational(1, 2) if k == 1 else relu_multiple(k) / sp.sqrt(2 * sp.pi)
