"""J(kappa) > level on an interval, proved by covering it with proven lower bounds around points.

On |delta| <= r, with S_k = d^k/dkappa^k S(kappa z) in L^2 and J(c)^(1/2) = |r - S_0|, Taylor's formula gives
J(c + delta)^(1/2) >= |r - S_0 - delta S_1| - r^2/2 |S_2| - r^3/6 sup |S_3|, and the first norm is known exactly.
"""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from pencils.errors import PrecisionError
from pencils.exact.numbers import working_precision
from theory.tau_star.objective import Objective, Point

LOW_BITS = 22
MAX_EVALUATIONS = 250
_SMALLEST = 2.0**-14


class LowerError(Exception):
    """A point with a smaller value than the candidate was met."""

    def __init__(self, kappa: Fraction) -> None:
        self.kappa = kappa


def value_at(objective: Objective, kappa: Fraction, orders: int = 3, bits: int = LOW_BITS) -> Point:
    """J and its derivatives at a point, as far as they are asked for, to few bits."""
    return objective.at(kappa, bits, orders)


def third_derivative(objective: Objective, centre: Fraction, radius: float) -> float:
    """sup |S_3| within the radius."""
    middle = abs(float(centre))
    return objective.third(max(0.0, (middle - radius) * (1 - 2**-40)), (middle + radius) * (1 + 2**-40))


def root_above(square: arb) -> arb:
    """An upper bound of the root of a number that is not negative."""
    return arb(arb(max(float(square.abs_upper()), 0.0) * (1 + 2**-40)).sqrt())


def cover(objective: Objective, start: float, stop: float, level: float) -> str:
    """Show J > level on [start, stop]; "" when shown, else what failed. Raises LowerError at a point below the level."""
    stack = _pieces(start, stop)
    count = 0
    while stack:
        left, right = stack.pop()
        centre = Fraction(round((left + right) / 2 * 2**20), 2**20)
        half = max(right - float(centre), float(centre) - left) * (1 + 2**-40)
        try:
            point = value_at(objective, centre)
            if point.value.rad() > abs(point.value - level) / 4:
                point = value_at(objective, centre, 3, 2 * LOW_BITS)
        except PrecisionError as error:
            return f"J at kappa = {float(centre):.3g} could not be computed: {error}"
        count += 1
        if point.value.upper() < level:
            raise LowerError(centre)
        radius = _excluded(objective, point, centre, half, level)
        if radius >= half:
            continue
        if radius < _SMALLEST or count > MAX_EVALUATIONS:
            return f"J comes too near to its least value at kappa = {float(centre):.6g}"
        stack += [(left, float(centre) - radius), (float(centre) + radius, right)]
        stack = [(a, b) for a, b in stack if a < b]
    return ""


def _pieces(start: float, stop: float) -> list[tuple[float, float]]:
    """[start, stop] in pieces of length at most 1 near 0 and a third of their distance from it farther out."""
    found, left = [], start
    while left < stop:
        right = min(stop, left + max(1.0, abs(left) / 4))
        found.append((left, right))
        left = right
    return found


def _excluded(objective: Objective, point: Point, centre: Fraction, half: float, level: float) -> float:
    """The largest of a few radii, at most ``half``, within which J > level is proved; 0 when none."""
    radius = half
    with working_precision(64):
        goal = arb(max(level, 0.0)).sqrt()
        bend = root_above(point.bend) if point.bend is not None else arb("inf")
        while radius >= _SMALLEST:
            r, third = arb(radius), third_derivative(objective, centre, radius)
            nearest = _nearest(point, r)
            if nearest > 0 and nearest.sqrt() - r**2 / 2 * bend - r**3 / 6 * third > goal:
                return radius
            radius *= 0.75
    return 0.0


def _nearest(point: Point, r: arb) -> arb:
    """Lower bound of J + delta J' + delta^2 |S_1|^2 over |delta| <= r."""
    assert point.slope is not None and point.speed is not None
    if point.speed > 0 and abs(point.slope) > 2 * point.speed * r:
        return arb((point.value - abs(point.slope) * r + point.speed * r**2).lower())
    if point.speed > 0:
        return arb((point.value - point.slope**2 / (4 * point.speed)).lower())
    return arb((point.value - abs(point.slope) * r).lower())
