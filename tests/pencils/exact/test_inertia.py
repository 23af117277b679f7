"""Negative eigenvalues of a Hermitian matrix of balls, counted."""

import numpy as np
import pytest
from flint import acb_mat
from hypothesis import given, settings
from hypothesis import strategies as st

from pencils.errors import PrecisionError
from pencils.exact.inertia import negatives


@given(st.integers(1, 6), st.integers(0, 2**32 - 1), st.booleans())
@settings(max_examples=40)
def test_inertia(size, seed, hollow):
    rng = np.random.default_rng(seed)
    entries = rng.integers(-9, 10, (size, size)) + 1j * rng.integers(-9, 10, (size, size))
    hermitian = entries + entries.conj().T
    if hollow:
        np.fill_diagonal(hermitian, 0)
    values = np.linalg.eigvalsh(hermitian)
    balls = acb_mat([[complex(z) for z in row] for row in hermitian])
    if np.min(abs(values)) > 1e-6:
        assert negatives(balls) == np.sum(values < 0)
    elif not balls.det().real > 0 and not balls.det().real < 0:
        with pytest.raises(PrecisionError):
            negatives(balls)
