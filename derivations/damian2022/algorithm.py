"""Algorithm 1 of damian2022: its first step in closed form, the noise of that step, and the orders of its rates.

The step is derived on two samples in two dimensions with two pairs of neurons; sums over samples, coordinates and pairs are
longer otherwise and nothing else.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from theory.functions.hermite_polynomials import he
from theory.proof.factors import product
from theory.proof.stein import Expect, contract, g, vector_moment, y
from theory.proof.steps import Proof
from theory.proof.symbols import symbols

eta1, a_j, sigma_j, g_n = symbols("eta1 a_j sigma_j g_n")
n, d, width, rank, kappa, degree = symbols("n d width rank kappa_H degree")
mu2_star, sigma_eps, c2_star = symbols("mu2_star sigma_eps c2_star")


def initial(proof: Proof) -> None:
    """A neuron and its mirror image cancel: f = 0 at initialisation"""
    sigma = sp.Function("sigma", real=True)
    before, mirrored, readout = sp.symbols("t t_prime a_prime", real=True)
    proof.define(mirrored, before)
    proof.define(readout, -a_j)
    proof.define(sigma_j, sigma(before))
    proof.step(
        readout * sigma(mirrored),
        -a_j * sigma_j,
        "a_{m+1-j} = -a_j and w_{m+1-j} = w_j: the two neurons add a_j sigma(w_j.x) and -a_j sigma(w_j.x), whose sum is 0 at "
        "every x",
    )


def first_step(proof: Proof) -> None:
    """w_j^(1) = 2 eta1 a_j g_n(w_j): nothing of W0 is left"""
    proof.assume(
        "no preactivation is 0 (almost surely), so that sigma(w.x_i) = s w.x_i near W0 with s = sigma'(w_j.x_i) constant, the "
        "same for a neuron and its mirror image"
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
    proof.step(product(1 - half, 1 - half), sp.Rational(1, 4), "sigma' = 1: (sigma' - 1/2)^2")
    proof.step(product(-half, -half), sp.Rational(1, 4), "sigma' = 0: the same. It does not depend on w")
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
    """n sup_w |g_n - g|^2 = O(d), without logarithms, for the Gaussian limit of the field"""
    angle, place, t = sp.symbols("theta psi t", positive=True)
    proof.assume(
        "n -> oo at fixed d, where sqrt(n) <v, g_n(w) - g(w)> is a Gaussian field in unit vectors v and w (half-spaces are a "
        "Donsker class); by Dudley's bound its mean supremum is at most 12 times the integral of the root of the entropy"
    )
    differ = proof.step(
        2 * sp.Integral(1 / (2 * sp.pi), (place, 0, angle)),
        angle / sp.pi,
        "the angle of x in the plane of w and w' is uniform: P(w.x and w'.x differ in sign), w and w' at an angle theta",
    )
    proof.assume(
        "by Cauchy-Schwarz E yhat^2 (v.x)^2 1(signs differ) <= (E yhat^4 (v.x)^4)^(1/2) P(signs differ)^(1/2), so that two "
        "points of the field are at a distance of at most C (|v - v'| + theta^(1/4)), and spheres of radius 1 have covers of "
        "(3/delta)^d points; C and 3 are replaced by 1, which changes constants only"
    )
    step = sp.Symbol("epsilon", positive=True)
    root = proof.step(
        sp.Subs(sp.sqrt(product(sp.sqrt(differ), sp.sqrt(sp.pi))), angle, step**4),
        step,
        "theta = epsilon^4 moves the field by epsilon: (theta/pi)^(1/2) is the square of the distance, constants aside",
    )
    entropy = proof.step(
        product(d, -sp.log(root)) + product(d, -sp.log(root**4)),
        -5 * d * sp.log(step),
        "the logarithm of the number of pairs (v, w) in a cover at epsilon",
    )
    dudley = proof.step(
        sp.Integral(sp.sqrt(entropy.subs(step, sp.exp(-t))) * sp.exp(-t), (t, 0, sp.oo)),
        sp.sqrt(5 * sp.pi * d) / 2,
        "Dudley's integral over epsilon = exp(-t) from 0 to 1 is finite: no logarithm of n or d is left",
    )
    proof.step(product(4 / (5 * sp.pi), dudley**2), d, "its square, in units of its constant")


def slope(proof: Proof) -> None:
    """The exponent in n of sup_w |g_n - g|, logarithms aside"""
    supremum(proof)
    proof.step(n * sp.Derivative(sp.log(sp.sqrt(proof.conclusion / n)), n), -sp.Rational(1, 2), "d log/d log n of the root of d/n")


def crossing(proof: Proof) -> None:
    """The signal in the weakest direction of H exceeds the noise sqrt(d/n) from n = d^2 kappa^2 r on"""
    least = sp.Symbol("h", positive=True)
    proof.define(least, 1 / (kappa * sp.sqrt(rank)))
    proof.assume("kappa = |H^+|/sqrt r, so that the least |eigenvalue| of H is h; E <u, w>^2 = 1/d on the sphere; constants aside")
    signal = proof.step(
        product(least, 1 / sp.sqrt(d)), 1 / (kappa * sp.sqrt(rank * d)), "root mean square of <u, H w>, u an eigenvector for h"
    )
    proof.equivalence(
        signal > sp.sqrt(d / n),
        n > d**2 * kappa**2 * rank,
        "both sides are positive: square, and multiply by n d kappa^2 r",
    )


def crossing_constant(proof: Proof) -> None:
    """The n at which noise and signal are equal, in units of d^2"""
    noise, signal = _noise_and_signal(proof)
    proof.step(
        noise / signal,
        sp.pi * (mu2_star**2 + sigma_eps**2) / (8 * c2_star**2),
        "noise (d/n) N equals signal S/d at n = d^2 N/S",
    )


def _noise_and_signal(proof: Proof) -> tuple[sp.Expr, sp.Expr]:
    """n E |g_n - g|^2/d, and d E |g|^2."""
    gap(proof)
    noise = proof.conclusion
    proof.assume("one direction, kappa = 1/|2 c2*|, and the leading term of g alone, d -> oo; E <u, w>^2 = 1/d on the sphere")
    signal = proof.step(
        product(1 / (2 * sp.pi), (2 * c2_star) ** 2),
        2 * c2_star**2 / sp.pi,
        "d E |H w|^2/(2 pi), H = 2 c2* u u^T: the signal, times d",
    )
    return noise, signal


def crossing_size(proof: Proof) -> None:
    """The exponent in d of the crossing"""
    noise, signal = _noise_and_signal(proof)
    crossed = proof.step(
        sp.Subs(noise * d / n - signal / d + n, n, d**2 * noise / signal),
        d**2 * noise / signal,
        "the n at which noise N d/n is signal S/d: their difference is 0 at it",
    )
    proof.step(product(signal / noise, crossed), d**2, "in units of its constant")


def crossing_kappa(proof: Proof) -> None:
    """The exponent in kappa of the crossing, the energy kept"""
    crossing_constant(proof)
    at = d**2 * proof.conclusion.subs(c2_star, 1 / (2 * kappa))
    proof.step(kappa * sp.Derivative(sp.log(at), kappa), sp.Integer(2), "d log/d log kappa at kappa = 1/(2 c2*), the energy kept")


def preactivation(proof: Proof) -> None:
    """(g_n(w_j).x_i)^2 = O(log(n)/d) for one neuron on the training points, n = d^3"""
    noise, signal = _noise_and_signal(proof)
    proof.assume(
        "x_i is taken as independent of g_n(w_j): the i-th sample itself adds yhat_i |x_i|^2/n, of order d/n = d^-2 and powers "
        "of log n"
    )
    square = proof.step(
        sp.Limit(d * sp.Subs(signal / d + noise * d / n, n, d**3).doit(), d, sp.oo),
        2 * c2_star**2 / sp.pi,
        "d E |g_n|^2, signal and noise, at n = d^3: given g_n the values g_n.x_i are Gaussian of variance |g_n|^2",
    )
    count, more = sp.symbols("M delta", positive=True)
    proof.step(
        2 * count * sp.exp(-2 * (1 + more) * sp.log(count) / 2),
        2 * count**-more,
        "the union bound: the probability that one of M Gaussian values of variance v has a square above 2 (1 + delta) v log "
        "M, which vanishes as M = n grows",
    )
    proof.step(product(1 / square, square / d), 1 / d, "v, in units of its constant, over which the largest square is 2 log n")


def he2_energy(proof: Proof) -> None:
    """The energy of He_2/2"""
    _energy(proof, 2, sp.Rational(1, 2))


def plateau(proof: Proof) -> None:
    """The energy of He_4/sqrt(2 4!): the risk of a learner of He_2 alone"""
    he2_energy(proof)
    _energy(proof, 4, 1 / sp.sqrt(2 * sp.factorial(4)))


def _energy(proof: Proof, k: int, coefficient: sp.Expr) -> None:
    proof.step(Expect(sp.expand((coefficient * he(k, g)) ** 2)), sp.Rational(1, 2), f"E He_{k}^2 = {k}!, by Gaussian moments")


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
