"""One draw of the step of ``moniri2024``, from its definitions alone: weights before and after, and fresh data for the head.

f = a^T sigma(W x), rows of W0 (N x d) uniform on the unit sphere, a_i ~ N(0, 1/N), W1 = W0 + eta G with
G = (1/n) [(a y^T - a a^T sigma(W0 X^T)) o sigma'(W0 X^T)] X on n samples that are then forgotten. Activations are centred.
Source: statements.md, section 3.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from pencils.errors import InputError
from theory.activations.activation import Activation, variable
from theory.activations.floats import Array, Nonlinearity, nonlinearity
from theory.trial.sizes import Sizes
from theory.trial.step import gradient


@dataclass(frozen=True)
class Staircase:
    """W0, W1 are N x d (a row is a neuron), a has N entries, beta is a unit vector; beta_hat = X^T y/n and
    direction = X^T (y - f0)/n of the step's own data, f0 the network's output on them; X (n x d) and y are fresh. ``rng`` is
    the draw's stream after all of these."""

    sizes: Sizes
    eta: float
    W0: Array
    W1: Array
    a: Array
    beta: Array
    beta_hat: Array
    direction: Array
    X: Array
    y: Array
    sigma: Nonlinearity
    teacher: Nonlinearity
    sigma_eps: float
    rng: np.random.Generator

    def features(self, X: Array, W: Array) -> Array:
        """F = sigma(X W^T), k x N for X k x d and W N x d; not divided by sqrt N."""
        return self.sigma.value(X @ W.T)

    def data(self, count: int) -> tuple[Array, Array, Array]:
        """``count`` new points: X, the labels y with noise, and the teacher's values without it."""
        return _data(count, self.beta, self.teacher, self.sigma_eps, self.rng)


def draw(parameters: Mapping[str, Any], sizes: Sizes, rng: np.random.Generator) -> Staircase:
    """One step at the checked ``activation``, ``teacher``, ``sigma_eps`` and either ``alpha`` (eta = n^alpha) or ``eta``.

    ``rng`` gives beta, W0, a, the step's data and the fresh data in this order. Raises InputError unless one of alpha and eta
    is given.
    """
    eta = step_size(parameters, sizes.n)
    sigma, teacher = numeric(parameters["activation"], True), numeric(parameters["teacher"], False)
    noise = float(parameters["sigma_eps"])
    d, n, N = sizes.d, sizes.n, sizes.N
    beta = rng.standard_normal(d)
    beta /= np.linalg.norm(beta)
    W0 = rng.standard_normal((N, d))
    W0 /= np.linalg.norm(W0, axis=1, keepdims=True)
    a = rng.standard_normal(N) / math.sqrt(N)
    X, y, _ = _data(n, beta, teacher, noise, rng)
    # gradient() is that of the loss of f = N^(-1/2) a^T sigma, times N^(-1/2) again when a is a sqrt N
    W1 = W0 + eta * gradient(X, y, W0.T, math.sqrt(N) * a, sigma).T
    beta_hat, direction = X.T @ y / n, X.T @ (y - sigma.value(X @ W0.T) @ a) / n
    X, y, _ = _data(n, beta, teacher, noise, rng)
    return Staircase(sizes, eta, W0, W1, a, beta, beta_hat, direction, X, y, sigma, teacher, noise, rng)


def step_size(parameters: Mapping[str, Any], n: int) -> float:
    """eta, or n^alpha; InputError unless exactly one of the two is given."""
    given = [name for name in ("alpha", "eta") if parameters.get(name) is not None]
    if len(given) != 1:
        raise InputError(f"alpha and eta: give one of them, {' and '.join(given) or 'none'} given (eta = n^alpha)")
    value = float(parameters[given[0]])
    return float(n**value) if given == ["alpha"] else value


@lru_cache(maxsize=64)
def numeric(function: Activation, differentiable: bool) -> Nonlinearity:
    """The centred function in float64."""
    return nonlinearity(function.centred().numeric(20), variable(), differentiable=differentiable)


def _data(count: int, beta: Array, teacher: Nonlinearity, noise: float, rng: np.random.Generator) -> tuple[Array, Array, Array]:
    X = rng.standard_normal((count, len(beta)))
    clean = teacher.value(X @ beta)
    return X, clean + noise * rng.standard_normal(count), clean
