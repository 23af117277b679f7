"""Errors of Algorithm 1 and of random features (statements.md, section 4)."""

import math

import numpy as np
import pytest

from theory.hessian import algorithm, rates
from theory.hessian.algorithm import Link

PAPER = "He2/2 + He4/sqrt(48)"


def drawn(n=60, d=4, m=10, noise=1.0, seed=3, teacher=PAPER):
    rng = np.random.default_rng(seed)
    link, u = Link.of(teacher), algorithm.direction(d, rng)
    X, y = algorithm.sample(link.along(u), n, d, noise, rng)
    W, a = algorithm.initialise(m, d, rng)
    return link, u, X, y, W, a, rng


def test_excess_of_the_absolute_loss():
    """E |f - y| - s = E max(|delta| - s, 0) with noise +-s: the mean of |delta + s| and |delta - s| is max(|delta|, s)."""
    delta, s = np.linspace(-3, 3, 61), 0.7
    assert np.allclose((np.abs(delta + s) + np.abs(delta - s)) / 2 - s, np.maximum(np.abs(delta) - s, 0))
    link, u = Link.of(PAPER), np.eye(3)[0]
    found = rates.errors(lambda X: link.along(u)(X) + 1.5, link, u, 1.0, np.random.default_rng(0))
    assert (found.absolute, found.excess) == (pytest.approx(1.5), pytest.approx(0.5))
    # nothing learnt: the energy of f*, exactly, because f*^2 is then the control itself
    assert rates.errors(lambda X: 0 * X[:, 0], link, u, 1.0, np.random.default_rng(0)).square == pytest.approx(1)


@pytest.mark.simulation
def test_random_features_stop_at_the_plateau_that_algorithm_1_passes():
    """d = 10, n = 10^4, m = 1000: the energy of degree 4 is 1/2."""
    link, u, X, y, _, _, rng = drawn(n=10_000, d=10, m=2)
    plain = rates.errors(algorithm.random_features(X, y, 1000, rng), link, u, 1.0, rng).square
    learnt = rates.errors(algorithm.algorithm_1(X, y, 1000, 0.5 * math.sqrt(10), rng), link, u, 1.0, rng).square
    assert 0.45 < plain < 0.6 and learnt < 0.1
