"""Gaussian equivalence at finite size: ridge regression on the network's features against the same on linear features and noise.

phi_GE(x) = N^(-1/2) (mu1 W^T x + mu2 z), z ~ N(0, I_N) fresh for every x, with the weights W that the network's own steps
have reached: nothing but the feature map is replaced. Source: ``ba2022``, Theorem 5.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

import numpy as np

from theory.activations.floats import Array
from theory.trial.ridge import Fresh, feature_risk, fresh, network_features, ridge
from theory.trial.step import Step, gradient


def first_steps(step: Step, count: int) -> Iterator[Array]:
    """W_1, ..., W_count: full-batch gradient steps from W_0 on one data set, a fixed, W_{t+1} = W_t + eta sqrt(N) G_t.

    The data are drawn anew from the task of ``step`` (which does not keep its own), with the same beta, a and W_0.
    """
    task, sizes = step.task, step.sizes
    X = task.rng.standard_normal((sizes.n, sizes.d))
    y = task.sigma_star.value(X @ step.beta) + task.sigma_eps * task.rng.standard_normal(sizes.n)
    W = step.W0
    for _ in range(count):
        W = W + task.eta * math.sqrt(sizes.N) * gradient(X, y, W, step.a, task.sigma)
        yield W


def gaussian_risk(step: Step, W: Array, data: Fresh, lam: float, mu1: float, mu2: float, mu1_star: float) -> float:
    """The risk of ridge regression on phi_GE, its mean over x and z exact but for the teacher's own energy.

    f*(x) = mu1* <x, beta> + P(x), P orthogonal to x and z: |mu1* beta - mu1 N^(-1/2) W a|^2 + mu2^2 |a|^2/N + E P^2, and
    E P^2 by the test points.
    """
    N = W.shape[1]
    z = step.task.rng.standard_normal((len(data.X), N))
    Phi = (mu1 * (data.X @ W) + mu2 * z) / math.sqrt(N)
    a_hat = ridge(Phi, data.y, len(data.X) * lam / N)
    linear = mu1_star * step.beta - mu1 * (W @ a_hat) / math.sqrt(N)
    rest = data.target - mu1_star * (data.T @ step.beta)
    return float(linear @ linear + mu2**2 * (a_hat @ a_hat) / N + np.mean(rest**2))


def after_steps(
    step: Step, lam: float, mu1: float, mu2: float, mu1_star: float, times: tuple[int, ...] = (1, 2, 3)
) -> dict[str, float]:
    """``CK_t`` and ``GE_t`` for t in ``times``: risks with the true activation and with phi_GE after t steps.

    All on the same fresh data, so that the mean of CK - GE is paired and the data's own scatter largely cancels.
    """
    path = ((t, W) for t, W in enumerate(first_steps(step, max(times)), 1) if t in times)
    return _both(step, path, lam, mu1, mu2, mu1_star)


def after_longer_steps(
    step: Step, lam: float, mu1: float, mu2: float, mu1_star: float, factors: tuple[float, ...]
) -> dict[str, float]:
    """``CK_k`` and ``GE_k`` after one step of eta times the k-th of ``factors``; the first gradient does not depend on eta."""
    path = ((k, step.W0 + factor * (step.W1 - step.W0)) for k, factor in enumerate(factors))
    return _both(step, path, lam, mu1, mu2, mu1_star)


def _both(step: Step, path: Iterable[tuple[int, Array]], lam: float, *hermite: float) -> dict[str, float]:
    data = fresh(step)
    found: dict[str, float] = {}
    for name, W in path:
        found[f"CK_{name}"] = feature_risk(network_features(step, W), data, lam)
        found[f"GE_{name}"] = gaussian_risk(step, W, data, lam, *hermite)
    return found
