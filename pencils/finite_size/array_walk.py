"""A SymPy matrix expression over NumPy arrays: the walk that knows no pencil."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import sympy as sp

from pencils.finite_size.given import Array


class ArrayWalk:
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
