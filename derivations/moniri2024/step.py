"""The drops of the training loss for the step as it is written: its own direction, and what its neurons do on their own."""

from __future__ import annotations

import sympy as sp

from derivations.moniri2024.drops import free_fit
from theory.proof.steps import Proof
from theory.proof.symbols import read_form, symbol, symbols
from theory.spike.forms import WITH_NOISE
from theory.staircase.forms import LETTERS, STEP, STEP_DROPS

lam, phi, psi, m1, m2, mu1, mu2, c1, rho = symbols("lam phi psi m1 m2 mu1 mu2 mu1_star rho")
c2, omega, r, seen, varsigma, length2 = symbols("c2_star omega r seen varsigma length2")


def _definitions(proof: Proof) -> None:
    for name, text in {**LETTERS, **WITH_NOISE, **STEP}.items():
        proof.define(symbol(name), read_form(text))


def _seen(proof: Proof) -> None:
    """What the first spike weighs."""
    free_fit(proof)
    proof.assume(
        "b = X^T (y - f0)/n -> c_{*,1} beta - c_1 W0^T a + noise, with the lengths of chapter staircase_spikes; |W0^T a| -> 1, and "
        "W0^T a is orthogonal to beta in the limit"
    )
    proof.assume("X~^T R X~ -> (n/N) m1 (I + t W0^T W0)^-1, t = c_1^2/(c_{>1}^2 + s), s the effective ridge")
    t, q11, q12, q22 = sp.symbols("t q11 q12 q22", positive=True)
    A, q = sp.Matrix([[q11, q12], [q12, q22]]), sp.Matrix([1, 0])
    Q = (q.T * A.inv() * q)[0, 0]
    proof.step(
        (q.T * (A - t * q * q.T).inv() * q)[0, 0],
        Q / (1 - t * Q),
        "a head orthogonal to a sees W0 without its part along a: q = W0^T a, A = I + t W0^T W0 (Sherman-Morrison)",
    )
    x = sp.Symbol("x", positive=True)
    proof.step(
        x / (1 + t * x),
        (1 - 1 / (1 + t * x)) / t,
        "on an eigenvalue x of W0^T W0: q^T A^-1 q = (1/N) tr W0 A^-1 W0^T = psi (1 - w)/t, w = (1/d) tr A^-1 = m2/m1",
    )
    _definitions(proof)
    share = mu1**2 / length2
    ratio = psi * (1 - m2 / m1) * (mu2**2 + r * omega) / mu1**2
    proof.step(
        (1 - share) * m2 + share * m1 * ratio / (1 - mu1**2 / (mu2**2 + r * omega) * ratio),
        seen,
        "b/|b| has the square c_1^2/|b|^2 along W0^T a, the rest in directions that W0 does not know",
    )


def delta_1(proof: Proof) -> None:
    """Delta_1 of the step as it is written"""
    _seen(proof)
    proof.step(
        lam * psi / phi * (c1 * rho * m2) ** 2 / seen,
        read_form(STEP_DROPS[1]),
        "lambda (n/N) g^2/M: the label's linear part is orthogonal to W0^T a, so that g weighs m2",
    )


def delta_2(proof: Proof) -> None:
    """Delta_2 of the step as it is written"""
    _seen(proof)
    z, g = sp.symbols("z g", real=True)
    density = sp.exp(-(g**2) / 2) / sp.sqrt(2 * sp.pi)
    v = sp.Symbol("v", positive=True)
    proof.step(
        sp.Integral(sp.expand((z + sp.sqrt(v) * g) ** 2) * density, (g, -sp.oo, sp.oo)),
        z**2 + v,
        "the second spike, v = varsigma: He_2(z) + 1 + varsigma",
    )
    proof.step(
        sp.Integral(sp.expand((z**2 + v) ** 2) * density.subs(g, z), (z, -sp.oo, sp.oo)),
        2 + (1 + v) ** 2,
        "its square; all of it weighs (n/N) m1, and E[(z^2 + varsigma) y] = 2 c_{*,2} rho^2 for a centred teacher",
    )
    proof.step(
        lam * psi / phi * ((c1 * rho * m2) ** 2 / seen + (m1 * 2 * c2 * rho**2) ** 2 / (m1 * (2 + (1 + varsigma) ** 2))),
        read_form(STEP_DROPS[2]),
        "lambda (n/N) g^T M^-1 g, M diagonal",
    )
