"""Single entries of the inverse of a sparse symbolic matrix, by elimination over a field of rational functions.

Radicals and other functions of parameters become generators of their own, so that arithmetic is that of rational functions
with exact cancellation; the pivot is the one of least fill (Markowitz). No dense symbolic inverse is formed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import sympy as sp
from sympy.polys.fields import FracElement, sfield

Cells = Mapping[tuple[int, int], sp.Expr]


class RationalField:
    """QQ(generators) for a set of expressions; everything that is not rational in symbols is a generator."""

    def __init__(self, exprs: Iterable[sp.Expr]) -> None:
        exprs = [sp.sympify(e) for e in exprs]
        self.named: dict[sp.Expr, sp.Dummy] = {}
        plain = [self._rename(e) for e in exprs]
        symbols = sorted({s for e in plain for s in e.free_symbols}, key=str)
        carrier = [sp.Add(*[(k + 2) * s for k, s in enumerate(symbols)]) + 1] if symbols else [sp.S.One]
        self.field, _ = sfield([*carrier, sp.Symbol("_spare")], [*symbols, sp.Symbol("_spare")])

    def _rename(self, expr: sp.Expr) -> sp.Expr:
        """Replace powers with fractional exponents, functions and irrational numbers by generators."""

        def replace(e: sp.Expr) -> sp.Expr:
            if e not in self.named:
                self.named[e] = sp.Dummy(f"r{len(self.named)}")
            return self.named[e]

        def foreign(e: Any) -> bool:
            if isinstance(e, sp.Pow):
                return not e.exp.is_Integer
            return (
                isinstance(e, (sp.Function, sp.Min, sp.Max))
                or e in (sp.pi, sp.E, sp.I)
                or (e.is_number and e.is_Atom and not e.is_Rational)
            )

        return expr.replace(foreign, replace)

    def element(self, expr: sp.Expr) -> FracElement:
        """The element of the field that an expression is."""
        return self.field.from_expr(self._rename(sp.sympify(expr)))

    def expr(self, element: FracElement) -> sp.Expr:
        """Back to SymPy, generators replaced by what they stand for."""
        back = {dummy: e for e, dummy in self.named.items()}
        result = element.as_expr()
        for _ in range(3):  # a radical may hold another
            result = result.xreplace(back)
        return result


def inverse_entries(
    size: int, cells: Mapping[tuple[int, int], FracElement], wanted: Iterable[tuple[int, int]], field: RationalField
) -> dict[tuple[int, int], FracElement]:
    """Entries (k, l) of the inverse of a square matrix given by its non-zero cells. Raises ZeroDivisionError if singular."""
    wanted = list(wanted)
    columns = sorted({l for _, l in wanted})
    rows: list[dict[Any, FracElement]] = [{} for _ in range(size)]
    for (i, j), value in cells.items():
        if value:
            rows[i][j] = value
    for l in columns:
        rows[l]["rhs", l] = field.field.one
    pivots: list[tuple[int, int]] = []
    left_rows, left_columns = set(range(size)), set(range(size))
    while left_rows:
        counts = {j: sum(j in rows[i] for i in left_rows) for j in left_columns}
        best = min(((sum(j in left_columns for j in rows[i]) - 1) * (counts[k] - 1), _weight(rows[i][k]), i, k)
                   for i in left_rows for k in rows[i] if k in left_columns) if any(
                       k in left_columns for i in left_rows for k in rows[i]) else None  # fmt: skip
        if best is None:
            raise ZeroDivisionError("the matrix of the Dyson equation is singular")
        *_, i, k = best
        pivots.append((i, k))
        left_rows.discard(i)
        left_columns.discard(k)
        pivot = rows[i][k]
        for other in left_rows:
            if k in rows[other]:
                factor = rows[other].pop(k) / pivot
                for j, value in rows[i].items():
                    if j == k:
                        continue
                    summed = rows[other].get(j, field.field.zero) - factor * value
                    if summed:
                        rows[other][j] = summed
                    else:
                        rows[other].pop(j, None)
    solution: dict[int, dict[int, FracElement]] = {}
    for i, k in reversed(pivots):
        found = {}
        for l in columns:
            value = rows[i].get(("rhs", l), field.field.zero)
            for j, coefficient in rows[i].items():
                if isinstance(j, int) and j != k and l in solution[j]:
                    value -= coefficient * solution[j][l]
            if value:
                found[l] = value / rows[i][k]
        solution[k] = found
    return {(k, l): solution[k].get(l, field.field.zero) for k, l in wanted}


def _weight(element: FracElement) -> int:
    return len(element.numer) + len(element.denom)
