"""What is given for a sample: numbers of parameters, arrays of matrices and vectors, and the dimensions that they make."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import sympy as sp
from numpy.typing import NDArray

from pencils.errors import InputError
from pencils.exact.numbers import exact
from pencils.language.declarations import short
from pencils.language.ensembles import Deterministic, Vector
from pencils.language.tree import Expression

Array: TypeAlias = NDArray[Any]
MAX_DIMENSION = 20_000  # a square matrix of this size takes 3 GB


@dataclass(frozen=True)
class Drawn:
    """What drawing needs of a matrix expression, checked elsewhere; vectors may be inside it, as in ``theta*u*u.T``."""

    source: Any
    ensembles: Mapping[sp.MatrixSymbol, Any]
    parameters: list[sp.Symbol]
    dimensions: list[sp.Symbol]


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


def split(expression: Expression | Drawn, values: Mapping[Any, Any]) -> tuple[dict[sp.Symbol, float | complex], dict[Any, Array]]:
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


def dimensions_of(
    expression: Expression | Drawn, scalars: Mapping[sp.Symbol, float | complex], arrays: Mapping[Any, Array], size: Any
) -> dict[sp.Symbol, int]:
    """The dimensions that are drawn, whole numbers: those of the arrays, or their values times ``size``."""
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
