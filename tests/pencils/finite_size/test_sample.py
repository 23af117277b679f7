"""Sampling a SymPy expression at finite size.

Limits come from the sheet of known answers (P1 ... E3): closed forms of the literature. A mean at finite size differs from its
limit by a bias of order 1/size, which two sizes cancel. Exact finite-size moments need no such care.
"""

import cmath
import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
import sympy as sp

from pencils.errors import InputError, SimulationError
from pencils.finite_size.deterministic import multiplicities
from pencils.finite_size.given import concrete
from pencils.finite_size.sample import Sample, draw, sample
from pencils.language.ensembles import Deterministic, Gaussian, Vector, Wigner, commuting
from pencils.language.expression import read

n, p, d, lam, sigma = sp.symbols("n p d lambda sigma", positive=True)
z = sp.Symbol("z")
Z = sp.Rational(7, 10) + sp.I / 2
X, Y = sp.MatrixSymbol("X", p, n), sp.MatrixSymbol("Y", p, n)
S, T, A, B = (sp.MatrixSymbol(name, p, p) for name in "STAB")
u, v = sp.MatrixSymbol("u", p, 1), sp.MatrixSymbol("v", p, 1)
Id = sp.Identity(p)
R = (X * X.T / n - z * Id).inverse()
HALF = sp.Rational(1, 2)


def extrapolated(expression, values, size, draws, seed):
    """2 mean(2 size) - mean(size): a bias of c/size drops out, and what is left is of order 1/size^2."""
    small, large = (sample(expression, values, size=k * size, draws=draws, seed=seed + k) for k in (1, 2))
    a, b = small.standard_error, large.standard_error
    error = math.hypot(a.real, 2 * b.real)
    if isinstance(a, complex):
        error = complex(error, math.hypot(a.imag, 2 * b.imag))
    return Sample(2 * large.mean - small.mean, error, draws, large.dimensions)


def z_scores(found, known):
    """Distances from the known value in standard errors; real and imaginary part apart."""
    gap, error = found.mean - known, found.standard_error
    if isinstance(gap, complex):
        return max(abs(gap.real / error.real), abs(gap.imag / error.imag))
    return abs(gap / error)


def _semicircle(w):
    """m^2 + z m + 1 = 0 with Im m > 0."""
    roots = [(-w + sign * cmath.sqrt(w * w - 4)) / 2 for sign in (1, -1)]
    return max(roots, key=lambda m: m.imag)


def _cases():
    w = complex(Z)
    W, Q = sp.MatrixSymbol("W", n, n), sp.MatrixSymbol("Q", n, n)
    Jd = sp.Identity(n)
    n0, n1, m = sp.symbols("n0 n1 m", positive=True)
    F = sp.MatrixSymbol("F", n1, n0) * sp.MatrixSymbol("G", n0, m) / 2 + sp.sqrt(sigma - sp.Rational(1, 4)) * sp.MatrixSymbol(
        "E", n1, m
    )
    G = sp.MatrixSymbol("G", n0, m)
    features = {sp.MatrixSymbol("F", n1, n0): Gaussian(1 / n0), G: Gaussian(), sp.MatrixSymbol("E", n1, m): Gaussian()}
    K = F.T * F / n1 + lam * sp.Identity(m)
    at = {n0: "3/2", m: 1, n1: "15/8", lam: "1/10", sigma: HALF - 1 / (2 * sp.pi)}
    law = commuting({S: [sp.sqrt(HALF), sp.sqrt(2)], T: [2, HALF]}, [HALF, HALF])
    ridge = (S * X * X.T * S + lam * Id).inverse()
    return {
        "P1 GOE": ((W - z * Jd).inverse(), {W: Wigner(1 / n)}, {n: 1, z: Z}, _semicircle(w)),
        "P1 GUE": ((W - z * Jd).inverse(), {W: Wigner(1 / n, "complex")}, {n: 1, z: Z}, _semicircle(w)),
        "P2 z = -1": (R, {X: Gaussian()}, {p: 1, n: 2, z: -1}, (math.sqrt(17) - 3) / 2),
        "P3": (
            (S * X * X.T * S / n - z * Id).inverse(),
            {X: Gaussian(), S: Deterministic(law=[(1, HALF), (sp.sqrt(3), HALF)])},
            {p: 1, n: 4, z: Z},
            0.315547492246971218 + 0.844418180251805959j,
        ),
        "P5": (
            (S + sp.sqrt(lam) * A - z * Id).inverse(),
            {S: Deterministic(law=[(1, HALF), (-1, HALF)]), A: Wigner(1 / p, "complex")},
            {p: 1, z: Z, lam: "1/2"},
            -0.0356609422368409009 + 0.646018172012052445j,
        ),
        "P7 i(xy - yx)": (
            (sp.I * (W * Q - Q * W) - z * Jd).inverse(),
            {W: Wigner(1 / n, "complex"), Q: Wigner(1 / n, "complex")},
            {n: 1, z: Z},
            -0.228760650374020287 + 0.602454304214378890j,
        ),
        "P9 p = 2": (
            (W * Q * (W * Q).T - z * Jd).inverse(),
            {W: Gaussian(1 / n), Q: Gaussian(1 / n)},
            {n: 1, z: Z},
            -0.347243901387521532 + 0.825072880540295098j,
        ),
        "P12 t1": (K.inverse(), features, at, 3.59896303862117741),
        "P12 t2": (G.T * G * K.inverse() / n0, features, at, 2.57980382150769067),
        "P14 bias": (
            lam**2 * ridge * T * ridge * S**2,
            {X: Gaussian(1 / n), **law},
            {p: 2, n: 3, lam: "1/5"},
            0.160335583900129038,
        ),
        "P15": (
            ((Y + sigma * X) * (Y + sigma * X).T - z * Id).inverse(),
            {Y: Deterministic(singular_values=[(HALF, HALF), ("3/2", HALF)]), X: Gaussian(1 / n)},
            {p: 1, n: 2, z: Z, sigma: 0.8},
            0.143250904552568155 + 0.791516347854227972j,
        ),
        "P18": (
            sigma * ((W - lam * Jd) * (W - lam * Jd).T + sigma**2 * Jd).inverse(),
            {W: Gaussian(1 / n)},
            {n: 1, sigma: "3/10", lam: "3/5"},
            0.726208734813001186,
        ),
        "E1": ((X.T * X + lam * sp.Identity(n)).inverse(), {X: Gaussian(1 / p)}, {p: 2, n: 1, lam: 1}, 0.561552812808830275),
    }


CASES = _cases()


@pytest.mark.parametrize("name", CASES)
def test_known_limits(name):
    expr, ensembles, values, known = CASES[name]
    found = extrapolated(read(expr, ensembles), values, size=40, draws=150, seed=1)
    assert z_scores(found, known) < 4
    assert z_scores(found, known * 1.03) > 5  # enough power to tell a value that is 3 per cent off


@pytest.mark.parametrize(
    ("expr", "ensembles", "known"),
    [
        (X * X.T, {X: Gaussian(lam)}, 2 * 12),  # v n, since E (X X^T)_ii = n v
        (A * A, {A: Wigner(lam)}, 2 * (6 + 1)),  # GOE: (p - 1) v + 2 v
        (A * A, {A: Wigner(lam, "complex")}, 2 * 6),  # GUE: (p - 1) v + v
        (A * A.adjoint(), {A: Wigner(lam, "complex")}, 2 * 6),
        (A**4, {A: Wigner(lam, "complex")}, 4 * (2 * 36 + 1)),  # GUE: v^2 (2 p^2 + 1), Harer-Zagier
        (X * X.T * X * X.T, {X: Gaussian(lam)}, 4 * 12 * (12 + 6 + 1)),  # Wishart: v^2 n (n + p + 1)
    ],
)
def test_exact_finite_size_moments(expr, ensembles, known):
    values = {p: 1, n: 2, lam: 2} if X in ensembles else {p: 1, lam: 2}
    found = sample(read(expr, ensembles), values, size=6, draws=3000, seed=3)
    assert isinstance(found.mean, float)
    assert z_scores(found, known) < 4
    assert found.standard_error < 0.05 * known


def test_diagonal_entries_of_wigner_matrices():
    """E w_ii^2 is 2 v for GOE and v for GUE: tr W^2 alone does not tell the diagonal from the rest at large size."""
    for field, ratio in (("real", 2), ("complex", 1)):
        found = sample(read(u.T * A * u, {A: Wigner(5, field), u: Vector()}), {p: 1}, size=2, draws=4000, seed=2)
        variance = found.draws * found.standard_error.real**2 if field == "complex" else found.draws * found.standard_error**2
        assert variance == pytest.approx(5 * ratio, rel=4 * math.sqrt(2 / 4000))


def test_bilinear_form_of_a_resolvent():
    """u.T (X X^T/n + 1)^{-1} v tends to (u, v) m(-1), m the Marchenko-Pastur transform (isotropic law), P2."""
    ensembles = {X: Gaussian(), u: Vector(norm=2, overlaps={v: "-3/2"}), v: Vector()}
    found = sample(read(u.T * R * v, ensembles), {p: 1, n: 2, z: -1}, size=150, draws=60, seed=4)
    assert z_scores(found, -1.5 * (math.sqrt(17) - 3) / 2) < 4


def test_vectors_have_their_norms_and_overlaps():
    w = sp.MatrixSymbol("w", p, 1)
    ensembles = {
        u: Vector(norm=2, overlaps={v: "1/2"}),
        v: Vector(norm="1/3"),
        w: Vector(norm=3, overlaps={u: 1, v: "-1/4"}),
    }
    everything = lam * (u.T * u + v.T * v + w.T * w)  # three vectors at once, and lam = 0 leaves one product
    for expr, known in ((u.T * u, 4), (v.T * v, 1 / 9), (u.T * v, 0.5), (v.T * w, -0.25), (3 * w.T * u + w.T * w, 12)):
        found = draw(read(expr + everything, ensembles), {p: 1, lam: 0}, 5, np.random.default_rng(0))
        assert found == pytest.approx(known, rel=1e-12)


def test_components_of_vectors_beside_a_law():
    """u.T S v = sum over eigenvalues of value * inner product of the projections."""
    ensembles = {
        S: Deterministic(law=[(2, HALF), (5, HALF)]),
        u: Vector(components=[1, 3], overlaps={v: [HALF, -2]}),
        v: Vector(components=[1, 1]),
    }
    value = draw(read(u.T * S * v, ensembles), {p: 1}, 8, np.random.default_rng(0))
    assert value == pytest.approx(2 * 0.5 + 5 * -2, rel=1e-12)


def test_laws_are_realised_with_their_weights():
    third = sp.Rational(1, 3)
    law = commuting({S: [1, 2, 3], T: [5, 7, 11]}, [third] * 3)
    assert draw(read(S * T, law), {p: 1}, 9, np.random.default_rng(0)) == pytest.approx((5 + 14 + 33) / 3)
    wide = Deterministic(singular_values=[(2, HALF), (4, HALF)])
    assert draw(read(X * X.T, {X: wide}), {p: 1, n: 3}, 4, np.random.default_rng(0)) == pytest.approx(10)
    assert draw(read(X.T * X, {X: wide}), {p: 1, n: 3}, 4, np.random.default_rng(0)) == pytest.approx(10 / 3)


def test_multiplicities_add_up():
    assert multiplicities([HALF, HALF], 5) in ([3, 2], [2, 3])
    assert multiplicities(["0.5", "0.3", "0.2"], 10) == [5, 3, 2]
    assert sum(multiplicities([sp.Rational(1, 7)] * 7, 100)) == 100


def test_arrays_fix_the_size():
    rng = np.random.default_rng(5)
    a, b = rng.standard_normal((6, 6)), rng.standard_normal((6, 6))
    expression = read(A * B.T * A.inverse() * 2 + X * X.T, {A: Deterministic(), B: Deterministic(), X: Gaussian(1 / n)})
    found = sample(expression, {p: 2, n: 3, A: a, B: b}, draws=400, seed=6)
    assert found.dimensions == {p: 6, n: 9}
    assert z_scores(found, 2 * np.trace(b) / 6 + 1) < 4
    vector = np.arange(6)
    bilinear = read(u.T * A.inverse() * A.T * v, {A: Deterministic(), u: Vector(), v: Vector()})
    known = vector @ np.linalg.inv(a) @ a.T @ vector**2
    assert draw(bilinear, {p: 1, A: a, u: vector, v: vector**2}, 1, rng) == pytest.approx(known)


def test_dimensions_are_rounded_and_reported():
    found = sample(read(R, {X: Gaussian()}), {p: "1/3", n: 1, z: -1}, size=100, draws=2)
    assert found.dimensions == {p: 33, n: 100}
    half = sp.MatrixSymbol("H", n / 2, n)
    assert sample(read(half * half.T, {half: Gaussian(1 / n)}), {n: 1}, size=11, draws=2).dimensions == {n: 11}


def test_seeds():
    expression = read(R, {X: Gaussian()})
    values = {p: 1, n: 2, z: -1}
    first = sample(expression, values, size=10, draws=4, seed=7)
    assert sample(expression, values, size=10, draws=4, seed=7) == first
    assert sample(expression, values, size=10, draws=4, seed=8).mean != first.mean


@pytest.mark.parametrize(
    ("value", "number"),
    [
        (2, 2.0),
        ("1/4", 0.25),
        (Fraction(1, 8), 0.125),
        (Decimal("0.5"), 0.5),
        (0.1, 0.1),
        (np.float64(0.5), 0.5),
        (sp.Rational(1, 4), 0.25),
        (sp.sqrt(2), math.sqrt(2)),
        (sp.Float("0.1", 50), 0.1),
        (1 - sp.pi, 1 - math.pi),
        (HALF + 2 * sp.I, 0.5 + 2j),
        (3j, 3j),
        (complex(2), 2.0),
    ],
)
def test_concrete(value, number):
    assert concrete(value, "x") == number
    assert type(concrete(value, "x")) is type(number)


def test_complex_parameters_give_complex_errors():
    found = sample(read(R, {X: Gaussian()}), {p: 1, n: 2, z: Z}, size=20, draws=5)
    assert isinstance(found.mean, complex) and isinstance(found.standard_error, complex)


GOOD = {p: 1, n: 2, z: -1}
SQUARE = np.eye(3)


@pytest.mark.parametrize(
    ("expr", "ensembles", "values", "options", "words"),
    [
        (R, {X: Gaussian()}, {p: 1, n: 2}, {}, "no value is given for z"),
        (R, {X: Gaussian()}, {**GOOD, lam: 1}, {}, "lambda has a value and is no parameter.*n, p, z"),
        (R, {X: Gaussian()}, {**GOOD, "n": 1}, {}, "is no parameter"),
        (R, {X: Gaussian()}, {**GOOD, z: "q"}, {}, "z = 'q': not a number"),
        (R, {X: Gaussian()}, {**GOOD, z: lam}, {}, "z = lambda: not a number"),
        (R, {X: Gaussian()}, {**GOOD, z: np.array([1, 2])}, {}, "not a number"),
        (R, {X: Gaussian()}, {**GOOD, n: 0}, {}, "n = 0.0: a dimension is a positive number"),
        (R, {X: Gaussian()}, {**GOOD, n: sp.I}, {}, "a dimension is a positive number"),
        (R, {X: Gaussian()}, [1], {}, "give a mapping"),
        (R, {X: Gaussian()}, GOOD, {"size": 0}, "size = 0"),
        (R, {X: Gaussian()}, GOOD, {"size": 10**6}, "dimensions up to 20000"),
        (R, {X: Gaussian()}, GOOD, {"draws": 1}, "draws = 1"),
        (R, {X: Gaussian()}, GOOD, {"seed": -1}, "seed = -1"),
        (X * X.T, {X: Gaussian(lam)}, {p: 1, n: 1, lam: -1}, {}, "variance of an entry is -1"),
        (A, {A: Deterministic()}, {p: 1}, {}, "no value is given for A"),
        (A, {A: Deterministic()}, {p: 1, A: "x"}, {}, "A: a NumPy array"),
        (A, {A: Deterministic()}, {p: 1, A: SQUARE * np.nan}, {}, "A: a NumPy array of finite real numbers"),
        (A, {A: Deterministic()}, {p: 1, A: np.ones(3)}, {}, r"shape \(3,\) does not fit"),
        (A, {A: Deterministic()}, {p: 1, A: np.ones((3, 4))}, {}, "a side of 4 where p is 3"),
        (A + B, {A: Deterministic(), B: Deterministic()}, {p: 1, A: SQUARE, B: np.eye(4)}, {}, "same ratios"),
        (
            A,
            {A: Deterministic(symmetric=True)},
            {p: 1, A: np.triu(np.ones((3, 3)))},
            {},
            "declared symmetric and its array",
        ),
        (u.T * A * u, {A: Deterministic(), u: Vector()}, {p: 1, A: SQUARE}, {}, "no value is given for u"),
        (u.T * v, {u: Vector(), v: Vector()}, {p: 1}, {"size": 1}, "too small for u, v"),
    ],
)
def test_refused(expr, ensembles, values, options, words):
    with pytest.raises(InputError, match=words) as error:
        sample(read(expr, ensembles), values, **options)
    assert "\n" not in str(error.value)


def test_singular_matrices_are_reported():
    with pytest.raises(SimulationError, match="singular"):
        sample(read(A.inverse(), {A: Deterministic()}), {p: 1, A: np.zeros((3, 3))})
