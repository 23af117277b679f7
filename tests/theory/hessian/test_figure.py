"""The figure of errors against the number of samples."""

import numpy as np
import pytest

from pencils.errors import InputError
from theory.entries import figures
from theory.hessian import figure


@pytest.mark.parametrize(
    "given, words",
    [
        ({"d": "2"}, "whole number from 3"),
        ({"draws": "1"}, "from 2"),
        ({"psi1": "2"}, "unk"),
        ({"teacher": "tanh"}, "polynomial"),
        ({"target": "He1"}, "^target He1"),
        ({"eta": "0"}, "eta > 0"),
    ],
)
def test_bad_input_to_the_figure(tmp_path, given, words):
    owner, found = figures()["damian2022.figure-1"]
    with pytest.raises(InputError, match=words) as error:
        figure.draw_figure(owner, found, given, tmp_path / "f.png")
    assert "\n" not in str(error.value)


def test_figure_is_drawn(tmp_path, monkeypatch):
    monkeypatch.setattr(figure, "WIDTHS", (10, 20))
    owner, found = figures()["damian2022.figure-1"]
    assert figure.draw_figure(owner, found, {"d": "3", "draws": "2"}, tmp_path / "f.png").stat().st_size > 10_000


def test_exponents_of_the_figure_need_points_beyond_the_transition_and_draws():
    sizes = tuple(round(10**power) for power in figure.LOGS)
    rng = np.random.default_rng(0)
    values = tuple(tuple((n**-0.5 if n >= 1000 else 1) * np.exp(0.01 * rng.standard_normal(3))) for n in sizes)
    curve = figure.Curve("c", sizes, values)
    assert curve.exponent(10**figure.FITTED).exponent == pytest.approx(-0.5, abs=0.02)
    assert figure.Curve("c", sizes, tuple(one[:2] for one in values)).exponent(1000) is None
    assert figure.Curve("c", sizes[:-2], values[:-2]).exponent(1000) is None
