"""Rates of Theorems 1 and 3 of ``damian2022``, each term seen where it is the largest of the bound.

With noise +-s and delta = f - f*, E |f - y| - s = E max(|delta| - s, 0), because the mean of |delta + s| and |delta - s| is
max(|delta|, s). It is at most E |delta|, which is what is fitted: a harder test of the same bound.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from pencils.errors import InputError
from theory.hessian.algorithm import (
    Array,
    Linear,
    Link,
    Target,
    algorithm_1,
    direction,
    initialise,
    random_features,
    sample,
    step,
    transfer,
)
from theory.hessian.concentration import with_kappa
from theory.trial.sizes import Sizes

POINTS = 10_000  # fresh ones, for the means over x
# n = MORE d^3: far beyond d^2 kappa^2, and in n < d^2 kappa^16, where the first term of Theorem 1 is the largest (p = 4).
KAPPA, MORE = 1.5, 8
RUNS = 4  # of that path a draw, averaged: one alone scatters by a sixth, and the exponent is at its bound
MAX_ENTRIES = 300_000_000  # of the features of one fit


@dataclass(frozen=True)
class Errors:
    """E |delta|, E max(|delta| - s, 0) and E delta^2 of a learner against the noiseless target."""

    absolute: float
    excess: float
    square: float


def errors(learner: Target, link: Link, u: Array, noise: float, rng: np.random.Generator) -> Errors:
    """Means over POINTS fresh x. That of delta^2 is corrected by f*^2, whose mean is known: the tails of He_4^2 weigh in both."""
    X = rng.standard_normal((POINTS, len(u)))
    target = link.along(u)(X)
    delta = np.asarray(learner(X)) - target
    covariance = np.cov(delta**2, target**2)
    square = np.mean(delta**2) - covariance[0, 1] / covariance[1, 1] * (np.mean(target**2) - link.energy())
    return Errors(float(np.mean(np.abs(delta))), float(np.mean(np.maximum(np.abs(delta) - noise, 0))), float(square))


def affordable(n: int, m: int) -> None:
    if n * m > MAX_ENTRIES:
        raise InputError(f"n = {n}, m = {m}: features of {n * m:.1e} entries; at most {MAX_ENTRIES:.0e} are fitted")


def settings(parameters: Mapping[str, Any]) -> tuple[Link, float, float]:
    """(the teacher's link, the noise s, eta1/sqrt d)."""
    eta = float(parameters["eta"])
    if eta == 0:
        raise InputError("eta = 0: lambda1 = 1/eta1 needs a step; give eta > 0")
    return Link.of(parameters["teacher"]), float(parameters["sigma_eps"]), eta


def learnt(link: Link, d: int, n: int, m: int, noise: float, eta: float, rng: np.random.Generator) -> Errors:
    """Algorithm 1 on n samples of a fresh task, eta1 = eta sqrt d."""
    affordable(n, m)
    u = direction(d, rng)
    X, y = sample(link.along(u), n, d, noise, rng)
    return errors(algorithm_1(X, y, m, eta * math.sqrt(d), rng), link, u, noise, rng)


def observe_theorem_1(parameters: Mapping[str, Any], sizes: Sizes, rng: np.random.Generator) -> dict[str, float]:
    """E |delta| of Algorithm 1 at n and width N of ``sizes`` (``statistics``), its excess E |f - y| - s (``excess``);
    at n = d^4 and width 4 d (``width_error``); at n = MORE d^3, width MORE d^2, kappa = KAPPA, the mean of RUNS (``direction``).
    And E delta^2 at the n and N of ``sizes``, of the algorithm (``risk``) and of random features (``random_features``).
    InputError where H = 0, and as ``with_kappa`` has it."""
    link, noise, eta = settings(parameters)
    weak = with_kappa(link.curved(), KAPPA)
    d, n, N = sizes.d, sizes.n, sizes.N
    main = learnt(link, d, n, N, noise, eta, rng)
    weaker = [learnt(weak, d, MORE * d**3, MORE * d**2, noise, eta, rng) for _ in range(RUNS)]
    u = direction(d, rng)
    plain = random_features(*sample(link.along(u), n, d, noise, rng), N, rng)
    return {
        "statistics": main.absolute,
        "excess": main.excess,
        "risk": main.square,
        "random_features": errors(plain, link, u, noise, rng).square,
        "width_error": learnt(link, d, d**4, 4 * d, noise, eta, rng).absolute,
        "direction": float(np.mean([run.absolute for run in weaker])),
    }


def pretrained(link: Link, u: Array, n: int, m: int, noise: float, eta: float, rng: np.random.Generator) -> Array:
    """First-layer weights after Algorithm 1's step on n samples, m x d."""
    X, y = sample(link.along(u), n, len(u), noise, rng)
    W, a = initialise(m, len(u), rng)
    return step(W, a, X, y - Linear.fit(X, y)(X), eta * math.sqrt(len(u)))


def transferred(
    first: Link, second: Link, d: int, n: int, m: int, fresh: int, noise: float, eta: float, rng: np.random.Generator
) -> Errors:
    """A head for the second link on ``fresh`` samples, over the step of the first on n: one direction u for both."""
    affordable(fresh, m)
    u = direction(d, rng)
    W = pretrained(first, u, n, m, noise, eta, rng)
    return errors(transfer(W, *sample(second.along(u), fresh, d, noise, rng), rng), second, u, noise, rng)


def observe_theorem_3(parameters: Mapping[str, Any], sizes: Sizes, rng: np.random.Generator) -> dict[str, float]:
    """E |delta| of a transferred head, pretrained on the n of ``sizes``: with width 2 d^2 and N fresh samples (``samples``), and
    with width 4 d and d^4 fresh ones (``width_error``); E delta^2 at the first of these, transferred (``risk``) and, without
    pretraining, of random features (``random_features``) and of Algorithm 1 on the second task (``alone``). InputError where H = 0
    for the first."""
    first, noise, eta = settings(parameters)
    first.curved()
    second = Link.of(parameters["target"], "target")
    d, n, N = sizes.d, sizes.n, sizes.N
    wide = transferred(first, second, d, n, 2 * d**2, N, noise, eta, rng)
    u = direction(d, rng)
    X, y = sample(second.along(u), N, d, noise, rng)
    return {
        "samples": wide.absolute,
        "risk": wide.square,
        "width_error": transferred(first, second, d, n, 4 * d, d**4, noise, eta, rng).absolute,
        "random_features": errors(random_features(X, y, 2 * d**2, rng), second, u, noise, rng).square,
        "alone": errors(algorithm_1(X, y, 2 * d**2, eta * math.sqrt(d), rng), second, u, noise, rng).square,
    }
