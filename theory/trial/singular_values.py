"""The leading singular values of a large matrix, with their vectors."""

from __future__ import annotations

import numpy as np
from scipy.sparse.linalg import ArpackError, LinearOperator, svds

from pencils.errors import InputError, SimulationError
from theory.activations.floats import Array


def leading_triplets(matrix: Array | LinearOperator, k: int, rng: np.random.Generator) -> tuple[Array, Array, Array]:
    """The k largest singular values s, descending, with their vectors: (U, s, V), matrix V = U diag(s).

    U is d x k and V is N x k. By ARPACK to machine precision, with a starting vector from ``rng``. Raises InputError
    unless 1 <= k < min(shape), SimulationError when the iteration fails.
    """
    small = min(matrix.shape)
    if not 1 <= k < small:
        raise InputError(f"k = {k} singular values of a {matrix.shape[0]} x {matrix.shape[1]} matrix: give 1 to {small - 1}")
    try:
        U, s, Vt = svds(matrix, k=k, v0=rng.standard_normal(small), solver="arpack")
    except ArpackError as error:
        raise SimulationError(f"leading singular values: ARPACK failed ({error}); try another seed") from error
    order = np.argsort(s)[::-1]
    return U[:, order], s[order], Vt[order].T
