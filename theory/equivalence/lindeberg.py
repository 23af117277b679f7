"""The conditions under which the Lindeberg proof of Gaussian equivalence works, measured on one simulated step.

Neurons w_j are the columns of W. The proof swaps one neuron's feature at a time: it needs |W| = O(1), neurons that are nearly
orthogonal to each other and to the teacher's direction, and ridge solutions without a large entry when a neuron is left out.
Source: ``ba2022``, proof of Theorem 5 (statements.md, section 2).
"""

from __future__ import annotations

import math

import numpy as np
from scipy.linalg import inv

from theory.activations.floats import Array
from theory.trial.ridge import Fresh, fresh, network_features
from theory.trial.singular_values import leading_triplets
from theory.trial.step import Step


def lindeberg_observables(step: Step, lam: float) -> dict[str, float]:
    """The conditions at W0 (``before_``), at W1 (``after_``), and at a step with eta sqrt(N) for eta (``large_``).

    ``norm`` |W|; ``pair`` max over i < j of |<w_i, w_j>|; ``teacher`` max |<w_j, beta>|; ``head`` the
    largest entry of all ridge solutions with one neuron left out.
    """
    data = fresh(step, tests=1)
    # the gradient at W0 does not depend on eta, so that the large step is the same draw's
    large = step.W0 + math.sqrt(step.sizes.N) * (step.W1 - step.W0)
    found: dict[str, float] = {}
    for name, W in (("before", step.W0), ("after", step.W1), ("large", large)):
        overlaps = W.T @ W
        np.fill_diagonal(overlaps, 0)
        found |= {
            f"{name}_norm": float(leading_triplets(W, 1, np.random.default_rng(0))[1][0]),
            f"{name}_pair": float(np.abs(overlaps).max()),
            f"{name}_teacher": float(np.abs(W.T @ step.beta).max()),
            f"{name}_head": largest_entry_without_one(network_features(step, W)(data.X), data, lam),
        }
    return found


def largest_entry_without_one(Phi: Array, data: Fresh, lam: float) -> float:
    """max over k of the sup norm of the ridge solution on all columns of Phi but the k-th.

    With H = (Phi^T Phi + (n lambda/N) I)^(-1) and a = H Phi^T y, the solution without column k is a - (a_k/H_kk) H e_k: the
    formula for the inverse of a matrix with one row and column removed. The penalty is kept at that of N columns.
    """
    n, N = Phi.shape
    H = inv(Phi.T @ Phi + (n * lam / N) * np.eye(N))
    a = H @ (Phi.T @ data.y)
    without = a[:, None] - H * (a / np.diag(H))
    return float(np.abs(without).max())
