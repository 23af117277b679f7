"""m1 and m2 of the random-features kernel on the curve of omega, and the two equations of adlam2020."""

from __future__ import annotations

import sympy as sp

from theory.proof.steps import Proof
from theory.proof.symbols import read_form, symbol, symbols
from theory.risk.forms import CURVE, M1, M2, RIGHT, SPECTRAL

lam, psi1, psi2, mu1, mu2, omega, r, a2, m1_, m2_ = symbols("lam psi1 psi2 mu1 mu2 omega r a2 m1 m2")


def _curve(proof: Proof) -> None:
    for name, text in SPECTRAL.items():
        proof.define(symbol(name), read_form(text))


def m1(proof: Proof) -> None:
    """The normalised trace of the resolvent"""
    _curve(proof)
    proof.assume("(1/n) tr (Phi0 Phi0^T + lambda n/N)^-1 -> 1/(n kappa), kappa = s/N (the deterministic equivalent of ridge)")
    proof.step(psi2 / psi1 / read_form(CURVE["s"]), read_form(M1), "N/(n s), with s = r omega")


def m2(proof: Proof) -> None:
    """The trace of the resolvent against the data"""
    m1(proof)
    proof.assume(
        "given W0, (1/n) X~^T K^-1 X~ -> m1 (I + (mu_1^2/s') W0 W0^T)^-1, s' = mu_2^2 + s: the resolvent sees each direction of "
        "the inputs through the deterministic equivalent of the features"
    )
    eigenvalue, ridge = sp.symbols("x s", positive=True)
    proof.step(
        1 / (1 + mu1**2 / (mu2**2 + ridge) * eigenvalue),
        (mu2**2 + ridge) / (mu1**2 * eigenvalue + mu2**2 + ridge),
        "on every eigenvalue x of W0 W0^T",
    )
    proof.step(
        read_form(M1) * (mu2**2 + read_form(CURVE["s"])) / omega,
        read_form(M2),
        "its normalised trace is m1 (mu_2^2 + s)/omega",
    )


def _equation(proof: Proof, term: sp.Expr, why: str) -> None:
    _curve(proof)
    proof.define(m1_, read_form(M1))
    proof.define(m2_, read_form(M2))
    proof.step(term, read_form(RIGHT).subs(lam, read_form(CURVE["lam"])), why)
    proof.define(lam, read_form(CURVE["lam"]))
    proof.step(term, read_form(RIGHT), "that is, with lambda = s (1 - df_1)")


def first(proof: Proof) -> None:
    """(S67)"""
    _equation(proof, (m1_ - m2_) * (mu2**2 * m1_ + mu1**2 * m2_) / psi1, "the first equation on the curve")


def second(proof: Proof) -> None:
    """(S68)"""
    _equation(proof, psi2 / psi1 * (mu1**2 * m1_ * m2_ + (m2_ - m1_) / psi1), "the second equation on the curve")
