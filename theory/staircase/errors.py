"""Training loss and test error of ridge regression on the features of a step, at finite size as they are defined."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from theory.nonlinearity import Array
from theory.ridge import ridge
from theory.sizes import Sizes
from theory.staircase.draw import Staircase, draw

TEST_POINTS = 4096


def errors(found: Staircase, W: Array, lam: float, tests: tuple[Array, Array]) -> tuple[float, float]:
    """((1/n)|y - F a_hat|^2 + lambda |a_hat|^2, E (f* - f_hat)^2 over the test points (X, clean values))."""
    F = found.features(found.X, W)
    head = ridge(F, found.y, len(F) * lam)
    X, clean = tests
    loss = float(np.mean((found.y - F @ head) ** 2)) + lam * float(head @ head)
    return loss, float(np.mean((found.features(X, W) @ head - clean) ** 2))


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
