"""The rational formula of mei2019 and the closed form are one function, by chi = -psi_2 a_2/p on the curve."""

from __future__ import annotations

import sympy as sp

from theory.proof.steps import Proof
from theory.proof.symbols import read_form, symbol, symbols
from theory.risk.forms import BIAS, CURVE, DF2, SPECTRAL, VARIANCE
from theory.risk.rational_forms import CHI_OF_OMEGA, E0, E1, E2

psi1, psi2, lam, mu1, mu2, a2, p, df2 = symbols("psi1 psi2 lam mu1 mu2 a2 p df2")
chi_ = symbol("chi")
_zeta2 = mu1**2 / mu2**2
_shift = chi_ + _zeta2 * chi_ / (1 - _zeta2 * chi_)


def _curve(proof: Proof) -> None:
    for name, text in SPECTRAL.items():
        proof.define(symbol(name), read_form(text))


def chi_root(proof: Proof) -> None:
    """One chi < 0 solves the fixed point with both psi_1 + X and psi_2 + X positive"""
    nu1, nu2, xi = sp.symbols("nu1 nu2 xi", nonzero=True)
    inner = -xi - nu2 - _zeta2 * nu2 / (1 - _zeta2 * nu1 * nu2)
    proof.step(
        nu1 * inner,
        -xi * nu1 - _shift.subs(chi_, nu1 * nu2),
        "nu1 times its bracket equals the source's psi_1, here psi_2: so -xi nu1 = psi_2 + X(chi), and -xi nu2 = psi_1 + X(chi)",
    )
    proof.step(
        ((sp.I * sp.sqrt(psi1 * lam) / mu2) ** 2 * chi_) * (-1),
        psi1 * lam / mu2**2 * chi_,
        "their product is xi^2 chi, with xi^2 = -psi_1 psi_2 lambda_bar and lambda_bar = lambda/(psi_2 mu_2^2)",
    )
    minus = sp.Symbol("y", positive=True)
    zeta = proof.define(sp.Symbol("zeta", positive=True), mu1 / mu2)
    proof.bound(
        0,
        sp.Derivative(_shift, chi_).doit().subs(chi_, -minus),
        1 + zeta**2 / (1 + zeta**2 * minus) ** 2,
        "X increases on chi < 0; from -min(psi_1, psi_2) at the lower end to 0: both factors are positive and increase, and so "
        "does psi_1 lambda/mu_2^2 chi; at the lower end the product vanishes and the last term is negative, at 0 it vanishes",
    )


def chi(proof: Proof) -> None:
    """chi as a function of omega"""
    chi_root(proof)
    _curve(proof)
    on_curve = {chi_: read_form(CHI_OF_OMEGA)}
    proof.step(
        ((psi2 + _shift) * (psi1 + _shift)).subs(on_curve),
        (-psi1 * lam / mu2**2 * chi_).subs(on_curve).subs(lam, read_form(CURVE["lam"])),
        "chi(omega) solves the fixed point at lambda = s (1 - df_1)",
    )
    proof.step((psi2 + _shift).subs(on_curve), psi2 * symbol("r") / p, "one factor is psi_2 (s/omega)/p, which is positive")
    proof.step(
        (psi1 + _shift).subs(on_curve),
        psi1 * read_form(CURVE["lam"]) / read_form(CURVE["s"]),
        "the other is psi_1 (1 - df_1), positive too: it is the root that is meant",
    )
    proof.step(read_form(CHI_OF_OMEGA), -psi2 * a2 / p, "in the letters of the curve")


def _coefficient(proof: Proof, printed: str, derived: str, why: str) -> None:
    chi(proof)
    proof.define(df2, read_form(DF2))
    proof.step(read_form(printed).subs(chi_, read_form(CHI_OF_OMEGA)), read_form(derived), why)


def bias(proof: Proof) -> None:
    """The source's bias"""
    _coefficient(proof, f"{E1}/{E0}", BIAS, "E1/E0 on the curve")


def variance(proof: Proof) -> None:
    """The source's variance"""
    _coefficient(proof, f"{E2}/{E0}", VARIANCE, "E2/E0 on the curve")
