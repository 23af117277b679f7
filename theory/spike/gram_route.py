"""Second route to how far one step moves W^T W: mpmath quadratures, and moments of W0 W0^T by its density."""

from __future__ import annotations

from typing import Any

from theory.register.model import Model
from theory.spike import route as routes


def _values(model: Model, digits: int) -> tuple[Any, Any, Any]:
    """(context, limit of the rank-one part's change, limit of |eta sqrt N B|_F^2)."""
    # Completed square: |(|u|^2 + x) - x| over the first moment x of the density, not the sum of the first route.
    ctx, mean = routes._over_density(model.values["psi2"], lambda ctx, place: place, digits)
    low = (ctx.mpf(routes.theta1(model, digits)) ** 2 + mean) ** 2 - mean**2
    slope, _ = routes._functions(model)
    first, _, _, square, _ = (ctx.convert(value) for value in routes.function_moments(slope, digits))
    if "activation" not in model.values and "slope_energy" in model.values:
        square = _number(ctx, model.values["slope_energy"])
    eta, psi1, sigma_eps = (_number(ctx, model.values[name]) for name in ("eta", "psi1", "sigma_eps"))
    energy = ctx.convert(routes.teacher_moments(model, digits)[1])
    return ctx, low, eta**2 * (square - first**2) * (energy + sigma_eps**2) / psi1


def _number(ctx: Any, value: Any) -> Any:
    return ctx.mpf(value.numerator) / value.denominator


def rank_one(model: Model, digits: int) -> str:
    """|W^T W - W0^T W0|_F^2 for the rank-one part."""
    ctx, low, _ = _values(model, digits)
    return str(ctx.nstr(low, digits + 5))


def rest(model: Model, digits: int) -> str:
    """|eta sqrt N (B + C)|_F^2."""
    ctx, _, high = _values(model, digits)
    return str(ctx.nstr(high, digits + 5))


def moved(model: Model, digits: int) -> str:
    """|W1^T W1 - W0^T W0|_F^2: the rest counts twice, times the first moment of the density."""
    ctx, low, high = _values(model, digits)
    _, mean = routes._over_density(model.values["psi2"], lambda ctx, place: place, digits)
    return str(ctx.nstr(low + 2 * ctx.convert(mean) * high, digits + 5))
