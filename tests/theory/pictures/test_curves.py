"""A statement's forms against one parameter: what is swept, what is fixed, the values drawn."""

import pytest

from pencils.errors import InputError
from theory.entries import statement
from theory.pictures.curves import POINTS, forms_along, sweep


def test_the_statements_own_sweep():
    found = statement("ba2022.theorem-3")
    fixed, name, low, high, points = sweep(found, {})
    assert (name, low, high, points) == ("eta", 0, 5, POINTS) and "eta" not in fixed
    assert set(fixed) <= set(found.experiment.setting)


def test_a_given_range_and_given_values():
    fixed, name, low, high, points = sweep(statement("ba2022.theorem-3"), {"psi1": "1:2:5", "mu1": "1/2", "eta": "3"})
    assert (name, low, high, points) == ("psi1", 1, 2, 5)
    assert fixed["eta"] == "3" and fixed["mu1"] == "1/2" and "activation" not in fixed


@pytest.mark.parametrize(
    ("key", "given", "said"),
    [
        ("ba2022.theorem-3", {"eta": "1"}, "nothing is left to draw against"),
        ("ba2022.theorem-3", {"eta": "2:1"}, "the range 2:1 is empty"),
        ("ba2022.theorem-3", {"eta": "1:1:3"}, "the range 1:1 is empty"),
        ("ba2022.proposition-2", {}, "give one parameter as a range"),
    ],
)
def test_mistakes(key, given, said):
    with pytest.raises(InputError, match=said):
        sweep(statement(key), given)


def test_values_along_the_parameter():
    """theta2 = mu1 eta mu1* is linear in eta, in both columns."""
    found = statement("ba2022.theorem-3")
    fixed, name, *_ = sweep(found, {})
    curves = forms_along(found, ["theta2"], fixed, name, [1, 2, 4])
    for column in ("printed", "derived"):
        first, second, fourth = curves[column, "theta2"]
        assert second == pytest.approx(2 * first) and fourth == pytest.approx(4 * first) and first > 0
