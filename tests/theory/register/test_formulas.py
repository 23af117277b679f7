"""Formulas as named data: what a statement says of them and what the mathematics reads is one thing."""

import pytest

from pencils.errors import InputError
from theory.entries import statement
from theory.register.evaluate import evaluate
from theory.register.forms import reading
from theory.register.formulas import Formulas
from theory.risk.forms import FEATURES, RISK
from theory.risk.forms import OMEGA as ROOT
from theory.spike.forms import SPIKE

MODEL = {"psi1": 2, "psi2": "3/2", "lam": "1/10", "eta": 1, "sigma_eps": "1/2", "activation": "tanh", "teacher": "erf"}


@pytest.mark.parametrize(
    ("formulas", "key"), [(RISK, "ba2022.theorem-7"), (SPIKE, "ba2022.theorem-3"), (SPIKE, "ba2022.spike-vectors")]
)
def test_forms_are_those_of_the_statement(formulas, key):
    for name, form in reading(statement(key)).forms("derived").items():
        assert formulas.expanded[name] == form


def test_needs_are_those_of_the_statement():
    assert RISK.needs() == reading(statement("ba2022.theorem-7")).needs
    assert RISK.needs(["bias", "variance"]) == ["psi1", "psi2", "lam", "mu1", "mu2"]  # through omega alone
    assert RISK.needs(["theta2"]) == ["eta", "mu1", "mu1_star"]


def test_values_are_those_of_the_statement():
    forms = evaluate(statement("ba2022.theorem-7"), MODEL, 20).forms["derived"]
    assert {name: str(ball) for name, ball in RISK.values(MODEL, 20, "a test").items()} == {n: str(b) for n, b in forms.items()}
    few = {name: MODEL[name] for name in ("psi1", "psi2", "lam", "activation")}
    for formulas in (RISK, FEATURES):
        some = formulas.values(few, 20, "a test", ("bias", "variance"))
        assert {name: str(ball) for name, ball in some.items()} == {name: str(forms[name]) for name in ("bias", "variance")}


def test_errors_name_the_owner():
    with pytest.raises(InputError, match="a test: missing lam"):
        RISK.values({"psi1": 1, "psi2": 1, "activation": "tanh"}, 10, "a test", ("bias",))


def test_a_form_may_use_an_earlier_one_and_a_root():
    formulas = Formulas({"delta": "2*omega", "R1": "1 - delta"}, bindings={"omega": ROOT})
    assert formulas.needs(["R1"]) == ["psi1", "psi2", "lam", "mu1", "mu2"]
    assert str(formulas.expanded["R1"]) == "1 - 2*omega"
