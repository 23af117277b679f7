"""Algorithm 1 of damian2022 at finite size, its population gradient, kernels and rates. Section 4 of statements.md, unless said."""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import integrate

from pencils.errors import InputError, SimulationError
from theory.hessian import algorithm, concentration, figure, rates, step_trial
from theory.hessian.algorithm import Link
from theory.plan import plan
from theory.record import Statement
from theory.register import entry, figures
from theory.sizes import Sizes

PAPER = "He2/2 + He4/sqrt(48)"
SETTING = {"teacher": PAPER, "target": "He3/sqrt(6)", "sigma_eps": Fraction(1), "eta": Fraction(1, 2)}


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
    assert Link.of(PAPER).energy(3) == pytest.approx(0.5)  # the plateau: 4!/48
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


def test_step_is_twice_eta1_a_g_and_holds_no_trace_of_the_start():
    _, _, X, y, W, a, _ = drawn()
    yhat = y - algorithm.Linear.fit(X, y)(X)
    moved = algorithm.step(W, a, X, yhat, 1.5)
    by_hand = np.array([2 * 1.5 * readout * np.mean([t * x * (w @ x > 0) for x, t in zip(X, yhat, strict=True)], axis=0)
                        for w, readout in zip(W, a, strict=True)])  # fmt: skip
    room = step_trial.allowance(W, a, X, yhat, 1.5)
    assert (np.abs(moved - by_hand) < room).all() and room.max() < 1e-12
    assert np.abs(algorithm.step(7 * W, a, X, yhat, 1.5) - moved).max() < 1e-14
    # A decay that is off by 10^-9 is seen.
    assert (np.abs(moved + 1e-9 * W - by_hand) > room).any()


def test_the_trial_measures_what_it_says():
    seen = step_trial.observe(SETTING, Sizes(6, 216, 20), np.random.default_rng(1))
    assert 0 < seen["step_error"] < 1 and 0 < seen["trace"] < 1 and 0 <= seen["output_error"] < 1


def test_the_trial_stops_without_symmetry(monkeypatch):
    monkeypatch.setattr(step_trial, "initialise", lambda m, d, rng: (rng.standard_normal((m, d)), np.ones(m)))
    with pytest.raises(SimulationError, match="mirror"):
        step_trial.observe(SETTING, Sizes(6, 216, 20), np.random.default_rng(1))


@pytest.mark.parametrize("n, m", [(30, 12), (12, 30)])
def test_ridge_path_solves_its_normal_equations(n, m):
    rng = np.random.default_rng(0)
    features, y = rng.standard_normal((n, m)), rng.standard_normal(n)
    path = algorithm.ridge_path(features, y, np.array([0.01, 1.0]))
    for column, penalty in zip(path.T, (0.01, 1.0), strict=True):
        assert np.allclose(features.T @ (features @ column - y) / n + penalty * column, 0, atol=1e-10)


@pytest.mark.parametrize("k", range(7))
def test_relu_coefficients_by_quadrature(k):
    """E He_k(z) relu(z), integrated."""
    he = np.polynomial.hermite_e.HermiteE.basis(k)
    value = integrate.quad(lambda z: z * he(z) * math.exp(-z * z / 2) / math.sqrt(2 * math.pi), 0, 40)[0]
    assert concentration.relu_coefficient(k) == pytest.approx(value, abs=1e-9)


def test_population_gradient_by_integration():
    """Lemma 13 against E[f*(x) x sigma'(w.x)] in the plane of u and w: f* of odd and even degrees, no mean and no linear part."""
    link = Link((0.0, 0.0, 0.5, 0.2, 0.1, 0.03))
    t = 0.6
    u, w = np.array([1.0, 0.0]), np.array([t, 0.8])
    nodes, weights = np.polynomial.hermite_e.hermegauss(20)
    weights = weights / math.sqrt(2 * math.pi)
    density = np.polynomial.legendre.leggauss(80)
    # x = s w + q w', s on the half-line s > 0: Legendre on [0, 14], Hermite in q
    s, ds = 7 * (density[0] + 1), 7 * density[1] * np.exp(-((7 * (density[0] + 1)) ** 2) / 2) / math.sqrt(2 * math.pi)
    orthogonal = np.array([0.8, -t])
    x = s[:, None, None] * w + nodes[None, :, None] * orthogonal
    expected = np.einsum("i,j,ij,ijc->c", ds, weights, link.along(u)(x.reshape(-1, 2)).reshape(80, 20), x)
    assert np.allclose(concentration.population_gradient(link, u, 3 * w[None])[0], expected, atol=1e-10)


def test_leading_term_is_the_hessian():
    """g(w) -> Hw/sqrt(2 pi) when w is nearly orthogonal to u, H = E grad^2 f* = 2 c2 u u^T."""
    u, w = np.eye(50)[0], np.ones((1, 50)) / math.sqrt(50)
    found = concentration.population_gradient(Link((0.0, 0.0, 0.5)), u, w)[0]
    assert found[0] == pytest.approx(2 * 0.5 * w[0, 0] / math.sqrt(2 * math.pi), rel=0.02)


def test_kappa_is_changed_and_energy_kept():
    link = concentration.with_kappa(Link.of(PAPER), 3.0)
    assert link.kappa == pytest.approx(3) and link.energy() == pytest.approx(1)


def test_kernel_is_the_covariance_of_wide_networks():
    """Monte Carlo over neurons of relu relu + relu' relu' (<x, x'>/d + 1), w ~ N(0, I/d), b ~ N(0, 1)."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((3, 5))
    before = X @ rng.standard_normal((5, 400_000)) / math.sqrt(5) + rng.standard_normal(400_000)
    both = np.maximum(before, 0) @ np.maximum(before, 0).T + (before > 0) @ (before > 0).T.astype(float) * (X @ X.T / 5 + 1)
    assert np.allclose(algorithm.neural_tangent_kernel(X, X), both / 400_000, rtol=0.02, atol=0.01)


def test_excess_of_the_absolute_loss():
    """E |f - y| - s = E max(|delta| - s, 0) with noise +-s: the mean of |delta + s| and |delta - s| is max(|delta|, s)."""
    delta, s = np.linspace(-3, 3, 61), 0.7
    assert np.allclose((np.abs(delta + s) + np.abs(delta - s)) / 2 - s, np.maximum(np.abs(delta) - s, 0))
    link, u = Link.of(PAPER), np.eye(3)[0]
    found = rates.errors(lambda X: link.along(u)(X) + 1.5, link, u, 1.0, np.random.default_rng(0))
    assert (found.absolute, found.excess) == (pytest.approx(1.5), pytest.approx(0.5))
    # nothing learnt: the energy of f*, exactly, because f*^2 is then the control itself
    assert rates.errors(lambda X: 0 * X[:, 0], link, u, 1.0, np.random.default_rng(0)).square == pytest.approx(1)


@pytest.mark.parametrize("key", ["algorithm-1", "concentration", "theorem-1", "theorem-3"])
def test_entries_have_experiments_that_can_be_planned(key):
    found = entry(f"damian2022.{key}")
    assert isinstance(found, Statement) and plan(found, {}).total >= 32


@pytest.mark.parametrize("given, words", [({"d": "2"}, "whole number from 3"), ({"draws": "1"}, "from 2"), ({"psi1": "2"}, "unk"),
                                          ({"teacher": "tanh"}, "polynomial"), ({"eta": "0"}, "eta > 0")])  # fmt: skip
def test_bad_input_to_the_figure(tmp_path, given, words):
    owner, found = figures()["damian2022.figure-1"]
    with pytest.raises(InputError, match=words) as error:
        figure.draw_figure(owner, found, given, tmp_path / "f.png")
    assert "\n" not in str(error.value)


def test_figure_is_drawn(tmp_path, monkeypatch):
    monkeypatch.setattr(figure, "WIDTHS", (10, 20))
    owner, found = figures()["damian2022.figure-1"]
    assert figure.draw_figure(owner, found, {"d": "3", "draws": "2"}, tmp_path / "f.png").stat().st_size > 10_000


@pytest.mark.simulation
def test_random_features_stop_at_the_plateau_that_algorithm_1_passes():
    """d = 10, n = 10^4, m = 1000: the energy of degree 4 is 1/2 (the published plateau)."""
    link, u, X, y, _, _, rng = drawn(n=10_000, d=10, m=2)
    plain = rates.errors(algorithm.random_features(X, y, 1000, rng), link, u, 1.0, rng).square
    learnt = rates.errors(algorithm.algorithm_1(X, y, 1000, 0.5 * math.sqrt(10), rng), link, u, 1.0, rng).square
    assert 0.45 < plain < 0.6 and learnt < 0.1
