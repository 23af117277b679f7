"""Outliers against closed forms worked out here, against sampling, and counted in gaps and at thresholds."""

from fractions import Fraction

import mpmath
import numpy as np
import pytest
import sympy as sp
from benchmark_models import HALF, SQRT, eye, matrix, n, p, sigma
from flint import acb_mat
from hypothesis import given, settings
from hypothesis import strategies as st

from pencils import Deterministic, Gaussian, Vector, Wigner, spectrum
from pencils.errors import ConvergenceError, InputError, PrecisionError
from pencils.exact.inertia import negatives
from pencils.outliers.determinant import Outliers, outliers
from pencils.outliers.finite_rank import bulk
from pencils.outliers.search import Search

theta, ell, t = sp.symbols("theta l t", positive=True)
tau = sp.Symbol("tau", real=True)
W, X, S, A = matrix("W", n, n), matrix("X", p, n), matrix("S", p, p), matrix("A", p, n)
u, v, q = (matrix(name, n, 1) for name in "uvq")
a, b = matrix("a", p, 1), matrix("b", p, 1)
SEMICIRCLE = [(-2, 2)]
MP_HALF = [((1 - SQRT(HALF)) ** 2, (1 + SQRT(HALF)) ** 2)]  # Marchenko-Pastur, c = 1/2
ROOT = eye(p) + (sp.sqrt(ell) - 1) * a * a.T
COVARIANCE = ROOT * X * X.T * ROOT / n, {X: Gaussian(), a: Vector()}
SPIKED = W + theta * u * u.T, {W: Wigner(1 / n), u: Vector()}


def close(value, expected, digits=28):
    return abs(sp.N(value - expected, 60)) < sp.Float(10) ** -digits


# -- closed forms -----------------------------------------------------------------------------------------------------


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


def test_double_outlier():
    (found,) = outliers(W + theta * (u * u.T + v * v.T), {**SPIKED[1], v: Vector()}, {n: 1, theta: 2}, 25, SEMICIRCLE)
    assert found.multiplicity == 2 and not found.certified and close(found.position, sp.Rational(5, 2), 23)
    assert close(found.overlaps[u], sp.Rational(3, 4), 23) and close(found.overlaps[v], sp.Rational(3, 4), 23)


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


# -- thresholds -------------------------------------------------------------------------------------------------------


def test_thresholds_in_closed_form():
    (wigner,) = Outliers(*SPIKED).thresholds(theta, {n: 1}, support=SEMICIRCLE)
    assert wigner.solution == 1 and close(wigner.edge, 2) and close(wigner.value, 1)
    low, high = Outliers(*COVARIANCE).thresholds(ell, {n: 2, p: 1}, 40, support=MP_HALF)
    assert sp.simplify(high.solution - 1 - sp.sqrt(p / n)) == 0 and close(high.value, 1 + SQRT(HALF), 38)
    assert sp.simplify(low.solution - 1 + sp.sqrt(p / n)) == 0 and close(low.edge, MP_HALF[0][0], 38)
    Y = X + t * a * v.T
    problem = Outliers(Y * Y.T, {X: Gaussian(1 / n), a: Vector(), v: Vector()})
    (rectangular,) = problem.thresholds(t, {n: 2, p: 1}, support=MP_HALF)
    assert sp.expand(rectangular.equation.lhs / n) == p / n - t**4 and close(rectangular.value, HALF ** sp.Rational(1, 4))


def test_both_signs():
    found = Outliers(W + tau * u * u.T, SPIKED[1]).thresholds(tau, {n: 1}, support=SEMICIRCLE)
    assert [(x.solution, round(x.edge)) for x in found] == [(-1, -2), (1, 2)]


def test_determinant():
    """It vanishes at g_1 + z = theta, which is m = g_1 = -1/theta, since m = -1/(m + z)."""
    problem = Outliers(*SPIKED)
    (g,) = [e.lhs for e in problem.equations]
    assert sp.solve(problem.determinant, g) == [theta - problem.spectral]
    assert r"\det" in problem.latex() and problem.latex().startswith(r"\begin{aligned}")


# -- gaps -------------------------------------------------------------------------------------------------------------

P3_EDGES = "0.31881657608267735436", "1.5", "1.5190695292579235318", "5.6621138946593991139"  # the sheet, P3
TWO_VALUES = Deterministic(law=[(1, HALF), (SQRT(3), HALF)])
P3 = S * X * X.T * S / n + tau * a * a.T, {X: Gaussian(), S: TWO_VALUES, a: Vector(components=["3/5", "4/5"])}


def p3_support(c):
    """Edges of the law of S X X^T S/n: critical values of z(s) = -1/s + (c/2)(1/(1+s) + 3/(1+3s)) (Silverstein and Choi 1995)."""
    s = sp.Symbol("s")
    z = -1 / s + c / 2 * (1 / (1 + s) + 3 / (1 + 3 * s))
    roots = sp.Poly(sp.numer(sp.together(sp.diff(z, s))), s).nroots(n=50, maxsteps=200)
    edges = sorted(z.subs(s, r) for r in roots if r.is_real)
    return list(zip(edges[::2], edges[1::2], strict=True))


def secular(x, strength, c):
    """1 + tau a^T (S X X^T S/n - x)^{-1} a, with a^T (...)^{-1} a = sum a_k^2/(-x (1 + d_k s)), d = 1, 3. Outside the support the
    companion transform s is the root of z(s) = x at which z increases (Silverstein and Choi)."""
    with mpmath.workdps(40):
        x, c = mpmath.mpf(str(x)), mpmath.mpf(c.p) / c.q
        roots = mpmath.polyroots([3 * x, 4 * x + 3 - 3 * c, x + 4 - 2 * c, 1], maxsteps=200, extraprec=200)
        (s,) = [s for s in roots if mpmath.im(s) == 0 and 1 / s**2 > c / 2 * (1 / (1 + s) ** 2 + 9 / (1 + 3 * s) ** 2)]
        return abs(1 - strength / x * (mpmath.mpf("0.36") / (1 + s) + mpmath.mpf("0.64") / (1 + 3 * s)))


@pytest.mark.slow
def test_the_narrow_gap_of_p3():
    support = p3_support(sp.Rational(1, 4))
    assert [str(sp.N(e, 20)) for pair in support for e in pair][2:] == list(P3_EDGES[2:])
    found = outliers(*P3, {p: 1, n: 4, tau: 5}, 25, support)
    assert len(found) == 2 and 1.5 < found[0].position < 1.51906 and found[1].position > 5.67
    assert all(secular(x.position, 5, sp.Rational(1, 4)) < 1e-20 for x in found)
    thresholds = Outliers(*P3).thresholds(tau, {p: 1, n: 4}, 25, support)
    assert [round(float(x.edge), 4) for x in thresholds] == [0.3188, 1.5, 1.5191, 5.6621]
    second = thresholds[1]
    assert close(second.value, sp.Rational(75, 22), 23)  # an equation of degree 4 with a rational root at n = 4 p
    assert abs(sp.N(second.equation.lhs.subs({n: 4, p: 1, tau: sp.Rational(75, 22)}), 30)) == 0
    assert len(outliers(*P3, {p: 1, n: 4, tau: "3.3"}, 15, support)) == 1  # below the threshold at 3/2
    assert len(outliers(*P3, {p: 1, n: 4, tau: "3.6"}, 15, support)) == 2


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


# -- a rectangular deterministic matrix -------------------------------------------------------------------------------

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


# -- counting ---------------------------------------------------------------------------------------------------------


@given(st.integers(1, 6), st.integers(0, 2**32 - 1), st.booleans())
@settings(max_examples=40)
def test_inertia(size, seed, hollow):
    rng = np.random.default_rng(seed)
    entries = rng.integers(-9, 10, (size, size)) + 1j * rng.integers(-9, 10, (size, size))
    hermitian = entries + entries.conj().T
    if hollow:
        np.fill_diagonal(hermitian, 0)
    values = np.linalg.eigvalsh(hermitian)
    balls = acb_mat([[complex(z) for z in row] for row in hermitian])
    if np.min(abs(values)) > 1e-6:
        assert negatives(balls) == np.sum(values < 0)
    elif not balls.det().real > 0 and not balls.det().real < 0:
        with pytest.raises(PrecisionError):
            negatives(balls)


def test_beside_a_hard_edge():
    """Square X: x m^2 + x m + 1 = 0, so that X X^T/n - theta a a^T has the outlier -theta^2/(1 + theta) for every theta > 0; at the
    hard edge 0 there is no threshold, at 4 it is 2, where m(4) = -1/2."""
    Y, w = matrix("Y", n, n), matrix("w", n, 1)
    expr, laws = Y * Y.T / n + tau * w * w.T, {Y: Gaussian(), w: Vector()}
    for strength in ("-1/100", -3):
        (found,) = outliers(expr, laws, {n: 1, tau: strength}, 25, [(0, 4)])
        exact = sp.Rational(strength)
        assert close(found.position, -(exact**2) / (1 - exact), 24)
    assert outliers(expr, laws, {n: 1, tau: "1.99"}, 25, [(0, 4)]) == []
    (threshold,) = Outliers(expr, laws).thresholds(tau, {n: 1}, 25, [(0, 4)])
    assert threshold.solution == 2 and close(threshold.edge, 4, 23)


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
    problem = Outliers(*SPIKED)
    given = problem.exact({n: 1, theta: 3})
    search = Search(problem.finite, given, 20, problem.support(given, SEMICIRCLE))
    x = Fraction(5, 2)
    right, wrong = (search.branch.at(x, 30, [root] * len(search.branch.pairs)) for root in (-0.5 + 0j, -2 + 0j))
    assert search._mark(right).negatives in (0, 1)
    with pytest.raises(ConvergenceError, match="upper half plane"):
        search._mark(wrong)


def test_vectors_that_are_only_declared():
    assert outliers(W, SPIKED[1], {n: 1}, support=SEMICIRCLE) == [] and Outliers(W, SPIKED[1]).determinant == 1


def test_without_the_support():
    """The support comes from ``spectrum`` where it is not given; and ``spectrum`` comes here."""
    found = outliers(*COVARIANCE, {n: 2, p: 1, ell: 3}, 20)
    assert [close(x.position, sp.Rational(15, 4), 18) for x in found] == [True]
    assert spectrum(*COVARIANCE).outliers({n: 2, p: 1, ell: 3}, 20) == found


def test_bulk():
    expr, laws = bulk(ROOT * X * X.T * ROOT / n + theta * a * b.T, {**COVARIANCE[1], b: Vector()})
    assert expr == X * X.T / n and laws == {X: Gaussian()}


# -- refusals ---------------------------------------------------------------------------------------------------------


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
        problem = Outliers(expr, laws)
        problem.find(dict.fromkeys(problem.finite.given.parameters, 2), support=SEMICIRCLE)


def test_values_and_support():
    problem = Outliers(*SPIKED)
    for values in ({n: 1}, {n: 1, theta: 2, ell: 3}, {n: 1, theta: sp.I}):
        with pytest.raises(InputError):
            problem.find(values, support=SEMICIRCLE)
    with pytest.raises(InputError, match="model without"):
        Outliers(sp.sqrt(theta) * W + u * u.T, SPIKED[1]).thresholds(theta, {n: 1}, support=SEMICIRCLE)
    with pytest.raises(ConvergenceError, match="edge"):
        problem.find({n: 1, theta: 2}, support=[(-2, 1)])
