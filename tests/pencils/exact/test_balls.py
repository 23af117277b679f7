"""Expressions in ball arithmetic enclose the truth, and refuse analyticity where there is none."""

import mpmath
import pytest
import sympy as sp
from flint import acb, arb
from hypothesis import given
from hypothesis import strategies as st

from pencils.errors import InputError
from pencils.exact.balls import compile_balls, enclose
from pencils.exact.numbers import working_precision

x = sp.Symbol("x", real=True)
EXPRESSIONS = [
    sp.tanh(x) * sp.exp(-(x**2) / 2),
    sp.sqrt(1 + x**2) / (2 + sp.sin(x)),
    sp.log(1 + sp.exp(x)) ** 3,
    sp.erf(x / 2) + sp.atan(x) - sp.asinh(x),
    sp.Abs(x) + sp.Max(x, 0) - sp.Min(x, 1),
    sp.Piecewise((x**2, x < 0), (sp.cos(x), True)),
    (1 + x**2) ** sp.Rational(1, 3) + sp.pi**2 - sp.E + sp.EulerGamma,
    sp.asin(x / 5) * sp.acos(x / 7) + sp.atanh(x / 9) + sp.gamma(x + 9) + sp.sign(x) + sp.Heaviside(x),
]


@pytest.mark.parametrize("expr", EXPRESSIONS, ids=str)
@given(point=st.fractions(min_value=-3, max_value=3, max_denominator=50))
def test_encloses_the_value_of_mpmath(expr, point):
    with working_precision(120), mpmath.workdps(50):
        ball = compile_balls(expr, [x])(arb(point.numerator) / point.denominator)
        truth = sp.lambdify(x, expr, "mpmath")(mpmath.mpf(point.numerator) / point.denominator)
        text = mpmath.nstr(truth, 45)
        if point != 0:  # conventions of Heaviside and sign at 0 are not ours to test
            assert abs(ball - arb(text)) < arb(10) ** -30 * (1 + abs(ball))


@pytest.mark.parametrize(
    "expr", [sp.Abs(x), sp.sqrt(x), sp.log(x), sp.Max(x, 0), sp.atan(x * sp.I * 2), sp.Piecewise((0, x < 0), (x, True))]
)
def test_analytic_flag_makes_a_kink_non_finite(expr):
    wide = acb(arb(0, 1))
    assert not compile_balls(expr, [x])(wide, analytic=True).is_finite()


def test_integral_with_a_cut_on_the_way_is_an_enclosure():
    # int_1^4 sqrt(x) dx = 14/3, which the integrator misses when the flag is not passed on
    compiled = compile_balls(sp.sqrt(x), [x])
    with working_precision(100):
        value = acb.integral(lambda z, analytic: compiled(z, analytic=analytic), 1, 4).real
        assert value.contains(arb(14) / 3)


def test_missing_value_and_unknown_function():
    with pytest.raises(InputError, match="no value is given for x"):
        enclose(x + 1, {})
    with pytest.raises(InputError, match="zeta"):
        compile_balls(sp.zeta(x), [x])
