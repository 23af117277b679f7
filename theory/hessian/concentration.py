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

from theory.hessian.algorithm import Array, Linear, Link, direction, empirical_gradient, initialise, sample
from theory.sizes import Sizes

POWERS = (1.0, 1.5, 2.0, 2.5)  # n = d^power, of the exponents in n
STARTS, CLIMB, PROPOSALS = 200, 20, 40  # of the search for the supremum over the sphere
KAPPAS = (1.0, 2.0, 4.0)  # of the exponent of the crossing in kappa


def relu_coefficient(k: int) -> float:
    """s_k = E He_k(z) relu(z): 1/sqrt(2 pi), 1/2, 1/sqrt(2 pi), and (-1)^(j-1) (2j)!/(j! 2^j (2j-1) sqrt(2 pi)) at k = 2j."""
    if k % 2:
        return 0.5 if k == 1 else 0.0
    j = k // 2
    return (-1) ** (j + 1) * math.factorial(k) / (math.factorial(j) * 2**j * (k - 1) * math.sqrt(2 * math.pi))


def population_gradient(link: Link, u: Array, W: Array) -> Array:
    """g(w) for each row w of W (of any length: g depends on w/|w|), the linear part of f* taken away. m x d."""
    unit = W / np.linalg.norm(W, axis=1, keepdims=True)
    t = unit @ u
    along_u, along_w = np.zeros_like(t), np.zeros_like(t)
    for k in range(2, link.degree + 1):
        along_u += k * link.coefficients[k] * relu_coefficient(k) * t ** (k - 1)
        along_w += link.coefficients[k] * relu_coefficient(k + 2) * t**k
    return np.asarray(np.outer(along_u, u) + along_w[:, None] * unit)


def largest_gap(link: Link, u: Array, X: Array, yhat: Array, rng: np.random.Generator) -> float:
    """A lower bound of sup over |w| = 1 of |g_n(w) - g(w)|: the largest of STARTS random directions, then CLIMB rounds of
    random steps of shrinking length from the best. g_n is piecewise constant in w, so that no gradient can be climbed."""

    def gaps(W: Array) -> Array:
        return np.asarray(np.linalg.norm(empirical_gradient(W, X, yhat) - population_gradient(link, u, W), axis=1))

    W = rng.standard_normal((STARTS, X.shape[1]))
    W[0] = u
    found = gaps(W)
    best, top = W[np.argmax(found)] / np.linalg.norm(W[np.argmax(found)]), float(found.max())
    for round_ in range(CLIMB):
        steps = 0.8 * 0.85**round_ * rng.standard_normal((PROPOSALS, X.shape[1])) / math.sqrt(X.shape[1])
        found = gaps(best + steps)
        if found.max() > top:
            best, top = best + steps[np.argmax(found)], float(found.max())
            best /= np.linalg.norm(best)
    return top


def with_kappa(link: Link, kappa: float) -> Link:
    """The link with |2 c*_2| = 1/kappa and the same energy: what He_2 loses the highest degree gains.

    For a link of degree above 2 with no more than that energy in He_2.
    """
    coefficients = list(link.coefficients)
    spare = 2 * (coefficients[2] ** 2 - 1 / (4 * kappa**2))
    top = link.degree
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


def observe(parameters: Mapping[str, Any], sizes: Sizes, rng: np.random.Generator) -> dict[str, float]:
    """At d, n and width N of ``sizes``: ``gap_squared``, the mean of |g_n - g|^2 over the initial neurons; ``sup_squared``, the
    square of ``largest_gap``; ``preactivation_squared``, the largest (g_n(w_j).x_i)^2 over neurons and training points;
    ``crossing`` as in the function of that name, and ``crossing_kappa``, the slope of its logarithm against log kappa over KAPPAS;
    ``sup_slope``, the slope of the logarithm of ``largest_gap`` against log n over n = d^POWERS."""
    link, noise = Link.of(parameters["teacher"]), float(parameters["sigma_eps"])
    d, n, N = sizes.d, sizes.n, sizes.N
    u = direction(d, rng)

    def data(count: int) -> tuple[Array, Array]:
        X, y = sample(link.along(u), count, d, noise, rng)
        return X, y - Linear.fit(X, y)(X)

    X, yhat = data(n)
    W = initialise(N, d, rng)[0][: N // 2]
    gradient = empirical_gradient(W, X, yhat)
    tops = [math.log(largest_gap(link, u, *data(round(d**power)), rng)) for power in POWERS]
    crossings = [math.log(crossing(with_kappa(link, kappa * link.kappa), d, n, N, noise, rng)) for kappa in KAPPAS]
    return {
        "gap_squared": float(np.mean(np.sum((gradient - population_gradient(link, u, W)) ** 2, axis=1))),
        "sup_squared": largest_gap(link, u, X, yhat, rng) ** 2,
        "preactivation_squared": float(np.max(np.abs(gradient @ X.T)) ** 2),
        "crossing": math.exp(crossings[0]),
        "crossing_kappa": float(np.polyfit(np.log(KAPPAS), crossings, 1)[0]),
        "sup_slope": float(np.polyfit([power * math.log(d) for power in POWERS], tops, 1)[0]),
    }
