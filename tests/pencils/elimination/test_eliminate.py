"""Polynomials of laws: those of the sheet, of quotients of Wishart matrices, and of random models."""

import random

import mpmath as mp
import pytest
import sympy as sp
from benchmark_models import (
    HALF,
    e1,
    e6,
    eta,
    eye,
    lam,
    m,
    matrix,
    n,
    n0,
    n1,
    p,
    p1,
    p2,
    p3,
    p4,
    p5,
    p7,
    p9,
    p12,
    p15,
    p18,
    p22,
    s,
    sigma,
    w,
    z,
    zeta,
)
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from random_models import Draw, declared
from random_models import p as rows

from pencils import Deterministic, Gaussian, Wigner, expected_trace
from pencils.elimination.eliminate import Elimination
from pencils.elimination.polynomial_system import polynomial_system
from pencils.elimination.witness import Witness
from pencils.errors import InputError, NoPolynomialError
from pencils.exact.rational_functions import Ring
from pencils.exact.resultant import Budget, resultant

M = sp.Symbol("M")  # the value, in the formulas of this file
c = p / n


def law_of(model):
    return expected_trace(model.expr, model.ensembles)


def is_equal(poly, formula, ratios=None):
    """Equal up to a factor without M, and primitive: the numerator of the formula, its content in M removed."""
    numerator = sp.Poly(sp.numer(sp.together(formula)), M).primitive()[1]
    expected = sp.factor_list(numerator.as_expr())[1]
    expected = sp.Mul(*[f**e for f, e in expected if f.has(M)])
    found = poly.as_expr().subs(poly.gen, M).subs(ratios or {})
    return sp.expand(found - expected) == 0 or sp.expand(found + expected) == 0


def mean(*terms):
    return sum(terms) / len(terms)


SILVERSTEIN = M - mean(*(1 / (t * (1 - c - c * z * M) - z) for t in (1, 3)))
LOAD = 1 + sigma**2 * M / 2
SHEET = {
    "P1": (p1(), M**2 + z * M + 1),
    "P2": (p2(), c * z * M**2 + (z + c - 1) * M + 1),
    "P3, any c": (p3(), SILVERSTEIN),
    "P4": (p4(), c * M**3 + (c * z + 1) * M**2 + (c + z - 1) * M + 1),
    "P5": (p5(), s**2 * M**3 + 2 * s * z * M**2 + (s + z**2 - 1) * M + z),
    "P7 sum": (p7("anticommutator"), z * (-M) ** 3 + M**2 + z * M + 1),
    "P7 difference": (p7("commutator"), z * (-M) ** 3 + M**2 + z * M + 1),
    "P9, p = 2": (p9(2), z**2 * (-M) ** 3 + z * M + 1),
    "P9, p = 3": (p9(3), z**3 * (-M) ** 4 + z * M + 1),
    "P9, p = 5": (p9(5), z**5 * (-M) ** 6 + z * M + 1),
    "P18": (p18(), M**3 + 2 * eta * M**2 + (eta**2 + w**2 - 1) * M - eta),
    # 1 - m_W(-1), m_W from P2
    "P22": (p22(), (c * z * (1 - M) ** 2 + (z + c - 1) * (1 - M) + 1).subs(z, -1)),
}


@pytest.mark.parametrize("name", SHEET)
def test_polynomial_of_the_sheet(name):
    model, formula = SHEET[name]
    poly = law_of(model).polynomial()
    assert is_equal(poly, formula)
    assert poly.gen not in law_of(model).parameters and poly.LC().free_symbols <= set(law_of(model).parameters)


def test_p3_as_printed():
    poly = law_of(p3()).polynomial({p: 1, n: 4})
    assert is_equal(poly, 3 * z**2 * M**3 + (16 * z**2 - 18 * z) * M**2 + (16 * z**2 - 40 * z + 27) * M + 16 * z - 24)


def test_p15_from_its_equation():
    """m = mean 1/(t^2/(1 + sigma^2 c m) - (1 + sigma^2 c m) z + sigma^2 (1 - c)), t = 1/2, 3/2, c = 1/2."""
    formula = M - mean(*(1 / (t**2 / LOAD - LOAD * z + sigma**2 / 2) for t in (HALF, 3 * HALF)))
    law = law_of(p15())
    poly = law.polynomial({p: 1, n: 2})
    assert is_equal(poly, formula) and poly.degree() == 5
    # with Min(n, p) as a parameter: that polynomial is a factor of what Min(n, p) = p leaves
    general = law.polynomial().as_expr().subs({sp.Min(n, p): 1, n: 2, p: 1})
    assert sp.rem(sp.Poly(general, poly.gen), sp.Poly(poly.as_expr(), poly.gen)).is_zero


@pytest.mark.parametrize("trace", ["t1", "t2"])
def test_p12_from_its_two_equations(trace):
    """The resultant of S67 and S68 (sheet) has the polynomial among its factors, and t1, t2 of the sheet are roots."""
    t1, t2, phi, psi = sp.symbols("t1 t2 phi psi")
    first = phi * (zeta * t1 * t2 + phi * (t2 - t1)) + zeta * t1 * t2 * psi * (lam * t1 - 1)
    second = zeta * t1 * t2 * (lam * t1 - 1) - (t2 - t1) * phi * (zeta * (t2 - t1) + eta * t1)
    wanted, gone = (t1, t2) if trace == "t1" else (t2, t1)
    law = law_of(p12(trace))
    poly = law.polynomial()
    numbers = {phi: "3/2", psi: "4/5", eta: "2/5", zeta: "1/4", lam: "3/7"}
    numbers = {symbol: sp.Rational(text) for symbol, text in numbers.items()}
    sizes = {m: 1, n0: sp.Rational(3, 2), n1: sp.Rational(15, 8)}
    eliminant = sp.resultant(first.subs(numbers), second.subs(numbers), gone)
    ours = sp.Poly(poly.as_expr().subs({**numbers, **sizes}), poly.gen)
    assert sp.rem(sp.Poly(eliminant, wanted, domain="QQ"), ours.replace(poly.gen, wanted)).is_zero
    value = {"t1": "3.59896303862117740808632966595", "t2": "2.57980382150769067491501940499"}[trace]
    at = poly.as_expr().subs({**sizes, zeta: sp.Rational(1, 4), eta: HALF - 1 / (2 * sp.pi), lam: sp.Rational(1, 10)})
    slope = abs(sp.diff(at, poly.gen).subs(poly.gen, sp.Float(value, 40)).evalf(40))
    assert abs(at.subs(poly.gen, sp.Float(value, 40)).evalf(40)) < slope * sp.Float("1e-28", 40)


# Quotients of independent Wishart matrices A = X X^T/n, B = Y Y^T/m (p x p): by S-transforms, S_B(u) = 1/(1 + u p/m) and
# S_{1/A}(u) = 1/S_A(-1 - u) = 1 - (1 + u) p/n. With u = -1 - z m(z): (1 + u)/z = u S_B(u) S_{1/A}(u).
X, Y = matrix("X", p, n), matrix("Y", p, m)
WISHART = {X: Gaussian(), Y: Gaussian()}


def quotient(value, point):
    u = -1 - point * value
    return (1 + u) * (1 + u * p / m) - point * u * (1 - (1 + u) * c)


@pytest.mark.parametrize(
    ("expr", "formula"),
    [
        (((X * X.T / n).inverse() * (Y * Y.T / m) - z * eye(p)).inverse(), quotient(M, z)),
        # (A + B)^{-1} B has eigenvalues f/(1 + f): m(z) = 1/(1 - z) + m_F(z/(1 - z))/(1 - z)^2
        (
            ((X * X.T / n + Y * Y.T / m).inverse() * (Y * Y.T / m) - z * eye(p)).inverse(),
            quotient((M - 1 / (1 - z)) * (1 - z) ** 2, z / (1 - z)),
        ),
        # Y^T (X X^T)^{-1} Y, m x m: the non-zero eigenvalues of (m/n) A^{-1} B; m M(z) = p m_p(z) - (m - p)/z
        ((Y.T * (X * X.T).inverse() * Y - z * eye(m)).inverse(), quotient((m * M + (m - p) / z) / p * m / n, z * n / m)),
    ],
    ids=["quotient", "share", "companion"],
)
def test_quotients_of_wishart_matrices(expr, formula):
    assert is_equal(expected_trace(expr, WISHART).polynomial(), formula)


def test_irrational_numbers():
    """GUE of variance v: v m^2 + z m + 1 = 0. v = sqrt(2) is eliminated, pi stays; sqrt(2) sqrt(3) sqrt(6) = 6."""
    W = matrix("W", n, n)

    def poly(variance):
        return expected_trace((W - z * eye(n)).inverse(), {W: Wigner(variance / n)}).polynomial()

    assert is_equal(poly(sp.sqrt(2)), 2 * M**4 - (z * M + 1) ** 2)
    assert is_equal(poly(sp.pi), sp.pi * M**2 + z * M + 1)
    assert is_equal(poly(sp.sqrt(s)), s * M**4 - (z * M + 1) ** 2)
    D = matrix("D", n, n)
    law = Deterministic(law=[(sp.sqrt(2), HALF), (sp.sqrt(3), HALF)])
    assert is_equal(expected_trace(sp.sqrt(6) * D, {D: law}).polynomial(), sp.minimal_polynomial(sp.sqrt(3) + 3 / sp.sqrt(2), M))


def test_numbers_for_all_parameters():
    """P2 at c = 1/2, z = -1: (-3 + sqrt 17)/2. P22: (5 - sqrt 17)/2. E1 at 1: the quadratic of the sheet's value."""
    assert law_of(p2()).polynomial({p: 1, n: 2, z: -1}).all_coeffs() == [1, 3, -2]
    assert law_of(p22()).polynomial({p: 1, n: 2}).all_coeffs() == [1, -5, 2]
    value = sp.Float("0.561552812808830274910704927987", 30)  # E1: (sqrt 17 - 3)/2
    assert abs(law_of(e1()).polynomial(e1().values).eval(value)) < sp.Float("1e-28", 30)


def test_explicit_and_vanishing_values():
    W = matrix("W", n, n)
    assert is_equal(expected_trace(W * W, {W: Wigner(1 / n)}).polynomial(), M - 1)
    assert is_equal(expected_trace(W, {W: Wigner(1 / n)}).polynomial(), M)


@pytest.mark.slow
def test_hopeless_elimination_is_refused():
    law = law_of(e6())
    with pytest.raises(NoPolynomialError, match="evaluate, diff, sample, density and edges"):
        law.polynomial()


def test_bad_input():
    A = matrix("A", n, n)
    with pytest.raises(NoPolynomialError, match="matrix without a law"):
        expected_trace((A - z * eye(n)).inverse(), {A: Deterministic()}).polynomial()
    with pytest.raises(InputError, match="not a parameter"):
        law_of(p1()).polynomial({s: 1})


def eliminant(model):
    """The system of a law, its witness and the true factor."""
    law = law_of(model)
    system = polynomial_system(law.system, {})
    witness = Witness(law.system, system)
    return system, witness, Elimination(system, witness).run()


@pytest.mark.parametrize("without", ["series", "balls"])
def test_either_witness_excludes_what_is_wrong(without):
    """P9, p = 3, beside polynomials that are nearly right: another sign, another z, another power."""
    system, witness, true = eliminant(p9(3))
    value, at = (system.ring.gen(x) for x in (system.letter, z))
    wrong = [at**3 * value**4 - at * value + 1, at**3 * value**4 + at * value + 2, at**4 * value**5 + at * value + 1, value - at]
    witness.__dict__[without] = None if without == "series" else []
    assert witness.single([*wrong, true]) == true
    with pytest.raises(NoPolynomialError):
        witness.single(wrong)


def test_both_witnesses_are_asked(monkeypatch):
    """A series that is not that of the solution is found out by the certified values, and given up."""
    law = law_of(p18())
    system = polynomial_system(law.system, {})
    witness = Witness(law.system, system)
    monkeypatch.setattr(witness.series, "excludes", lambda poly, order: True)
    found = Elimination(system, witness).run()
    assert witness.series is None
    assert found == eliminant(p18())[2] or len(found) == len(eliminant(p18())[2])


def test_resultants_step_by_step(monkeypatch):
    """The counted subresultant sequence against SymPy's resultant, up to sign; a budget that is spent."""
    monkeypatch.setattr("pencils.exact.resultant.SMALL", 0)
    monkeypatch.setattr("pencils.exact.resultant.FEW", 0)
    a, b, x = symbols = sp.symbols("a b x")
    ring = Ring(symbols)
    rng = random.Random(5)
    for _ in range(20):
        pair = [
            sum(rng.randint(-9, 9) * x**i * a ** rng.randint(0, 2) * b ** rng.randint(0, 1) for i in range(top)) + x**top
            for top in (rng.randint(1, 3), rng.randint(1, 4))
        ]
        left, right = (ring.fraction(e).top for e in pair)
        expected = ring.fraction(sp.expand(sp.resultant(*pair, x))).top
        assert resultant(left, right, 2, Budget(10**6)) in (expected, -expected)
    with pytest.raises(NoPolynomialError, match="products of terms"):
        resultant(left, right, 2, Budget(3))


def relative_size(poly, values, number, digits):
    """|P| beside the largest of its terms."""
    with mp.workdps(digits):
        real, imaginary = (mp.mpf(str(part)) for part in sp.N(number, digits).as_real_imag())
        point = {k: mp.mpc(*(mp.mpf(str(x)) for x in sp.N(v, digits).as_real_imag())) for k, v in values.items()}
        terms = []
        for (power,), coefficient in poly.terms():
            symbols = sorted(coefficient.free_symbols, key=str)
            scale = sp.lambdify(symbols, coefficient, modules="mpmath")(*[point[x] for x in symbols])
            terms.append(mp.mpf(1) * scale * mp.mpc(real, imaginary) ** power)
        return abs(mp.fsum(terms)) / max(map(abs, terms))


@given(st.integers(0, 2**32), st.sampled_from(["hermitian", "positive", "resolvents"]))
@settings(max_examples=3)
def test_random_models(seed, kind):
    """The polynomial vanishes at certified values, off and on the real axis, and is irreducible, hence of least degree."""
    draw = Draw(seed)
    expr = {
        "hermitian": lambda: (draw.hermitian() - z * sp.Identity(rows)).inverse(),
        "positive": lambda: (draw.positive() - z * sp.Identity(rows)).inverse(),
        "resolvents": lambda: draw.resolvents(most=1),
    }[kind]()
    law = expected_trace(expr, declared(expr))
    assume(law.pencil.size <= 6 and len(law.equations) <= 3)
    poly = law.polynomial()
    rng = random.Random(seed)
    for spectral in (sp.Rational(rng.randint(-30, 30), 10) + sp.I, sp.Rational(-500 - rng.randint(0, 99), 7)):
        values = {x: spectral if not x.is_positive else sp.Rational(rng.randint(5, 20), 8) for x in law.parameters}
        assert relative_size(poly, values, law.evaluate(values, 40), 60) < mp.mpf(10) ** -34
        # the same number with one digit changed is no root: the check can fail
        assert relative_size(poly, values, law.evaluate(values, 40) * (1 + sp.Float("1e-15", 40)), 60) > mp.mpf(10) ** -30
    assert sp.Poly(poly.as_expr(), poly.gen, *sorted(poly.free_symbols - {poly.gen}, key=str)).is_irreducible
