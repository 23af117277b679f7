"""Pieces of Theorem 11 of ba2022: what neurons that share a width average to, and how two errors add."""

from __future__ import annotations

import sympy as sp

from derivations.ba2022.noise_term import limit
from theory.proof.steps import Proof
from theory.proof.symbols import symbols

n, mu1, mu1_star, mu2_star, sigma_eps, psi1 = symbols("n mu1 mu1_star mu2_star sigma_eps psi1")
etabar, alpha, kappa, x, B1, B2 = symbols("etabar alpha kappa x B1 B2")


def width(proof: Proof) -> None:
    """kappa, the width that neurons with sqrt(N) a_j = alpha share"""
    size = sp.Symbol("N", positive=True)
    readout = alpha / sp.sqrt(size)
    proof.assume("G0 = (mu1/(n sqrt N)) X^T y a^T up to a relative error of order log^2(n)/sqrt n (Proposition 2)")
    update = proof.step(
        sp.Mul(etabar * sp.sqrt(size), sp.sqrt(size), mu1 / sp.sqrt(size), readout, evaluate=False),
        etabar * mu1 * alpha,
        "neuron j moves by eta sqrt(N) (G0)_j with eta = etabar sqrt(N) and a_j = alpha/sqrt(N): along X^T y/n, by the same "
        "multiple of it for all neurons that share alpha",
    )
    proof.assume("X^T y/n -> mu1* beta as n/d -> infinity (claims alignment and direction_error)")
    proof.step(
        sp.Mul(update, mu1_star, evaluate=False),
        etabar * mu1 * mu1_star * alpha,
        "<move, x> = kappa <beta, x>; <w_j, x> itself is N(0, 1) and independent of <beta, x>, "
        "so that such neurons average to E sigma(kappa xi_1 + xi_2) given xi_1 = <beta, x>",
    )


def width_slope(proof: Proof) -> None:
    """The width that neurons share, for each unit of sqrt(N) a_j"""
    width(proof)
    proof.step(sp.Derivative(proof.conclusion, alpha), etabar * mu1 * mu1_star, "kappa is linear in alpha")


def average(proof: Proof) -> None:
    """The mean square error of an average over the neurons with |sqrt(N) a_j - alpha| <= h, h = N^(-1/3)"""
    proof.assume("N of order n; about N h neurons lie in the window, and given x they are independent to leading order")
    window = n ** -sp.Rational(1, 3)
    order = n ** -sp.Rational(2, 3)
    proof.step(sp.Mul(window, window, evaluate=False), order, "their kappas differ by O(h), and S has a bounded derivative: O(h^2)")
    proof.step(sp.Mul(1 / n, 1 / window, evaluate=False), order, "the variance of a mean of N h terms, 1/(N h): h balances the two")


def erf_average(proof: Proof) -> None:
    """E erf(kappa x + xi), xi ~ N(0, 1)"""
    t, m, r = sp.symbols("t m r", real=True)
    density = sp.exp(-(t**2) / 2) / sp.sqrt(2 * sp.pi)
    slope = proof.step(
        sp.Integral(sp.powsimp(sp.expand(2 / sp.sqrt(sp.pi) * sp.exp(sp.expand(-((m + t) ** 2))) * density)), (t, -sp.oo, sp.oo)),
        2 / sp.sqrt(3 * sp.pi) * sp.exp(-(m**2) / 3),
        "d/dm E erf(m + xi) = E erf'(m + xi), a Gaussian integral: (m + t)^2 + t^2/2 = m^2 + 2 m t + 3 t^2/2",
    )
    proof.step(
        sp.Integral(slope.subs(m, r), (r, 0, kappa * x)),
        sp.erf(kappa * x / sp.sqrt(3)),
        "from 0, where E erf(xi) vanishes because erf is odd, to m = kappa x",
    )


def erf_zero(proof: Proof) -> None:
    """tau* = 0 for erf and erf: the average is the teacher at kappa = sqrt 3"""
    erf_average(proof)
    mean = sp.Subs(proof.conclusion, kappa, sp.sqrt(3))
    proof.step(mean, sp.erf(x), "kappa = sqrt 3: J(sqrt 3) = E(erf(z) - erf(z))^2, and J >= 0")


def combination(proof: Proof) -> None:
    """R1 <= B1 + B2 + 2 sqrt(B1 B2) for an error that is a sum of two"""
    scale = sp.Symbol("t", positive=True)
    square = sp.Symbol("v", nonnegative=True)
    product = sp.Symbol("c", real=True)
    proof.define(product, (scale**2 * B1 + B2 / scale**2 - square) / 2)
    proof.step(
        scale**2 * B1 + B2 / scale**2 - 2 * product,
        square,
        "with p + q the error, B1 = E p^2, B2 = E q^2, c = E p q: v = E(t p - q/t)^2 >= 0, for any t > 0",
    )
    fourth = (B2 / B1) ** sp.Rational(1, 4)
    proof.step(
        sp.Subs(scale**2 * B1 + B2 / scale**2, scale, fourth), 2 * sp.sqrt(B1 * B2), "t = (B2/B1)^(1/4), where this is least"
    )
    proof.bound(
        (B1 + B2 + 2 * product).subs(product, proof.definitions[product].subs(scale, fourth)),
        B1 + B2 + 2 * sp.sqrt(B1 * B2),
        square,
        "R1 = E(p + q)^2 = B1 + B2 + 2 c, at that t (Cauchy-Schwarz, with the remainder in sight)",
    )


def direction_error(proof: Proof) -> None:
    """|X^T y/n - mu1* beta|^2, the error of the gradient's direction"""
    limit(proof)
    second = proof.conclusion
    proof.assume("<X^T y/n, beta> -> mu1* (claim ba2022.noise-term.projection)")
    proof.step(
        second - 2 * mu1_star * mu1_star + mu1_star**2,
        (mu1_star**2 + mu2_star**2 + sigma_eps**2) / psi1,
        "|u - mu1* beta|^2 = |u|^2 - 2 mu1* <u, beta> + mu1*^2: what is left is E y^2 d/n",
    )


def alignment(proof: Proof) -> None:
    """cos^2 of the angle between X^T y/n and beta"""
    limit(proof)
    second = proof.conclusion
    proof.assume("<X^T y/n, beta> -> mu1* (claim ba2022.noise-term.projection)")
    proof.step(
        mu1_star**2 / second,
        mu1_star**2 / (mu1_star**2 + (mu1_star**2 + mu2_star**2 + sigma_eps**2) / psi1),
        "<u, beta>^2/|u|^2, which is theta2^2/theta1^2 at every step size: the step is no better than X^T y/n",
    )
