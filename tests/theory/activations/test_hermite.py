"""theory.activations.hermite: Hermite coefficients, energies and the means of derivatives."""

from __future__ import annotations

import itertools
import math

import mpmath as mp
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from pencils.errors import InputError, MomentError, PrecisionError
from theory.activations.activation import BUILTINS, activation, variable
from theory.activations.hermite import HermiteExpansion, coefficients
from theory.activations.moments import derivative
from theory.functions.hermite_polynomials import he, hermite_polynomial

x = variable()
FUNCTIONS = {
    "erf": mp.erf,
    "tanh": mp.tanh,
    "relu": lambda t: max(t, mp.mpf(0)),
    "softplus": lambda t: mp.log(1 + mp.exp(t)),
    "sigmoid": lambda t: 1 / (1 + mp.exp(-t)),
    "sin": mp.sin,
    "cos": mp.cos,
    "gelu": lambda t: t * mp.ncdf(t),
    "silu": lambda t: t / (1 + mp.exp(-t)),
    "identity": lambda t: t,
}
H1, H2, H3 = x, x**2 - 1, x**3 - 3 * x


def mean(f, digits: int = 34) -> mp.mpf:
    """E f(z), the trapezoid rule: f is analytic in a strip of half-width 3, so the error is far below exp(-2 pi 3/h)."""
    with mp.workdps(digits + 8):
        h = mp.mpf(1) / 8
        return h * mp.fsum(f(k * h) * mp.npdf(k * h) for k in range(-160, 161))


def mean_with_kink(f, digits: int = 34) -> mp.mpf:
    with mp.workdps(digits + 8):
        return mp.quad(lambda t: f(t) * mp.npdf(t), [-24, -8, 0, 8, 24])


def mp_he(k: int, t):
    """He_k by its recurrence, in mpmath."""
    before, now = mp.mpf(0), mp.mpf(1)
    for j in range(k):
        before, now = now, t * now - j * before
    return now


def same(value: sp.Expr, expected, digits: int = 30) -> bool:
    with mp.workdps(digits + 15):
        expected = mp.mpf(expected)
        return abs(mp.mpf(str(value)) - expected) <= mp.mpf(10) ** -digits * max(1, abs(expected))


@pytest.mark.parametrize("name", sorted(BUILTINS))
def test_builtins_against_mpmath(name):
    f, expectation = FUNCTIONS[name], mean_with_kink if name == "relu" else mean
    expansion = HermiteExpansion(name)
    # tanh and the logistic functions have poles at distance pi/2 and pi; a strip of 1.5 gives exp(-2 pi 1.5 * 8) = 1e-32.
    for k in range(7):
        assert same(expansion.coefficient(k).value(32), expectation(lambda t, k=k: f(t) * mp_he(k, t)), 30)
    assert same(expansion.energy.value(32), expectation(lambda t: f(t) ** 2), 30)


def test_known_values():
    erf, relu, sin = HermiteExpansion("erf"), HermiteExpansion("relu"), HermiteExpansion("sin")
    # E z erf(z) = E erf'(z) = (2/sqrt(pi)) E exp(-z^2) = 2/sqrt(3 pi); the arcsine law for the energy.
    assert sp.simplify(erf.mu1.exact - 2 / sp.sqrt(3 * sp.pi)) == 0
    assert sp.simplify(erf.energy.exact - 2 / sp.pi * sp.asin(sp.Rational(2, 3))) == 0
    assert sp.simplify(relu.mu0.exact - 1 / sp.sqrt(2 * sp.pi)) == 0 and relu.mu1.exact == sp.Rational(1, 2)
    assert relu.energy.exact == sp.Rational(1, 2)
    assert sp.simplify(relu.mu2.exact**2 - (sp.Rational(1, 4) - 1 / (2 * sp.pi))) == 0
    # E sin^2 = (1 - exp(-2))/2, c_k = +-exp(-1/2) for odd k.
    assert sp.simplify(sin.energy.exact - (1 - sp.exp(-2)) / 2) == 0
    assert [sin.coefficient(k).exact for k in range(6)] == [
        0,
        sp.exp(sp.Rational(-1, 2)),
        0,
        -sp.exp(sp.Rational(-1, 2)),
        0,
        sp.exp(sp.Rational(-1, 2)),
    ]


def test_relu_coefficients_of_the_sheet():
    # statements.md, section 4 (damian2022): c_{2k}/(2k)! = (-1)^{k-1}/(sqrt(2 pi) k! 2^k (2k-1)), odd ones from 3 are 0.
    relu = HermiteExpansion("relu")
    for k in range(1, 13):
        expected = (-1) ** (k - 1) * sp.factorial(2 * k) / (sp.sqrt(2 * sp.pi) * sp.factorial(k) * 2**k * (2 * k - 1))
        assert sp.simplify(relu.coefficient(2 * k).exact - expected) == 0
        assert relu.coefficient(2 * k + 1).exact == 0


@pytest.mark.parametrize("b", ["1", "3/2", "1/3"])
def test_sine_of_any_frequency(b):
    # E He_k exp(ibz) = (ib)^k exp(-b^2/2).
    expansion, frequency = HermiteExpansion(f"sin({b}*x)"), sp.Rational(b)
    for k in (1, 3, 5, 21):
        assert expansion.coefficient(k).exact == (-1) ** ((k - 1) // 2) * frequency**k * sp.exp(-(frequency**2) / 2)


@pytest.mark.parametrize(
    "text", ["tanh", "erf", "softplus", "gelu", "silu", "sin(3*x/2)", "relu", "abs(x-1)", "exp(x)", "tanh(x)+x**3/10"]
)
def test_parseval(text):
    expansion = HermiteExpansion(text)
    energy, partial, sums = expansion.energy.value(25), sp.Integer(0), []
    for k in range(31):
        partial += expansion.coefficient(k).value(25) ** 2 / sp.factorial(k)
        sums.append(partial)
    assert all(a <= b for a, b in itertools.pairwise(sums))
    assert sums[-1] - energy < 10 ** sp.Integer(-22) * energy
    kinked = text in ("relu", "abs(x-1)")
    # Kinks leave a remainder like k^{-3/2}; analytic functions decay exponentially in sqrt(k).
    assert energy - sums[-1] < (sp.Float("2e-3") if kinked else sp.Float("2e-5"))
    assert sums[4] < energy


@pytest.mark.parametrize(
    "text",
    [
        *sorted(BUILTINS),
        "tanh(x)+x**3/10",
        "abs(x-1)*tanh(x)",
        "exp(x/2)",
        "sqrt(1+x**2)",
        "x*sign(x)",
        "min(x, 1)",
        "Piecewise((0, x < 0), (x**2, x < 1), (2*x-1, True))",
    ],
)
def test_stein(text):
    # E sigma'(z) = E z sigma(z): differentiation and quadrature against the coefficient, which never differentiates.
    expansion = HermiteExpansion(text)
    slope, mu1 = expansion.mean_derivative, expansion.mu1
    assert abs(slope.value(35) - mu1.value(35)) < 1e-33
    if mu1.exact is None:
        assert slope.ball(100).overlaps(mu1.ball(100))


def test_second_derivative_is_the_second_coefficient():
    # For smooth sigma it is E sigma''(z): tanh'' is odd, cos'' = -cos.
    assert HermiteExpansion("tanh").mean_second_derivative.exact == 0
    assert HermiteExpansion("cos").mean_second_derivative.exact == -sp.exp(sp.Rational(-1, 2))
    # The kink of ReLU carries the density of z at 0.
    assert sp.simplify(HermiteExpansion("relu").mean_second_derivative.exact - 1 / sp.sqrt(2 * sp.pi)) == 0


@pytest.mark.parametrize("text", ["sign", "Heaviside(x-1)", "Piecewise((0, x < 0), (x+1, True))"])
def test_no_mean_derivative_across_a_jump(text):
    with pytest.raises(InputError, match="jump"):
        _ = HermiteExpansion(text).mean_derivative


def test_derivative_errors():
    with pytest.raises(MomentError):
        HermiteExpansion("sqrt(abs(x))").mean_derivative.value(10)
    with pytest.raises(InputError, match="could not be excluded"):
        derivative(sp.sign(sp.tanh(x) - sp.Rational(1, 2)))


@pytest.mark.parametrize("text", ["softplus", "relu", "gelu", "tanh", "exp(x)"])
def test_centred_and_normalised(text):
    plain, centred = HermiteExpansion(text), HermiteExpansion(activation(text).centred())
    unit = HermiteExpansion(activation(text).normalised())
    assert centred.mu0.exact == 0 and unit.mu0.exact == 0 and unit.energy.exact == 1
    variance = plain.energy.value(40) - plain.mu0.value(40) ** 2
    assert abs(centred.energy.value(30) - variance) < 1e-28
    for k in (1, 2, 5):
        assert centred.coefficient(k).value(30) == plain.coefficient(k).value(30)
        assert abs(unit.coefficient(k).value(30) * sp.sqrt(variance) - plain.coefficient(k).value(30)) < 1e-27
    assert centred.mu2.value(30) == plain.mu2.value(30)
    assert abs(unit.mu1.value(30) ** 2 + unit.mu2.value(30) ** 2 - 1) < 1e-28
    assert abs(unit.mean_derivative.value(30) - unit.mu1.value(30)) < 1e-28


@pytest.mark.parametrize(
    "text",
    ["identity", "3*x - 2", "He1*sqrt(2)", "log(exp(x))", "softplus(x) - softplus(-x)", "relu(x) - relu(-x)", "3"],
)
def test_linear_functions_have_mu2_exactly_zero(text):
    assert HermiteExpansion(text).mu2.exact == 0 and HermiteExpansion(text).mu2.value(20) == 0


def test_hermite_polynomials_are_orthogonal():
    for k in range(5):
        expansion = HermiteExpansion(f"He{k}")
        assert expansion.energy.exact == math.factorial(k)
        assert [expansion.coefficient(j).exact for j in range(6)] == [math.factorial(k) if j == k else 0 for j in range(6)]
    assert (he(1, x), he(2, x), he(3, x)) == (H1, H2, H3)
    # He_k' = k He_{k-1}.
    assert sp.expand(sp.diff(he(30, x), x) - 30 * he(29, x)) == 0
    assert hermite_polynomial(200)[200] == 1


def test_a_small_mu2_keeps_its_digits():
    # tanh(x/1000): mu2^2 = c_3^2/6 + ... , c_3 = E tanh''' ~ -2/1000^3, so mu2 ~ 2e-9/sqrt(6) out of an energy of 1e-6.
    value = HermiteExpansion("tanh(x/1000)").mu2.value(20)
    assert abs(value / (sp.Float("2e-9", 30) / sp.sqrt(6)) - 1) < 1e-4


def test_an_undecidable_zero_ends_in_an_error():
    # sin^2 + cos^2 = 1 of a square root: mu2 is 0, which the algebra here does not see.
    with pytest.raises(PrecisionError, match="mu2"):
        HermiteExpansion("sin(sqrt(1+x**2))**2 + cos(sqrt(1+x**2))**2 + x").mu2.value(20)


@pytest.mark.parametrize("text", ["tanh", "softplus", "silu", "abs(x-1)*tanh(x)"])
@pytest.mark.parametrize("k", [1, 2, 7])
def test_balls_at_two_precisions_overlap(text, k):
    part = HermiteExpansion(text).coefficient(k)
    assert part.ball(60).overlaps(part.ball(240))


def test_orders_are_limited():
    for order in (-1, 201, 1.5, "3", True):
        with pytest.raises(InputError, match="Hermite order"):
            HermiteExpansion("tanh").coefficient(order)
    with pytest.raises(InputError, match="Hermite order"):
        coefficients("tanh", 201)
    assert abs(HermiteExpansion("tanh").coefficient(199).value(10)) > 0


def test_coefficients_carry_the_digits_asked_for():
    values = coefficients("tanh", 3, 50)
    assert values[0] == 0 and values[2] == 0 and len(str(values[1])) == 52
    assert str(coefficients("tanh", 1, 12)[1]) == str(values[1])[:14]


@settings(derandomize=True, deadline=None, max_examples=10)
@given(st.lists(st.integers(-5, 5), min_size=1, max_size=6))
def test_polynomials_by_their_hermite_coordinates(a):
    # sigma = sum a_k He_k has c_k = k! a_k and energy sum k! a_k^2.
    sigma = sum((c * he(k, x) for k, c in enumerate(a)), sp.Integer(0))
    expansion = HermiteExpansion(sigma)
    assert [expansion.coefficient(k).exact for k in range(len(a))] == [math.factorial(k) * c for k, c in enumerate(a)]
    assert expansion.energy.exact == sum(math.factorial(k) * c * c for k, c in enumerate(a))
