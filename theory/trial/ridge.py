"""Ridge regression of the teacher on a network's features, at finite size as it is defined: risks before and after the step.

Phi = N^(-1/2) sigma(X~ W) on n fresh samples X~ with fresh noise, a_hat = argmin (1/n)|y~ - Phi a|^2 + (lambda/N)|a|^2, and the
risk E_x (f_hat(x) - f*(x))^2 against the noiseless teacher, estimated on fresh points. Source: ``ba2022`` section 1.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from theory.activations.floats import Array
from theory.trial.step import Step

# Points a dimension on which a risk is estimated: proportional to d, so that this error too falls like the others.
TEST_RATIO = 8


@dataclass(frozen=True)
class Fresh:
    """n new samples X (n x d) with labels y, and test points T (k x d) with the teacher's noiseless values there."""

    X: Array
    y: Array
    T: Array
    target: Array


def fresh(step: Step, tests: int | None = None) -> Fresh:
    """New data from the task of a step, on its own stream; ``tests`` points for the risk, 8 d when not given."""
    task, d, n = step.task, step.sizes.d, step.sizes.n
    X = task.rng.standard_normal((n, d))
    y = task.sigma_star.value(X @ step.beta) + task.sigma_eps * task.rng.standard_normal(n)
    T = task.rng.standard_normal((tests or TEST_RATIO * d, d))
    return Fresh(X, y, T, task.sigma_star.value(T @ step.beta))


def solve_ridge(gram: Array, right: Array, penalty: float) -> Array:
    """(gram + penalty I)^(-1) right for a positive semidefinite gram and penalty > 0, by Cholesky; ``gram`` is overwritten."""
    gram[np.diag_indices_from(gram)] += penalty
    return cho_solve(cho_factor(gram, lower=True, overwrite_a=True, check_finite=False), right, check_finite=False)


def ridge(Phi: Array, y: Array, penalty: float) -> Array:
    """(Phi^T Phi + penalty I)^(-1) Phi^T y, by the smaller of the two Gram matrices; Phi is n x N, penalty > 0."""
    n, N = Phi.shape
    if n >= N:
        return solve_ridge(Phi.T @ Phi, Phi.T @ y, penalty)
    return Phi.T @ solve_ridge(Phi @ Phi.T, y, penalty)


def feature_risk(features: Callable[[Array], Array], data: Fresh, lam: float) -> float:
    """The risk of ridge regression on a feature map X (k x d) -> k x N, with the penalty n lambda/N."""
    Phi = features(data.X)
    n, N = Phi.shape
    a_hat = ridge(Phi, data.y, n * lam / N)
    return float(np.mean((features(data.T) @ a_hat - data.target) ** 2))


def network_features(step: Step, W: Array) -> Callable[[Array], Array]:
    """X -> N^(-1/2) sigma(X W)."""
    return lambda X: step.task.sigma.value(X @ W) / math.sqrt(W.shape[1])


def risk_observables(step: Step, lam: float) -> dict[str, float]:
    """``R0`` and ``R1``: risks before and after the step, on the same fresh data, so that their difference is paired."""
    data = fresh(step)
    return {name: feature_risk(network_features(step, W), data, lam) for name, W in (("R0", step.W0), ("R1", step.W1))}
