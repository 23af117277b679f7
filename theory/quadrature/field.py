"""NumPy arrays at any precision: float64, or FLINT balls as the entries of object arrays.

The same array code then runs in both. Balls carry the rounding errors; ``midpoints`` drops them where an iteration corrects
itself. Balls want the block ``with field.precision():`` around their use.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from pencils.exact.numbers import bits_for, to_ball, working_precision

Array = Any  # float64, complex128, or object arrays of arb and acb
FLOAT_DIGITS = 13


@dataclass(frozen=True)
class Field:
    """Arithmetic for results of ``digits`` digits: float64 up to 13, balls with 15 guard digits beyond."""

    digits: int

    @property
    def balls(self) -> bool:
        return self.digits > FLOAT_DIGITS

    @property
    def log_error(self) -> float:
        """-log of the discretisation error aimed at."""
        return math.log(10) * (max(self.digits, FLOAT_DIGITS) + 3)

    def precision(self) -> AbstractContextManager[None]:
        return working_precision(bits_for(self.digits + 15)) if self.balls else nullcontext()

    def number(self, value: Fraction | int | float) -> Any:
        """A rational (a float means the binary number it is)."""
        return to_ball(Fraction(value)) if self.balls else float(value)

    def array(self, values: Any) -> Array:
        """Rationals, floats or balls as a real array."""
        if not self.balls:
            return np.asarray(values, dtype=float)
        flat = np.asarray(values, dtype=object)
        return _each(lambda v: to_ball(Fraction(v)) if isinstance(v, (int, float, Fraction)) else v)(flat)

    def zeros(self, *shape: int) -> Array:
        return self.array(np.zeros(shape, dtype=int)) if self.balls else np.zeros(shape)

    def eye(self, size: int) -> Array:
        return self.array(np.eye(size, dtype=int))

    def pi(self) -> Any:
        from flint import arb

        return arb.pi() if self.balls else math.pi

    def complex(self, real: Any, imaginary: Any) -> Array:
        from flint import acb

        return _pairs(acb)(real, imaginary) if self.balls else np.asarray(real) + 1j * np.asarray(imaginary)

    def real(self, values: Array) -> Array:
        return _each(lambda v: getattr(v, "real", v))(values) if self.balls else np.real(values)

    def midpoints(self, values: Array) -> Array:
        """The same numbers without their error bounds."""
        return _each(lambda v: v.mid())(values) if self.balls else values

    def floats(self, values: Array) -> Any:
        """Float64 or complex128 approximations."""
        if not self.balls:
            return np.asarray(values)
        flat = [complex(v) for v in np.ravel(values)]
        shaped = np.array(flat).reshape(np.shape(values))
        return shaped if np.any(shaped.imag != 0) else shaped.real

    def solve(self, matrix: Array, right: Array) -> Array:
        """matrix^{-1} right for one real square matrix and a vector or matrix on the right."""
        if not self.balls:
            return np.linalg.solve(matrix, right)
        from flint import arb_mat

        columns = right.reshape(len(right), -1)
        solved = arb_mat(matrix.tolist()).solve(arb_mat(columns.tolist()))
        return np.array(solved.tolist(), dtype=object).reshape(right.shape)

    def inverses(self, stack: Array) -> Array:
        """Inverses of a stack of matrices, shape (..., K, K)."""
        if not self.balls:
            return np.linalg.inv(stack)
        if stack.shape[-1] == 1:
            return 1 / stack
        from flint import acb_mat

        flat = stack.reshape(-1, *stack.shape[-2:])
        found = [np.array(acb_mat(one.tolist()).inv().tolist(), dtype=object) for one in flat]
        return np.array(found, dtype=object).reshape(stack.shape)


def _each(function: Callable[[Any], Any]) -> Callable[[Array], Array]:
    return np.frompyfunc(function, 1, 1)


def _pairs(function: Callable[[Any, Any], Any]) -> Callable[[Array, Array], Array]:
    return np.frompyfunc(function, 2, 1)
