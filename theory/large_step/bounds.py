"""``dandi2025``: what ridge regression with the best lambda attains after a large step, between two least-squares distances.

Uniform readout, population direction: kappa = etabar mu1 mu1*, A(k) = E sigma(kappa k + z), B(k) = E sigma'(kappa k + z), and

    inf_v E(sigma* - v A)^2 >= inf_lambda R >= inf_{v1, v2} E(sigma*(k) - v1 A(k) - v2 k B(k))^2.

The second is stated for neurons that differ only by their projection on beta. Where their lengths differ too, the fit has
D2(k) = E sigma''(kappa k + z) as well, and the infimum over all three is what no lambda gets below. The activation need not
be odd. Source: section 5 of the sheet (second-hand); the third function derived from ``theory.large_step.signal``.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from pencils.errors import InputError, PrecisionError
from theory.large_step.values import enclosed
from theory.quadrature.field import FLOAT_DIGITS, Array, Field
from theory.quadrature.gauss import STRIP, Function, line, reach

_REFINE = (1.0, 1.25)


def compute(parameters: Mapping[str, Any], digits: int) -> dict[str, Any]:
    """``kappa``, ``upper``, ``lower`` and ``lower_with_lengths`` at the checked parameters of ``dandi2025.bounds``.

    Raises InputError where nothing moves (mu1 mu1* = 0), PrecisionError saying how many digits can be had.
    """
    if digits <= FLOAT_DIGITS - 4:
        try:
            return _at(parameters, digits, FLOAT_DIGITS)
        except PrecisionError:  # what is left of the teacher may be small, and is then lost in float64
            pass
    return _at(parameters, digits, max(digits, FLOAT_DIGITS) + 6)


def _at(parameters: Mapping[str, Any], digits: int, working: int) -> dict[str, Any]:
    field = Field(working)
    sigma, teacher = parameters["activation"].centred(), parameters["teacher"].centred()
    with field.precision():
        coarse, fine = (
            _bounds(
                Function(sigma.numeric(field.digits + 20), field, refine),
                Function(teacher.numeric(field.digits + 20), field, refine),
                field.number(parameters["etabar"]),
            )
            for refine in _REFINE
        )
    return enclosed(coarse, fine, digits, field.balls, "the bounds of dandi2025")


def _bounds(sigma: Function, teacher: Function, etabar: Any) -> dict[str, Any]:
    field = sigma.field
    z, w = (part.reshape(-1) for part in sigma.rule(field.zeros(1), field.array([1])))
    mu1 = (w * z * sigma(z)).sum()
    k, weight = (part.reshape(-1) for part in teacher.rule(field.zeros(1), field.array([1])))
    star = (weight * k * teacher(k)).sum()
    kappa = etabar * mu1 * star
    if abs(float(kappa)) < 1e-12:
        raise InputError("mu1 mu1* = 0: the population gradient moves no neuron along beta")
    if not teacher.kinks:
        k, weight = line(field, 2 * math.pi * STRIP / max(1, abs(float(kappa))) / field.log_error / sigma.refine, reach(field))
    A, B, _, D2 = sigma.smoothed(kappa * k, field.number(1) + 0 * k)
    left, scale = [teacher(k)], float((weight * A * A).sum())
    energy = [(weight * left[0] ** 2).sum()]
    for direction in (A, k * B, D2):
        energy.append(energy[-1] - _taken(left, direction, weight, scale))
    return {"kappa": kappa, **dict(zip(("upper", "lower", "lower_with_lengths"), energy[1:], strict=True))}


def _taken(left: list[Array], direction: Array, weight: Array, scale: float) -> Any:
    """What projecting out one more function takes from the energy; ``left``: what remains of the teacher, then the functions
    already orthogonalised. A function that the earlier ones span takes nothing."""
    for done in left[1:]:
        direction = direction - done * ((weight * done * direction).sum() / (weight * done * done).sum())
    norm = (weight * direction * direction).sum()
    if float(norm) < 1e-20 * scale:
        return 0 * norm
    share = (weight * direction * left[0]).sum()
    left[0] = left[0] - direction * (share / norm)
    left.append(direction)
    return share * share / norm
