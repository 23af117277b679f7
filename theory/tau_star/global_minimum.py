"""The global minimum of J(kappa), certified: a convex core around the minimum, a covering of the rest of a bracket by proven
lower bounds, and a bound beyond the bracket.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from pencils.errors import PrecisionError
from pencils.exact.numbers import bits_for, to_ball, working_precision
from theory.tau_star.covering import LOW_BITS, LowerError, cover, root_above, third_derivative, value_at
from theory.tau_star.infinity import Tail, tail
from theory.tau_star.objective import Objective

FARTHEST = 300.0  # no bracket is covered beyond
_UNBOUNDED = 12.0  # how far one is covered when nothing is known beyond, so that no proof can come of it
_GRID = tuple(Fraction(k, 4) for k in (0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16))


@dataclass(frozen=True)
class Minimum:
    """The minimum of J. ``kappa`` and ``tau`` are enclosures; ``kappa`` is the sign of an infinite minimiser (``at_infinity``),
    and exactly 0 where symmetry puts it there. ``certified`` says that no other kappa gives less; ``how`` says what was shown."""

    kappa: arb | None
    tau: arb
    at_infinity: int
    certified: bool
    bracket: tuple[float, float]
    both_signs: bool
    how: str


def minimise(objective: Objective, digits: int) -> Minimum:
    """The global minimum to ``digits`` digits. Raises PrecisionError where not even a candidate can be computed."""
    for side in (1, -1):
        end = tail(objective, side, 0.0)
        if end.limit is not None and end.limit.is_zero():
            return _at_infinity(objective, side, end)
    start = _lowest_on_grid(objective)
    for _ in range(8):
        candidate = _descend(objective, start)
        try:
            return _certify(objective, candidate, digits)
        except LowerError as lower:
            start = lower.kappa
    raise PrecisionError("J has so many nearly equal minima that none could be singled out")


def _lowest_on_grid(objective: Objective) -> Fraction:
    signs = (1,) if objective.even else (1, -1)
    found: list[tuple[float, Fraction]] = []
    for sign in signs:
        for kappa in _GRID:
            if kappa or sign == 1:
                try:
                    found.append((float(value_at(objective, sign * kappa, 1, 12).value.mid()), sign * kappa))
                except PrecisionError:
                    break  # E sigma(s u)^2 is infinite from here on
    if not found:
        raise PrecisionError("J could not be computed at any kappa tried")
    return min(found)[1]


def _descend(objective: Objective, start: Fraction) -> Fraction:
    """A stationary point near ``start``, to about LOW_BITS/2 bits: guarded Newton steps, for which nothing is claimed."""
    kappa, step, last = start, Fraction(1, 4), 0.0
    for _ in range(40):
        point = value_at(objective, kappa)
        assert point.slope is not None and point.curvature is not None and point.speed is not None
        slope, curvature = float(point.slope.mid()), float(point.curvature.mid())
        if curvature <= 0:
            # not convex here: the Gauss-Newton curvature 2 |S_1|^2 instead, or a plain step at a maximum
            curvature = 2 * float(point.speed.mid())
        move = -slope / curvature if curvature > 1e-12 else -slope
        if move == 0 and float(point.curvature.mid()) < 0:
            move = float(step)
        if abs(move) > step:
            step = 2 * step if move * last > 0 else Fraction(1, 4)  # longer steps on a long way
            move = max(-float(step), min(float(step), move))
        last = move
        if abs(float(kappa) + move) > FARTHEST or abs(move) < 1e-6:
            break
        kappa += Fraction(round(move * 2**24), 2**24)
    if objective.even and abs(kappa) < Fraction(1, 2**10):
        return Fraction(0)
    return abs(kappa) if objective.even else kappa


@dataclass(frozen=True)
class _Core:
    """J'' >= ``convexity`` > 0 on |kappa - centre| <= radius, and J' vanishes inside."""

    centre: Fraction
    radius: float
    convexity: arb


def _core(objective: Objective, centre: Fraction) -> _Core | None:
    bits = LOW_BITS + 12
    point = value_at(objective, centre, 3, bits)
    assert point.slope is not None and point.curvature is not None and point.speed is not None and point.bend is not None
    slope = arb(0) if centre == 0 and objective.even else point.slope
    radius = 0.25
    while radius >= 2.0**-12:
        with working_precision(64):
            width = arb(radius)
            third = arb(third_derivative(objective, centre, radius))
            bend = root_above(point.bend) + width * third
            speed = root_above(point.speed) + width * bend
            distance = root_above(point.value) + width * speed
            # |J'''| <= 6 |S_1||S_2| + 2 J^(1/2) |S_3|
            least = point.curvature - width * (6 * speed * bend + 2 * distance * third)
            if least > point.curvature / 4 and least > 0 and abs(slope) < least * width:
                return _Core(centre, radius, arb(least.lower()))
        radius *= 0.7
    return None


def _certify(objective: Objective, candidate: Fraction, digits: int) -> Minimum:
    point = value_at(objective, candidate, 3, LOW_BITS + 12)
    level = float(point.value.upper()) * (1 + 2**-40)
    tails = [tail(objective, side, max(level, 0.0)) for side in (1, -1)]
    for side, found in zip((1, -1), tails, strict=True):
        if (found.limit is not None and found.limit.upper() < point.value.lower()) or abs(candidate) > FARTHEST:
            return _at_infinity(objective, side, found)
    core = _core(objective, candidate)
    if core is None:
        return _uncertified(objective, candidate, digits, "J'' > 0 could not be shown around the minimum")
    low, high = candidate - Fraction(core.radius), candidate + Fraction(core.radius)
    ends = [min(max(found.start, 1.0), 1e9) for found in tails]
    reached = [end if end <= FARTHEST else _UNBOUNDED for end in ends]
    sides = [(float(high), max(reached[0], float(high)))]
    sides.append((max(0.0, -reached[1]), float(low)) if objective.even else (min(-reached[1], float(low)), float(low)))
    failure = ""
    for start, stop in sides:
        if start < stop:
            failure = failure or cover(objective, start, stop, level)
    beyond = [found for found in tails if found.start > FARTHEST]
    if objective.even:
        beyond = beyond[:1]
    kappa, tau = _polish(objective, core, digits)
    bracket = (-reached[1], reached[0])
    both = objective.even and not (kappa.is_zero())
    if failure or beyond:
        reason = failure or f"beyond |kappa| = {_UNBOUNDED:g}: {beyond[0].why}"
        return Minimum(
            kappa,
            tau,
            0,
            False,
            bracket,
            both,
            f"digits: a minimum, proved to be one; that no other is lower was not shown ({reason})",
        )
    how = (
        f"certified: J'' > 0 within {core.radius:.3g} of kappa, J is larger on the rest of [{bracket[0]:.4g}, {bracket[1]:.4g}] "
        f"(proven lower bounds), and beyond it ({tails[0].why})"
    )
    return Minimum(kappa, tau, 0, True, bracket, both, how)


def _polish(objective: Objective, core: _Core, digits: int) -> tuple[arb, arb]:
    """Enclosures of the root of J' in the core and of J there, by Newton steps and J'' >= convexity."""
    goal = bits_for(digits)
    if core.centre == 0 and objective.even:
        return arb(0), objective.at(Fraction(0), goal, 1).value
    bits, kappa = 2 * LOW_BITS, core.centre
    curvature = value_at(objective, core.centre, 3, LOW_BITS + 12).curvature
    known, ceiling = LOW_BITS // 2, goal + 8
    while True:
        bits = min(max(2 * known + 12, 2 * LOW_BITS), ceiling)
        # Steps are divided by J'' at the last point but one, which is as good as Newton's once it is near.
        point = objective.at(kappa, bits, 3 if bits < goal // 2 + 16 else 2)
        curvature = point.curvature if point.curvature is not None else curvature
        assert point.slope is not None and curvature is not None
        with working_precision(bits + 40):
            error = abs(point.slope) / core.convexity
            if error.upper() < arb(2) ** (-goal + 6):
                break
            if bits >= ceiling and point.slope.contains(0):  # errors are larger than asked for where sigma grows fast
                if ceiling > 2 * goal + 300:
                    raise PrecisionError(f"the minimiser near {float(kappa):.6g} could not be located to {digits} digits")
                ceiling, known = ceiling + 64, ceiling + 64
                continue
            kappa = _rounded(kappa, -point.slope / curvature, bits)
            known = max(known, min(2 * known, goal))
    with working_precision(goal + 40):
        drop = point.slope**2 / (2 * core.convexity)
        tau = point.value - arb(drop.upper()) / 2 + arb(0, drop.upper()) / 2
        return arb(to_ball(kappa) + arb(0, error.upper())), arb(tau)


def _rounded(kappa: Fraction, move: arb, bits: int) -> Fraction:
    mantissa, exponent = move.mid().man_exp()
    step = Fraction(int(mantissa)) * Fraction(2) ** int(exponent)
    return Fraction(round((kappa + step) * 2**bits), 2**bits)


def _uncertified(objective: Objective, candidate: Fraction, digits: int, why: str) -> Minimum:
    point = objective.at(candidate, bits_for(digits), 1)
    return Minimum(
        arb(float(candidate)),
        point.value,
        0,
        False,
        (0.0, 0.0),
        objective.even and candidate != 0,
        f"not certified: {why}; kappa is where the search stopped and tau is J there",
    )


def _at_infinity(objective: Objective, side: int, found: Tail) -> Minimum:
    limit = found.limit
    if limit is None:
        raise PrecisionError(f"J falls on beyond kappa = {FARTHEST:g}, and its limit is not known: {found.why}")
    zero = bool(limit.contains(0))
    how = "the infimum is not attained: J falls towards its limit at infinity; that J stays above the limit is " + (
        "clear, because it is 0" if zero else "not proved (digits)"
    )
    return Minimum(None, limit, side, zero, (float("-inf"), float("inf")), objective.even, how)
