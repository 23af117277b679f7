"""What ``eval`` computes for the Hermite coefficients of an activation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pencils.errors import InputError
from pencils.exact.numbers import refine
from theory.activations.hermite import HermiteExpansion
from theory.functions.hermite_polynomials import MAX_ORDER

DEFAULT_ORDER = 10


def hermite(parameters: Mapping[str, Any], digits: int) -> dict[str, Any]:
    """``coefficients`` c_0 ... c_order of the activation as given (not centred), and its ``energy`` E sigma^2."""
    order = parameters.get("order", DEFAULT_ORDER)
    if order > MAX_ORDER:
        raise InputError(f"order = {order}: give a whole number from 0 to {MAX_ORDER}")
    expansion = HermiteExpansion(parameters["activation"])
    return {
        "coefficients": [refine(expansion.coefficient(k).ball, digits, f"c_{k}") for k in range(order + 1)],
        "energy": refine(expansion.energy.ball, digits, "the energy"),
    }
