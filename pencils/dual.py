"""Rational expressions with their derivatives, by forward differentiation over NumPy arrays: no expression of a derivative is
ever formed, and one evaluation serves a batch of points."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import sympy as sp


class Dual:
    """``value`` (batch,) with its derivatives ``slope`` (variables, batch)."""

    __slots__ = ("slope", "value")
    __array_ufunc__ = None  # NumPy numbers leave the arithmetic to this class

    def __init__(self, value: Any, slope: Any) -> None:
        self.value, self.slope = value, slope

    def __add__(self, other: Any) -> Dual:
        if isinstance(other, Dual):
            return Dual(self.value + other.value, self.slope + other.slope)
        return Dual(self.value + other, self.slope)

    __radd__ = __add__

    def __neg__(self) -> Dual:
        return Dual(-self.value, -self.slope)

    def __sub__(self, other: Any) -> Dual:
        return self + (-other)

    def __rsub__(self, other: Any) -> Dual:
        return -self + other

    def __mul__(self, other: Any) -> Dual:
        if isinstance(other, Dual):
            return Dual(self.value * other.value, self.value * other.slope + other.value * self.slope)
        return Dual(self.value * other, self.slope * other)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Dual:
        return self * (other**-1 if isinstance(other, Dual) else 1 / other)

    def __rtruediv__(self, other: Any) -> Dual:
        return self**-1 * other

    def __pow__(self, power: Any) -> Dual:
        if power == -1:
            inverse = 1 / self.value
            return Dual(inverse, -inverse * inverse * self.slope)
        lower = self.value ** (power - 1)
        return Dual(lower * self.value, power * lower * self.slope)


def compile_dual(
    symbols: Sequence[sp.Symbol], definitions: Sequence[tuple[sp.Symbol, sp.Expr]], exprs: Sequence[sp.Expr]
) -> Callable[[Sequence[Any]], list[Any]]:
    """A function of Duals or numbers in place of ``symbols``; each definition may use those before it, the expressions all."""
    needed = {s for e in exprs for s in e.free_symbols}
    stages = []
    for symbol, expr in reversed(definitions):
        if symbol in needed:
            needed |= expr.free_symbols
            stages.append((symbol, expr))
    names = list(symbols)
    steps = []
    for symbol, expr in reversed(stages):
        steps.append(_lambdify(names, [expr]))
        names.append(symbol)
    last = _lambdify(names, exprs)

    def evaluate(values: Sequence[Any]) -> list[Any]:
        known = list(values)
        for step in steps:
            known += step(*known)
        return last(*known)

    return evaluate


def _lambdify(names: list[sp.Symbol], exprs: Sequence[sp.Expr]) -> Any:
    modules = [{"Min": _minimum, "sqrt": np.sqrt, "pi": np.pi}]
    return sp.lambdify(names, list(exprs), modules=modules, cse=True)


def _minimum(*args: Any) -> Any:
    return min(np.real(a) for a in args)
