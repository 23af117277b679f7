"""Outliers against closed forms worked out here."""

import mpmath
import numpy as np
import pytest
import sympy as sp
from benchmark_models import HALF, SQRT, eye, matrix, n, p
from hypothesis import given, settings
from hypothesis import strategies as st
from known_bulk import outliers, problem, thresholds
from spiked_models import COVARIANCE, MP_HALF, P3, SEMICIRCLE, SPIKED, W, X, a, close, ell, q, t, tau, theta, u, v

from pencils import Gaussian, Vector, Wigner, spectrum
from pencils.errors import ConvergenceError, InputError


def test_wigner():
    """P20: theta + 1/theta, overlap 1 - 1/theta^2."""
    (found,) = outliers(*SPIKED, {n: 1, theta: 2}, support=SEMICIRCLE)
    assert found.certified and found.multiplicity == 1
    assert close(found.position, sp.Rational(5, 2)) and close(found.overlaps[u], sp.Rational(3, 4))


@given(st.fractions(min_value="-5", max_value="5"), st.sampled_from(["real", "complex"]))
@settings(max_examples=8)
def test_wigner_at_random(strength, field):
    found = outliers(W + tau * u * u.T, {W: Wigner(1 / n, field), u: Vector()}, {n: 1, tau: strength}, 20, SEMICIRCLE)
    assert len(found) == (abs(strength) > 1)
    for outlier in found:
        exact = sp.Rational(strength.numerator, strength.denominator)
        assert close(outlier.position, exact + 1 / exact, 18) and close(outlier.overlaps[u], 1 - 1 / exact**2, 18)


def test_nearly_at_the_edge():
    """At theta = 1 + e the outlier is at 2 + e^2 - e^3 + ..., and at theta = 1 there is none."""
    assert outliers(*SPIKED, {n: 1, theta: 1}, support=SEMICIRCLE) == []
    (found,) = outliers(*SPIKED, {n: 1, theta: "1.0001"}, support=SEMICIRCLE)
    exact = sp.Rational("1.0001")
    assert close(found.position, exact + 1 / exact) and close(found.overlaps[u], 1 - 1 / exact**2)


def test_covariance():
    """P20: l (1 + c/(l-1)), overlap (1 - c/(l-1)^2)/(1 + c/(l-1))."""
    (found,) = outliers(*COVARIANCE, {n: 2, p: 1, ell: 3}, support=MP_HALF)
    assert close(found.position, sp.Rational(15, 4)) and close(found.overlaps[a], sp.Rational(7, 10))
    assert outliers(*COVARIANCE, {n: 2, p: 1, ell: "1.7"}, support=MP_HALF) == []
    assert outliers(*COVARIANCE, {n: 2, p: 1, ell: 1}, support=MP_HALF) == []  # no spike at all
    (low,) = outliers(*COVARIANCE, {n: 2, p: 1, ell: "1/4"}, support=MP_HALF)
    assert close(low.position, sp.Rational(1, 4) * (1 + HALF / sp.Rational(-3, 4)))


def test_rectangular():
    """P20, X + t a v^T: s = sqrt((1+t^2)(c+t^2))/t, left overlap 1 - c(1+t^2)/(t^2(t^2+c)), right 1 - (c+t^2)/(t^2(t^2+1))
    (Benaych-Georges and Nadakuditi 2012), at c = 1/2, t = 3/2."""
    Y, laws = X + t * a * v.T, {X: Gaussian(1 / n), a: Vector(), v: Vector()}
    values, c, s = {n: 2, p: 1, t: "3/2"}, HALF, sp.Rational(9, 4)
    (left,) = outliers(Y * Y.T, laws, values, 40, MP_HALF)
    (right,) = outliers(Y.T * Y, laws, values, 40, [*MP_HALF, (0, 0)])
    assert close(left.position, (1 + s) * (c + s) / s, 38) and close(right.position, left.position, 38)
    assert abs(sp.sqrt(left.position) - 1.9930434571835665) < 1e-15
    assert set(left.overlaps) == {a} and set(right.overlaps) == {v}
    assert close(left.overlaps[a], 1 - c * (1 + s) / (s * (s + c)), 38)
    assert close(right.overlaps[v], 1 - (c + s) / (s * (s + 1)), 38)


def test_two_spikes_that_are_not_orthogonal():
    """W + P, P of rank two: each eigenvalue e of P with |e| > 1 gives e + 1/e, and <q, w>^2 = (1 - 1/e^2) <q, eigenvector>^2."""
    laws = {W: Wigner(1 / n), u: Vector(overlaps={v: "1/2", q: "1/3"}), v: Vector(overlaps={q: "-1/4"}), q: Vector(norm=2)}
    found = outliers(W + theta * u * u.T - 2 * v * v.T + (u * v.T + v * u.T), laws, {n: 1, theta: 3}, 25, SEMICIRCLE)
    basis = np.linalg.cholesky(np.array([[1, 0.5, 1 / 3], [0.5, 1, -0.25], [1 / 3, -0.25, 4]])).T  # columns: u, v, q
    x, y, probe = basis.T
    values, vectors = np.linalg.eigh(3 * np.outer(x, x) - 2 * np.outer(y, y) + np.outer(x, y) + np.outer(y, x))
    expected = [(e, w) for e, w in zip(values, vectors.T, strict=True) if abs(e) > 1]
    assert len(found) == len(expected) == 2
    for outlier, (e, w) in zip(found, expected, strict=True):
        assert abs(float(outlier.position) - e - 1 / e) < 1e-13
        for symbol, vector in ((u, x), (v, y), (q, probe)):
            assert abs(float(outlier.overlaps[symbol]) - (1 - 1 / e**2) * (vector @ w) ** 2) < 1e-13


def test_beside_an_inverse():
    """(X X^T/n)^{-1} + theta a a^T: theta m(x) = -1 with m(x) = -1/x - m_MP(1/x)/x^2."""
    expr = (X * X.T / n).inverse() + theta * a * a.T
    (low, high) = MP_HALF[0]
    (found,) = outliers(expr, COVARIANCE[1], {n: 2, p: 1, theta: 40}, 25, [(1 / high, 1 / low)])
    with mpmath.workdps(40):
        x, c = mpmath.mpf(str(found.position)), mpmath.mpf(1) / 2
        y = 1 / x
        transform = (1 - c - y - mpmath.sqrt((1 - c - y) ** 2 - 4 * c * y)) / (2 * c * y)  # finite at y = 0
        assert abs(1 + 40 * (-1 / x - transform / x**2)) < 1e-20


def test_inside_an_inverse():
    """(W + 3 + theta u u^T)^{-1} has the eigenvectors of W + theta u u^T."""
    found = outliers((W + 3 * eye(n) + theta * u * u.T).inverse(), SPIKED[1], {n: 1, theta: 2}, 25, [(sp.Rational(1, 5), 1)])
    assert [close(x.position, sp.Rational(2, 11), 24) and close(x.overlaps[u], sp.Rational(3, 4), 24) for x in found] == [True]


@pytest.mark.parametrize("form", ["anticommutator", pytest.param("commutator", marks=pytest.mark.slow)])
def test_polynomial_of_two_matrices(form):
    """P7: G = -m = 1/theta at the outlier, so z = theta (theta^2 + 1)/(theta^2 - 1). The commutator has complex coefficients."""
    Y = matrix("Y", n, n)
    inner = W * Y + Y * W if form == "anticommutator" else sp.I * (W * Y - Y * W)
    laws = {W: Wigner(1 / n, "complex"), Y: Wigner(1 / n, "complex"), u: Vector()}
    edge = SQRT((11 + 5 * SQRT(5)) / 2)
    (found,) = outliers(inner + theta * u * u.T, laws, {n: 1, theta: 4}, 25, [(-edge, edge)])
    assert close(found.position, sp.Rational(4 * 17, 15), 23)


def test_determinant():
    """It vanishes at g_1 + z = theta, which is m = g_1 = -1/theta, since m = -1/(m + z)."""
    spiked = spectrum(*SPIKED).finite_rank_terms
    (g,) = [e.lhs for e in spiked.equations]
    assert sp.solve(spiked.determinant, g) == [theta - spiked.spectral]
    assert r"\det" in spiked.latex() and spiked.latex().startswith(r"\begin{aligned}")


def test_without_the_support():
    """``spectrum`` hands its own support to the outliers and the thresholds."""
    law = spectrum(*COVARIANCE)
    found = law.outliers({n: 2, p: 1, ell: 3}, 20)
    assert [close(x.position, sp.Rational(15, 4), 18) for x in found] == [True]
    assert outliers(*COVARIANCE, {n: 2, p: 1, ell: 3}, 20, MP_HALF) == found
    assert law.thresholds(ell, {n: 2, p: 1}, 20) == thresholds(*COVARIANCE, ell, {n: 2, p: 1}, 20, MP_HALF)
    with pytest.raises(InputError, match="no vector"):
        spectrum(X * X.T / n, {X: Gaussian()}).thresholds(ell, {n: 2, p: 1})


@pytest.mark.parametrize(
    ("expr", "laws", "message"),
    [
        (W + theta * u * v.T, {W: Wigner(1 / n), u: Vector(), v: Vector()}, "not symmetric"),
        (theta * u * u.T, {u: Vector()}, "finite rank"),
        (P3[0], {**P3[1], a: Vector()}, "components"),
        (SPIKED[0], {**SPIKED[1], u: Vector(components=[1, 1])}, "no law acts"),
        (SPIKED[0] + v * v.T, {**SPIKED[1], v: Vector(overlaps={u: 2})}, "Gram matrix"),
        (W + n * u * u.T, SPIKED[1], "divide it by n"),
        (sp.Symbol("y"), {}, "matrix expression"),
    ],
)
def test_what_is_refused(expr, laws, message):
    with pytest.raises(InputError, match=message):
        refused = problem(expr, laws, SEMICIRCLE)
        refused.find(dict.fromkeys(refused.finite.given.parameters, 2))


def test_values_and_support():
    for values in ({n: 1}, {n: 1, theta: 2, ell: 3}, {n: 1, theta: sp.I}):
        with pytest.raises(InputError):
            outliers(*SPIKED, values, support=SEMICIRCLE)
    with pytest.raises(InputError, match="model without"):
        thresholds(sp.sqrt(theta) * W + u * u.T, SPIKED[1], theta, {n: 1}, support=SEMICIRCLE)
    with pytest.raises(ConvergenceError, match="edge"):
        outliers(*SPIKED, {n: 1, theta: 2}, support=[(-2, 1)])
