"""theory.hessian.monomials: weights of Lemma 17 of damian2022, their size, and the variance of the average."""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
import sympy as sp
from click.testing import CliRunner
from flint import fmpq, fmpq_poly
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate

from pencils.errors import InputError
from pencils.exact.numbers import as_float
from theory.commands.main import main
from theory.entries import entry
from theory.evidence.verify import verify_quantity, verify_statement
from theory.handles import handle
from theory.hessian import monomials
from theory.hessian.monomials import compute, mean, polynomial_text, second_moment, supremum, variance, variance_maximum
from theory.proof.symbols import read_form, symbol
from theory.register.evaluate import evaluate


def lemma_weight(k, a, b):
    """v_k as the sheet writes it, section 4: 2(1-a) f'' - [f'(1) - f(1)] v_0 + f'(1) v_1 for f = x^k."""
    bend = k * (k - 1) * b ** (k - 2) if k >= 2 else 0.0
    return 2 * (1 - a) * bend - (k - 1) * 6 * b + k * 2 * a


def plain_mean(k, x, power, density):
    """E (v relu)^power by adaptive quadrature with the kink as a break: nothing of the package."""
    total = 0.0
    for a in (1, -1):

        def integrand(b, a=a):
            v = lemma_weight(k, a, b) * (0.5 / density(b) if density is not half else 1.0)
            return density(b) * (v * max(a * x + b, 0)) ** power / 2

        total += integrate.quad(integrand, -1, 1, points=[-a * x], epsabs=1e-12)[0]
    return total


def half(b):
    return 0.5


def normal(b):
    return math.exp(-b * b / 2) / math.sqrt(2 * math.pi)


@pytest.mark.parametrize("k", [0, 1, 2, 3, 4, 5, 8, 13, 60])
def test_the_mean_is_the_monomial(k):
    assert mean(k) == fmpq_poly([0] * k + [1])


@pytest.mark.parametrize("k, wrong", [(0, fmpq_poly([0, 5])), (1, fmpq_poly([2])), (4, fmpq_poly([0, 0, 48]))])
def test_another_weight_does_not_give_it(monkeypatch, k, wrong):
    monkeypatch.setattr(monomials, "weight", lambda k: {1: wrong, -1: wrong})
    assert mean(k) != fmpq_poly([0] * k + [1])


@pytest.mark.parametrize("k, x", [(0, 0.3), (1, -0.8), (2, 0.9), (5, -0.4), (7, 0.55)])
def test_moments_against_quadrature(k, x):
    exact = Fraction(str(x))
    values = compute({"k": k, "x": exact}, 15)
    for name, density in (("", half), ("gaussian_", normal)):
        first, second = (plain_mean(k, x, power, density) for power in (1, 2))
        assert first == pytest.approx(x**k, abs=1e-9)
        assert float(values[f"{name}variance_at"].mid()) == pytest.approx(second - first**2, rel=1e-8)
    assert float(values["mean_at"].mid()) == pytest.approx(x**k)


@pytest.mark.parametrize("k", range(10))
def test_suprema_against_a_grid(k):
    b = np.linspace(-1, 1, 4001)
    v = np.array([lemma_weight(k, a, b) + 0 * b for a in (1, -1)])
    assert np.max(abs(v)) == pytest.approx(supremum(k), rel=1e-12)  # b = -1 is on the grid
    gaussian = float(compute({"k": k}, 15)["gaussian_sup"].mid())
    assert np.max(abs(v) * math.sqrt(math.pi / 2) * np.exp(b * b / 2)) == pytest.approx(gaussian, rel=1e-12)
    square = np.array([integrate.quad(lambda b, a=a: lemma_weight(k, a, b) ** 2 / 4, -1, 1)[0] for a in (1, -1)])
    assert square.sum() == pytest.approx(float(second_moment(k)), rel=1e-10)


@pytest.mark.parametrize("k", [0, 1, 2, 3, 4, 5, 9])
def test_the_largest_variance_against_a_grid(k):
    x = np.linspace(-1, 1, 401)
    values = np.polyval([float(Fraction(int(c.p), int(c.q))) for c in reversed(variance(k).coeffs())], x)
    place, best = (float(ball.mid()) for ball in variance_maximum(k))
    assert best == pytest.approx(values.max(), rel=1e-12)
    assert values[round(200 * (place + 1))] == pytest.approx(values.max(), rel=1e-12)


def test_variances_worked_out_by_hand():
    # k = 1: v = 2a, E 4 relu^2 - x^2 = ((1+x)^3 + (1-x)^3)/3 - x^2 = 2/3 + x^2
    assert variance(1) == fmpq_poly([fmpq(2, 3), 0, 1])
    # k = 2: v = 4 - 6b for both signs; at x = 0 the variance is E (4 - 6b)^2 relu(b)^2 = (16/3 - 12 + 36/5)/2 = 4/15
    assert variance(2)(fmpq(0)) == fmpq(4, 15)


@settings(derandomize=True, deadline=None, max_examples=20)
@given(st.integers(min_value=2, max_value=40))
def test_registered_forms_are_the_computed_numbers(k):
    statement, parity = entry("damian2022.monomials"), "odd" if k % 2 else "even"
    for name, value in (("supremum", supremum(k)), ("second_moment", second_moment(k))):
        form = read_form(statement.claim(f"{parity}_{name}").derived)
        assert form.subs(symbol("order_k"), k) == sp.Rational(Fraction(value).numerator, Fraction(value).denominator)


def test_polynomials_as_text():
    assert polynomial_text(fmpq_poly([fmpq(-1, 2), 1, 0, -1]), "x") == "-x**3 + x - 1/2"
    assert polynomial_text(fmpq_poly([0]), "x") == "0"


@pytest.mark.parametrize("k", [0, 1, 2, 3, 6])
def test_the_formula_that_is_shown_is_the_weight(k):
    a, b = sp.symbols("a b")
    shown = compute({"k": k}, 10)
    text = sp.parse_expr(shown["formula"])
    assert sp.expand(text - sp.expand(lemma_weight(k, a, b))) == 0
    for sign, name in ((1, "at_plus"), (-1, "at_minus")):
        assert sp.expand(text.subs(a, sign) - sp.parse_expr(shown[name])) == 0


def test_command_line():
    run = CliRunner().invoke(main, ["eval", "damian2022.lemma-17", "k=5", "--json"])
    assert run.exit_code == 0 and '"mean": "x**5"' in run.output and '"sup": "66.0000' in run.output


@pytest.mark.parametrize(
    "given, says",
    [
        ({"k": "-1"}, "0 or more"),
        ({"k": "5/2"}, "whole"),
        ({"k": "9" * 30}, "up to k = 100"),
        ({"k": "x"}, "not a number"),
        ({"k": "2", "x": "2"}, "must be in"),
        ({}, "missing k"),
    ],
)
def test_bad_input_is_one_line(given, says):
    with pytest.raises(InputError, match=says) as error:
        evaluate(entry("damian2022.lemma-17"), given)
    assert "\n" not in str(error.value)


def test_both_routes_and_a_wrong_form():
    quantity = entry("damian2022.lemma-17")
    (row,) = verify_quantity(replace(quantity, samples=({"k": "4", "x": "2/3"},)), 30)
    assert row.as_expected and row.routes.digits == 30
    statement = entry("damian2022.monomials")
    wrong = replace(statement, claims=(replace(statement.claim("monomial"), printed="x**order_k + x", derived="x**order_k"),))
    (row,) = verify_statement(wrong)
    assert row.verdict == "erratum" and not row.as_expected
    wrong = replace(statement, claims=(replace(statement.claim("odd_supremum"), derived="4*order_k**2 - 6"),))
    assert verify_statement(wrong)[0].verdict == "derivation fails"


def test_many_digits():
    value = compute({"k": 3}, 60)["gaussian_sup"]
    assert str(as_float(value, 60)) == str((18 * sp.sqrt(sp.pi * sp.E / 2)).evalf(60))


@pytest.mark.simulation
def test_simulation_tells_the_variance_from_the_raw_moment():
    judged = handle(entry("damian2022.lemma-17")).simulate(seed=1).judgements
    assert judged["variance"].excluded == ("raw_at",)
    assert judged["gaussian_variance"].excluded == ("variance_at",)
    assert judged["mean"].excluded == judged["gaussian_mean"].excluded == ()
