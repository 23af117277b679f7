"""Exponents in ``damian2022``, Corollary 22, Lemmas 23 and 25, Appendix B: the count that decides each of them.

Each is decided where both sides can be computed: a Hessian of rank one for Corollary 22, degrees in x and in the gradient for
Lemma 23, Bernstein's inequality with its constants for Lemma 25. Source: statements.md, section 4 (lists the misprints).
"""

from __future__ import annotations

import sympy as sp

from theory.proof import Proof
from theory.symbols import symbols

d, p, k, r, kappa, iota, m, eta1, C = symbols("d degree order_k rank kappa_H iota width eta1 C")
_y, _b = sp.symbols("y b", real=True)


def corollary_22(proof: Proof) -> None:
    """The power of r d kappa^2 in E z_T^2 is the order k of T, not the degree p"""
    proof.assume(
        "H = h u u^T, so that r = 1, kappa = 1/|h|, and the leading gradient has <g, u> = h s/sqrt(2 pi), s = <u, w>; T = u^k, "
        "M = E s^(2k), and z_T = <g, u>^k/E <g, u>^(2k) is the z of least norm"
    )
    moment, c = sp.symbols("M c", positive=True)
    proof.define(c, 1 / (kappa * sp.sqrt(2 * sp.pi)))
    proof.step(c**k * c**k * moment / (c ** (2 * k) * moment), 1, "E z_T <g, u>^k = <T, u^k>: of degree k in the gradient and in x")
    square = proof.step(
        c ** (2 * k) * moment / (c ** (2 * k) * moment) ** 2, (2 * sp.pi * kappa**2) ** k / moment, "E z_T^2 in terms of kappa"
    )
    for order in (1, 2, 3):
        mean = sp.factorial2(2 * order - 1) / sp.Mul(*[d + 2 * j for j in range(order)])
        proof.step(sp.Limit(1 / (mean * d**order), d, sp.oo), 1 / sp.factorial2(2 * order - 1), f"1/M is of order d^k, k = {order}")
    proof.step(kappa * sp.Derivative(sp.log(square), kappa) / 2, k, "the power of kappa^2 in E z_T^2, and so that of r d kappa^2")


def _average(order: int, inside: bool) -> sp.Expr:
    """E v_k relu(a y + b) over a = +-1, b in [-1, 1], for |y| <= 1, or for y > 1."""
    low, high = (-_y, _y) if inside else (sp.Integer(-1), sp.Integer(1))
    common = 6 * (order - 1) * _b
    plus = (2 * order - common) * (_y + _b)
    minus = (4 * order * (order - 1) * _b ** (order - 2) - common - 2 * order) * (_b - _y)
    return (sp.Integral(plus, (_b, low, 1)) + sp.Integral(minus, (_b, high, 1))) / 4


def _lemma_17(proof: Proof) -> None:
    for order in (2, 3, 4):
        proof.step(_average(order, True), _y**order, f"E v_k sigma(a y + b) = y^k on |y| <= 1 (Lemma 17), k = {order}")


def lemma_23_degree(proof: Proof) -> None:
    """E h_T sigma(w^(1).x + b) = <T, x^k>: the degree in x is k"""
    _lemma_17(proof)
    proof.assume("w^(1) = 2 eta1 a g(w), h_T = z_T(w) v_k(a, b)/(2 eta1)^k, and E z_T (g.x)^k = <T, x^k> (Corollary 22)")
    scale, inner = sp.symbols("l g_x", positive=True)
    value = (2 * eta1 * scale * inner) ** k / (2 * eta1) ** k
    proof.step(value, (scale * inner) ** k, "at l x, with y = 2 eta1 l g.x")
    proof.step(scale * sp.Derivative(sp.log(value), scale), k, "the degree in x")


def lemma_23_factor(proof: Proof) -> None:
    """The factor in Lemma 23 is (2 eta1)^k, the step of Algorithm 1"""
    _lemma_17(proof)
    inner = sp.Symbol("g_x", positive=True)
    proof.assume("w^(1) = 2 eta1 a g(w) for the weights after the step with weight decay 1/eta1")
    proof.step((2 * eta1 * inner) ** k / inner**k, (2 * eta1) ** k, "E v_k sigma(w^(1).x + b) = y^k, y = 2 eta1 g.x, over (g.x)^k")


def lemma_23_indicator(proof: Proof) -> None:
    """Preactivations are at most 2 C: the indicator of Lemma 23 is that of 2 eta1 |g.x| <= 1"""
    proof.step(_average(2, False), 2 * _y - 1, "at y > 1 Lemma 17 fails: E v_2 sigma(a y + b) is y^2 - (y - 1)^2")
    proof.assume("|g_n(w).x_j| <= sqrt(iota^3/d) (Lemma 16), eta1 = C sqrt(d/iota^3)")
    proof.define(eta1, C * sp.sqrt(d / iota**3))
    proof.step(2 * eta1 * sp.sqrt(iota**3 / d), 2 * C, "so that y = 2 eta1 g_n(w).x_j is inside [-1, 1] for C <= 1/2")


def lemma_25(proof: Proof) -> None:
    """The last term of Bernstein's inequality is the square of the range over m^2"""
    G, R, V, L, variance, top = sp.symbols("G R V L v B", positive=True)
    proof.assume("|z_T| <= (r d kappa^2)^p |Pi g|^p, |Pi g|^2 <= G/d with G a power of iota, eta1 = C sqrt(d/iota^3), k = p")
    proof.define(eta1, C * sp.sqrt(d / iota**3))
    proof.step(
        (r * d * kappa**2) ** p * (G / d) ** (p / 2) / (2 * eta1) ** p,
        r**p * kappa ** (2 * p) * (sp.sqrt(G * iota**3) / (2 * C)) ** p,
        "range of h_T: r^p kappa^(2p), no power of d, and a power of iota",
    )  # fmt: skip
    first, second = sp.sqrt(2 * variance * L / m), 2 * top * L / (3 * m)
    proof.bound(
        (variance + top * (first + second) / 3) * L, m * (first + second) ** 2 / 2, m * first * second / 2,
        "Bernstein: a mean of m variables below B, of variance v, exceeds its own by less than sqrt(2vL/m) + 2BL/(3m), to e^-L",
    )  # fmt: skip
    proof.assume("the range has the sheet's power 6p of iota: R = r^p kappa^(2p) iota^(6p); E h_T^2 <= V = r^p kappa^(2p)")
    proof.step(
        (R * sp.sqrt(V) / m ** sp.Rational(3, 2)) ** 2, V / m * (R**2 / m**2),
        "for h_T^2/m, B = R^2 and v <= R^2 V: V/m, R sqrt(V)/m^(3/2), R^2/m^2, the middle term the geometric mean of the others",
    )  # fmt: skip
    range_ = r**p * kappa ** (2 * p) * iota ** (6 * p)
    proof.step(
        range_ * sp.sqrt(r**p * kappa ** (2 * p)), r ** (3 * p / 2) * kappa ** (3 * p) * iota ** (6 * p),
        "R sqrt(V): kappa^(3p) iota^(6p) belong to the middle term, with r^(3p/2)/m^(3/2)",
    )  # fmt: skip
    last = r ** (2 * p) * kappa ** (4 * p) * iota ** (12 * p) / m**2
    proof.step(sp.Mul(range_, range_, 1 / m**2, evaluate=False), last, "R^2/m^2")


def theorem_3(proof: Proof) -> None:
    """sqrt(A/m) + sqrt(A/N) <= 2 sqrt(A/min(m, N)), A = r^p kappa^(2p)"""
    y = sp.Symbol("y", nonnegative=True)
    A = r**p * kappa ** (2 * p)
    proof.assume("m <= N = m (1 + y)^2, the other order by exchange of m and N")
    proof.bound(
        sp.sqrt(A / m) + sp.sqrt(A / m) / (1 + y), 2 * sp.sqrt(A / m), sp.sqrt(A / m) * y / (1 + y),
        "approximation by m neurons and N samples for the head: two terms, of which the larger has min(m, N)",
    )  # fmt: skip
    proof.step(sp.sqrt(4 * A / m), 2 * sp.sqrt(A / m), "as in Theorem 3")
