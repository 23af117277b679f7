"""Where ell spikes have outgrown the bulk: by how much the training loss and the test error fall, for every ell.

The spikes are then fitted freely. With R = (F0 F0^T + lambda n)^-1 the loss lambda y^T R y loses lambda g^T M^-1 g,
M_jk = u_j^T R u_k, g_k = u_k^T R y, u_k = (X~ beta_hat)^{ok}; linear Hermite parts weigh (n/N) m2 and all others (n/N) m1.
Source: statements.md, section 3 (``moniri2024``); derived in ``derivations.staircase``.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from math import factorial
from typing import Any

from pencils.errors import InputError
from pencils.numbers import refine, to_ball
from theory.model import Model
from theory.record import Computed
from theory.staircase.features import Features, model
from theory.staircase.gram import nonlinear_gain

MAX_ELL = 40
OWNER = "a step with eta ~ n^alpha"


def training_loss(parameters: Mapping[str, Any], digits: int) -> Computed:
    """``delta_1`` ... ``delta_ell``, the drops of (1/n)|y~ - F a_hat|^2 + lambda |a_hat|^2, with ``m1`` and ``m2``."""

    def drop(found: Features, linear: Any, rest: Any) -> Any:
        # lambda psi/phi, for lambda n/N
        scale = to_ball(parameters["lam"] * parameters["psi"] / parameters["phi"])
        return scale * (linear * found.m2 + rest * found.m1)

    values, hypotheses, notes = _drops(parameters, digits, "delta", drop)
    return Computed(values | _proven(parameters, digits, ("m1", "m2")), hypotheses, notes)


def test_error(parameters: Mapping[str, Any], digits: int) -> Computed:
    """``lambda_1`` ... ``lambda_ell``, the drops of E (f* - f_hat)^2, with the coefficients ``bias`` of c_{*,1}^2 and ``variance``
    of the noise in the test error before the step."""
    values, hypotheses, notes = _drops(
        parameters, digits, "lambda", lambda found, linear, rest: linear * found.bias + rest * (1 + found.variance)
    )
    return Computed(values | _proven(parameters, digits, ("bias", "variance")), hypotheses, notes)


test_error.__test__ = False  # type: ignore[attr-defined]  # the name of the entry, not a test


def check_exponent(parameters: Mapping[str, Any]) -> None:
    """Raises InputError when ``alpha`` is given outside (ell - 1)/(2 ell) < alpha < ell/(2 ell + 2)."""
    ell, alpha = parameters["ell"], parameters.get("alpha")
    if ell > MAX_ELL:
        raise InputError(f"ell = {ell}: at most {MAX_ELL} spikes are computed")
    low, high = Fraction(ell - 1, 2 * ell), Fraction(ell, 2 * ell + 2)
    if alpha is not None and not low < alpha < high:
        where = f"alpha = {alpha}: ell = {ell} spikes need {low} < alpha < {high}"
        if alpha >= Fraction(1, 2):
            raise InputError(f"{where}; at alpha >= 1/2 the step is large (see large-step.risk)")
        reached = 1 / (1 - 2 * alpha)
        if alpha == 0 or reached.denominator == 1:
            raise InputError(f"{where}; {alpha} is a border of the ladder, where spike {reached} is of the bulk's order: open")
        raise InputError(f"{where}; at this alpha ell = {int(reached)}")


def teacher_mean(parameters: Mapping[str, Any]) -> bool:
    """True where the teacher's mean is kept (``centre=false``)."""
    return not parameters.get("centre", True)


def _proven(parameters: Mapping[str, Any], digits: int, names: tuple[str, ...]) -> dict[str, Any]:
    found = model(parameters, OWNER)
    return {name: refine(partial(_attribute, found, name), digits, name) for name in names}


def _attribute(found: Model, name: str, bits: int) -> Any:
    return getattr(Features(found, bits), name)


def _drops(
    parameters: Mapping[str, Any], digits: int, name: str, drop: Any
) -> tuple[dict[str, Any], dict[str, bool], tuple[str, ...]]:
    """({drop: ball}, hypotheses, notes)."""
    from flint import arb

    from theory.hermite import HermiteExpansion

    check_exponent(parameters)
    found, ell = model(parameters, OWNER), parameters["ell"]
    kept = parameters["teacher"] if teacher_mean(parameters) else parameters["teacher"].centred()
    expansion = HermiteExpansion(kept)
    coefficients = [expansion.coefficient(k) for k in range(ell + 1)]
    present = powers(parameters["activation"], ell)

    def value(spikes: int, bits: int) -> Any:
        at = Features(found, bits)
        mean, linear = coefficients[0].ball(bits), coefficients[1].ball(bits)
        squared = linear**2 / at.direction(mean)  # rho^2; its sign plays no part
        rho = squared.sqrt()
        weights = [coefficients[k].ball(bits) / factorial(k) * rho**k for k in range(spikes + 1)]
        gain = nonlinear_gain([k for k in present if 2 <= k <= spikes], weights, arb(0))
        return drop(at, linear**2 * squared, gain)

    values = {
        f"{name}_{spikes}": refine(partial(value, spikes), digits, f"{name}_{spikes}") for spikes in range(1, ell + 1)
    }
    missing = [k for k in range(1, ell + 1) if k not in present]
    absent = [f"c_{k} = 0 for this activation: there is no spike of degree {k}, and none is counted" for k in missing]
    notes = (*absent, *parameters["activation"].centred().notes(), *kept.notes())
    return values, {"c_k != 0 for every k <= ell": not missing}, notes


def powers(activation: Any, ell: int) -> list[int]:
    """The degrees k <= ell of the spikes that exist: those with c_k != 0."""
    from theory.evaluate import sign_of
    from theory.hermite import HermiteExpansion

    expansion = HermiteExpansion(activation)
    return [k for k in range(1, ell + 1) if sign_of(expansion.coefficient(k)) != 0]
