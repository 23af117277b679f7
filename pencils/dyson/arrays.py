"""Dyson equations with deterministic matrices given as arrays, which need not commute: matrices of matrices, in float64.

A component that holds such symbols is one matrix with a block for each pair of state and equation; scalars are multiples of
identities, the deterministic symbols stand in their places and order, and unknowns are normalised traces of blocks of its
inverse; of a bilinear form, whose vectors are arrays too, the answer is the form of a block. The branch is chosen by one sample
of the expression's own pencil at the size of the arrays, from which Newton's iteration must not move by more than the
fluctuations allow.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import sympy as sp

from pencils.dyson.equation import Component, Dyson, Pair
from pencils.dyson.floats import values_of
from pencils.dyson.values import exact_values
from pencils.errors import ConvergenceError, InputError
from pencils.language.ensembles import Gaussian, Wigner
from pencils.language.tree import Expression

Array = npt.NDArray[Any]


class ArraySystem:
    """g = F(g) at the size of the arrays; ``sizes`` are the dimensions of the spaces, ``unit`` that of a ratio 1, ``ends`` the
    two vectors of a bilinear form."""

    def __init__(
        self,
        dyson: Dyson,
        parameters: Mapping[sp.Symbol, complex],
        arrays: Mapping[sp.MatrixSymbol, Array],
        sizes: Mapping[sp.Expr, int],
        unit: float,
        ends: tuple[Array, Array] | None = None,
    ) -> None:
        self.dyson, self.arrays, self.sizes, self.unit, self.ends = dyson, arrays, sizes, unit, ends
        self.point = {s: np.array([v]) for s, v in parameters.items()}
        self.pairs: list[Pair] = list(dict.fromkeys([*[t.pair for t in dyson.terms], *dyson.output]))
        self.coefficients = self._numbers([t.coefficient for t in dyson.terms])
        self.parts = [self._part(component) for component in dyson.components]

    def _unknown(self, pair: Pair, block: Array) -> Any:
        """What a block of an inverse counts for: its normalised trace, or its bilinear form."""
        if pair[2] and self.ends is not None:
            return self.ends[0] @ block @ self.ends[1]
        return np.trace(block) / len(block)

    def _numbers(self, exprs: list[sp.Expr]) -> Array:
        values = values_of(exprs, self.point, 1)[0]
        return values.real if not np.any(values.imag) else values

    def _part(self, component: Component) -> tuple[Component, dict[int, slice], dict[int, slice], Array]:
        pencil = self.dyson.pencil
        rows, height = _slices({i: self.sizes[pencil.equations[i]] for i in component.rows})
        columns, width = _slices({j: self.sizes[pencil.states[j]] for j in component.columns})
        base = np.zeros((height, width), dtype=np.result_type(float, self.coefficients, *self.arrays.values()))
        for (i, j), entry in pencil.entries.items():
            if i not in rows or j not in columns:
                continue
            for key, coefficient in entry.items():
                (value,) = self._numbers([coefficient])
                if np.iscomplexobj(value) and not np.iscomplexobj(base):
                    base = base.astype(complex)
                if key is None:
                    base[rows[i], columns[j]] += value * np.eye(rows[i].stop - rows[i].start)
                elif key[0] in self.arrays:
                    matrix = self.arrays[key[0]]
                    base[rows[i], columns[j]] += value * (matrix.conj().T if key[1] else matrix)
        return component, rows, columns, base

    def evaluate(self, g: Array, jacobian: bool = True) -> tuple[Array, Array | None]:
        """F(g) and its derivative."""
        total = np.zeros(len(self.pairs), dtype=complex)
        slope = np.zeros((len(self.pairs), len(self.pairs)), dtype=complex) if jacobian else None
        for _, rows, columns, base in self.parts:
            matrix = base.astype(np.result_type(base, g))
            terms = [(t, term) for t, term in enumerate(self.dyson.terms) if term.row in rows and term.column in columns]
            for t, term in terms:
                block = matrix[rows[term.row], columns[term.column]]
                block[np.diag_indices(len(block))] -= self.coefficients[t] * g[self.pairs.index(term.pair)]
            inverse = np.linalg.inv(matrix)
            for index, pair in enumerate(self.pairs):
                k, l, form = pair
                if k not in columns or l not in rows:
                    continue
                total[index] += self._unknown(pair, inverse[columns[k], rows[l]])
                # nothing depends on the form of a block: it is read off at the solution
                for t, term in terms if slope is not None and not form else ():
                    left, right = inverse[columns[k], rows[term.row]], inverse[columns[term.column], rows[l]]
                    slope[index, self.pairs.index(term.pair)] += (  # type: ignore[index]
                        self.coefficients[t] * np.einsum("ij,ji->", left, right) / len(left)
                    )
        return total, slope

    def sampled(self, seed: int = 0) -> Array:
        """g from one draw of the random matrices: normalised traces of the blocks of L^{-1}."""
        rng = np.random.default_rng(seed)
        pencil, atoms = self.dyson.pencil, dict(self.arrays)
        rows, height = _slices({i: self.sizes[s] for i, s in enumerate(pencil.equations)})
        columns, _ = _slices({j: self.sizes[s] for j, s in enumerate(pencil.states)})
        matrix = np.zeros((height, height), dtype=np.result_type(float, self.coefficients, *self.arrays.values()))
        for symbol in sorted(pencil.atoms() - set(atoms), key=str):
            atoms[symbol] = self._draw(symbol, rng)
        for (i, j), entry in pencil.entries.items():
            for key, coefficient in entry.items():
                (value,) = self._numbers([coefficient])
                if key is not None:
                    block = value * (np.conj(atoms[key[0]].T) if key[1] else atoms[key[0]])
                else:
                    block = value * np.eye(rows[i].stop - rows[i].start)
                if np.iscomplexobj(block) and not np.iscomplexobj(matrix):
                    matrix = matrix.astype(complex)
                matrix[rows[i], columns[j]] += block
        inverse = np.linalg.inv(matrix)
        return np.array([self._unknown(pair, inverse[columns[pair[0]], rows[pair[1]]]) for pair in self.pairs])

    def _draw(self, symbol: sp.MatrixSymbol, rng: np.random.Generator) -> Array:
        ensemble = self.dyson.ensembles[symbol]
        shape = tuple(self.sizes[sp.expand(side)] for side in symbol.shape)
        assert isinstance(ensemble, (Gaussian, Wigner))
        (variance,) = self._numbers([ensemble.variance])
        # Parameters are ratios and every summand has operator norm of order one: with entries of variance v/unit the
        # expression at ratios is the expression at sizes.
        scale = np.sqrt(variance / self.unit)
        if isinstance(ensemble, Gaussian):
            return scale * rng.standard_normal(shape)
        raw = rng.standard_normal(shape)
        if ensemble.field == "complex":
            raw = (raw + 1j * rng.standard_normal(shape)) / np.sqrt(2)
        return scale * (raw + np.conj(raw.T)) / np.sqrt(2)

    def solve(self) -> Array:
        """The physical g. Raises ConvergenceError where Newton's iteration leaves the sample it started from."""
        start = self.sampled()
        g = start
        for _ in range(12):
            total, slope = self.evaluate(g)
            assert slope is not None
            step = np.linalg.solve(np.eye(len(g)) - slope, total - g)
            g = g + step
            if np.max(np.abs(step) / (1 + np.abs(g)), initial=0.0) < 1e-13:
                break
        residual = float(np.max(np.abs(self.evaluate(g, False)[0] - g) / (1 + np.abs(g)), initial=0.0))
        smallest = min(self.sizes.values())
        moved = float(np.max(np.abs(g - start) / (1 + np.abs(g)), initial=0.0))
        if not residual < 1e-9 or moved > 10 / np.sqrt(smallest):
            raise ConvergenceError(
                f"no solution near a sample was found: residual {residual:.2g}, moved by {moved:.2g}; "
                f"last iterate {np.round(g, 6).tolist()}"
            )
        return g


def _slices(sizes: Mapping[int, int]) -> tuple[dict[int, slice], int]:
    found, total = {}, 0
    for key, size in sizes.items():
        found[key] = slice(total, total + size)
        total += size
    return found, total


def sizes_from(
    dyson: Dyson, ratios: Mapping[sp.Symbol, Any], arrays: Mapping[sp.MatrixSymbol, Array]
) -> tuple[dict[sp.Expr, int], float]:
    """Dimension of every space, and of a ratio 1, from the shapes of the arrays. Raises InputError when they disagree."""
    unit: float | None = None
    for symbol, array in arrays.items():
        for side, length in zip(symbol.shape, array.shape, strict=True):
            found = length / float(sp.sympify(side).subs(ratios))
            if unit is not None and abs(found / unit - 1) > 0.5 / length + 1e-9:
                raise InputError(
                    f"{symbol} has shape {array.shape}, which does not fit {symbol.shape[0]} x {symbol.shape[1]} "
                    "at the dimensions given and the other arrays"
                )
            unit = found if unit is None else unit
    assert unit is not None
    spaces = dict.fromkeys([*dyson.pencil.states, *dyson.pencil.equations])
    sizes = {space: round(float(space.subs(ratios)) * unit) for space in spaces}
    for symbol, array in arrays.items():
        sizes.update({sp.expand(side): length for side, length in zip(symbol.shape, array.shape, strict=True)})
    return sizes, unit


def evaluate_at_arrays(
    dyson: Dyson, expression: Expression, symbols: list[sp.MatrixSymbol], values: Mapping[Any, Any], digits: int
) -> Any:
    """The answer with the ``symbols`` given as NumPy arrays: ``sympy.Float`` of at most 15 digits, real where everything
    given is. Raises InputError for missing or unfit arrays, ConvergenceError."""
    if not isinstance(values, Mapping):
        raise InputError(f"values: give a mapping such as {{n: 2, d: 1}}, not {type(values).__name__}")
    missing = [m for m in symbols if m not in values]
    if missing:
        raise InputError(f"{missing[0]} is a matrix without a law: give a NumPy array for it")
    if digits > 15:
        raise InputError(f"digits = {digits}: with matrices given as arrays at most 15 digits can be had (float64)")
    ends = _ends(expression, symbols[0], values)
    if any(isinstance(values.get(s), np.ndarray) for s in expression.parameters):
        raise InputError("with matrices given as arrays the parameters are single numbers: evaluate them one by one")
    arrays = {m: _checked(m, values[m], expression.ensembles[m]) for m in symbols}
    exact = exact_values(expression, values)
    ratios = {s: complex(v) for s, v in exact.items()}
    sizes, unit = sizes_from(dyson, {s: exact[s] for s in expression.dimensions}, arrays)
    if ends is not None:
        ((_, left, _, right),) = expression.ends or ()
        for symbol, vector in zip((left, right), ends, strict=True):
            if len(vector) != sizes.get(sp.expand(symbol.rows)):
                raise InputError(f"{symbol} has {len(vector)} entries, which does not fit {symbol.rows} at the other arrays")
    system = ArraySystem(dyson, ratios, arrays, sizes, unit, ends)
    g = system.solve()
    weights = values_of(list(dyson.output.values()), system.point, 1)[0]
    total = sum((w * g[system.pairs.index(p)] for w, p in zip(weights, dyson.output, strict=True)), 0j)
    given = [*arrays.values(), *(ends or ())]
    if not any(v.imag for v in ratios.values()) and not any(np.iscomplexobj(a) for a in given):
        return sp.Float(total.real, digits)
    return sp.Float(total.real, digits) + sp.I * sp.Float(total.imag, digits)


def _ends(expression: Expression, matrix: sp.MatrixSymbol, values: Mapping[Any, Any]) -> tuple[Array, Array] | None:
    """The arrays of a bilinear form's vectors: where a matrix is an array, its norm and overlaps do not place a vector."""
    if expression.ends is None:
        return None
    ((_, left, _, right),) = expression.ends
    found = []
    for symbol in (left, right):
        if symbol not in values:
            raise InputError(f"{symbol}: beside {matrix}, a matrix given as an array, give a NumPy array for the vector too")
        vector = np.asarray(values[symbol])
        if vector.dtype.kind not in "iuf" or not np.isfinite(vector).all() or vector.size != max(vector.shape, default=0):
            raise InputError(f"{symbol}: a NumPy array of finite real numbers, one column, is wanted")
        found.append(vector.reshape(-1).astype(float))
    return found[0], found[1]


def _checked(symbol: sp.MatrixSymbol, value: Any, ensemble: Any) -> Array:
    """The array of a matrix, finite, and Hermitian where it is declared symmetric."""
    array = np.asarray(value)
    if array.dtype.kind not in "iufc" or not np.isfinite(array).all():
        raise InputError(f"{symbol}: a NumPy array of finite numbers is wanted")
    if array.ndim != 2:
        raise InputError(f"{symbol}: an array of shape {array.shape} is not a matrix")
    square = array.shape[0] == array.shape[1]
    if ensemble.symmetric and square and abs(array - array.conj().T).max(initial=0) > 1e-12 * abs(array).max(initial=0):
        raise InputError(f"{symbol} is declared symmetric and its array is not")
    return array
