"""What is measured on the features after a step: the direction of the gradient, remainders, outliers, overlaps.

One draw serves every learning rate: W1 = W0 + n^alpha G with the same G. Norms of features are divided by sqrt n.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from theory.activations.floats import Array
from theory.staircase.draw import Staircase, draw
from theory.staircase.outliers import MARGIN, predicted
from theory.staircase.strengths import Spikes, level, shifted_power
from theory.trial.singular_values import leading_triplets
from theory.trial.sizes import Sizes

ALPHAS = {"10": Fraction(1, 10), "29": Fraction(29, 100), "36": Fraction(9, 25), "39": Fraction(39, 100)}
_BITS = 60
_SEEN = 3  # outliers whose positions and overlaps are kept


def observe(parameters: Mapping[str, Any], sizes: Sizes, rng: np.random.Generator) -> dict[str, float]:
    """For the gradient G: ``cosine_squared`` of its leading right singular vector and beta, ``length_squared`` and
    ``own_squared`` (|b|^2 and |q_j|^2), ``error`` and ``error_reported``, |G - c_1 a b^T| with b = X^T (y - f0)/n and with X^T y/n.
    For eta = n^alpha at the four alphas: ``remainder_``, after the l spikes with b and q_j, and ``reported_``, after the spikes
    c_1^k c_k eta^k (X beta_hat)^{ok} (a^{ok})^T, both |.|/sqrt n."""
    step = draw({**parameters, "eta": 1}, sizes, rng)
    c = coefficients(parameters, 5)
    G, a, root = step.W1 - step.W0, step.a, math.sqrt(sizes.n)
    own = G - c[1] * np.outer(a, step.direction)
    v = float((own**2).sum() / (a @ a))
    found = {
        "cosine_squared": float(leading_triplets(G, 1, np.random.default_rng(0))[2][:, 0] @ step.beta) ** 2,
        "length_squared": float(((a @ G) ** 2).sum()) / (c[1] * float(a @ a)) ** 2,
        "own_squared": v,
        "error": _norm(own),
        "error_reported": _norm(G - c[1] * np.outer(a, step.beta_hat)),
    }
    before = step.features(step.X, step.W0)
    for name, alpha in ALPHAS.items():
        eta, ell = sizes.n ** float(alpha), level(alpha)
        assert ell is not None
        gain = step.features(step.X, step.W0 + eta * G) - before
        found[f"remainder_{name}"] = _norm(gain - spike_sum(c, ell, eta, step.X @ step.direction, a, v)) / root
        found[f"reported_{name}"] = _norm(gain - spike_sum(c, ell, eta, step.X @ step.beta_hat, a, 0.0)) / root
    return found


def spike_sum(c: list[float], ell: int, eta: float, p: Array, a: Array, v: float) -> Array:
    """sum_{k <= ell} c_k eta^k h_k(p) (a^{ok})^T, h_k(p) = E_g (c_1 p + sqrt(v) g)^k."""
    total = np.zeros((len(p), len(a)))
    for k in range(1, ell + 1):
        h = sum((factor * p**power for power, factor in shifted_power(k, c[1], v).items()), np.zeros_like(p))
        total += c[k] * eta**k * np.outer(h, a**k)
    return total


def observe_outliers(parameters: Mapping[str, Any], sizes: Sizes, rng: np.random.Generator) -> dict[str, float]:
    """At the given alpha: ``outliers``, the last i up to 10 whose singular value of F lies 5 percent beyond the next one;
    ``beyond``, how many lie 5 percent beyond the largest of F0 on the same fresh data (more, because the bulk widens with eta); the
    first singular values over sqrt n, ``s1`` to ``s3``, and ``s1_before`` of F0; ``overlap1`` to ``overlap3``, the squared
    lengths of the projections of their left vectors on span{(X b)^{ok}, 0 <= k <= l}; and what ``theory.staircase.outliers``
    predicts: ``predicted``, ``s1_predicted``, ``s2_predicted`` (the edge where no outlier is predicted)."""
    step, root, beyond = draw(parameters, sizes, rng), math.sqrt(sizes.n), 1 + float(MARGIN)
    before = np.linalg.svd(step.features(step.X, step.W0), compute_uv=False)[0]
    U, s, _ = np.linalg.svd(step.features(step.X, step.W1), full_matrices=False)
    apart = np.flatnonzero(s[:10] > beyond * s[1:11])
    found = {
        "outliers": float(apart[-1] + 1) if len(apart) else 0.0,
        "beyond": float((s > beyond * before).sum()),
        "s1_before": float(before) / root,
    }
    overlaps = projections(step, U[:, :_SEEN], max(1, level(parameters["alpha"]) or 1))
    for k in range(_SEEN):
        found[f"s{k + 1}"], found[f"overlap{k + 1}"] = float(s[k]) / root, float(overlaps[k])
    model = predicted(parameters, sizes.n, step.eta)
    found["predicted"] = float(model.count())
    for k in range(2):
        found[f"s{k + 1}_predicted"] = model.position(k, model.after) or model.edge
    return found


def projections(step: Staircase, vectors: Array, ell: int) -> Array:
    """The squared lengths of the projections of unit vectors (n x m) on span{(X b)^{ok}, 0 <= k <= ell}."""
    p = step.X @ step.direction
    basis, _ = np.linalg.qr(np.vander(p / np.std(p), ell + 1, increasing=True))
    return np.asarray(((basis.T @ vectors) ** 2).sum(axis=0))


def coefficients(parameters: Mapping[str, Any], order: int) -> list[float]:
    """[0, c_1, ..., c_order] of the centred activation."""
    spikes = Spikes(parameters)
    return [0.0, *(float(spikes.c(k, _BITS).mid()) for k in range(1, order + 1))]


def _norm(matrix: Array) -> float:
    return float(leading_triplets(matrix, 1, np.random.default_rng(0))[1][0])
