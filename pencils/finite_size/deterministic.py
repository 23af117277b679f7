"""Deterministic matrices and vectors of finite size with the laws, norms and overlaps that are declared."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import sympy as sp

from pencils.errors import InputError
from pencils.finite_size.given import Array
from pencils.language.densities import quantiles, values_at
from pencils.language.ensembles import Deterministic, Vector, gram


def deterministic(
    ensembles: Mapping[sp.MatrixSymbol, Any], arrays: Mapping[sp.MatrixSymbol, Array], space: Callable[[sp.Expr], int]
) -> dict[sp.MatrixSymbol, Array]:
    """Every matrix and vector that is not random: the ``arrays`` given, and others with the laws, norms and overlaps declared.
    ``space`` says how many rows a dimension has."""
    found = dict(arrays)
    vectors: dict[sp.Expr, dict[sp.MatrixSymbol, Vector]] = defaultdict(dict)
    weights: dict[sp.Expr, Sequence[Any]] = {}
    for symbol, ensemble in ensembles.items():
        if isinstance(ensemble, Deterministic) and not ensemble.is_array:
            found[symbol] = _diagonal(symbol, ensemble, space)
            if ensemble.law is not None:
                weights[sp.expand(symbol.rows)] = [weight for _, weight in ensemble.law]
        elif isinstance(ensemble, Vector) and symbol not in found:
            vectors[sp.expand(symbol.rows)][symbol] = ensemble
    for side, group in vectors.items():
        counts = multiplicities(weights.get(side, [1]), space(side))
        found.update(zip(group, realise(gram(group), counts, group), strict=True))
    return found


def _diagonal(symbol: sp.MatrixSymbol, ensemble: Deterministic, space: Callable[[sp.Expr], int]) -> Array:
    """Diagonal matrices commute with each other, and stand for any others beside rotation-invariant matrices."""
    law = ensemble.law if ensemble.law is not None else ensemble.singular_values
    shape = space(symbol.rows), space(symbol.cols)
    counts = multiplicities([weight for _, weight in law], min(shape))
    matrix = np.zeros(shape)
    if ensemble.density is None:
        np.fill_diagonal(matrix, np.repeat([float(value) for value, _ in law], counts))
    else:
        measure, (*atoms, (value, _)) = ensemble.density, law
        places = quantiles(measure, counts[-1]) if counts[-1] else ()
        spread = [float(v) for v in values_at(value, measure.variable, places, 15)]
        np.fill_diagonal(matrix, [*np.repeat([float(v) for v, _ in atoms], counts[:-1]), *spread])
    return matrix


def multiplicities(weights: Iterable[Any], total: int) -> list[int]:
    """Whole numbers that add up to ``total`` and are nearest to the weights: the largest remainders are rounded up."""
    shares = np.array([float(weight) for weight in weights]) * total
    counts = np.floor(shares + 1e-9).astype(int)
    for k in np.argsort(counts - shares, kind="stable")[: total - counts.sum()]:
        counts[k] += 1
    return [int(count) for count in counts]


def realise(grams: Sequence[sp.Matrix], counts: Sequence[int], vectors: Iterable[Any]) -> list[Array]:
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
