"""z_T of Corollary 22 and h_T of Lemma 23 of ``damian2022``, solved for exactly at the leading gradient g = H w/sqrt(2 pi).

w is uniform on the unit sphere of R^d, H = diag(h_1..h_r, 0..), T(x) = <T, x^(x)k> a form of degree k in x_1..x_r. A function z of
w with E z (Hw.x)^k = T(x) for all x has least norm when it is spanned by the w^alpha, |alpha| = k: z = sum_alpha A_alpha w^alpha,
with sum_alpha A_alpha E w^(alpha + beta) k!/beta! h^beta = T_beta for each |beta| = k, a rational linear system. As g carries
1/sqrt(2 pi), z_T = (2 pi)^(k/2) z. The functions of a model are second routes to the misprints: they solve at whole numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement, pairwise
from math import factorial, prod
from typing import TYPE_CHECKING

from flint import arb, fmpq, fmpq_mat

from pencils.errors import PrecisionError
from pencils.exact.numbers import to_ball
from theory.hessian import monomials

if TYPE_CHECKING:
    from theory.register.model import Model

Index = tuple[int, ...]
EXAMPLE = (Fraction(1), Fraction(-1, 2))  # eigenvalues of H where a route needs an H
POINT = (Fraction(1, 3), Fraction(-2, 7))
HIGHEST = 6  # order that a route solves for


def indices(k: int, r: int) -> list[Index]:
    """All exponents of degree k in r variables."""
    return [tuple(one.count(i) for i in range(r)) for one in combinations_with_replacement(range(r), k)]


def sphere_moment(gamma: Index, d: int) -> Fraction:
    """E w^gamma over the unit sphere of R^d."""
    if any(part % 2 for part in gamma):
        return Fraction(0)
    above = prod(prod(range(1, part, 2)) for part in gamma)
    return Fraction(above, prod(range(d, d + sum(gamma), 2)))


def _power(base: tuple[Fraction, ...], alpha: Index) -> Fraction:
    return prod((one**part for one, part in zip(base, alpha, strict=True)), start=Fraction(1))


def _plus(alpha: Index, beta: Index) -> Index:
    return tuple(a + b for a, b in zip(alpha, beta, strict=True))


@dataclass(frozen=True)
class MinimumNorm:
    """The z of least norm with E z (Hw.x)^k = T(x); ``values`` are its coefficients in w^alpha."""

    k: int
    h: tuple[Fraction, ...]
    d: int
    values: Mapping[Index, Fraction]

    @classmethod
    def solve(cls, k: int, h: tuple[Fraction, ...], d: int, tensor: Mapping[Index, Fraction]) -> MinimumNorm:
        """For T(x) = sum of tensor[alpha] x^alpha and every h_i != 0."""
        rows = indices(k, len(h))

        def entry(value: Fraction) -> fmpq:
            return fmpq(value.numerator, value.denominator)

        moments = fmpq_mat([[entry(sphere_moment(_plus(a, b), d)) for a in rows] for b in rows])
        weights = [Fraction(prod(map(factorial, b)), factorial(k)) / _power(h, b) for b in rows]
        right = fmpq_mat([[entry(tensor.get(b, Fraction(0)) * one)] for b, one in zip(rows, weights, strict=True)])
        solved = moments.solve(right)
        return cls(k, h, d, {a: Fraction(int(solved[i, 0].p), int(solved[i, 0].q)) for i, a in enumerate(rows)})

    def against(self, x: tuple[Fraction, ...], power: int) -> Fraction:
        """E z (Hw.x)^power."""
        total = Fraction(0)
        for beta in indices(power, len(self.h)):
            weight = Fraction(factorial(power), prod(map(factorial, beta))) * _power(self.h, beta) * _power(x, beta)
            total += weight * sum(value * sphere_moment(_plus(a, beta), self.d) for a, value in self.values.items())
        return total

    @property
    def second_moment(self) -> Fraction:
        """E z^2; that of z_T is (2 pi)^k times it."""
        pairs = ((a, b) for a in self.values for b in self.values)
        return sum((self.values[a] * self.values[b] * sphere_moment(_plus(a, b), self.d) for a, b in pairs), Fraction(0))

    def neurons(self, x: tuple[Fraction, ...], rate: Fraction) -> Fraction:
        """E v_k(a, b) z_T(w) relu(2 rate a g.x + b): first over a and b, which leaves a polynomial in 2 rate g.x, then over w; the
        powers of 2 pi of z_T and of g cancel. For x with |2 rate g.x| <= 1, where Lemma 17 holds."""
        inner = monomials.mean(self.k)
        total = Fraction(0)
        for power, value in enumerate(inner.coeffs()):
            if value:
                assert power == self.k  # else the powers of 2 pi would be left
                total += Fraction(int(value.p), int(value.q)) * (2 * rate) ** power * self.against(x, power)
        return total


def _whole(model: Model, name: str) -> int:
    value = Fraction(str(model.values[name]))
    if value.denominator != 1 or not 1 <= value <= HIGHEST:
        raise PrecisionError(f"{name} = {value}: solved at whole numbers from 1 to {HIGHEST}")
    return int(value)


def _example(k: int, d: int) -> tuple[MinimumNorm, dict[Index, Fraction]]:
    """At H = diag(1, -1/2) and a T of order k with two terms."""
    tensor: dict[Index, Fraction] = {(k, 0): Fraction(1), (0, k): Fraction(3)}
    return MinimumNorm.solve(k, EXAMPLE, d, tensor), tensor


def degree_in_dimension(k: int, h: tuple[Fraction, ...], tensor: Mapping[Index, Fraction]) -> int:
    """The degree in d of E z_T^2, a polynomial: the order of the last differences over consecutive d that do not vanish."""
    start = len(h) + 1
    differences = [MinimumNorm.solve(k, h, d, tensor).second_moment for d in range(start, start + k + 4)]
    degree = -1
    while any(differences):
        differences = [right - left for left, right in pairwise(differences)]
        degree += 1
    if not differences:
        raise PrecisionError("the second moment is no polynomial in d of degree k + 2 or less")
    return degree


def dimension_exponent(model: Model, digits: int) -> arb:
    """The power of d in E z_T^2, T of the model's order."""
    k = _whole(model, "order_k")
    return to_ball(degree_in_dimension(k, EXAMPLE, _example(k, 3)[1]))


def second_power(model: Model, digits: int) -> arb:
    """E z_T (g.x)^2 at k = 2 and d = 6 for T = u^(x)2 and H = u u^T, whose length plays no part, x a unit vector with <u, x> the
    model's overlap."""
    solved = MinimumNorm.solve(2, (Fraction(1),), 6, {(2,): Fraction(1)})
    return to_ball(solved.against((Fraction(str(model.values["overlap"])),), 2))


def scaling(model: Model, digits: int) -> arb:
    """E h_T relu(w^(1).x + b) at 2x over its value at x: 2 to the degree in x, for T of the model's order."""
    z, _ = _example(_whole(model, "order_k"), 5)
    twice = tuple(2 * part for part in POINT)
    return to_ball(z.neurons(twice, Fraction(1, 2)) / z.neurons(POINT, Fraction(1, 2)))


def factor(model: Model, digits: int) -> arb:
    """E v_k z_T relu(2 eta1 a g.x + b) over T(x) at the model's eta1, x so short that |2 eta1 g.x| <= 1."""
    k, rate = _whole(model, "order_k"), Fraction(str(model.values["eta1"]))
    z, tensor = _example(k, 5)
    x = tuple(part / (2 * rate) for part in POINT)
    return to_ball(z.neurons(x, rate) / sum(value * _power(x, alpha) for alpha, value in tensor.items()))
