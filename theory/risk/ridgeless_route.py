"""Second routes to the ridgeless risk: the pencils' risks at small lambda, extrapolated to lambda = 0."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from pencils.exact.numbers import Number
from theory.register.model import Model
from theory.risk import route as risk_pencil
from theory.risk.limits_route import extrapolated


def _ridgeless(risk: Callable[[Model, int], Number]) -> Callable[[Model, int], Number]:
    return lambda model, digits: extrapolated(risk, model, digits, Fraction(1, 10000), lambda h: {"lam": h})


bias = _ridgeless(risk_pencil.bias)
variance = _ridgeless(risk_pencil.variance)
R0 = _ridgeless(risk_pencil.r0)
delta = _ridgeless(risk_pencil.delta)
