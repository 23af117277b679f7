"""Values against sampling, derivatives against difference quotients, products of resolvents against exact identities."""

import cmath
import random

import pytest
import sympy as sp
from benchmark_models import d, e2, e3, lam, n, n1, p, p3, p5, p12, p14, s, z
from hypothesis import given, settings
from hypothesis import strategies as st
from random_models import Draw, declared, mu, q
from random_models import n as rows
from random_models import p as cols
from random_models import w as second
from random_models import z as first

from pencils import Gaussian, Wigner, commuting, expected_trace
from pencils.errors import InputError

HALF = sp.Rational(1, 2)
W = sp.Symbol("omega")


def z_score(law, values, seed, size=40, draws=40):
    """The limit against 2 mean(2 size) - mean(size), whose bias is of order 1/size^2, in standard errors; and the error."""
    small, large = (law.sample(values, size=k * size, draws=draws, seed=(seed + k) % 2**32) for k in (1, 2))
    gap = complex(2 * large.mean - small.mean) - complex(law.evaluate(values, 20))
    a, b = complex(small.standard_error), complex(large.standard_error)
    spread = (a.real**2 + 4 * b.real**2) ** 0.5, (a.imag**2 + 4 * b.imag**2) ** 0.5
    parts = [abs(g) / e for g, e in zip((gap.real, gap.imag), spread, strict=True) if e > 0]
    return max(parts), gap


@pytest.mark.simulation
@given(st.integers(0, 2**32))
@settings(max_examples=10)
def test_random_expressions_against_sampling(seed):
    """Products of resolvents of random Hermitian polynomials, at two spectral parameters, with matrices between them."""
    draw = Draw(seed)
    expr = draw.resolvents(most=2)
    law = expected_trace(expr, declared(expr))
    rng = random.Random(seed)
    values = {
        cols: 2,
        rows: 3,
        q: rng.choice([1, 4]),
        lam: HALF,
        mu: 1,
        first: sp.Rational(rng.randint(-20, 20), 10) + sp.I / 2,
        second: sp.Rational(rng.randint(-20, 20), 10) + sp.I / 3,
    }
    score, gap = z_score(law, {k: v for k, v in values.items() if k in law.parameters}, seed)
    assert score < 5, (expr, gap)


@given(st.integers(0, 2**32))
@settings(max_examples=6)
def test_polynomials_in_two_gue_matrices_against_sampling(seed):
    """Self-adjoint polynomials in GUE and Wishart matrices above the real axis."""
    rng = random.Random(seed)
    a, b = sp.MatrixSymbol("a", n, n), sp.MatrixSymbol("b", n, n)
    X = sp.MatrixSymbol("X", n, d)
    words = [
        a * b + b * a,
        sp.I * (a * b - b * a),
        a * b * a,
        b**2,
        a,
        b,
        a**3,
        X * X.T,
        a * X * X.T * a,
        X * X.T * b + b * X * X.T,
    ]
    chosen = rng.sample(words, 2)
    expr = (chosen[0] + rng.choice([1, -1, HALF]) * chosen[1] - z * sp.Identity(n)).inverse()
    ensembles = {a: Wigner(1 / n, "complex"), b: Wigner(1 / n, "complex"), X: Gaussian(1 / d)}
    law = expected_trace(expr, {m: ensembles[m] for m in expr.atoms(sp.MatrixSymbol)})
    values = {n: 1, d: 2, z: sp.Rational(rng.randint(-30, 30), 10) + sp.I * sp.Rational(rng.randint(2, 8), 10)}
    score, gap = z_score(law, {k: v for k, v in values.items() if k in law.parameters}, seed)
    assert score < 5, (expr, gap)


@pytest.mark.parametrize(
    ("model", "symbol"),
    [(e2(), lam), (e2(), d), (e3(), n1), (p12("t2"), lam), (p14("bias"), p), (p3(), z), (p5(), s)],
    ids=["E2 lambda", "E2 d", "E3 n1", "P12 lambda", "P14 p", "P3 z", "P5 s"],
)
def test_derivatives_against_difference_quotients(model, symbol):
    law = expected_trace(model.expr, model.ensembles)
    centre, step = sp.nsimplify(model.values[symbol]), sp.Rational(1, 10**14)
    up, down = (law.evaluate({**model.values, symbol: centre + k * step}, 45) for k in (1, -1))
    quotient = (up - down) / (2 * step)
    assert abs(law.diff(symbol).evaluate(model.values) - quotient) < abs(quotient) * sp.Float("1e-22", 30)


def test_dimensions_count_up_to_a_common_factor():
    """Euler: sum over dimensions of dim * d/d(dim) vanishes."""
    model = e3()
    law = expected_trace(model.expr, model.ensembles)
    terms = [sp.Rational(model.values[x]) * law.diff(x).evaluate(model.values, 30) for x in law.expression.dimensions]
    assert abs(sum(terms)) < sp.Float("1e-27", 30) * max(map(abs, terms))
    assert law.evaluate({k: sp.Rational(v) * (7 if k != lam else 1) for k, v in model.values.items()}) == law.evaluate(model.values)


def test_two_resolvents_of_one_matrix():
    """R(z) R(w) = (R(z) - R(w))/(z - w), and R(z)^2 = R'(z): pencils of two blocks more, no formula in common."""
    model = p3()
    R = model.expr
    one = expected_trace(R, model.ensembles)
    other = R.xreplace({z: W})
    values = {**model.values, W: sp.Rational(-3, 10) + 2 * sp.I}
    product = expected_trace(R * other, model.ensembles).evaluate(values, 35)
    a, b = (one.evaluate({**model.values, z: values[x]}, 40) for x in (z, W))
    assert abs(product - (a - b) / (values[z] - values[W])) < sp.Float("1e-33", 40)
    square = expected_trace(R**2, model.ensembles).evaluate(model.values, 35)
    assert abs(square - one.diff(z).evaluate(model.values, 35)) < sp.Float("1e-33", 40)


def test_two_resolvents_with_matrices_between():
    """tr A R B R with commuting A, B: minus the derivative of tr A (S X X^T S + lam + t B)^{-1} at t = 0."""
    A, B, S = (sp.MatrixSymbol(name, p, p) for name in "ABS")
    X, t = sp.MatrixSymbol("X", p, n), sp.Symbol("t", real=True)
    joint = commuting({A: [1, -2, 3], B: [2, 1, HALF], S: [1, 2, 1]}, [HALF, sp.Rational(1, 4), sp.Rational(1, 4)])
    laws = {X: Gaussian(1 / n), **joint}
    R = (S * X * X.T * S + lam * sp.Identity(p)).inverse()
    moved = (S * X * X.T * S + lam * sp.Identity(p) + t * B).inverse()
    values = {p: 2, n: 3, lam: "1/3"}
    slope = expected_trace(A * moved, laws).diff(t).evaluate({**values, t: 0}, 35)
    for expr in (A * R * B * R, B * R * A * R, R * A * R * B):
        assert abs(expected_trace(expr, laws).evaluate(values, 35) + slope) < sp.Float("1e-33", 40)


def test_semicircle_in_every_half_plane():
    """m = (-z + sqrt(z^2 - 4))/2 with the root that decays, at random complex z, as an array."""
    H = sp.MatrixSymbol("H", n, n)
    law = expected_trace((H - z * sp.Identity(n)).inverse(), {H: Wigner(1 / n)})
    rng = random.Random(3)
    for _ in range(20):
        point = complex(round(rng.uniform(-3, 3), 3), round(rng.uniform(-2, 2), 3))
        root = cmath.sqrt(point - 2) * cmath.sqrt(point + 2)
        assert complex(law.evaluate({n: 1, z: point}, 15)) == pytest.approx((root - point) / 2, rel=1e-13)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({n: 3, d: 2}, "missing lambda"),
        ({n: 3, d: 2, lam: 1, s: 2}, "unknown parameter s"),
        ({n: 3, d: 0, lam: 1}, "a dimension must be positive"),
        ({n: 3, d: -2, lam: 1}, "a dimension must be positive"),
        ({n: 3, d: 2, lam: "q"}, "not a number"),
    ],
)
def test_refused(values, words):
    law = expected_trace(e2().expr, e2().ensembles)
    with pytest.raises(InputError, match=words):
        law.evaluate(values)
    with pytest.raises(InputError, match="digits"):
        law.evaluate(e2().values, digits=0)
    with pytest.raises(InputError, match="not a parameter"):
        law.diff(z)


def test_how_a_law_and_its_checks_are_shown():
    """In a notebook: LaTeX of the law, one readable line as its repr, a table of checks with the rounded dimensions."""
    model = e2()
    law = expected_trace(model.expr, model.ensembles)
    assert repr(law) == ("Law: limit of the normalised trace inv(lambda*I + S*Z.T*Z*S); parameters: d, lambda, n")
    assert "d/dlambda" in repr(law.diff(lam)) and law._repr_latex_().startswith("$$ \\begin{aligned}")
    checks = law.check(model.values, sizes=(10, 20), draws=8, seed=5)
    head, *rows = str(checks).splitlines()
    assert "standard error" in head and len(rows) == 2 and {len(row) for row in rows} == {len(head)}
    assert "d=20, n=30" in rows[0] and repr(checks) == str(checks)


def test_checks_of_complex_values_and_of_boundary_values():
    model = p3()
    law = expected_trace(model.expr, model.ensembles)
    (check,) = law.check(model.values, sizes=(60,), draws=30, seed=2)
    assert check.value.imag > 0 and check.sample.mean.imag > 0 and check.z < 5 and "j" in str(law.check(model.values, (9,), 4))
    with pytest.raises(InputError, match="boundary value"):
        law.check({**model.values, z: 1}, sizes=(10,), draws=3)


def test_a_real_spectral_parameter_has_boundary_values():
    """GOE at x = 1: m = (-1 + i sqrt 3)/2 from above, whatever SymPy is told of x; a complex value is refused."""
    x = sp.Symbol("x", real=True)
    H = sp.MatrixSymbol("H", n, n)
    law = expected_trace((H - x * sp.Identity(n)).inverse(), {H: Wigner(1 / n)})
    known = (-1 + sp.I * sp.sqrt(3)) / 2
    assert abs(sp.N(law.evaluate({n: 1, x: 1}, 25) - known, 30)) < 1e-24
    assert law.equations[0].rhs.equals(-1 / (x + law.equations[0].lhs))
    for value in (1 + sp.I, 2j):
        with pytest.raises(InputError, match="x is declared real"):
            law.evaluate({n: 1, x: value})
