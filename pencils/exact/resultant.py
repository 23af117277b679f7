"""Resultants of integer polynomials with a bound on the work: the subresultant sequence, step by step.

The sequence is A, B, then prem(A, B) / (g h^d) and so on, every division exact. The work is counted in products of terms,
so that a resultant is formed or refused alike on every machine.
"""

from __future__ import annotations

import random
from math import prod
from typing import Any

from flint import fmpz_mpoly, nmod_mpoly_ctx

from pencils.errors import NoPolynomialError

PRIME = 2**61 - 1
SMALL = 2 * 10**5  # bound on monomials, times the degrees, up to which no work is counted
FEW = 10**7  # the same for the typical number of products of coefficients


class Budget:
    """Work that may still be done."""

    def __init__(self, work: int) -> None:
        self.work = self.left = work

    def product(self, left: fmpz_mpoly, right: fmpz_mpoly) -> fmpz_mpoly:
        """left * right. Raises NoPolynomialError where that is more than may be done."""
        self.left -= len(left) * len(right)
        if self.left < 0:
            raise NoPolynomialError(f"resultants need more than {self.work:.0e} products of terms")
        return left * right

    def power(self, base: fmpz_mpoly, exponent: int) -> fmpz_mpoly:
        """base**exponent, exponent >= 0."""
        result = base.context().constant(1)
        for _ in range(exponent):
            result = self.product(result, base)
        return result


def resultant(left: fmpz_mpoly, right: fmpz_mpoly, place: int, budget: Budget) -> fmpz_mpoly:
    """The resultant in the generator number ``place``, up to sign. Raises NoPolynomialError where the budget is spent."""
    a, b = (int(p.degrees()[place]) for p in (left, right))
    # a term of the Sylvester determinant is a product of b coefficients of the one and a of the other
    products = (len(left) / (a + 1)) ** b * (len(right) / (b + 1)) ** a
    if bound(left, right, place) * a * b <= SMALL or products * a * b <= FEW:
        return left.resultant(right, str(left.context().gens()[place]))
    high, low = sorted((_coefficients(left, place), _coefficients(right, place)), key=len, reverse=True)
    return _subresultants(high, low, budget)


def bound(left: fmpz_mpoly, right: fmpz_mpoly, place: int) -> int:
    """A bound on the monomials of the resultant."""
    degrees = [(int(l), int(r)) for l, r in zip(left.degrees(), right.degrees(), strict=True)]
    a, b = degrees[place]
    return prod(a * r + b * l + 1 for k, (l, r) in enumerate(degrees) if k != place)


def size(left: fmpz_mpoly, right: fmpz_mpoly, place: int) -> int:
    """A better bound: from the exponents of every generator in the resultant, found with the others random modulo a prime; with
    high probability, so that it is right to choose by and not to rely on."""
    degrees = [max(int(l), int(r)) for l, r in zip(left.degrees(), right.degrees(), strict=True)]
    return prod(_extent(left, right, place, k) + 1 for k, d in enumerate(degrees) if d and k != place)


def _extent(left: fmpz_mpoly, right: fmpz_mpoly, gone: int, kept: int) -> int:
    context = nmod_mpoly_ctx.get(["x", "y"], PRIME, "lex")
    rng = random.Random(4)
    point = [rng.randrange(2, PRIME) for _ in left.degrees()]

    def at(poly: fmpz_mpoly) -> Any:
        terms: dict[tuple[int, int], int] = {}
        for powers, coefficient in poly.to_dict().items():
            value = int(coefficient)
            for k, e in enumerate(powers):
                if e and k not in (gone, kept):
                    value = value * pow(point[k], int(e), PRIME) % PRIME
            key = int(powers[gone]), int(powers[kept])
            terms[key] = terms.get(key, 0) + value
        return context.from_dict({key: value % PRIME for key, value in terms.items()})

    exponents = [int(powers[1]) for powers in at(left).resultant(at(right), "x").monoms()]
    return max(exponents, default=0) - min(exponents, default=0)


def _coefficients(poly: fmpz_mpoly, place: int) -> list[fmpz_mpoly]:
    """Coefficients of the powers of a generator, from the constant one up."""
    parts: list[dict[tuple[int, ...], int]] = [{} for _ in range(int(poly.degrees()[place]) + 1)]
    for powers, c in poly.to_dict().items():
        parts[int(powers[place])][(*powers[:place], 0, *powers[place + 1 :])] = c
    return [poly.context().from_dict(part) for part in parts]


def _subresultants(a: list[fmpz_mpoly], b: list[fmpz_mpoly], budget: Budget) -> fmpz_mpoly:
    """The last of the subresultants of two polynomials, deg a >= deg b >= 1."""
    g = h = a[0].context().constant(1)
    while len(b) > 1:
        d = len(a) - len(b)
        scale = budget.product(g, budget.power(h, d))
        a, b = b, [c / scale for c in _pseudo_remainder(a, b, budget)]
        g = a[-1]
        h = budget.power(g, d) / budget.power(h, d - 1) if d else h
    if not b:
        return g.context().constant(0)
    d = len(a) - 1
    return budget.power(b[0], d) / budget.power(h, d - 1)


def _pseudo_remainder(a: list[fmpz_mpoly], b: list[fmpz_mpoly], budget: Budget) -> list[fmpz_mpoly]:
    """lc(b)^(deg a - deg b + 1) a modulo b."""
    rest, lead = list(a), b[-1]
    for shift in range(len(a) - len(b), -1, -1):
        top = rest.pop()
        rest = [budget.product(c, lead) for c in rest]
        for k, c in enumerate(b[:-1]):
            rest[shift + k] -= budget.product(top, c)
    while rest and rest[-1].is_zero():
        rest.pop()
    return rest
