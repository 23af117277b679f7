"""Theorem 2 of ``damian2022`` step by step: correlations, packing, falls a query, the tolerance with its constant.

f_v = He_p(<v, x>)/sqrt(p!), x ~ N(0, I_d), over n unit vectors with |<v, w>| <= epsilon; h is a query with E h^2 = 1. For odd p
correlations have the sign of <v, w>, and their moduli are what counts. Bounds are certified by their remainders.
Source: statements.md, section 4.
"""

from __future__ import annotations

import sympy as sp

from theory.functions.hermite_polynomials import he
from theory.proof.means import Mean
from theory.proof.steps import Proof
from theory.proof.symbols import symbols

d, p, q, tau, eps, n, rho = symbols("d degree queries tau_query eps_pack packing overlap")
_s, _t, _x = sp.symbols("s t x", real=True)
_z = sp.symbols("z_1 z_2", real=True)
_E = eps**p


def _product(order: int, other: int) -> Mean:
    """E He_order(<v, x>) He_other(<w, x>), <v, x> = z1 and <w, x> = rho z1 + sqrt(1 - rho^2) z2."""
    return Mean(he(order, _z[0]) * he(other, rho * _z[0] + sp.sqrt(1 - rho**2) * _z[1]), _z)


def _generating(proof: Proof) -> sp.Expr:
    """E exp(t <v, x> - t^2/2) exp(s <w, x> - s^2/2), the generating function of E He_j He_k t^j s^k/(j! k!)."""
    density = sp.exp(-(_x**2) / 2) / sp.sqrt(2 * sp.pi)
    proof.step(sp.Integral(sp.exp(_t * _x) * density, (_x, -sp.oo, sp.oo)), sp.exp(_t**2 / 2), "E exp(t z) for z ~ N(0, 1)")
    proof.step(
        ((_t + _s * rho) ** 2 + _s**2 * (1 - rho**2)) / 2 - _t**2 / 2 - _s**2 / 2,
        _s * _t * rho,
        "exponents: <v, x> = z1, <w, x> = rho z1 + sqrt(1 - rho^2) z2, and E over z1 and z2 by the line before",
    )
    return sp.exp(_s * _t * rho)


def correlation(proof: Proof) -> None:
    """E f_v f_w = <v, w>^p"""
    generating = _generating(proof)
    proof.step(
        sp.Derivative(generating, _t),
        _s * rho * generating,
        "so that a_j = E He_j He_j has a_(j+1) = (j + 1) rho a_j, compare t^j s^(j+1); powers t^j s^k with j != k do not occur",
    )
    proof.step(
        sp.factorial(p + 1) * rho ** (p + 1), (p + 1) * rho * (sp.factorial(p) * rho**p), "a_p = p! rho^p has it, and a_0 = 1"
    )
    for order in (1, 2, 3, 4):
        proof.step(_product(order, order), sp.factorial(order) * rho**order, f"p = {order} by the moments of z1 and z2")
    mean = proof.define(sp.Symbol("a_p", real=True), sp.factorial(p) * rho**p)
    proof.step(mean / sp.sqrt(sp.factorial(p)) ** 2, rho**p, "E f_v f_w, each with the factor 1/sqrt(p!)")


def information_exponent(proof: Proof) -> None:
    """The first k with E f_v He_k(<w, x>) != 0 is p"""
    _generating(proof)
    for order in (3, 4):
        below = sp.Add(*[_product(order, k) * _s**k / sp.factorial(k) for k in range(order + 1)])
        proof.step(below, rho**order * _s**order, f"p = {order}: of k = 0, ..., p only k = p is left (moments of z1 and z2)")
    slope = (_s * rho) ** p * sp.exp(_s * _t * rho)
    proof.step(
        sp.Derivative(slope, _t), slope.subs(p, p + 1), "the p-th derivative in t of exp(s t rho), by induction on p from p = 0"
    )
    seen = proof.step(
        sp.Subs(slope, _t, 0) / sp.sqrt(sp.factorial(p)),
        (_s * rho) ** p / sp.sqrt(sp.factorial(p)),
        "at t = 0 and over sqrt(p!) it is E f_v exp(s <w, x> - s^2/2), a single power of s",
    )
    proof.step(_s * sp.Derivative(seen, _s) / seen, p, "its power of s")


def hoeffding(proof: Proof) -> sp.Expr:
    """P(|<v, w>| >= epsilon) <= 2 exp(-epsilon^2 d/2) for random sign vectors"""
    k, t = sp.Symbol("k", integer=True, nonnegative=True), sp.Symbol("t", positive=True)
    proof.bound(
        2 * (k + 1),
        (2 * k + 1) * (2 * k + 2),
        4 * k * (k + 1),
        "(2k)! >= 2^k k!, by induction on k: so E exp(t sign) = cosh t = sum t^(2k)/(2k)! <= exp(t^2/2)",
    )
    proof.step(
        -t * eps * d + d * t**2 / 2,
        -(eps**2) * d / 2 + d * (t - eps) ** 2 / 2,
        "Markov's inequality for exp(t S), S a sum of d signs: P(S >= eps d) <= exp(-t eps d) cosh(t)^d; least at t = eps",
    )
    both = 2 * sp.exp(-(eps**2) * d / 2)
    side = proof.define(sp.Symbol("P_S", positive=True), sp.exp(-(eps**2) * d / 2))
    return proof.step(sp.Add(side, side, evaluate=False), both, "of S and of -S, each at most P_S")


def packing(proof: Proof) -> None:
    """There are (1/2) exp(epsilon^2 d/2) sign vectors with |<v, w>| <= epsilon"""
    share = hoeffding(proof)
    proof.assume("a largest set of sign vectors with |<v, w>| < epsilon: every sign vector is forbidden by one of its members")
    part = proof.define(sp.Symbol("P_v", positive=True), share)
    proof.step(
        1 / part, sp.exp(eps**2 * d / 2) / 2, "each member forbids a share P_v of the cube, and n of them forbid all: n P_v >= 1"
    )


def union(proof: Proof) -> None:
    """exp(epsilon^2 d/4) random sign vectors may have |<v, w>| <= epsilon"""
    share = hoeffding(proof)
    proof.bound(
        n * (n - 1) / 2 * share,
        n**2 * sp.exp(-(eps**2) * d / 2),
        n * sp.exp(-(eps**2) * d / 2),
        "expected number of pairs with a larger overlap: below 1 if n^2 <= exp(eps^2 d/2)",
    )
    most = proof.define(sp.Symbol("n_2", positive=True), sp.exp(eps**2 * d / 2))
    proof.step(sp.sqrt(most), sp.exp(eps**2 * d / 4), "the largest such n, n_2 its square")


def _falls(proof: Proof) -> sp.Expr:
    h1, h2, f1, f2 = sp.symbols("h1 h2 F1 F2", real=True)
    more, slack, gap = sp.symbols("M s_E delta", nonnegative=True)
    proof.bound(
        (h1 * f1 + h2 * f2) ** 2,
        (h1**2 + h2**2) * (f1**2 + f2**2),
        (h1 * f2 - h2 * f1) ** 2,
        "Cauchy-Schwarz, (E h F)^2 <= E h^2 E F^2, in coordinates of the plane of h and F (Lagrange's identity)",
    )
    count = 1 + more
    proof.bound(
        count + count * more * (_E - slack),
        count + count * more * _E,
        count * more * slack,
        "E F^2 for F the sum of N functions with the signs of E h f: N(N - 1) products are <= eps^p, by s_E on average",
    )
    proof.define(gap, tau**2 - _E)
    proof.step(
        (count + count * more * _E - count**2 * tau**2) / count,
        1 - _E - count * (tau**2 - _E),
        "all N have |E h f| > tau, so N tau < E h F and N^2 tau^2 <= N + N(N - 1) eps^p: divided by N, this is >= 0",
    )
    return proof.step((1 - _E) / gap, (1 - _E) / (tau**2 - _E), "the largest N for which it is, tau^2 > eps^p")


def falls_signed(proof: Proof) -> None:
    """At most (1 - epsilon^p)/(tau^2 - epsilon^p) functions fall a query"""
    _falls(proof)


def falls(proof: Proof) -> None:
    """At most 2/(tau^2 - epsilon^p) functions fall a query"""
    _falls(proof)
    gap = sp.Symbol("delta", positive=True)
    proof.define(gap, tau**2 - _E)
    proof.bound((1 - _E) / gap, 2 / gap, (1 + _E) / gap, "weaker by a factor 2/(1 - eps^p): signs are taken in at once")
    proof.step(2 / gap, 2 / (tau**2 - _E), "the printed count")


# Of no claim: it says that the bound of ``falls_signed`` cannot be improved where all correlations are as large as they may be.
def falls_attained(proof: Proof) -> None:
    """The count is attained by functions whose correlations are all epsilon^p"""
    N = sp.Symbol("N_f", positive=True)
    square = proof.step(
        (1 + (N - 1) * _E) ** 2 / (N + N * (N - 1) * _E),
        (1 + (N - 1) * _E) / N,
        "tau^2 = (E h f)^2 for each of N functions, h their sum over its norm",
    )
    proof.step((1 - _E) / (square - _E), N, "the bound at that tau")


def error(proof: Proof) -> None:
    """Two functions left: a mean square error of (1 - epsilon^p)/2 at least"""
    r1, r2 = sp.symbols("r1 r2", real=True)
    slack = sp.Symbol("s_E", nonnegative=True)
    half = 2 * (1 - _E + slack)
    proof.bound(
        (r1 - r2) ** 2 / 4,
        (r1**2 + r2**2) / 2,
        (r1 + r2) ** 2 / 4,
        "two errors r1 = f - g, r2 = f' - g at every x: their mean square is at least that of half the difference",
    )
    proof.bound((1 - _E) / 2, half / 4, slack / 2, "E(f - f')^2 = 2 - 2 E f f' and E f f' <= eps^p")
    apart = proof.define(sp.Symbol("D", positive=True), 2 - 2 * _E)
    proof.step(apart / 4, (1 - _E) / 2, "the least of the larger of two errors, D the least E(f - f')^2")


def counting(proof: Proof) -> None:
    """q queries leave two functions of n unless tau^2 <= epsilon^p + q(1 - epsilon^p)/(n - 1)"""
    proof.assume(
        "the learner is deterministic; all q queries are answered 0, which is right to within tau for every function that has not "
        "fallen, so that its queries and what it returns are the same for all of these"
    )
    N = sp.Symbol("n_1", positive=True)
    proof.define(N, n - 1)
    bound = _E + q * (1 - _E) / N
    square = proof.define(sp.Symbol("tau_2", positive=True), bound)
    proof.step(q * (1 - _E) / (square - _E), N, "q (1 - eps^p)/(tau^2 - eps^p) = n - 1, all but one fallen, at this tau^2")
    proof.step(bound, _E + q * (1 - _E) / (n - 1), "and fewer fall at a larger one")


def _tolerance(proof: Proof) -> sp.Expr:
    proof.assume("the packing (1/2) exp(eps^2 d/2) and the count eps^p + q(1 - eps^p)/(n - 1) >= tau^2 of the other derivations")
    size = 1 + q * d ** (p / 2)
    square = proof.define(sp.Symbol("e_2", positive=True), 2 * sp.log(2 * size) / d)
    proof.step(sp.exp(square * d / 2) / 2, size, "eps^2 = (2/d) log(2 + 2 q d^(p/2)): n = 1 + q d^(p/2)")
    proof.bound(q * (1 - _E) / (q * d ** (p / 2)), d ** (-p / 2), _E * d ** (-p / 2), "q(1 - eps^p)/(n - 1)")
    return proof.step(
        square ** (p / 2) + d ** (-p / 2),
        (2 * sp.log(2 + 2 * q * d ** (p / 2)) / d) ** (p / 2) + d ** (-p / 2),
        "eps^p = (eps^2)^(p/2), e_2 = eps^2",
    )


def tolerance(proof: Proof) -> None:
    """tau^2 <= (2 log(2 + 2 q d^(p/2))/d)^(p/2) + d^(-p/2)"""
    _tolerance(proof)


def _constant(proof: Proof) -> sp.Expr:
    _tolerance(proof)
    proof.assume("q >= 1, p >= 2 and q d >= 4; L = log(q d), so that L >= log 4 > 1")
    xi, j, log_q, log_d, zeta, lam, power = sp.symbols("xi j log_q log_d zeta L_1 x", nonnegative=True)
    proof.bound(2 + 2 * (1 + xi), 4 * (1 + xi), 2 * xi, "2 + 2 q d^(p/2) <= 4 q d^(p/2), with q d^(p/2) = 1 + xi")
    proof.bound(
        log_q + (1 + j) * log_d, (1 + j) * (log_q + log_d), j * log_q, "log(q d^(p/2)) <= (p/2) log(q d), with p = 2 + 2j, q >= 1"
    )
    length = sp.log(4) + zeta
    proof.bound(sp.log(4) + p / 2 * length, (p / 2 + 1) * length, zeta, "log 4 + (p/2) L <= (p/2 + 1) L, with L = log 4 + zeta")
    L = sp.Symbol("L", positive=True)
    proof.step((2 * (p / 2 + 1) * L / d) ** (p / 2), (p + 2) ** (p / 2) * (L / d) ** (p / 2), "so that eps^2 <= (p + 2) L/d")
    proof.bound(
        ((p + 2) ** (p / 2) * (1 + lam) + 1) * power,
        ((p + 2) ** (p / 2) + 1) * (1 + lam) * power,
        lam * power,
        "d^(-p/2) <= (L/d)^(p/2), with x = d^(-p/2), L^(p/2) = 1 + L_1",
    )
    return ((p + 2) ** (p / 2) + 1) * (sp.log(q * d) / d) ** (p / 2)


def constant(proof: Proof) -> None:
    """tau^2 <= ((p + 2)^(p/2) + 1) (log(q d)/d)^(p/2)"""
    whole = _constant(proof)
    proof.step(sp.expand(whole), whole, "the bound")


def order(proof: Proof) -> None:
    """tau^2 is at most of order (log(q d)/d)^(p/2)"""
    whole = _constant(proof)
    constant = proof.define(sp.Symbol("K_p", positive=True), (p + 2) ** (p / 2) + 1)
    proof.step(whole / constant, (sp.log(q * d) / d) ** (p / 2), "up to the constant K_p")


def without_logarithm(proof: Proof) -> None:
    """tau^2 <= ((2k - 1)^p + 1) d^(-p/2) where polynomials of degree k make the packing"""
    proof.assume(
        "d an odd prime; v_f = (f(x)/d)/sqrt d over the monic irreducible polynomials f of degree k >= 2, of which there are "
        "n >= 1 + q d^(p/2) (about d^k/k); |<v_f, v_g>| <= (2k - 1)/sqrt d (Weil: f g is not a square)"
    )
    k = symbols("order_k")[0]
    overlaps = ((2 * k - 1) / sp.sqrt(d)) ** p
    proof.step(overlaps, (2 * k - 1) ** p * d ** (-p / 2), "eps^p")
    proof.bound(q * (1 - _E) / (q * d ** (p / 2)), d ** (-p / 2), _E * d ** (-p / 2), "q(1 - eps^p)/(n - 1)")
    proof.step(overlaps + d ** (-p / 2), ((2 * k - 1) ** p + 1) * d ** (-p / 2), "no logarithm: k > b + p/2 is enough for q = d^b")
