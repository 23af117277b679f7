"""A Dyson equation in ball arithmetic: Newton's iteration at any precision, and a proof that the ball holds one root.

The float64 solution has chosen the branch; here it is polished with doubled precision until the last step is small enough,
and then certified by Krawczyk's test: K(X) = x - Y (F(x) - x) + (I - Y J(X)) (X - x) inside X proves that X, a box around x,
holds exactly one solution of g = F(g).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import sympy as sp
from flint import acb, acb_mat, arb, ctx

from pencils.dyson.equation import Dyson, Pair
from pencils.dyson.floats import LARGE
from pencils.errors import ConvergenceError
from pencils.exact.balls import compile_balls
from pencils.exact.numbers import bits_for, working_precision

Values = Mapping[sp.Symbol, Callable[[int], Any]]  # each parameter's ball at a precision


@dataclass(frozen=True)
class Block:
    """The part of A - Sigma(g) on one fiber, ``rows`` x ``columns``.

    ``cells`` are (row, column, constant) of A; ``wanted`` are (unknown, row of the inverse, its column, weight) of what is read
    off; ``terms`` are (term, row, column, unknown) of Sigma. Constants, weights and terms are numbers of the system's coefficients.
    """

    rows: int
    columns: int
    cells: list[tuple[int, int, int]]
    wanted: list[tuple[int, int, int, int]]
    terms: list[tuple[int, int, int, int]]

    def matrix(self, coefficients: Sequence[Any], g: Sequence[Any]) -> acb_mat:
        """A - Sigma(g)."""
        matrix = acb_mat(self.rows, self.columns)
        for i, j, c in self.cells:
            matrix[i, j] += coefficients[c]
        for t, i, j, pair in self.terms:
            matrix[i, j] -= coefficients[t] * g[pair]
        return matrix


class BallSystem:
    """g = F(g) with the coefficients as balls. Compiled once; ``at(values)`` fixes the parameters at a precision."""

    def __init__(self, dyson: Dyson, pairs: Sequence[Pair]) -> None:
        self.dyson = dyson
        self.pairs = list(pairs)
        self.place = {pair: index for index, pair in enumerate(self.pairs)}
        self.symbols: list[sp.Symbol] = []
        self.coefficients: list[Any] = []
        exprs: list[sp.Expr] = [t.coefficient for t in dyson.terms]
        self.blocks: list[Block] = []
        for component in dyson.components:
            for fiber in component.fibers or ():
                rows = [i for i in component.rows if dyson.pencil.equations[i] in fiber.spaces]
                columns = [j for j in component.columns if dyson.pencil.states[j] in fiber.spaces]
                cells = []
                for (i, j), entry in dyson.pencil.entries.items():
                    if i in rows and j in columns:
                        value = sum(
                            (c * (1 if key is None else fiber.values.get(key[0], 0)) for key, c in entry.items()),
                            sp.S.Zero,
                        )
                        if value != 0:
                            cells.append((rows.index(i), columns.index(j), len(exprs)))
                            exprs.append(value)
                mine = []
                for index, (k, l, _) in enumerate(self.pairs):
                    if k in columns and l in rows:
                        mine.append((index, columns.index(k), rows.index(l), len(exprs)))
                        exprs.append(dyson.weight(self.pairs[index], fiber))
                terms = [
                    (t, rows.index(term.row), columns.index(term.column), self.place[term.pair])
                    for t, term in enumerate(dyson.terms)
                    if term.row in rows and term.column in columns
                ]
                self.blocks.append(Block(len(rows), len(columns), cells, mine, terms))
        self.symbols = sorted({s for e in exprs for s in e.free_symbols}, key=str)
        self.exprs = exprs
        distinct = list(dict.fromkeys(exprs))
        order = {e: k for k, e in enumerate(distinct)}
        self.which = [order[e] for e in exprs]
        self.compiled = [compile_balls(e, self.symbols) for e in distinct]

    def constants(self, values: Values, bits: int) -> list[Any]:
        """Every coefficient at the parameters, at the current precision."""
        balls = [values[s](bits) for s in self.symbols]
        distinct = [f(*balls) for f in self.compiled]
        return [distinct[k] for k in self.which]

    def evaluate(self, g: Sequence[Any], constants: Sequence[Any], jacobian: bool = True) -> tuple[list[Any], acb_mat | None]:
        """F(g) and, if wanted, its derivative."""
        size = len(self.pairs)
        total = [acb(0)] * size
        slope = [[acb(0)] * size for _ in range(size)] if jacobian else None
        for block in self.blocks:
            if not block.rows:
                continue
            try:
                inverse = block.matrix(constants, g).inv()
            except ZeroDivisionError as error:
                raise ConvergenceError("the matrix of the Dyson equation is singular at this point") from error
            for index, k, l, weight in block.wanted:
                total[index] += constants[weight] * inverse[k, l]
                if slope is None:
                    continue
                for t, i, j, pair in block.terms:
                    left = inverse[k, i]
                    right = inverse[j, l]
                    if left.is_zero() or right.is_zero():
                        continue
                    slope[index][pair] += constants[weight] * left * right * constants[t]
        return total, None if slope is None else acb_mat(slope)

    def polish(self, start: Sequence[complex], values: Values, digits: int) -> list[Any]:
        """Certified balls of g from a float64 start. Raises ConvergenceError with the last iterate and step."""
        goal = bits_for(digits) + 20
        if len(self.pairs) > LARGE:
            return self._polish_large(start, values, goal)
        bits, g = 106, [acb(value.real, value.imag) for value in start]
        last = 1.0
        for _ in range(60):
            with working_precision(bits + 40):
                constants = self.constants(values, bits + 40)
                g = [acb(x.real.mid(), x.imag.mid()) for x in g]
                total, slope = self.evaluate(g, constants)
                assert slope is not None
                step = self._solve(slope, [a - b for a, b in zip(total, g, strict=True)])
                g = [a + b for a, b in zip(g, step, strict=True)]
                size = max((float(abs(s).abs_upper()) for s in step), default=0.0)
                scale = max((float(abs(x).abs_upper()) for x in g), default=1.0)
                if not size < 1e6 * (1 + scale):
                    break
                # quadratic convergence: the error after this step is about its square
                known = -2 * _log2(size / (1 + scale)) if size else 10.0**9
                if bits >= goal and known >= goal + 12:
                    return self._certify(g, constants, goal)
                last = size
                bits = min(goal, max(bits, int(2 * known))) if known > bits / 2 else bits
        raise ConvergenceError(
            f"Newton's iteration did not reach {digits} digits; last step {last:.3g}, last iterate "
            f"{[x.str(8, radius=False) for x in g]}"
        )

    def _polish_large(self, start: Sequence[complex], values: Values, goal: int) -> list[Any]:
        """``polish`` with one float64 inverse of the derivative for all steps, each of which gains about 12 digits: a solution
        in ball arithmetic costs the cube of the number of unknowns."""
        with working_precision(goal + 40):
            constants = self.constants(values, goal + 40)
            g = [acb(value.real, value.imag) for value in start]
            inverse, size = None, 1.0
            for _ in range(goal // 10 + 10):
                total, slope = self.evaluate(g, constants, jacobian=inverse is None)
                if slope is not None:
                    inverse = _float_inverse(slope)
                step = _times(inverse, [a - b for a, b in zip(total, g, strict=True)])
                g = [_middle(a + b) for a, b in zip(g, step, strict=True)]
                size = max(float(abs(s).abs_upper()) for s in step)
                if size < 2.0**-goal * max(float(abs(x).abs_upper()) for x in g):
                    return self._certify(g, constants, goal)
        raise ConvergenceError(
            f"Newton's iteration did not converge; last step {size:.3g}, last iterate {[x.str(8, radius=False) for x in g]}"
        )

    def derivative(self, g: Sequence[Any], values: Values, bits: int, symbol: sp.Symbol) -> list[Any]:
        """dg/dsymbol at a solution: (I - J)^{-1} of the partial derivative of F, dM = -M (dA - dSigma) M."""
        with working_precision(bits + 40):
            constants = self.constants(values, bits + 40)
            balls = [values[s](bits + 40) for s in self.symbols]
            partial = [compile_balls(sp.diff(e, symbol), self.symbols)(*balls) for e in self.exprs]
            total = [acb(0)] * len(self.pairs)
            for block in self.blocks:
                inverse = block.matrix(constants, g).inv()
                moved = inverse * block.matrix(partial, g) * inverse
                for index, k, l, weight in block.wanted:
                    total[index] += partial[weight] * inverse[k, l] - constants[weight] * moved[k, l]
            _, slope = self.evaluate(g, constants)
            assert slope is not None
            return self._solve(slope, total)

    def _solve(self, slope: acb_mat, right: list[Any]) -> list[Any]:
        size = len(right)
        if not size:
            return []
        matrix = acb_mat([[(1 if i == j else 0) - slope[i, j] for j in range(size)] for i in range(size)])
        try:
            solved = matrix.solve(acb_mat([[x] for x in right]))
        except ZeroDivisionError as error:
            raise ConvergenceError("the derivative of the Dyson equation is singular: an edge of the spectrum") from error
        return [solved[i, 0] for i in range(size)]

    def _certify(self, g: list[Any], constants: Sequence[Any], goal: int) -> list[Any]:
        """Krawczyk's test on a box of relative radius about 2^-goal."""
        size = len(g)
        if not size:
            return []
        centre = [_middle(x) for x in g]
        total, slope = self.evaluate(centre, constants)
        assert slope is not None
        identity = acb_mat([[1 if i == j else 0 for j in range(size)] for i in range(size)])
        inverse = _float_inverse(slope) if size > LARGE else (identity - slope).mid().inv().mid()
        gap = _times(inverse, [a - b for a, b in zip(total, centre, strict=True)])
        scale = max((abs(x).abs_upper() for x in centre), key=float)
        if scale == 0:
            scale = arb(1)  # every unknown vanishes
        for extra in (0, 6, 12, 18):
            # an unknown that vanishes is boxed relative to the others
            radius = [(abs(x).abs_upper() + scale * arb(2) ** -20) * arb(2) ** (extra - goal) for x in centre]
            box = [acb(arb(x.real.mid(), r), arb(x.imag.mid(), r)) for x, r in zip(centre, radius, strict=True)]
            _, wide = self.evaluate(box, constants)
            assert wide is not None
            # the defect is small, and few of its digits matter; a float64 inverse leaves it about 1e-13
            with working_precision(80 if size > LARGE else ctx.prec):
                defect = identity - inverse * (identity - wide)
            move = _times(defect, [b - c for b, c in zip(box, centre, strict=True)])
            image = [c + a + b for c, a, b in zip(centre, gap, move, strict=True)]
            if all(b.contains(k) and _inside(k, b) for k, b in zip(image, box, strict=True)):
                return image
        raise ConvergenceError("the solution could not be certified at this precision")


def _middle(x: acb) -> acb:
    return acb(x.real.mid(), x.imag.mid())


def _times(matrix: acb_mat, vector: list[Any]) -> list[Any]:
    product = matrix * acb_mat([[x] for x in vector])
    return [product[i, 0] for i in range(len(vector))]


def _float_inverse(slope: acb_mat) -> acb_mat:
    """(I - slope)^{-1} to about the digits of float64."""
    derivative = np.array([[complex(x) for x in row] for row in slope.tolist()])
    try:
        return acb_mat(np.linalg.inv(np.eye(len(derivative)) - derivative).tolist())
    except np.linalg.LinAlgError as error:
        raise ConvergenceError("the derivative of the Dyson equation is singular: an edge of the spectrum") from error


def _inside(image: Any, box: Any) -> bool:
    return bool(image.real.rad() < box.real.rad() and image.imag.rad() < box.imag.rad())


def _log2(value: float) -> float:
    return math.log2(value)
