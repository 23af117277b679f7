"""Packings of sign vectors, constructed, with the largest overlap |<v, w>| measured over all pairs.

``signs``: iid signs, what the proof of Theorem 2 of ``damian2022`` draws. ``bent``: d = 4^k, the functions Tr(a x y) + linear on
GF(2^k)^2, d^(3/2) vectors with overlaps at most d^(-1/2). ``legendre``: d prime, v_f = ((f(x)/d))_x over the quadratics f
without a root, (d^2 - d)/2 vectors with overlaps at most (2 sqrt(d) + 1)/d (Weil). The last two hold no logarithm of d.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from pencils.errors import InputError
from pencils.exact.numbers import refine, to_ball
from theory.register.record import Computed

Signs = npt.NDArray[np.float32]
ENTRIES = 40_000_000  # of the vectors, and of the pairs that are measured
BLOCK = 512


def signs(d: int, size: int, seed: int = 0) -> Signs:
    """size x d iid signs."""
    rng = np.random.default_rng(seed)
    return (2 * rng.integers(0, 2, (size, d), dtype=np.int8) - 1).astype(np.float32)


# x^k + ... irreducible over GF(2), as bits
_MODULI = {1: 0b11, 2: 0b111, 3: 0b1011, 4: 0b10011, 5: 0b100101, 6: 0b1000011}


def _times(a: int, b: int, k: int) -> int:
    """Product in GF(2^k)."""
    product = 0
    while b:
        product ^= a if b & 1 else 0
        b >>= 1
        a <<= 1
        if a >> k:
            a ^= _MODULI[k]
    return product


def bent(d: int, size: int) -> Signs:
    """The first ``size`` of d^(3/2) vectors (-1)^(l(a x y) + b.x + c.y), x, y in GF(2^k), d = 4^k, l the lowest bit: the difference
    of two of the forms l(a x y) has full rank, so that the sum of its sign over all points is sqrt(d) in modulus."""
    k = (d.bit_length() - 1) // 2
    if d != 4**k or k not in _MODULI:
        raise InputError(f"d = {d}: the bent packing is made for d = 4, 16, 64, 256, 1024 or 4096")
    if size > 2 ** (3 * k):
        raise InputError(f"size = {size}: the bent packing has d^(3/2) = {2 ** (3 * k)} vectors at d = {d}")
    field = range(2**k)
    points = [(x, y) for x in field for y in field]
    parity = np.array([value.bit_count() & 1 for value in range(4**k)])
    dots = parity[np.arange(4**k)[:, None] & np.array([x << k | y for x, y in points])[None, :]]
    rows: list[Any] = []
    for a in range(-(-size // d)):
        form = np.array([_times(a, _times(x, y, k), k) & 1 for x, y in points])
        rows.append(1 - 2 * ((form + dots) % 2))
    return np.concatenate(rows)[:size].astype(np.float32)


def legendre(d: int, size: int) -> Signs:
    """The first ``size`` of (d^2 - d)/2 vectors of quadratic characters of x^2 + b x + c, b^2 - 4c not a square modulo the odd
    prime d: the product of two of them is not a square, and its character sum is at most 2 sqrt(d) + 1 (Weil)."""
    if d < 3 or any(d % factor == 0 for factor in range(2, int(d**0.5) + 1)):
        raise InputError(f"d = {d}: the legendre packing is made for odd primes d")
    if size > (d * d - d) // 2:
        raise InputError(f"size = {size}: the legendre packing has (d^2 - d)/2 = {(d * d - d) // 2} vectors at d = {d}")
    x = np.arange(d)
    character = np.full(d, -1)
    character[x * x % d] = 1  # no value of f is 0
    pairs = [(b, c) for b in range(d) for c in range(d) if character[(b * b - 4 * c) % d] < 0][:size]
    b, c = np.array(pairs).T[:, :, None]
    return character[(x * x + b * x + c) % d].astype(np.float32)


def measured(vectors: Signs) -> int:
    """max over pairs of |sum_i v_i w_i|, exact: the sums are whole numbers below 2^24."""
    largest = 0
    for start in range(0, len(vectors), BLOCK):
        overlaps = np.abs(vectors[start : start + BLOCK] @ vectors[start:].T)
        overlaps[np.arange(len(overlaps)), np.arange(len(overlaps))] = 0
        largest = max(largest, int(overlaps.max()))
    return largest


def constructed(parameters: Mapping[str, Any]) -> Signs:
    """The vectors that the parameters ask for, size x d entries +-1. InputError where there are too many, or none."""
    d, size = parameters["d"], parameters["size"]
    if size * max(d, size) > ENTRIES:
        raise InputError(f"size = {size}, d = {d}: size * max(d, size) is measured up to {ENTRIES}")
    kind = parameters.get("construction", "signs")
    if kind == "signs":
        return signs(d, size, parameters.get("seed", 0))
    return bent(d, size) if kind == "bent" else legendre(d, size)


def compute(parameters: Mapping[str, Any], digits: int) -> Computed:
    """The values of the entry ``damian2022.packing``: ``overlap`` measured; ``existence`` the eps at which the count
    (1/2) exp(eps^2 d/2) is ``size``; ``union`` that at which the union bound over pairs of random vectors,
    size^2 exp(-eps^2 d/2), is 1; ``attained`` the c with which the construction has size = (1/2) exp(c overlap^2 d), where
    existence promises 1/2."""
    from flint import arb

    d, size = parameters["d"], parameters["size"]
    largest = measured(constructed(parameters))
    found = {
        "overlap": refine(lambda bits: to_ball(largest) / d, digits),
        "existence": refine(lambda bits: (2 * arb(2 * size).log() / d).sqrt(), digits),
        "union": refine(lambda bits: (4 * arb(size).log() / d).sqrt(), digits),
        "attained": refine(lambda bits: arb(2 * size).log() * d / arb(largest) ** 2, digits) if largest else None,
    }
    return Computed(found, {"overlap < 1": largest < d}, ("overlap is exact: all pairs were measured",))
