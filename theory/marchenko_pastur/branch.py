"""One point z of a Marchenko-Pastur law: the branch of m(z), in exact arithmetic where it can be, and its expansion.

With D(z) = (z - lambda_-)(z - lambda_+) and s = sqrt(z - lambda_-) sqrt(z - lambda_+), m = (s - z - b)/(2 a z). At an exact
point p + q s is kept with p, q Gaussian rationals, so that a component that vanishes is known to be zero.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import reduce
from math import isqrt
from operator import add
from typing import Any, NamedTuple

import sympy as sp
from flint import acb, arb, fmpq
from sympy import QQ_I

from pencils.exact.numbers import exact
from pencils.language.parse import parse, to_sympy


class Point(NamedTuple):
    """A point with s and m there, all of one kind of number, and the way from that kind to a ball."""

    a: Any
    z: Any
    root: Any
    m: Any
    ball: Callable[[Any], Any]
    at_edge: bool

    def taylor(self, order: int) -> Any:
        """Ball of the coefficient of h^order in m(z + h).

        Implicit differentiation: the coefficient of h^n in a (z+h) m^2 + (z+h+b) m + 1 = 0 is linear in c_n, with
        factor 2 a z m + z + b = s.
        """
        c = [self.m]

        def square(total: int, first: int) -> Any:
            """Sum of c_i c_j over i + j = total, i and j at least ``first``."""
            return reduce(add, (c[i] * c[total - i] for i in range(first, total - first + 1)))

        for n in range(1, order + 1):
            known = square(n - 1, 0) * self.a + c[n - 1]
            if n > 1:
                known = known + square(n, 1) * (self.a * self.z)
            c.append(-known / self.root)
        return self.ball(c[order])


class _Surd:
    """p + q s with p, q exact Gaussian rationals and s^2 = disc, so that a zero component is known to be zero."""

    def __init__(self, p: Any, q: Any, disc: Any) -> None:
        self.p, self.q, self.disc = p, q, disc

    def __add__(self, other: _Surd) -> _Surd:
        return _Surd(self.p + other.p, self.q + other.q, self.disc)

    def __neg__(self) -> _Surd:
        return _Surd(-self.p, -self.q, self.disc)

    def __mul__(self, other: Any) -> _Surd:
        if not isinstance(other, _Surd):
            return _Surd(self.p * other, self.q * other, self.disc)
        return _Surd(self.p * other.p + self.q * other.q * self.disc, self.p * other.q + self.q * other.p, self.disc)

    def __truediv__(self, other: _Surd) -> _Surd:
        inverse: _Surd = _Surd(other.p, -other.q, self.disc) * (QQ_I(1) / other.norm())
        return self * inverse

    def norm(self) -> Any:
        """(p + q s)(p - q s)."""
        return self.p * self.p - self.q * self.q * self.disc

    def ball(self, root: Any) -> Any:
        """Enclosure, given the ball of s: p + q s and norm/(p - q s) are equal, and at most one of them cancels."""
        if isinstance(root, acb) and root.real.is_zero() and not self.p.y and not self.q.y:
            return acb(_ball(self.p.x), _ball(self.q.x) * root.imag)
        p, q, norm = (_gaussian_ball(value) for value in (self.p, self.q, self.norm()))
        return meet(p + q * root, norm / (p - q * root))


def exact_point(psi2: Fraction, a: Fraction, b: Fraction, z: Any) -> Point:
    qa, qb, offset = gaussian_rational(a), gaussian_rational(b), z - gaussian_rational(1 + psi2)
    disc = offset * offset - gaussian_rational(4 * psi2)
    root = _exact_root(offset, disc)
    if root is not None:
        m = (root - z - qb) / (qa * z * 2) if z else -QQ_I(2) / (root + qb)
        return Point(qa, z, root, m, _gaussian_ball, not disc)
    ball = branch_root(_acb(offset), _acb(disc))
    half = QQ_I(1) / (qa * z * 2)  # z is not 0: D(0) = (1 - psi2)^2 has an exact root
    return Point(qa, z, _Surd(QQ_I(0), QQ_I(1), disc), _Surd(-(z + qb) * half, half, disc), lambda value: value.ball(ball), False)


def branch_root(offset: Any, disc: Any) -> Any:
    """Ball of s = sqrt(z - lambda_-) sqrt(z - lambda_+), given the balls of z - (1 + psi2) and D(z)."""
    offset, imag = offset.real, offset.imag
    if imag.is_zero():
        value = disc.real
        if value > 0:
            return value.sqrt() if offset > 0 else -value.sqrt()
        if value < 0:
            return acb(0, (-value).sqrt())
        reach = value.abs_upper().sqrt()  # the ball meets an edge: s is real or imaginary, and small
        return acb(arb(0, reach), arb(0, reach))
    # Im s has the sign of Im z, and Re s that of Re z - (1 + psi2): of the two roots of D, each rule chooses the same
    # one. Which rule is used depends on where the principal root is far from its cut.
    if disc.real > 0 and (offset > 0 or offset < 0):
        return disc.sqrt() if offset > 0 else -disc.sqrt()
    if imag > 0 or imag < 0:
        turned = acb(0, 1) * (-disc).sqrt()
        return turned if imag > 0 else -turned
    return acb(arb.nan(), arb.nan())


def _exact_root(offset: Any, disc: Any) -> Any:
    """s as a Gaussian rational if it is one, else None; the branch is that of ``_root``."""
    modulus = _rational_root(disc.x * disc.x + disc.y * disc.y)
    if modulus is None:
        return None
    real, imag = _rational_root((modulus + disc.x) / 2), _rational_root((modulus - disc.x) / 2)
    if real is None or imag is None:
        return None
    # Re s has the sign of Re z - (1 + psi2), Im s that of Im z (of +0 on the real line).
    return QQ_I(-real if offset.x < 0 else real, -imag if offset.y < 0 else imag)


def _rational_root(value: Any) -> Any:
    top, bottom = int(value.numerator), int(value.denominator)
    root = type(value)(isqrt(top), isqrt(bottom))
    return root if root * root == value else None


def meet(left: Any, right: Any) -> Any:
    """What both balls enclose; the finite one if the other is not finite."""
    if not right.is_finite():
        return left
    if not left.is_finite():
        return right
    if isinstance(left, acb) or isinstance(right, acb):
        left, right = acb(left), acb(right)
        return acb(left.real.intersection(right.real), left.imag.intersection(right.imag))
    return left.intersection(right)


def gaussian_parts(z: Any) -> tuple[Fraction, Fraction]:
    """Exact real and imaginary parts of a point."""
    if isinstance(z, str) and "I" in z:
        z = to_sympy(parse(z, "z", {"I"}), {"I": sp.I}, {}, "z")
    if isinstance(z, complex):
        return exact(z.real, "the real part of z"), exact(z.imag, "the imaginary part of z")
    if isinstance(z, sp.Expr):
        real, imag = z.as_real_imag()
        return exact(real, "the real part of z"), exact(imag, "the imaginary part of z")
    return exact(z, "z"), Fraction(0)


def gaussian_rational(real: Fraction | int, imag: Fraction | int = 0) -> Any:
    real, imag = Fraction(real), Fraction(imag)
    return QQ_I(sp.QQ(real.numerator, real.denominator), sp.QQ(imag.numerator, imag.denominator))


def _ball(value: Any) -> Any:
    return arb(fmpq(int(value.numerator), int(value.denominator)))


def _acb(value: Any) -> Any:
    return acb(_ball(value.x), _ball(value.y))


def _gaussian_ball(value: Any) -> Any:
    return _acb(value) if value.y else _ball(value.x)
