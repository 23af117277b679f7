"""What is seen of the population gradient's terms on finite samples, and by plain quadrature where samples are too noisy.

Every observation takes (parameters, sizes, rng). Nothing of Lemma 13 is used.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy.special import ndtr

from pencils.errors import InputError
from theory.activations.polynomial import polynomial
from theory.hessian.algorithm import Array, Linear, empirical_gradient, initialise
from theory.trial.sizes import Sizes

_NODES = 40


def observe(parameters: Mapping[str, Any], sizes: Sizes, rng: np.random.Generator) -> dict[str, float]:
    """The component along w of g_n(w), w filled up with zeros to d coordinates; InputError where it has more than d."""
    w = np.zeros(sizes.d)
    given = np.array([float(part) for part in parameters["w"]])
    if len(given) > sizes.d:
        raise InputError(f"w has {len(given)} coordinates, and d = {sizes.d} is among the sizes that are run: give a larger d")
    w[: len(given)] = given / np.linalg.norm(given)
    X = rng.standard_normal((sizes.n, sizes.d))
    y = parameters["teacher"].at(X)
    if parameters.get("preprocess", True):
        y = y - Linear.fit(X, y)(X)
    return {"along_w": float(empirical_gradient(w[None], X, y)[0] @ w)}


def observe_along_u(parameters: Mapping[str, Any], sizes: Sizes, rng: np.random.Generator) -> dict[str, float]:
    """The component along u = e_1 of g_n(w) for a teacher of <u, x>, <u, w> given; no preprocessing."""
    overlap = float(parameters["overlap"])
    if abs(overlap) > 1:
        raise InputError(f"overlap = {parameters['overlap']}: two unit vectors have an overlap between -1 and 1")
    w = np.zeros(sizes.d)
    w[:2] = overlap, np.sqrt(1 - overlap**2)
    X = rng.standard_normal((sizes.n, sizes.d))
    return {"seen": float(empirical_gradient(w[None], X, parameters["polynomial"].at(X))[0, 0])}


def observe_cosine(parameters: Mapping[str, Any], sizes: Sizes, rng: np.random.Generator) -> dict[str, float]:
    """Mean cosine between a_i w_i^(1) and a_j w_j^(1), i != j, over the different neurons after a step of Algorithm 1 from n
    noiseless samples of c_0 + mu1* x_1 + (He_2(x_1) + ... + He_2(x_4))/4: without preprocessing (raw) and with it (clean). (With
    one direction |H w| may be 0, and the approach of the limit is slow.)"""
    if parameters["c0_star"] == 0 == parameters["mu1_star"]:
        raise InputError("mu1_star = 0, c0_star = 0: there is no mean and no linear part for preprocessing to take off; give one")
    teacher = polynomial(f"{parameters['c0_star']} + ({parameters['mu1_star']})*x1 + (He2(x1) + He2(x2) + He2(x3) + He2(x4))/4")
    X = rng.standard_normal((sizes.n, sizes.d))
    W, _ = initialise(2 * sizes.N, sizes.d, rng)
    y = teacher.at(X)
    return {
        "raw": _mean_cosine(empirical_gradient(W[: sizes.N], X, y)),
        "clean": _mean_cosine(empirical_gradient(W[: sizes.N], X, y - Linear.fit(X, y)(X))),
    }


def _mean_cosine(rows: Array) -> float:
    directions = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    m = len(rows)
    total = directions.sum(axis=0)
    return float((total @ total - m) / (m * (m - 1)))


def observe_orders(parameters: Mapping[str, Any], sizes: Sizes, rng: np.random.Generator) -> dict[str, float]:
    """Root mean square over N uniform directions w of parts of g(w) for f = He_2(x_1) and f = He_4(x_1): along x_1, and across.

    With s = w_1, q = sqrt(1 - s^2): E[f x_1; <w, x> > 0] = E f(x_1) x_1 Phi(s x_1/q), and across, along the rest of w,
    E[f z; s x_1 + q z > 0] = E f(x_1) phi(s x_1/q), both by Gauss-Hermite quadrature in x_1.
    """
    W = rng.standard_normal((sizes.N, sizes.d))
    s = W[:, 0] / np.linalg.norm(W, axis=1)
    nodes, weights = np.polynomial.hermite_e.hermegauss(_NODES)
    weights = weights / weights.sum()
    slope = np.outer(s / np.sqrt(1 - s**2), nodes)
    quadratic, quartic = nodes**2 - 1, nodes**4 - 6 * nodes**2 + 3
    parts = {
        "quadratic_along": ndtr(slope) @ (weights * quadratic * nodes),
        "quadratic_across": np.exp(-(slope**2) / 2) @ (weights * quadratic),
        "quartic_along": ndtr(slope) @ (weights * quartic * nodes),
    }
    return {name: float(np.sqrt(np.mean(part**2))) for name, part in parts.items()}


def observe_first_term(parameters: Mapping[str, Any], sizes: Sizes, rng: np.random.Generator) -> dict[str, float]:
    """<g_n(w), beta> averaged over N neurons with w ~ N(0, I/d), for an activation and a teacher of <beta, x>, both centred."""
    from theory.activations.activation import variable
    from theory.activations.floats import nonlinearity

    sigma, link = (nonlinearity(parameters[name].centred().numeric(20), variable()) for name in ("activation", "teacher"))
    X = rng.standard_normal((sizes.n, sizes.d))
    W = rng.standard_normal((sizes.d, sizes.N)) / np.sqrt(sizes.d)
    slopes = sigma.both(X @ W)[1].mean(axis=1)
    return {"seen": float(np.mean(link.value(X[:, 0]) * X[:, 0] * slopes))}
