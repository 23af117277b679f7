"""The population gradient of damian2022 (Lemma 13): closed forms worked out here, quadrature by mpmath, symmetries, bad input."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import mpmath as mp
import numpy as np
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from pencils.errors import InputError
from pencils.exact.numbers import working_precision
from theory.activations.hermite import HermiteExpansion
from theory.activations.polynomial import PolynomialTeacher, polynomial
from theory.evidence.verify import verify
from theory.handles import handle
from theory.hessian import gradient as gradient_module
from theory.hessian.gradient import brackets
from theory.hessian.gradient_route import gradient as second_route
from theory.hessian.monomials import relu_coefficient, relu_multiple
from theory.register.evaluate import evaluate
from theory.register.record import Quantity, Statement
from theory.statements.damian2022 import first_term, lemma_13, lemma_13_orders, preprocessing
from theory.statements.damian2022.population_gradient import ENTRIES as QUANTITIES

ROOT = sp.sqrt(2 * sp.pi)


(QUANTITY,) = QUANTITIES


CALM = settings(derandomize=True, deadline=None, max_examples=12)


ENTRIES = [one for room in (lemma_13, lemma_13_orders, preprocessing, first_term) for one in room.ENTRIES]


def entry(name: str) -> Statement:
    return next(one for one in ENTRIES if one.key == f"damian2022.{name}")


def values(teacher: str, w: str, digits: int = 30, **more: str) -> dict[str, Any]:
    return evaluate(QUANTITY, {"teacher": teacher, "w": w, **more}, digits).values()


def close(found: Any, wanted: Any, digits: int = 29) -> bool:
    """Equal to that many digits, or decimals below 1."""
    with mp.workdps(50):
        one, other = (mp.mpf(str(sp.N(value, 45)) if isinstance(value, sp.Basic) else str(value)) for value in (found, wanted))
        return bool(abs(one - other) < mp.mpf(10) ** -digits * max(1, abs(other)))


def exact_gradient(teacher: str, w: list[sp.Expr], preprocess: bool = True) -> sp.Matrix:
    return sum((sp.Matrix(part) for part in brackets(polynomial(teacher), w, preprocess)), sp.zeros(len(w), 1))


def test_the_example_of_the_issue_by_hand() -> None:
    # H = [[1, 1], [1, 0]], P_2(w) = w1^2/2 + w1 w2 = 33/50, c_2 = 1/sqrt(2 pi), c_4 = -c_2: g = (H w - 33/50 w)/sqrt(2 pi)
    found = values("(x1**2-1)/2 + x1*x2", "3/5,4/5,0")
    for name, vector in {
        "gradient": [sp.Rational(7, 5) - sp.Rational(99, 250), sp.Rational(3, 5) - sp.Rational(132, 250)],
        "leading": [sp.Rational(7, 5), sp.Rational(3, 5)],
    }.items():
        assert all(close(part, wanted / ROOT) for part, wanted in zip(found[name], vector, strict=False))
        assert found[name][2] == 0
    # E f^2 = 2!/4 + 1; eigenvalues of H are (1 +- sqrt 5)/2, so |H^+| = 2/(sqrt 5 - 1)
    assert close(found["energy"], sp.Rational(3, 2))
    assert close(found["kappa"], 2 / (sp.sqrt(5) - 1) / sp.sqrt(2))
    assert close(found["r"], 2)
    assert close(found["rank_H"], 2)


def test_coefficients_of_the_relu() -> None:
    # the sheet, section 4: c_{2k} = (2k)! (-1)^{k-1}/(k! 2^k (2k-1) sqrt(2 pi)); and E z^k relu(z) = E|z|^{k+1}/2 by quadrature
    for k in range(1, 6):
        printed = (-1) ** (k - 1) * sp.factorial(2 * k) / (sp.factorial(k) * 2**k * (2 * k - 1) * ROOT)
        assert sp.simplify(relu_coefficient(2 * k) - printed) == 0
        assert relu_coefficient(2 * k + 1) == 0
    z = sp.Symbol("z", positive=True)
    for k, hermite in enumerate((1, z, z**2 - 1, z**3 - 3 * z, z**4 - 6 * z**2 + 3)):
        assert sp.simplify(sp.integrate(hermite * z * sp.exp(-(z**2) / 2) / ROOT, (z, 0, sp.oo)) - relu_coefficient(k)) == 0


def test_the_coefficients_are_those_of_the_hermite_room() -> None:
    for k in range(9):
        assert sp.simplify(HermiteExpansion("relu").coefficient(k).exact - relu_coefficient(k)) == 0
    with pytest.raises(ValueError, match="no whole multiple"):
        relu_multiple(1)


@pytest.mark.parametrize("preprocess", [True, False])
def test_against_quadrature_in_one_variable(preprocess: bool) -> None:
    # f depends on x1 alone: g_1 = E[f x1 Phi(w1 x1/w2)], g_2 = E[f phi(w1 x1/w2)], an integral that knows no Hermite coefficient
    def f(x: Any) -> Any:  # mean 2 + 3 - 1, slope E f x = 15/3 - 3
        value = 2 + x**4 - x**3 - x**2 + x**5 / 3
        return value - 4 - 2 * x if preprocess else value

    found = values("2 + x1**4 - x1**3 - x1**2 + x1**5/3", "5/13,12/13", preprocess=str(preprocess).lower())["gradient"]
    with mp.workdps(40):
        w1, w2 = mp.mpf(5) / 13, mp.mpf(12) / 13
        wanted = [
            mp.quad(lambda x: f(x) * x * mp.ncdf(w1 * x / w2) * mp.npdf(x), mp.linspace(-16, 16, 17)),
            mp.quad(lambda x: f(x) * mp.npdf(w1 * x / w2) * mp.npdf(x), mp.linspace(-16, 16, 17)),
        ]
        assert all(close(one, other) for one, other in zip(found, wanted, strict=True))


COEFFICIENTS = st.lists(st.integers(-3, 3), min_size=6, max_size=6)
ANGLES = st.integers(1, 7)


@CALM
@given(COEFFICIENTS, ANGLES)
def test_a_rotation_of_the_coordinates_rotates_the_gradient(coefficients: list[int], turn: int) -> None:
    # g of f(Q x) at w is Q^T g of f at Q w, because x and Q x have one law
    rotation = sp.Matrix([[3, 4], [-4, 3]]) / 5
    w = sp.Matrix([sp.Rational(1 - turn**2, 1 + turn**2), sp.Rational(2 * turn, 1 + turn**2)])
    names = ("({0})**2", "({0})*({1})", "({0})**3*({1})", "({1})**4", "({0})", "({0})**2*({1})")
    plain, turned = (
        "+".join(f"({c})*{name.format(*axes)}" for c, name in zip(coefficients, names, strict=True))
        for axes in (("x1", "x2"), ("(3*x1+4*x2)/5", "(3*x2-4*x1)/5"))
    )
    for preprocess in (True, False):
        left = exact_gradient(turned, list(w), preprocess)
        right = rotation.T * exact_gradient(plain, list(rotation * w), preprocess)
        assert (left - right).applyfunc(sp.expand) == sp.zeros(2, 1)


def test_orders_add_up_and_odd_degrees_leave_no_gradient() -> None:
    found = values("1 + x1 - 2*x2*x3 + x1**2*x2**2/3 + x3**3", "2/7,-3/7,6/7", preprocess="false")
    for place in range(3):
        assert close(sum(found[f"order_{k}"][place] for k in range(5)), found["gradient"][place], 28)
    assert found["leading"] == found["order_1"]
    # c_p = c_{p+2} = 0: with an odd f beyond its linear part, x f(x) is even and sigma' - 1/2 odd
    assert values("He3(x1) + He5((x1+x2)/sqrt(2))", "3/5,4/5")["gradient"] == [0, 0]
    # H = 0: the first term is c_4 C_4(w, w, w, .)/3! = -4 w1^3/sqrt(2 pi), the next c_6 C_4(w, ..., w) w/4! = 3 w1^4 w/sqrt(2 pi)
    w = sp.Rational(3, 5)
    assert close(values("He4(x1)", "3/5,4/5")["gradient"][0], (3 * w**5 - 4 * w**3) / ROOT)


def test_preprocessing_takes_off_the_terms_of_order_one() -> None:
    raw, clean = (values("2 + 5*x1 - x2 + x1*x2", "3/5,4/5", preprocess=word) for word in ("false", "true"))
    for place, slope in enumerate((5, -1)):
        lost = sp.Rational(slope, 2) + 2 * sp.Rational(3 + place, 5) / ROOT  # C_1/2 + C_0 w/sqrt(2 pi)
        assert close(raw["gradient"][place] - clean["gradient"][place], lost, 28)
        assert close(clean["b"][place], slope)
    assert close(clean["alpha"], 2)
    assert (raw["alpha"], raw["b"]) == (0, [0, 0])


def test_a_vector_of_another_length_is_normalised_and_said() -> None:
    found = evaluate(QUANTITY, {"teacher": "x1*x2", "w": "3,4"}, 20)
    assert found.values()["gradient"] == values("x1*x2", "3/5,4/5", 20)["gradient"]
    assert any("|w| is not 1" in note and "(3/5, 4/5)" in note for note in found.notes)
    assert not any("|w| is not 1" in note for note in evaluate(QUANTITY, {"teacher": "x1*x2", "w": "3/5,4/5"}, 20).notes)


@pytest.mark.parametrize(
    ("teacher", "holds", "kappa"),
    [
        ("x1**2 + x2**3", False, "infinite"),  # H has rank 1, two directions
        ("He4(x1)", False, "infinite"),
        ("x1**2 + x2", False, "infinite"),
        ("7", False, "infinite"),
        ("x1**2 + x2**2 + x3**2 - x4**2", True, 1 / sp.Integer(4)),  # |H^+| = 1/2, r = 4, an eigenvalue three times
        ("sqrt(3)*x2**2", True, 1 / (2 * sp.sqrt(3))),
        ("(x1+x2+x3)**2 - (x1-x2)**2/100", True, 25 / sp.sqrt(2)),  # eigenvalues 6, -1/25 and 0
    ],
)
def test_rank_and_condition_number(teacher: str, holds: bool, kappa: Any) -> None:
    found = evaluate(QUANTITY, {"teacher": teacher, "w": "1,0,0,0"}, 30)
    assert found.hypotheses["Assumption 2: rank H = r"] is holds
    shown = found.values()["kappa"]
    assert shown == kappa if kappa == "infinite" else close(shown, kappa)
    assert any("kappa is infinite" in note for note in found.notes) is not holds


@pytest.mark.parametrize(
    ("teacher", "w", "words"),
    [
        ("sin(x1)", "1", "not a polynomial, because of 'sin'"),
        ("x1**x2", "1,0", "exponent that is not a whole number"),
        ("x1**(1/2)", "1", "exponent that is not a whole number"),
        ("x1**-1", "1", "exponent that is not a whole number"),
        ("x1/x2", "1,0", "division by x2"),
        ("sqrt(x1)", "1", "sqrt takes a rational"),
        ("x1 < 2", "1", "not a polynomial"),
        ("y", "1", "'y' is not a variable"),
        ("x0", "1", "'x0' is not a variable"),
        ("x1/0", "1", "division by zero"),
        ("__import__('os')", "1", "not accepted"),
        ("(x1+x2+x3+x4+x5+x6+x7+x8)**20", "1,0,0,0,0,0,0,0", "more than 3000 terms"),
        ("x4*x1", "1,0,0", "uses x4"),
        ("x1", "0,0", "not 0"),
        ("x1", "1,a", "exact number"),
        ("x1", "x1", "exact number"),
        ("x1", "1+sqrt(2),1", "rational length squared"),
    ],
)
def test_bad_input_is_one_line(teacher: str, w: str, words: str) -> None:
    with pytest.raises(InputError, match=re.escape(words)) as caught:
        values(teacher, w)
    assert "\n" not in str(caught.value)


def test_a_teacher_is_given_as_sympy_expression_or_poly() -> None:
    x1, x2 = sp.symbols("x1 x2")
    text, given_ = "(x1**2-1)/2 + sqrt(2)*x1*x2/3", (x1**2 - 1) / 2 + sp.sqrt(2) * x1 * x2 / 3
    for one in (given_, sp.Poly(given_, x1, x2), sp.Poly(given_, x2, x1)):
        assert polynomial(one).terms == polynomial(text).terms
        found = evaluate(QUANTITY, {"teacher": one, "w": "3/5,4/5"}, 20).values()
        assert found == values(text, "3/5,4/5", 20)
    assert polynomial(sp.Integer(3)).mean == 3
    for bad in (sp.sin(x1), 1 / x1, x1**x2, sp.sqrt(x1), sp.Symbol("y"), sp.pi * x1, sp.I * x1, sp.Poly(sp.Symbol("a") * x1, x1)):
        with pytest.raises(InputError) as caught:
            polynomial(bad)
        assert "\n" not in str(caught.value)
    with pytest.raises(InputError, match="SymPy one in x1, x2"):
        polynomial([x1, x2])


def test_the_second_route_shares_no_formula(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> Any:
        raise AssertionError("a formula of the first route was called")

    for name in ("brackets", "relu_coefficient", "_least_eigenvalue"):
        monkeypatch.setattr(gradient_module, name, refuse)
    for name in ("contracted", "contracted_gradient", "entry", "_directions", "core"):
        monkeypatch.setattr(PolynomialTeacher, name, refuse)
    monkeypatch.setattr(PolynomialTeacher, "hermite", property(refuse))
    found = second_route(QUANTITY.samples[0], 30)
    with working_precision(150):
        assert abs(float(found["gradient"][0]) - (7 / 5 - 99 / 250) / float(sp.N(ROOT))) < 1e-15


def test_the_verdicts_can_fail() -> None:
    statement = entry("lemma-13")
    claim = statement.claims[0]
    right = replace(statement, claims=(replace(claim, printed=claim.derived, printed_proof=None),))
    assert [row.verdict for row in verify([right])] == ["confirmed"]
    wrong = replace(statement, claims=(replace(claim, derived=str(claim.printed)),))
    assert [row.as_expected for row in verify([wrong])] == [False]


@pytest.mark.slow
def test_a_wrong_coefficient_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    # those of sigma' in place of those of sigma, from c_3 on: the misprint of section 5.1
    monkeypatch.setattr(gradient_module, "relu_coefficient", lambda k: relu_coefficient(k + 1 if k > 2 else k))
    assert verify([QUANTITY])[0].verdict == "routes disagree"


def test_monte_carlo() -> None:
    rng = np.random.default_rng(1)
    x = rng.standard_normal((400_000, 3))
    w = np.array([0.6, 0.8, 0.0])
    f = polynomial("(x1**2-1)/2 + x1*x2").at(x)
    draws = (f * (x @ w > 0))[:, None] * x
    wanted = np.array([float(part) for part in values("(x1**2-1)/2 + x1*x2", "3/5,4/5,0", 15)["gradient"]])
    z = (draws.mean(axis=0) - wanted) / (draws.std(axis=0) / np.sqrt(len(x)))
    assert np.abs(z).max() < 4


@pytest.mark.simulation
@pytest.mark.parametrize("one", [*ENTRIES, *QUANTITIES], ids=lambda one: one.key)
def test_simulations(one: Statement | Quantity) -> None:
    report = handle(one).simulate()
    assert all("derived" not in judgement.excluded for judgement in report.judgements.values())
    for claim in getattr(one, "claims", ()):  # what is printed and wrong is told apart
        if claim.expected == "erratum" and claim.observable:
            assert report.judgements[claim.name].excluded == ("printed",)
