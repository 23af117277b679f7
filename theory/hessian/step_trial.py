"""Algorithm 1 on trial: f = 0 at initialisation, the step against 2 eta1 a_j g_n(w_j), no trace of W0, and the test risk."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from pencils.errors import InputError, SimulationError
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
from theory.trial.sizes import Sizes

UNIT = 2.0**-53
FACTOR = 1  # of the allowances: rounding errors of either sign add up like the square root of their number, not like it
CHECKED = 100  # training points at which f is summed without rounding


def output_at_start(W: Array, a: Array, X: Array) -> float:
    """The largest |a^T relu(W x)| over the rows x of X, the sum over neurons exact (math.fsum)."""
    # einsum takes every inner product in one order; BLAS need not give two equal rows of W the same bits.
    before = np.einsum("ik,jk->ij", X, W, optimize=False)
    return max(abs(math.fsum(row)) for row in relu(before) * a)


def output_allowance(W: Array, a: Array, X: Array) -> Array:
    """What rounding is allowed at each row of X on f = 0: FACTOR (sqrt m + sqrt d) 2^-53 (sum_j (|a_j| |w_j|.|x|)^2)^(1/2).

    An inner product of d terms is off by a number of order sqrt(d) 2^-53 |w_j|.|x|, of either sign, and adding m of them up by
    sqrt(m) 2^-53 times a partial sum, of either sign again. In the worst case all signs agree: (m + d) 2^-53 sum_j |a_j| |w_j|.|x|.
    """
    moduli = np.abs(X) @ np.abs(W).T * np.abs(a)
    return np.asarray(FACTOR * sum(math.sqrt(size) for size in W.shape) * UNIT * np.linalg.norm(moduli, axis=1))


def allowance(W: Array, a: Array, X: Array, yhat: Array, eta1: float) -> Array:
    """What rounding is allowed on each entry of the step, computed in two ways.

    A partial sum of the n terms yhat_i x_i sigma' is of order n |g_n| + sqrt(n) rms, rms the root mean square of a term, and
    each of n additions rounds it by 2^-53 in either direction: FACTOR 2^-53 (sqrt(n) |g_n| + 4 rms) on their mean, 4 with the
    roundings of a term. 8 2^-53 |W0| for W0 - eta1 lambda1 W0; and what f adds, which is 0 up to ``output_allowance`` and of
    either sign.
    """
    n = len(X)
    terms = np.linalg.norm(yhat[:, None] * X, axis=0) / math.sqrt(n)
    sums = FACTOR * UNIT * (math.sqrt(n) * np.abs(empirical_gradient(W, X, yhat)) + 4 * terms)
    from_f = np.linalg.norm(output_allowance(W, a, X)[:, None] * X, axis=0) / n
    return np.asarray(2 * eta1 * (sums + from_f) + 8 * UNIT * np.abs(W))


def observe(parameters: Mapping[str, Any], sizes: Sizes, rng: np.random.Generator) -> dict[str, float]:
    """One run of Algorithm 1 at d, n and width N of ``sizes``.

    In units of what rounding is allowed, and at the worst entry: ``output_error`` of f = 0 at initialisation as matrix products
    give it, ``step_error`` and ``trace``. ``risk`` and, on the same samples, ``random_features``; ``beyond``, the energy of f* in
    degrees 3 and above; ``penalty``, the lambda2 chosen. Raises SimulationError unless f = 0 exactly when summed exactly,
    InputError for a ``width`` that is not an even whole number and where H = 0.
    """
    if parameters["width"] % 2 != 0:
        raise InputError(f"width = {parameters['width']}: the symmetric initialisation pairs neurons; give an even whole number")
    link, noise, eta = settings(parameters)
    link.curved()
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
    room, more = allowance(W, a, X, yhat, eta1), allowance(stretched, a, X, yhat, eta1)
    network = head(moved, X, y, linear, rng)
    return {
        "output_error": float(np.max(np.abs(relu(X @ W.T) @ a) / output_allowance(W, a, X))),
        "step_error": float(np.max(np.abs(moved - 2 * eta1 * a[:, None] * empirical_gradient(W, X, yhat)) / room)),
        "trace": float(np.max(np.abs(moved - step(stretched, a, X, yhat, eta1)) / (room + more))),
        "risk": errors(network, link, u, noise, rng).square,
        "random_features": errors(random_features(X, y, m, rng), link, u, noise, rng).square,
        "beyond": link.energy(3),
        "penalty": network.penalty,
    }
