"""What is observed of the spike and of the parts of the gradient, and what it decides."""

from __future__ import annotations

import math

import numpy as np
import pytest
from dense_step import FUNCTIONS, dense_step, function
from scipy import integrate

from theory.spike.trial import spike_observables, split_observables
from theory.trial import step as simulate
from theory.trial import trend
from theory.trial.sizes import Sizes, sizes_for


@pytest.mark.parametrize("name", ["tanh", "half square", "identity"])
def test_split_of_the_gradient(name):
    # ba2022 Proposition 2: A the mu1 part, B the sigma' - mu1 part, C the network's own output. Any mu1 will do.
    sizes, mu1 = Sizes(6, 11, 5), 0.7
    step = simulate.one_step(sizes, 2, 1, function(name), function("erf"), np.random.default_rng(3), 4, True, mu1)
    X, y, W0, a, _, W1 = dense_step(sizes, 2, 1.0, name, "erf", 3)
    n, N = sizes.n, sizes.N
    slope, output = FUNCTIONS[name][2](X @ W0), FUNCTIONS[name][1](X @ W0) @ a / math.sqrt(N)
    A = mu1 / (n * math.sqrt(N)) * np.outer(X.T @ y, a)
    B = X.T @ (np.outer(y, a) / math.sqrt(N) * (slope - mu1)) / n
    C = -X.T @ (np.outer(output, a) / math.sqrt(N) * slope) / n
    for ours, expected in ((step.A, A), (step.B, B), (step.C, C), (step.W1, W1)):
        np.testing.assert_allclose(ours, expected, rtol=1e-11, atol=1e-12)
    norms = {"A": np.linalg.norm(A, 2), "B": np.linalg.norm(B, 2), "C": np.linalg.norm(C, 2)}
    expected = norms | {
        "B_over_A": norms["B"] / norms["A"],
        "C_over_A": norms["C"] / norms["A"],
        "remainder_over_gradient": np.linalg.norm(B + C, 2) / np.linalg.norm(A + B + C, 2),
    }
    assert split_observables(step) == pytest.approx(expected, rel=1e-9, abs=1e-12)


def test_spike_observables_are_what_they_say():
    sizes = Sizes(30, 60, 40)
    step = simulate.one_step(sizes, 4, 1, function("erf"), function("tanh"), np.random.default_rng(5))
    X, y, _, a, beta, W1 = dense_step(sizes, 4, 1.0, "erf", "tanh", 5)
    U, s, Vt = np.linalg.svd(W1)
    direction = X.T @ y / sizes.n
    expected = {
        "singular_value": s[0],
        "second_singular_value": s[1],
        "overlap": (U[:, 0] @ beta) ** 2,
        "left_overlap": (U[:, 0] @ direction) ** 2 / (direction @ direction),
        "right_overlap": (Vt[0] @ a) ** 2 / (a @ a),
        "gradient_direction_squared": direction @ direction,
        "projection": direction @ beta,
    }
    assert spike_observables(step) == pytest.approx(expected, rel=1e-9)


def spike_limits(eta, psi1, psi2, sigma_eps):
    """(s1, overlap) of ba2022 Theorem 3 for erf/tanh, theta1 as statements.md has it, with quadrature of its own."""

    def mean(f):
        return integrate.quad(lambda t: f(t) * math.exp(-t * t / 2) / math.sqrt(2 * math.pi), -12, 12)[0]

    mu1, mu1_star = 2 / math.sqrt(3 * math.pi), mean(lambda t: t * math.tanh(t))
    y_squared = mean(lambda t: math.tanh(t) ** 2) + sigma_eps**2
    first, second = (mu1 * eta) ** 2 * (y_squared / psi1 + mu1_star**2), (mu1 * mu1_star * eta) ** 2
    assert first > math.sqrt(psi2)
    value = math.sqrt((1 + first) * (psi2 + first) / first)
    return value, second / first * (1 - (psi2 + first) / (first * (first + 1)))


def spike_judgements(d_values, draws):
    sizes = [sizes_for(d, 2, 1) for d in d_values]
    records = simulate.draws(
        spike_observables,
        sizes,
        eta=3,
        sigma_eps="3/2",
        sigma=function("erf"),
        sigma_star=function("tanh"),
        draws=draws,
        seed=1,
    )
    with_noise, without = spike_limits(3, 2, 1, 1.5), spike_limits(3, 2, 1, 0)
    for name, one, other in zip(("singular_value", "overlap"), with_noise, without, strict=True):
        fit = trend.fit_trend(d_values, [record.values[name] for record in records])
        yield trend.judge(fit, {"with the noise": one, "without": other})


def test_spike_limits_are_those_of_the_sheet():
    # statements.md section 2, Theorem 3: with the noise term and without.
    assert spike_limits(3, 2, 1, 1.5) == pytest.approx((2.934, 0.1835), abs=6e-4)
    assert spike_limits(3, 2, 1, 0) == pytest.approx((2.149, 0.349), abs=6e-4)


@pytest.mark.simulation
def test_small_simulation_already_tells_the_noise_term():
    for judgement in spike_judgements((60, 90, 140, 220), draws=40):
        assert judgement.has_power
        assert judgement.excluded == ("without",), judgement.sentence()


@pytest.mark.simulation
def test_simulation_tells_the_noise_term():
    for judgement in spike_judgements((250, 500, 1000, 2000), draws=16):
        assert judgement.has_power
        assert judgement.excluded == ("without",), judgement.sentence()


def drop_by_own_output(step):
    """sqrt(d) times what the network's own output takes off s1(W1), here at eta = 3."""
    without = step.W1 - 3 * math.sqrt(step.sizes.N) * step.C
    drop = np.linalg.norm(without, 2) - np.linalg.norm(step.W1, 2)
    return {"scaled": math.sqrt(step.sizes.d) * drop}


def test_own_output_moves_the_singular_value_by_one_over_sqrt_d():
    # C adds -(eta mu1/n) X^T f a^T, f = N^{-1/2} mu1 X W0 a + ...: a direction of norm ~ N^{-1/2} along W0 a, on which
    # u1 leans too. The drop is then c/sqrt d with c > 0, which is why fit_trend extrapolates in d^(-1/2).
    d_values = (50, 80, 130, 200)
    records = simulate.draws(
        drop_by_own_output,
        [sizes_for(d, 2, 1) for d in d_values],
        eta=3,
        sigma_eps="3/2",
        sigma=function("erf"),
        sigma_star=function("tanh"),
        draws=30,
        seed=3,
        parts=True,
        mu1=2 / math.sqrt(3 * math.pi),
    )
    fit = trend.fit_trend(d_values, [record.values["scaled"] for record in records], scatter=0)
    assert fit.limit > 5 * fit.standard_error and fit.lack_of_fit_p > trend.FIT_LEVEL, fit


@pytest.mark.simulation
def test_rest_of_the_gradient_decays():
    # ba2022 Proposition 2: |G0 - A| <= C log^2(n)/sqrt(n) |G0|. The power of the logarithm is an upper bound only, and
    # at these sizes log^2 alone would be worth a slope of +.3; without any decay the slope would be 0.
    n_values = (250, 500, 1000, 2000)
    sizes = [sizes_for(n // 2, 2, 1) for n in n_values]
    records = simulate.draws(
        split_observables,
        sizes,
        eta=3,
        sigma_eps="3/2",
        sigma=function("erf"),
        sigma_star=function("tanh"),
        draws=8,
        seed=2,
        parts=True,
        mu1=2 / math.sqrt(3 * math.pi),
    )
    for name in ("B_over_A", "C_over_A", "remainder_over_gradient"):
        fit = trend.fit_exponent(n_values, [record.values[name] for record in records])
        assert fit.exponent + 5 * fit.standard_error < -0.1, (name, fit)
