"""Cutting a pencil down: states that are constant combinations of others, and equations that nothing listens to, go.

The states x = L^{-1} B are evaluated at random matrices over a finite field; a linear relation among them is a candidate. It is
used only if it is exact: with one state replaced by the others, the pencil must have a constant combination of equations that
is identically zero, checked over the rationals and the parameters. The transposed pencil gives the dual reduction.
"""

from __future__ import annotations

from typing import Any

import sympy as sp
from flint import nmod_mat

from pencils.linear.finite_field import PRIME, RandomPoint, random_states, recognise, scalars
from pencils.linear.linearize import Entry, Pencil


def minimize(pencil: Pencil, symmetric: set[sp.MatrixSymbol]) -> Pencil:
    """An equivalent pencil without redundant states; ``symmetric`` are the atoms equal to their adjoints."""
    reduced = True
    while reduced:
        reduced = False
        for flip in (False, True):
            candidate = transposed(pencil) if flip else pencil
            smaller = _drop_state(candidate, symmetric, flip)
            if smaller is not None:
                pencil, reduced = (transposed(smaller) if flip else smaller), True
    return pencil


def transposed(pencil: Pencil) -> Pencil:
    """Rows for columns; atoms keep their names, and are read as transposed where values are put in."""
    entries = {(j, i): dict(entry) for (i, j), entry in pencil.entries.items()}
    return Pencil(list(pencil.equations), list(pencil.states), entries, dict(pencil.output), dict(pencil.source))


def _drop_state(pencil: Pencil, symmetric: set[sp.MatrixSymbol], flipped: bool) -> Pencil | None:
    relations = _relations(pencil, symmetric, flipped)
    for relation in relations:
        # keep as simple a pencil as can be: drop the state that has the fewest entries
        for dropped in sorted(relation, key=lambda j: sum(place[1] == j for place in pencil.entries)):
            smaller = _substitute(pencil, dropped, {k: -c / relation[dropped] for k, c in relation.items() if k != dropped})
            if smaller is not None:
                return smaller
    return None


def _relations(pencil: Pencil, symmetric: set[sp.MatrixSymbol], flipped: bool) -> list[dict[int, sp.Expr]]:
    """Relations sum_j c_j x_j = 0 among states of one space, found at random matrices modulo a prime; the c_j are small
    rationals times ratios of coefficients of the pencil."""
    point = RandomPoint(symmetric)
    blocks = random_states(pencil, point, flipped)
    if blocks is None:
        return []
    candidates = scalars(pencil)
    found = []
    for space in dict.fromkeys(pencil.states):
        members = [j for j, s in enumerate(pencil.states) if s == space]
        flat = [[int(v) for row in blocks[j] for v in row] for j in members]
        matrix = nmod_mat(len(members), len(flat[0]), [v for row in flat for v in row], PRIME).transpose()
        reduced, rank = matrix.rref()
        pivots, row = [], 0
        for column in range(len(members)):
            if row < rank and int(reduced[row, column]) != 0:
                pivots.append(column)
                row += 1
        for column in range(len(members)):
            if column in pivots:
                continue
            relation = {members[column]: sp.S.One}
            values = [recognise(-int(reduced[r, column]) % PRIME, candidates, point) for r in range(len(pivots))]
            if None in values:
                continue
            relation.update({members[p]: v for p, v in zip(pivots, values, strict=True) if v != 0})  # type: ignore[misc]
            found.append(relation)
    return found


def _substitute(pencil: Pencil, dropped: int, combination: dict[int, sp.Expr]) -> Pencil | None:
    """The pencil with state ``dropped`` = sum c_k state_k, and one equation less, if one becomes redundant."""
    entries: dict[tuple[int, int], Entry] = {}

    def add(place: tuple[int, int], entry: Entry, factor: sp.Expr) -> None:
        target = entries.setdefault(place, {})
        for key, coefficient in entry.items():
            summed = sp.cancel(target.get(key, sp.S.Zero) + factor * coefficient)
            if summed == 0:
                target.pop(key, None)
            else:
                target[key] = summed
        if not target:
            entries.pop(place)

    output = dict(pencil.output)
    for (i, j), entry in pencil.entries.items():
        if j != dropped:
            add((i, j), entry, sp.S.One)
        else:
            for k, c in combination.items():
                add((i, k), entry, c)
    if dropped in output:
        value = output.pop(dropped)
        for k, c in combination.items():
            output[k] = sp.cancel(output.get(k, sp.S.Zero) + value * c)
    row = _redundant(pencil, entries)
    if row is None:
        return None
    columns = [j for j in range(len(pencil.states)) if j != dropped]
    rows = [i for i in range(len(pencil.equations)) if i != row]
    column_at, row_at = {j: k for k, j in enumerate(columns)}, {i: k for k, i in enumerate(rows)}
    return Pencil(
        [pencil.states[j] for j in columns],
        [pencil.equations[i] for i in rows],
        {(row_at[i], column_at[j]): entry for (i, j), entry in entries.items() if i != row},
        {row_at[i]: b for i, b in pencil.source.items() if i != row},
        {column_at[j]: c for j, c in output.items() if c != 0},
    )


def _redundant(pencil: Pencil, entries: dict[tuple[int, int], Entry]) -> int | None:
    """An equation that is a constant combination of others, exactly: its row is dropped."""
    spaces = dict.fromkeys(pencil.equations)
    for space in spaces:
        members = [i for i, s in enumerate(pencil.equations) if s == space]
        columns: dict[Any, int] = {}
        rows: list[dict[int, sp.Expr]] = []
        for i in members:
            line: dict[int, sp.Expr] = {}
            for (r, j), entry in entries.items():
                if r == i:
                    for key, coefficient in entry.items():
                        line[columns.setdefault((j, key), len(columns))] = coefficient
            if i in pencil.source:
                line[columns.setdefault("source", len(columns))] = pencil.source[i]
            rows.append(line)
        dependent = _dependent_row(rows)
        if dependent is not None:
            return members[dependent]
    return None


def _dependent_row(rows: list[dict[int, sp.Expr]]) -> int | None:
    """The index of a row that is a combination of earlier ones, by exact elimination; None if all are independent."""
    reduced: list[tuple[int, dict[int, sp.Expr]]] = []
    for index, row in enumerate(rows):
        line = dict(row)
        for pivot, other in reduced:
            if pivot in line:
                factor = line[pivot] / other[pivot]
                for k, v in other.items():
                    summed = sp.cancel(line.get(k, sp.S.Zero) - factor * v)
                    if summed == 0:
                        line.pop(k, None)
                    else:
                        line[k] = summed
        if not line:
            return index
        reduced.append((min(line), line))
    return None
