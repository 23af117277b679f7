"""The ladder of learning rates: eta ~ n^alpha has l spikes where (l - 1)/(2 l) < alpha < l/(2 l + 2). Source: ``moniri2024``."""

from __future__ import annotations

from fractions import Fraction


def growth(k: int, alpha: Fraction) -> Fraction:
    """The exponent of n in the k-th spike's strength: k alpha - (k - 1)/2."""
    return k * alpha - Fraction(k - 1, 2)


def rung(ell: int) -> tuple[Fraction, Fraction]:
    """The ends of the range of alpha with ell spikes: where the ell-th and the next one's growth vanish."""
    return Fraction(ell - 1, 2 * ell), Fraction(ell, 2 * ell + 2)


def level(alpha: Fraction) -> int | None:
    """The number of spikes at 0 <= alpha < 1/2; None on a border of the ladder, alpha = 0 among them."""
    ell = 0
    while growth(ell + 1, alpha) > 0:
        ell += 1
    return None if growth(ell + 1, alpha) == 0 else ell
