"""The model without its finite-rank terms: an expression with its vectors put to 0."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sympy as sp

from pencils.errors import InputError
from pencils.language.declarations import short
from pencils.language.ensembles import Ensemble, Vector

Ensembles = Mapping[sp.MatrixSymbol, Ensemble]


def bulk(expr: Any, ensembles: Ensembles) -> tuple[Any, dict[sp.MatrixSymbol, Ensemble]]:
    """The expression and the ensembles without the finite-rank terms: vectors put to 0. Raises InputError if nothing is left."""
    vectors = {symbol for symbol, ensemble in ensembles.items() if isinstance(ensemble, Vector)}
    left = without(expr, vectors)
    if left is None:
        raise InputError(f"{short(expr)} has finite rank: nothing is left when its vectors are taken away")
    atoms = left.atoms(sp.MatrixSymbol)
    joint = {getattr(ensembles.get(symbol), "joint", None) for symbol in atoms} - {None}
    kept = {s: e for s, e in ensembles.items() if s in atoms or getattr(e, "joint", None) in joint}
    return left, kept


def without(expr: Any, vectors: set[sp.MatrixSymbol]) -> Any:
    """A matrix expression with vectors put to 0, and terms whose coefficient is 0 left out; None for the zero matrix."""
    if expr in vectors or (isinstance(expr, sp.MatMul) and any(a == 0 for a in expr.args if not a.is_Matrix)):
        return None
    if not isinstance(expr, (sp.MatAdd, sp.MatMul, sp.MatPow, sp.Inverse, sp.Transpose, sp.Adjoint)):
        return expr
    args = [without(arg, vectors) if arg.is_Matrix else arg for arg in expr.args]
    if isinstance(expr, sp.MatAdd):
        args = [arg for arg in args if arg is not None]
        return sp.MatAdd(*args) if len(args) > 1 else args[0] if args else None
    if None in args:
        return None
    if isinstance(expr, sp.MatMul):  # a factor I + u*v.T has become I
        plain = [arg for arg in args if not isinstance(arg, sp.Identity)]
        args = plain if any(arg.is_Matrix for arg in plain) else args
    return expr.func(*args)
