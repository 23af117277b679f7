"""Where the density of a law can begin, end or break off: the real singular points of its branch of P(m, z) = 0.

Between neighbouring real roots of the discriminant and of the leading coefficient no two roots of P meet and none is infinite:
the density is positive throughout or zero throughout. So one point of each interval decides: the branch is followed there from
far above the axis (``density``), is one of the roots of P there, and those are enclosed, real ones apart from the others.
Roots of the discriminant at which other branches meet do not show.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import log
from typing import Any

import numpy as np
import sympy as sp
from flint import acb, acb_poly, arb, fmpq, fmpq_poly, fmpz_mpoly_ctx, fmpz_poly
from sympy.polys.polyerrors import CoercionFailed

from pencils.elimination.evaluation import evaluate
from pencils.errors import ConvergenceError, NoPolynomialError
from pencils.exact.numbers import working_precision
from pencils.exact.puiseux import Behaviour, Expansion, ball_of
from pencils.spectra.density import Descent

NEAR = 1e-3  # the height at which the branch is read off beside a point, beside the distance of the next one
LOWERING = 2  # from one height to the next
LEVELS = 80
RAISED = 8  # how often the height is doubled where float64 does not reach the branch
READ = 3  # heights at which the branch is read off; at the others it is followed among the roots of P
BITS = 600  # of the balls in which it is followed
ALPHA = 0.15  # below 0.157 Newton's iteration converges, from the start, to a root of its own (Smale)


@dataclass(frozen=True)
class Point:
    """A real root of ``factor``, irreducible over the rationals, the ``index``-th from the left; the density is positive
    just left or right of it or not; the behaviour of m there."""

    factor: fmpz_poly
    index: int
    left: bool
    right: bool
    behaviour: Behaviour

    def ball(self, bits: int) -> Any:
        """Enclosure with about ``bits`` bits."""
        return real_roots(self.factor, bits)[self.index]

    @property
    def rational(self) -> sp.Rational | None:
        """The point itself where it is rational."""
        if self.factor.degree() > 1:
            return None
        return sp.Rational(-int(self.factor[0]), int(self.factor[1]))


def real_roots(factor: fmpz_poly, bits: int) -> list[Any]:
    """Enclosures of the real roots of an irreducible polynomial, from left to right."""
    with working_precision(bits):
        found = [arb(root.real) for root, _ in factor.complex_roots() if root.imag.is_zero()]
        return sorted(found, key=lambda ball: ball.mid())


class Curve:
    """P(m, z) = 0 with rational coefficients, irreducible, and the branch of it that a law is."""

    def __init__(self, poly: sp.Poly, z: sp.Symbol, descent: Descent) -> None:
        self.descent = descent
        (m,) = poly.gens
        try:
            _, whole = sp.Poly(poly.as_expr(), m, z, domain="QQ").clear_denoms(convert=True)
        except (sp.PolynomialError, CoercionFailed) as error:
            raise NoPolynomialError("the coefficients of the polynomial are not rational numbers") from error
        ring = fmpz_mpoly_ctx.get(("m", "z"), "lex")
        self.poly = ring.from_dict({tuple(map(int, powers)): int(c) for powers, c in whole.terms()})
        self.degree = whole.degree(m)
        table: list[dict[int, int]] = [{} for _ in range(self.degree + 1)]
        for (i, j), c in whole.terms():
            table[i][j] = int(c)
        self.coefficients = [fmpq_poly([row.get(j, 0) for j in range(max(row, default=0) + 1)]) for row in table]

    @cached_property
    def factors(self) -> list[tuple[fmpz_poly, bool]]:
        """Irreducible factors of discriminant and leading coefficient, and whether a simple one of the discriminant alone: there,
        two roots meet in a square root and nothing else happens."""
        leading = self.coefficients[-1].numer()
        critical = [f for f, _ in leading.factor()[1]]
        found = [(f, False) for f in critical]
        if self.degree > 1:
            terms = self.poly.discriminant("m").to_dict()
            size = max((int(powers[1]) for powers in terms), default=0)
            discriminant = [0] * (size + 1)
            for powers, c in terms.items():
                discriminant[int(powers[1])] = int(c)
            for f, multiplicity in fmpz_poly(discriminant).factor()[1]:
                if f not in critical:
                    found.append((f, multiplicity == 1))
        return [(f if f[f.degree()] > 0 else -f, simple) for f, simple in found]

    @cached_property
    def points(self) -> list[Point]:
        """Every real root of discriminant and leading coefficient at which our branch is singular, from left to right."""
        places = self._places()
        if not places:
            return []
        xs = self._between([ball for *_, ball in places])
        floats = [float(ball.mid()) for *_, ball in places]
        gaps = [min((abs(a - b) for b in [*floats, *map(float, xs)] if a != b), default=1.0) for a in floats]
        bulk = [self._is_bulk(x, m) for x, m in zip(xs, self._on_axis(xs), strict=True)]
        result = []
        for k, (factor, simple, index, ball) in enumerate(places):
            left, right = bulk[k], bulk[k + 1]
            if simple and left == right:
                continue  # other roots meet here: ours is not real on one side only
            if not (simple or left or right or self.coefficients[-1].numer() % factor == 0):
                continue
            behaviour = Behaviour(Fraction(1, 2), None)
            if not simple:
                behaviour = self._behaviour(factor, index, *self._above(floats[k], gaps[k]))
            if left != right and not behaviour.exponent:
                raise ConvergenceError(f"the density begins or ends at {float(ball.mid()):.6g}, and the expansion there does not")
            # exponent 0: a positive density, whatever follows
            if left != right or behaviour.exponent or behaviour.residue is not None:
                result.append(Point(factor, index, left, right, behaviour))
        return result

    def _on_axis(self, xs: Sequence[sp.Rational]) -> list[complex]:
        """m(x + i0); in higher precision where float64 does not reach."""
        descent = self.descent
        values, found = descent.stieltjes(np.array([complex(x) for x in xs]))
        return [
            complex(value if good else evaluate(descent.of, {**descent.exact, descent.z: x}, 15))
            for x, value, good in zip(xs, values, found, strict=True)
        ]

    def _above(self, place: float, gap: float) -> tuple[float, list[complex]]:
        """(height, m there and at the next lower heights) above a place: as low as float64 can, and well within the gap."""
        height = NEAR * gap
        for _ in range(RAISED):
            values, found = self.descent.stieltjes(np.array([complex(place, height / LOWERING**k) for k in range(READ)]))
            if found.all():
                return height, [complex(value) for value in values]
            height *= LOWERING
        raise ConvergenceError(f"the branch could not be followed to {place:.6g}")

    def _places(self) -> list[tuple[fmpz_poly, bool, int, Any]]:
        """(factor, simple, index, ball) from left to right, the balls disjoint."""
        bits = 128
        while True:
            found = [
                (factor, simple, index, ball)
                for factor, simple in self.factors
                for index, ball in enumerate(real_roots(factor, bits))
            ]
            found.sort(key=lambda place: place[3].mid())
            if all(a[3] < b[3] for a, b in pairwise(found)):
                return found
            bits *= 2

    @staticmethod
    def _between(balls: Sequence[Any]) -> list[sp.Rational]:
        """A rational in each interval that the points leave."""
        first, last = float(balls[0].mid()), float(balls[-1].mid())
        reach = 1 + abs(first) + abs(last)
        # not in the middle, where m of a symmetric law is 0 and has no relative error
        middles = [(5 * a.mid() + 6 * b.mid()) / 11 for a, b in pairwise(balls)]
        exact = [sp.Rational(float(x)) for x in middles]
        for x, a, b in zip(exact, balls, balls[1:], strict=False):
            if not (a < arb(fmpq(x.p, x.q)) < b):
                raise ConvergenceError(f"two critical points near {x} are closer than float64 can tell apart")
        return [sp.Rational(first - reach), *exact, sp.Rational(last + reach)]

    def _is_bulk(self, x: sp.Rational, value: complex) -> bool:
        """Whether the root of P(m, x) that the value is is not real: enclosures of all roots decide."""
        point = fmpq(x.p, x.q)
        with working_precision(128):
            roots = [root for root, _ in fmpq_poly([c(point) for c in self.coefficients]).complex_roots()]
        return not self._nearest(roots, acb(value.real, value.imag)).imag.is_zero()

    @staticmethod
    def _nearest(roots: list[Any], value: Any) -> Any:
        """The root that an approximate value is; ConvergenceError where another is not much farther away."""
        away = sorted((float(abs(root - value).mid()), k) for k, root in enumerate(roots))
        if len(away) > 1 and away[0][0] > 0.1 * away[1][0]:
            raise ConvergenceError(f"two roots of the polynomial are near {value}")
        return roots[away[0][1]]

    def value(self, x: sp.Rational) -> Any:
        """m(x + i0) as a ball, for x that is no root of discriminant or leading coefficient, however near."""
        place = float(x)
        # the nearest critical point may be as near as it likes: float64 reads the branch off above both
        away = sorted(abs(float(ball.mid()) - place) for *_, ball in self._places())
        height, values = self._above(place, away[1] if len(away) > 1 else 1 + abs(place))
        with working_precision(BITS):
            ball = acb(arb(fmpq(x.p, x.q)))
            return self._polished(ball, self._near(ball, height, values)[-1][1])

    def _behaviour(self, factor: fmpz_poly, index: int, height: float, values: Sequence[complex]) -> Behaviour:
        """Expands the branch at a point, told from the others by its values closer and closer."""
        ball = real_roots(factor, BITS)[index]
        with working_precision(BITS):
            return Expansion(self.coefficients, fmpq_poly(factor)).behaviour(ball, self._near(ball, height, values))

    def _near(self, place: Any, height: float, values: Sequence[complex]) -> list[tuple[Any, Any]]:
        """(t, m(place + t)) for t = i height / 2^k; the first ``values`` of m are given.

        Heights fall as a power, so that A + B t^s is a geometric sequence, which two differences continue.
        """
        near: list[tuple[Any, Any]] = []
        for k in range(LEVELS):
            t = acb(0, arb(height) / LOWERING**k)
            if k < READ:
                expected = acb(values[k].real, values[k].imag)
            else:
                a, b, c = (m for _, m in near[-3:])
                expected = c if b == a else c + (c - b) ** 2 / (b - a)
            near.append((t, self._polished(place + t, expected)))
        return near

    def _polished(self, z: Any, start: Any) -> Any:
        """The root of P(m, z) that Newton's iteration takes ``start`` to. Raises ConvergenceError where Smale's alpha, of the
        Taylor coefficients at the start, does not say that there is one."""
        poly, first = acb_poly([ball_of(c, z) for c in self.coefficients]), True
        slope = poly.derivative()
        m = acb(start)
        for _ in range(60):
            m = acb(m.real.mid(), m.imag.mid())
            step = poly(m) / slope(m)
            if first:
                taylor = poly(acb_poly([m, 1])).coeffs()
                gamma = max((float(abs(c / taylor[1]).log().mid()) / (k - 1) for k, c in enumerate(taylor) if k > 1), default=-9e9)
                if float(abs(step).log().mid()) + gamma > log(ALPHA):
                    raise ConvergenceError(f"the branch could not be followed to {z}")
            m, first = m - step, False
            if abs(step) < abs(m) * arb(2) ** -150:
                return m
        raise ConvergenceError(f"Newton's iteration did not converge at {z}")
