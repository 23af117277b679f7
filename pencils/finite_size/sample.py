"""The same SymPy expression at finite size: random matrices in, a normalised trace or a bilinear form out.

Nothing of the pencil is used here: the expression is walked again, over NumPy arrays, so that a sample can testify against
the equations.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import sympy as sp
from numpy.typing import NDArray

from pencils.errors import InputError, SimulationError
from pencils.exact.numbers import exact
from pencils.language.declarations import short
from pencils.language.ensembles import Deterministic, Gaussian, Vector, Wigner, gram
from pencils.language.tree import Expression, is_symmetric

Array: TypeAlias = NDArray[Any]
MAX_DIMENSION = 20_000  # a square matrix of this size takes 3 GB


@dataclass(frozen=True)
class Sample:
    """Mean of independent draws, its standard error (of the real and of the imaginary part, when complex), the number of
    draws, and the dimensions that were drawn, after rounding."""

    mean: float | complex
    standard_error: float | complex
    draws: int
    dimensions: dict[sp.Symbol, int]


def sample(expression: Expression, values: Mapping[Any, Any], size: int = 400, draws: int = 20, seed: int = 0) -> Sample:
    """Draw the expression ``draws`` times at finite size.

    ``values`` gives every parameter a number, and every ``Deterministic()`` matrix a NumPy array, as well as the vectors
    beside one. A dimension is its value times ``size``, rounded; where arrays are given they fix the size. The trace is
    divided by its dimension. Draws are independent and depend on ``seed`` and their place alone.

    Raises InputError for missing, superfluous or unfit values, SimulationError for a singular matrix.
    """
    if not isinstance(draws, int) or draws < 2:
        raise InputError(f"draws = {draws}: a standard error needs a whole number of draws, 2 or more")
    if not isinstance(seed, int) or seed < 0:
        raise InputError(f"seed = {seed}: a whole number, 0 or more, is wanted")
    setting = _Setting(expression, values, size)
    seeds = np.random.SeedSequence(seed).spawn(draws)
    found = np.array([setting.draw(np.random.default_rng(child)) for child in seeds])
    root = np.sqrt(draws)
    if np.iscomplexobj(found):
        error = complex(found.real.std(ddof=1), found.imag.std(ddof=1)) / root
        return Sample(complex(found.mean()), error, draws, setting.dimensions)
    return Sample(float(found.mean()), float(found.std(ddof=1) / root), draws, setting.dimensions)


def draw(expression: Expression, values: Mapping[Any, Any], size: int, rng: np.random.Generator) -> float | complex:
    """One draw of the normalised trace or bilinear form; ``values`` and ``size`` as in ``sample``."""
    return _Setting(expression, values, size).draw(rng)


@dataclass(frozen=True)
class Drawn:
    """What drawing needs of a matrix expression, checked elsewhere; vectors may be inside it, as in ``theta*u*u.T``."""

    source: Any
    ensembles: Mapping[sp.MatrixSymbol, Any]
    parameters: list[sp.Symbol]
    dimensions: list[sp.Symbol]


def eigenvalues(matrix: Drawn, values: Mapping[Any, Any], size: int = 400, draws: int = 4, seed: int = 0) -> Array:
    """Eigenvalues of a symmetric expression, in increasing order, a row for each of ``draws`` draws; ``values``, ``size`` and
    errors as in ``sample``."""
    setting = _Setting(matrix, values, size)
    seeds = np.random.SeedSequence(seed).spawn(draws)
    found = [setting.matrix(np.random.default_rng(child)) for child in seeds]
    return np.array([np.linalg.eigvalsh((one + one.conj().T) / 2) for one in found])


def concrete(value: Any, name: str) -> float | complex:
    """A float, or a complex number, from anything that is accepted as a number."""
    if isinstance(value, complex):
        number = value
    elif isinstance(value, sp.Expr) and not value.is_Rational:
        if not value.is_number or not value.is_finite:
            raise InputError(f"{name} = {short(value)}: not a number")
        number = complex(value)
    else:
        return float(exact(value, name))
    return number.real if number.imag == 0 else number


class _Setting:
    """An expression with numbers in place of its parameters: everything about a sample but the randomness."""

    def __init__(self, expression: Expression | Drawn, values: Mapping[Any, Any], size: int) -> None:
        self.expression = expression
        scalars, self.arrays = _split(expression, values)
        self.dimensions = _dimensions(expression, scalars, self.arrays, size)
        self.numbers = {**scalars, **self.dimensions}
        self.scalars: dict[sp.Expr, float | complex] = {}
        self.fixed = self._deterministic()
        real = all(not isinstance(value, complex) for value in scalars.values())
        self.hermitian = real and isinstance(expression, Expression) and is_symmetric(expression)

    def draw(self, rng: np.random.Generator) -> float | complex:
        result = self.matrix(rng)
        form = isinstance(self.expression, Expression) and self.expression.ends is not None
        value = result[0, 0] if form else np.trace(result) / len(result)
        if not np.isfinite(value):
            raise SimulationError(f"{short(self.expression.source)}: a draw was not finite")
        # The trace of a Hermitian matrix is real, and what is left of an imaginary part is rounding.
        return float(value.real) if self.hermitian or not np.iscomplexobj(value) else complex(value)

    def matrix(self, rng: np.random.Generator) -> Array:
        """One draw of the expression itself."""
        matrices = dict(self.fixed)
        for symbol, ensemble in self.expression.ensembles.items():
            if isinstance(ensemble, (Gaussian, Wigner)):
                matrices[symbol] = self._random(symbol, ensemble, rng)
        try:
            return _Evaluator(matrices, self.scalar, self.space)(self.expression.source)
        except np.linalg.LinAlgError as error:
            raise SimulationError(f"{short(self.expression.source)}: a matrix to be inverted was singular") from error

    def scalar(self, expr: sp.Expr) -> float | complex:
        """The value of a coefficient or a variance."""
        if expr not in self.scalars:
            value = complex(sp.sympify(expr).evalf(17, subs=self.numbers))
            self.scalars[expr] = value.real if value.imag == 0 else value
        return self.scalars[expr]

    def space(self, dimension: sp.Expr) -> int:
        """A dimension as a number of rows: whole, since an expression such as n/2 is rounded."""
        return round(self.scalar(sp.expand(dimension)).real)

    def _random(self, symbol: sp.MatrixSymbol, ensemble: Gaussian | Wigner, rng: np.random.Generator) -> Array:
        shape = self.space(symbol.rows), self.space(symbol.cols)
        variance = self.scalar(ensemble.variance)
        if isinstance(variance, complex) or not 0 < variance < np.inf:
            raise InputError(f"{symbol}: the variance of an entry is {variance}; it must be positive")
        entries = np.sqrt(variance) * rng.standard_normal(shape)
        if isinstance(ensemble, Gaussian):
            return entries
        if ensemble.field == "complex":
            entries = (entries + 1j * np.sqrt(variance) * rng.standard_normal(shape)) / np.sqrt(2)
        # (G + G*)/sqrt 2: off the diagonal E|w|^2 = v; on it 2 v (real) or, with E|g|^2 = v and g + conj g = 2 Re g, v.
        return (entries + entries.conj().T) / np.sqrt(2)

    def _deterministic(self) -> dict[sp.MatrixSymbol, Array]:
        found = dict(self.arrays)
        vectors: dict[sp.Expr, dict[sp.MatrixSymbol, Vector]] = defaultdict(dict)
        weights: dict[sp.Expr, Sequence[Any]] = {}
        for symbol, ensemble in self.expression.ensembles.items():
            if isinstance(ensemble, Deterministic) and not ensemble.is_array:
                found[symbol] = self._diagonal(symbol, ensemble)
                if ensemble.law is not None:
                    weights[sp.expand(symbol.rows)] = [weight for _, weight in ensemble.law]
            elif isinstance(ensemble, Vector) and symbol not in found:
                vectors[sp.expand(symbol.rows)][symbol] = ensemble
        for space, group in vectors.items():
            counts = _multiplicities(weights.get(space, [1]), self.space(space))
            found.update(zip(group, _realise(gram(group), counts, group), strict=True))
        return found

    def _diagonal(self, symbol: sp.MatrixSymbol, ensemble: Deterministic) -> Array:
        """Diagonal matrices commute with each other, and stand for any others beside rotation-invariant matrices."""
        law = ensemble.law if ensemble.law is not None else ensemble.singular_values
        shape = self.space(symbol.rows), self.space(symbol.cols)
        counts = _multiplicities([weight for _, weight in law], min(shape))
        matrix = np.zeros(shape)
        if ensemble.density is None:
            np.fill_diagonal(matrix, np.repeat([float(value) for value, _ in law], counts))
        else:
            from pencils.language.densities import quantiles, values_at

            measure, (*atoms, (value, _)) = ensemble.density, law
            places = quantiles(measure, counts[-1]) if counts[-1] else ()
            spread = [float(v) for v in values_at(value, measure.variable, places, 15)]
            np.fill_diagonal(matrix, [*np.repeat([float(v) for v, _ in atoms], counts[:-1]), *spread])
        return matrix


def _split(expression: Expression | Drawn, values: Mapping[Any, Any]) -> tuple[dict[sp.Symbol, float | complex], dict[Any, Array]]:
    """The numbers of the parameters and the arrays of the matrices."""
    if not isinstance(values, Mapping):
        raise InputError(f"values: give a mapping such as {{n: 2, d: 1}}, not {type(values).__name__}")
    ensembles = expression.ensembles
    needed = {symbol for symbol, ensemble in ensembles.items() if isinstance(ensemble, Deterministic) and ensemble.is_array}
    optional = {symbol for symbol, ensemble in ensembles.items() if isinstance(ensemble, Vector)}
    known = {*expression.parameters, *needed, *optional}
    for key in values:
        if key not in known:
            raise InputError(
                f"{key} has a value and is no parameter of the expression; its parameters are "
                f"{', '.join(sorted(map(str, known - optional))) or 'none'} (a symbol with other assumptions is "
                "another symbol)"
            )
    spaces = {sp.expand(space) for symbol in needed for space in symbol.shape}
    needed |= {symbol for symbol in optional if sp.expand(symbol.rows) in spaces}
    missing = sorted(map(str, ({*expression.parameters} | needed) - set(values)))
    if missing:
        raise InputError(f"no value is given for {', '.join(missing)}")
    scalars = {symbol: concrete(values[symbol], str(symbol)) for symbol in expression.parameters}
    given = (needed | optional) & set(values)
    arrays = {symbol: _array(symbol, values[symbol], ensembles[symbol]) for symbol in given}
    return scalars, arrays


def _array(symbol: sp.MatrixSymbol, value: Any, ensemble: Any) -> Array:
    array = np.asarray(value)
    if array.dtype.kind not in "iuf" or not np.isfinite(array).all():
        raise InputError(f"{symbol}: a NumPy array of finite real numbers is wanted")
    array = array.astype(float)
    if symbol.cols == 1 and array.ndim == 1:
        array = array[:, None]
    if array.ndim != 2 or (symbol.cols == 1) != (array.shape[1] == 1):
        raise InputError(f"{symbol} is {symbol.rows} x {symbol.cols}: an array of shape {array.shape} does not fit")
    symmetric = isinstance(ensemble, Deterministic) and ensemble.symmetric
    if symmetric and (array.shape[0] != array.shape[1] or abs(array - array.T).max() > 1e-12 * abs(array).max()):
        raise InputError(f"{symbol} is declared symmetric and its array is not")
    return array


def _dimensions(
    expression: Expression | Drawn, scalars: Mapping[sp.Symbol, float | complex], arrays: Mapping[Any, Array], size: Any
) -> dict[sp.Symbol, int]:
    for symbol in expression.dimensions:
        ratio = scalars[symbol]
        if isinstance(ratio, complex) or ratio <= 0:
            raise InputError(f"{symbol} = {ratio}: a dimension is a positive number")
    ratios = {symbol: scalars[symbol].real for symbol in expression.dimensions}
    sides = [(symbol, *side) for symbol, array in arrays.items() for side in zip(symbol.shape, array.shape, strict=True)]
    sides = [side for side in sides if side[1] != 1]
    if sides:
        scale = sides[0][2] / float(sides[0][1].subs(ratios))
    elif isinstance(size, int) and not isinstance(size, bool) and size > 0:
        scale = size
    else:
        raise InputError(f"size = {size}: a positive whole number is wanted")
    found = {symbol: max(1, round(scale * ratio)) for symbol, ratio in ratios.items()}
    for symbol, space, length in sides:
        wanted = float(space.subs(found))
        if round(wanted) != length:
            raise InputError(
                f"{symbol}: its array has a side of {length} where {space} is {wanted:g}; the arrays and the "
                "values of the dimensions must have the same ratios"
            )
    if max(found.values()) > MAX_DIMENSION:
        raise InputError(f"size = {size}: dimensions up to {MAX_DIMENSION} are accepted, not {max(found.values())}")
    return found


def _multiplicities(weights: Iterable[Any], total: int) -> list[int]:
    """Whole numbers that add up to ``total`` and are nearest to the weights: the largest remainders are rounded up."""
    shares = np.array([float(weight) for weight in weights]) * total
    counts = np.floor(shares + 1e-9).astype(int)
    for k in np.argsort(counts - shares, kind="stable")[: total - counts.sum()]:
        counts[k] += 1
    return [int(count) for count in counts]


def _realise(grams: Sequence[sp.Matrix], counts: Sequence[int], vectors: Iterable[Any]) -> list[Array]:
    """Columns with the given Gram matrix in each eigenspace, in its first directions."""
    rows = []
    for matrix, count in zip(grams, counts, strict=True):
        values, axes = np.linalg.eigh(np.array(matrix.evalf(17).tolist(), dtype=float))
        root = np.sqrt(np.clip(values, 0, None))[:, None] * axes.T  # root.T @ root is the Gram matrix
        block = np.zeros((count, len(root)))
        if count < len(root):
            raise InputError(
                f"an eigenspace of {count} directions is too small for {', '.join(map(str, vectors))}: take a larger size"
            )
        block[: len(root)] = root
        rows.append(block)
    return [column[:, None] for column in np.concatenate(rows).T]


class _Evaluator:
    """A SymPy matrix expression over NumPy arrays; transposes are carried down to the matrices.

    ``turned`` asks for the transpose, ``conjugate`` for conjugated scalars: both make the adjoint. Matrices are real or
    Hermitian, and the transpose of a Hermitian one is read as its adjoint (see ``Wigner``).
    """

    def __init__(self, matrices: Mapping[sp.MatrixSymbol, Array], scalar: Any, space: Any) -> None:
        self.matrices, self.scalar, self.space = matrices, scalar, space
        self.known: dict[Any, Array] = {}

    def __call__(self, expr: Any, turned: bool = False, conjugate: bool = False) -> Array:
        key = expr, turned, conjugate
        if key not in self.known:
            self.known[key] = self._compute(*key)
        return self.known[key]

    def _compute(self, expr: Any, turned: bool, conjugate: bool) -> Array:
        if isinstance(expr, sp.MatrixSymbol):
            return self.matrices[expr].conj().T if turned else self.matrices[expr]
        if isinstance(expr, (sp.Identity, sp.ZeroMatrix)):
            rows, cols = (self.space(space) for space in (expr.shape[::-1] if turned else expr.shape))
            return np.eye(rows) if isinstance(expr, sp.Identity) else np.zeros((rows, cols))
        if isinstance(expr, (sp.Transpose, sp.Adjoint)):
            return self(expr.arg, not turned, conjugate != isinstance(expr, sp.Adjoint))
        if isinstance(expr, sp.MatAdd):
            return np.asarray(sum(self(arg, turned, conjugate) for arg in expr.args))
        if isinstance(expr, sp.MatPow):
            if expr.exp == -1:
                return np.linalg.inv(self(expr.base, turned, conjugate))
            base = sp.Inverse(expr.base) if expr.exp < 0 else expr.base
            return np.linalg.matrix_power(self(base, turned, conjugate), abs(int(expr.exp)))
        return self._product(expr, turned, conjugate)

    def _product(self, expr: sp.MatMul, turned: bool, conjugate: bool) -> Array:
        coefficient = self.scalar(sp.Mul(*[arg for arg in expr.args if not arg.is_Matrix]))
        factors = [arg for arg in expr.args if arg.is_Matrix]
        *others, last = factors[::-1] if turned else factors
        result = self(last, turned, conjugate)
        for factor in reversed(others):
            if isinstance(factor, sp.MatPow) and factor.exp == -1 and result.shape[1] == 1:
                result = np.linalg.solve(self(factor.base, turned, conjugate), result)
            else:
                result = self(factor, turned, conjugate) @ result
        return (np.conj(coefficient) if conjugate else coefficient) * result
