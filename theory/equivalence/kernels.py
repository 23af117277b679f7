"""Kernel ridge regression on n fresh samples, and how far one step moves the features' covariance, at finite size.

Kernels: the conjugate kernel (1/N) sigma(X W0) sigma(X W0)^T; the neural tangent kernel, its sum with
(1/N) (X X^T) o (sigma'(X W0) diag(a)^2 sigma'(X W0)^T); and exp(<x, x'>/d), which depends on inner products only. Source:
``ba2022``, Proposition 1 and Fact 4.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from pencils.errors import InputError
from theory.activations.floats import Array
from theory.trial.ridge import Fresh, feature_risk, fresh, network_features, solve_ridge
from theory.trial.step import Step

Kernel = Callable[[Array, Array], Array]


def tangent_kernel(step: Step) -> Kernel:
    """(X, Y) -> the neural tangent kernel at initialization, both layers, len(X) x len(Y)."""

    def kernel(X: Array, Y: Array) -> Array:
        (first, slope), (second, other) = (step.task.sigma.both(Z @ step.W0) for Z in (X, Y))
        inner = (slope * step.a**2) @ other.T
        return (first @ second.T + (X @ Y.T) * inner) / step.sizes.N

    return kernel


def inner_product_kernel(X: Array, Y: Array) -> Array:
    """exp(<x, y>/d), len(X) x len(Y)."""
    value: Array = np.exp(X @ Y.T / X.shape[1])
    return value


def kernel_risk(kernel: Kernel, data: Fresh, penalty: float) -> float:
    """The risk of f_hat(x) = k(x, X) (K + penalty I)^(-1) y."""
    weights = solve_ridge(kernel(data.X, data.X), data.y, penalty)
    return float(np.mean((kernel(data.T, data.X) @ weights - data.target) ** 2))


def kernel_observables(step: Step, lam: float) -> dict[str, float]:
    """``conjugate``, ``tangent``, ``inner_product``: risks with the penalty n lambda/N; ``step`` that of the features after it."""
    data = fresh(step)
    penalty = step.sizes.n * lam / step.sizes.N
    return {
        "conjugate": feature_risk(network_features(step, step.W0), data, lam),
        "tangent": kernel_risk(tangent_kernel(step), data, penalty),
        "inner_product": kernel_risk(inner_product_kernel, data, penalty),
        "step": feature_risk(network_features(step, step.W1), data, lam),
    }


def gram_observables(step: Step) -> dict[str, float]:
    """``moved`` = |W1^T W1 - W0^T W0|_F^2, ``rank_one`` the same with A alone, ``rest`` = |eta sqrt N (B + C)|_F^2; G0 = A + B + C.

    Raises InputError when the step was made without ``parts``.
    """
    if step.B is None or step.C is None:
        raise InputError("these observables need the split of the gradient: one_step(..., parts=True, mu1=...)")
    scale = step.task.eta * math.sqrt(step.sizes.N)
    before = step.W0.T @ step.W0
    alone = step.W0 + scale * step.A
    return {
        "moved": float(np.linalg.norm(step.W1.T @ step.W1 - before) ** 2),
        "rank_one": float(np.linalg.norm(alone.T @ alone - before) ** 2),
        "rest": float(np.linalg.norm(scale * (step.B + step.C)) ** 2),
    }
