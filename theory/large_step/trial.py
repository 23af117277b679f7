"""Theorem 11 of ``ba2022`` at finite size: what a large step does to the neurons, and what ridge regression then attains.

Definitions of section 1 and nothing of the theory: the step is the exact gradient, the data of the head are fresh, the risk is
measured on fresh points against the noiseless teacher.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import lru_cache

import numpy as np
from scipy import optimize

from pencils.errors import InputError, SimulationError
from theory.activations.floats import Array, Nonlinearity
from theory.trial.ridge import feature_risk, fresh, network_features
from theory.trial.sizes import Sizes
from theory.trial.step import Step, one_step

RATIOS = (4, 8, 16, 32)  # n/d of the risks
PENALTY = 0.75  # lambda/N = n^-PENALTY, inside the theorem's window
MAX_ENTRIES = 200_000_000
POINTS = 2000  # fresh ones, on which a mean over x is taken
NODES = np.linspace(-9, 9, 361)  # of sums for a Gaussian mean: exponentially good for analytic functions, 10^-4 at kinks
WEIGHTS = np.exp(-(NODES**2) / 2) / np.exp(-(NODES**2) / 2).sum()


def large_step(step: Step, ratio: int, etabar: float) -> Step:
    """A step with eta = etabar sqrt(N) on ratio d samples, for the task of ``step`` and from its random stream."""
    task, d, N = step.task, step.sizes.d, step.sizes.N
    return one_step(Sizes(d, ratio * d, N), etabar * math.sqrt(N), task.sigma_eps, task.sigma, task.sigma_star, task.rng)


def risk_after(step: Step) -> float:
    """R1 of a head fitted on n fresh samples with the penalty (lambda/N)|a|^2, lambda/N = n^-PENALTY."""
    return feature_risk(network_features(step, step.W1), fresh(step, POINTS), step.sizes.n**-PENALTY * step.sizes.N)


def average_error(step: Step, etabar: float) -> float:
    """Mean square over fresh x of the average of sigma(<w_j, x>) over the neurons with |sqrt(N) a_j - 1| <= N^(-1/3), less
    S(etabar mu1 <u, x>), u = X^T y/n: what those neurons share, when the step's own direction is used for beta."""
    sigma, N = step.task.sigma, step.sizes.N
    near = np.abs(math.sqrt(N) * step.a - 1) <= N ** (-1 / 3)
    if not near.any():
        raise SimulationError(f"N = {N}: no neuron has sqrt(N) a_j within N^(-1/3) of 1; take a larger N")
    X = step.task.rng.standard_normal((POINTS, step.sizes.d))
    mean = sigma.value(X @ step.W1[:, near]).mean(axis=1)
    moved = etabar * _mu1(sigma) * (X @ step.xty) / step.sizes.n
    return float(np.mean((mean - smoothed(sigma, moved)) ** 2))


def smoothed(sigma: Nonlinearity, m: Array) -> Array:
    """S(m) = E sigma(m + xi) by a sum over NODES."""
    return np.asarray(sigma.value(m[..., None] + NODES) @ WEIGHTS)


def _mu1(sigma: Nonlinearity) -> float:
    return float(WEIGHTS @ (NODES * sigma.value(NODES)))


@lru_cache(maxsize=16)
def least_distance(sigma: Nonlinearity, sigma_star: Nonlinearity) -> float:
    """tau* in floating point: the scale against which a simulated risk is read."""
    target = sigma_star.value(NODES)

    def distance(kappa: float) -> float:
        return float(WEIGHTS @ (target - smoothed(sigma, kappa * NODES)) ** 2)

    start = min(np.linspace(-8, 8, 65), key=distance)
    return float(optimize.minimize_scalar(distance, bounds=(start - 0.25, start + 0.25), method="bounded").fun)


def observe(step: Step, etabar: float) -> dict[str, float]:
    """What Theorem 11 speaks of, measured at d and N of a step.

    ``gradient_direction_squared`` |X^T y/n|^2 and ``projection`` <X^T y/n, beta>; ``width``, the slope of <w_j - w_j^0, beta>
    against sqrt(N) a_j after a large step (for mu1 >= 0, as the register has it); ``average_error`` as in the function of that
    name; ``risk_exponent``, the slope of log R1 against log(n/d) over RATIOS, and ``attained``, R1/(tau* + d/n) at the last.
    """
    n, task = step.sizes.n, step.task
    largest = RATIOS[-1] * step.sizes.d * step.sizes.N
    if largest > MAX_ENTRIES:
        raise InputError(
            f"d = {step.sizes.d}, N = {step.sizes.N}: the features of {RATIOS[-1]} d samples are {largest:.1e} numbers; "
            f"at most {MAX_ENTRIES:.0e} are simulated"
        )
    # The large step from the small one: both are the same multiple of one gradient.
    move = etabar * math.sqrt(step.sizes.N) / task.eta * (step.W1 - step.W0)
    large, readout = replace(step, W1=step.W0 + move), math.sqrt(step.sizes.N) * step.a
    risks = [risk_after(large_step(step, ratio, etabar)) for ratio in RATIOS]
    return {
        "gradient_direction_squared": float(step.xty @ step.xty) / n**2,
        "projection": float(step.xty @ step.beta) / n,
        "width": float(np.sign(_mu1(task.sigma)) * (move.T @ step.beta) @ readout / (readout @ readout)),
        "average_error": average_error(large, etabar),
        "risk_exponent": float(np.polyfit(np.log(RATIOS), np.log(risks), 1)[0]),
        "attained": risks[-1] / (least_distance(task.sigma, task.sigma_star) + 1 / RATIOS[-1]),
    }
