"""Algorithm 1 on trial: f = 0 at initialisation, the step against 2 eta1 a_j g_n(w_j), no trace of W0, and the test risk."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from pencils.errors import SimulationError
from theory.hessian.algorithm import (
    Array,
    Linear,
    direction,
    empirical_gradient,
    head,
    initialise,
    random_features,
    relu,
    sample,
    step,
)
from theory.hessian.rates import affordable, errors, settings
from theory.sizes import Sizes

UNIT = 2.0**-52
CHECKED = 100  # training points at which f is summed without rounding


def output_at_start(W: Array, a: Array, X: Array) -> float:
    """The largest |a^T relu(W x)| over the rows x of X, the sum over neurons exact (math.fsum)."""
    # einsum takes every inner product in one order; BLAS need not give two equal rows of W the same bits.
    before = np.einsum("ik,jk->ij", X, W, optimize=False)
    return max(abs(math.fsum(row)) for row in relu(before) * a)


def output_allowance(W: Array, a: Array, X: Array) -> Array:
    """What rounding may do to f = 0 at each row of X: (m + d) 2^-52 sum_j |a_j| (|w_j|.|x|), in any order of summation."""
    return np.asarray(sum(W.shape) * UNIT * (np.abs(X) @ np.abs(W).T) @ np.abs(a))


def allowance(W: Array, a: Array, X: Array, yhat: Array, eta1: float) -> Array:
    """What rounding may do to each entry of the step, computed in two ways.

    A sum of n terms in any order is off by at most n 2^-53 times the sum of their moduli; a few more roundings come with each
    term, with W0 - eta1 lambda1 W0 (at the size of W0), and with f, which is 0 up to ``output_allowance``.
    """
    moduli = np.mean((len(X) + 8) * UNIT * np.abs(yhat)[:, None] * np.abs(X), axis=0)
    from_f = np.mean(output_allowance(W, a, X)[:, None] * np.abs(X), axis=0)
    return np.asarray(2 * eta1 * (moduli + from_f) + 4 * UNIT * np.abs(W))


def observe(parameters: Mapping[str, Any], sizes: Sizes, rng: np.random.Generator) -> dict[str, float]:
    """One run of Algorithm 1 at d, n and width N of ``sizes``: in units of what rounding may do, and at the worst entry,
    ``output_error`` of f = 0 at initialisation as matrix products give it, ``step_error`` and ``trace``; ``risk`` and, on the same
    samples, ``random_features``; ``penalty``, the lambda2 chosen. Raises SimulationError unless f = 0 exactly when summed
    exactly."""
    link, noise, eta = settings(parameters)
    d, n, m = sizes.d, sizes.n, sizes.N
    affordable(n, m)
    u, eta1 = direction(d, rng), eta * math.sqrt(d)
    X, y = sample(link.along(u), n, d, noise, rng)
    linear = Linear.fit(X, y)
    yhat = y - linear(X)
    W, a = initialise(m, d, rng)
    moved = step(W, a, X, yhat, eta1)
    if output_at_start(W, a, X[:CHECKED]) != 0:
        raise SimulationError("f is not exactly 0 at initialisation: the neurons do not mirror each other")
    lengths = rng.uniform(0.5, 2.0, m // 2)
    stretched = W * np.concatenate([lengths, lengths[::-1]])[:, None]
    room = allowance(2 * W, a, X, yhat, eta1)
    network = head(moved, X, y, linear, rng)
    return {
        "output_error": float(np.max(np.abs(relu(X @ W.T) @ a) / output_allowance(W, a, X))),
        "step_error": float(np.max(np.abs(moved - 2 * eta1 * a[:, None] * empirical_gradient(W, X, yhat)) / room)),
        "trace": float(np.max(np.abs(moved - step(stretched, a, X, yhat, eta1)) / (2 * room))),
        "risk": errors(network, link, u, noise, rng).square,
        "random_features": errors(random_features(X, y, m, rng), link, u, noise, rng).square,
        "penalty": network.penalty,
    }
