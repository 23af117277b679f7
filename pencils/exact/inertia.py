"""The number of negative eigenvalues of a Hermitian matrix of balls, exactly, by Sylvester's law of inertia."""

from __future__ import annotations

from typing import Any

from flint import acb, acb_mat, arb

from pencils.errors import PrecisionError


def negatives(matrix: acb_mat) -> int:
    """Negative eigenvalues of every Hermitian matrix in the enclosure, from the signs of the pivots of an LDL^* elimination with
    pivots of one or two rows. Raises PrecisionError where the enclosure leaves a sign open, as it does at a singular matrix."""
    rows = [[matrix[i, j] for j in range(matrix.ncols())] for i in range(matrix.nrows())]
    count = 0
    while rows:
        size = len(rows)
        diagonal = max(range(size), key=lambda i: _size(rows[i][i]))
        pairs = [(i, j) for i in range(size) for j in range(i)]
        aside = max(pairs, key=lambda p: _size(rows[p[0]][p[1]]), default=None)
        if aside is None or 2 * _size(rows[diagonal][diagonal]) >= _size(rows[aside[0]][aside[1]]):
            pivot = rows[diagonal][diagonal].real
            if pivot.contains(0) or not pivot.is_finite():
                raise PrecisionError(f"the sign of a pivot is open: {pivot}")
            count += int(pivot < 0)
            taken, block = [diagonal], acb_mat([[acb(pivot)]])
        else:
            # the two diagonal entries are small beside what stands between them: one eigenvalue of either sign
            i, j = aside
            block = acb_mat([[acb(rows[i][i].real), rows[i][j]], [rows[j][i], acb(rows[j][j].real)]])
            determinant = rows[i][i].real * rows[j][j].real - abs(rows[i][j]) ** 2
            if not determinant < 0:
                raise PrecisionError(f"the sign of a pivot is open: {determinant}")
            count += 1
            taken = [i, j]
        rows = _schur(rows, taken, block.inv())
    return count


def _schur(rows: list[list[Any]], taken: list[int], inverse: acb_mat) -> list[list[Any]]:
    left = [k for k in range(len(rows)) if k not in taken]
    return [
        [
            rows[a][b]
            - sum(
                (rows[a][i] * inverse[s, t] * rows[j][b] for s, i in enumerate(taken) for t, j in enumerate(taken)),
                acb(0),
            )
            for b in left
        ]
        for a in left
    ]


def _size(value: Any) -> arb:
    return abs(value).mid() if value.is_finite() else arb(0)
