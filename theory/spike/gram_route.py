"""Second route to how far one step moves W^T W: mpmath quadratures, and moments of W0 W0^T by its density."""

from __future__ import annotations

from typing import Any

from pencils.exact.numbers import Number
from theory.activations.route import function_moments
from theory.marchenko_pastur.route import over_density
from theory.quadrature.mp import number
from theory.register.model import Model
from theory.spike.route import functions_of, teacher_moments, theta1


def _values(model: Model, digits: int) -> tuple[Any, Any, Any]:
    """(first moment of the density, limit of the rank-one part's change, limit of |eta sqrt N B|_F^2)."""
    # Completed square: |(|u|^2 + x) - x| over the first moment x of the density, not the sum of the first route.
    ctx, mean = over_density(model.values["psi2"], lambda ctx, place: place, digits)
    low = (ctx.convert(theta1(model, digits)) ** 2 + mean) ** 2 - mean**2
    slope, _ = functions_of(model)
    first, _, _, square, _ = (ctx.convert(value) for value in function_moments(slope, digits))
    if "activation" not in model.values and "slope_energy" in model.values:
        square = number(ctx, model.values["slope_energy"])
    eta, psi1, sigma_eps = (number(ctx, model.values[name]) for name in ("eta", "psi1", "sigma_eps"))
    energy = ctx.convert(teacher_moments(model, digits)[1])
    return mean, low, eta**2 * (square - first**2) * (energy + sigma_eps**2) / psi1


def rank_one(model: Model, digits: int) -> Number:
    """|W^T W - W0^T W0|_F^2 for the rank-one part."""
    return _values(model, digits)[1]


def rest(model: Model, digits: int) -> Number:
    """|eta sqrt N (B + C)|_F^2."""
    return _values(model, digits)[2]


def moved(model: Model, digits: int) -> Number:
    """|W1^T W1 - W0^T W0|_F^2: the rest counts twice, times the first moment of the density."""
    mean, low, high = _values(model, digits)
    return low + 2 * mean * high
