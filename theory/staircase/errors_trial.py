"""Training loss and test error of ridge regression on the features of a step, at finite size as they are defined."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np

from theory.activations.floats import Array
from theory.staircase.draw import Staircase, draw, step_size
from theory.staircase.moved import Moved
from theory.trial.ridge import ridge
from theory.trial.sizes import Sizes

TEST_POINTS = 4096


def errors(found: Staircase, W: Array, lam: float, tests: tuple[Array, Array]) -> tuple[float, float]:
    """((1/n)|y - F a_hat|^2 + lambda |a_hat|^2, E (f* - f_hat)^2 over the test points (X, clean values))."""
    head, loss = fit(found.features(found.X, W), found.y, lam)
    X, clean = tests
    return loss, float(np.mean((found.features(X, W) @ head - clean) ** 2))


def fit(F: Array, y: Array, lam: float) -> tuple[Array, float]:
    """a_hat = (F^T F + lambda n I)^{-1} F^T y and (1/n)|y - F a_hat|^2 + lambda |a_hat|^2."""
    head = ridge(F, y, lam * len(y))
    return head, float(np.mean((y - F @ head) ** 2) + lam * head @ head)


def observe(parameters: Mapping[str, Any], sizes: Sizes, rng: np.random.Generator) -> dict[str, float]:
    """``training_loss``, ``test_error``, the same before the step, and the drops, of one draw on the same fresh data."""
    found = draw(parameters, sizes, rng)
    X, _, clean = found.data(TEST_POINTS)
    lam = float(parameters["lam"])
    before, after = (errors(found, W, lam, (X, clean)) for W in (found.W0, found.W1))
    return {
        "training_loss": after[0],
        "test_error": after[1],
        "training_loss_before": before[0],
        "test_error_before": before[1],
        "training_drop": before[0] - after[0],
        "test_drop": before[1] - after[1],
    }


def observe_against_model(parameters: Mapping[str, Any], sizes: Sizes, rng: np.random.Generator) -> dict[str, float]:
    """``loss`` and ``error``: the drops of one draw over those of ``theory.staircase.moved`` at the same n."""
    seen = observe(parameters, sizes, rng)
    loss, error = _predicted(tuple(sorted(parameters.items())), sizes.n)
    return {"loss": seen["training_drop"] / loss, "error": seen["test_drop"] / error}


@lru_cache(maxsize=32)
def _predicted(given: tuple[tuple[str, Any], ...], n: int) -> tuple[float, float]:
    """The model's drops at n samples."""
    parameters = dict(given)
    before, after = (Moved(parameters, n, eta).errors() for eta in (0.0, step_size(parameters, n)))
    return before[0] - after[0], before[1] - after[1]
