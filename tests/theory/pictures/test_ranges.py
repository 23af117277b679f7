"""Ranges as typed, and sizes of simulated dots."""

from fractions import Fraction

import pytest

from pencils.errors import InputError
from theory.entries import figures
from theory.pictures.ranges import Range, one_range, size_and_draws, spread, whole


def test_a_range_in_two_or_three_parts():
    span = Range.of("eta", "0:5/2")
    assert span.ends() == (0, Fraction(5, 2)) and span.points(81, 100) == 81
    assert Range.of("eta", "2:1:7").points(81, 100) == 7


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1", "eta = 1: a range is a:b or a:b:points"),
        ("1:2:3:4", "eta = 1:2:3:4: a range is"),
        ("x:2", "eta = 'x': not a number"),
        ("1:2:x", "eta's number of points = 'x': not a number"),
        ("1:2:1", "eta = 1:2:1: the number of points must be a whole number from 2 to 100"),
        ("1:2:101", "whole number from 2 to 100"),
        ("1:2:5/2", "whole number from 2 to 100"),
    ],
)
def test_mistakes(text, said):
    with pytest.raises(InputError, match=said):
        span = Range.of("eta", text)
        span.ends(), span.points(81, 100)


def test_a_range_of_ends_alone():
    with pytest.raises(InputError, match="alpha = 0:1:2: give a range a:b"):
        Range.of("alpha", "0:1:2", "give a range a:b", 2)


def test_one_parameter_is_a_range():
    assert one_range({"psi1": "1", "eta": "0:1"}) == (("eta", "0:1"), {"psi1": "1"})
    assert one_range({"psi1": "1"}) == (None, {"psi1": "1"})
    with pytest.raises(InputError, match="one parameter may be a range, not 2: psi1, eta"):
        one_range({"psi1": "1:2", "eta": "0:1"})


def test_spread():
    assert spread(Fraction(0), Fraction(1), 3) == [0, Fraction(1, 2), 1]


def test_size_and_draws_are_the_figures_own_where_none_are_given():
    _, figure = figures()["delta"]
    assert size_and_draws(figure, {"eta": "1"}) == (figure.d, figure.draws, {"eta": "1"})
    assert size_and_draws(figure, {"d": "60", "draws": "2"}) == ("60", "2", {})


def test_whole_numbers():
    assert whole("d", "40", 3, 40) == 40
    for value in ("41", "2", "7/2", "x"):
        with pytest.raises(InputError, match="d = "):
            whole("d", value, 3, 40)
