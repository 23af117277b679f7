"""Outliers are counted in gaps, between atoms and beside other branches; and met by sampling."""

from fractions import Fraction

import numpy as np
import pytest
import sympy as sp
from benchmark_models import HALF, matrix, n, p, sigma
from known_bulk import outliers, problem
from spiked_models import (
    P3,
    SEMICIRCLE,
    SPIKED,
    TWO_VALUES,
    A,
    S,
    W,
    X,
    a,
    b,
    close,
    p3_support,
    t,
    tau,
    theta,
    u,
    v,
)

from pencils import Deterministic, Gaussian, Vector
from pencils.errors import ConvergenceError
from pencils.outliers.search import Search


def test_double_outlier():
    (found,) = outliers(W + theta * (u * u.T + v * v.T), {**SPIKED[1], v: Vector()}, {n: 1, theta: 2}, 25, SEMICIRCLE)
    assert found.multiplicity == 2 and not found.certified and close(found.position, sp.Rational(5, 2), 23)
    assert close(found.overlaps[u], sp.Rational(3, 4), 23) and close(found.overlaps[v], sp.Rational(3, 4), 23)


@pytest.mark.simulation
def test_the_narrow_gap_of_p3_against_sampling():
    """tau = 15: an outlier in the middle of the gap, between the two halves of the eigenvalues."""
    low, _ = outliers(*P3, {p: 1, n: 4, tau: 15}, 15, p3_support(sp.Rational(1, 4)))
    size, draws, rng = 600, 16, np.random.default_rng(3)
    x, root = np.zeros(size), np.repeat([1, np.sqrt(3)], size // 2)
    x[0], x[size // 2] = 0.6, 0.8
    found = []
    for _ in range(draws):
        Z = root[:, None] * rng.standard_normal((size, 4 * size)) / np.sqrt(4 * size)
        found.append(np.linalg.eigvalsh(Z @ Z.T + 15 * np.outer(x, x))[size // 2 - 1])
    error = np.std(found, ddof=1) / np.sqrt(draws)
    assert error < 0.005 and abs(np.mean(found) - float(low.position)) < 4 * error


@pytest.mark.simulation
def test_a_gap_against_sampling():
    """c = 1/20: two spikes with a common direction, one of them negative."""
    c, size, draws = sp.Rational(1, 20), 200, 30
    support = p3_support(c)
    laws = {
        X: Gaussian(),
        S: TWO_VALUES,
        a: Vector(components=["3/5", "4/5"], overlaps={b: ["1/5", "1/5"]}),
        b: Vector(components=["1/2", 1]),
    }
    found = outliers(S * X * X.T * S / n + 2 * a * a.T - b * b.T, laws, {p: 1, n: 20}, 15, support)
    x, y = np.zeros(size), np.zeros(size)
    half = size // 2
    x[0], x[half], y[0], y[half] = 0.6, 0.8, 1 / 3, 0.25
    y[1], y[half + 1] = np.sqrt(1 / 4 - 1 / 9), np.sqrt(1 - 1 / 16)
    root = np.diag(np.repeat([1, np.sqrt(3)], half))
    rows, rng = [], np.random.default_rng(1)
    inside = [float(e) for pair in support for e in pair]
    for _ in range(draws):
        Z = root @ rng.standard_normal((size, 20 * size)) / np.sqrt(20 * size)
        values, vectors = np.linalg.eigh(Z @ Z.T + 2 * np.outer(x, x) - np.outer(y, y))
        nearest = [int(np.argmin(abs(values - float(o.position)))) for o in found]
        rows.append([f for k in nearest for f in (values[k], (vectors[:, k] @ x) ** 2, (vectors[:, k] @ y) ** 2)])
    expected = [float(f) for o in found for f in (o.position, o.overlaps[a], o.overlaps[b])]
    assert any(inside[1] < o.position < inside[2] for o in found)
    mean, error = np.mean(rows, axis=0), np.std(rows, axis=0, ddof=1) / np.sqrt(draws)
    # the limit is approached as 1/size: allowed for beside the standard error
    assert np.all(abs(mean - expected) < 4 * error + 1 / size), (mean, expected, error)


P15_LAW = Deterministic(singular_values=[(HALF, HALF), ("3/2", HALF)])
P15_SUPPORT = [("0.1300254203", "1.4918979624"), ("1.5741036367", "5.1728024636")]  # see test_p15_edges


def test_p15_edges():
    """The support used below: at its ends the discriminant of the sheet's equation for m vanishes."""
    m, z = sp.symbols("m z")
    beta = 1 + sp.Rational(8, 25) * m
    equation = sum(HALF / (s**2 / beta - beta * z + sp.Rational(8, 25)) for s in (HALF, 3 * HALF)) - m
    curve = sp.discriminant(sp.Poly(sp.numer(sp.together(equation)), m), m)
    roots = [r for f, _ in sp.factor_list(curve, z)[1] for r in sp.Poly(f, z).real_roots()]
    ends = [sp.Float(e) for pair in P15_SUPPORT for e in pair]
    assert all(min(abs(sp.N(r, 20) - e) for r in roots) < 1e-10 for e in ends)


@pytest.mark.simulation
def test_spiked_information_plus_noise():
    """P15 with t a v^T, a and v meeting the singular vectors on both sides and each other; q beside them. Against sampling."""
    laws = {
        A: P15_LAW,
        X: Gaussian(1 / n),
        v: Vector(components=["2/3", "1/3", "2/3"]),
        a: Vector(components=["3/5", "4/5"], overlaps={v: ["1/10", "-1/5"], b: ["1/2", "1/5"]}),
        b: Vector(components=[1, 1]),
    }
    Y, values = A + sigma * X + t * a * v.T, {p: 1, n: 2, sigma: "4/5", t: 3}
    *_, left = outliers(Y * Y.T, laws, values, 15, P15_SUPPORT)
    other = {**laws, a: Vector(components=["3/5", "4/5"], overlaps={v: ["1/10", "-1/5"]})}
    other.pop(b)
    *_, right = outliers(Y.T * Y, other, values, 15, [*P15_SUPPORT, (0, 0)])
    assert close(left.position, right.position, 13)

    size, draws, rng = 160, 50, np.random.default_rng(2)
    half, fixed = size // 2, np.zeros((size, 2 * size))
    np.fill_diagonal(fixed, np.repeat([0.5, 1.5], half))
    x, y, w = np.zeros(size), np.zeros(2 * size), np.zeros(size)
    x[0], x[half], y[size] = 0.6, 0.8, 2 / 3
    for start, xy, length, wx in ((0, 0.1, 2 / 3, 0.5), (half, -0.2, 1 / 3, 0.2)):
        y[start] = xy / x[start]
        y[start + 1] = np.sqrt(length**2 - y[start] ** 2)
        w[start] = wx / x[start]
        w[start + 1] = -w[start] * y[start] / y[start + 1]  # orthogonal to y
        w[start + 2] = np.sqrt(1 - w[start] ** 2 - w[start + 1] ** 2)
    rows = []
    for _ in range(draws):
        Z = fixed + 0.8 * rng.standard_normal(fixed.shape) / np.sqrt(2 * size) + 3 * np.outer(x, y)
        U, s, V = np.linalg.svd(Z, full_matrices=False)
        rows.append([s[0] ** 2, (U[:, 0] @ x) ** 2, (U[:, 0] @ w) ** 2, (V[0] @ y) ** 2])
    mean, error = np.mean(rows, axis=0), np.std(rows, axis=0, ddof=1) / np.sqrt(draws)
    expected = np.array([float(f) for f in (left.position, left.overlaps[a], left.overlaps[b], right.overlaps[v])])
    assert np.all(abs(mean - expected) < 4 * error), (mean, expected, error)


def test_between_atoms():
    """D + theta u u^T without noise, D = +-1: the eigenvalues of [[1 + .36 theta, .48 theta], [.48 theta, -1 + .64 theta]]."""
    D = matrix("D", n, n)
    laws = {D: Deterministic(law=[(1, HALF), (-1, HALF)]), u: Vector(components=["3/5", "4/5"])}
    found = outliers(D + tau * u * u.T, laws, {n: 1, tau: 2}, 25, [(1, 1), (-1, -1)])
    small = sp.Matrix([[1, 0], [0, -1]]) + 2 * sp.Matrix([3, 4]) * sp.Matrix([[3, 4]]) / 25
    expected = sorted(small.eigenvals())
    assert len(found) == 2
    for outlier, value in zip(found, expected, strict=True):
        (w,) = (small - value * sp.eye(2)).nullspace()
        assert close(outlier.position, value, 23)
        assert close(outlier.overlaps[u], ((3 * w[0] + 4 * w[1]) / 5) ** 2 / (w[0] ** 2 + w[1] ** 2), 23)


def test_the_wrong_branch_is_refused():
    """At x = 5/2 the other root of m^2 + x m + 1 = 0 is -2: there D increases."""
    spiked = problem(*SPIKED, SEMICIRCLE)
    given = spiked.exact({n: 1, theta: 3})
    search = Search(spiked.finite, given, 20, spiked.support(given))
    x = Fraction(5, 2)
    right, wrong = (search.branch.at(x, 30, [root] * len(search.branch.pairs)) for root in (-0.5 + 0j, -2 + 0j))
    assert search.mark(right).negatives in (0, 1)
    with pytest.raises(ConvergenceError, match="upper half plane"):
        search.mark(wrong)
