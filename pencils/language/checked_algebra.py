"""Sums, products and powers of scalars, matrices and identities without a size, shapes checked as they are formed.

Every operation takes and gives a scalar (``sp.Expr``), a matrix (``sp.MatrixExpr``) or an ``Eye``, and raises InputError naming
what does not fit.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sympy as sp

from pencils.errors import InputError
from pencils.language.declarations import short
from pencils.language.ensembles import same


def show(value: Any) -> str:
    """As one would type it: i is the imaginary unit, I is the identity."""
    return short(value.xreplace({sp.I: sp.Symbol("i")}) if isinstance(value, sp.Basic) else value)


@dataclass(frozen=True)
class Eye:
    """``coefficient`` times the identity, of a size that a neighbour in a sum will give. In a product it acts as the
    scalar, so that only one that meets no matrix at all stays without a size."""

    coefficient: sp.Expr

    def __str__(self) -> str:
        front = show(self.coefficient)
        return "I" if front == "1" else f"({front})*I" if self.coefficient.is_Add else f"{front}*I"


def shape_of(value: sp.MatrixExpr) -> str:
    """The shape in words."""
    return f"{value.rows} x {value.cols}"


def _one_by_one(*values: Any) -> None:
    for value in values:
        if isinstance(value, sp.MatrixExpr) and value.shape == (1, 1):
            raise InputError(f"{show(value)} is 1 x 1 inside an expression: write it as a scalar symbol")


def add(left: Any, right: Any) -> Any:
    """left + right; the identity takes its size from its neighbour."""
    matrices = [value for value in (left, right) if isinstance(value, sp.MatrixExpr)]
    eyes = [value for value in (left, right) if isinstance(value, Eye)]
    if len(matrices) + len(eyes) == 0:
        return left + right
    if len(matrices) + len(eyes) == 1:
        matrix, scalar = (right, left) if isinstance(right, (sp.MatrixExpr, Eye)) else (left, right)
        if scalar == 0:
            return matrix
        if isinstance(matrix, sp.MatrixExpr) and matrix.shape == (1, 1):
            raise InputError(
                f"{show(matrix)} is 1 x 1, a bilinear form, and {show(scalar)} is added to it: leave that out, and "
                "add it to the value"
            )
        raise InputError(
            f"the scalar {show(scalar)} is added to the matrix {show(matrix)}: write {Eye(scalar)}, since a scalar is no matrix"
        )
    if len(eyes) == 2:
        return Eye(left.coefficient + right.coefficient)
    if len(matrices) == 2:
        if not all(same(a, b) for a, b in zip(left.shape, right.shape, strict=True)):
            raise InputError(
                f"{show(left)} is {shape_of(left)} and {show(right)} is {shape_of(right)}: only matrices of one shape can be added"
            )
        return left + right
    matrix, eye = matrices[0], eyes[0]
    _one_by_one(matrix)
    if not same(*matrix.shape):
        raise InputError(f"{eye} is added to {show(matrix)}, which is {shape_of(matrix)}: the identity is square")
    return matrix + eye.coefficient * sp.Identity(matrix.rows)


def multiply(left: Any, right: Any) -> Any:
    """left * right."""
    if isinstance(left, Eye) and isinstance(right, Eye):
        return Eye(left.coefficient * right.coefficient)
    for one, other in ((left, right), (right, left)):
        if isinstance(one, Eye):
            _one_by_one(other)
            return other * one.coefficient if isinstance(other, sp.MatrixExpr) else Eye(other * one.coefficient)
    if isinstance(left, sp.MatrixExpr) and isinstance(right, sp.MatrixExpr):
        _one_by_one(left, right)
        if not same(left.cols, right.rows):
            raise InputError(
                f"{show(left)} ({shape_of(left)}) times {show(right)} ({shape_of(right)}): {left.cols} and "
                f"{right.rows} are not the same dimension"
            )
    return left * right


def divide(left: Any, right: Any) -> Any:
    """left / right, right a scalar."""
    if isinstance(right, (Eye, sp.MatrixExpr)):
        raise InputError(f"division by the matrix {show(right)}: write inv({show(right)}) on the side where it belongs")
    if right == 0:
        raise InputError(f"{show(left)} is divided by zero")
    return multiply(left, 1 / right)


def power(base: Any, exponent: Any) -> Any:
    """base ** exponent; whole powers of a matrix."""
    if isinstance(exponent, (Eye, sp.MatrixExpr)):
        raise InputError(f"the exponent {show(exponent)} is a matrix; only numbers are accepted")
    if not isinstance(base, (Eye, sp.MatrixExpr)):
        value = base**exponent
        if value.has(sp.nan, sp.zoo, sp.oo):
            raise InputError(f"{show(base)} to the power {show(exponent)} is not finite")
        return value
    if not exponent.is_Integer:
        raise InputError(
            f"{show(base)} to the power {show(exponent)}: only whole powers of a matrix are accepted, and a transpose is written .T"
        )
    if isinstance(base, Eye):
        return Eye(power(base.coefficient, exponent))
    _one_by_one(base)
    if not same(*base.shape):
        raise InputError(f"{show(base)} is {shape_of(base)}: only a square matrix has an inverse or a power")
    if isinstance(base, sp.ZeroMatrix) and exponent.is_negative:
        raise InputError("the zero matrix has no inverse")
    return sp.Inverse(base) if exponent == -1 else base**exponent
