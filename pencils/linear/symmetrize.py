"""A symmetric pencil for a symmetric expression.

For a minimal pencil whose C L^{-1} B equals its own adjoint, the left states u = (C L^{-1})^T are constant combinations T x of
the right states x = L^{-1} B, uniquely, and T^T L is symmetric. T is found at random matrices; the symmetry is checked exactly.
A pencil of any other form is made Hermitian by doubling it.
"""

from __future__ import annotations

import sympy as sp
from flint import nmod_mat

from pencils.linear.finite_field import PRIME, RandomPoint, random_states, recognise, scalars
from pencils.linear.linearize import Entry, Pencil
from pencils.linear.minimize import transposed


def symmetrize(pencil: Pencil, symmetric: set[sp.MatrixSymbol]) -> Pencil:
    """T^T L with T^T B, where that is symmetric; the pencil itself where no such T is found."""
    point = RandomPoint(symmetric)
    right = random_states(pencil, point)
    left = random_states(transposed(pencil), point, flipped=True)
    if right is None or left is None:
        return pencil
    candidates = [*scalars(pencil), *dict.fromkeys(c for c in pencil.output.values() if not c.is_Rational)]
    rows: list[dict[int, sp.Expr]] = []
    for i, space in enumerate(pencil.equations):
        members = [j for j, s in enumerate(pencil.states) if s == space]
        combination = _combination(left[i], [right[j] for j in members])
        if combination is None:
            return pencil
        values = [recognise(v, candidates, point) if v else sp.S.Zero for v in combination]
        if None in values:
            return pencil
        rows.append({j: v for j, v in zip(members, values, strict=True) if v})  # type: ignore[misc]
    turned = _turn(pencil, rows)
    return turned if is_symmetric_pencil(turned, symmetric) else pencil


def _combination(target: list[list[int]], blocks: list[list[list[int]]]) -> list[int] | None:
    """Residues c with target = sum c_j block_j, None if there are none."""
    flat = [[v for row in block for v in row] for block in blocks]
    goal = [v for row in target for v in row]
    columns = len(flat)
    matrix = nmod_mat(len(goal), columns + 1, [v for k, g in enumerate(goal) for v in [*[line[k] for line in flat], g]], PRIME)
    reduced, rank = matrix.rref()
    result, row = [0] * columns, 0
    for column in range(columns):
        if row < rank and int(reduced[row, column]):
            result[column] = int(reduced[row, columns])
            row += 1
    return result if row == rank else None


def _turn(pencil: Pencil, rows: list[dict[int, sp.Expr]]) -> Pencil:
    """Equation j of the result is sum_i T_ij equation_i."""
    entries: dict[tuple[int, int], Entry] = {}
    source: dict[int, sp.Expr] = {}
    for i, row in enumerate(rows):
        for j, factor in row.items():
            for (r, column), entry in pencil.entries.items():
                if r == i:
                    target = entries.setdefault((j, column), {})
                    for key, coefficient in entry.items():
                        target[key] = sp.cancel(target.get(key, sp.S.Zero) + factor * coefficient)
            if i in pencil.source:
                source[j] = sp.cancel(source.get(j, sp.S.Zero) + factor * pencil.source[i])
    cleaned = {place: {k: c for k, c in entry.items() if c != 0} for place, entry in entries.items()}
    return Pencil(
        list(pencil.states),
        list(pencil.states),
        {p: e for p, e in cleaned.items() if e},
        {i: b for i, b in source.items() if b != 0},
        dict(pencil.output),
    )


def is_symmetric_pencil(pencil: Pencil, symmetric: set[sp.MatrixSymbol]) -> bool:
    for (i, j), entry in pencil.entries.items():
        other = pencil.entries.get((j, i), {})
        mirrored = {(key if key is None or key[0] in symmetric else (key[0], not key[1])): c for key, c in entry.items()}
        if mirrored.keys() != other.keys() or any(sp.cancel(c - other[key]) != 0 for key, c in mirrored.items()):
            return False
    return True


def doubled(pencil: Pencil, space: sp.Expr, spectral: sp.Symbol) -> Pencil:
    """A Hermitian pencil of (M - x)^{-1} from one of a Hermitian M = C A^{-1} B, through M = (C A^{-1} B + B* A^{-*} C*)/2:
    [[-x, C/2, B*], [C*/2, 0, -A*], [B, -A, 0]] (Anderson's self-adjoint linearisation)."""
    size, spaces = pencil.size, [sp.expand(space), *pencil.states, *pencil.equations]
    entries: dict[tuple[int, int], Entry] = {(0, 0): {None: -spectral}}
    for j, c in pencil.output.items():
        entries[0, 1 + j] = {None: c / 2}
        entries[1 + j, 0] = {None: c.xreplace({sp.I: -sp.I}) / 2}
    for i, b in pencil.source.items():
        entries[1 + size + i, 0] = {None: b}
        entries[0, 1 + size + i] = {None: b.xreplace({sp.I: -sp.I})}
    for (i, j), entry in pencil.entries.items():
        entries[1 + size + i, 1 + j] = {key: -c for key, c in entry.items()}
        entries[1 + j, 1 + size + i] = {
            None if key is None else (key[0], not key[1]): -c.xreplace({sp.I: -sp.I}) for key, c in entry.items()
        }
    return Pencil(spaces, list(spaces), entries, {0: sp.S.One}, {0: sp.S.One})
