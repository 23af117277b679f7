"""theory.functions.closed_means: closed forms against independent mpmath quadrature and identities."""

from __future__ import annotations

import mpmath as mp
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from theory.activations.activation import activation, variable
from theory.functions.closed_means import closed_form
from theory.functions.hermite_polynomials import he

x = variable()


def gaussian_mean(g: sp.Expr, breaks: tuple = (), digits: int = 32) -> mp.mpf:
    """E g(z) in mpmath: the trapezoid rule for entire g (its error is like exp(-pi^2/h^2) here), tanh-sinh quadrature
    between the breaks otherwise."""
    with mp.workdps(digits + 10):
        f = sp.lambdify(x, g, "mpmath")
        if not breaks:
            h = mp.mpf(1) / 8
            return h * mp.fsum(f(k * h) * mp.npdf(k * h) for k in range(-240, 241))
        cuts = sorted({mp.mpf(c) for c in (-16, -6, 0, 6, 16)} | {mp.mpf(sp.N(b, digits + 10)) for b in breaks})
        return mp.quad(lambda t: f(t) * mp.npdf(t), [-30, *cuts, 30])


def assert_mean(g: sp.Expr, breaks: tuple = ()) -> None:
    exact = closed_form(g)
    assert exact is not None, g
    assert not exact.has(sp.I) and not exact.has(x)
    with mp.workdps(42):
        expected = gaussian_mean(g, breaks)
        assert abs(mp.mpf(sp.N(exact, 40)) - expected) < mp.mpf(10) ** -30 * (1 + abs(expected)), (g, exact)


CASES = [
    ("x**4*exp(x/2 - x**2/3 + 1)", ()),
    ("exp(x**2/5)*x**2", ()),
    ("exp(x)*sin(x)*x", ()),
    ("sin(3*x/2 + 1)*x**3", ()),
    ("sin(x)**4", ()),
    ("cos(2*x)*sin(x)*exp(-x**2)*x", ()),
    ("sinh(x)*x + cosh(x/2)", ()),
    ("2**x", ()),
    ("sin(x)*erf(x)*x**2", ()),
    ("erf(2*x + 1)*exp(-x**2)*x**3", ()),
    ("erfc(x - 1)*x", ()),
    ("erf(x/3)*exp(x/2)*x**2", ()),
    ("erf(x)*erf(2*x)*x**2", ()),
    ("x**2*erf(x/sqrt(2))**2", ()),
    ("erf(x)*erf(x/3)*exp(-x**2/2)", ()),
    ("erfc(x)**2", ()),
    ("relu(x - 1)*x**3", (1,)),
    ("abs(x**2 - 2)", (sp.sqrt(2), -sp.sqrt(2))),
    ("abs(abs(x) - 1)", (-1, 0, 1)),
    ("max(x, 1, x**2)", (-1, 1)),
    ("Heaviside(x - 1)*x", (1,)),
    ("sign(x + 2)", (-2,)),
    ("min(x, sqrt(2))*x", (sp.sqrt(2),)),
    ("sin(relu(x))", (0,)),
    ("Piecewise((exp(x), x < -1), (x**2, x < 2), (1/4, True))", (-1, 2)),
    ("exp(-abs(x))*x**2", (0,)),
    ("sign(x)*exp(-x**2)*x", (0,)),
    ("max(sin(x), 0)*sin(x)*0 + relu(x)**3", (0,)),
    ("sqrt(2)*x**2 - pi*abs(x - sqrt(2))", (sp.sqrt(2),)),
    ("Piecewise((sin(x), x < 0), (cos(x), True))", (0,)),
    ("abs(x**3 - x)", (-1, 0, 1)),
]


@pytest.mark.parametrize("text, breaks", CASES)
def test_closed_forms_against_quadrature(text, breaks):
    assert_mean(activation(text).expr, breaks)


def test_the_three_starting_formulas():
    c, c2, d = sp.Rational(2, 3), sp.Rational(5, 4), sp.Rational(-1, 2)
    # Stein: d/dd E erf(cz + d) is a Gaussian integral; E erf erf is an orthant probability (arcsine law).
    assert closed_form(sp.erf(c * x + d)) == sp.erf(d / sp.sqrt(1 + 2 * c**2))
    expected = 2 / sp.pi * sp.asin(2 * c * c2 / sp.sqrt((1 + 2 * c**2) * (1 + 2 * c2**2)))
    assert sp.simplify(closed_form(sp.erf(c * x) * sp.erf(c2 * x)) - expected) == 0
    assert sp.simplify(closed_form(sp.erf(x) ** 2) - 2 / sp.pi * sp.asin(sp.Rational(2, 3))) == 0
    assert closed_form(sp.exp(x**2 / 8 + x)) == 2 * sp.exp(sp.Rational(2, 3)) / sp.sqrt(3)


@pytest.mark.parametrize("b", [sp.S.One, sp.Rational(3, 2), sp.sqrt(2), sp.pi / 3])
def test_sine_coefficients(b):
    # E He_k(z) exp(ibz) = (ib)^k exp(-b^2/2), the generating function of He_k.
    for k in range(8):
        full = (sp.I * b) ** k * sp.exp(-(b**2) / 2)
        assert sp.expand(closed_form(sp.sin(b * x) * he(k, x)) - sp.im(full)) == 0
        assert sp.expand(closed_form(sp.cos(b * x) * he(k, x)) - sp.re(full)) == 0
    assert closed_form(sp.sin(b * x) * he(5, x)) == b**5 * sp.exp(-(b**2) / 2)


@pytest.mark.parametrize(
    "text",
    [
        "tanh",
        "sin(x**3)",
        "x*exp(-cosh(x))",
        "x/(1+x**2)",
        "atan",
        "tanh(x)*abs(x)",
        "erf(x)**3",
        "sigmoid - 1/2",
        "1/(1+exp(-x)) - 1/2",
        "softplus(x) - softplus(-x)",
        "log(1+exp(x)) - x/2 - log(1+exp(-x)) - x/2 + tanh",
        "max(x,0) - max(-x,0)",
        "Piecewise((-1, x < 0), (1, True))*1 + 0*x",
        "sign(x)*log(1+x**2)",
    ],
)
def test_odd_functions_have_mean_exactly_zero(text):
    assert closed_form(activation(text).expr) == 0


@pytest.mark.parametrize(
    "text",
    [
        "softplus",
        "silu",
        "tanh(x)**2",
        "sin(x**2)",
        "erf(x)**4",
        "max(sin(x), 0)",
        "exp(-x**4)",
        "1/(1+x**2)",
        "erf(x+1)*sin(x)",
        "abs(x)*erf(x)*x",
        "sqrt(1+x**2)",
        "erf(x)*erf(x+1)",
    ],
)
def test_no_rule_no_answer(text):
    assert closed_form(activation(text).expr) is None


@pytest.mark.parametrize(
    "text, expected",
    [
        ("sigmoid", "1/2"),
        ("1/(1+exp(-x))", "1/2"),
        ("exp(x)/(1+exp(x))", "1/2"),
        ("x*softplus(x)", "1/2"),
        ("x*silu(x)", None),
        ("x*x/(1+exp(-x))", "1/2"),
    ],
)
def test_symmetry_finds_closed_forms_behind_logistic_functions(text, expected):
    # s(x) + s(-x) = 1 and softplus(x) - softplus(-x) = x; x silu(x) = x^2 s(x), whose even part is x^2/2.
    assert closed_form(activation(text).expr) == sp.Rational(expected or "1/2")


def test_polynomials_are_gaussian_moments():
    assert [closed_form(x**k) for k in range(9)] == [1, 0, 1, 0, 3, 0, 15, 0, 105]
    assert closed_form(sp.Integer(7)) == 7 and closed_form(sp.Integer(0)) == 0


SMALL = st.integers(-6, 6).map(lambda p: sp.Rational(p, 4))


@pytest.mark.slow
@settings(derandomize=True, deadline=None, max_examples=8)
@given(st.integers(0, 4), st.integers(-6, 1), SMALL, SMALL, SMALL)
def test_random_terms_against_quadrature(k, a, b, c, d):
    assert_mean(x**k * sp.exp(sp.Rational(a, 4) * x**2 / 2 + b * x) * sp.erf(c * x + d))
    assert_mean(sp.Max(x - b, 0) * sp.exp(sp.Rational(a, 4) * x**2 / 2 + c * x) * x**k, (b,))


@settings(derandomize=True, deadline=None, max_examples=8)
@given(st.integers(0, 3), SMALL, SMALL, SMALL)
def test_steins_lemma(k, a, b, c):
    # E z g(z) = E g'(z): the left is even_odd and recursion of x g, the right of g'.
    g = x**k * sp.exp(a * x**2 / 4 - x**2 / 2) * sp.sin(b * x + c) + x**k * sp.erf(b * x) * sp.erf(c * x)
    left, right = closed_form(x * g), closed_form(sp.diff(g, x))
    assert left is not None and right is not None
    assert abs(sp.N(left - right, 40, chop=True)) < 1e-35
