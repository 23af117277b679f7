"""How far one step moves W^T W: the Frobenius norm of a sum of three rank-one matrices, exactly and in the limit.

W = W0 + u a^T gives W^T W - W0^T W0 = v a^T + a v^T + |u|^2 a a^T with v = W0^T u.
"""

from __future__ import annotations

import sympy as sp

from derivations.ba2022.noise_term import theta1 as derive_theta1
from theory.proof.steps import Proof
from theory.proof.symbols import symbols

theta1, psi1, psi2, eta, mu1, mubar, slope_energy, n = symbols("theta1 psi1 psi2 eta mu1 mubar slope_energy n")
_v2, _a2, _u2 = sp.symbols("V A U", positive=True)
_va = sp.Symbol("c", real=True)


def rank_one(proof: Proof) -> None:
    """The limit of |W^T W - W0^T W0|_F^2 for a rank-one update"""
    start, u, a = sp.MatrixSymbol("W_0", 2, 2), sp.MatrixSymbol("u", 2, 1), sp.MatrixSymbol("a", 2, 1)
    moved = start + u * a.T
    three = start.T * u * a.T + a * u.T * start
    proof.step(
        moved.T * moved - start.T * start,
        three.as_explicit() + (u.T * u).as_explicit()[0, 0] * (a * a.T).as_explicit(),
        "expanded; on matrices of symbols",
    )
    v, b = sp.Matrix(sp.symbols("v_1:3", real=True)), sp.Matrix(sp.symbols("a_1:3", real=True))
    vv, aa, va = v.dot(v), b.dot(b), v.dot(b)
    proof.step(
        sp.Add(*(entry**2 for entry in v * b.T + b * v.T + _u2 * b * b.T), evaluate=False),
        _u2**2 * aa**2 + 2 * vv * aa + 2 * va**2 + 4 * _u2 * va * aa,
        "the squared Frobenius norm with v = W_0^T u, |u|^4 |a|^4 + 2 |v|^2 |a|^2 + 2 <v, a>^2 + 4 |u|^2 |a|^2 <v, a>",
    )
    derive_theta1(proof)
    proof.assume(
        "|a| -> 1; W_0 is independent of u and a: <v, a> -> 0 and |W_0^T u|^2 -> |u|^2 lim (1/d) tr W_0 W_0^T = psi_2 |u|^2 "
        "(laws of large numbers)"
    )
    limit = _u2**2 * _a2**2 + 2 * _v2 * _a2 + 2 * _va**2 + 4 * _u2 * _a2 * _va
    for symbol, meaning in ((_a2, sp.Integer(1)), (_va, sp.Integer(0)), (_v2, psi2 * theta1**2), (_u2, theta1**2)):
        proof.define(symbol, meaning)
    proof.step(limit, theta1**4 + 2 * psi2 * theta1**2, "|u|^2 -> theta_1^2, |v|^2 -> psi_2 theta_1^2")


def rest(proof: Proof) -> None:
    """The limit of |eta sqrt N B|_F^2"""
    slope, width, dimension = sp.Symbol("s", real=True), sp.Symbol("N", positive=True), n / psi1
    proof.assume(
        "C is B with the network's output, of size N^(-1/2), for y, so that its Frobenius norm vanishes; y and sigma'(w_j^T x) "
        "become independent, and the samples' terms x y sigma'_perp uncorrelated (overlaps <w_j, beta> vanish); |a| -> 1"
    )
    proof.step(
        sp.expand((slope - mu1) ** 2).subs({slope**2: slope_energy}).subs(slope, mu1),
        slope_energy - mu1**2,
        "E (sigma' - mu_1)^2, with E sigma' = mu_1 by Stein's lemma",
    )
    column = mubar**2 * (slope_energy - mu1**2) * dimension / n
    proof.step(
        sp.Mul(eta**2 * width, 1 / width, column, evaluate=False),
        eta**2 * mubar**2 / psi1 * (slope_energy - mu1**2),
        "column j of B is a_j/sqrt N times the mean over n samples of x y sigma'_perp(w_j^T x), of squared length "
        "(d/n) E y^2 E sigma'_perp^2; sum of a_j^2 is 1",
    )


def moved(proof: Proof) -> None:
    """The limit of |W_1^T W_1 - W_0^T W_0|_F^2"""
    proof.assume("|u|^4 + 2 |W_0^T u|^2 -> theta_1^4 + 2 psi_2 theta_1^2 for the rank-one part (the derivation of its own claim)")
    low = theta1**4 + 2 * psi2 * theta1**2
    rest(proof)
    high = proof.conclusion
    proof.assume(
        "|E|_F^2 -> psi_2 |D|_F^2 for E = W_0^T D, D = eta sqrt N B, as columns of D are independent of the other neurons; "
        "tr E^2 -> 0, |D^T D|_F -> 0 and products with the rank-one part vanish, because |D| -> 0 in operator norm (Proposition 2)"
    )
    proof.step(
        sp.Add(low, 2 * psi2 * high, evaluate=False),
        theta1**4 + 2 * psi2 * theta1**2 + 2 * psi2 * eta**2 * mubar**2 / psi1 * (slope_energy - mu1**2),
        "|E + E^T|_F^2 = 2 |E|_F^2 + 2 tr E^2, beside the rank-one part",
    )
