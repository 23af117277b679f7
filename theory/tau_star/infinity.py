"""J(kappa) as kappa -> +-oo, for activations whose behaviour at infinity is known."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise, product
from math import comb, exp, factorial, pi, sqrt

import sympy as sp
from flint import arb

from pencils.exact.balls import enclose
from pencils.exact.numbers import working_precision
from theory.functions.asymptotes import Asymptotes, asymptotes
from theory.functions.bounds import bounds
from theory.functions.closed_means import closed_form
from theory.functions.language import variable
from theory.functions.majorant import majorant, slow_growth
from theory.functions.normal_form import canonical
from theory.functions.quadratics import UnknownError
from theory.quadrature.half_line import expectation_ball
from theory.quadrature.line import sup_between
from theory.tau_star.objective import Objective

_BITS = 80
_UP = 1 + 2**-30


@dataclass(frozen=True)
class Tail:
    """J(kappa) > level for every kappa beyond ``start`` on one side (infinite: not shown), because of ``why``; ``limit`` is the
    enclosure of J at infinity where it has a finite one."""

    start: float
    why: str
    limit: arb | None = None


def tail(objective: Objective, side: int, level: float) -> Tail:
    """Where J is shown to stay above ``level`` as kappa -> side * oo."""
    with working_precision(_BITS):
        _, s, _, _ = objective.constants(_BITS)
        target = _target_norm(objective)
        known = asymptotes(objective.f)
        if known is not None and known.degree >= 1:
            return _growing(known, float(s.abs_upper()) * (target + sqrt(level)) * _UP)
        if known is not None:
            return _bounded(objective, known, side, level)
        return (
            _oscillating(objective, target, float(s.abs_upper()), level)
            or _convex(objective, target, level)
            or Tail(float("inf"), "nothing is known of sigma at infinity")
        )


def _bounded(objective: Objective, known: Asymptotes, side: int, level: float) -> Tail:
    """S(kappa z) = step(z) + D(kappa z), with D small in L^1 and L^2 of the line, so that with J_oo = E(sigma* - step)^2
    J^(1/2) >= J_oo^(1/2) - |D|_2 (2 pi)^(-1/4) kappa^(-1/2) and J >= J_oo - 2 int |sigma* - step| phi |D(kappa z)| dz."""
    limit = limit_at_infinity(objective, side)
    _, s, _, _ = objective.constants(_BITS)
    scale, least = float(s.abs_lower()) / _UP, max(float(limit.lower()), 0.0)
    jump = float(abs(enclose(known.right[0] - known.left[0], {})).abs_upper()) * _UP
    square = sum(c1 * c2 * 2 / (a1 + a2) for (c1, a1), (c2, a2) in product(known.decay, known.decay))
    # the step's own part is Phi(-|m|) times the jump: int Phi(-|m|)^2 dm = (sqrt 2 - 1)/sqrt pi
    second = (sqrt(square) + jump * sqrt((sqrt(2) - 1) / sqrt(pi))) / scale * _UP
    gap, root_gap = least / _UP - level, sqrt(least) / _UP - sqrt(level) * _UP
    starts = [float("inf")]
    if root_gap > 0:
        starts.append(second**2 / (sqrt(2 * pi) * root_gap**2) * _UP)
    if gap > 0:
        starts.append(_first_order(_densities(objective, known), known, jump, scale, gap))
    return Tail(min(starts), "sigma has limits at +-oo: J tends to its distance to a step", limit)


def _first_order(densities: list[tuple[float, float]], known: Asymptotes, jump: float, scale: float, gap: float) -> float:
    """kappa beyond which 2 int |sigma* - step| phi |D(kappa z)| dz < gap: the part |z| <= delta, and the rest.

    int_{|m| > M} E d(m + xi) dm is at most int_{|t| > M/2} d + |d|_1 P(|xi| > M/2), and int Phi(-|m|) dm = sqrt(2/pi)."""

    def mass(beyond: float) -> float:
        rest = sum(2 * c / a * min(1.0, exp(-a * beyond / 2) + exp(-(beyond**2) / 8)) for c, a in known.decay)
        return (rest + jump * sqrt(2 / pi) * exp(-(beyond**2) / 2)) / scale * _UP

    kappa, worst = 1.0, max(density for _, density in densities)
    while kappa < 1e6:
        near = 0.0
        for delta, density in densities:
            near = max(near, density)
            if 2 * (near * mass(0) + worst * mass(delta * kappa)) / kappa * _UP < gap:
                return kappa
        kappa *= 1.125
    return float("inf")


def _densities(objective: Objective, known: Asymptotes) -> list[tuple[float, float]]:
    """(end of cell, upper bound of (|sigma*(z)| + |step|) phi(z)) on cells of |z| that cover the half-line."""
    c, s, c_star, s_star = objective.constants(_BITS)
    step = max(float((abs(arb(enclose(end[0], {})) - c) / s).abs_upper()) for end in (known.left, known.right)) * _UP
    shift, scale = float(abs(c_star).abs_upper()), float(s_star.abs_lower()) / _UP
    found = [
        (right, ((height + shift) / scale + step) * exp(-left * left / 2) / sqrt(2 * pi) * _UP)
        for left, right, height in _cells(objective.g)
    ]
    last = found[-1][0]
    a, b, c2 = slow_growth(objective.g, 0.125)
    if b + (2 * c2 - 1) * last >= 0:  # the bound of |sigma*| phi does not fall yet
        return [*found, (float("inf"), float("inf"))]
    beyond = ((exp(a + b * last + c2 * last**2) + shift) / scale + step) * exp(-(last**2) / 2) / sqrt(2 * pi)
    return [*found, (float("inf"), beyond * _UP)]


@lru_cache(maxsize=64)
def _cells(g: sp.Expr) -> list[tuple[float, float, float]]:
    """(left, right, sup |g|) for left <= |z| <= right on cells that cover |z| <= 12."""
    cuts = [0, 1 / 16, 1 / 8, *(k / 4 for k in range(1, 17)), *range(5, 13)]
    return [(a, b, max(sup_between(g, a, b), sup_between(g, -b, -a))) for a, b in pairwise(cuts)]


def _target_norm(objective: Objective) -> float:
    """Upper bound of |r|, r = sigma* + c/s."""
    c, s, _, _ = objective.constants(_BITS)
    return float((objective.energy.ball(_BITS).sqrt() + abs(c / s)).abs_upper()) * _UP


def _growing(known: Asymptotes, wanted: float) -> Tail:
    """|S(kappa z)| >= kappa^q L - Q(kappa) in L^2 for kappa >= 1, Q of degree q - 1 with coefficients >= 0."""
    q = known.degree
    ends = [abs(float(side[q])) if q < len(side) else 0.0 for side in (known.left, known.right)]
    lead = sqrt((ends[0] ** 2 + ends[1] ** 2) / 2 * _even(q)) / _UP
    lower = [max(abs(float(side[k])) if k < len(side) else 0.0 for side in (known.left, known.right)) for k in range(q)]
    lower[0] += sum(c for c, _ in known.decay)
    slack = [b * sqrt(_even(k)) * 2**k for k, b in enumerate(lower)]
    for j in range(q):  # |l(m + xi) - l(m)| <= q max|c| |xi| (|m| + |xi|)^(q-1)
        slack[j] += q * max(ends) * comb(q - 1, j) * sqrt(_even(j) * _even(q - j))
    start = 1.0
    while start < 1e6:
        if lead * start**q - sum(b * start**j for j, b in enumerate(slack)) * _UP > wanted:
            return Tail(start, f"sigma grows like |t|^{q}: J grows like kappa^{2 * q}")
        start *= 1.25
    return Tail(float("inf"), "sigma grows, but the bound starts beyond 10^6")


def _even(k: int) -> float:
    """E z^(2k)."""
    return factorial(2 * k) / (2**k * factorial(k))


def limit_at_infinity(objective: Objective, side: int) -> arb:
    """lim J = E(sigma* - step)^2 for sigma with limits at +-oo, as kappa -> side * oo."""
    known = asymptotes(objective.f)
    assert known is not None and known.degree == 0
    left, right = (known.left[0], known.right[0]) if side > 0 else (known.right[0], known.left[0])
    c, s, _, s_star = objective.constants(_BITS)
    low, high = ((arb(enclose(value, {})) - c) / s for value in (left, right))
    signed = objective.g * sp.sign(variable())
    exact = closed_form(signed)
    half = (arb(enclose(exact, {})) if exact is not None else expectation_ball(signed, _BITS)) / s_star
    mean = objective.teacher_mean(_BITS)
    # E sigma* step = mean (high + low)/2 + E sigma* sign (high - low)/2; a centring constant has E c* sign = 0
    cross = mean * (high + low) / 2 + half * (high - low) / 2
    return arb(objective.energy.ball(_BITS) - 2 * cross + (high**2 + low**2) / 2)


def _oscillating(objective: Objective, target: float, scale: float, level: float) -> Tail | None:
    """f = A sin(w t + p) or A cos(w t + p): S = exp(-w^2/2) f, and |E r S(kappa z)| <= exp(-w^2/2) A V/(w kappa) by parts, with
    V = int |(r phi)'| <= E|r'| + |r|."""
    x = variable()
    amplitude, wave = objective.f.as_independent(x, as_Add=False)
    if not isinstance(wave, (sp.sin, sp.cos)) or not wave.args[0].is_polynomial(x) or sp.degree(wave.args[0], x) != 1:
        return None
    slopes = _slopes(objective.g)
    if slopes is None:
        return None
    w = abs(float(sp.Poly(wave.args[0], x).all_coeffs()[0]))
    star = float(objective.constants(_BITS)[3].abs_lower())
    variation = (sum(a * sqrt(_even(k)) for k, a in enumerate(slopes)) / star + target) * _UP
    size, damping = abs(float(amplitude)) / scale, exp(-w * w / 2)
    c, s, _, _ = objective.constants(_BITS)
    floor = float((objective.energy.ball(_BITS) + 2 * c / s * objective.teacher_mean(_BITS) + (c / s) ** 2).lower())  # |r|^2
    start = 1.0
    while start < 1e6:
        square = (size * damping) ** 2 * (1 - exp(-2 * (w * start) ** 2)) / 2
        if floor + square - 2 * size * damping * variation / (w * start) > level * _UP + 1e-12:
            return Tail(start, "sigma oscillates: the overlap with the teacher falls like 1/kappa, the norm does not")
        start *= 1.25
    return Tail(float("inf"), "sigma oscillates, and J tends to a limit that is not above its least value")


def _slopes(g: sp.Expr) -> tuple[float, ...] | None:
    """Majorant of |g'|; None where g may jump or none is known."""
    g = canonical(g)
    if g.has(sp.sign, sp.Piecewise):
        return None
    # as the derivative of log(2 cosh u) has it
    return majorant(sp.diff(g, variable()).replace(sp.sinh, lambda u: sp.tanh(u) * sp.cosh(u)))


def _convex(objective: Objective, target: float, level: float) -> Tail | None:
    """For f'' >= 0 the mean E f(u), u ~ N(0, 1 + kappa^2), grows with |kappa| (Jensen), and |J|^(1/2) >= E S/s - |r|."""
    x = variable()
    try:
        if bounds(sp.diff(objective.f, x, 2)).sign != 1:
            return None
    except UnknownError:
        return None
    s = float(objective.constants(_BITS)[1].abs_upper())
    for start in (0.5, 1, 1.5, 2, 3, 4, 6, 8):
        scaled = objective.f.subs(x, sp.sqrt(1 + sp.Rational(start) ** 2) * x)
        exact = closed_form(scaled)
        if exact is not None and float(arb(enclose(exact, {})).lower()) / s / _UP - target > sqrt(level):
            return Tail(float(start), "sigma is convex: the mean of S(kappa z) grows with |kappa|")
    return None
