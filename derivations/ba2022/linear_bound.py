"""No function that is linear in Gaussian features beats the part of the teacher beyond its linear one: two lines.

A predictor p <x, beta> + q zeta, where zeta is standard normal and independent of g = <x, beta>: the directions of x orthogonal
to beta and the noise z of the features, together.
"""

from __future__ import annotations

import sympy as sp

from derivations.ba2022.noise_term import define_teacher
from theory.proof.stein import Expect, g, teacher
from theory.proof.steps import Proof
from theory.proof.symbols import symbols

mu1_star, mu2_star = symbols("mu1_star mu2_star")
_p, _q = sp.symbols("p_1 q_1", real=True)
_risk = sp.Symbol("R", positive=True)


def _bound(proof: Proof, words: str) -> None:
    define_teacher(proof)
    proof.assume(words)
    along = proof.step(
        Expect((_p * g - teacher(g)) ** 2),
        mu2_star**2 + (mu1_star - _p) ** 2,
        "E (p g - f*(g))^2: the part of f* beyond mu_1* g is orthogonal to g",
    )
    proof.define(_risk, along + _q**2)
    proof.bound(
        mu2_star**2 / _risk,
        1,
        ((mu1_star - _p) ** 2 + _q**2) / _risk,
        "R = E (p g + q zeta - f*)^2, zeta independent of g: both squares are non-negative",
    )


def equivalent_features(proof: Proof) -> None:
    """The risk on equivalent features is at least mu2*^2"""
    _bound(proof, "Gaussian equivalence (Theorem 5): the features may be replaced by N^{-1/2} (mu_1 W1^T x + mu_2 z)")


def kernels(proof: Proof) -> None:
    """The risk of kernel regression is at least the teacher's energy beyond its linear part"""
    _bound(
        proof,
        "with n of order d, kernel ridge regression with these kernels predicts a linear function of x up to a vanishing error: "
        "the kernel matrix is that of linear features and independent noise",
    )
