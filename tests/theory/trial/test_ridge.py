"""Ridge regression at finite size against its definition, and the correction that the network's own output makes."""

from __future__ import annotations

import math
from functools import partial

import numpy as np
import pytest
import sympy as sp

from theory.activations.floats import nonlinearity
from theory.entries import statement
from theory.handles import handle
from theory.trial.experiment import run
from theory.trial.plan import plans
from theory.trial.ridge import Fresh, feature_risk, fresh, network_features, ridge, risk_observables
from theory.trial.sizes import Sizes
from theory.trial.step import one_step

x = sp.Symbol("x")
TANH = nonlinearity(sp.tanh(x), x)
IDENTITY = nonlinearity(x, x)
SIZES = Sizes(12, 30, 9)


def step(sizes=SIZES, eta="2", sigma_eps="1/2", sigma=TANH, teacher=TANH, seed=0, **changes):
    return one_step(sizes, eta, sigma_eps, sigma, teacher, np.random.default_rng(seed), **changes)


@pytest.mark.parametrize("shape", [(30, 9), (9, 30)])
def test_ridge_is_the_minimum(shape):
    """argmin (1/n)|y - Phi a|^2 + (lambda/N)|a|^2 (ba2022 section 1): its gradient vanishes."""
    rng = np.random.default_rng(0)
    n, N = shape
    Phi, y, lam = rng.standard_normal(shape), rng.standard_normal(n), 0.3
    a = ridge(Phi, y, n * lam / N)
    np.testing.assert_allclose(-(2 / n) * Phi.T @ (y - Phi @ a) + 2 * lam / N * a, 0, atol=1e-12)


def test_risks_are_their_definition():
    one, again = step(), step()
    data = fresh(one)
    found = risk_observables(again, 0.2)
    for name, W in (("R0", one.W0), ("R1", one.W1)):
        Phi, test = (np.tanh(X @ W) / 3 for X in (data.X, data.T))  # N = 9
        a = np.linalg.inv(Phi.T @ Phi + 30 * 0.2 / 9 * np.eye(9)) @ Phi.T @ data.y
        assert found[name] == pytest.approx(np.mean((test @ a - np.tanh(data.T @ one.beta)) ** 2), rel=1e-10)
    noise = data.y - np.tanh(data.X @ one.beta)
    assert 0.3 < noise.std() < 0.7 and not np.allclose(data.X[:12], data.T[:12])


def test_a_useless_head_has_the_teachers_energy():
    one = step(Sizes(40, 50, 20), teacher=IDENTITY)
    assert feature_risk(network_features(one, one.W1), fresh(one, 20_000), 1e12) == pytest.approx(1, abs=0.05)


def test_linear_network_without_noise_learns_a_linear_teacher():
    # N > d and a vanishing penalty: <x, beta> is in the span of the features and n > d samples find it
    one = step(Sizes(10, 60, 20), sigma=IDENTITY, teacher=IDENTITY, sigma_eps="0")
    assert risk_observables(one, 1e-9)["R0"] < 1e-12


def gain(model, bend):
    """delta of the sheet (Theorem 7) with W1 = W0 (I + bend a a^T) + u a^T, from the 2 x 2 outlier formula of Theorem 3.

    bend = -eta mu1^2/sqrt N is what the network's own output adds; bend = 0 is the limit.
    """
    psi1, psi2, lam, eta, noise, mu1, mu2, first, rest = model
    theta1, theta2 = eta * mu1 * math.sqrt(first**2 + (first**2 + rest**2 + noise**2) / psi1), eta * mu1 * first

    def m(z):
        return (z - psi2 + 1 + math.sqrt((z - psi2 + 1) ** 2 - 4 * z)) / (-2 * z)

    def slope(f, z, h=1e-6):
        return (f(z + h) - f(z - h)) / (2 * h)

    def companion(z):
        return m(z) / psi2 - (1 - 1 / psi2) / z

    def gap(s):
        z = -(mu2**2 + s) / mu1**2
        return s * (1 - psi2 / psi1 * (1 - s / mu1**2 * companion(z))) - lam

    low, high = 1e-9, 100.0
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if gap(middle) < 0 else (low, middle)
    z, weight = -(mu2**2 + low) / mu1**2, low / mu1**2
    df2 = psi2 / psi1 * (1 - 2 * weight * companion(z) + weight**2 * slope(companion, z))

    def D(z):
        corner = z * companion(z)  # <W0 a, Q W0 a> - 1
        return -z * theta2**2 * m(z) ** 2 * corner / ((theta1**2 * m(z) - 2 * bend) * corner - (1 + bend) ** 2)

    return first**2 * (D(z) + weight * slope(D, z)) / (1 - df2)


def values_at_the_experiment(teacher):
    found = statement("ba2022.theorem-7")
    setting = {**found.experiment.setting, "teacher": teacher}
    from theory.register.model import Model

    names = ("psi1", "psi2", "lam", "eta", "sigma_eps", "mu1", "mu2", "mu1_star", "mu2_star")
    model = Model.build(setting, names, "test")
    limit = handle(found).evaluate(12, **setting)["derived"]["delta"]
    return tuple(float(model.ball(name, 80)) for name in names), float(limit)


@pytest.mark.parametrize("teacher", ["softplus", "relu"])
def test_first_order_correction_of_the_gain_is_small(teacher):
    """Theorem 7's trend: c d^(-1/2) with c from the outlier formula; at d = 512 a third of the standard error or less."""
    model, limit = values_at_the_experiment(teacher)
    assert gain(model, 0) == pytest.approx(limit, rel=1e-6)
    per_bend = (gain(model, 1e-4) - gain(model, -1e-4)) / 2e-4
    eta, mu1, psi2 = model[3], model[5], model[1]
    c = -per_bend * eta * mu1**2 / math.sqrt(psi2)
    assert 0 < c < 0.02


def test_variants_are_planned_unless_given():
    found = statement("ba2022.theorem-7")
    assert [one.model.given["teacher"] for one in plans(found, {"d": 200, "draws": 2})] == ["softplus", "relu"]
    assert [one.model.given["teacher"] for one in plans(found, {"d": 200, "draws": 2, "teacher": "erf"})] == ["erf"]


def test_risks_are_judged():
    """Small: the derived forms are not excluded, and R0 before the step stands apart from the energy of the teacher."""
    (report,) = (run(one) for one in plans(statement("ba2022.theorem-7"), {"d": 110, "draws": 6, "teacher": "softplus"}, jobs=1))
    assert set(report.judgements) == {"R0", "R1", "delta"}
    for name, judgement in report.judgements.items():
        assert abs(judgement.z["derived"]) < 5, name


@pytest.mark.simulation
def test_theorem_7_excludes_the_form_without_noise():
    for one in plans(statement("ba2022.theorem-7"), {}):
        judgements = run(one).judgements
        for name in ("R1", "delta"):
            assert judgements[name].excluded == ("printed",), judgements[name].sentence()
        assert judgements["R0"].excluded == ()


def test_feature_map_only_sees_the_rows():
    one = step()
    data = fresh(one)
    features = network_features(one, one.W1)
    half = Fresh(data.X, data.y, data.T[:5], data.target[:5])
    whole = feature_risk(features, data, 0.1)
    parts = [feature_risk(features, half, 0.1), feature_risk(features, Fresh(data.X, data.y, data.T[5:], data.target[5:]), 0.1)]
    weight = 5 / len(data.T)
    assert whole == pytest.approx(weight * parts[0] + (1 - weight) * parts[1])
    assert partial(risk_observables, lam=0.1)(step()) == risk_observables(step(), 0.1)
