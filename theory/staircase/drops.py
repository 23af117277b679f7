"""Where ell spikes have outgrown the bulk: by how much the training loss and the test error fall, for every ell.

The spikes are then fitted freely. With R = (F0 F0^T + lambda n)^-1 the loss lambda y^T R y loses lambda g^T M^-1 g,
M_jk = u_j^T R u_k, g_k = u_k^T R y; linear Hermite parts weigh (n/N) m2 and all others (n/N) m1. ``delta`` and ``lambda`` are those
of the spikes that ``moniri2024`` is reported to have, u_k = (X~ beta_hat)^{ok}; ``step_delta`` and ``step_lambda`` those of the
spikes that the step has as it is written (``theory.staircase.finite_errors``). Source: statements.md, section 3; derived in
``derivations.moniri2024.drops``.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from math import factorial
from typing import Any

from pencils.errors import InputError
from pencils.exact.numbers import refine, to_ball
from theory.register.model import Model
from theory.register.record import Computed
from theory.staircase.features import Features, check_ell, kept_teacher, model, powers, remarks
from theory.staircase.finite_errors import Numbers, Step
from theory.staircase.gram import nonlinear_gain
from theory.staircase.strengths import level, rung


def loss_drops(parameters: Mapping[str, Any], digits: int) -> Computed:
    """``delta_1``, ..., ``step_delta_1``, ..., drops of (1/n)|y~ - F a_hat|^2 + lambda |a_hat|^2, with ``m1`` and ``m2``."""

    def drop(found: Features, linear: Any, rest: Any) -> Any:
        # lambda psi/phi, for lambda n/N
        scale = to_ball(parameters["lam"] * parameters["psi"] / parameters["phi"])
        return scale * (linear * found.m2 + rest * found.m1)

    values, hypotheses, notes = _drops(parameters, digits, "delta", "training_loss", drop)
    return Computed(values | _proven(parameters, digits, ("m1", "m2")), hypotheses, notes)


def error_drops(parameters: Mapping[str, Any], digits: int) -> Computed:
    """``lambda_1``, ..., ``step_lambda_1``, ..., drops of E (f* - f_hat)^2, with the coefficients ``bias`` of c_{*,1}^2 and
    ``variance`` of the noise in the test error before the step."""
    values, hypotheses, notes = _drops(
        parameters,
        digits,
        "lambda",
        "test_error",
        lambda found, linear, rest: linear * found.bias + rest * (1 + found.variance),
    )
    return Computed(values | _proven(parameters, digits, ("bias", "variance")), hypotheses, notes)


def check_exponent(parameters: Mapping[str, Any]) -> None:
    """Raises InputError when ``alpha`` is given outside (ell - 1)/(2 ell) < alpha < ell/(2 ell + 2)."""
    ell, alpha = check_ell(parameters), parameters.get("alpha")
    low, high = rung(ell)
    if alpha is not None and not low < alpha < high:
        where = f"alpha = {alpha}: ell = {ell} spikes need {low} < alpha < {high}"
        if alpha >= Fraction(1, 2):
            raise InputError(f"{where}; at alpha >= 1/2 the step is large (see large-step.risk)")
        if alpha == 0:
            raise InputError(f"{where}; at alpha = 0 the step is small (see ba2022.theorem-7)")
        reached = level(alpha)
        if reached is None:
            raise InputError(f"{where}; {alpha} is a border of the ladder, where a spike is of the bulk's order: open")
        raise InputError(f"{where}; at this alpha ell = {reached}")


def _proven(parameters: Mapping[str, Any], digits: int, names: tuple[str, ...]) -> dict[str, Any]:
    found = model(parameters)
    return {name: refine(partial(_attribute, found, name), digits, name) for name in names}


def _attribute(found: Model, name: str, bits: int) -> Any:
    return getattr(Features(found, bits), name)


def _drops(
    parameters: Mapping[str, Any], digits: int, name: str, error: str, drop: Any
) -> tuple[dict[str, Any], dict[str, bool], tuple[str, ...]]:
    """({drop: ball}, hypotheses, notes); ``error`` names the same number of ``theory.staircase.finite_errors``."""
    from flint import arb

    from theory.activations.hermite import HermiteExpansion

    check_exponent(parameters)
    found, ell = model(parameters), parameters["ell"]
    expansion = HermiteExpansion(kept_teacher(parameters))
    coefficients = [expansion.coefficient(k) for k in range(ell + 1)]
    present = powers(parameters["activation"], ell)

    def reported(spikes: int, bits: int) -> Any:
        at = Features(found, bits)
        mean, linear = coefficients[0].ball(bits), coefficients[1].ball(bits)
        # rho^2; its sign plays no part
        squared = arb(0) if coefficients[1].exact == 0 else linear**2 / at.direction(mean)
        rho = squared.sqrt()
        weights = [coefficients[k].ball(bits) / factorial(k) * rho**k for k in range(spikes + 1)]
        gain = nonlinear_gain([k for k in present if 2 <= k <= spikes], weights, arb(0))
        return drop(at, linear**2 * squared, gain)

    def written(spikes: int, bits: int) -> Any:
        if coefficients[1].exact == 0:
            return arb(0)  # b is then orthogonal to beta, and every g_k carries their cosine
        free = Step({**parameters, "spikes": "step"}, tuple(k for k in present if k <= spikes), bounded=False)
        before = Step({**parameters, "spikes": "step"}, ())
        return getattr(Numbers(before, bits), error) - getattr(Numbers(free, bits), error)

    values = {f"{name}_{spikes}": refine(partial(reported, spikes), digits, f"{name}_{spikes}") for spikes in range(1, ell + 1)}
    hypotheses, notes = remarks(parameters, present)
    if coefficients[0].exact == 0:
        values |= {
            f"step_{name}_{spikes}": refine(partial(written, spikes), digits, f"step_{name}_{spikes}")
            for spikes in range(1, ell + 1)
        }
    else:
        notes = (*notes, "the teacher has a mean: the spikes of the step as it is written are known for a centred one only")
    return values, hypotheses, notes
