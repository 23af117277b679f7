"""Derivatives of a Dyson equation's solution in a parameter, in float64 for a batch of points."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
import sympy as sp

from pencils.dyson.equation import Component, Dyson, Fiber, Pair, Term
from pencils.dyson.floats import Array, FloatSystem
from pencils.linear.linearize import Pencil


class _Differentiated(Dyson):
    """The same equation with the derivative in place of every coefficient and weight."""

    def __init__(self, dyson: Dyson, symbol: sp.Symbol) -> None:
        pencil = dyson.pencil
        entries = {place: {key: sp.diff(c, symbol) for key, c in entry.items()} for place, entry in pencil.entries.items()}
        super().__init__(Pencil(pencil.states, pencil.equations, entries), dyson.ensembles, dyson.form)
        self.dyson, self.symbol = dyson, symbol

    @cached_property
    def terms(self) -> tuple[Term, ...]:
        return tuple(replace(term, coefficient=sp.diff(term.coefficient, self.symbol)) for term in self.dyson.terms)

    @cached_property
    def components(self) -> tuple[Component, ...]:
        return self.dyson.components

    def weight(self, pair: Pair, fiber: Fiber) -> sp.Expr:
        return sp.diff(self.dyson.weight(pair, fiber), self.symbol)


def slopes(dyson: Dyson, system: FloatSystem, g: Array, parameters: Mapping[sp.Symbol, Array], symbol: sp.Symbol) -> Array:
    """dg/dsymbol at a solution, shape (batch, pairs): (I - J)^{-1} of the partial derivative of F, whose inverse blocks move
    by dM = -M (dA - dSigma) M."""
    change = FloatSystem(_Differentiated(dyson, symbol), parameters, system.pairs)
    still, moving = system.inverses(g), np.zeros_like(g)
    for inverse, here, partial in zip(still, system.stacks, change.stacks, strict=True):
        step, inside = partial.base.copy(), partial.terms
        place: Any = (slice(None), slice(None), partial.rows, partial.columns)
        np.subtract.at(step, place, (change.coefficient[:, inside] * g[:, change.index[inside]])[:, None])
        moved = partial.read_off(inverse) - here.read_off(inverse @ step @ inverse)
        moving[:, partial.pairs] += moved.sum(axis=1)
    jacobian = np.eye(len(system.pairs)) - system.jacobian(still)
    return np.asarray(np.linalg.solve(jacobian, moving[..., None])[..., 0])
