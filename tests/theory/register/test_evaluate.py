"""Values at a model: exact borders, hypotheses, orientation, precision; and the Python interface."""

from fractions import Fraction

import mpmath
import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

import theory
from pencils.errors import InputError, PrecisionError
from theory.commands.show import envelope
from theory.entries import entry, split_claim
from theory.handles import handle
from theory.proof.symbols import read_form
from theory.register.evaluate import evaluate
from theory.register.forms import reading
from theory.register.model import Model
from theory.register.sampler import models

SPIKE = theory.statement("ba2022.theorem-3").record
NUMBERS = {"psi1": 2, "psi2": 1, "eta": 1, "sigma_eps": 0, "mu1": 1, "mu1_star": 1, "mu2_star": 0}


def values(**changes):
    return handle(SPIKE).evaluate(**{**NUMBERS, **changes})["derived"]


def test_python_interface_shows_the_digits_asked_for():
    result = handle(SPIKE).evaluate(psi1=4, psi2=2, eta="5/2", activation="tanh", teacher="relu", sigma_eps=2, digits=40)
    assert set(result) == {"printed", "derived"}
    assert isinstance(result["derived"]["theta1"], sp.Float)
    assert str(result["derived"]["theta1"]).startswith("1.74975211256282243453670004888639797063")
    assert result["derived"]["outlier"] is True and result["printed"]["overlap"] == 0


@pytest.mark.parametrize(("psi2", "s1"), [("1/4", "3/2"), (1, 2), (4, 3)])
def test_eta_zero(psi2, s1):
    """No step: theta1 = 0, no outlier, s1 = 1 + sqrt(psi2) (edge of the Marchenko-Pastur law)."""
    found = values(eta=0, psi2=psi2)
    assert found["theta1"] == found["theta2"] == found["overlap"] == 0
    assert found["outlier"] is False and abs(found["singular_value"] - sp.Rational(s1)) < 1e-28


def test_exactly_at_the_threshold():
    """theta1^2 = eta^2 mu1^2 ((1 + 0)/psi1 + 1) = eta^2 * 3/2 with psi1 = 2: theta1^4 = psi2 = 9/4 at eta = 1."""
    at = values(psi2="9/4")
    assert at["outlier"] is False and at["overlap"] == 0
    assert abs(at["singular_value"] - sp.Rational(5, 2)) < 1e-28
    above = values(psi2=Fraction(9, 4) - Fraction(1, 10**60))
    assert above["outlier"] is True and 0 < above["overlap"] < 1e-58
    assert values(psi2=Fraction(9, 4) + Fraction(1, 10**60))["outlier"] is False


def test_threshold_with_irrational_data():
    """mu1 = sqrt 2, mu1* = 1: theta1^4 = (2 (1 + 1/2))^2 = 9 = psi2, which only an exact proof of equality can tell."""
    found = handle(SPIKE).evaluate(psi1=2, psi2=9, eta="1", sigma_eps=0, activation="sqrt(2)*x", teacher="x")["derived"]
    assert found["outlier"] is False and found["overlap"] == 0


@pytest.mark.slow
def test_undecidable_borders_are_an_error_and_not_a_guess():
    """tanh has no closed mu1: eta tuned to 300 digits puts theta1 on the border beyond what is tried."""
    with mpmath.workdps(320):
        h = mpmath.mpf(1) / 90  # trapezoid rule, error exp(-pi^2/h) beside the pole of sech at i pi/2
        mu1 = h * mpmath.fsum(mpmath.sech(k * h) ** 2 * mpmath.npdf(k * h) for k in range(-3600, 3601))
        eta = mpmath.nstr(1 / (mu1 * mpmath.sqrt(mpmath.mpf(3) / 2)), 300)
    parameters = {"psi1": 2, "psi2": 1, "eta": eta, "sigma_eps": 0, "activation": "tanh", "teacher": "x"}
    assert isinstance(handle(SPIKE).evaluate(**parameters, digits=60)["derived"]["outlier"], bool)
    with pytest.raises(PrecisionError, match="cannot be decided"):
        handle(SPIKE).evaluate(**parameters, digits=5)


def test_orientation():
    """(sigma, a) -> (-sigma, -a) is the same step: a negative mu1 changes nothing, and is said."""
    one = evaluate(SPIKE, {**NUMBERS, "mu1": "2/3"})
    other = evaluate(SPIKE, {**NUMBERS, "mu1": "-2/3"})
    assert one.values() == other.values() and any("mu1 < 0" in note for note in other.notes)
    tanh = {"psi1": 2, "psi2": 1, "eta": 3, "sigma_eps": 1, "teacher": "relu"}
    one, other = (evaluate(SPIKE, {**tanh, "activation": text}) for text in ("tanh(x)", "-tanh(x)"))
    assert one.values() == other.values() and any("mu1 < 0" in note for note in other.notes)


def test_hypotheses_are_reported_not_enforced():
    data = envelope(evaluate(SPIKE, {"psi1": 2, "psi2": 1, "eta": 3, "sigma_eps": 1, "activation": "cos", "teacher": "relu"}))
    assert data["hypotheses"] == {"mu1 != 0": False} and data["derived"]["theta1"] == "0"


def test_floats_mean_their_decimals():
    assert values(eta=0.1) == values(eta="1/10")


@given(st.fractions(min_value="1/10", max_value=5), st.fractions(min_value="1/10", max_value=5))
def test_properties_of_the_spike(psi2, eta):
    """Overlap in [0, 1], s1 at least the edge, noise only ever lengthens u (statements.md, Theorem 3)."""
    quiet, noisy = values(psi2=psi2, eta=eta), values(psi2=psi2, eta=eta, sigma_eps=1)
    edge = 1 + sp.sqrt(sp.Rational(psi2.numerator, psi2.denominator)).evalf(40)
    for found in (quiet, noisy):
        assert 0 <= found["overlap"] <= 1 and found["singular_value"] >= edge - sp.Float("1e-27")
        assert found["outlier"] == (found["singular_value"] > edge + sp.Float("1e-27"))
    assert noisy["theta1"] > quiet["theta1"] and noisy["theta2"] == quiet["theta2"]


def test_needed_symbols_and_expansion():
    needs = ["psi1", "psi2", "eta", "sigma_eps", "mu1", "mu1_star", "mu2_star"]
    assert reading(SPIKE).needs == needs
    free = {str(s) for form in reading(SPIKE).forms("derived").values() for s in form.free_symbols}
    assert free == set(needs)
    assert "sigma_eps" not in {str(s) for f in reading(SPIKE).forms("printed").values() for s in f.free_symbols}


def test_models_satisfy_the_hypotheses_and_meet_borders():
    found = list(models(SPIKE, 40))
    assert len(found) == 40 and {model.given["activation"] for model in found} >= {"tanh", "erf", "relu"}
    outliers = {handle(SPIKE).evaluate(digits=5, **model.given)["derived"]["outlier"] for model in found}
    assert outliers == {True, False}
    assert any(model.values["psi2"] == 1 for model in found)
    assert [m.given for m in models(SPIKE, 3)] == [m.given for m in models(SPIKE, 3)]


def test_model_renders_in_notebooks():
    model = Model.build(NUMBERS, reading(SPIKE).needs, "x")
    assert r"\psi_1 = 2" in model._repr_latex_()


def test_register_errors():
    with pytest.raises(InputError, match="did you mean ba2022"):
        theory.entry("ba2022.theorem-33")
    with pytest.raises(InputError, match="quantity"):
        theory.statement("hermite")
    with pytest.raises(InputError, match="name a claim too"):
        split_claim("ba2022.theorem-3")
    with pytest.raises(InputError, match="unknown word 'nonsense'"):
        read_form("nonsense + 1")


def test_quantities():
    """statements.md, section 4: relu = 1/sqrt(2 pi) + x/2 + He_2/(2 sqrt(2 pi)) + ..., and E relu^2 = 1/2."""
    found = theory.entry("hermite").evaluate(activation="relu", order=2, digits=20)
    assert [str(c)[:12] for c in found["coefficients"]] == ["0.3989422804", "0.5000000000", "0.3989422804"]
    assert str(found["energy"]) == "0." + "5".ljust(20, "0")
    law = handle(entry("marchenko-pastur")).evaluate(psi2=4, z="i", digits=25)
    m = law["stieltjes"]
    assert sp.im(m) > 0 and abs(sp.N(sp.I * m**2 + (sp.I + 1 - 4) * m + 1, 30)) < 1e-23  # z m^2 + (z+1-psi2) m + 1 = 0
    assert law["atom"] == 0 and float(law["atom_companion"]) == 0.75
    assert [float(value) for value in law["edges"] + law["moments"][:2]] == [1, 9, 4, 20]  # Narayana: psi, psi + psi^2
