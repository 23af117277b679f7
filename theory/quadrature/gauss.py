"""Quadrature against the standard normal density on the line, for smooth functions and for functions with kinks.

The trapezoid rule converges exponentially for functions analytic in a strip; Gauss-Hermite does not where a smoothed step
is steep. Between kinks Gauss-Legendre takes over.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Any

import numpy as np
import sympy as sp

from pencils.errors import InputError
from theory.functions.language import variable
from theory.functions.normal_form import canonical, even_odd, pieces
from theory.quadrature.field import Array, Field

STRIP = 0.5  # half-width of the strip in which functions are taken to be analytic: tanh(3x) has pi/6


def reach(field: Field) -> float:
    """Where exp(-x^2/2) times moderate growth has fallen below the error aimed at."""
    return math.sqrt(2 * field.log_error) + 1.5


def line(field: Field, step: float, end: float, half: bool = False) -> tuple[Array, Array]:
    """Nodes and weights of the trapezoid rule for E f(z), z ~ N(0, 1); with ``half`` the even rule on z >= 0."""
    count = math.ceil(end / step)
    x = field.array(np.arange(0 if half else -count, count + 1)) * field.number(step)
    w = np.exp(-x * x / 2) * field.number(step) / (2 * field.pi()) ** field.number(0.5)
    if half:
        w[1:] = 2 * w[1:]
    return x, w


@lru_cache(maxsize=64)
def _legendre(digits: int, count: int) -> tuple[Array, Array]:
    field = Field(digits)
    if not field.balls:
        return np.polynomial.legendre.leggauss(count)
    from flint import arb

    pairs = [arb.legendre_p_root(count, k, weight=True) for k in range(count)]
    return field.array([p[0] for p in pairs]), field.array([p[1] for p in pairs])


@dataclass(frozen=True)
class Function:
    """An activation or a teacher on arrays of ``field``, with the kinks that quadrature must respect.

    ``refine`` multiplies the number of nodes: two values of it tell how many digits are right.
    """

    expr: sp.Expr
    field: Field
    refine: float = 1.0

    def __post_init__(self) -> None:
        _prepared(self.expr, self.field)  # refuses here what cannot be integrated

    @property
    def kinks(self) -> tuple[Any, ...]:
        return _prepared(self.expr, self.field)[0]

    @cached_property
    def odd(self) -> bool:
        return bool(even_odd(canonical(self.expr))[0] == 0)

    def __call__(self, x: Array) -> Array:
        return _prepared(self.expr, self.field)[1](x)

    def rule(self, shift: Array, scale: Array) -> tuple[Array, Array]:
        """Nodes z and weights, on a new last axis, for E h(z) with h analytic in z except where shift + scale z is a kink."""
        field, end = self.field, reach(self.field)
        kinks = self.kinks
        if not kinks:
            widest = float(np.max(field.floats(scale)))
            step = min(2 * math.pi * STRIP / (max(widest, 0.2) * field.log_error), 0.5) / self.refine
            return line(field, step, end)
        ends = [(kink - shift) / scale for kink in field.array(kinks)]
        low, high = field.number(-end), field.number(end)
        cuts = [shift * 0 + low, *[_clipped(field, cut, low, high) for cut in ends], shift * 0 + high]
        x, w = _legendre(field.digits, int((40 + field.log_error) * self.refine))
        nodes, weights = [], []
        for left, right in pairwise(cuts):
            half = ((right - left) / 2)[..., None]
            nodes.append(left[..., None] + half * (1 + x))
            weights.append(half * w)
        z = np.concatenate(nodes, axis=-1)
        return z, np.concatenate(weights, axis=-1) * np.exp(-z * z / 2) / (2 * field.pi()) ** field.number(0.5)

    def smoothed(self, shift: Array, scale: Array) -> tuple[Array, Array, Array, Array]:
        """E f, E z f, E f^2, E (z^2 - 1) f for f(shift + scale z): arrays of the shape of shift and scale."""
        shift, scale = np.broadcast_arrays(shift, scale)
        z, w = self.rule(shift, scale)
        f = self(shift[..., None] + scale[..., None] * z)
        wf = w * f
        return wf.sum(-1), (wf * z).sum(-1), (wf * f).sum(-1), (wf * (z * z - 1)).sum(-1)


def _clipped(field: Field, cut: Array, low: Any, high: Any) -> Array:
    if not field.balls:
        return np.clip(cut, low, high)
    return np.frompyfunc(lambda c: low if c < low else high if c > high else c, 1, 1)(cut)


@lru_cache(maxsize=64)
def _prepared(expr: sp.Expr, field: Field) -> tuple[tuple[Any, ...], Callable[[Array], Array]]:
    x = variable()
    expr = expr.xreplace({number: sp.Rational(number) for number in expr.atoms(sp.Float)})  # a mean that was subtracted
    branches = pieces(canonical(expr), -sp.oo, sp.oo)
    if branches is None:
        raise InputError(f"{expr}: its kinks are not known exactly, and quadrature across them would not converge")
    with field.precision():
        kinks = tuple(_value(end, field) for _, end, _ in branches[:-1])
    if not field.balls:
        value = sp.lambdify(x, expr, modules=[{"Heaviside": np.heaviside}, "scipy", "numpy"], cse=True)
        return kinks, lambda points: value(points) + np.zeros_like(points)  # a constant is a bare number
    from pencils.exact.balls import compile_balls

    return kinks, np.frompyfunc(compile_balls(expr, [x]), 1, 1)


def _value(expr: sp.Expr, field: Field) -> Any:
    from pencils.exact.balls import enclose

    return enclose(expr, {}) if field.balls else float(expr)
