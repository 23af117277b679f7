"""Exponents in ``damian2022``, Corollary 22, Lemmas 23 and 25, Appendix B: the count that decides each of them.

Each is decided where both sides can be computed: a Hessian of rank one for Corollary 22, degrees in x for Lemma 23, Bernstein's
inequality with its constants for Lemma 25; ``printed_...`` derive what the printed text would give.
Source: statements.md, section 4 (lists the misprints).
"""

from __future__ import annotations

import sympy as sp

from theory.proof.means import Mean
from theory.proof.steps import Proof
from theory.proof.symbols import symbols

d, p, k, r, kappa, iota, m, eta1, C, overlap = symbols("d degree order_k rank kappa_H iota width eta1 C overlap")
_y, _b, _z = sp.symbols("y b z", real=True)


def _rank_one(proof: Proof) -> tuple[sp.Expr, ...]:
    """(coefficient A of z_T = A s^2, c of g = c s u, E s^4, E s^6)."""
    proof.assume(
        "H = u u^T/kappa, so that r = 1 and g = c s u, c = 1/(kappa sqrt(2 pi)), s = <u, w>; T = u^(x)k with k = 2: z_T = A s^2, "
        "A = 1/(c^2 E s^4); E s^(2j) = E z^(2j)/(d (d+2) ... (d+2j-2)), z standard normal; here d = 6"
    )
    c = proof.define(sp.Symbol("c", positive=True), 1 / (kappa * sp.sqrt(2 * sp.pi)))
    fourth, sixth = sp.symbols("M_4 M_6", positive=True)
    proof.define(fourth, Mean(_z**4, (_z,)) / (6 * 8))
    proof.define(sixth, Mean(_z**6, (_z,)) / (6 * 8 * 10))
    return proof.define(sp.Symbol("A", positive=True), 1 / (c**2 * fourth)), c, fourth, sixth


def corollary_22(proof: Proof) -> None:
    """E z_T (g.x)^k = <T, x^(x)k>, here k = 2"""
    A, c, fourth, _ = _rank_one(proof)
    proof.step(A * c**2 * overlap**2 * fourth, overlap**2, "E z_T (g.x)^2, g.x = c s <u, x>: this is <T, x^(x)2>")


def printed_corollary_22(proof: Proof) -> None:
    """E z_T (g.x)^p for the same z_T at p = 4"""
    A, c, _, sixth = _rank_one(proof)
    value = overlap**4 / (4 * sp.pi * kappa**2)
    proof.step(A * c**4 * overlap**4 * sixth, value, "E z_T (g.x)^4: of degree 4 in x, and it depends on H")


def second_moment_power(proof: Proof) -> None:
    """The power of d in E z_T^2 is the order k of T"""
    proof.assume(
        "z_T = (2 pi)^(k/2) <G^-1 H^(-(x)k) T, w^(x)k>, G = E w^(x)2k = E z^(x)2k/(d (d+2) ... (d+2k-2)) on S*, so that E z_T^2 "
        "is a number times d (d+2) ... (d+2k-2)"
    )
    for order in (2, 3, 4):
        product = sp.Mul(*[d + 2 * j for j in range(order)])
        proof.step(sp.Limit(product / d**order, d, sp.oo), 1, f"which is of order d^k, k = {order}")
    proof.step(d * sp.Derivative(sp.log(d**k), d), k, "the power of d")


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


def _doubled(proof: Proof, value: sp.Expr, scale: sp.Symbol, power: sp.Symbol, why: str) -> None:
    proof.step(sp.Subs(value, scale, 2) / sp.Subs(value, scale, 1), 2**power, why)


def lemma_23_degree(proof: Proof) -> None:
    """E h_T sigma(w^(1).x + b) at 2 x over its value at x is 2^k"""
    _lemma_17(proof)
    proof.assume("w^(1) = 2 eta1 a g(w), h_T = z_T(w) v_k(a, b)/(2 eta1)^k, and E z_T (g.x)^k = <T, x^k> (Corollary 22)")
    scale, inner = sp.symbols("l g_x", positive=True)
    value = (2 * eta1 * scale * inner) ** k / (2 * eta1) ** k
    _doubled(proof, value, scale, k, "y = 2 eta1 l g.x at the point l x, l = 2 and l = 1")


def printed_lemma_23_degree(proof: Proof) -> None:
    """A form of degree p at 2 x over its value at x is 2^p"""
    scale, inner = sp.symbols("l u_x", positive=True)
    _doubled(proof, (scale * inner) ** p, scale, p, "<u, l x>^p for a T of order p, l = 2 and l = 1")


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


def _gradient_size(proof: Proof) -> sp.Expr:
    """A bound of |g|^2 on S*."""
    h = sp.symbols("h_1 h_2", real=True)
    room = sp.symbols("t_1 t_2", nonnegative=True)
    proof.assume("w_i^2 <= iota/d in S* (with high probability) and |H|_F^2 <= 2 E f*^2 = 2; here on two directions")
    seen = sum(one**2 * (iota / d - left) for one, left in zip(h, room, strict=True))
    remainder = sum(one**2 * left for one, left in zip(h, room, strict=True))
    proof.bound(seen, (h[0] ** 2 + h[1] ** 2) * iota / d, remainder, "|H w|^2 <= |H|_F^2 iota/d, w_i^2 = iota/d - t_i")
    return iota / (sp.pi * d)


def lemma_25(proof: Proof) -> None:
    """The last term of Bernstein's inequality is the square of the range over m^2"""
    R, V, L, variance, top, size = sp.symbols("R V L v B G", positive=True)
    proof.define(eta1, C * sp.sqrt(d / iota**3))
    proof.define(size, _gradient_size(proof))
    proof.assume("|z_T| <= |M_g^-1| |g|^p, |M_g^-1| <= (2 pi r d kappa^2)^p (Lemma 21), |g|^2 <= G = 2 iota/(2 pi d); k = p")
    proof.step(
        (2 * sp.pi * r * d * kappa**2) ** p * size ** (p / 2) / (2 * eta1) ** p,
        (sp.sqrt(sp.pi) / C) ** p * r**p * kappa ** (2 * p) * iota ** (2 * p),
        "range of h_T by these bounds: r^p kappa^(2p), no power of d, and a power of iota",
    )
    first, second = sp.sqrt(2 * variance * L / m), 2 * top * L / (3 * m)
    proof.bound(
        (variance + top * (first + second) / 3) * L,
        m * (first + second) ** 2 / 2,
        m * first * second / 2,
        "Bernstein: a mean of m variables below B, of variance v, exceeds its own by less than sqrt(2vL/m) + 2BL/(3m), to e^-L",
    )
    proof.assume("the source's range, with its power 6p of iota: R = r^p kappa^(2p) iota^(6p); E h_T^2 <= V = r^p kappa^(2p)")
    proof.define(R, r**p * kappa ** (2 * p) * iota ** (6 * p))
    proof.define(V, r**p * kappa ** (2 * p))
    proof.step(
        R * sp.sqrt(V),
        r ** (3 * p / 2) * kappa ** (3 * p) * iota ** (6 * p),
        "for h_T^2/m, B = R^2 and v <= R^2 V: the terms are V/m, R sqrt(V)/m^(3/2), R^2/m^2; kappa^(3p) is in the second",
    )
    last = r ** (2 * p) * kappa ** (4 * p) * iota ** (12 * p) / m**2
    proof.step(R**2 / m**2, last, "the last: all powers of the range are doubled")


def lemma_25_direct(proof: Proof) -> None:
    """The range of h_T at the leading gradient, without passing through |M_g^-1| |g|^p"""
    low = sp.Symbol("h", positive=True)
    proof.define(eta1, C * sp.sqrt(d / iota**3))
    proof.define(low, 1 / (kappa * sp.sqrt(r)))
    proof.assume(
        "z_T = (2 pi)^(p/2) <G^-1 H^(-(x)p) T, w^(x)p>, G = E w^(x)2p >= p!/(d ... (d+2p-2)) >= d^-p on symmetric tensors "
        "(Lemma 21), |H^-1| = 1/h, |w|^2 <= r iota/d on S*, |T| = 1"
    )
    proof.step(
        (2 * sp.pi) ** (p / 2) * d**p / low**p * (r * iota / d) ** (p / 2) / (2 * eta1) ** p,
        (sp.sqrt(sp.pi / 2) / C) ** p * r**p * kappa**p * iota ** (2 * p),
        "kappa^p in place of kappa^(2p): T is divided by H once, where |M_g^-1| |g|^p divides by it twice",
    )


def theorem_3(proof: Proof) -> None:
    """sqrt(A/m) + sqrt(A/N) <= 2 sqrt(A/min(m, N)), A = r^p kappa^(2p)"""
    y = sp.Symbol("y", nonnegative=True)
    A = r**p * kappa ** (2 * p)
    proof.assume("m <= N = m (1 + y)^2, the other order by exchange of m and N")
    proof.bound(
        sp.sqrt(A / m) + sp.sqrt(A / m) / (1 + y),
        2 * sp.sqrt(A / m),
        sp.sqrt(A / m) * y / (1 + y),
        "approximation by m neurons and N samples for the head: two terms, of which the larger has min(m, N)",
    )
    whole = proof.define(sp.Symbol("S_A", positive=True), A / m)
    proof.step(2 * sp.sqrt(whole), 2 * sp.sqrt(A / m), "as in Theorem 3, S_A = A/m")
