"""Concentration of the first gradient: |g_n - g| over the sphere, signal against noise, preactivations on the training points.

For a teacher of one direction, f* = sum_k c*_k He_k(<u, x>), Stein's lemma gives Lemma 13 of ``damian2022`` in closed form:
with t = <u, w>, |w| = 1, alpha = E f* and b = E f* x,

    g(w) = u sum_{k>=2} k c*_k s_k t^(k-1) + w sum_{k>=2} c*_k s_{k+2} t^k,    s_k = E He_k(z) relu(z),

a finite sum, whose first term is Hw s_2, s_2 = 1/sqrt(2 pi).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy.stats import norm

from pencils.errors import InputError
from theory.hessian.algorithm import Array, Linear, Link, direction, empirical_gradient, initialise, sample
from theory.hessian.monomials import relu_multiple
from theory.trial.sizes import Sizes

POWERS = (1.0, 1.5, 2.0, 2.5)  # n = d^power, of the exponents in n
STARTS, CLIMB, PROPOSALS = 200, 50, 40  # of the search for the supremum over the sphere
RUNS = 4  # of the supremum a draw, averaged: with one alone an exponent that is 1/2 too large is not always told
KAPPAS = (1.0, 2.0, 4.0)  # of the exponent of the crossing in kappa


def population_gradient(link: Link, u: Array, W: Array) -> Array:
    """g(w) for each row w of W (of any length: g depends on w/|w|), the linear part of f* taken away. m x d."""
    unit = W / np.linalg.norm(W, axis=1, keepdims=True)
    t = unit @ u
    density = 1 / math.sqrt(2 * math.pi)  # s_k = relu_multiple(k) times it at k != 1
    along_u, along_w = np.zeros_like(t), np.zeros_like(t)
    for k in range(2, link.degree + 1):
        along_u += k * link.coefficients[k] * relu_multiple(k) * density * t ** (k - 1)
        along_w += link.coefficients[k] * relu_multiple(k + 2) * density * t**k
    return np.asarray(np.outer(along_u, u) + along_w[:, None] * unit)


def largest_gap(link: Link, u: Array, X: Array, yhat: Array, rng: np.random.Generator) -> float:
    """A lower bound of sup over |w| = 1 of |g_n(w) - g(w)|: the largest of STARTS random directions, then CLIMB rounds of
    random steps from the best, shorter after a round without gain. g_n is piecewise constant in w: no gradient can be climbed."""

    def gaps(W: Array) -> Array:
        return np.asarray(np.linalg.norm(empirical_gradient(W, X, yhat) - population_gradient(link, u, W), axis=1))

    W = rng.standard_normal((STARTS, X.shape[1]))
    W[0] = u
    found = gaps(W)
    best, top = W[np.argmax(found)] / np.linalg.norm(W[np.argmax(found)]), float(found.max())
    length = 0.7
    for _ in range(CLIMB):
        steps = length * rng.standard_normal((PROPOSALS, X.shape[1])) / math.sqrt(X.shape[1])
        found = gaps(best + steps)
        if found.max() > top:
            best, top = best + steps[np.argmax(found)], float(found.max())
            best /= np.linalg.norm(best)
        else:
            length *= 0.8
    return top


def with_kappa(link: Link, kappa: float) -> Link:
    """The link with |2 c*_2| = 1/kappa and the same energy: what He_2 loses the highest degree gains.

    InputError for a link of degree 2, which has no other degree to take what He_2 loses, and where He_2 would need more energy
    than these two degrees have.
    """
    coefficients = list(link.coefficients)
    top = link.degree
    if top == 2:
        raise InputError(
            f"teacher of degree 2: kappa = {kappa:g} at a given energy needs a degree above 2 that takes what He_2 loses; give one"
        )
    spare = 2 * (coefficients[2] ** 2 - 1 / (4 * kappa**2))
    held = math.factorial(top) * coefficients[top] ** 2
    if held + spare < 0:
        raise InputError(
            f"teacher: kappa = {kappa:g} takes energy {1 / (2 * kappa**2):.3g} in He_2, and its He_2 and He_{top} have "
            f"{held + 2 * coefficients[2] ** 2:.3g} in all; give a larger teacher"
        )
    coefficients[2] = 1 / (2 * kappa)
    coefficients[top] = math.sqrt(coefficients[top] ** 2 + spare / math.factorial(top))
    return Link(tuple(coefficients))


def crossing(link: Link, d: int, n: int, m: int, noise: float, rng: np.random.Generator) -> float:
    """The n at which the root mean squares over neurons of |g_n - g| and of |g| would be equal, the former falling as
    n^(-1/2), from one sample of size n."""
    u = direction(d, rng)
    X, y = sample(link.along(u), n, d, noise, rng)
    W = initialise(m, d, rng)[0][: m // 2]
    g = population_gradient(link, u, W)
    gap = empirical_gradient(W, X, y - Linear.fit(X, y)(X)) - g
    return float(n * np.sum(gap**2) / np.sum(g**2))


def preactivation(W: Array, X: Array, yhat: Array) -> float:
    """The largest (g_n(w_j).x_i)^2 over training points, averaged over neurons, over the square that one of n Gaussian values of
    variance one exceeds on average, 2 log n to leading order."""
    largest = np.max(np.abs(empirical_gradient(W, X, yhat) @ X.T), axis=1)
    return float(np.mean(largest**2) / norm.isf(1 / (2 * len(X))) ** 2)


def observe(parameters: Mapping[str, Any], sizes: Sizes, rng: np.random.Generator) -> dict[str, float]:
    """At d, n and width N of ``sizes``: ``gap_squared``, the mean of |g_n - g|^2 over the initial neurons; ``sup_squared``, the
    mean square of ``largest_gap`` over RUNS sample sets; ``preactivation`` as in the function of that name, at n = d^3;
    ``crossing`` as in the function of that name, and ``crossing_kappa``, the slope of its logarithm against log kappa over KAPPAS;
    ``sup_slope``, the slope of the logarithm of ``largest_gap`` against log n over n = d^POWERS. InputError where H = 0, and as
    ``with_kappa`` has it."""
    link, noise = Link.of(parameters["teacher"]), float(parameters["sigma_eps"])
    d, n, N = sizes.d, sizes.n, sizes.N
    others = [with_kappa(link, kappa * link.curved().kappa) for kappa in KAPPAS]
    u = direction(d, rng)

    def data(count: int) -> tuple[Array, Array]:
        X, y = sample(link.along(u), count, d, noise, rng)
        return X, y - Linear.fit(X, y)(X)

    X, yhat = data(n)
    W = initialise(N, d, rng)[0][: N // 2]
    gradient = empirical_gradient(W, X, yhat)
    tops = [math.log(largest_gap(link, u, *data(round(d**power)), rng)) for power in POWERS]
    crossings = [math.log(crossing(other, d, n, N, noise, rng)) for other in others]
    return {
        "gap_squared": float(np.mean(np.sum((gradient - population_gradient(link, u, W)) ** 2, axis=1))),
        "sup_squared": float(np.mean([largest_gap(link, u, *data(n), rng) ** 2 for _ in range(RUNS)])),
        "preactivation": preactivation(W, *data(d**3)),
        "crossing": math.exp(crossings[0]),
        "crossing_kappa": float(np.polyfit(np.log(KAPPAS), crossings, 1)[0]),
        "sup_slope": float(np.polyfit([power * math.log(d) for power in POWERS], tops, 1)[0]),
    }
