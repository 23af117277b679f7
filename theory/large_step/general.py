"""The formulas of the odd case forced on an activation that is not odd: what is missing then, in numbers.

The even part of sigma gives sigma'_perp(X0 w) a part of degree one, (E sigma'') X0 w, which is no independent noise: the step
turns the bulk of a row into (I + b_i (E sigma'') Y) w_i with Y = X0^T diag(y) X0/n0, of the same order as the rest. Here this
part is counted in hc as noise, as if it were independent of w. That is known to be wrong at finite alpha0, and the right
value is open; the distance between the two is what ``large-step.general-sigma`` shows.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np

from pencils.errors import InputError
from theory.large_step.neurons import TeacherGivenS, whole_teacher_given_s
from theory.large_step.risk import Solver
from theory.large_step.values import enclosed, setting
from theory.quadrature.field import Array

_GRIDS = (1.0, 12), (1.25, 15)


class General(Solver):
    """``Solver`` on the whole line of s, with b and -b apart; for odd activations the same values."""

    half = False

    def readout(self) -> tuple[Array, Array]:
        step = self.step
        if isinstance(step.readout, str):
            b, weights = super().readout()
            if step.readout == "uniform":
                return b, weights
            return np.concatenate([b, -b]), np.concatenate([weights, weights]) / 2
        total = sum(weight for _, weight in step.readout)
        values = [step.etabar * value for value, _ in step.readout]
        return self.field.array(values), self.field.array([weight / total for _, weight in step.readout])

    @cached_property
    def target(self) -> TeacherGivenS:
        return whole_teacher_given_s(self.teacher, self.neurons.s, self.direction.gamma)


def compute(parameters: Mapping[str, Any], digits: int) -> dict[str, Any]:
    """``risk_forced``, ``training_error_forced`` and ``gamma``; InputError at alpha0 = inf, PrecisionError beyond float64."""
    if parameters["alpha0"] is None:
        raise InputError("alpha0 = inf: give a finite alpha0; what is missing vanishes in the bulk as alpha0 grows")
    step = setting(parameters, forced=True)
    solved = [General(step, 12, *grid).solve() for grid in _GRIDS]
    coarse, fine = ({"risk_forced": one.risk, "training_error_forced": one.training_error, "gamma": one.gamma} for one in solved)
    return enclosed(coarse, fine, digits, False, "the forced formula")
