"""Second routes to the spike: mpmath quadrature of Gaussian integrals and of the density of W0 W0^T.

Each function maps (model, digits) to a number or a truth value. Nothing here uses the closed forms, the Marchenko-Pastur
transform or the ball quadrature of the first route; the two share the number types only.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import sympy as sp

from pencils.exact.numbers import Number
from theory.activations.route import Z, function_moments
from theory.quadrature.mp import context
from theory.register.model import Model
from theory.spike.density import SpikeByDensity, spike, thetas


class ModelKey:
    """A model as a key of the cache: two models are the same when they were given the same parameters."""

    def __init__(self, model: Model, only: tuple[str, ...] | None = None) -> None:
        self.model = model
        self.given = tuple(sorted(item for item in model.given.items() if only is None or item[0] in only))

    def __hash__(self) -> int:
        return hash(self.given)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ModelKey) and self.given == other.given


def functions_of(model: Model) -> tuple[sp.Expr, sp.Expr]:
    """(sigma', sigma*) of the model; Hermite data given in place of a function stand for the simplest one that has them."""
    values = model.values
    if "activation" in values:
        slope = sp.diff(values["activation"].base, Z)
    else:
        mu1 = values.get("mu1", 1)
        slope = sp.Rational(mu1.numerator, mu1.denominator)
    if "teacher" in values:
        return slope, values["teacher"].base
    first, rest = (sp.Rational(str(values.get(name, 0))) for name in ("mu1_star", "mu2_star"))
    return slope, first * Z + rest * (Z**2 - 1) / sp.sqrt(2)


def teacher_moments(model: Model, digits: int) -> tuple[Any, ...]:
    """E z f, E f^2, E (z f)^2 for the teacher f centred here and not by the model, whose mean is a number of the first
    route."""
    mean, overlap, second, square, weighted = function_moments(functions_of(model)[1], digits)
    return overlap, square - mean**2, weighted - 2 * mean * second + mean**2


def _moments(model: Model, digits: int) -> tuple[Any, ...]:
    """mu1 = E sigma', and those of the teacher."""
    return function_moments(functions_of(model)[0], digits)[0], *teacher_moments(model, digits)


@lru_cache(maxsize=64)
def _thetas(key: ModelKey, digits: int, unit_slope: bool) -> tuple[Number, Number]:
    """(theta1, theta2) by the finite-size second moment; ``unit_slope`` puts eta mu1 = 1."""
    values = key.model.values
    ctx = context(digits + 20)
    moments = tuple(ctx.convert(value) for value in _moments(key.model, digits))
    eta = values["eta"] if not unit_slope else 1
    if unit_slope:
        moments = (ctx.one, *moments[1:])
    theta1, theta2 = thetas(ctx, moments, eta, values.get("psi1", 1), values.get("sigma_eps", 0))
    # oriented: (sigma, a) -> (-sigma, -a) leaves the step as it is
    return (-theta1, -theta2) if theta1 < 0 else (theta1, theta2)


def theta1(model: Model, digits: int) -> Number:
    """Limit of |u|."""
    return _thetas(ModelKey(model), digits, False)[0]


def theta2(model: Model, digits: int) -> Number:
    """Limit of <u, beta>."""
    return _thetas(ModelKey(model), digits, False)[1]


def projection(model: Model, digits: int) -> Number:
    """Limit of <X^T y/n, beta>."""
    return _thetas(ModelKey(model), digits, True)[1]


def second_moment(model: Model, digits: int) -> Number:
    """Limit of |X^T y/n|^2."""
    ctx = context(digits + 20)
    return ctx.convert(_thetas(ModelKey(model), digits, True)[0]) ** 2


def rank_one_norm(model: Model, digits: int) -> Number:
    """Limit of sqrt(N)|A|: theta1 of a step of unit size."""
    ctx, key = context(digits + 20), ModelKey(model)
    mu1 = ctx.convert(_moments(key.model, digits)[0])
    return abs(mu1) * ctx.convert(_thetas(key, digits, True)[0])


@lru_cache(maxsize=64)
def _spike(key: ModelKey, digits: int) -> SpikeByDensity:
    return spike(*_thetas(key, digits, False), key.model.values["psi2"], digits)


def outlier(model: Model, digits: int) -> bool:
    """Whether the determinant changes sign beyond the bulk."""
    return _spike(ModelKey(model), digits).outlier


def singular_value(model: Model, digits: int) -> Number:
    """s1(W1) from the root of the 2 x 2 determinant, or the end of the density."""
    return _spike(ModelKey(model), digits).singular_value


def overlap(model: Model, digits: int) -> Number:
    """<u1, beta>^2 from the residue."""
    return _spike(ModelKey(model), digits).overlap


def left_overlap(model: Model, digits: int) -> Number:
    """<u1, u/|u|>^2 from the residue."""
    return _spike(ModelKey(model), digits).left_overlap


def right_overlap(model: Model, digits: int) -> Number:
    """<v1, a/|a|>^2 from the residue."""
    return _spike(ModelKey(model), digits).right_overlap
