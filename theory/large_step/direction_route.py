"""Second routes to the direction of the first gradient: from quadratures of the teacher and finite-size second moments."""

from __future__ import annotations

from typing import Any

from pencils.exact.numbers import Number
from theory.quadrature.mp import context, number
from theory.register.model import Model
from theory.spike.route import projection, rank_one_norm, second_moment


def _parts(model: Model, digits: int) -> tuple[Any, Any, Any]:
    ctx = context(digits + 20)
    return ctx, ctx.convert(projection(model, digits + 5)), ctx.convert(second_moment(model, digits + 5))


def alignment(model: Model, digits: int) -> Number:
    """Limit of <u, beta>^2/|u|^2, u = X^T y/n."""
    _, overlap, square = _parts(model, digits)
    return overlap**2 / square


def direction_error(model: Model, digits: int) -> Number:
    """Limit of |u - mu1* beta|^2 with mu1* the limit of <u, beta>."""
    _, overlap, square = _parts(model, digits)
    return square - overlap**2


def width_slope(model: Model, digits: int) -> Number:
    """etabar mu1 mu1*, mu1 from the norm of the rank-one part of the gradient over that of X^T y/n."""
    ctx, overlap, square = _parts(model, digits)
    mu1 = ctx.convert(rank_one_norm(model, digits + 5)) / ctx.sqrt(square)
    return mu1 * overlap * number(ctx, model.values["etabar"])
