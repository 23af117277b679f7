"""Spikes of the features after a step with eta = n^alpha: the draw, the strengths, the outliers, and what a step does not do."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
import sympy as sp
from flint import arb
from scipy.stats import norm

from pencils.errors import InputError
from theory.activations.activation import activation
from theory.entries import entry
from theory.register.evaluate import evaluate
from theory.staircase.bulk import bulk
from theory.staircase.draw import draw, step_size
from theory.staircase.no_gain_trial import second_degree
from theory.staircase.outliers import predicted
from theory.staircase.spikes_trial import observe, observe_outliers, spike_sum
from theory.staircase.strengths import Spikes, growth, level, shifted_power
from theory.trial.sizes import Sizes

TWO = "He1 + He2/sqrt(2)"


def parameters(activation_="relu", teacher=TWO, **more):
    return {
        "activation": activation(activation_),
        "teacher": activation(teacher, "teacher"),
        "sigma_eps": Fraction(1, 2),
        "phi": Fraction(3, 10),
        "psi": Fraction(3, 5),
        **more,
    }


def test_the_draw_is_the_definition():
    """The gradient written out once more, on the same stream (statements.md, section 3)."""
    d, n, N = 30, 80, 50
    step = draw(parameters(eta=Fraction(17, 10)), Sizes(d, n, N), np.random.default_rng(3))
    rng = np.random.default_rng(3)
    beta = rng.standard_normal(d)
    beta /= np.linalg.norm(beta)
    W0 = rng.standard_normal((N, d))
    W0 /= np.linalg.norm(W0, axis=1, keepdims=True)
    a = rng.standard_normal(N) / math.sqrt(N)
    X = rng.standard_normal((n, d))
    y = X @ beta + ((X @ beta) ** 2 - 1) / math.sqrt(2) + rng.standard_normal(n) / 2
    inner = W0 @ X.T
    values = np.maximum(inner, 0) - 1 / math.sqrt(2 * math.pi)
    G = ((np.outer(a, y) - np.outer(a, a @ values)) * (inner > 0)) @ X / n
    assert np.abs(step.W1 - W0 - 1.7 * G).max() < 1e-13
    assert step.beta_hat == pytest.approx(X.T @ y / n)
    assert step.direction == pytest.approx(X.T @ (y - a @ values) / n)
    assert step.features(X, W0) == pytest.approx(values.T)
    assert not np.allclose(step.X, X)


def test_one_learning_rate_is_wanted():
    assert step_size({"alpha": Fraction(1, 2)}, 100) == pytest.approx(10)
    for wrong in ({}, {"alpha": 1, "eta": 1}):
        with pytest.raises(InputError, match="alpha and eta"):
            step_size(wrong, 100)


@pytest.mark.parametrize(
    ("alpha", "ell"), [("0", None), ("1/10", 1), ("29/100", 2), ("9/25", 3), ("39/100", 4), ("1/4", None), ("1/3", None)]
)
def test_the_ladder(alpha, ell):
    """(l-1)/(2l) < alpha < l/(2l+2) (statements.md, section 3)."""
    assert level(Fraction(alpha)) == ell
    if ell:
        assert (ell - 1) / (2 * ell) < float(Fraction(alpha)) < ell / (2 * ell + 2)
        assert growth(ell, Fraction(alpha)) > 0
        assert growth(ell + 1, Fraction(alpha)) < 0


def test_shifted_powers_are_gaussian_averages():
    """h_k(p) = E_g (c p + sqrt(v) g)^k, with SymPy's own moments."""
    p, g = sp.symbols("p g")
    for k in range(7):
        power = sp.Poly(sp.expand((sp.Rational(3, 7) * p + sp.sqrt(5) * g) ** k), g)
        mean = sum(c * (0 if i % 2 else sp.factorial2(i - 1)) for (i,), c in power.terms())
        mine = sum(c * p**i for i, c in shifted_power(k, sp.Rational(3, 7), sp.Integer(5)).items())
        assert sp.expand(mean - mine) == 0


def test_constants_of_relu():
    """relu: c_1 = 1/2, E sigma^2 = 1/2 - 1/(2 pi), E sigma'^2 = 1/2; |b|^2 = 1 + 1/4 + phi (2 + 1/4 + E sigma^2)."""
    spikes = Spikes(parameters())
    residual = 2 + 0.25 + 0.5 - 1 / (2 * math.pi)
    assert float(spikes.length_squared(60).mid()) == pytest.approx(1.25 + 0.3 * residual)
    assert float(spikes.own_squared(60).mid()) == pytest.approx(0.3 * residual / 4)
    # the first spike: c_1^2 eta |b|
    eta = 1000.0**0.29
    assert float(spikes.strength(1, arb(1000), arb(eta), 60).mid()) == pytest.approx(eta / 4 * math.sqrt(1.25 + 0.3 * residual))


def test_no_linear_part_of_the_activation_is_refused():
    with pytest.raises(InputError, match="c_1"):
        Spikes(parameters("He2"))
    with pytest.raises(InputError, match="less than 1/2"):
        evaluate(entry("moniri2024.outliers"), {**SETTING, "alpha": "1/2"}, 6)


SETTING = {"phi": "3/10", "psi": "3/5", "alpha": "29/100", "n": "1000", "sigma_eps": "1/2", "activation": "relu", "teacher": TWO}


def test_forms_of_the_bulk_by_steins_lemma():
    """(1/N) tr W X^T Q Phi = c_1 i s^2 g and (1/N) tr W X^T Q X W^T = i (1 + c_1 (the first)), i = ``inputs``, g = ``neurons``."""
    law = bulk(parameters(), 20)
    s = sp.Rational(7, 4)
    forms = law.forms(sp.Float(s, 20), 15)
    cross = law.c1 * forms["inputs"] * s**2 * forms["neurons"]
    assert abs(cross - forms["cross"]) < 1e-12
    assert abs(forms["inputs"] * (1 + law.c1 * cross) - forms["readout"]) < 1e-12


@pytest.mark.slow
def test_the_pencil_s_eigenvalues_count_outliers():
    """A small matrix by hand: the singular values of a drawn bulk with the spikes of the model are where the model puts them."""
    model = predicted(parameters(), 1000, 1000**0.36, 2)
    rng = np.random.default_rng(0)
    n, d, N = 1000, 300, 500
    X, W, Z = rng.standard_normal((n, d)), rng.standard_normal((N, d)) / math.sqrt(d), rng.standard_normal((n, N))
    F = (float(model.law.c1) * X @ W.T + float(model.law.rest) * Z) / math.sqrt(n)
    own = rng.standard_normal(d)
    readout = rng.permutation(norm.ppf((np.arange(N) + 0.5) / N)) / math.sqrt(N)  # quantiles: |a^{ok}| does not fluctuate
    b = math.sqrt(1 - model.kappa**2) * own / np.linalg.norm(own) + model.kappa * W.T @ readout / np.linalg.norm(W.T @ readout)
    kinds = range(model.after.shape[1])
    factors = np.sqrt([math.factorial(k) for k in kinds])
    U = np.polynomial.hermite_e.hermevander(X @ b, len(kinds) - 1) / factors / math.sqrt(n)
    U = np.column_stack([U, rng.standard_normal(n) / math.sqrt(n)])
    V = np.polynomial.hermite_e.hermevander(math.sqrt(N) * readout, len(kinds) - 1) / factors / math.sqrt(N)
    s = np.linalg.svd(F + U @ model.after @ V.T, compute_uv=False)
    assert s[0] == pytest.approx(model.position(0, model.after), rel=0.06)  # fluctuations of |a|^2 and |p|^2: sqrt(2/N) = .06
    assert s[1] == pytest.approx(model.position(1, model.after), rel=0.12)
    assert s[2] == pytest.approx(model.edge, rel=0.03)


def test_the_reported_setting():
    """relu, n 1000, N 500, d 300, eta = n^0.29: one outlier at this n, two in the limit; the second comes in at larger n."""
    values = evaluate(entry("moniri2024.outliers"), SETTING, 8).values()
    assert (values["count"], values["count_in_the_limit"]) == ("1", "2")
    assert values["strengths"][0] > values["threshold_first"] and values["strengths"][1] < values["threshold"]
    # strengths grow by n^(k alpha - (k-1)/2): n^0.08 for the second
    expected = 1000 * (values["threshold"] / values["strengths"][1]) ** (1 / 0.08)
    assert float(values["crossings"][1]) == pytest.approx(float(expected), rel=1e-5)
    assert predicted(parameters(), 10**6, (10**6) ** 0.29).count() == 2
    assert predicted(parameters(), 1000, 2 * 1000**0.29).count() == 2  # twice the learning rate


def test_second_degree_of_a_neuron():
    """E relu(<w, x>) He_2(<x, beta>)/sqrt 2 = <w, beta>^2/|w| E relu(z) He_2(z)/sqrt 2, E relu He_2 = 1/sqrt(2 pi)."""
    step = draw(parameters(eta=1), Sizes(20, 30, 10), np.random.default_rng(0))
    expected = (step.W1 @ step.beta) ** 2 / np.linalg.norm(step.W1, axis=1) / math.sqrt(4 * math.pi)
    assert second_degree(step.sigma, step.W1, step.beta) == pytest.approx(expected, rel=1e-3)


def test_spike_sum_without_own_vectors_is_the_printed_one():
    """sum_k c_1^k c_k eta^k p^k (a^k)^T at v = 0 (statements.md, section 3)."""
    rng = np.random.default_rng(1)
    p, a, c, eta = rng.standard_normal(6), rng.standard_normal(4), [0.0, 0.5, 0.2, -0.1], 3.0
    expected = sum(c[1] ** k * c[k] * eta**k * np.outer(p**k, a**k) for k in (1, 2, 3))
    assert spike_sum(c, 3, eta, p, a, 0.0) == pytest.approx(expected)


def test_the_gradient_points_along_the_residuals():
    """One draw at d = 200: c_1 a b^T with b = X^T (y - f0)/n is near G, with X^T y/n it is not."""
    found = observe(parameters("softplus", phi=Fraction(2, 5), psi=Fraction(7, 10)), Sizes(200, 500, 286), np.random.default_rng(0))
    assert found["error"] < 0.1 < 0.2 < found["error_reported"]
    assert found["remainder_29"] < 0.5 * found["reported_29"]


@pytest.mark.simulation
@pytest.mark.parametrize(("alpha", "count"), [("1/10", 0), ("29/100", 1), ("9/25", 2), ("39/100", 2)])
def test_outliers_are_as_many_as_predicted(alpha, count):
    runs = [
        observe_outliers(parameters(alpha=Fraction(alpha)), Sizes(300, 1000, 500), np.random.default_rng(seed)) for seed in range(8)
    ]
    assert {run["predicted"] for run in runs} == {count}
    assert [run["outliers"] for run in runs].count(count) >= 7


def test_the_finite_rank_model_has_the_strengths_of_the_spikes():
    """At a small eta the blocks of B are the first two spikes, and b has the part -c_1/|b| along W0^T a (Spikes, by series)."""
    given = parameters("softplus")  # smooth: the model's Gaussian means are sums over a grid
    spikes, eta, n = Spikes(given), 0.02, 1000
    model = predicted(given, n, eta)
    first, second = (float(spikes.strength(k, n, eta, 80).mid()) for k in (1, 2))
    assert model.after[1, 1] == pytest.approx(first, rel=1e-3)
    even = model.after[:-1][np.ix_([0, 2], [0, 2])]
    assert np.linalg.norm(even) == pytest.approx(second, rel=1e-3)
    assert model.kappa == pytest.approx(-float((spikes.c(1, 80) / spikes.length_squared(80).sqrt()).mid()), rel=1e-12)
    # |x|^2/d - 1, of variance 2/d, times sum_j c_2 over sqrt n: N/n = phi/psi
    c2 = float(spikes.c(2, 80).mid())
    assert model.after[-1, 0] == pytest.approx(c2 * (2 / 300) ** 0.5 * 500 / 500**0.5, rel=1e-9)
