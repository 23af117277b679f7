"""Deciding identities: proved, refuted by a witness, or labelled as numerical."""

import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

from theory.proof.algebra import same_condition, vanishes
from theory.proof.identity import identity
from theory.proof.points import random_points
from theory.proof.symbols import read_form, symbols
from theory.proof.table import TABLE

theta1, psi2, mu1, x = symbols("theta1 psi2 mu1 x")
root = sp.sqrt(psi2)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (
            sp.sqrt((1 + theta1**2) * (psi2 + theta1**2)) / theta1,
            sp.sqrt(1 + theta1**2) * sp.sqrt(psi2 / theta1**2 + 1),
        ),
        ((1 + root) ** 2, 1 + psi2 + 2 * root),
        (sp.sqrt(1 + 2 * root + psi2), 1 + root),
        (sp.sqrt(3 + 2 * sp.sqrt(2)), 1 + sp.sqrt(2)),
        (1 / (sp.sqrt(1 + theta1) - sp.sqrt(theta1)), sp.sqrt(1 + theta1) + sp.sqrt(theta1)),
        (psi2 ** sp.Rational(3, 4) / psi2 ** sp.Rational(1, 2), psi2 ** sp.Rational(1, 4)),
        (sp.sqrt(theta1**2), theta1),
    ],
)
def test_proved(left, right):
    decision = identity(left, right)
    assert decision.verdict == "identical" and decision.rigorous
    assert not vanishes(left - 2 * right)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (sp.sqrt(1 + theta1**2), 1 + theta1),
        (sp.sqrt(x**2), x),  # x is real of either sign
        (theta1 > root, theta1 > psi2),
        (sp.Piecewise((theta1, theta1 > 1), (1, True)), sp.Piecewise((theta1, theta1 > 1), (2, True))),
        (theta1, theta1 * (1 + sp.Rational(1, 10**40))),
    ],
)
def test_refuted_with_a_witness(left, right):
    decision = identity(left, right)
    assert decision.verdict == "different" and decision.rigorous
    point = {name: sp.Rational(value.numerator, value.denominator) for name, value in decision.witness.items()}
    assert left.subs(point) != right.subs(point)
    assert len(decision.values) == 2


def test_what_algebra_cannot_show_is_labelled_numerical():
    left = sp.atan(theta1) + sp.atan(1 / theta1)
    decision = identity(left, sp.pi / 2)
    assert decision.verdict == "agrees" and not decision.rigorous and not decision and "not proved" in decision.how


SPIKE = "sqrt((1 + theta1**2)*(psi2 + theta1**2))/theta1"


@pytest.mark.parametrize(
    "other",
    [
        "theta1 > 1",
        "theta1 > 6/5",
        "theta1 > psi2**(1/3)",
        "theta1 > psi2**(1/5)",
        "theta1 > psi2**(1/4) + 1/10",
        "theta1**4 >= psi2",
        "theta1 < psi2**(1/4)",
    ],
)
def test_wrong_conditions_are_refuted(other):
    """Agreement at points never makes two comparisons equal: the border between them is searched."""
    assert identity(read_form("theta1 > psi2**(1/4)"), read_form(other)).verdict == "different"
    pieces = [f"Piecewise(({SPIKE}, {c}), (1 + sqrt(psi2), True))" for c in ("theta1 > psi2**(1/4)", other)]
    assert identity(*map(read_form, pieces)).verdict == "different"


@pytest.mark.parametrize(
    "other",
    [
        f"{SPIKE} + 1/10**80",
        f"{SPIKE} + Max(0, theta1 - 4)",
        f"Piecewise((7, theta1 > 100), ({SPIKE}, True))",
        f"Max({SPIKE}, 1 + sqrt(psi2))",
    ],
)
def test_what_differs_where_points_do_not_look_is_not_called_identical(other):
    assert identity(read_form(SPIKE), read_form(other)).verdict != "identical"


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("sqrt(z - 1)*sqrt(z + 1)", "sqrt(z**2 - 1)"),
        ("(z**3)**(1/3)", "z"),
        ("log(z**2)", "2*log(z)"),
        ("Abs(z)**2", "z**2"),
    ],
)
def test_complex_symbols_are_tried_off_the_axis(left, right):
    assert identity(read_form(left), read_form(right)).verdict == "different"


def test_conditions():
    assert same_condition(theta1 > psi2 ** sp.Rational(1, 4), theta1**4 > psi2)
    assert same_condition(-1 / (1 + theta1**2) > -1 / (1 + root), psi2 < theta1**4)
    assert not same_condition(theta1 > psi2, theta1 >= psi2)
    assert not same_condition(theta1 > psi2, psi2 > theta1)
    assert identity(theta1 > psi2 ** sp.Rational(1, 4), theta1**4 > psi2).rigorous


@pytest.mark.slow
@given(st.lists(st.integers(-4, 4), min_size=4, max_size=4))
def test_a_product_of_conjugates_is_recognised(c):
    a, b = c[0] + c[1] * root, c[2] + c[3] * sp.sqrt(1 + theta1)
    assert vanishes((a + b) * (a - b) - a**2 + b**2)
    assert not vanishes((a + b) * (a - b) - a**2 + b**2 + 1)


def test_points_are_exact_and_in_range():
    for point in random_points([theta1, mu1], 20):
        for name, value in point.items():
            low, high = TABLE[name.name].span(TABLE[name.name].number)
            assert low <= value <= high
