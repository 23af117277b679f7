"""The same SymPy expression at finite size: random matrices in, a normalised trace or a bilinear form out.

Nothing of the pencil is used here: the expression is walked again, over NumPy arrays, so that a sample can testify against
the equations.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import sympy as sp

from pencils.errors import InputError, SimulationError
from pencils.finite_size.array_walk import ArrayWalk
from pencils.finite_size.deterministic import deterministic
from pencils.finite_size.given import Array, Drawn, dimensions_of, split
from pencils.language.declarations import short
from pencils.language.ensembles import Gaussian, Wigner
from pencils.language.tree import Expression, is_symmetric


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


def eigenvalues(matrix: Drawn, values: Mapping[Any, Any], size: int = 400, draws: int = 4, seed: int = 0) -> Array:
    """Eigenvalues of a symmetric expression, in increasing order, a row for each of ``draws`` draws; ``values``, ``size`` and
    errors as in ``sample``."""
    setting = _Setting(matrix, values, size)
    seeds = np.random.SeedSequence(seed).spawn(draws)
    found = [setting.matrix(np.random.default_rng(child)) for child in seeds]
    return np.array([np.linalg.eigvalsh((one + one.conj().T) / 2) for one in found])


class _Setting:
    """An expression with numbers in place of its parameters: everything about a sample but the randomness."""

    def __init__(self, expression: Expression | Drawn, values: Mapping[Any, Any], size: int) -> None:
        self.expression = expression
        scalars, self.arrays = split(expression, values)
        self.dimensions = dimensions_of(expression, scalars, self.arrays, size)
        self.numbers = {**scalars, **self.dimensions}
        self.scalars: dict[sp.Expr, float | complex] = {}
        self.fixed = deterministic(expression.ensembles, self.arrays, self.space)
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
            return ArrayWalk(matrices, self.scalar, self.space)(self.expression.source)
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
