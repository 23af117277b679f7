"""Exact input and proven digits (design, idea 4)."""

from decimal import Decimal
from fractions import Fraction

import mpmath
import numpy as np
import pytest
import sympy as sp
from flint import acb, arb
from hypothesis import given
from hypothesis import strategies as st

from pencils.errors import InputError, PrecisionError
from pencils.exact.numbers import agreement, as_ball, as_float, check_digits, decimal, exact, refine, to_ball, working_precision

# sqrt(2) to 60 digits: OEIS A002193
SQRT2 = "1.41421356237309504880168872420969807856967187537694807317668"


@pytest.mark.parametrize(
    ("given", "value"),
    [
        ("5/2", Fraction(5, 2)),
        ("0.1", Fraction(1, 10)),
        ("1e-3", Fraction(1, 1000)),
        (" -2.5E2 ", Fraction(-250)),
        (".5", Fraction(1, 2)),
        ("1.5/0.5", Fraction(3)),
        (0.1, Fraction(1, 10)),  # the decimal that repr shows
        (Decimal("0.30"), Fraction(3, 10)),
        (7, Fraction(7)),
        (sp.Rational(2, 3), Fraction(2, 3)),
        (sp.Float("0.25"), Fraction(1, 4)),
        (np.int64(3), Fraction(3)),
        (np.float32(0.5), Fraction(1, 2)),
    ],
)
def test_exact(given, value):
    assert exact(given) == value


@pytest.mark.parametrize(
    "given",
    [
        "nan",
        "inf",
        "",
        "1/0",
        "1//2",
        "x",
        "1e",
        "0x10",
        "1_000",
        "1e999999999",
        "9" * 5000,
        True,
        None,
        float("nan"),
        float("inf"),
        sp.pi,
        [1],
        "1/2/3",
        "--1",
    ],
)
def test_not_a_number(given):
    with pytest.raises(InputError, match="psi1"):
        exact(given, "psi1")


@given(st.fractions())
def test_round_trip(value):
    assert exact(f"{value.numerator}/{value.denominator}") == value


@pytest.mark.parametrize("digits", [0, -1, 1001, "x", 1.5, True, None, "1e9"])
def test_digits_out_of_range(digits):
    with pytest.raises(InputError, match="whole number from 1 to 1000"):
        check_digits(digits)


@pytest.mark.parametrize("digits", [1, 5, 30, 59])
def test_decimal_shows_right_digits(digits):
    ball = refine(lambda bits: arb(2).sqrt(), digits)
    text = decimal(ball, digits)
    assert len(text.partition("e")[0].replace(".", "")) == digits
    assert abs(Fraction(text) - Fraction(SQRT2)) <= Fraction(1, 10 ** (digits - 1))


def test_decimal_refuses_unproven_digits():
    with pytest.raises(PrecisionError, match="only"):
        decimal(arb(2).sqrt(), 40)  # 53 bits prove about 15 digits


def test_exact_zero_prints_as_zero():
    assert decimal(arb(0), 30) == "0"
    assert as_float(arb(0), 30) == 0


def test_refine_gives_up_with_the_last_enclosure():
    with pytest.raises(PrecisionError, match="10 digits could not be proven"):
        refine(lambda bits: arb("0.5", "0.1"), 10, growth=2)


def test_refine_raises_precision_until_cancellation_is_beaten():
    # (1 + 10^-60) - 1 loses 60 digits
    ball = refine(lambda bits: (1 + arb(10) ** -60) - 1, 20)
    assert decimal(ball, 20) == "1.0000000000000000000e-60"


def test_float_and_complex_results():
    ball = refine(lambda bits: acb(2).sqrt() + acb(0, 1) * arb(3).sqrt(), 25)
    value = as_float(ball, 25)
    assert str(sp.re(value)) == "1.414213562373095048801689"  # SQRT2 rounded to 25 digits
    assert abs(Fraction(str(sp.im(value))) ** 2 - 3) < Fraction(1, 10**23)


def test_a_component_small_beside_the_modulus_shows_what_is_proven():
    value = as_float(acb(arb(0, "1e-40"), 1), 30)
    assert str(sp.re(value)) == "0" and str(sp.im(value)) == "1." + "0" * 29
    with working_precision(120):
        value = as_float(acb(arb(1) / 3 * arb(10) ** -10 + arb(0, "1e-32"), 1), 30)
    assert sp.re(value)._prec < 80 and str(sp.re(value)).endswith("333e-11")


def test_agreement_counts_the_radius():
    with working_precision(200):
        assert agreement(arb(1), arb(1) + arb(10) ** -12, 30) == 12
        assert agreement(arb(1, "1e-5"), arb(1), 30) <= 5  # a wide ball cannot agree by being wide
        assert agreement(arb(0), arb(10) ** -20, 30) == 20
        assert agreement(arb(3), arb(3), 30) == 30


def test_precision_is_restored():
    import flint

    before = flint.ctx.prec
    with working_precision(500):
        pass
    assert flint.ctx.prec == before
    assert to_ball("1/3").contains(arb(1) / 3)


def test_numbers_of_any_context_become_exact_balls():
    ctx = mpmath.MPContext()
    ctx.dps = 80
    root = ctx.sqrt(2)
    with working_precision(30):  # no digit is lost to the precision of the moment
        ball = as_ball(root)
        assert ball.is_exact() and int(ball.man_exp()[0]) == root.man_exp[0]
        assert as_ball(0.1).is_exact() and as_ball(ctx.zero).is_zero()
        assert not as_ball(Fraction(1, 3)).is_exact() and as_ball(sp.Rational(1, 2)) == 0.5 and as_ball(3) == 3
        assert not as_ball(ctx.inf).is_finite() and not as_ball(ctx.nan).is_finite()
    assert agreement(root, root + ctx.mpf(10) ** -50, 70) == 50
    assert agreement(ctx.inf, root, 30) == 0 and agreement(Fraction(1, 4), ctx.mpf("0.25"), 30) == 30
