"""A Dyson equation at given parameters in float64, for a batch of points at once: the map, its derivative, its inverse blocks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt
import sympy as sp

from pencils.dyson.equation import Component, Conjugate, Dyson, Fiber, Pair

Array = npt.NDArray[np.complex128]

LARGE = 150  # with more unknowns than this the derivative is applied, never formed


def values_of(exprs: Sequence[sp.Expr], parameters: Mapping[sp.Symbol, Array], batch: int) -> Array:
    """Each expression at every point of the batch, shape (batch, number of expressions)."""
    if not exprs:
        return np.zeros((batch, 0), complex)
    if all(not sp.sympify(e).free_symbols for e in exprs):
        return np.broadcast_to(np.array([_constant(sp.sympify(e)) for e in exprs], complex), (batch, len(exprs)))
    columns = _compiled(tuple(parameters), tuple(exprs))(*parameters.values())
    return np.stack([np.broadcast_to(np.asarray(c, complex), (batch,)) for c in columns], axis=1)


def _constant(value: sp.Expr) -> complex:
    return int(value.p) / int(value.q) if value.is_Rational else complex(value)


@lru_cache(maxsize=1000)
def _compiled(symbols: tuple[sp.Symbol, ...], exprs: tuple[sp.Expr, ...]) -> Any:
    """Compiling takes longer than all that is done with the result, and the same equations come back at every point."""
    # Python integers beyond 64 bits are no numbers to NumPy's functions
    big = {n: sp.Float(n, 17) for e in exprs for n in sp.sympify(e).atoms(sp.Integer) if abs(n) > 2**53}
    found = {part.func for e in exprs for part in sp.sympify(e).atoms(sp.Function, sp.NumberSymbol)}
    # "numpy" makes lambdify import all of NumPy's subpackages, which takes a quarter of a second: only where it must
    names = {"Min": _minimum, "sqrt": np.sqrt, "Conjugate": np.conj, "pi": np.pi}
    modules = [names] if found <= {Conjugate, type(sp.pi)} else [names, "numpy"]
    return sp.lambdify(symbols, [sp.sympify(e).xreplace(big) for e in exprs], modules=modules)


def _minimum(*args: Any) -> Any:
    return np.minimum.reduce([np.real(a) for a in np.broadcast_arrays(*args)])


def _stacks(component: Component) -> list[list[Fiber]]:
    """The fibers of a component, those with the same spaces together."""
    found: dict[Any, list[Fiber]] = {}
    for fiber in component.fibers or ():
        found.setdefault((fiber.spaces, frozenset(fiber.values)), []).append(fiber)
    return list(found.values())


@dataclass(frozen=True)
class Stack:
    """Fibers with the same spaces, whose blocks of A - Sigma(g) have the same rows and columns; Sigma is one for all of them.

    Sigma[``rows``[t], ``columns``[t]] += coefficient * unknown for each of the ``terms`` that lie in the block, numbers of terms of
    the equation; unknown ``pairs``[p] is read off the inverse at [``states``[p], ``equations``[p]]. Rows, columns, states and
    equations are places in the block.
    """

    base: Array  # A, (batch, fiber, row, column)
    rows: npt.NDArray[np.int_]
    columns: npt.NDArray[np.int_]
    terms: npt.NDArray[np.int_]
    pairs: npt.NDArray[np.int_]
    states: npt.NDArray[np.int_]
    equations: npt.NDArray[np.int_]
    weights: Array  # what an entry of the inverse counts for in its unknown, (batch, fiber, pair)
    diagonal: npt.NDArray[np.int_]  # places (row, column) of the diagonal of a square pencil

    def at(self, points: Any) -> Stack:
        """The stack at some points of the batch."""
        return replace(self, base=self.base[points], weights=self.weights[points])

    def read_off(self, blocks: Array) -> Array:
        """Weighted entries of blocks that are the unknowns' shares, (batch, fiber, pair)."""
        return self.weights * blocks[:, :, self.states, self.equations]


class FloatSystem:
    """g -> F(g), the traces of (A - Sigma(g))^{-1}, for a batch of parameter values.

    ``shift`` adds -i eta to the diagonal of a square pencil (the hermitised one); ``stacks`` holds the fibers.
    """

    def __init__(self, dyson: Dyson, parameters: Mapping[sp.Symbol, Array], wanted: Sequence[Pair] = ()) -> None:
        self.dyson = dyson
        self.batch = max((len(v) for v in parameters.values()), default=1)
        self.pairs = list(dict.fromkeys([*[t.pair for t in dyson.terms], *wanted]))
        place = {pair: index for index, pair in enumerate(self.pairs)}
        self.row = np.array([t.row for t in dyson.terms], int)
        self.column = np.array([t.column for t in dyson.terms], int)
        self.index = np.array([place[t.pair] for t in dyson.terms], int)
        self.coefficient = values_of([t.coefficient for t in dyson.terms], parameters, self.batch)
        self.scatter = np.zeros((len(self.row), len(self.pairs)), complex)
        self.scatter[np.arange(len(self.row)), self.index] = 1
        self.stacks = [self._stack(component, stack, parameters) for component in dyson.components for stack in _stacks(component)]

    def _stack(self, component: Any, stack: list[Fiber], parameters: Mapping[sp.Symbol, Array]) -> Stack:
        pencil, spaces = self.dyson.pencil, stack[0].spaces
        rows = [i for i in component.rows if pencil.equations[i] in spaces]
        columns = [j for j in component.columns if pencil.states[j] in spaces]
        ones = np.ones(len(stack))
        values = {m: np.array([_constant(f.values[m]) for f in stack]) for m in stack[0].values}
        cells, exprs, factors = [], [], []
        for (i, j), entry in pencil.entries.items():
            if i in rows and j in columns:
                for key, coefficient in entry.items():
                    if key is None or key[0] in values:
                        cells.append((rows.index(i), columns.index(j)))
                        exprs.append(coefficient)
                        factors.append(ones if key is None else values[key[0]])
        base = np.zeros((self.batch, len(stack), len(rows), len(columns)), complex)
        for place, numbers, factor in zip(cells, values_of(exprs, parameters, self.batch).T, factors, strict=True):
            base[:, :, place[0], place[1]] += numbers[:, None] * factor
        mine = [p for p, (k, l, _) in enumerate(self.pairs) if k in columns and l in rows]
        shares = [self.dyson.weight(self.pairs[p], fiber) for fiber in stack for p in mine]
        weights = values_of(shares, parameters, self.batch).reshape(self.batch, len(stack), len(mine))
        inside = [t for t in range(len(self.row)) if self.row[t] in rows and self.column[t] in columns]
        return Stack(
            base=base,
            rows=np.array([rows.index(i) for i in self.row[inside]], int),
            columns=np.array([columns.index(j) for j in self.column[inside]], int),
            terms=np.array(inside, int),
            pairs=np.array(mine, int),
            states=np.array([columns.index(self.pairs[p][0]) for p in mine], int),
            equations=np.array([rows.index(self.pairs[p][1]) for p in mine], int),
            weights=weights,
            diagonal=np.array([[rows.index(i), columns.index(i)] for i in rows if i in columns], int).reshape(-1, 2),
        )

    def take(self, points: Any) -> FloatSystem:
        """The system at some points of the batch."""
        part = copy(self)
        part.coefficient = self.coefficient[points]
        part.batch = len(part.coefficient)
        part.stacks = [stack.at(points) for stack in self.stacks]
        return part

    def inverses(self, g: Array, eta: float = 0.0) -> list[Array]:
        """(A - Sigma(g) - i eta)^{-1} on every fiber of every stack."""
        found = []
        for stack, sigma in zip(self.stacks, self.sigmas(g), strict=True):
            matrix = stack.base - sigma[:, None]
            if eta:
                matrix[:, :, stack.diagonal[:, 0], stack.diagonal[:, 1]] -= 1j * eta
            found.append(np.asarray(np.linalg.inv(matrix), complex))
        return found

    def sigmas(self, g: Array) -> list[Array]:
        """Sigma(g), which is one for all fibers of a stack."""
        found = []
        for stack in self.stacks:
            sigma = np.zeros_like(stack.base[:, 0])
            place: Any = (slice(None), stack.rows, stack.columns)
            np.add.at(sigma, place, self.coefficient[:, stack.terms] * g[:, self.index[stack.terms]])
            found.append(sigma)
        return found

    def traces(self, inverses: list[Array]) -> Array:
        """F(g) from the inverse blocks, shape (batch, pairs)."""
        total = np.zeros((self.batch, len(self.pairs)), complex)
        for inverse, stack in zip(inverses, self.stacks, strict=True):
            total[:, stack.pairs] += stack.read_off(inverse).sum(axis=1)
        return total

    def jacobian(self, inverses: list[Array]) -> Array:
        """dF/dg, shape (batch, pairs, pairs): d M = M dSigma M."""
        total = np.zeros((self.batch, len(self.pairs), len(self.pairs)), complex)
        for inverse, stack in zip(inverses, self.stacks, strict=True):
            inside, mine = stack.terms, stack.pairs
            if not len(inside) or not len(mine):
                continue
            left = inverse[:, :, stack.states[:, None], stack.rows[None, :]]
            right = inverse[:, :, stack.columns[None, :], stack.equations[:, None]]
            flow = (stack.weights[..., None] * left * right).sum(axis=1) * self.coefficient[:, None, inside]
            total[:, mine] += (flow.reshape(-1, len(inside)) @ self.scatter[inside]).reshape(self.batch, len(mine), -1)
        return total

    def correction(self, inverses: list[Array], gap: Array) -> Array:
        """(I - dF/dg)^{-1} gap at every point."""
        if len(self.pairs) > LARGE:
            from scipy.sparse.linalg import LinearOperator, gmres

            def apply(flat: Array) -> Array:
                vector = flat.reshape(gap.shape)
                return (vector - self.slope_along(inverses, vector)).reshape(-1)

            operator = LinearOperator((gap.size, gap.size), matvec=apply, dtype=complex)
            found, failed = gmres(operator, gap.reshape(-1), rtol=1e-9, restart=100, maxiter=3)
            if not failed:
                return np.asarray(found.reshape(gap.shape))
        system = np.eye(len(self.pairs)) - self.jacobian(inverses)
        return np.asarray(np.linalg.solve(system, gap[..., None])[..., 0])

    def slope_along(self, inverses: list[Array], vector: Array) -> Array:
        """dF/dg times a vector, shape (batch, pairs): the traces of M Sigma(vector) M."""
        total = np.zeros((self.batch, len(self.pairs)), complex)
        flows = [inverse @ sigma[:, None] @ inverse for inverse, sigma in zip(inverses, self.sigmas(vector), strict=True)]
        for flow, stack in zip(flows, self.stacks, strict=True):
            total[:, stack.pairs] += stack.read_off(flow).sum(axis=1)
        return total

    def newton(self, g: Array, eta: float = 0.0, steps: int = 12, tolerance: float = 1e-13) -> tuple[Array, Array]:
        """Newton's iteration for g = F(g): (last iterate, residual relative to the terms of the largest trace, at every point)."""
        g = g.copy()
        moving = np.ones(self.batch, bool)
        try:
            for _ in range(steps):
                part = self if moving.all() else self.take(moving)
                inverses = part.inverses(g[moving], eta)
                step = part.correction(inverses, part.traces(inverses) - g[moving])
                g[moving] += step
                moving[moving] = ~np.all(np.abs(step) <= tolerance * np.max(np.abs(g[moving]), axis=1, keepdims=True), axis=1)
                if not moving.any():
                    break
            inverses = self.inverses(g, eta)
            residual = self.traces(inverses) - g
        except np.linalg.LinAlgError:
            # an iterate at which a matrix is singular is no solution; the caller takes a smaller step
            return g, np.full(self.batch, np.inf)
        # what is added up in the traces is the measure of rounding: a trace may be small by cancellation
        scale = np.full(self.batch, 1e-300)
        for inverse, stack in zip(inverses, self.stacks, strict=True):
            scale = np.maximum(scale, np.max(np.abs(stack.read_off(inverse)), axis=(1, 2), initial=0.0))
        size = np.max(np.abs(residual), axis=1, initial=0.0) / scale
        return g, np.where(np.isfinite(size), size, np.inf)
