"""Where an outlier leaves an edge."""

import mpmath
import pytest
import sympy as sp
from benchmark_models import HALF, SQRT, eye, matrix, n, p
from known_bulk import outliers, thresholds
from spiked_models import (
    COVARIANCE,
    MP_HALF,
    P3,
    SEMICIRCLE,
    SPIKED,
    W,
    X,
    a,
    close,
    ell,
    p3_support,
    t,
    tau,
    theta,
    u,
    v,
)

from pencils import Gaussian, Vector, spectrum


def test_thresholds_in_closed_form():
    (wigner,) = thresholds(*SPIKED, theta, {n: 1}, support=SEMICIRCLE)
    assert wigner.solution == 1 and close(wigner.edge, 2) and close(wigner.value, 1)
    low, high = thresholds(*COVARIANCE, ell, {n: 2, p: 1}, 40, support=MP_HALF)
    assert sp.simplify(high.solution - 1 - sp.sqrt(p / n)) == 0 and close(high.value, 1 + SQRT(HALF), 38)
    assert sp.simplify(low.solution - 1 + sp.sqrt(p / n)) == 0 and close(low.edge, MP_HALF[0][0], 38)
    Y = X + t * a * v.T
    laws = {X: Gaussian(1 / n), a: Vector(), v: Vector()}
    (rectangular,) = thresholds(Y * Y.T, laws, t, {n: 2, p: 1}, support=MP_HALF)
    assert sp.expand(rectangular.equation.lhs / n) == p / n - t**4 and close(rectangular.value, HALF ** sp.Rational(1, 4))


def test_both_signs():
    found = thresholds(W + tau * u * u.T, SPIKED[1], tau, {n: 1}, support=SEMICIRCLE)
    assert [(x.solution, round(x.edge)) for x in found] == [(-1, -2), (1, 2)]


P3_EDGES = "0.31881657608267735436", "1.5", "1.5190695292579235318", "5.6621138946593991139"  # the sheet, P3


def secular(x, strength, c):
    """1 + tau a^T (S X X^T S/n - x)^{-1} a, with a^T (...)^{-1} a = sum a_k^2/(-x (1 + d_k s)), d = 1, 3. Outside the support the
    companion transform s is the root of z(s) = x at which z increases (Silverstein and Choi)."""
    with mpmath.workdps(40):
        x, c = mpmath.mpf(str(x)), mpmath.mpf(c.p) / c.q
        roots = mpmath.polyroots([3 * x, 4 * x + 3 - 3 * c, x + 4 - 2 * c, 1], maxsteps=200, extraprec=200)
        (s,) = [s for s in roots if mpmath.im(s) == 0 and 1 / s**2 > c / 2 * (1 / (1 + s) ** 2 + 9 / (1 + 3 * s) ** 2)]
        return abs(1 - strength / x * (mpmath.mpf("0.36") / (1 + s) + mpmath.mpf("0.64") / (1 + 3 * s)))


@pytest.mark.simulation
def test_the_narrow_gap_of_p3():
    support = p3_support(sp.Rational(1, 4))
    assert [str(sp.N(e, 20)) for pair in support for e in pair][2:] == list(P3_EDGES[2:])
    found = outliers(*P3, {p: 1, n: 4, tau: 5}, 25, support)
    assert len(found) == 2 and 1.5 < found[0].position < 1.51906 and found[1].position > 5.67
    assert all(secular(x.position, 5, sp.Rational(1, 4)) < 1e-20 for x in found)
    places = thresholds(*P3, tau, {p: 1, n: 4}, 25, support)
    assert [round(float(x.edge), 4) for x in places] == [0.3188, 1.5, 1.5191, 5.6621]
    second = places[1]
    assert close(second.value, sp.Rational(75, 22), 23)  # an equation of degree 4 with a rational root at n = 4 p
    assert abs(sp.N(second.equation.lhs.subs({n: 4, p: 1, tau: sp.Rational(75, 22)}), 30)) == 0
    assert len(outliers(*P3, {p: 1, n: 4, tau: "3.3"}, 15, support)) == 1  # below the threshold at 3/2
    assert len(outliers(*P3, {p: 1, n: 4, tau: "3.6"}, 15, support)) == 2


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
    (threshold,) = thresholds(expr, laws, tau, {n: 1}, 25, [(0, 4)])
    assert threshold.solution == 2 and close(threshold.edge, 4, 23)


# what the bordered system of Griewank and Reddien gave, which was in use before Krawczyk's test
BEFORE = [
    (
        COVARIANCE,
        ell,
        {n: 2, p: 1},
        "0.0857864376269049511983112757903019214303281246",
        "0.292893218813452475599155637895150960715164062",
    ),
    (
        COVARIANCE,
        ell,
        {n: 2, p: 1},
        "2.91421356237309504880168872420969807856967188",
        "1.70710678118654752440084436210484903928483594",
    ),
    (SPIKED, theta, {n: 1}, "2.00000000000000000000000000000000000000000000", "1.00000000000000000000000000000000000000000000"),
]


@pytest.mark.parametrize(("model", "parameter", "values", "edge", "value"), BEFORE)
def test_thresholds_are_unchanged(model, parameter, values, edge, value):
    """45 digits of edges and thresholds, from the support that ``spectrum`` finds by another route, the polynomial."""
    found = spectrum(*model).thresholds(parameter, values, 45)
    assert (edge, value) in [(str(x.edge), str(x.value)) for x in found]


def test_an_edge_at_zero():
    """W + 2: the semicircle from 0 to 4; an edge that is 0 is printed so."""
    low, high = thresholds(W + 2 * eye(n) + tau * u * u.T, SPIKED[1], tau, {n: 1}, 20, [(0, 4)])
    assert abs(low.edge) < 1e-30 and low.solution == -1 and close(high.edge, 4, 18) and high.solution == 1
