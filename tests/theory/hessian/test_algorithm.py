"""Algorithm 1 of damian2022 at finite size (statements.md, section 4)."""

import math
from fractions import Fraction

import numpy as np
import pytest

from pencils.errors import InputError
from theory.hessian import algorithm, step_trial
from theory.hessian.algorithm import Link

PAPER = "He2/2 + He4/sqrt(48)"


def drawn(n=60, d=4, m=10, noise=1.0, seed=3, teacher=PAPER):
    rng = np.random.default_rng(seed)
    link, u = Link.of(teacher), algorithm.direction(d, rng)
    X, y = algorithm.sample(link.along(u), n, d, noise, rng)
    W, a = algorithm.initialise(m, d, rng)
    return link, u, X, y, W, a, rng


def test_link_in_hermite_coefficients():
    """x^4 = He4 + 6 He2 + 3 (standard); kappa = 1/|E f''| = 1/12."""
    link = Link.of("x**4")
    assert link.coefficients == (3.0, 0.0, 6.0, 0.0, 1.0)
    assert link.kappa == pytest.approx(1 / 12) and link.energy() == pytest.approx(9 + 36 * 2 + 24)
    assert Link.of(PAPER).energy(3) == pytest.approx(0.5)  # 4!/48
    assert Link.of(PAPER).coefficients[0] == 0 and Link.of("He3").kappa == math.inf


@pytest.mark.parametrize("teacher", ["tanh", "He1", "3", "1/x"])
def test_a_teacher_that_is_no_polynomial_of_degree_two_is_refused(teacher):
    with pytest.raises(InputError) as error:
        Link.of(teacher)
    assert "\n" not in str(error.value)


def test_initialisation_is_mirrored_and_gives_zero_exactly():
    """a_j = -a_{m+1-j}, w_j = w_{m+1-j}; f = 0 in exact rational arithmetic on the floats themselves."""
    _, _, X, _, W, a, _ = drawn()
    assert (a == -a[::-1]).all() and np.array_equal(W, W[::-1]) and (np.abs(a) == 1).all()
    for x in X[:5]:
        total = Fraction(0)
        for weights, readout in zip(W, a, strict=True):
            before = sum(Fraction(float(p)) * Fraction(float(q)) for p, q in zip(weights, x, strict=True))
            total += Fraction(float(readout)) * max(before, Fraction(0))
        assert total == 0
    assert step_trial.output_at_start(W, a, X) == 0
    broken = a.copy()
    broken[0] *= -1
    assert step_trial.output_at_start(W, broken, X) > 0
    with pytest.raises(InputError, match="even width"):
        algorithm.initialise(5, 3, np.random.default_rng(0))


def test_gradient_is_that_of_the_loss():
    """Central differences of (1/n) sum (f - y)^2, written out here, at weights where f is not 0; a third of its value with 1/2."""
    _, _, X, y, W, a, rng = drawn()
    W = W + 0.3 * rng.standard_normal(W.shape)

    def loss(weights):
        return np.mean((np.maximum(X @ weights.T, 0) @ a - y) ** 2)

    found, h = algorithm.loss_gradient(W, a, X, y), 1e-7
    for j, c in ((0, 0), (3, 2), (9, 3)):
        moved = np.zeros_like(W)
        moved[j, c] = h
        assert (loss(W + moved) - loss(W - moved)) / (2 * h) == pytest.approx(found[j, c], rel=1e-5)


@pytest.mark.parametrize("n, m", [(30, 12), (12, 30)])
def test_ridge_path_solves_its_normal_equations(n, m):
    rng = np.random.default_rng(0)
    features, y = rng.standard_normal((n, m)), rng.standard_normal(n)
    path = algorithm.ridge_path(features, y, np.array([0.01, 1.0]))
    for column, penalty in zip(path.T, (0.01, 1.0), strict=True):
        assert np.allclose(features.T @ (features @ column - y) / n + penalty * column, 0, atol=1e-10)


def test_kernel_is_the_covariance_of_wide_networks():
    """Monte Carlo over neurons of relu relu + relu' relu' (<x, x'>/d + 1), w ~ N(0, I/d), b ~ N(0, 1)."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((3, 5))
    before = X @ rng.standard_normal((5, 400_000)) / math.sqrt(5) + rng.standard_normal(400_000)
    both = np.maximum(before, 0) @ np.maximum(before, 0).T + (before > 0) @ (before > 0).T.astype(float) * (X @ X.T / 5 + 1)
    assert np.allclose(algorithm.neural_tangent_kernel(X, X), both / 400_000, rtol=0.02, atol=0.01)
