"""The second moment of the first gradient, and so the noise term of theta_1, from Stein's lemma and iid sums.

y = f*(<x, beta>) + noise with x ~ N(0, I_d), |beta| = 1; X holds n samples; u = (eta mu1 / n) X^T y is the left vector of
the rank-one part of the update. Nothing about the answer is put in: the definition is expanded over coinciding samples.
"""

from __future__ import annotations

import sympy as sp

from theory.proof.stein import Expect, GradientMoment, beta, contract, g, iid_sums, teacher, vector_moment, y
from theory.proof.steps import Proof
from theory.proof.symbols import symbols

n, d, psi1, eta, mu1, mu1_star, mu2_star, sigma_eps = symbols("n d psi1 eta mu1 mu1_star mu2_star sigma_eps")
a = sp.Symbol("a", integer=True)

_mean_slope = Expect(sp.diff(teacher(g), g))
_energy = Expect(teacher(g) ** 2)
_fluctuation = Expect(2 * sp.diff(teacher(g), g) ** 2 + 2 * teacher(g) * sp.diff(teacher(g), (g, 2)))


def _second_moment(proof: Proof) -> sp.Expr:
    proof.step(Expect(g * y), _mean_slope, "Stein's lemma in g = <x, beta>; the noise has mean 0")
    proof.step(Expect(y**2), _energy + sigma_eps**2, "the noise is independent, with mean 0")
    proof.step(vector_moment([a], y), beta[a] * Expect(g * y), "E[x_a y], by Stein's lemma in x_a")
    proof.step(Expect(g**2 * y**2), Expect(y**2) + _fluctuation, "Stein's lemma twice")
    square = (1 - 1 / n) * Expect(g * y) ** 2 + ((d - 1) * Expect(y**2) + Expect(g**2 * y**2)) / n
    return proof.step(
        GradientMoment(n, d),
        square,
        "sum over pairs of samples: n(n-1) pairs of distinct ones give |E[y x]|^2, n equal ones "
        "E[y^2 |x|^2]; |x|^2 = g^2 + d - 1 independent standard directions",
    )


def define_teacher(proof: Proof) -> None:
    """mu1* = E z f*(z) and mu2*^2 = E f*^2 - mu1*^2 of a single-index teacher, as definitions of the proof."""
    proof.define(mu1_star, Expect(g * teacher(g)))
    proof.define(mu2_star, sp.sqrt(_energy - mu1_star**2))


def second_moment(proof: Proof) -> None:
    """E|X^T y/n|^2 at finite n and d"""
    define_teacher(proof)
    square = _second_moment(proof)
    mean_square = mu1_star**2 + mu2_star**2 + sigma_eps**2
    proof.step(
        square,
        (1 - 1 / n) * mu1_star**2 + (d * mean_square + _fluctuation) / n,
        "in terms of the teacher's Hermite data (mean 0) and one order-one moment",
    )


def projection(proof: Proof) -> None:
    """E<X^T y/n, beta> = mu1*"""
    define_teacher(proof)
    one_sample = proof.step(
        contract(beta[a] * vector_moment([a], y), a, d),
        Expect(g * y),
        "E<x, beta> y for one sample: Stein's lemma in each x_a, then the sum over a with |beta| = 1",
    )
    mean = sp.Mul(iid_sums([g * y], n, lambda parts: Expect(sp.Mul(*parts))), 1 / n, evaluate=False)
    proof.step(mean, one_sample, "one sum over n iid samples, divided by n")
    proof.step(one_sample, mu1_star, "the noise has mean 0; the definition of mu1*")


def limit(proof: Proof) -> None:
    """|X^T y/n|^2 as n/d -> psi_1"""
    define_teacher(proof)
    _second_moment(proof)
    proof.assume("|X^T y/n|^2 concentrates on its mean (law of large numbers for n iid rows)")
    proof.step(
        sp.Limit(GradientMoment(n, n / psi1), n, sp.oo),
        mu1_star**2 + (mu1_star**2 + mu2_star**2 + sigma_eps**2) / psi1,
        "d = n/psi1; the order-one moment of f*' and f*'' is divided by n and goes",
    )


def theta1(proof: Proof) -> None:
    """theta_1, the limit of |u| for u = (eta mu1/n) X^T y"""
    define_teacher(proof)
    _second_moment(proof)
    proof.assume("|X^T y/n|^2 concentrates on its mean (law of large numbers for n iid rows)")
    length = sp.sqrt(eta**2 * mu1**2 * sp.Limit(GradientMoment(n, n / psi1), n, sp.oo))
    proof.step(
        length,
        eta * mu1 * sp.sqrt((mu1_star**2 + mu2_star**2 + sigma_eps**2) / psi1 + mu1_star**2),
        "|u|^2 = eta^2 mu1^2 |X^T y/n|^2 with eta, mu1 >= 0; d = n/psi1, and the order-one moments go",
    )


def theta2(proof: Proof) -> None:
    """theta_2, the limit of <u, beta>"""
    define_teacher(proof)
    one_sample = proof.step(
        contract(beta[a] * vector_moment([a], y), a, d),
        Expect(g * y),
        "E<x, beta> y for one sample: Stein's lemma in each x_a, then the sum over a with |beta| = 1",
    )
    mean = sp.Mul(iid_sums([g * y], n, lambda parts: Expect(sp.Mul(*parts))), 1 / n, evaluate=False)
    proof.assume("<X^T y/n, beta> concentrates on its mean (law of large numbers for n iid rows)")
    proof.step(mean, one_sample, "one sum over n iid samples, divided by n")
    proof.step(eta * mu1 * one_sample, eta * mu1 * mu1_star, "u = (eta mu1/n) X^T y; the definition of mu1*")
