"""Rational expressions with their derivatives, by forward differentiation over NumPy arrays: no expression of a derivative is
ever formed, and one evaluation serves a batch of points."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import sympy as sp

from pencils.language.densities import FLOAT_DIGITS, integrals, parts


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
    symbols: Sequence[sp.Symbol], definitions: Sequence[tuple[sp.Symbol, sp.Expr]], exprs: Sequence[sp.Expr], count: int = 0
) -> Callable[[Sequence[Any]], list[Any]]:
    """A function of Duals or numbers in place of ``symbols``; each definition may use those before it, the expressions all. An
    average over a continuous law is a sum over ``count`` nodes."""
    needed = {s for e in exprs for s in e.free_symbols}
    stages = []
    for symbol, expr in reversed(definitions):
        if symbol in needed:
            needed |= expr.free_symbols
            stages.append((symbol, expr))
    names = list(symbols)
    steps = []
    for symbol, expr in reversed(stages):
        steps.append(_compiled(names, [expr], count))
        names.append(symbol)
    last = _compiled(names, exprs, count)

    def evaluate(values: Sequence[Any]) -> list[Any]:
        known = list(values)
        for step in steps:
            known += step(*known)
        return last(*known)

    return evaluate


def _compiled(names: Sequence[sp.Symbol], exprs: Sequence[sp.Expr], count: int) -> Callable[..., list[Any]]:
    exprs = [sp.sympify(e) for e in exprs]
    found = sorted({integral for e in exprs for integral in integrals(e)}, key=str)
    if not found:
        return _lambdify(list(names), exprs)  # type: ignore[no-any-return]
    averages = [sp.Dummy("average") for _ in found]
    known = dict(zip(found, averages, strict=True))
    outer = _lambdify([*names, *averages], [e.xreplace(known) for e in exprs])
    inner = []
    for integral in found:
        averaged, measure = parts(integral)
        nodes = measure.nodes(count, FLOAT_DIGITS)
        places, weights = (np.array([[float(x)] for x in column]) for column in zip(*nodes, strict=True))
        inner.append((_lambdify([*names, measure.variable], [averaged]), places, weights))

    def evaluate(*values: Any) -> list[Any]:
        wide = [Dual(v.value[None], v.slope[:, None]) if isinstance(v, Dual) else v for v in values]
        return outer(*values, *[_sum(weights * function(*wide, places)[0]) for function, places, weights in inner])  # type: ignore[no-any-return]

    return evaluate


def _sum(terms: Any) -> Any:
    """Over the nodes, the axis before that of the batch."""
    return Dual(terms.value.sum(axis=-2), terms.slope.sum(axis=-2)) if isinstance(terms, Dual) else terms.sum(axis=-2)


def _lambdify(names: list[sp.Symbol], exprs: Sequence[sp.Expr]) -> Any:
    modules = [{"Min": _minimum, "sqrt": np.sqrt, "pi": np.pi}, *(["numpy"] if any(e.has(sp.Function) for e in exprs) else [])]
    return sp.lambdify(names, list(exprs), modules=modules, cse=True)


def _minimum(*args: Any) -> Any:
    return min(np.real(a) for a in args)
