"""The search for outliers at given parameters: counting by inertia, Newton's iteration, enclosures.

Let Lambda be the pencil of M - x, L its part without vectors, and D = K - V G(x) U (see ``finite_rank``). Lambda and L are
Hermitian and inertia adds up: n(Lambda) = n(L) + n(D), n the number of negative eigenvalues. n(L) is constant in a gap of
the spectrum of L, and n(Lambda) grows by one as x passes an eigenvalue of M, for dLambda/dx = -B B^T. So n(D(b)) - n(D(a))
counts the outliers between a and b: none is missed, none is counted twice.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

import sympy as sp
from flint import acb, acb_mat, arb

from pencils.dyson.real_axis import Point, RealBranch
from pencils.errors import ConvergenceError, PrecisionError
from pencils.exact.balls import compile_balls
from pencils.exact.inertia import negatives
from pencils.exact.numbers import as_float, bits_for, proves, working_precision
from pencils.language.norm_bound import norm_bound
from pencils.outliers.finite_rank import Cell, FiniteRank
from pencils.spectra.intervals import Edge, gaps, scale, sides

COUNTING = 30  # digits of the unknowns where only signs are asked for
FAR = Fraction(10**6)  # how far outliers are looked for beside the spectrum, where no bound on the norm is known


@dataclass(frozen=True)
class Outlier:
    """An eigenvalue outside the spectrum. ``overlaps[q]`` is <q, w>^2 for the unit eigenvector w, the sum over the eigenspace
    where ``multiplicity`` exceeds 1; q is a vector as declared, of any norm.

    ``certified``: position and overlaps are enclosed in ball arithmetic to the digits shown, and the number of eigenvalues in the
    enclosure is counted exactly. The overlaps of a multiple eigenvalue are computed to the digits, not enclosed.
    """

    position: sp.Expr
    multiplicity: int
    overlaps: dict[sp.MatrixSymbol, sp.Expr]
    certified: bool


@dataclass(frozen=True)
class Mark:
    """A point and the number of negative eigenvalues of D there."""

    point: Point
    negatives: int

    @property
    def x(self) -> Fraction:
        return self.point.x


class Search:
    """The outliers at given parameters."""

    def __init__(
        self,
        finite: FiniteRank,
        given: Mapping[sp.Symbol, sp.Expr],
        digits: int,
        support: list[tuple[Edge, Edge]],
    ) -> None:
        self.finite, self.given, self.digits, self.support = finite, given, digits, support
        self.branch = RealBranch(finite.dyson, finite.spectral, given)
        self.scale = scale(support)
        self.size = finite.size
        cells = [*finite.matrix.values(), *(c for group in (finite.left, finite.right) for r in group.values() for c in r)]
        self.compiled = {cell: self._compile(cell) for cell in cells}

    def _compile(self, cell: Cell) -> Any:
        place = {pair: index for index, pair in enumerate(self.branch.pairs)}

        def constant(expr: sp.Expr) -> Any:
            return compile_balls(expr.xreplace(dict(self.given)))

        return constant(cell.constant), [(constant(c), place[pair]) for c, pair in cell.terms]

    def _value(self, cell: Cell, g: Any, slope: bool = False) -> Any:
        constant, terms = self.compiled[cell]
        return (acb(0) if slope else acb(constant())) - sum((c() * g[index] for c, index in terms), acb(0))

    def _matrix(self, g: Any, slope: bool = False) -> acb_mat:
        cells = self.finite.matrix
        return acb_mat([[self._value(cells[i, j], g, slope) for j in range(self.size)] for i in range(self.size)])

    def _negatives(self, point: Point, digits: int = COUNTING) -> int:
        with working_precision(bits_for(digits) + 40):
            return negatives(self._matrix(point.g))

    # -- counting -------------------------------------------------------------------------------------------------

    def found(self) -> list[Outlier]:
        norms = {column: self.finite.vectors[u].norm for u, column in self.finite.columns.items()}
        reach = norm_bound(self.finite.expression, self.given, norms)
        far = self.scale * FAR if reach is None else max(Fraction(reach), self.scale) * 2
        return [outlier for gap in gaps(self.support) for outlier in self._in_gap(*gap, far)]

    def _in_gap(self, low: Edge, high: Edge, far: Fraction) -> list[Outlier]:
        """The outliers between two edges, or between an edge and ``far``, beyond the reach of M."""
        marks: list[Mark] = [] if isinstance(low, Fraction) else [self.mark(self.branch.at(-far, COUNTING))]
        for edge, inner in sides(low, high, self.scale):
            marks += sorted(self._approach(edge, inner), key=lambda mark: mark.x)
        marks += [] if isinstance(high, Fraction) else [self.mark(self.branch.at(far, COUNTING))]
        return [found for left, right in pairwise(marks) for found in self._between(left, right, 0)]

    def mark(self, point: Point) -> Mark:
        """The count at a point. Raises ConvergenceError on the wrong branch, where D does not decrease."""
        with working_precision(bits_for(COUNTING) + 40):
            if self._matrix(self.branch.slope(point, COUNTING), True).trace().real > 0:
                raise ConvergenceError(f"the solution at {float(point.x)!r} is not that of the upper half plane")
        return Mark(point, self._negatives(point))

    def _approach(self, edge: Fraction, inner: Fraction) -> list[Mark]:
        """Points ever nearer to an edge, without those at which the signs of D are open."""
        marks = []
        with suppress(ConvergenceError):  # as far as the branch is followed
            for point in self.branch.approach(edge, inner, COUNTING):
                with suppress(PrecisionError):
                    marks.append(self.mark(point))
        if not marks:
            raise ConvergenceError(
                f"no solution was found at {float(inner):.6g}, beside the edge {float(edge):.6g}: "
                "that is inside the spectrum, or too near to it"
            )
        return marks

    def _between(self, left: Mark, right: Mark, depth: int) -> list[Outlier]:
        count = right.negatives - left.negatives
        if count == 0:
            return []
        if count < 0:
            raise ConvergenceError(
                f"the count of outliers fell between {float(left.x):.6g} and {float(right.x):.6g}: part of the "
                "spectrum lies there, which the support given does not say"
            )
        if depth > 300:
            raise ConvergenceError(f"{count} outliers at {float(left.x)!r} could not be told apart")
        middle = self._split(left, right)
        single = self._refine(left, middle, right)
        if single is not None:
            return [single]
        return [*self._between(left, middle, depth + 1), *self._between(middle, right, depth + 1)]

    def _split(self, left: Mark, right: Mark) -> Mark:
        """A point between two, at which D is not singular."""
        for share in (Fraction(1, 2), Fraction(3, 7), Fraction(4, 9), Fraction(5, 11)):
            with suppress(PrecisionError):
                return self.mark(self._physical(left, left.x + (right.x - left.x) * share, right))
        raise ConvergenceError(f"the signs at {float(left.x)!r} could not be decided")

    def _physical(self, left: Mark, x: Fraction, right: Mark) -> Point:
        """The solution between two points: from the upper half plane, or, too near to an edge for that, by interpolation."""
        if all(abs(float(x - e)) > self.scale / 10**5 for part in self.support for e in part):
            return self.branch.at(x, COUNTING)
        share = _ball((x - left.x) / (right.x - left.x))
        return self.branch.at(x, COUNTING, [(a + share * (b - a)).mid() for a, b in zip(left.point.g, right.point.g, strict=True)])

    # -- one outlier ----------------------------------------------------------------------------------------------

    def _refine(self, left: Mark, middle: Mark, right: Mark) -> Outlier | None:
        """The only outlier between two points, of any multiplicity; None if Newton's iteration finds no such thing."""
        count = right.negatives - left.negatives
        digits = self.digits if count == 1 else 3 * self.digits // 2 + 10
        radius = self.scale / 10 ** (digits + 30)  # narrower than the boxes of _simple
        work = digits + 45
        try:
            point = self.branch.at(middle.x, work, middle.point.g)
            for _ in range(40):
                slope = self.branch.slope(point, work)
                step = self._step(point, slope, count, work)
                x = point.x + step
                if not left.x < x < right.x:
                    return None
                guess = [(a + b * _ball(step)).mid() for a, b in zip(point.g, slope, strict=True)]
                point = self.branch.at(x, work, guess)
                if abs(step) < radius / 100:
                    break
            else:
                return None
            ends = [self.branch.at(point.x + side * radius, work, point.g) for side in (-1, 1)]
            same = self._physical(left, point.x, right)
            if self._negatives(ends[1], work) - self._negatives(ends[0], work) == count and _agree(point, same):
                return self._outlier(point, radius, count, work)
        except (ConvergenceError, PrecisionError):
            pass
        return None

    def _step(self, point: Point, slope: list[Any], count: int, digits: int) -> Fraction:
        """Newton's step for a zero of det D of multiplicity ``count``: -count / tr(D^{-1} D')."""
        bits = bits_for(digits)
        with working_precision(bits + 40):
            matrix = self._matrix([v.mid() for v in point.g]).mid()
            try:
                logarithmic = (matrix.inv() * self._matrix(slope, True).mid()).trace()
            except ZeroDivisionError:  # singular to all digits: the zero itself
                return Fraction(0)
            step = (-count / logarithmic.real).mid()
            if not step.is_finite():
                raise ConvergenceError("a step of Newton's iteration is not finite")
            return _to_fraction(step)

    def _outlier(self, point: Point, radius: Fraction, count: int, work: int) -> Outlier:
        with working_precision(bits_for(work) + 40):
            place = arb(_ball(point.x).mid(), _ball(radius).mid())
            overlaps = self._simple(point, radius, work) if count == 1 else self._multiple(point, work)
            squares = {q: shown(ball, self.digits, arb(1)) for q, ball in overlaps.items()}
            return Outlier(shown(place, self.digits, _ball(self.scale)), count, squares, count == 1)

    def _simple(self, point: Point, radius: Fraction, work: int) -> dict[sp.MatrixSymbol, Any]:
        """<q, w>^2 = -(q^T C G U) adj(D) (V G B q) / tr(adj(D) D'): the residue of q^T (M - x)^{-1} q, over the whole enclosure
        of the outlier."""
        accuracy = self.digits + 8
        values = self.branch.values(point.x, radius)
        g = self.branch.around(point, radius, accuracy)
        slope = self.branch.slope_of(g, values, work)
        matrix, change = self._matrix(g), self._matrix(slope, True)
        adjugate = _adjugate(matrix)
        bottom = (adjugate * change).trace()
        return {q: (-self._form(q, adjugate, g) / bottom).real for q in self.finite.probes}

    def _multiple(self, point: Point, work: int) -> dict[sp.MatrixSymbol, Any]:
        """The same residue at an eigenvalue of any multiplicity, by symmetric differences: of second order in the step."""
        step = self.scale / 10 ** (self.digits // 2 + 5)
        total: dict[sp.MatrixSymbol, Any] = dict.fromkeys(self.finite.probes, arb(0))
        for side in (step, -step):
            g = self.branch.at(point.x + side, work, point.g).g
            inverse = self._matrix(g).inv()
            for q in self.finite.probes:
                total[q] -= (self._form(q, inverse, g) * _ball(side) / 2).real
        return {q: arb(value.mid()) for q, value in total.items()}

    def _form(self, q: sp.MatrixSymbol, matrix: acb_mat, g: Any) -> Any:
        left = acb_mat([[self._value(cell, g) for cell in self.finite.left[q]]])
        right = acb_mat([[self._value(cell, g)] for cell in self.finite.right[q]])
        return (left * matrix * right)[0, 0]


def _agree(left: Point, right: Point) -> bool:
    """Whether two solutions at one x are one."""
    gap = max(float(abs(a.mid() - b.mid())) for a, b in zip(left.g, right.g, strict=True))
    return gap < 1e-20 * (1 + max(float(abs(a.mid())) for a in left.g))


def _adjugate(matrix: acb_mat) -> acb_mat:
    size = matrix.nrows()

    def minor(i: int, j: int) -> Any:
        rows = [[matrix[a, b] for b in range(size) if b != j] for a in range(size) if a != i]
        return acb_mat(rows).det() if rows else acb(1)

    return acb_mat([[(-1) ** (i + j) * minor(j, i) for j in range(size)] for i in range(size)])


def shown(ball: Any, digits: int, scale: Any) -> sp.Expr:
    """A number with the digits asked for; 0 where it is below the last of them beside ``scale``, a positive ball."""
    if not proves(ball, digits) and abs(ball) < scale * arb(10) ** -(digits + 5):
        return sp.Float(0, digits)
    return as_float(ball, digits)


def _ball(x: Fraction) -> arb:
    return arb(x.numerator) / x.denominator


def _to_fraction(x: arb) -> Fraction:
    mantissa, exponent = (int(part) for part in x.mid().man_exp())
    return Fraction(mantissa) * Fraction(2) ** exponent
