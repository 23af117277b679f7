"""The risk after t small steps under Gaussian equivalence: t rank-one updates along one direction are one long step."""

from __future__ import annotations

import sympy as sp

from theory.proof.steps import Proof
from theory.proof.symbols import read_form, symbols
from theory.risk.forms import DELTA, R0, risk_after

theta1, theta2 = symbols("theta1 theta2")
_k = sp.Symbol("k", integer=True)


def after(proof: Proof, steps: int) -> None:
    """The risk after {steps:words} step{steps:s}"""
    proof.assume("after one step with |u| -> theta_1 and <u, beta> -> theta_2 the risk is R_0 - delta (derivations.ba2022.risk)")
    proof.assume(
        "Gaussian equivalence (Theorem 5). W_t a = W_0 a + O(1) after a fixed number t of steps, so that the output "
        "N^(-1/2) a^T sigma(W_t^T x) is still O(N^(-1/2)) and the linear part of sigma' still mu_1: each gradient on the same data "
        "is the first one up to a relative log^2(n)/sqrt n (Proposition 2)"
    )
    total = [
        proof.step(sp.Sum(part, (_k, 1, steps)), steps * part, "t equal updates u a^T add up: u_t = t u")
        for part in (theta1, theta2)
    ]
    proof.step(
        (read_form(R0) - read_form(DELTA)).subs(dict(zip((theta1, theta2), total, strict=True)), simultaneous=True),
        read_form(risk_after(steps)),
        "R_1 depends on the step through |u| and <u, beta> only",
    )
