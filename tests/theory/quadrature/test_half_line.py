"""theory.quadrature.half_line: enclosures that are right, tight, and consistent across precisions."""

from __future__ import annotations

import time

import mpmath as mp
import pytest
import sympy as sp
from flint import arb, fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

import theory.quadrature.half_line as quadrature
from pencils.errors import InputError, MomentError
from pencils.exact.balls import enclose
from pencils.exact.numbers import working_precision
from theory.activations.activation import BUILTINS, activation, variable
from theory.functions.closed_means import closed_form
from theory.functions.growth import Growth, growth_bound
from theory.functions.hermite_polynomials import he, hermite_polynomial
from theory.functions.normal_form import even_odd
from theory.quadrature.half_line import expectation_ball, half_line_ball

x = variable()
HARD = [
    "abs(x - sqrt(2))*tanh(x)",
    "exp(-cosh(x))",
    "sqrt(1 + x**2)",
    "log(1 + exp(3*x))",
    "exp(x**2/5)*tanh(x)**2",
    "1/(2 + sin(x))",
    "1/(1 + x**2)",
    "exp(-exp(x))",
    "min(tanh(x) + x, pi)",
    "x**20*tanh(x)*x",
    "tanh(10*x)*x",
]


@pytest.mark.parametrize("text", [*BUILTINS, *HARD])
def test_two_precisions_overlap_and_shrink(text):
    g = activation(text).expr
    coarse, fine = expectation_ball(g, 80), expectation_ball(g, 200)
    with working_precision(300):
        assert coarse.overlaps(fine)
        assert coarse.rad() < arb(2) ** -60 * (1 + abs(fine)) and fine.rad() < arb(2) ** -180 * (1 + abs(fine))


@pytest.mark.parametrize(
    "text, f, breaks",
    [
        ("softplus", lambda t: mp.log1p(mp.exp(t)), []),
        ("silu", lambda t: t / (1 + mp.exp(-t)), []),
        ("tanh(x)**2", lambda t: mp.tanh(t) ** 2, []),
        ("exp(-cosh(x))", lambda t: mp.exp(-mp.cosh(t)), []),
        ("exp(x**2/5)*tanh(x)**2", lambda t: mp.exp(t**2 / 5) * mp.tanh(t) ** 2, []),
        ("1/(2+sin(x))", lambda t: 1 / (2 + mp.sin(t)), []),
        ("abs(x-sqrt(2))*tanh(x)", lambda t: abs(t - mp.sqrt(2)) * mp.tanh(t), [mp.sqrt(2)]),
        # Kinks with no exact place here, left to the analytic flag: atanh(1/2), and the real root of x^3 - x - 1.
        ("max(tanh(x)-1/2, 0)", lambda t: max(mp.tanh(t) - mp.mpf(1) / 2, 0), [mp.atanh(mp.mpf(1) / 2)]),
        (
            "Piecewise((0, x**3-x-1 < 0), (x, True))",
            lambda t: t if t**3 - t - 1 > 0 else mp.mpf(0),
            [mp.findroot(lambda t: t**3 - t - 1, 1.3)],
        ),
        ("abs(tanh(x))**(1/3)", lambda t: abs(mp.tanh(t)) ** (mp.mpf(1) / 3), []),
    ],
)
def test_against_mpmath(text, f, breaks):
    with mp.workdps(30):
        cuts = sorted([mp.mpf(c) for c in (-30, -15, -8, -4, -2, -1, 0, 1, 2, 4, 8, 15, 30)] + breaks)
        expected = mp.quad(lambda t: f(t) * mp.npdf(t), cuts)
        ball = expectation_ball(activation(text).expr, 100)
        assert abs(mp.mpf(ball.mid().str(30, radius=False)) - expected) < mp.mpf(10) ** (-15 if breaks else -24)


@pytest.mark.parametrize(
    "text",
    [
        "relu(x-1)*x",
        "gelu",
        "erf(x)**2",
        "sin(3*x/2+1)",
        "exp(x**2/5)",
        "x**30",
        "abs(x**2-2)",
        "sign(x-1)",
        "Heaviside(x+1)*exp(x)",
    ],
)
def test_against_closed_forms(text):
    # The other route: Stein recursions, no quadrature.
    g = activation(text).expr
    ball = expectation_ball(g, 150)
    with working_precision(200):
        exact = enclose(closed_form(g), {})
        assert ball.overlaps(exact) and ball.rad() < arb(2) ** -100 * abs(exact)


def test_odd_functions_give_exactly_zero():
    for text in ("tanh", "x**3", "sin(x)*abs(x)", "softplus(x) - softplus(-x)"):
        assert expectation_ball(activation(text).expr, 100).is_zero()


@settings(derandomize=True, deadline=None, max_examples=20)
@given(
    st.integers(0, 24),
    st.fractions(0, 3, max_denominator=8),
    st.fractions(-1, "2/5", max_denominator=16),
    st.integers(0, 60),
)
def test_the_tail_bound_covers_the_tail(order, b, c, bits):
    growth = Growth(0, b, c)
    with working_precision(100):
        cut, tail = quadrature._truncation(growth, order, arb(2) ** -bits)
    with mp.workdps(20):
        start = mp.mpf(cut.numerator) / cut.denominator
        # The bound is proven for He_k with unsigned coefficients, which is at least |He_k|.
        coefficients = [abs(int(a)) for a in hermite_polynomial(order)][::-1]
        slope, curve = mp.mpf(b.numerator) / b.denominator, mp.mpf(c.numerator) / c.denominator - 0.5

        def weight(t):
            return mp.polyval(coefficients, t) * mp.exp(slope * t + curve * t**2)

        truth = mp.quad(weight, [start, start + 1, start + 3, start + 10, start + 60])
    assert truth <= mp.mpf(tail.upper().str(15, radius=False)) * (1 + mp.mpf(10) ** -10) and tail < arb(2) ** -bits


def test_an_inexact_end_is_paid_for():
    # int_0^sqrt(2) exp(-x^2/2) dx with the end known to 2^-20 only: the ball must be that wide, and cover.
    with working_precision(120):
        end = arb(2).sqrt()
        wide = arb(end.mid(), arb(2) ** -20)
        ball = quadrature._segment(lambda z, analytic: arb(1), hermite_polynomial(0), arb(0), wide, arb(30), arb(2) ** -100, 100)
        truth = (arb.pi() / 2).sqrt() * arb(1).erf()
        assert ball.contains(truth) and ball.contains(truth + arb(2) ** -20 * arb("0.35"))
        assert not ball.contains(truth + arb(2) ** -17)


def test_high_orders_keep_their_digits():
    # sin(3x/2) by quadrature against (3/2)^k exp(-9/8): He_199 cancels heavily in powers of x.
    odd = even_odd(sp.sin(3 * x / 2))[1]
    ball = half_line_ball(odd, growth_bound(sp.sin(3 * x / 2)), 800, 199)
    with working_precision(900):
        exact = -(arb(fmpq(3, 2)) ** 199) * arb(fmpq(-9, 8)).exp()
        assert ball.contains(exact) and ball.rel_accuracy_bits() > 100


def test_errors():
    with pytest.raises(MomentError, match="infinite"):
        expectation_ball(sp.exp(x**2), 60)
    with pytest.raises(InputError, match="not real"):
        expectation_ball(sp.log(x), 60)
    # A first moment needs less than a second one.
    assert expectation_ball(sp.exp(x**2 / 4), 60).overlaps(arb(2).sqrt())


def test_fifty_digits_of_many_coefficients_are_quick():
    sigma = sp.tanh(sp.Rational(9, 10) * x)  # a function that no other test has cached
    start = time.perf_counter()
    for k in range(11):
        half_line_ball(even_odd(sigma)[k % 2], growth_bound(sigma), 206, k)
    expectation_ball(sigma**2, 206)
    assert time.perf_counter() - start < 1


def test_he_is_bounded_by_its_unsigned_twin():
    # The inequality behind the tail: |He_k(x)| <= h(|x|), h with the unsigned coefficients; h(x) <= h(T)(x/T)^k beyond T.
    for k in (1, 4, 9):
        unsigned = sum(abs(c) * x**i for i, c in enumerate(sp.Poly(he(k, x), x).all_coeffs()[::-1]))
        for t in (1, 2, 5):
            assert abs(he(k, x).subs(x, t)) <= unsigned.subs(x, t)
            assert unsigned.subs(x, 2 * t) <= unsigned.subs(x, t) * 2**k
