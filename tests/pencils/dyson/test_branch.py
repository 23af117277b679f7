"""The right branch: boundary values, edges, gaps, extreme parameters; and an error, never a number, where there is none.

Expected values are computed here: exact parametrisations, or roots of the printed polynomials (benchmark sheet) followed
from far above the axis, by mpmath.
"""

import time

import mpmath as mp
import numpy as np
import pytest
import sympy as sp
from benchmark_models import d, e1, lam, n, p1, p3, p7, p9, z
from known_laws import POLYNOMIALS, fuss_catalan_density

from pencils import Gaussian, expected_trace
from pencils.errors import ConvergenceError


@pytest.mark.slow
@pytest.mark.parametrize(
    ("p", "step"),
    [(3, 1), (5, 7), (5, 1)],
    ids=["p = 3", "p = 5", "p = 5, all"],
)
def test_fuss_catalan_on_the_whole_axis(p, step):
    """P9, every ``step``-th of 300 points: at p = 3 pointwise positivity does not choose the branch."""
    law = expected_trace(p9(p).expr, p9(p).ensembles)
    edge = sp.Rational((p + 1) ** (p + 1), p**p)
    xs = [edge * sp.Rational(k, 301) for k in range(1, 301, step)]
    found = law.evaluate({n: 1, z: np.array([float(x) for x in xs])})
    known = np.array([float(fuss_catalan_density(p, mp.mpf(x.p) / x.q)) for x in xs])
    assert np.max(np.abs(found.imag / np.pi / known - 1)) < 1e-9
    for x in (xs[0], xs[10], xs[40], xs[-1]):
        value = law.evaluate({n: 1, z: x}, 30)
        with mp.workdps(45):
            density = fuss_catalan_density(p, mp.mpf(x.p) / x.q)
            assert abs(mp.mpf(str(sp.im(value))) / mp.pi / density - 1) < mp.mpf(10) ** -27


# outside, inside, between the bulks of P3 (1.5 to 1.51907), within 1e-4 to 1e-8 of edges, near 0, far away
POINTS = {
    "P1": ["1.9999", "1.99999999", "2.00000001", "-1e-9", "1e6", ("0.5", "1e-7"), ("1.5", "-1e-6")],
    "P2": ["0.0857", "0.0858", "2.91421", "2.91422", "-5", ("0.3", "-0.01")],
    "P3": [
        "0.3188",
        "0.3189",
        "1.49",
        "1.49999999",
        "1.50000001",
        "1.51",
        "1.519",
        "1.5190695",
        "1.5191",
        "5.6621",
        "5.6622",
    ],
    "P4": ["-1.32145", "-1.321454", "3.665726", "3.665727", "0.01"],
    "P5": ["0.168374", "0.168375", "0.1", "2.09979", "2.0998", ("0.01", "0.001")],
    "P7": ["3.33", "-3.33", "3.3301", "3.3302", "1e-9", ("3.33", "1e-12")],
}


def followed(polynomial, point):
    """The root that is -1/z far above the axis: followed in float64 down to where the roots are apart, then exact."""

    def nearest(roots, m):
        return min(roots, key=lambda root: abs(complex(root) - m))

    start = complex(point)
    height = 200 * (1 + abs(start))
    m = -1 / (start + 1j * height)
    while height > 1e-12:
        height *= 0.9
        m = nearest(np.roots([complex(c) for c in polynomial(start + 1j * height)]), m)
    return nearest(mp.polyroots(polynomial(point), maxsteps=500, extraprec=300), m)


@pytest.mark.parametrize("name", POINTS)
def test_edges_gaps_and_half_planes(name):
    model, polynomial = POLYNOMIALS[name]
    law = expected_trace(model.expr, model.ensembles)
    for point in POINTS[name]:
        real, imaginary = (point, "0") if isinstance(point, str) else point
        value = law.evaluate({**model.values, z: sp.Rational(real) + sp.I * sp.Rational(imaginary)}, 25)
        with mp.workdps(40):
            known = followed(polynomial, mp.mpc(mp.mpf(real), abs(mp.mpf(imaginary))))
            known = mp.conj(known) if imaginary.startswith("-") else known
            assert abs(mp.mpc(*[mp.mpf(str(part)) for part in value.as_real_imag()]) - known) < 1e-18 * abs(known), point


def test_near_the_edge_of_the_anticommutator_in_time():
    """P7 at x = 3.33 + i0, 0.0002 inside the edge sqrt((11 + 5 sqrt 5)/2) = 3.33019: 30 digits, under a second."""
    law = expected_trace(p7().expr, p7().ensembles)
    start = time.perf_counter()
    value = law.evaluate({n: 1, z: "3.33"}, 30)
    assert time.perf_counter() - start < 1
    with mp.workdps(50):
        x, m = mp.mpf("3.33"), mp.mpc(*[mp.mpf(str(part)) for part in value.as_real_imag()])
        assert abs(-x * m**3 + m**2 + x * m + 1) < mp.mpf(10) ** -28 and m.imag > 0


def test_ridge_of_any_size():
    """E1 is m(-lam) of Marchenko and Pastur: lam from 1e-6 to 1e12, aspect ratios from 1/1000 to 1000."""
    law = expected_trace(e1().expr, e1().ensembles)
    with mp.workdps(60):
        for ratio in ("1/1000", "1/2", "2", "1000"):
            for ridge in ("1e-6", "1", "1e6", "1e12"):
                c, x = mp.mpf(sp.Rational(ratio).p) / sp.Rational(ratio).q, mp.mpf(ridge)
                known = (-(1 - c + x) + mp.sqrt((1 - c + x) ** 2 + 4 * c * x)) / (2 * c * x)
                assert abs(c * x * known**2 + (1 - c + x) * known - 1) < 1e-30
                value = mp.mpf(str(law.evaluate({d: ratio, n: 1, lam: ridge}, 25)))
                assert abs(value - known) < mp.mpf(10) ** -23 * known


def test_edges_and_discs_are_errors():
    """No number at an edge, where two roots meet; none inside the disc of Ginibre eigenvalues, where tr (X - z)^{-1} is
    -conj(z) and not the analytic -1/z, which solves the equation."""
    law = expected_trace(p1().expr, p1().ensembles)
    with pytest.raises(ConvergenceError):
        law.evaluate({n: 1, z: 2})
    X = sp.MatrixSymbol("X", n, n)
    ginibre = expected_trace((X - z * sp.Identity(n)).inverse(), {X: Gaussian(1 / n)})
    for inside in ("1/2", "9/10", "99/100"):
        with pytest.raises(ConvergenceError):
            ginibre.evaluate({n: 1, z: inside})
    assert abs(ginibre.evaluate({n: 1, z: "11/10"}, 20) + sp.Rational(10, 11)) < sp.Float("1e-18", 30)


def test_arrays_are_the_same_as_points():
    law = expected_trace(p3().expr, p3().ensembles)
    values = dict(p3().values)
    grid = np.array([0.1, 0.7, 1.45, 1.51, 3.0, 6.0, -2.0])
    together = law.evaluate({**values, z: grid})
    apart = [complex(law.evaluate({**values, z: repr(float(x))}, 15)) for x in grid]
    assert np.allclose(together, apart, rtol=1e-10)
    ratios = law.evaluate({**values, z: -1, n: np.array([[1.0, 2.0], [4.0, 8.0]])})
    assert ratios.shape == (2, 2) and np.isrealobj(ratios)
    assert ratios[1, 0] == pytest.approx(float(law.evaluate({**values, z: -1}, 15)), rel=1e-12)
