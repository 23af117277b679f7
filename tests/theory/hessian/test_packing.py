"""Packings of nearly orthogonal directions (statements.md, section 4)."""

import itertools
import math

import numpy as np
import pytest
from scipy import stats

from pencils.errors import InputError
from theory.hessian import packing


def test_a_greedy_packing_is_as_large_as_promised():
    """All 2^10 sign vectors in turn, each kept if its overlaps with the kept ones are at most 2/5."""
    d, kept = 10, []
    for vector in itertools.product([-1, 1], repeat=d):
        if all(abs(np.dot(vector, other)) <= 4 for other in kept):
            kept.append(vector)
    assert len(kept) >= 1 / (2 * stats.binom.sf(7, d, 0.5))  # P(|S| >= 6) = 2 P(Binomial >= 8)
    assert len(kept) >= math.exp(0.4**2 * d / 2) / 2


# packings
@pytest.mark.parametrize(
    ("kind", "d", "size", "bound"),
    [
        ("bent", 16, 64, 4),
        ("bent", 64, 512, 8),
        ("bent", 256, 1000, 16),
        ("legendre", 7, 21, 2 * math.sqrt(7) + 1),
        ("legendre", 31, 465, 2 * math.sqrt(31) + 1),
    ],
)
def test_algebraic_packings_keep_their_bounds(kind, d, size, bound):
    vectors = getattr(packing, kind)(d, size)
    assert vectors.shape == (size, d) and set(np.unique(vectors)) == {-1.0, 1.0}
    overlaps = np.abs(vectors @ vectors.T) - d * np.eye(size)
    assert packing.measured(vectors) == overlaps.max() <= bound


def test_blocks_do_not_hide_a_pair():
    vectors = packing.signs(40, packing.BLOCK + 30)
    vectors[-1] = -vectors[3]
    assert packing.measured(vectors) == 40


@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_the_field_has_inverses(k):
    for a in range(1, 2**k):
        assert sorted(packing._times(a, b, k) for b in range(2**k)) == list(range(2**k))


@pytest.mark.parametrize(
    "given",
    [
        {"d": 100, "size": 10, "construction": "bent"},
        {"d": 16, "size": 65, "construction": "bent"},
        {"d": 91, "size": 10, "construction": "legendre"},
        {"d": 7, "size": 22, "construction": "legendre"},
        {"d": 100, "size": 10**6},
    ],
)
def test_packings_that_are_not_made(given):
    with pytest.raises(InputError):
        packing.compute(given, 10)
