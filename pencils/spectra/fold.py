"""Edges of the spectrum as folds of the Dyson equation: where g = F(g, x) and I - dF/dg is singular."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import sympy as sp
from flint import acb, acb_mat, arb

from pencils.dyson.certified import BallSystem
from pencils.errors import ConvergenceError
from pencils.exact.numbers import bits_for, working_precision


def fold(
    system: BallSystem,
    constants: Mapping[sp.Symbol, Callable[[int], Any]],
    spectral: sp.Symbol,
    start: tuple[Any, list[Any]],
    direction: list[Any],
    digits: int,
) -> tuple[Any, list[Any]]:
    """(x, g) at the edge near ``start`` = (x, g), by Newton's iteration on F(g, x) - g = 0 and h = 0, where
    [[dF/dg - I, b], [b^T, 0]] [v; h] = [0; 1] and b = ``direction`` is that in which g moves fastest (Griewank, Reddien).

    h is differentiated by differences of half the digits, which the iteration makes up for. Raises ConvergenceError where it does
    not converge, as at an edge where g diverges.
    """
    bits = 2 * bits_for(digits) + 80
    with working_precision(bits):
        length = sum((abs(d) ** 2 for d in direction), arb(0)).sqrt()
        border = [(d / length).mid() for d in direction]
        y = [acb(v).mid() for v in (*start[1], start[0])]
        small = arb(2) ** (-bits // 3)
        for _ in range(60):
            value = _defect(system, constants, spectral, y, border, bits)
            columns = []
            for k, coordinate in enumerate(y):
                step = small * (abs(coordinate).mid() + 1)
                moved = [*y[:k], coordinate + step, *y[k + 1 :]]
                shifted = _defect(system, constants, spectral, moved, border, bits)
                columns.append([((a - b) / step).mid() for a, b in zip(shifted, value, strict=True)])
            matrix = acb_mat([list(row) for row in zip(*columns, strict=True)])
            try:
                move = matrix.solve(acb_mat([[-v.mid()] for v in value]))
            except ZeroDivisionError as error:
                raise ConvergenceError("the edge is no simple fold") from error
            y = [(a + move[k, 0]).mid() for k, a in enumerate(y)]
            size = max(float(abs(move[k, 0])) for k in range(len(y)))
            if not size < 1e3:
                break
            if size < 10.0 ** -(digits + 15):
                return y[-1].real, y[:-1]
    raise ConvergenceError("no edge was found: Newton's iteration did not converge")


def _defect(system: BallSystem, constants: Any, spectral: sp.Symbol, y: list[Any], border: list[Any], bits: int) -> list[Any]:
    g, x = y[:-1], y[-1]
    total, slope = system.evaluate(g, system.constants({**constants, spectral: lambda _: x}, bits))
    assert slope is not None
    size = len(g)
    rows = [[slope[i, j] - int(i == j) for j in range(size)] + [border[i]] for i in range(size)]
    bordered = acb_mat([*rows, [*border, acb(0)]]).mid()
    solved = bordered.solve(acb_mat([[acb(0)]] * size + [[acb(1)]]))
    return [*(a - b for a, b in zip(total, g, strict=True)), solved[size, 0]]
