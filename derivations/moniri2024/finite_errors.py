"""The errors with spikes of finite strength: a second moment of finite rank, and what its quadratic form gives."""

from __future__ import annotations

import sympy as sp

from theory.proof.steps import Proof
from theory.proof.symbols import symbols

lam, psi, omega = symbols("lam psi omega")


def errors(proof: Proof) -> None:
    """The loss and the test error from one quadratic form"""
    proof.assume(
        "ridge regression of y on features with second moment Sigma and moment c with y, penalty lambda |a|^2: the least loss "
        "tends to (lambda/kappa)(E y^2 - H), H = c^T (Sigma + kappa)^-1 c, lambda = kappa (1 - df_1), d lambda/d kappa = 1 - df_2"
    )
    proof.assume("the residual of the fit is (lambda/kappa)^2 times the test error of a noisy label (generalised cross-validation)")
    kappa, energy, slack = sp.symbols("kappa E s_2", positive=True)
    form, slope = sp.symbols("H H_1", real=True)
    value = lam / kappa * (energy - form)
    # d/d lambda along the curve: kappa moves by 1/slack, H by H_1/slack
    derivative = sp.diff(value, lam) + (sp.diff(value, kappa) + sp.diff(value, form) * slope) / slack
    proof.step(
        (kappa / lam) ** 2 * (value - lam * derivative),
        (energy - form + kappa * slope) / slack,
        "the penalty's share of the loss is lambda d loss/d lambda, the rest is the residual",
    )


def form(proof: Proof) -> None:
    """The quadratic form with a finite rank added"""
    g11, g12, g22, c11, c12, c22, x, y = sp.symbols("g11 g12 g22 c11 c12 c22 x y", positive=True)
    G, C, seen = sp.Matrix([[g11, g12], [g12, g22]]), sp.Matrix([[c11, c12], [c12, c22]]), sp.Matrix([x, y])
    proof.step(
        (seen.T * G * (sp.eye(2) + C * G).inv() * seen)[0, 0],
        (seen.T * (G.inv() + C).inv() * seen)[0, 0],
        "c = B x and Sigma = Sigma0 + B C B^T with a basis B whose forms in S = (Sigma0 + kappa)^-1 are G: "
        "c^T (Sigma + kappa)^-1 c = x^T (G^-1 + C)^-1 x (two vectors)",
    )
    t = sp.Symbol("t", positive=True)
    E = sp.diag(1, t)
    strong = (E * seen).T * (G.inv() + E * C * E).inv() * (E * seen)
    proof.step(
        sp.limit(sp.cancel(strong[0, 0]), t, sp.oo),
        (seen.T * (sp.diag(1, 0) * G.inv() * sp.diag(1, 0) + C).inv() * seen)[0, 0],
        "strengths without bound: G^-1 counts between the other vectors only",
    )


def traces(proof: Proof) -> None:
    """The forms in S of what W0 and the readout make"""
    c, rest, depth = sp.symbols("c r x", positive=True)
    proof.assume("beta, a and W0 are independent: their forms are traces; <a, a> = 1, V^T V/N has the moments of a Gaussian")
    proof.step(
        depth * c / (c * depth + rest),
        1 - rest / (c * depth + rest),
        "on an eigenvalue x of W0^T W0, c = c_1^2, r = c_{>1}^2 + kappa: c (1/d) tr W0^T S W0 = 1 - r/omega",
    )
    proof.assume("(1/N) tr S = psi/omega + (1 - psi)/r: d of the N eigenvalues of W0 W0^T are those of W0^T W0, the others are 0")
    proof.step(
        depth**2 / (c * depth + rest),
        depth / c - rest / c * (depth / (c * depth + rest)),
        "(1/N) tr S (W0 W0^T)^2, with (1/N) tr W0 W0^T = 1: what the part W0^T a of the direction meets",
    )
    slope = sp.Symbol("u", positive=True)
    proof.step(
        sp.solve(sp.Eq(slope, 1 + c**2 * slope / (psi * (omega + c) ** 2)), slope)[0],
        1 / (1 - c**2 / (psi * (omega + c) ** 2)),
        "d omega/d kappa from omega = r + (c/psi) omega/(omega + c)",
    )


def spikes(proof: Proof) -> None:
    """The left vectors of the step's spikes"""
    z, g, v = sp.symbols("z g v", real=True)
    density = sp.exp(-(g**2) / 2) / sp.sqrt(2 * sp.pi)
    for k, smoothed in ((2, z**2 + v**2), (3, z**3 + 3 * z * v**2), (4, z**4 + 6 * z**2 * v**2 + 3 * v**4)):
        proof.step(
            sp.Integral(sp.expand((z + v * g) ** k) * density, (g, -sp.oo, sp.oo)),
            smoothed,
            f"a neuron's own part of the gradient moves its preactivation by an independent Gaussian: the mean of degree {k}",
        )
