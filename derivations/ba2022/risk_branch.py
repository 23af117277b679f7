"""Which root omega is: lambda = s (1 - df_1) as a function of omega is increasing where both factors are positive."""

from __future__ import annotations

import sympy as sp

from theory.proof.steps import Proof
from theory.proof.symbols import read_form, symbol, symbols
from theory.risk.forms import ABOVE, DF1, FULL_RANK, RIDGE, SPECTRAL, ZERO_RIDGE

omega, lam, psi1, psi2, mu1, mu2, a1, a2, p, r = symbols("omega lam psi1 psi2 mu1 mu2 a1 a2 p r")

_linear, _nonlinear = mu1**2, mu2**2
_ridge, _degrees = read_form(RIDGE), read_form(DF1)


def omega_root(proof: Proof) -> None:
    """One omega solves lambda = s (1 - df1) with s > 0 and df1 < 1"""
    for name, text in SPECTRAL.items():
        proof.define(symbol(name), read_form(text))
    proof.step(
        _ridge * (omega + _linear),
        (omega - read_form(ZERO_RIDGE)) * (omega + _linear * _nonlinear / read_form(ZERO_RIDGE)),
        "s as a function of omega: for omega > 0 it is positive beyond its larger root, and there p >= a_2 (1 + a_1) >= 0",
    )
    proof.bound(
        0,
        sp.Derivative(_ridge, omega),
        p * omega / (omega + _linear) + psi2 * _linear * omega / (omega + _linear) ** 2,
        "so that s increases",
    )
    proof.bound(
        0,
        -sp.Derivative(_degrees, omega),
        psi2 / psi1 * (_linear / (omega + _linear) ** 2 + _nonlinear / (p * omega) ** 2),
        "and df_1 decreases",
    )
    product = (1 - _degrees) * (omega + _linear) * (omega + (1 - psi2) * _linear)
    root = read_form(FULL_RANK)
    other = psi2 / psi1 * (_linear + _nonlinear) - (2 - psi2) * _linear - root  # the sum of the roots less the larger
    proof.step(product, (omega - root) * (omega - other), "1 - df_1 times two factors that are positive where p > 0")
    proof.step(
        -sp.simplify(product).subs(omega, (psi2 - 1) * _linear),
        psi2**2 / psi1 * _linear * _nonlinear,
        "the quadratic is not positive where p = 0, which lies between its roots: beyond, 1 - df_1 > 0 past the larger root",
    )
    proof.step(
        _ridge.subs(omega, read_form(ABOVE)),
        lam + psi2 / psi1 * (_linear + _nonlinear) + psi2 * _linear**2 / (read_form(ABOVE) + _linear),
        "s at the upper end",
    )
    proof.bound(
        r * omega * (psi2 / psi1 * (a1 / (1 + a1) + a2 / p)),
        psi2 / psi1 * (_linear + _nonlinear),
        psi2 / psi1 * (_linear * (a1 * (1 + a1 + psi2) + a2 * (1 + a1)) / (1 + a1) ** 2 + _nonlinear * (a1 / (1 + a1) + a2 / p)),
        "s df_1 <= (psi_2/psi_1)(mu_1^2 + mu_2^2): at the upper end s (1 - df_1) exceeds lambda",
    )
