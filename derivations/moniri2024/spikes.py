"""Spikes of the features after a step with eta = n^alpha (``moniri2024``): which powers outgrow the bulk, and what is left.

Row j of W1 is w_j + eta a_j (c_1 b + q_j): b is the direction that all neurons share, q_j a neuron's own
(``derivations.moniri2024.direction``). c_1 = mu1.
"""

from __future__ import annotations

import sympy as sp

from derivations.ba2022.rank_one import hadamard
from derivations.moniri2024.direction import LENGTH, labels_direction
from theory.proof.factors import product
from theory.proof.steps import Proof
from theory.proof.symbols import symbols

alpha, ell, n, mu1 = symbols("alpha ell n mu1")
_s, _t, _p, _z = sp.symbols("s t p z", real=True)
_v = sp.Symbol("v", positive=True)
_density = sp.exp(-(_z**2) / 2) / sp.sqrt(2 * sp.pi)
HALF = sp.Rational(1, 2)


def _expansion(proof: Proof) -> None:
    """The k-th spike c_k eta^k h_k(X b) (a^{ok})^T, for every k at once by generating functions."""
    proof.step(
        sp.Integral(sp.exp(_t * (_z + _s) - _t**2 / 2) * _density, (_z, -sp.oo, sp.oo)),
        sp.exp(_t * _s),
        "sigma = exp(t z - t^2/2) = sum_m t^m He_m/m! has c_k = E[sigma He_k]/k! = t^k/k!, so this says E_z "
        "sigma(z + s) = sum_k c_k s^k "
        "for every degree, and E is linear in sigma",
    )
    proof.step(
        sp.Integral(sp.exp(_t * (mu1 * _p + sp.sqrt(_v) * _z)) * _density, (_z, -sp.oo, sp.oo)),
        sp.exp(_t * mu1 * _p + _t**2 * _v / 2),
        "s = eta a_j (c_1 p + <x, q_j>), p = <x, b>, <x, q_j> ~ N(0, v) apart: the mean of s^k is (eta a_j)^k h_k(p), with "
        "sum_k t^k h_k/k! = exp(t c_1 p + t^2 v/2)",
    )


def _strength(proof: Proof, k: sp.Expr) -> sp.Expr:
    """The exponent in n of the k-th spike's norm over sqrt n."""
    proof.assume(
        "entries of X b are of order 1 and those of a of order n^(-1/2), |X^{ok} terms| and |a^{ok}| by the law of large numbers"
    )
    exponent = k * alpha - (k - 1) / 2
    proof.step(
        product(sp.sqrt(n), n ** ((1 - k) / 2), n ** (k * alpha), 1 / sp.sqrt(n)),
        n**exponent,
        "|h_k(X b)| = sqrt n, |a^{ok}| = n^{1/2} n^{-k/2}, eta^k = n^{k alpha}, over the bulk's norm sqrt n",
    )
    return exponent


def outgrows(proof: Proof) -> None:
    """The l-th spike outgrows the bulk iff alpha > (l-1)/(2l)"""
    _expansion(proof)
    exponent = _strength(proof, ell)
    proof.equivalence(exponent > 0, alpha > (ell - 1) / (2 * ell), "a positive exponent, for any l > 0")


def stays(proof: Proof) -> None:
    """The next spike stays below the bulk iff alpha < l/(2l+2)"""
    _expansion(proof)
    exponent = _strength(proof, ell + 1)
    proof.equivalence(exponent < 0, alpha < ell / (2 * ell + 2), "a negative exponent of the spike l + 1")


def next_dominates(proof: Proof) -> None:
    """The spike l + 1 exceeds the mixed terms iff the l-th outgrows the bulk"""
    _mixed(proof)
    exponent = _strength(proof, ell + 1)
    proof.equivalence(
        exponent > alpha - HALF,
        alpha > (ell - 1) / (2 * ell),
        "exactly where there are l spikes the remainder is that of the next one",
    )


def _mixed(proof: Proof) -> None:
    """He_m(W0 x) s^k with m, k >= 1: |diag(.)^k He_m(X W0^T) diag(a)^k|."""
    hadamard(proof)
    gap, more = sp.Symbol("epsilon", positive=True), sp.Symbol("j", nonnegative=True)
    proof.assume(
        "|He_m(X W0^T)| is of order sqrt n for each m >= 1; entries of a are at most log(n)/sqrt n and those of "
        "X b log n; the part of W1 "
        "beyond eta c_1 a b^T is of order eta/sqrt n up to logarithms (as Proposition 2 of ba2022), and so is "
        "its effect over sqrt n"
    )
    proof.bound(
        (1 + more) * (-gap),
        -gap,
        more * gap,
        "the term c_{k+m} C(k+m, k) He_m(z) s^k is of order n^{k (alpha - 1/2)} sqrt n up to logarithms; with "
        "alpha = 1/2 - epsilon and "
        "k = 1 + j that with k = 1 is the largest",
    )


def remainder(proof: Proof, level: int, alpha: str) -> None:
    """The remainder after {level:words} spike{level:s} at alpha = {alpha:decimal}"""
    value = sp.Rational(alpha)
    next_dominates(proof)
    exponent = (level + 1) * value - sp.Rational(level, 2)
    proof.step(
        product(n ** ((level + 1) * value), n ** sp.Rational(-level, 2)),
        n**exponent,
        f"l = {level}, alpha = {value}: the order of the spike l + 1 over sqrt n",
    )


def reported(proof: Proof, alpha: str) -> None:
    """What is left after the reported spikes at alpha = {alpha:decimal}"""
    value = sp.Rational(alpha)
    labels_direction(proof)
    proof.step(
        product(n**value, sp.sqrt(n), 1 / sp.sqrt(n)),
        n**value,
        f"c_1^2 eta |X (b - X^T y/n)| |a| over sqrt n at alpha = {value}: the first spike lies along another direction",
    )


# --- outliers ----------------------------------------------------------------------------------------------------------


def outlier_equation(proof: Proof) -> None:
    """Where an outlier is, the pencil has the eigenvalue one"""
    s, left, right, cross, strength = sp.symbols("s G_u G_v C t", positive=True)
    proof.assume("for unit u, v: u^T s Q u -> s Gu, v^T s (s^2 - F0^T F0)^{-1} v -> s Gv, u^T Q F0 v -> C (isotropic laws)")
    forms = sp.Matrix([[s * left, cross], [cross, s * right]])
    update = sp.Matrix([[0, strength], [strength, 0]])
    determinant = proof.step(
        sp.Determinant(sp.ImmutableMatrix(sp.eye(2) - forms * update)),
        (1 - strength * cross) ** 2 - strength**2 * s**2 * left * right,
        "s is a singular value of F0 + t u v^T iff det(I - [u, v]^T (s - H0)^{-1} [u, v] [[0, t], [t, 0]]) = 0, "
        "H0 = [[0, F0], [F0^T, 0]]",
    )
    proof.step(
        determinant,
        (1 - strength * (cross + s * sp.sqrt(left * right))) * (1 - strength * (cross - s * sp.sqrt(left * right))),
        "the eigenvalues of the product are t (C +- s sqrt(Gu Gv))",
    )


# --- what a step does not do -------------------------------------------------------------------------------------------


def _no_gain(proof: Proof, loss: str, words: str) -> None:
    rho, first = symbols("rho mu1_star")
    u, w, corr = sp.symbols("u w r", real=True)
    proof.step(
        sp.exp((u**2 + w**2 + 2 * u * w * corr) / 2 - u**2 / 2 - w**2 / 2),
        sp.exp(u * w * corr),
        "E exp(u p - u^2/2) exp(w x - w^2/2) for unit Gaussians of correlation r: E He_j(p) He_m(x) = delta_jm "
        "j! r^j for all degrees",
    )
    h1, h2, m11, m12, m22 = sp.symbols("h_1 h_2 M_11 M_12 M_22", positive=True)
    middle, tall = sp.Matrix([[m11, m12], [m12, m22]]), sp.Matrix([h1, h2])
    quadratic = (tall.T * middle * tall)[0, 0]
    proof.step(
        (rho * tall.T * middle * rho * tall)[0, 0],
        rho**2 * sp.expand(quadratic),
        "c_{*,0} = 0, so every g_k = u_k^T R y carries rho = cos(b, beta) at least once, g = rho h, and with it "
        "the change; for two spikes",
    )
    proof.define(first, sp.S.Zero)
    proof.define(rho, first / sp.sqrt(LENGTH))
    before = sp.Symbol(loss, positive=True)
    proof.step((before - rho * (h1 + rho * sp.expand(quadratic))) / before, 1, words)


def no_gain_in_loss(proof: Proof) -> None:
    """Without a linear part of the teacher the training loss stays as it is"""
    proof.assume("L0 - L1 -> lambda g^T X g with a bounded X, for any l (the loss with l spikes, Woodbury's identity)")
    _no_gain(proof, "L_0", "c_{*,1} = 0: L1/L0; whatever multiplies rho")


def no_gain_in_risk(proof: Proof) -> None:
    """Without a linear part of the teacher the test error stays as it is"""
    proof.assume("the new fit differs from the old by l spikes with coefficients X g, X bounded: so the risk's change carries g")
    _no_gain(proof, "R_0", "c_{*,1} = 0: R1/R0; whatever multiplies rho")


def second_degree(proof: Proof) -> None:
    """The fit's component along He_2(<x, beta>) after a step with eta of order one"""
    (d,) = symbols("d")
    first, second = sp.symbols("u_1 u_2", real=True)
    third, fourth = sp.symbols("v_1 v_2", real=True)
    proof.bound(
        (first * third + second * fourth) ** 2,
        (first**2 + second**2) * (third**2 + fourth**2),
        sp.Abs(first * fourth - second * third) ** 2,
        "Cauchy-Schwarz: the component is sum_j a_hat_j e_j, e_j a bounded multiple of <w_j, beta>^2",
    )
    proof.assume("|a_hat| is bounded (lambda > 0); with eta of order one <w_j, beta>^2 is of order 1/d and N of order d")
    proof.step(product(d, (1 / d) ** 2), d**-1, "|a_hat|^2 |e|^2: of order d terms <w_j, beta>^4 of order d^-2")
