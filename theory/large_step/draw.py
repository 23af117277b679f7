"""One draw of ridge regression after a large step, from the definitions of ``ba2022`` alone: the witness of the exact limits.

The step is the exact gradient on n0 = alpha0 d samples with eta = etabar sqrt(N), the head is fitted on n fresh samples with
(1/n) |y - f|^2 + (lambda/N) |a|^2, and the risk is measured on further points against the teacher without noise.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from pencils.errors import InputError
from theory.activations.activation import Activation, variable
from theory.activations.floats import Array, Nonlinearity, nonlinearity
from theory.trial.sizes import Sizes
from theory.trial.step import gradient

BLOCK = 2048
TEST_POINTS = 8192


def observe(parameters: Mapping[str, Any], sizes: Sizes, rng: np.random.Generator) -> dict[str, float]:
    """``risk``, ``training_error`` and ``gamma`` = <u, beta> of one draw at the checked parameters of ``large-step.risk``.

    Raises InputError at alpha0 = inf: the population gradient is not a sample's.
    """
    if parameters["alpha0"] is None:
        raise InputError("alpha0 = inf: a step with infinitely many samples cannot be simulated; give a finite alpha0")
    sigma = numeric(parameters["activation"], differentiable=True)
    teacher, noise = numeric(parameters["teacher"], differentiable=False), float(parameters["sigma_eps"])
    beta = rng.standard_normal(sizes.d)
    beta /= np.linalg.norm(beta)

    def data(count: int) -> Iterator[tuple[Array, Array]]:
        for start in range(0, count, BLOCK):
            X = rng.standard_normal((min(BLOCK, count - start), sizes.d))
            yield X, teacher.value(X @ beta)

    W0, readout = weights(parameters, sizes, rng)
    n0 = round(float(parameters["alpha0"]) * sizes.d)
    step, along = np.zeros_like(W0), np.zeros(sizes.d)
    for X, clean in data(n0):
        y = clean + noise * rng.standard_normal(len(clean))
        step += len(X) / n0 * gradient(X, y, W0, readout / math.sqrt(sizes.N), sigma)
        along += X.T @ y
    W1 = W0 + float(parameters["etabar"]) * sizes.N * step

    def features(X: Array) -> Array:
        return sigma.value(X @ W1) / math.sqrt(sizes.N)

    drawn = [(features(X), clean) for X, clean in data(sizes.n)]
    Phi, clean = np.concatenate([part[0] for part in drawn]), np.concatenate([part[1] for part in drawn])
    y = clean + noise * rng.standard_normal(sizes.n)
    gram = Phi.T @ Phi
    gram[np.diag_indices_from(gram)] += sizes.n * float(parameters["lam"]) / sizes.N
    head = np.linalg.solve(gram, Phi.T @ y)
    errors = np.concatenate([features(X) @ head - target for X, target in data(TEST_POINTS)])
    return {
        "risk": float(np.mean(errors**2)),
        "training_error": float(np.mean((y - Phi @ head) ** 2)),
        "gamma": float(along @ beta / np.linalg.norm(along)),
    }


def weights(parameters: Mapping[str, Any], sizes: Sizes, rng: np.random.Generator) -> tuple[Array, Array]:
    """W0, d x N with a neuron a column, and sqrt(N) a."""
    W0 = rng.standard_normal((sizes.d, sizes.N))
    W0 /= np.linalg.norm(W0, axis=0) if parameters.get("rows", "gaussian") == "sphere" else math.sqrt(sizes.d)
    law = parameters.get("readout", "uniform")
    if law == "uniform":
        return W0, np.ones(sizes.N)
    if law == "gaussian":
        return W0, rng.standard_normal(sizes.N)
    chances = np.array([float(weight) for _, weight in law])
    return W0, rng.choice([float(value) for value, _ in law], sizes.N, p=chances / chances.sum())


def numeric(function: Activation, differentiable: bool) -> Nonlinearity:
    """The centred function in float64."""
    return nonlinearity(function.centred().numeric(20), variable(), differentiable=differentiable)
