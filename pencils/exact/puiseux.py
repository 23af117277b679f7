"""How a branch m(z) of a polynomial P(m, z) = 0 behaves at a point x0, exactly: Newton's polygon, repeated.

m = c t^s + ..., t = z - x0: the slopes s and the numbers c that may occur are read off the polygon; which of them the branch
has is seen from its value near x0, among finitely many. While s is a whole number and c a multiple root, c t^s is
subtracted and the polygon of the rest is taken. x0 is a root of an irreducible polynomial f over the rationals, and all
coefficients are computed in Q[x]/f, which is extended when such a c is not in it: a coefficient is zero there exactly or not
at all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import comb
from typing import Any, TypeAlias

from flint import acb, acb_poly, arb, fmpq, fmpq_mpoly_ctx, fmpq_poly

from pencils.errors import ConvergenceError

Element: TypeAlias = fmpq_poly  # of Q[x]/f
MOST_TERMS = 40


@dataclass(frozen=True)
class Behaviour:
    """m = residue/t + ... + c t^exponent + ... at a real point: ``exponent`` is that of the first term that is not real for
    real t, hence the density's; None when all are real. The residue is an element of Q[x]/f, a ball where it is none, or
    None without a pole."""

    exponent: Fraction | None
    residue: Element | acb | None


class Expansion:
    """P(m, x0 + t) as a polynomial in m and t over Q[x]/f."""

    def __init__(self, coefficients: Sequence[fmpq_poly], field: fmpq_poly) -> None:
        """``coefficients`` of P by powers of m, each a polynomial in z; ``field`` is f."""
        self.field = field
        self.terms: dict[tuple[int, int], Element] = {}
        for i, coefficient in enumerate(coefficients):
            factorial, derivative = fmpq(1), coefficient
            for j in range(coefficient.degree() + 1):
                if j:
                    derivative, factorial = derivative.derivative(), factorial * j
                value = derivative % field / factorial
                if value != 0:
                    self.terms[i, j] = value

    def behaviour(self, x0: Any, near: Sequence[tuple[Any, Any]]) -> Behaviour:
        """Of the branch that has the given values (t, m) near x0, t = ih from large to small. Raises ConvergenceError where
        they do not single out a branch."""
        terms, residue = dict(self.terms), None
        near = list(near)
        for _ in range(MOST_TERMS):
            slope, edge = self._segment(terms, near)
            if slope.denominator > 1:
                return Behaviour(slope, residue)
            root, multiple, part = self._root(edge, x0, slope, near)
            if slope == -1:
                residue = root
            if isinstance(root, acb) and not root.imag.contains(0):
                return Behaviour(slope, residue)
            if not multiple:
                return Behaviour(None, residue)  # a power series, and real
            if isinstance(root, acb):
                terms, root, x0 = self._extend(terms, part, root, x0)
            terms = self._subtract(terms, root, int(slope))
            value = ball_of(root, x0)
            near = [(t, m - value * t ** int(slope)) for t, m in near]
            if all(i for i, _ in terms):
                return Behaviour(None, residue)  # the branch is what was subtracted
        raise ConvergenceError("the expansion of the branch has too many terms in common with another")

    def _segment(
        self, terms: Mapping[tuple[int, int], Element], near: Sequence[tuple[Any, Any]]
    ) -> tuple[Fraction, list[tuple[int, Element]]]:
        """The slope s of the branch, nearest to that of its values, and the terms (i, q) of its edge polynomial."""
        lowest: dict[int, int] = {}
        for i, j in terms:
            lowest[i] = min(j, lowest.get(i, j))
        points = sorted(lowest.items())
        hull: list[tuple[int, int]] = []
        for point in points:
            while len(hull) > 1 and _turn(hull[-2], hull[-1], point) <= 0:
                hull.pop()
            hull.append(point)
        slopes = [Fraction(a[1] - b[1], b[0] - a[0]) for a, b in pairwise(hull)]
        if not slopes:
            raise ConvergenceError("the polygon of the expansion has no edge")
        (t1, m1), (t2, m2) = near[-2:]
        measured = float((abs(m2) / abs(m1)).log().mid() / (abs(t2) / abs(t1)).log().mid())
        best = min(slopes, key=lambda s: abs(float(s) - measured))
        if abs(float(best) - measured) > 0.02 and abs(float(best) - measured) > 0.2 * min(
            (abs(float(s - best)) for s in slopes if s != best), default=0.5
        ):
            raise ConvergenceError(f"no slope of the polygon is near {measured:.4f}")
        k = slopes.index(best)
        (i0, j0), (i1, _) = hull[k], hull[k + 1]
        line = [(i - i0, terms[i, j]) for i, j in sorted(terms) if i0 <= i <= i1 and j == j0 - best * (i - i0)]
        return best, line

    def _root(self, edge: list[tuple[int, Element]], x0: Any, slope: Fraction, near: Sequence[tuple[Any, Any]]) -> Any:
        """(c, whether it is a multiple root of the edge polynomial, its square-free part with the root c); c in Q[x]/f where
        that is linear."""
        poly = [fmpq_poly(0)] * (edge[-1][0] + 1)
        for i, q in edge:
            poly[i] = q
        t, m = near[-1]
        target = m / t ** int(slope)
        found = []
        for part, multiplicity in self._square_free(poly):
            if len(part) == 2:
                root: Any = self._divide(-part[0], part[1])
                found.append((abs(ball_of(root, x0) - target), root, multiplicity > 1, part))
            else:
                balls = acb_poly([ball_of(q, x0) for q in part]).roots()
                found += [(abs(ball - target), ball, multiplicity > 1, part) for ball in balls]
        found.sort(key=lambda entry: float(entry[0].mid()))
        if len(found) > 1 and not float(found[0][0].mid()) < 0.1 * float(found[1][0].mid()):
            raise ConvergenceError("two branches are too close to be told apart")
        return found[0][1:]

    def _subtract(self, terms: Mapping[tuple[int, int], Element], root: Element, slope: int) -> dict[tuple[int, int], Element]:
        """The terms in m' of m = root t^slope + m'."""
        result: dict[tuple[int, int], Element] = {}
        powers = [fmpq_poly(1)]
        for _ in range(max(i for i, _ in terms)):
            powers.append(powers[-1] * root % self.field)
        for (i, j), q in terms.items():
            for k in range(i + 1):
                place = k, j + slope * (i - k)
                result[place] = (result.get(place, fmpq_poly(0)) + q * powers[i - k] * comb(i, k)) % self.field
        return {place: q for place, q in result.items() if q != 0}

    def _extend(
        self, terms: Mapping[tuple[int, int], Element], part: list[Element], root: Any, x0: Any
    ) -> tuple[dict[tuple[int, int], Element], Element, Any]:
        """Makes the field that of y = c + k x0, c a root of ``part``: the terms and c in it, and y as a ball."""
        context = fmpq_mpoly_ctx.get(("x", "y"), "lex")
        x, y = context.gens()

        def of_x(poly: Element) -> Any:
            return context.from_dict({(i, 0): q for i, q in enumerate(poly.coeffs()) if q})

        old = self.field
        for k in range(MOST_TERMS):
            shifted = sum((of_x(q) * (y - k * x) ** i for i, q in enumerate(part)), 0 * x)
            norm = of_x(old).resultant(shifted, "x")
            if norm.gcd(norm.derivative("y")).is_constant():
                break
        else:
            raise ConvergenceError("no generator of the field of the expansion was found")
        primitive = root + k * x0
        factors = [fmpq_poly(_column(factor, 0)) for factor, _ in norm.factor()[1]]
        (self.field,) = [f for f in factors if ball_of(f, primitive).contains(0)]
        # x is the one common root of f(x) and part(y - k x, x)
        degree = max(int(powers[0]) for powers in shifted.to_dict())
        over = _trim([fmpq_poly(_column(shifted, i)) % self.field for i in range(degree + 1)])
        common = self._gcd([fmpq_poly([q]) for q in old.coeffs()], over)
        image = self._divide(-common[0], common[1])
        moved = {}
        for place, element in terms.items():
            value = fmpq_poly(0)
            for q in reversed(element.coeffs()):
                value = (value * image + q) % self.field
            moved[place] = value
        return moved, (fmpq_poly([0, 1]) - k * image) % self.field, primitive

    # -- polynomials over Q[x]/f, lists by rising powers ---------------------------------------------------------------

    def _divide(self, left: Element, right: Element) -> Element:
        gcd, inverse, _ = right.xgcd(self.field)
        return left * inverse / gcd[0] % self.field

    def _square_free(self, poly: list[Element]) -> list[tuple[list[Element], int]]:
        """Square-free parts with their multiplicities (Yun), roots at zero left out."""
        while poly[0] == 0:
            poly = poly[1:]
        derivative = [q * k for k, q in enumerate(poly)][1:]
        common = self._gcd(poly, derivative)
        left, right = self._quotient(poly, common), self._quotient(derivative, common)
        found, multiplicity = [], 0
        while len(left) > 1:
            multiplicity += 1
            rest = _trim([a - b for a, b in _pad(right, [q * k for k, q in enumerate(left)][1:])])
            part = self._gcd(left, rest) if rest else left
            if len(part) > 1:
                found.append((part, multiplicity))
            left, right = self._quotient(left, part), self._quotient(rest, part) if rest else []
        return found

    def _gcd(self, left: list[Element], right: list[Element]) -> list[Element]:
        while right:
            left, right = right, self._remainder(left, right)[1]
        return [self._divide(q, left[-1]) for q in left]

    def _quotient(self, left: list[Element], right: list[Element]) -> list[Element]:
        return self._remainder(left, right)[0]

    def _remainder(self, left: list[Element], right: list[Element]) -> tuple[list[Element], list[Element]]:
        rest, quotient = list(left), [fmpq_poly(0)] * max(len(left) - len(right) + 1, 0)
        for k in reversed(range(len(quotient))):
            quotient[k] = self._divide(rest[k + len(right) - 1], right[-1])
            for i, q in enumerate(right):
                rest[k + i] = (rest[k + i] - quotient[k] * q) % self.field
        return quotient, _trim(rest)


def _column(poly: Any, power: int) -> list[Any]:
    """The coefficient of x^power in a polynomial in x and y, by rising powers of y."""
    found = {int(powers[1]): q for powers, q in poly.to_dict().items() if int(powers[0]) == power}
    return [found.get(j, 0) for j in range(max(found, default=-1) + 1)]


def _turn(a: tuple[int, int], b: tuple[int, int], c: tuple[int, int]) -> int:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _trim(poly: list[Element]) -> list[Element]:
    while poly and poly[-1] == 0:
        poly = poly[:-1]
    return poly


def _pad(left: list[Element], right: list[Element]) -> list[tuple[Element, Element]]:
    size = max(len(left), len(right))
    zero = fmpq_poly(0)
    return list(zip(left + [zero] * (size - len(left)), right + [zero] * (size - len(right)), strict=True))


def ball_of(element: Element, x0: Any) -> Any:
    """An element of Q[x]/f at the root x0."""
    total = acb(0)
    for q in reversed(element.coeffs()):
        total = total * x0 + arb(q)
    return total
