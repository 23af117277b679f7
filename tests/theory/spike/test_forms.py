"""The spike theorem by the random-matrix engine: W1 = W0 + u a^T as an expression, no formula of the theory in it.

W0 (d x N) has iid N(0, 1/d) entries, N/d = psi2; |u| = theta1, <u, beta> = theta2, a a unit vector. What the theory says of s1, of
<u1, beta>^2, of the singular vectors and of the threshold is met to 50 digits.
"""

import pytest
import sympy as sp

import theory
from pencils import Gaussian, Vector
from pencils.outliers.determinant import Outliers
from pencils.outliers.finite_rank import FiniteRank
from pencils.outliers.thresholds import thresholds

d, N, strength = sp.symbols("d N theta", positive=True)
W0, u, beta, a = (sp.MatrixSymbol(name, *shape) for name, shape in {"W0": (d, N), "u": (d, 1), "beta": (d, 1), "a": (N, 1)}.items())
MODELS = [
    {"psi1": 4, "psi2": 2, "eta": "5/2", "activation": "tanh", "teacher": "relu", "sigma_eps": 2},
    {"psi1": 2, "psi2": "1/2", "eta": 3, "mu1": "3/5", "mu2": "1/2", "mu1_star": "4/5", "mu2_star": "1/2", "sigma_eps": 1},
]
DIGITS = 50


def rational(value):
    """The value that the theory computes, as the exact number that its decimals are."""
    return sp.Rational(str(value))


def bulk(psi2):
    """W0 W0^T without the step: Marchenko-Pastur of ratio psi2, and an atom at 0 if N < d."""
    root = sp.sqrt(sp.Rational(psi2))
    return [((1 - root) ** 2, (1 + root) ** 2), *([(0, 0)] if sp.Rational(psi2) < 1 else [])]


def problem(expr, laws, support):
    return Outliers(FiniteRank(expr, laws), lambda given, digits: support)


def agree(left, right):
    return abs(sp.N(left - right, DIGITS + 20)) < sp.Float(10) ** -DIGITS * abs(right)


@pytest.mark.parametrize("model", MODELS, ids=["tanh, relu", "narrow"])
def test_spike_theorem(model):
    stated = theory.statement("ba2022.theorem-3").evaluate(**model, digits=DIGITS + 20)["derived"]
    vectors = theory.statement("ba2022.spike-vectors").evaluate(**model, digits=DIGITS + 20)["derived"]
    theta1, theta2 = rational(stated["theta1"]), rational(stated["theta2"])
    assert stated["outlier"] is True
    W1, values = W0 + u * a.T, {d: 1, N: model["psi2"]}
    laws = {W0: Gaussian(1 / d), a: Vector(), u: Vector(norm=theta1, overlaps={beta: theta2}), beta: Vector()}
    (left,) = problem(W1 * W1.T, laws, bulk(model["psi2"])).find(values, DIGITS + 5)
    assert left.certified
    assert agree(sp.sqrt(left.position), stated["singular_value"])
    assert agree(left.overlaps[beta], stated["overlap"])
    assert agree(left.overlaps[u] / theta1**2, vectors["left_overlap"])
    # on the other side 1 + psi2 becomes psi2 + 1 with an atom at 0 where there are more neurons than dimensions
    other = [*bulk(model["psi2"])[:1], *([(0, 0)] if sp.Rational(model["psi2"]) > 1 else [])]
    laws = {W0: Gaussian(1 / d), a: Vector(), u: Vector(norm=theta1)}
    (right,) = problem(W1.T * W1, laws, other).find(values, DIGITS + 5)
    assert agree(right.position, left.position) and agree(right.overlaps[a], vectors["right_overlap"])


@pytest.mark.slow
def test_no_outlier_below_the_threshold():
    model = {**MODELS[1], "eta": "1/4"}
    stated = theory.statement("ba2022.theorem-3").evaluate(**model, digits=30)["derived"]
    assert stated["outlier"] is False and stated["theta1"] > 0
    W1 = W0 + rational(stated["theta1"]) * u * a.T
    laws = {W0: Gaussian(1 / d), a: Vector(), u: Vector()}
    assert problem(W1 * W1.T, laws, bulk("1/2")).find({d: 1, N: "1/2"}, 20) == []


def test_threshold():
    """The register's condition: an outlier iff theta1 > psi2^(1/4)."""
    W1 = W0 + strength * u * a.T
    given = W1 * W1.T, {W0: Gaussian(1 / d), a: Vector(), u: Vector()}
    (found,) = thresholds(problem(*given, bulk(3)), strength, {d: 1, N: 3}, DIGITS + 5)
    assert agree(found.value, 3 ** sp.Rational(1, 4))
    assert sp.simplify(found.solution - (N / d) ** sp.Rational(1, 4)) == 0
    # at eta with theta1 = psi2^(1/4) exactly, theta1 = eta mu1 sqrt(mubar^2/psi1 + mu1*^2): on either side of it
    numbers = {"psi1": 1, "psi2": 16, "sigma_eps": 0, "mu1": 1, "mu1_star": 1, "mu2_star": sp.sqrt(2)}
    decided = [
        theory.statement("ba2022.theorem-3").evaluate(**{**numbers, "mu2_star": 0}, mu2=0, eta=eta)["derived"]["outlier"]
        for eta in ("1.41421", "1.41422")
    ]
    assert decided == [False, True]  # theta1 = eta sqrt(2) = 2 at eta = sqrt(2)
    (edge,) = thresholds(problem(*given, bulk(16)), strength, {d: 1, N: 16}, 20)
    assert abs(edge.value - 2) < 1e-18
