"""Quadrature of int f(t) g(t) dt for one function f and many entire g of Gaussian type, with proven error.

Where f is analytic in a strip |Im t| < a the trapezoid rule of step h errs by about exp(-2 pi a/h); where f has kinks,
Gauss-Legendre rules on panels that end at them err by rho^(-2n), rho the ellipse of analyticity. Bounds of |f| on the strip or the
ellipses are taken from ball arithmetic on boxes, which also shows that f is analytic there.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import ceil, exp, floor, log, pi
from typing import Any

import sympy as sp
from flint import acb, arb, ctx

from pencils.errors import PrecisionError
from pencils.exact.balls import compile_balls, enclose
from pencils.exact.numbers import working_precision
from theory.functions.language import variable
from theory.functions.normal_form import Branch, canonical, pieces

HEIGHTS = (4.0, 3.0, 2.0, 1.5, 1.25, 1.0, 0.75, 0.5, 0.375, 0.25, 0.125, 0.0625, 0.03125)
ELLIPSES = (24.0, 16.0, 12.0, 8.0, 6.0, 4.0, 3.0, 2.0, 1.5, 1.25)
LENGTHS, _HIGHEST = (4, 2, 1), 9.0  # of panels; no ellipse is higher
MAX_NODES = 60_000
_DEPTH, _TAME = 5, 100.0  # boxes are halved until the bound is tame, at most this often
_BITS = 64


@dataclass(frozen=True, eq=False)
class LineRule:
    """int_{-T}^{T} f g = sum_j weights[j] g(nodes[j]) + error, T >= reach; the weights hold f.

    For g entire with |g(x + iy)| <= G exp(curvature y^2/2) for |y| <= height, and G_end instead of G at |x| = T, the
    error is at most G ``interior`` + G_end ``edge``. ``step`` is the spacing of a trapezoid rule with nodes at its multiples
    (the middle one is 0), None for panels, whose (middle, half-length) are in ``panels``; each has as many nodes, at the same
    places relative to its length. ``size`` bounds |f| on [-T, T].
    """

    nodes: tuple[arb, ...]
    weights: tuple[arb, ...]
    end: float
    height: float
    interior: arb
    edge: arb
    size: float
    step: float | None
    panels: tuple[tuple[arb, arb], ...] = ()


def line_rule(f: sp.Expr, reach: float, bits: int, curvature: float, step: float | None = None) -> LineRule:
    """A rule for f on [-reach, reach] with ``interior`` near 2^-bits, at the current working precision.

    ``step`` is an upper bound of a trapezoid rule's spacing. Raises PrecisionError where no strip or ellipse of analyticity was
    found, or where too many nodes would be needed.
    """
    # Rounded up, so that neighbouring requests share a rule.
    return _rule(f, float(ceil(reach)), bits, ceil(4 * curvature) / 4, step, ctx.prec)


@lru_cache(maxsize=512)
def _rule(f: sp.Expr, reach: float, bits: int, curvature: float, step: float | None, precision: int) -> LineRule:
    branches = _branches(f)
    if branches is not None and len(branches) == 1:
        return _trapezoid(branches[0][2], reach, bits, curvature, step)
    if branches is None:
        raise PrecisionError(f"{f}: its kinks are not at points that are known exactly, so no quadrature rule has a proven error")
    return _panels(branches, reach, bits, curvature, str(f))


@lru_cache(maxsize=256)
def _branches(f: sp.Expr) -> list[Branch] | None:
    smooth = not f.has(sp.Abs, sp.Max, sp.Min, sp.sign, sp.Heaviside, sp.Piecewise)
    return [(-sp.oo, sp.oo, f)] if smooth else pieces(canonical(f), -sp.oo, sp.oo)


@lru_cache(maxsize=256)
def _compiled(f: sp.Expr) -> Any:
    return compile_balls(f, [variable()])


def _ball(low: float, high: float) -> arb:
    return arb((low + high) / 2, (high - low) / 2 * (1 + 2**-40))


@lru_cache(maxsize=100_000)
def _cell(f: sp.Expr, place: int, height: float) -> float:
    """Upper bound of |f| on place <= Re t <= place + 1, |Im t| <= height; infinite unless f is shown to be analytic there."""
    with working_precision(_BITS):  # the conjugate half has the same modulus
        return _box(_compiled(f), (place, place + 1, 0.0, height), 0)


def _box(function: Any, corners: tuple[float, float, float, float], depth: int) -> float:
    left, right, low, high = corners
    value = abs(acb(function(acb(_ball(left, right), _ball(low, high)), analytic=True))).abs_upper()
    bound = float(value) * (1 + 2**-40) if value.is_finite() else float("inf")
    if depth == _DEPTH or (bound < _TAME and depth >= 1) or (bound < float("inf") and depth >= 3):
        return bound
    middle = (left + right) / 2
    rows = [(low, (low + high) / 2), ((low + high) / 2, high)] if high - low > 2**-8 else [(low, high)]
    worst = 0.0
    for row in reversed(rows):  # singularities lie farther up
        for side in ((left, middle), (middle, right)):
            worst = max(worst, _box(function, (*side, *row), depth + 1))
            if worst == float("inf"):
                return worst
    return worst


@lru_cache(maxsize=4096)
def _sup(f: sp.Expr, low: float, high: float, height: float) -> float:
    """Upper bound of |f| on low <= Re t <= high, |Im t| <= height; infinite where analyticity was not shown."""
    worst = 0.0
    # from the middle outwards: poles are near 0 more often than far from it
    for place in sorted(range(floor(low), floor(high) + 1), key=abs):
        worst = max(worst, _cell(f, place, height))
        if worst == float("inf"):
            break
    return worst


def real_sup(f: sp.Expr, reach: float) -> float:
    """Upper bound of |f| on [-reach, reach], kinks allowed."""
    branches = _branches(f)
    assert branches is not None
    worst = 0.0
    for low, high, branch in branches:
        ends = [_float(low, -reach), _float(high, reach)]
        if ends[0] < reach and ends[1] > -reach:
            worst = max(worst, _sup(branch, max(ends[0], -reach), min(ends[1], reach), 2**-10))
    return worst


def sup_between(f: sp.Expr, low: float, high: float) -> float:
    """Upper bound of |f| on the real interval [low, high], kinks allowed."""
    worst = 0.0
    with working_precision(_BITS):
        for left, right, branch in _branches(f) or [(-sp.oo, sp.oo, f)]:
            ends = max(_float(left, low), low), min(_float(right, high), high)
            if ends[0] <= ends[1]:
                worst = max(worst, _box(_compiled(branch), (*ends, 0.0, 2.0**-10), 0))
    return worst


def _float(end: sp.Expr, unbounded: float) -> float:
    return unbounded if end.is_infinite else float(arb(enclose(end, {})).mid())


def _trapezoid(f: sp.Expr, reach: float, bits: int, curvature: float, step: float | None) -> LineRule:
    """Contour integration of f g cot(pi t/h)/(2i) around [-T, T] x [-a, a], T half-way between nodes."""
    best: tuple[float, float, float] | None = None
    for height in HEIGHTS:
        if best is not None and height < best[1] / 3:
            break
        sup = _sup(f, -reach - 1, reach + 1, height)
        if sup == float("inf"):
            continue
        need = bits * log(2) + log(4 * (2 * reach + 2) * (sup + 1e-300)) + curvature * height**2 / 2
        spacing = 2 * pi * height / max(need, 1.0)
        if best is None or spacing > best[0]:
            best = spacing, height, sup
    if best is None:
        raise PrecisionError(f"{f}: no strip around the real line was found in which it is analytic")
    spacing, height, sup = best
    spacing = min(spacing, 1.0, step or 1.0)
    spacing = 2.0**-10 * max(1, int(spacing * 2**10)) if spacing > 2**-6 else 2.0**-20 * max(1, int(spacing * 2**20))
    count = int(reach / spacing) + 1
    if count > MAX_NODES:
        raise PrecisionError(f"{f}: {2 * count + 1} nodes would be needed; at most {2 * MAX_NODES} are taken")
    h, function = arb(spacing), _compiled(f)
    nodes = tuple(h * j for j in range(-count, count + 1))
    weights = tuple(h * arb(function(t)) for t in nodes)
    q = (-2 * arb.pi() * height / h).exp()
    lift = (arb(curvature) * arb(height) ** 2 / 2).exp() * arb(sup)
    end = (count + 0.5) * spacing
    # Both horizontal sides; and both halves of both vertical ones, where the weight exp(-2 pi |y|/h) times
    # exp(curvature y^2/2) is log-convex in |y|, so largest at one of the two ends of a half.
    interior, edge = 2 * arb(2 * end) * lift * q / (1 - q), 4 * arb(height) * (arb(sup) + lift * q)
    return LineRule(nodes, weights, end, height, interior, edge, _sup(f, -end, end, 2**-10), spacing)


def _panels(branches: list[Branch], reach: float, bits: int, curvature: float, name: str) -> LineRule:
    """Gauss-Legendre on panels: |error| <= (64/15) (length/2) M rho^(-2n)/(1 - rho^(-2)) on each, M a bound on the ellipse."""
    reach += 1  # beyond which no branch point may lie outside [-reach, reach] unnoticed
    best: tuple[int, int, float, int, float, float] | None = None
    for length in LENGTHS:
        cuts = _cuts(branches, reach, length)
        for rho in ELLIPSES:
            height, width = length * (rho - 1 / rho) / 4, length * (rho + 1 / rho) / 4
            if height > _HIGHEST:
                continue
            sup = 0.0
            for left, right, branch in cuts:
                middle = (float(left.mid()) + float(right.mid())) / 2
                sup = max(sup, _sup(branch, middle - width, middle + width, height))
                if sup == float("inf"):
                    break
            if sup == float("inf"):
                continue
            lift = log(3 * length * len(cuts) * (sup + 1e-300)) + curvature * height**2 / 2 - log(1 - rho**-2)
            count = max(2, ceil((bits * log(2) + lift) / (2 * log(rho))))
            if best is None or count * len(cuts) < best[0]:
                best = count * len(cuts), length, rho, count, height, sup
    if best is None or best[0] > MAX_NODES:
        raise PrecisionError(f"{name}: between its kinks no region was found in which it is analytic and the rule short enough")
    _, length, rho, count, height, sup = best
    cuts, nodes, weights, panels = _cuts(branches, reach, length), [], [], []
    for left, right, branch in cuts:
        half, middle, function = (right - left) / 2, (right + left) / 2, _compiled(branch)
        panels.append((middle, half))
        for root, weight in _legendre(count):
            t = middle + half * root
            nodes.append(t)
            weights.append(half * weight * arb(function(t)))
    ratio = arb(rho)
    interior = (
        arb(64)
        / 15
        * (arb(length) / 2)
        * len(cuts)
        * arb(sup)
        * (arb(curvature) * arb(height) ** 2 / 2).exp()
        * ratio ** (-2 * count)
        / (1 - ratio**-2)
    )
    return LineRule(tuple(nodes), tuple(weights), reach, height, interior, arb(0), sup, None, tuple(panels))


def _cuts(branches: list[Branch], reach: float, length: int) -> list[tuple[arb, arb, sp.Expr]]:
    """Panels (left, right, branch) that tile [-reach, reach], ends at multiples of ``length`` and at the breakpoints."""
    found = []
    for low, high, branch in branches:
        left = arb(-reach) if low.is_infinite else arb(enclose(low, {}))
        right = arb(reach) if high.is_infinite else arb(enclose(high, {}))
        if left < -reach or right > reach:
            raise PrecisionError(f"a kink beyond {reach}: the rule would have to reach farther")
        first, last = floor(float(left.mid()) / length), ceil(float(right.mid()) / length)
        inner = [k * length for k in range(first, last + 1) if left < k * length < right]
        ends = [left, *map(arb, inner), right]
        found += [(ends[k], ends[k + 1], branch) for k in range(len(ends) - 1)]
    return found


def _legendre(count: int) -> tuple[tuple[arb, arb], ...]:
    """Nodes and weights on [-1, 1] at the current working precision."""
    return _legendre_at(count, ctx.prec)


@lru_cache(maxsize=64)
def _legendre_at(count: int, bits: int) -> tuple[tuple[arb, arb], ...]:
    return tuple(arb.legendre_p_root(count, k, weight=True) for k in range(count))


def gaussian_tail(a: float, b: float, c: float, power: int, cut: float) -> arb:
    """Upper bound of 2 int_cut^oo x^power exp(a + b x + c x^2) phi(x) dx; infinite where the slope at ``cut`` is not negative.

    x^power <= cut^power exp(power (x - cut)/cut), and the exponent lies below its tangent at the cut (c < 1/2).
    """
    slope = (1 - 2 * c) * cut - b - power / cut
    if c >= 0.5 or slope <= 0:
        return arb("inf")
    x = arb(cut)
    exponent = arb(a) + arb(b) * x + (arb(c) - arb(0.5)) * x**2
    return 2 * x**power * exponent.exp() / (2 * arb.pi()).sqrt() / arb(slope * (1 - 2**-30))


def cut_for(a: float, b: float, c: float, power: int, bits: int) -> float:
    """A cut, a multiple of 1/4, beyond which ``gaussian_tail`` is below 2^-bits; infinite where there is none below 200."""
    goal, cut = exp(-bits * log(2)) if bits < 1000 else 0.0, 2.0
    while cut < 200:
        tail = gaussian_tail(a, b, c, power, cut)
        if tail.is_finite() and (tail < goal if goal else tail < arb(2) ** -bits):
            return cut
        cut += 0.25
    return float("inf")
