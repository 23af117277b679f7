"""The best etabar and lambda after a large step: the lowest point of the exact risk, and what choosing them is worth."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from pencils.errors import ConvergenceError
from theory.large_step.risk import Solver
from theory.large_step.values import enclosed, setting

Point = Any  # (log etabar, log lambda)
_LOW, _HIGH = (1 / 8, 1e-6), (64.0, 100.0)
_GRID = (11, 9)
_NO_STEP, _VAST = 1e-8, 1e8  # etabar and lambda that stand for 0 and infinity


def compute(parameters: Mapping[str, Any], digits: int) -> dict[str, Any]:
    """``etabar``, ``lam`` and ``risk`` at the lowest point over 1/8 <= etabar <= 64 and lam >= 1e-6.

    ``etabar`` is "0+" where no large step is better than a small step of unbounded length, ``lam`` is "oo" where the best
    fit is that by the neurons' means alone. Raises ConvergenceError where the risk falls to another end, PrecisionError
    saying how many digits of the place can be had in float64.
    """

    def risk(refine: float, atoms: int) -> Callable[[Point], float]:
        def at(x: Point) -> float:
            etabar, lam = Fraction(math.exp(x[0])), Fraction(math.exp(x[1]))
            step = setting({**parameters, "etabar": etabar, "lam": lam})
            return float(Solver(step, 12, refine, atoms).solve().risk)

        return at

    rough = risk(1.0, 8)
    axes = [np.linspace(math.log(low), math.log(high), count) for low, high, count in zip(_LOW, _HIGH, _GRID, strict=True)]
    table = np.array([[rough((x, y)) for y in axes[1]] for x in axes[0]])
    i, j = np.unravel_index(int(np.argmin(table)), table.shape)
    start = np.array([axes[0][i], axes[1][j]])
    coarse, fine = (
        _lowest(risk(refine, atoms), start, [axis[0] for axis in axes], h)
        for refine, atoms, h in ((1.0, 12, 0.05), (1.25, 16, 0.025))  # nodes, values of a Gaussian b, step of differences
    )
    words = {name: value for name, value in fine.items() if isinstance(value, str)}
    coarse, fine = ({name: value for name, value in one.items() if name not in words} for one in (coarse, fine))
    return enclosed(coarse, fine, digits, False, "the best etabar and lambda") | words


def _lowest(risk: Callable[[Point], float], start: Point, low: list[float], h: float) -> dict[str, Any]:
    """The best of the minimum inside, the one with hardly a step, and the one with a very large lambda."""
    none, vast = math.log(_NO_STEP), math.log(_VAST)
    inside = newton(risk, start, h)
    no_step = newton(lambda y: risk((none, y[0])), start[1:], h)
    no_fit = newton(lambda x: risk((x[0], vast)), start[:1], h)
    found: list[dict[str, Any]] = []
    if inside is not None and all(inside > low):
        found.append({"etabar": math.exp(inside[0]), "lam": math.exp(inside[1]), "risk": risk(inside)})
    if no_step is not None and no_step[0] > low[1]:
        found.append({"etabar": "0+", "lam": math.exp(no_step[0]), "risk": risk((none, no_step[0]))})
    if no_fit is not None and no_fit[0] > low[0]:
        found.append({"etabar": math.exp(no_fit[0]), "lam": "oo", "risk": risk((no_fit[0], vast))})
    if not found:
        raise ConvergenceError("the risk has no minimum inside 1/8 <= etabar <= 64, 1e-6 <= lam: it falls to an end")
    return min(found, key=lambda one: float(one["risk"]))


def newton(function: Callable[[Point], float], start: Point, h: float) -> Point | None:
    """The minimiser near ``start`` by Newton's method with differences of fourth order, steps of at most 1/2; None where the
    function is not convex on the way or no minimum is reached."""
    x, size = np.array(start, dtype=float), len(start)
    eye = np.eye(size) * h
    for _ in range(40):
        if np.abs(x - start).max() > 3:  # more than a cell of the grid
            return None
        here = function(x)
        gradient, hessian = np.zeros(size), np.zeros((size, size))
        for a in range(size):
            far, near, back, rear = (function(x + k * eye[a]) for k in (2, 1, -1, -2))
            gradient[a] = (-far + 8 * near - 8 * back + rear) / (12 * h)
            hessian[a, a] = (-far + 16 * near - 30 * here + 16 * back - rear) / (12 * h * h)
        if size == 2:
            mixed = sum(s * t * function(x + s * eye[0] + t * eye[1]) for s in (1, -1) for t in (1, -1))
            hessian[0, 1] = hessian[1, 0] = mixed / (4 * h * h)
        values, vectors = np.linalg.eigh(hessian)
        step = vectors @ ((vectors.T @ gradient) / np.maximum(np.abs(values), 1e-3 * np.abs(values).max()))
        x = x - step / max(1.0, 2 * float(np.abs(step).max()))
        if np.abs(step).max() < 1e-9:
            return x if values.min() > 0 else None
    return None
