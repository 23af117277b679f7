"""Second routes to the direction of the first gradient: from quadratures of the teacher and finite-size second moments."""

from __future__ import annotations

from typing import Any

from theory.register.model import Model
from theory.spike import route as routes
from theory.spike.density import context


def _parts(model: Model, digits: int) -> tuple[Any, Any, Any]:
    ctx = context(digits + 20)
    return ctx, ctx.mpf(routes.projection(model, digits + 5)), ctx.mpf(routes.second_moment(model, digits + 5))


def alignment(model: Model, digits: int) -> str:
    """Limit of <u, beta>^2/|u|^2, u = X^T y/n."""
    ctx, overlap, square = _parts(model, digits)
    return str(ctx.nstr(overlap**2 / square, digits + 5))


def direction_error(model: Model, digits: int) -> str:
    """Limit of |u - mu1* beta|^2 with mu1* the limit of <u, beta>."""
    ctx, overlap, square = _parts(model, digits)
    return str(ctx.nstr(square - overlap**2, digits + 5))


def width(model: Model, digits: int) -> str:
    """etabar mu1 mu1*, mu1 from the norm of the rank-one part of the gradient over that of X^T y/n."""
    ctx, overlap, square = _parts(model, digits)
    norm, etabar = ctx.mpf(routes.rank_one_norm(model, digits + 5)), model.values["etabar"]
    mu1 = norm / ctx.sqrt(square)
    return str(ctx.nstr(mu1 * overlap * etabar.numerator / etabar.denominator, digits + 5))
