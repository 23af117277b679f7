"""The step of Algorithm 1 at finite size, and what its trial measures (statements.md, section 4)."""

from fractions import Fraction

import numpy as np
import pytest

from pencils.errors import SimulationError
from theory.hessian import algorithm, step_trial
from theory.hessian.algorithm import Link
from theory.trial.sizes import Sizes

PAPER = "He2/2 + He4/sqrt(48)"


SETTING = {"teacher": PAPER, "target": "He3/sqrt(6)", "sigma_eps": Fraction(1), "eta": Fraction(1, 2), "width": Fraction(20)}


def drawn(n=60, d=4, m=10, noise=1.0, seed=3, teacher=PAPER):
    rng = np.random.default_rng(seed)
    link, u = Link.of(teacher), algorithm.direction(d, rng)
    X, y = algorithm.sample(link.along(u), n, d, noise, rng)
    W, a = algorithm.initialise(m, d, rng)
    return link, u, X, y, W, a, rng


def test_step_is_twice_eta1_a_g_and_holds_no_trace_of_the_start():
    _, _, X, y, W, a, _ = drawn()
    yhat = y - algorithm.Linear.fit(X, y)(X)
    moved = algorithm.step(W, a, X, yhat, 1.5)
    by_hand = np.array(
        [
            2 * 1.5 * readout * np.mean([t * x * (w @ x > 0) for x, t in zip(X, yhat, strict=True)], axis=0)
            for w, readout in zip(W, a, strict=True)
        ]
    )
    room = step_trial.allowance(W, a, X, yhat, 1.5)
    assert (np.abs(moved - by_hand) < room).all() and room.max() < 1e-12
    assert np.abs(algorithm.step(7 * W, a, X, yhat, 1.5) - moved).max() < 1e-14
    # A decay that is off by 10^-9 is seen.
    assert (np.abs(moved + 1e-9 * W - by_hand) > room).any()


def test_the_trial_measures_what_it_says():
    seen = step_trial.observe(SETTING, Sizes(6, 216, 20), np.random.default_rng(1))
    # not so generous either that a hundred times the rounding that happens would pass
    assert all(0.01 < seen[name] < 1 for name in ("step_error", "trace", "output_error"))


def test_a_decay_that_is_off_by_1e_12_exceeds_the_bounds(monkeypatch):
    right = algorithm.step
    monkeypatch.setattr(step_trial, "step", lambda W, *rest: right(W, *rest) + 1e-12 * W)
    seen = step_trial.observe(SETTING, Sizes(6, 216, 20), np.random.default_rng(1))
    assert seen["step_error"] > 1 and seen["trace"] > 1


@pytest.mark.parametrize("n", [200, 3200])
def test_rounding_is_allowed_its_own_size(n):
    """The step against the same sum in extended precision, and the allowance neither below the error nor far above it, at any n:
    errors of independent signs add up like a square root, where the worst case grows as n."""
    _, _, X, y, W, a, _ = drawn(n=n, d=6, m=20)
    yhat = y - algorithm.Linear.fit(X, y)(X)
    terms = (X @ W.T > 0).T.astype(np.longdouble) @ (X.astype(np.longdouble) * yhat[:, None]) / np.longdouble(n)
    error = np.abs(algorithm.step(W, a, X, yhat, 1.5) - 3 * a[:, None] * terms)
    worst = float(np.max(error / step_trial.allowance(W, a, X, yhat, 1.5)))
    assert 0.005 < worst < 1


def test_the_trial_stops_without_symmetry(monkeypatch):
    monkeypatch.setattr(step_trial, "initialise", lambda m, d, rng: (rng.standard_normal((m, d)), np.ones(m)))
    with pytest.raises(SimulationError, match="mirror"):
        step_trial.observe(SETTING, Sizes(6, 216, 20), np.random.default_rng(1))
