"""Every trial of the Hessian's entries: what it plans and what it refuses."""

from fractions import Fraction

import numpy as np
import pytest

from pencils.errors import InputError
from theory.activations.polynomial import polynomial
from theory.entries import entry
from theory.hessian import concentration, gradient_trial, moment_matrix, rates, step_trial
from theory.hessian import lower_bound_trial as csq_trial
from theory.register.record import Statement
from theory.trial.plan import plan
from theory.trial.sizes import Sizes

PAPER = "He2/2 + He4/sqrt(48)"


SETTING = {"teacher": PAPER, "target": "He3/sqrt(6)", "sigma_eps": Fraction(1), "eta": Fraction(1, 2), "width": Fraction(20)}


@pytest.mark.parametrize("key", ["algorithm-1", "concentration", "theorem-1", "theorem-3"])
def test_entries_have_experiments_that_can_be_planned(key):
    found = entry(f"damian2022.{key}")
    assert isinstance(found, Statement) and plan(found, {}).total >= 32


FLAT, HESSIAN = {**SETTING, "teacher": "He3"}, {"k": 2, "tensor": polynomial("x1**2", "tensor")}
REFUSED = [
    (gradient_trial.observe, {"w": (3, 4, 0), "teacher": polynomial("x1**2")}, "3 coordinates, and d = 2"),
    (gradient_trial.observe_cosine, {"mu1_star": Fraction(0), "c0_star": Fraction(0)}, "no mean and no linear part"),
    (moment_matrix.observe, {**HESSIAN, "H": (Fraction(1), Fraction(0))}, "Assumption 2 fails"),
    (moment_matrix.observe, {**HESSIAN, "H": (Fraction(1),) * 3}, "dimension r = 3"),
    (csq_trial.correlation, {"degree": Fraction(3), "overlap": Fraction(3)}, "between -1 and 1"),
    (csq_trial.correlation, {"degree": Fraction(5, 2), "overlap": Fraction(1, 2)}, "whole number"),
    (csq_trial.correlation, {"degree": Fraction(400), "overlap": Fraction(1, 2)}, "at most"),
    (step_trial.observe, {**SETTING, "width": Fraction(5, 2)}, "even whole number"),
    (step_trial.observe, {**SETTING, "width": Fraction(3)}, "even whole number"),
    (step_trial.observe, FLAT, "Assumption 2 fails"),
    (rates.observe_theorem_1, FLAT, "Assumption 2 fails"),
    (rates.observe_theorem_1, {**SETTING, "teacher": "He2/10 + He3/100"}, "larger teacher"),
    (rates.observe_theorem_3, FLAT, "Assumption 2 fails"),
    (rates.observe_theorem_3, {**SETTING, "target": "He1"}, "target He1"),
    (concentration.observe, FLAT, "Assumption 2 fails"),
    (concentration.observe, {**SETTING, "teacher": "He2"}, "degree 2"),
]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("observe, parameters, words", REFUSED)
def test_what_cannot_be_observed_is_refused_in_one_line(observe, parameters, words):
    with pytest.raises(InputError, match=words) as error:
        observe(parameters, Sizes(2, 8, 4), np.random.default_rng(0))
    assert "\n" not in str(error.value)
