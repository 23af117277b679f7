"""Signs of the gain, proved: delta >= 0, zero iff mu_1 mu_1* eta = 0; increasing in eta for every psi_1; decreasing in sigma_eps^2.

Each inequality ends at a sum of products of quantities that are positive, which is what ``bound`` checks. p, q, r and 1 - df_2
are positive because s > 0 and lambda > 0.
"""

from __future__ import annotations

import sympy as sp

from theory.proof.steps import Proof
from theory.proof.symbols import read_form, symbol, symbols
from theory.risk.forms import DELTA, DF1, DF2, FALL_IN_NOISE, SLOPE_IN_ETA, SPECTRAL
from theory.spike.forms import THETA1, THETA2, WITH_NOISE

psi1, psi2, a1, a2, p, q, r, df2, eta, mubar, theta1, theta2 = symbols("psi1 psi2 a1 a2 p q r df2 eta mubar theta1 theta2")
slack = sp.Symbol("Delta", positive=True)  # 1 - df_2
noise = sp.Symbol("v", nonnegative=True)  # sigma_eps^2


def _positive(proof: Proof) -> None:
    """p, q and 1 - df_2 are positive."""
    proof.assume("omega is the root with s > 0, that is r > 0, and 1 - df_1 = lambda/s > 0 (derivations.ba2022.risk_branch)")
    for name, text in SPECTRAL.items():
        proof.define(symbol(name), read_form(text))
    proof.bound(0, p, (1 + a1) * (r + a2), "p is positive, because r is")
    proof.bound(0, q, (1 + a1) * p + psi2 * a1, "q is a sum of positive terms")
    proof.bound(
        1 - read_form(DF1),
        1 - read_form(DF2),
        psi2 / psi1 * r * (a1 * p**2 + a2 * (1 + a1) ** 2) / (q * p**2),
        "1 - df_2 >= 1 - df_1 = lambda/s > 0",
    )
    proof.define(df2, read_form(DF2))
    proof.define(slack, 1 - df2)


def _nonnegative(proof: Proof, form: sp.Expr, why: str) -> None:
    """0 <= form, a product of positive factors once 1 - df_2 is one letter."""
    proof.bound(0, form, form.subs(df2, 1 - slack), why)


def positive(proof: Proof) -> None:
    """delta is not negative, and zero iff mu1 mu1* eta = 0"""
    _positive(proof)
    proof.bound(
        read_form(DELTA).subs({df2: 1 - slack, a2: 0}),
        read_form(DELTA).subs(df2, 1 - slack),
        read_form(DELTA).subs({df2: 1 - slack, r: 0}),
        "delta has the factor mu_1*^2 theta_2^2 a_1 = (mu_1*^2 eta)^2 mu_1^4/omega and exceeds a product of it and positive "
        "ones: it is zero iff one of mu_1, mu_1*, eta is",
    )
    _nonnegative(proof, read_form(DELTA), "delta is not negative")


def increasing(proof: Proof) -> None:
    """delta increases in eta for every psi1"""
    _positive(proof)
    proof.define(theta1, read_form(THETA1))
    slope = proof.step(
        sp.Derivative(read_form(DELTA).subs({theta1: read_form(THETA1), theta2: read_form(THETA2)}), eta),
        read_form(SLOPE_IN_ETA),
        "the derivative at fixed psi_1: omega, and with it a_1, a_2, p, q, r, df_2, do not depend on eta",
    )
    _nonnegative(proof, slope, "positive unless mu_1 mu_1* eta = 0")


def decreasing(proof: Proof) -> None:
    """delta decreases in sigma_eps^2"""
    _positive(proof)
    square = read_form(WITH_NOISE["mubar"]).subs(symbol("sigma_eps"), sp.sqrt(noise))
    noisy = read_form(THETA1).subs(mubar, square)
    fall = proof.step(
        -sp.Derivative(read_form(DELTA).subs(theta1, noisy), noise),
        read_form(FALL_IN_NOISE).subs(theta1, noisy),
        "sigma_eps^2 = v enters through theta_1 only",
    )
    proof.define(theta1, noisy)
    proof.step(fall, read_form(FALL_IN_NOISE), "in terms of theta_1")
    _nonnegative(proof, read_form(FALL_IN_NOISE), "positive unless mu_1 mu_1* eta = 0")
