"""Inner products of declared vectors, direction by direction of the deterministic laws that act in their spaces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import sympy as sp

from pencils.dyson.equation import Component
from pencils.errors import InputError
from pencils.language.ensembles import Deterministic, Ensemble, Vector, same
from pencils.linear.linearize import Pencil


class InnerProducts:
    """Norms, components and overlaps of ``vectors`` on the fibers of the ``components`` of a ``large`` pencil, which holds none of
    them."""

    def __init__(
        self,
        vectors: Mapping[sp.MatrixSymbol, Vector],
        large: Pencil,
        ensembles: Mapping[sp.MatrixSymbol, Ensemble],
        components: Sequence[Component],
    ) -> None:
        self.vectors, self.large, self.ensembles, self.components = vectors, large, ensembles, components

    def check(self, everyone: list[sp.MatrixSymbol]) -> None:
        """Raise InputError where no vectors have the inner products declared."""
        tables = [[self.of(u, v) for v in everyone] for u in everyone]
        for index in range(max(len(cell) for row in tables for cell in row)):
            gram = sp.Matrix([[cell[index] if index < len(cell) else 0 for cell in row] for row in tables])
            if gram.is_positive_semidefinite is False:
                names = ", ".join(map(str, everyone))
                raise InputError(f"{names}: no vectors have these norms and overlaps (their Gram matrix has a negative eigenvalue)")

    def of(self, u: sp.MatrixSymbol, v: sp.MatrixSymbol) -> list[sp.Expr]:
        """The inner products of two vectors on the fibers, one for each index."""
        products: Sequence[sp.Expr] = self._lengths(u)
        if u == v:
            return [length**2 for length in products]
        given = [dict(self.vectors[a].overlaps)[b] for a, b in ((u, v), (v, u)) if b in dict(self.vectors[a].overlaps)]
        if given and not any({sp.expand(u.rows), sp.expand(v.rows)} <= c.spaces for c in self.components):
            raise InputError(
                f"{u} and {v} have an overlap and live in the spaces of dimension {u.rows} and {v.rows}, which no "
                "deterministic matrix joins"
            )
        padded = [[*inner, *[sp.S.Zero] * (len(products) - len(inner))] for inner in given]
        if len(padded) == 2 and padded[0] != padded[1]:
            raise InputError(f"the overlap of {u} and {v} is declared twice, as {given[0]} and as {given[1]}")
        return padded[0] if padded else [sp.S.Zero] * len(products)

    def _lengths(self, u: sp.MatrixSymbol) -> list[sp.Expr]:
        """Norms of the projections of a vector on the fibers of its space."""
        component = next((c for c in self.components if sp.expand(u.rows) in c.spaces), None)
        fibers = () if component is None else component.fibers or ()
        count = 1 + max((fiber.index for fiber in fibers), default=0)
        lengths, vector = list(self.vectors[u].lengths), self.vectors[u]
        if count == 1 and vector.components is not None and len(lengths) > 1:
            raise InputError(f"{u} has components, and no law acts in the space of dimension {u.rows}: declare its norm")
        short_side = any(isinstance(e, Deterministic) and e.singular_values is not None for e in self._acting(u))
        accepted = {count, count - 1} if short_side else {count}
        if count > 1 and (vector.components is None or len(lengths) not in accepted):
            raise InputError(
                f"{u} meets a law of {count - short_side} values in the space of dimension {u.rows}: declare "
                "Vector(components=[...]), one for each value"
                + (", and one more for the directions beyond the shorter side" if short_side else "")
            )
        return [*lengths, *[sp.S.Zero] * (count - len(lengths))]

    def _acting(self, u: sp.MatrixSymbol) -> list[Any]:
        return [self.ensembles[m] for m in self.large.atoms() if any(same(side, u.rows) for side in m.shape)]
