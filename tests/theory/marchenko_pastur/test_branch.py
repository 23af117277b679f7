"""The branch of m(z) at a point and its expansion: each value against something that shares no formula with the module."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import mpmath
import pytest
import sympy as sp
from flint import acb, arb
from hypothesis import given, settings
from hypothesis import strategies as st
from integrals_of_laws import LAWS, SPECTRAL, integrate, mpc

from pencils.exact.numbers import bits_for
from theory.marchenko_pastur import symbolic
from theory.marchenko_pastur.law import MarchenkoPastur
from theory.marchenko_pastur.symbolic import M

ratios = st.fractions(min_value=Fraction(1, 20), max_value=20, max_denominator=40)
parts = st.fractions(min_value=-30, max_value=30, max_denominator=50)


@pytest.fixture
def ctx() -> mpmath.MPContext:
    context = mpmath.MPContext()
    context.dps = 40
    return context


def test_benchmark_p2() -> None:
    """pencils-benchmarks.md, P2: X X^T/n, X p x n with N(0, 1) entries, c = p/n = 1/2.

    With W0 = X/sqrt n as the transpose of an n x p matrix (d = n, N = p) it is the companion law at psi2 = c; with
    W0 = X/sqrt p (d = p, N = n) it is W0 W0^T/psi2 at psi2 = 1/c, whose transform is psi2 m(psi2 z).
    """
    expected = sp.Float("0.0650862846614446826505907254294", 30), sp.Float("1.10398981595042949258429200579", 30)
    for value in (
        MarchenkoPastur("1/2", companion=True).stieltjes(SPECTRAL, 30),
        2 * MarchenkoPastur(2).stieltjes(2 * SPECTRAL, 30),
    ):
        real, imag = value.expand().as_real_imag()
        assert abs(real - expected[0]) < sp.Float("1.5e-31") and abs(imag - expected[1]) < sp.Float("1.5e-29")
    at_minus_one = MarchenkoPastur("1/2", companion=True).stieltjes(-1, 50)
    assert str(at_minus_one) == str(((sp.sqrt(17) - 3) / 2).n(50))


@pytest.mark.parametrize("law", LAWS, ids=str)
@pytest.mark.parametrize("z", ["-3/7", "7/10 + I/2", "-2 - I", "20", "1/100 + I/5"])
def test_transform_is_the_integral_of_the_density(ctx, law: MarchenkoPastur, z: str) -> None:
    value = mpc(ctx, law.stieltjes(z, 35))
    point = mpc(ctx, sp.sympify(z))
    assert abs(value - integrate(ctx, law, lambda x: 1 / (x - point))) < 1e-28 * (1 + abs(value))


def test_between_zero_and_the_bulk(ctx) -> None:
    # psi2 = 4: edges 1 and 9. psi2 = 1/4: an atom at 0 below the edge 1/4.
    for law, z in ((MarchenkoPastur(4), "1/2"), (MarchenkoPastur(4, True), "1/2"), (MarchenkoPastur("1/4"), "1/10")):
        point = ctx.mpf(z.split("/")[0]) / int(z.split("/")[1])
        assert abs(mpc(ctx, law.stieltjes(z, 35)) - integrate(ctx, law, lambda x, p=point: 1 / (x - p))) < 1e-28
    # z = 0 where it is regular: the mean inverse eigenvalue, 1/(psi2 - 1) of a Wishart matrix.
    assert abs(MarchenkoPastur(4).stieltjes(0, 30) - sp.Rational(1, 3)) < 1e-29
    assert abs(MarchenkoPastur("1/4", companion=True).stieltjes(0, 30) - sp.Rational(4, 3)) < 1e-29


@settings(derandomize=True, deadline=None, max_examples=30)
@given(psi2=ratios, companion=st.booleans(), real=parts, imag=parts)
def test_residual_and_branch(psi2: Fraction, companion: bool, real: Fraction, imag: Fraction) -> None:
    if real == imag == 0:
        real = Fraction(1)
    law = MarchenkoPastur(psi2, companion)
    z = sp.Rational(real.numerator, real.denominator) + sp.I * sp.Rational(imag.numerator, imag.denominator)
    m = law.stieltjes(z, 40)
    terms = sp.Poly(law.equation(M, z).lhs, M).all_coeffs()
    size = sum(abs(sp.N(c * m**k, 45)) for k, c in enumerate(reversed(terms)))
    assert abs(sp.N(law.equation(m, z).lhs, 45)) < sp.Float("1e-38") * size
    im_m, im_zm = sp.im(m), sp.im(sp.expand(z * m))
    if imag:  # both are Pick functions, as the law lives on [0, oo)
        assert im_m * imag > 0 and im_zm * imag > 0
        conjugate = law.stieltjes(sp.conjugate(z), 40)
        assert conjugate == sp.conjugate(m)
    else:
        lower, upper = law.edges(20)
        inside = lower < sp.re(z) < upper
        assert (im_m > 0) if inside else im_m == 0
        if real < 0:
            assert m > 0


def test_boundary_value_is_the_limit_from_above(ctx) -> None:
    for law in LAWS:
        boundary = mpc(ctx, law.stieltjes(1, 30))
        above = mpc(ctx, law.stieltjes(1 + sp.I / 10**20, 30))
        assert boundary.imag > 0 and abs(boundary - above) < 1e-18
        assert abs(boundary.imag / ctx.pi - ctx.mpf(str(law.density(1, 30)))) < 1e-28


def test_closed_form_off_and_on_the_axis() -> None:
    for law in LAWS:
        for z in (SPECTRAL, sp.Integer(-2), sp.Integer(1), sp.Integer(11), -1 - sp.I / 3):
            assert abs(sp.N(law.stieltjes_symbolic(z), 40) - law.stieltjes(z, 30)) < sp.Float("1e-28")


def test_three_hundred_digits() -> None:
    for law in LAWS:
        for z in (SPECTRAL, sp.Integer(-1)):
            m = law.stieltjes(z, 300)
            assert abs(sp.N(law.equation(m, z).lhs, 320)) < sp.Float("1e-297", 5)


def test_no_cancellation_far_out_and_near_the_axis(ctx) -> None:
    law = MarchenkoPastur("1/3")
    far = law.stieltjes("1e60", 30)
    assert abs(far * sp.Integer(10) ** 60 + 1 + sp.Rational(1, 3) / sp.Integer(10) ** 60) < sp.Float("1e-29")
    ball = law.stieltjes_ball("1e60", bits_for(30))
    assert ball.rel_accuracy_bits() > bits_for(30) - 8  # at the first precision tried, not after refinement
    # Just off the axis outside the bulk, Im m = y m'(x) + O(y^3).
    tiny = sp.im(law.stieltjes(10 + sp.I / 10**200, 30)) * sp.Integer(10) ** 200
    assert abs(tiny / law.stieltjes_derivative(10, 1, 30) - 1) < sp.Float("1e-28")


def test_components_that_vanish_are_exactly_zero() -> None:
    # Re m(x + i0) = -(x + 1 - psi2)/(2 x) vanishes at x = psi2 - 1.
    assert sp.re(MarchenkoPastur(3).stieltjes(2)) == 0
    # z = -1/m + psi2/(1 + m) at m = i t.
    t, psi2 = sp.Rational(2, 3), sp.Rational(5, 4)
    z = sp.expand(sp.I / t + psi2 * (1 - sp.I * t) / (1 + t**2))
    value = MarchenkoPastur(psi2).stieltjes(z, 30)
    assert sp.re(value) == 0 and abs(sp.im(value) - t) < 1e-29
    assert MarchenkoPastur(psi2).stieltjes(sp.conjugate(z), 30) == sp.conjugate(value)
    # The density has its maximum at x = (1 - psi2)^2/(1 + psi2).
    mode = (1 - psi2) ** 2 / (1 + psi2)
    assert sp.im(MarchenkoPastur(psi2).stieltjes_derivative(mode)) == 0
    x = sp.Symbol("x", positive=True)
    density = sp.sqrt(4 * psi2 - (x - 1 - psi2) ** 2) / x
    assert sp.simplify(sp.diff(density, x).subs(x, mode)) == 0


@pytest.mark.parametrize("law", LAWS, ids=str)
@pytest.mark.parametrize("order", [1, 2, 5, 12])
def test_derivatives_are_integrals_of_the_density(ctx, law: MarchenkoPastur, order: int) -> None:
    for z in ("-3/2", "1/2 + I", "25"):
        point = mpc(ctx, sp.sympify(z))
        expected = ctx.factorial(order) * integrate(ctx, law, lambda x, p=point: 1 / (x - p) ** (order + 1))
        assert abs(mpc(ctx, law.stieltjes_derivative(z, order, 32)) - expected) < 1e-27 * abs(expected)


def test_derivative_inside_the_bulk_by_differences(ctx) -> None:
    ctx.dps = 60
    for law in (MarchenkoPastur("1/2"), MarchenkoPastur(3, companion=True)):

        def boundary(x, law=law):
            a, b = (law.psi2, law.psi2 - 1) if law.companion else (Fraction(1), 1 - law.psi2)
            a, b = ctx.mpf(a.numerator) / a.denominator, ctx.mpf(b.numerator) / b.denominator
            return max(ctx.polyroots([a * x, x + b, 1], extraprec=200), key=lambda root: root.imag)

        for order in (1, 2, 3):
            expected = ctx.diff(boundary, ctx.mpf("1.25"), order)
            assert abs(mpc(ctx, law.stieltjes_derivative("1.25", order, 25)) - expected) < 1e-14 * abs(expected)


def test_symbolic_derivative_agrees_with_the_recursion() -> None:
    for law in (MarchenkoPastur("2/3"), MarchenkoPastur("2/3", companion=True)):
        m = law.stieltjes(SPECTRAL, 60)
        for order in (1, 2, 3):
            form = symbolic.stieltjes_derivative_symbolic(order, m, SPECTRAL, sp.Rational(2, 3), law.companion)
            value = law.stieltjes_derivative(SPECTRAL, order, 40)
            assert abs(sp.N(form, 50) - value) < sp.Float("1e-38") * abs(value)


def test_every_exact_form_of_a_point_is_the_same_point() -> None:
    law = MarchenkoPastur(0.5)
    assert all(law == MarchenkoPastur(half) for half in ("1/2", Fraction(1, 2), Decimal("0.5"), sp.Rational(1, 2)))
    points = (-0.1, "-0.1", "-1/10", Fraction(-1, 10), Decimal("-0.1"), sp.Rational(-1, 10))
    assert len({law.stieltjes(z, 25) for z in points}) == 1
    assert len({law.stieltjes(z, 25) for z in (0.7 + 0.5j, SPECTRAL, "7/10 + I/2", "0.7+I*0.5")}) == 1


def test_balls_enclose_the_exact_path() -> None:
    for law in LAWS:
        for z, ball in (("-2", arb(-2)), ("7/10 + I/2", acb("0.7", "0.5")), ("1", arb(1)), ("-1 - I", acb(-1, -1))):
            wide = ball + (arb(0, 1e-6) if isinstance(ball, arb) else acb(arb(0, 1e-6), arb(0, 1e-6)))
            for order in (0, 1, 3):
                exact_ball, found = (
                    law.stieltjes_ball(p, 200) if order == 0 else law.stieltjes_derivative_ball(p, order, 200) for p in (z, wide)
                )
                assert acb(found).contains(acb(exact_ball)) and acb(found).rel_accuracy_bits() > 5
    crossing = MarchenkoPastur(4).stieltjes_ball(arb(9, 0.01), 100)
    for x in ("8.995", "9.005"):
        assert crossing.contains(acb(MarchenkoPastur(4).stieltjes_ball(x, 100)))
    assert not acb(MarchenkoPastur(4).stieltjes_ball(acb(5, arb(0, 0.1)), 100)).is_finite()  # either side of the cut
