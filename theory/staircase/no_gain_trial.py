"""What a step does not do: a teacher without a linear part gains nothing, and a constant learning rate learns a linear function."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from theory.activations.floats import Array, Nonlinearity
from theory.quadrature.grid import LINE, WEIGHT
from theory.staircase.draw import draw, step_size
from theory.staircase.errors_trial import fit
from theory.trial.sizes import Sizes

TEST_RATIO = 8  # points a dimension on which risks are measured


def observe_exponent(parameters: Mapping[str, Any], sizes: Sizes, rng: np.random.Generator) -> dict[str, float]:
    """``loss_before``, ``loss_after`` = (1/n)|y - F a|^2 + lambda |a|^2, and ``risk_before``, ``risk_after`` against the teacher
    without noise, on the same fresh data; the same four with ``control_`` before their names for labels along a direction
    orthogonal to beta, of which the step cannot know; and ``cosine_squared`` of b and beta."""
    step = draw(parameters, sizes, rng)
    T, _, target = step.data(TEST_RATIO * sizes.d)
    other = step.rng.standard_normal(sizes.d)
    other -= (other @ step.beta) * step.beta
    other /= np.linalg.norm(other)
    noise = step.sigma_eps * step.rng.standard_normal(sizes.n)
    control = (step.teacher.value(step.X @ other) + noise, step.teacher.value(T @ other))
    tasks = {"": (step.y, target), "control_": control}
    along = float(step.direction @ step.beta)
    found = {"cosine_squared": along**2 / float(step.direction @ step.direction)}
    for name, W in (("before", step.W0), ("after", step.W1)):
        F, test = step.features(step.X, W), step.features(T, W)
        for task, (y, clean) in tasks.items():
            head, loss = fit(F, y, float(parameters["lam"]))
            found[f"{task}loss_{name}"] = loss
            found[f"{task}risk_{name}"] = float(np.mean((test @ head - clean) ** 2))
    return found


def observe_constant(parameters: Mapping[str, Any], sizes: Sizes, rng: np.random.Generator) -> dict[str, float]:
    """At the constant ``eta``, and with ``_large`` behind their names for the same gradient at n^alpha: ``risk``, and ``second``,
    E_x [f(x) He_2(<x, beta>)]/sqrt 2, which for the teacher itself is sqrt 2 c_{*,2}."""
    constant = {**parameters, "alpha": None}
    step = draw(constant, sizes, rng)
    G = (step.W1 - step.W0) / step.eta
    T, _, target = step.data(TEST_RATIO * sizes.d)
    large = step.W0 + step_size({"alpha": parameters["alpha"]}, sizes.n) * G
    found = {}
    for name, W in (("", step.W1), ("_large", large)):
        head, _ = fit(step.features(step.X, W), step.y, float(parameters["lam"]))
        found[f"risk{name}"] = float(np.mean((step.features(T, W) @ head - target) ** 2))
        found[f"second{name}"] = float(second_degree(step.sigma, W, step.beta) @ head)
    return found


def second_degree(sigma: Nonlinearity, W: Array, beta: Array) -> Array:
    """E_x [sigma(<w, x>) He_2(<x, beta>)]/sqrt 2 for each row w: (<w, beta>/|w|)^2 E[sigma(|w| z) He_2(z)]/sqrt 2."""
    lengths = np.linalg.norm(W, axis=1)
    along = (W @ beta / lengths) ** 2
    return along * (sigma.value(lengths[:, None] * LINE) @ (WEIGHT * (LINE**2 - 1))) / math.sqrt(2)
