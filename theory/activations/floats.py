"""Activations in float64: values and slopes of a SymPy expression, compiled together."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from pencils.errors import InputError

if TYPE_CHECKING:
    import sympy as sp

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Nonlinearity:
    """sigma(x) = expr(x) - shift and sigma'(x) in float64; build it with :func:`nonlinearity`."""

    expr: sp.Expr
    symbol: sp.Symbol
    shift: float = 0.0

    def value(self, x: Array) -> Array:
        """sigma(x), of the shape of x."""
        return self.both(x)[0]

    def both(self, x: Array) -> tuple[Array, Array]:
        """(sigma(x), sigma'(x)), sharing their common subexpressions; either may be x itself or read-only."""
        value, slope = (self._shaped(part, x) for part in self._compiled(x))
        return value - self.shift if self.shift else value, slope

    @cached_property
    def _compiled(self) -> Callable[[Array], Sequence[Any]]:
        import sympy as sp

        # numpy.heaviside(0, 1/2), SymPy's own convention; the event x = 0 has probability zero.
        modules = [{"Heaviside": np.heaviside}, "scipy", "numpy"]
        wanted = [self.expr, self.expr.diff(self.symbol)]
        compiled: Callable[[Array], Sequence[Any]] = sp.lambdify(self.symbol, wanted, modules=modules, cse=True)
        return compiled

    @staticmethod
    def _shaped(values: Any, x: Array) -> Array:
        # The derivative of a linear function is a bare number.
        return np.broadcast_to(np.asarray(values, dtype=float), x.shape)

    def __getstate__(self) -> dict[str, Any]:
        # Compiled functions do not travel between processes; they are built again on arrival.
        return {"expr": self.expr, "symbol": self.symbol, "shift": self.shift}


def nonlinearity(expr: sp.Expr, symbol: sp.Symbol, shift: float = 0.0, differentiable: bool = True) -> Nonlinearity:
    """The float64 functions sigma = expr - shift and sigma' of an already vetted SymPy expression in one symbol.

    Raises InputError when other symbols occur, when the values are not finite, or, unless ``differentiable`` is False
    (a teacher's slope is never used), when sigma jumps: then sigma' is not a function and the step is not defined.
    Jumps are found by Stein's identity E sigma'(z) = E z sigma(z).
    """
    import sympy as sp

    others = expr.free_symbols - {symbol}
    if others:
        raise InputError(f"activation {expr}: unknown symbols {sorted(map(str, others))}; only {symbol} is accepted")
    real = sp.Symbol("x", real=True)  # so that Abs and Max have real derivatives
    function = Nonlinearity(expr.subs(symbol, real), real, float(shift))
    if not differentiable:
        return function
    why = "give a function without jumps, in terms of Max or Abs where it has kinks"
    if function.expr.diff(real).has(sp.DiracDelta, sp.Derivative, sp.Subs):
        raise InputError(f"activation {expr}: its derivative is not a function; {why}")
    grid = np.linspace(-12.0, 12.0, 24001)
    weight = np.exp(-(grid**2) / 2) * (grid[1] - grid[0]) / math.sqrt(2 * math.pi)
    with np.errstate(all="ignore"):  # what is not finite is reported in one line below
        value, slope = function.both(grid)
    if not (np.isfinite(value).all() and np.isfinite(slope).all()):
        raise InputError(f"activation {expr}: not finite everywhere on [-12, 12]; give a function finite on the line")
    gap = abs(weight @ (slope - grid * value))
    if gap > 2e-3 * (weight @ (np.abs(slope) + np.abs(grid * value))):
        raise InputError(f"activation {expr}: E sigma' and E z sigma differ by {gap:.2g}, so it jumps; {why}")
    return function
