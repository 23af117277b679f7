"""Kernels of the network and of the data, and what a step does to the Gram matrix."""

from __future__ import annotations

import math

import numpy as np
import pytest
import sympy as sp

from theory.activations.floats import nonlinearity
from theory.equivalence.kernels import gram_observables, inner_product_kernel, kernel_risk, tangent_kernel
from theory.trial.ridge import feature_risk, fresh, network_features
from theory.trial.sizes import Sizes
from theory.trial.step import one_step

x = sp.Symbol("x")
TANH = nonlinearity(sp.tanh(x), x)
SIZES = Sizes(12, 30, 9)


def step(sizes=SIZES, eta="2", sigma_eps="1/2", sigma=TANH, teacher=TANH, seed=0, **changes):
    return one_step(sizes, eta, sigma_eps, sigma, teacher, np.random.default_rng(seed), **changes)


def test_conjugate_kernel_is_ridge_on_features():
    one = step()
    data, features = fresh(one), network_features(one, one.W0)
    risks = kernel_risk(lambda X, Y: features(X) @ features(Y).T, data, 30 * 0.2 / 9), feature_risk(features, data, 0.2)
    assert risks[0] == pytest.approx(risks[1], rel=1e-9)


def test_tangent_kernel_is_the_gradients_inner_product():
    one = step(Sizes(3, 4, 5))
    X = np.random.default_rng(3).standard_normal((4, 3))

    def output(parameters, point):
        W, a = parameters[:15].reshape(3, 5), parameters[15:]
        return np.tanh(point @ W) @ a / math.sqrt(5)

    start, h = np.concatenate([one.W0.ravel(), one.a]), 1e-5
    slopes = np.array(
        [[(output(start + h * e, point) - output(start - h * e, point)) / (2 * h) for e in np.eye(20)] for point in X]
    )
    np.testing.assert_allclose(tangent_kernel(one)(X, X), slopes @ slopes.T, rtol=1e-7)


def test_inner_product_kernel_is_invariant():
    rng = np.random.default_rng(0)
    X, Y = rng.standard_normal((5, 4)), rng.standard_normal((3, 4))
    rotation = np.linalg.qr(rng.standard_normal((4, 4)))[0]
    np.testing.assert_allclose(inner_product_kernel(X @ rotation, Y @ rotation), inner_product_kernel(X, Y))
    assert inner_product_kernel(X, Y)[1, 2] == pytest.approx(math.exp(X[1] @ Y[2] / 4))


def test_gram_observables():
    one = step(parts=True, mu1=0.6)
    update = one.W1 - one.W0
    found = gram_observables(one)
    rank_one = 2 * 3 * one.A  # eta sqrt N A
    change = update.T @ one.W0 + one.W0.T @ update + update.T @ update
    assert found["moved"] == pytest.approx((change**2).sum(), rel=1e-9)
    assert found["rest"] == pytest.approx(((update - rank_one) ** 2).sum(), rel=1e-9)
    change = rank_one.T @ one.W0 + one.W0.T @ rank_one + rank_one.T @ rank_one
    assert found["rank_one"] == pytest.approx((change**2).sum(), rel=1e-9)
