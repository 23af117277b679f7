"""Densities on full grids against exact parametrisations and the roots of printed polynomials; the branch is never a wrong one.

Sources: Fuss-Catalan parametrisation (test_solve), the polynomials P1-P5, P7 of the benchmark sheet followed from far above
the axis by companion matrices, closed forms worked out here.
"""

import time

import mpmath as mp
import numpy as np
import pytest
import sympy as sp
from benchmark_models import n, p, p2, p3, p5, p7, p9, z
from known_laws import POLYNOMIALS, fuss_catalan_density

from pencils import Deterministic, Gaussian, Wigner, expected_trace, spectrum
from pencils.dyson.dual_numbers import Dual, compile_dual
from pencils.errors import InputError
from pencils.spectra.density import Descent


def descent(model, **changes):
    law = expected_trace(model.expr, model.ensembles)
    values = {symbol: value for symbol, value in law._exact(model.values).items() if symbol != z}
    return Descent(law, {**values, **{sp.Symbol(k, positive=True): sp.sympify(v) for k, v in changes.items()}}, z)


def product(count):
    factors = [sp.MatrixSymbol(f"X{k}", n, n) for k in range(count)]
    whole = sp.MatMul(*factors) if count > 1 else factors[0]
    return spectrum(whole * whole.T, {X: Gaussian(1 / n) for X in factors})


@pytest.mark.parametrize("power", [1, 2, 3, 5])
def test_fuss_catalan_from_the_pole_to_beyond_the_edge(power):
    """P9: a uniform grid, and geometric ones towards 0 (x^{-p/(p+1)}) and towards the edge (p+1)^{p+1}/p^p from both sides."""
    edge = (power + 1) ** (power + 1) / power**power
    beside = [1 - np.geomspace(1e-7, 0.1, 40), 1 + np.geomspace(1e-9, 9, 40)]
    xs = edge * np.concatenate([np.linspace(0.002, 1.05, 300), np.geomspace(1e-13, 1e-3, 60), *beside])
    found = product(power).density(xs)
    known = np.array([float(fuss_catalan_density(power, mp.mpf(x))) if x < edge else 0.0 for x in xs])
    assert np.all(found[xs > edge] == 0)
    inside = xs < edge * (1 - 1e-6)
    assert np.max(np.abs(found[inside] / known[inside] - 1)) < 1e-8


def along(polynomial, xs):
    """m(x + i0) at all x: the roots of the polynomial (companion matrices) nearest to the last ones, from far above the axis
    down in steps of 3 per cent."""
    m, height = -1 / (xs + 400j), 400.0
    while height > 1e-9:
        height *= 0.97
        rows = np.array([[complex(c) for c in polynomial(complex(x, height))] for x in xs])
        companion = np.zeros((len(xs), rows.shape[1] - 1, rows.shape[1] - 1), complex)
        companion[:, 0] = -rows[:, 1:] / rows[:, :1]
        companion[:, np.arange(1, rows.shape[1] - 1), np.arange(rows.shape[1] - 2)] = 1
        roots = np.linalg.eigvals(companion)
        m = roots[np.arange(len(xs)), np.argmin(np.abs(roots - m[:, None]), axis=1)]
    return m


@pytest.mark.parametrize(("name", "low", "high"), [("P3", 0.3, 5.8), ("P5", -2.2, 2.2), ("P7", -3.4, 3.4)])
def test_grids_of_the_benchmark_sheet(name, low, high):
    """P3 with its gap of 0.019, P5 with two bulks, P7: every point, the gap included."""
    model, polynomial = POLYNOMIALS[name]
    xs = np.concatenate([np.linspace(low, high, 45), [1.4999, 1.5001, 1.51, 1.519, 1.5191]])
    rho, found = descent(model).density(xs)
    known = along(polynomial, xs).imag / np.pi
    assert found.all() and np.max(np.abs(rho - known)) < 1e-6  # the reference stops at 1e-9 above the axis
    assert np.all((rho == 0) == (known < 1e-5))


def test_no_point_of_a_gap_or_of_a_bulk_is_wrong():
    """P3 on 1,000 points: positive in the two bulks and zero elsewhere, as the edges of the sheet say."""
    rho, found = descent(p3()).density(np.linspace(0.05, 6, 1000))
    xs = np.linspace(0.05, 6, 1000)
    bulk = ((xs > 0.31881657608267735) & (xs < 1.5)) | ((xs > 1.5190695292579235) & (xs < 5.66211389465939911))
    assert found.all() and np.array_equal(rho > 0, bulk)


@pytest.mark.parametrize(("model", "atom"), [(p2(), 0.0), (p3(), 0.0), (p5(), 0.0), (p7(), 0.0)])
def test_total_mass(model, atom):
    """Density plus atoms have mass 1: Gauss-Chebyshev nodes between the square-root edges."""
    given = model.expr.arg if hasattr(model.expr, "arg") else model.expr
    law = spectrum(given.xreplace({z: sp.S.Zero}), model.ensembles)
    values = {symbol: value for symbol, value in model.values.items() if symbol != z}
    edges = [float(edge) for edge in law.edges(values)]
    angles = (2 * np.arange(1, 201) - 1) * np.pi / 400
    mass = float(sum(weight for _, weight in law.atoms(values)))
    for a, b in zip(edges[::2], edges[1::2], strict=True):
        nodes = (a + b) / 2 + (b - a) / 2 * np.cos(angles)
        mass += np.sum(law.density(nodes, values) * np.sin(angles)) * np.pi / 200 * (b - a) / 2
    assert abs(mass - 1) < 1e-7


def test_mass_with_an_atom():
    """P2 with c = 2: mass 1/2 at 0, and (1/(2 pi c)) sqrt((b - x)(x - a))/x, of mass 1/2, on the rest."""
    X = sp.MatrixSymbol("X", p, n)
    law = spectrum(X * X.T / n, {X: Gaussian()})
    xs = np.linspace(0.2, 5.8, 50)
    a, b = (1 - np.sqrt(2)) ** 2, (1 + np.sqrt(2)) ** 2
    assert np.allclose(law.density(xs, {p: 2, n: 1}), np.sqrt((b - xs) * (xs - a)) / (4 * np.pi * xs), rtol=1e-11)
    assert law.density(np.array([0.0, 0.1]), {p: 2, n: 1}).tolist() == [0, 0]


def test_at_singular_points_and_next_to_them():
    """0 at a square-root edge and at a cusp, infinite at an inverse power; next to them the closed forms."""
    W = sp.MatrixSymbol("W", n, n)
    semicircle = spectrum(W, {W: Wigner(1 / n)})
    inside = np.nextafter(2, 0)
    found = semicircle.density(np.array([-2, 2, inside, 2 + 1e-15]))
    assert found.tolist()[:2] == [0, 0] and found[3] == 0
    assert abs(found[2] / (np.sqrt((2 - inside) * 4) / (2 * np.pi)) - 1) < 1e-6
    assert product(3).density(np.array([0.0])) == np.inf
    # P5 at s = 1: m^3 + 2 z m^2 + z^2 m + z = 0, so that m ~ (-z)^{1/3} and the density is (sqrt 3/(2 pi)) |x|^{1/3}
    D = sp.MatrixSymbol("D", n, n)
    law = spectrum(D + W, {D: Deterministic(law=[(1, "1/2"), (-1, "1/2")]), W: Wigner(1 / n)})
    found = law.density(np.array([0.0, 1e-12, -1e-12]))
    assert found[0] == 0 and np.allclose(found[1:], np.sqrt(3) / (2 * np.pi) * 1e-4, rtol=1e-6)


def test_the_scale_does_not_matter():
    """The law of a W is that of W stretched: a from 1e-8 to 1e8."""
    W, a = sp.MatrixSymbol("W", n, n), sp.Symbol("a", positive=True)
    law = spectrum(a * W, {W: Wigner(1 / n)})
    xs = np.linspace(-2.5, 2.5, 41)
    known = np.sqrt(np.maximum(4 - xs**2, 0)) / (2 * np.pi)
    for scale in ("1e-8", "1", "1e8"):
        found = law.density(xs * float(scale), {n: 1, a: scale}) * float(scale)
        assert np.allclose(found, known, atol=1e-10)


def test_against_the_certified_evaluator():
    """Two routes that share the equations' derivation only: hermitised descent with balls, and the descent in height."""
    law = expected_trace(p7().expr, p7().ensembles)
    for x in ("0.3", "-1.7", "3.2"):
        value = complex(law.evaluate({n: 1, z: x}, 15))
        m, _ = descent(p7()).stieltjes(np.array([float(x)]))
        assert abs(m[0] - value) < 1e-12 * abs(value)


def test_above_and_below_the_axis():
    law = product(2)
    points = np.array([0.7 + 0.5j, 0.7 - 0.5j, -3.0, 2 + 1e-9j])
    found = law.stieltjes(points)
    # m G-transform of the sheet, P9 at p = 2
    assert abs(found[0] - (-0.347243901387521732531465893075 + 0.825072880540295098197353639639j)) < 1e-13
    assert found[1] == found[0].conj()
    assert np.max(np.abs(points**2 * -(found**3) + points * found + 1)) < 1e-12  # z^2 G^3 - z G + 1 = 0 with G = -m


def test_a_thousand_points_of_p9_in_a_second():
    """P9 with p = 5, equations known and compiled: processor time of the density alone."""
    law = product(5)
    law.density(np.array([1.0]))
    xs = np.linspace(1e-4, 15.5, 1000)
    times = []
    for _ in range(3):
        start = time.process_time()
        law.density(xs)
        times.append(time.process_time() - start)
    assert min(times) < 1


def test_steps_that_go_astray_are_refused():
    """P9 at p = 3 and z = 0.7 + 0.5 i has two roots with positive Im m and Im z m (sheet): the other one is beyond the hyperbolic
    distance; a step onto the axis from far away, and one that is too long, are not believed."""
    down = descent(p9(3))
    z0, z1 = np.array([0.7 + 0.6j]), np.array([0.7 + 0.5j])
    g0, _ = down.unknowns(z0)
    g1, _ = down.unknowns(z1)
    assert down._schwarz_pick(g0, z0, g1, z1)[0] and down._step(g0, z0, z1)[1][0]
    # a value that is too far away, in the upper half plane like the right one
    assert not down._schwarz_pick(g0, z0, 3 * g1, z1)[0]
    before, right = down.stieltjes(np.concatenate([z0, z1]))[0]
    assert abs(right - (-0.457648024269592508549381293251 + 0.782586804864498722713076899363j)) < 1e-13
    roots = np.roots([z1[0] ** 3, 0, 0, z1[0], 1])  # z^3 G^4 - z G + 1 at G = -m
    (other,) = [m for m in roots if m.imag > 0 and (z1[0] * m).imag > 0 and abs(m - right) > 1e-6]
    distance = abs((other - before) / (other - before.conjugate()))
    assert distance > abs((z1[0] - z0[0]) / (z1[0] - z0[0].conjugate()))
    assert not down._step(g1, z1, np.array([0.7 + 0j]))[1][0]
    high = np.array([0.7 + 50j])
    assert not down._step(down.unknowns(high)[0], high, np.array([0.7 + 0.01j]))[1][0]


def test_duals():
    """Derivatives by hand: f = x^3/(y - 2), definitions first."""
    x, y, t = sp.symbols("x y t")
    f = compile_dual([x, y], [(t, y - 2)], [x**3 / t])
    one, other = np.array([[1.0], [0.0]]), np.array([[0.0], [1.0]])
    (found,) = f([Dual(np.array([2.0]), one), Dual(np.array([6.0]), other)])
    assert found.value == 2 and found.slope.ravel().tolist() == [3, -0.5]


def test_bad_points():
    law = spectrum(sp.MatrixSymbol("W", n, n), {sp.MatrixSymbol("W", n, n): Wigner(1 / n)})
    for bad in ("a", np.array([np.nan]), np.array([1j]), [None]):
        with pytest.raises(InputError, match="finite real numbers"):
            law.density(bad)
    assert law.density(np.zeros((2, 3))).shape == (2, 3) and law.density(0.0).shape == ()
