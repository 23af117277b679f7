"""The number that a law is at given parameters: proved digits, float64 arrays, and a 0 that only a polynomial can tell."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np
import sympy as sp

from pencils.dyson.arrays import evaluate_at_arrays
from pencils.dyson.equations import Equations
from pencils.elimination.eliminate import polynomial
from pencils.errors import GradstepError
from pencils.exact.numbers import DEFAULT_DIGITS, as_float, check_digits


def evaluate(of: Equations, values: Mapping[Any, Any], digits: int | None = None, symbol: sp.Symbol | None = None) -> Any:
    """The value, or its derivative in a parameter ``symbol``, at exact ``values`` as ``sympy.Float`` with ``digits`` proven digits
    (``a + I*b`` when complex), or a float64 array over the broadcast values where one is a NumPy array.

    Matrices without a law take arrays of their own, and then there is no derivative. Raises InputError for a missing or unknown
    parameter, ConvergenceError where no certified solution was found.
    """
    if of.symbols_without_law:
        digits = 12 if digits is None else check_digits(digits)
        return evaluate_at_arrays(of.dyson, of.expression, of.symbols_without_law, values, digits)
    if isinstance(values, Mapping) and any(isinstance(values.get(s), np.ndarray) for s in of.parameters):
        return of.evaluator.floats(values, symbol)
    digits = check_digits(DEFAULT_DIGITS if digits is None else digits)
    exact = of.exact(values)
    zero = cache(lambda: of.value == 0 or (symbol is None and _is_zero_at(of, exact)))
    return as_float(of.evaluator.ball(exact, digits, symbol, zero), digits)


def _is_zero_at(of: Equations, exact: Mapping[sp.Symbol, sp.Expr]) -> bool:
    """Whether the value is 0 at these parameters, as by symmetry: no ball can tell, its minimal polynomial can."""
    try:
        found = polynomial(of, exact)
    except GradstepError:
        return False
    return bool(found.as_expr() == found.gen)
