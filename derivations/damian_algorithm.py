"""Algorithm 1 of damian2022: its first step in closed form, the noise of that step, and the orders of its rates.

The step is derived on two samples in two dimensions with two pairs of neurons; sums over samples, coordinates and pairs are
longer otherwise and nothing else.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from theory.gaussian import Expect, contract, g, vector_moment, y
from theory.hermite import he
from theory.proof import Proof
from theory.symbols import symbols

eta1, a_j, sigma_j, g_n = symbols("eta1 a_j sigma_j g_n")
n, d, width, rank, kappa, degree, _log = symbols("n d width rank kappa_H degree log_n")
mu2_star, sigma_eps, c2_star = symbols("mu2_star sigma_eps c2_star")


def _product(*factors: sp.Expr) -> sp.Expr:
    """A product that keeps its factors in sight until the step is checked."""
    return sp.Mul(*factors, evaluate=False)


def pair(proof: Proof) -> None:
    """A neuron and its mirror image cancel: f = 0 at initialisation"""
    sigma = sp.Function("sigma", real=True)
    before, mirrored, readout = sp.symbols("t t_prime a_prime", real=True)
    proof.define(mirrored, before)
    proof.define(readout, -a_j)
    proof.define(sigma_j, sigma(before))
    proof.step(
        readout * sigma(mirrored),
        -a_j * sigma_j,
        "a_{m+1-j} = -a_j and w_{m+1-j} = w_j: the two neurons add a_j sigma(w_j.x) and -a_j sigma(w_j.x), whose sum "
        "is 0 at every x",
    )


def first_step(proof: Proof) -> None:
    """w_j^(1) = 2 eta1 a_j g_n(w_j): nothing of W0 is left"""
    proof.assume(
        "no preactivation is 0 (almost surely), so that sigma(w.x_i) = s w.x_i near W0 with s = sigma'(w_j.x_i) constant, "
        "the same for a neuron and its mirror image"
    )
    samples, pairs = range(2), range(2)
    x = sp.Matrix(2, 2, sp.symbols("x_1:3_1:3", real=True))
    labels = sp.symbols("y_1:3", real=True)
    slopes = sp.Matrix(2, 2, sp.symbols("s_1:3_1:3", real=True))  # sample, pair
    W = sp.Matrix(4, 2, sp.symbols("w_1:5_1:3", real=True))
    a = (a_j, *sp.symbols("a_2:5", real=True))
    mirror = (0, 1, 1, 0)  # the pair that each neuron belongs to
    f = [sum(a[j] * slopes[i, mirror[j]] * (W[j, :] * x[i, :].T)[0] for j in range(4)) for i in samples]
    loss = sum((f[i] - labels[i]) ** 2 for i in samples) / 2
    initial: dict[sp.Symbol, sp.Expr] = {a[3 - j]: -a[j] for j in pairs}
    initial |= {W[3 - j, c]: W[j, c] for j in pairs for c in range(2)}
    old, new = tuple(initial), tuple(initial.values())
    mean = sum(labels[i] * x[i, 0] * slopes[i, 0] for i in samples) / 2
    gradient = proof.step(
        sp.Subs(sp.Derivative(loss, W[0, 0]), old, new),
        -2 * a_j * mean,
        "a component of the gradient of (1/n) sum (f - yhat)^2 in w_j (no 1/2 in the loss); at the mirrored point f = 0",
    )
    proof.define(g_n, mean)
    proof.step(
        W[0, 0] - eta1 * (gradient + W[0, 0] / eta1),
        2 * eta1 * a_j * g_n,
        "the decay lambda1 = 1/eta1 takes away the whole of w_j: w_j - eta1 lambda1 w_j = 0",
    )


def gap(proof: Proof) -> None:
    """n E |g_n(w) - g(w)|^2/d at a fixed direction w"""
    proof.assume(
        "n/d -> oo: (1/n) sum x_i x_i^T sigma'(w.x_i) -> I/2, so that taking off b_n.x in place of C_1.x changes g_n by "
        "-(1/2)(1/n) sum yhat_i x_i, and g_n - g is the mean of the terms yhat_i x_i (sigma'(w.x_i) - 1/2), less their mean, "
        "whose square is of order 1/d; alpha_n - C_0 is of order n^(-1/2) in one direction only"
    )
    half = sp.Rational(1, 2)
    proof.step(_product(1 - half, 1 - half), sp.Rational(1, 4), "sigma' = 1: (sigma' - 1/2)^2")
    proof.step(_product(-half, -half), sp.Rational(1, 4), "sigma' = 0: the same. It does not depend on w")
    index = sp.Symbol("a", integer=True)
    proof.step(
        contract(vector_moment([index, index], y**2), index, d),
        d * Expect(y**2) + Expect(sp.diff(y**2, g, 2)),
        "E yhat^2 |x|^2 by Stein's lemma, summed over the coordinates; the second term does not grow with d",
    )
    energy, rest = sp.symbols("E R", positive=True)
    proof.define(energy, mu2_star**2 + sigma_eps**2)
    proof.step(
        sp.Limit((d * energy + rest) / (4 * d), d, sp.oo),
        (mu2_star**2 + sigma_eps**2) / 4,
        "E yhat^2 = mu2*^2 + sigma_eps^2 once mean and linear part are taken off, and n E |.|^2/d has this limit",
    )


def supremum(proof: Proof) -> None:
    """n sup_w |g_n - g|^2 = O(d iota^(p+1)), p = 4 (Corollary 34)"""
    proof.assume(
        "the union bound of Corollary 34: directions (v, w) and the patterns of sigma' are covered by exp(O(d iota)) "
        "points, and at "
        "each the mean of n terms yhat (v.x) sigma', of variance at most iota^p, deviates by the Gaussian order; "
        "iota a constant times log n, p = 4"
    )
    proof.step(_product(n, 1 / n, d * _log, _log**4), d * _log**5, "n times (variance/n) times the logarithm of the cover")


def slope(proof: Proof) -> None:
    """The exponent in n of sqrt(d/n), logarithms aside"""
    proof.step(
        n * sp.Derivative(sp.log(sp.sqrt(d / n)), n), -sp.Rational(1, 2), "d log/d log n of the bound of Corollary 34 without iota"
    )


def crossing(proof: Proof) -> None:
    """Signal 1/(kappa sqrt d) exceeds noise sqrt(d/n) from n = d^2 kappa^2 on"""
    proof.equivalence(
        1 / (kappa * sp.sqrt(d)) > sp.sqrt(d / n),
        n > d**2 * kappa**2,
        "both sides are positive: square, and multiply by n d kappa^2",
    )


def crossing_size(proof: Proof) -> None:
    """The exponent in d of the crossing, at fixed kappa"""
    proof.step(_product(d, 1 / (1 / sp.sqrt(d)) ** 2), d**2, "d/n = 1/d, in units of kappa")


def crossing_constant(proof: Proof) -> None:
    """The n at which noise and signal are equal, in units of d^2"""
    gap(proof)
    noise = proof.conclusion
    proof.assume("one direction, kappa = 1/|2 c2*|, and the leading term of g alone, d -> oo; E <u, w>^2 = 1/d on the sphere")
    signal = proof.step(
        _product(1 / (2 * sp.pi), (2 * c2_star) ** 2),
        2 * c2_star**2 / sp.pi,
        "d E |H w|^2/(2 pi), H = 2 c2* u u^T: the signal, times d"
    )
    proof.step(
        noise / signal,
        sp.pi * (mu2_star**2 + sigma_eps**2) / (8 * c2_star**2),
        "noise (d/n) N equals signal S/d at n = d^2 N/S",
    )


def crossing_kappa(proof: Proof) -> None:
    """The exponent in kappa of the crossing"""
    proof.step(kappa * sp.Derivative(sp.log(d**2 * kappa**2), kappa), sp.Integer(2), "d log/d log kappa of n = d^2 kappa^2")


def preactivation(proof: Proof) -> None:
    """(g_n(w_j).x_i)^2 = O(iota^3/d) on the training points, n of order d^2 (Lemma 16)"""
    proof.assume(
        "iota a constant times log n, and n at least d^2 iota^p: |H w|^2 <= iota/d, the projection of x on S* and on "
        "g_n - g without "
        "the i-th sample is Gaussian of square <= iota, and |g_n - g|^2 of order at most iota/d after logarithms of the cover; "
        "the i-th sample itself adds |yhat_i| |x_i|^2/n <= iota^(p/2) d/n"
    )
    proof.step(_product(_log / d, _log), _log**2 / d, "signal: |H w|^2 times the square of a Gaussian")
    proof.step(_product(_log / d, _log), _log**2 / d, "noise: |g_n - g|^2 times the square of a Gaussian")
    proof.bound(_log**2 / d, _log**2 / d * (1 + _log), _log**3 / d, "a logarithm to spare")
    proof.step(_product(_log**2 / d, _log), _log**3 / d, "the order of what is left, iota^3/d")


def he2_energy(proof: Proof) -> None:
    """The energy of He_2/2"""
    _energy(proof, 2, sp.Rational(1, 2))


def plateau(proof: Proof) -> None:
    """The energy of He_4/sqrt(2 4!): the risk of a learner of He_2 alone"""
    he2_energy(proof)
    _energy(proof, 4, 1 / sp.sqrt(2 * sp.factorial(4)))


def _energy(proof: Proof, k: int, coefficient: sp.Expr) -> None:
    proof.step(
        Expect(sp.expand((coefficient * he(k, g)) ** 2)), sp.Rational(1, 2), f"E He_{k}^2 = {k}!, by Gaussian moments"
    )


_ROOT = rank**degree * kappa ** (2 * degree)
TERMS = (sp.sqrt(d * _ROOT / n), sp.sqrt(_ROOT / width), n ** -sp.Rational(1, 4))


def directions_dominate(proof: Proof) -> None:
    """Where the first term of Theorem 1 exceeds the third, p = 4"""
    first, _, third = (term.subs(degree, 4) for term in TERMS)
    proof.equivalence(first**4 > third**4, n < d**2 * rank**8 * kappa**16, "fourth powers of positive numbers, times n^2")


def statistics_path(proof: Proof) -> None:
    """n = d^3, width far above sqrt n, r = kappa = 1: the third term"""
    _path(proof, TERMS[2], {n: d**3}, -sp.Rational(3, 4))


def width_path(proof: Proof) -> None:
    """n = d^4, width 4 d, r = kappa = 1: the second term"""
    _path(proof, TERMS[1], {width: 4 * d, rank: 1, kappa: 1}, -sp.Rational(1, 2), 2)


def direction_path(proof: Proof) -> None:
    """n = 8 d^3, width 8 d^2, r = 1, kappa = 3/2: the first term"""
    along = {n: 8 * d**3, rank: sp.Integer(1), kappa: sp.Rational(3, 2), degree: sp.Integer(4)}
    _path(proof, TERMS[0], along, sp.Integer(-1), sp.Rational(16, 81) * sp.sqrt(8))


def _path(proof: Proof, term: sp.Expr, along: dict[sp.Symbol, sp.Expr], exponent: sp.Expr, constant: Any = 1) -> None:
    """The order in d of one term of the bound along a path, its constant divided out."""
    for name, value in along.items():
        proof.define(name, value)
    proof.step(constant * term, d**exponent, "the term along the path, in units of its constant")
