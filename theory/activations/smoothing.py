"""Gaussian smoothing S(m) = E f(m + xi), xi ~ N(0, 1), of a function of the line: in closed form, or with proven error.

S^(k)(m) = E He_k(xi) f(m + xi) by Stein's lemma, so that f need not be differentiable. By the Cameron-Martin formula
S(m) = E f(xi) exp(m xi - m^2/2), which keeps the kinks of f where they are.
"""

from __future__ import annotations

from functools import lru_cache
from math import floor, log
from typing import Any

import sympy as sp
from flint import arb, arb_mat, arb_poly

from pencils.errors import InputError, PrecisionError
from pencils.exact.balls import compile_balls
from theory.functions.closed_means import hermite_closed_form
from theory.functions.growth import growth_bound
from theory.functions.language import variable
from theory.functions.majorant import slow_growth
from theory.functions.normal_form import MAX_TERMS, canonical, count_terms
from theory.quadrature.line import LineRule, cut_for, gaussian_tail, line_rule, real_sup

ORDERS = 3  # S, S' and S''
_BLOCK = 64


@lru_cache(maxsize=256)
def closed_smoothing(f: sp.Expr) -> sp.Expr | None:
    """S(m) in ``theory.functions.language.variable()``, or None where no rule of ``theory.functions.closed_means`` gives it.

    Found for sums and products of polynomials, exponentials of quadratics, sin, cos and one erf, with breakpoints where the
    rest has no erf: erf, ReLU, sin, GELU, polynomials, exp.
    """
    x, m = variable(), sp.Symbol("m", real=True)
    tilted = canonical(f) * sp.exp(m * x)
    if count_terms(tilted) > MAX_TERMS:
        return None
    try:
        found = hermite_closed_form(sp.expand(tilted), 0)
    except (InputError, PrecisionError):
        return None
    if found is None:
        return None
    smooth = sp.expand(sp.powsimp(sp.expand(found * sp.exp(-(m**2) / 2))))
    return sp.powsimp(sp.factor_terms(smooth)).subs(m, x)


class Smoothing:
    """S and its derivatives for one f in ``variable()`` with E f(z)^2 < oo shown by ``growth_bound``.

    Raises PrecisionError where f has neither a closed form nor a quadrature rule with proven error.
    """

    def __init__(self, f: sp.Expr) -> None:
        self.f = f
        growth_bound(f)  # refuses an f without a second moment
        self.closed = closed_smoothing(f)

    @property
    def how(self) -> str:
        """How S is computed, in words."""
        return "closed form" if self.closed is not None else "quadrature with proven error"

    def reach(self, farthest: float, bits: int) -> float:
        """T so that E |f(m + xi) He_k(xi)| on |m + xi| > T is below 2^-bits for |m| <= farthest, k <= 2."""
        return farthest + cut_for(*self._shifted(farthest), 2, bits + 2)

    def _shifted(self, farthest: float) -> tuple[float, float, float]:
        """|f(m + x)| <= exp(a + b|x| + c x^2) for |m| <= farthest."""
        a, b, c = slow_growth(self.f, 1 / (8 + farthest))
        return (a + b * farthest + c * farthest**2) + 2**-30, (b + 2 * c * farthest) * (1 + 2**-40), c

    def bound(self, farthest: float, bits: int) -> float:
        """Upper bound of (E f(m + xi)^2)^(1/2) for |m| <= farthest."""
        reach = self.reach(farthest, bits)
        a, b, c = self._shifted(farthest)
        tail = gaussian_tail(2 * a, 2 * b, 2 * c, 0, reach - farthest)
        return real_sup(self.f, reach) + float(tail.sqrt().abs_upper()) * (1 + 2**-40)

    def at(self, points: list[arb], orders: int, bits: int) -> list[tuple[arb, ...]]:
        """Enclosures (S(m), ..., S^(orders - 1)(m)) at each point, quadrature errors near 2^-bits, at the working precision."""
        if self.closed is not None:
            functions = _derivatives(self.closed)[:orders]
            return [tuple(arb(function(m)) for function in functions) for m in points]
        farthest = max((float(abs(m).abs_upper()) for m in points), default=0.0)
        reach = self.reach(farthest, bits)
        if reach == float("inf"):
            raise PrecisionError(f"{self.f}: its smoothing at {farthest:.3g} needs a range of more than 200 standard deviations")
        rule = line_rule(self.f, reach, bits + 4, 1.0)
        room = rule.end - farthest
        window = cut_for(log(rule.size + 1) + 1, 0.0, 0.0, 2, bits + 4)
        left_out = arb(0)
        if rule.step is not None:
            left_out = rule.size * (window**2 * (-(arb(window) ** 2) / 2).exp() + gaussian_tail(0, 0, 0, 2, window))
        errors = []
        for k in range(orders):
            # |He_k(xi) phi(xi)| on the strip, against exp(y^2/2): at most (1 + a)^k, and at the ends what is left there
            inside = (1 + arb(rule.height)) ** k
            ends = (arb(room) + rule.height + 1) ** k * (-(arb(room) ** 2) / 2).exp()
            error = rule.interior * inside + rule.edge * ends + gaussian_tail(*self._shifted(farthest), k, room) * 2 + left_out * 2
            errors.append(arb(0, error.abs_upper()))
        return [
            tuple(value + error for value, error in zip(_hermite(moments, m), errors, strict=True))
            for m, moments in zip(points, _moments(rule, points, orders, window), strict=True)
        ]


@lru_cache(maxsize=256)
def _derivatives(closed: sp.Expr) -> list[Any]:
    x = variable()
    return [compile_balls(sp.diff(closed, x, k) if k else closed, [x]) for k in range(ORDERS)]


def _moments(rule: LineRule, points: list[arb], orders: int, window: float) -> list[list[arb]]:
    """sum_j w_j t_j^k phi(t_j - m), k < orders, at each m.

    On a lattice t_j = j h this is phi(m) times a polynomial in exp(m h), so that no exponential is taken inside the sum.
    """
    if rule.step is None:
        return _panel_moments(rule, points, orders)
    root = 1 / (2 * arb.pi()).sqrt()
    step, half = rule.step, len(rule.nodes) // 2
    h, blocks = arb(step), _blocks(rule, orders)
    found = []
    for m in points:
        # Nodes farther than the window from m are left out; what they hold is in the error.
        centre = float(m.mid()) / step + half
        first = max(0, min(len(blocks[0]) - 1, floor((centre - window / step) / _BLOCK)))
        last = max(first, min(len(blocks[0]) - 1, floor((centre + window / step + 1) / _BLOCK)))
        q = (m * h).exp()
        stride = q**_BLOCK
        scale = root * (-(m**2) / 2 + m * h * (first * _BLOCK - half)).exp()
        sums = []
        for column in blocks:
            total = arb(0)
            for block in column[last : first - 1 if first else None : -1]:
                total = total * stride + block(q)
            sums.append(scale * total)
        found.append(sums)
    return found


def _panel_moments(rule: LineRule, points: list[arb], orders: int) -> list[list[arb]]:
    """On panels t = c + o, with the offsets o shared: phi(t - m) = phi(m) exp(m c) exp(m o) exp(-t^2/2), so that the sums over
    the offsets are products of matrices."""
    found = [[arb(0)] * orders for _ in points]
    root = 1 / (2 * arb.pi()).sqrt()
    for middles, offsets, columns in _panel_groups(rule, orders):
        waves = arb_mat([[(m * o).exp() for m in points] for o in offsets])
        lifts = [[(m * c - m**2 / 2).exp() * root for m in points] for c in middles]
        for k, column in enumerate(columns):
            sums = (column * waves).tolist()
            for lift, row in zip(lifts, sums, strict=True):
                for place, (a, b) in enumerate(zip(lift, row, strict=True)):
                    found[place][k] += a * b
    return found


@lru_cache(maxsize=64)
def _panel_groups(rule: LineRule, orders: int) -> list[tuple[list[arb], list[arb], list[arb_mat]]]:
    """(middles, offsets, [w_j t_j^k exp(-t_j^2/2), a row for each panel]) of the panels that have one length."""
    count = len(rule.nodes) // len(rule.panels)
    damped = [[w * (-(t**2) / 2).exp() for w, t in zip(column, rule.nodes, strict=True)] for column in _columns(rule, orders)]
    groups: dict[str, list[int]] = {}
    for place, (_, half) in enumerate(rule.panels):
        groups.setdefault(str(half) if half.is_exact() else f"panel {place}", []).append(place)
    found = []
    for places in groups.values():
        first = places[0]
        offsets = [t - rule.panels[first][0] for t in rule.nodes[first * count : (first + 1) * count]]
        columns = [arb_mat([column[p * count : (p + 1) * count] for p in places]) for column in damped]
        found.append(([rule.panels[p][0] for p in places], offsets, columns))
    return found


@lru_cache(maxsize=64)
def _columns(rule: LineRule, orders: int) -> list[list[arb]]:
    """w_j t_j^k, k < orders."""
    columns = [list(rule.weights)]
    for _ in range(orders - 1):
        columns.append([w * t for w, t in zip(columns[-1], rule.nodes, strict=True)])
    return columns


@lru_cache(maxsize=64)
def _blocks(rule: LineRule, orders: int) -> list[list[arb_poly]]:
    """w_j t_j^k exp(-t_j^2/2) as coefficients of polynomials, _BLOCK of them in each."""
    damped = [(-(t**2) / 2).exp() for t in rule.nodes]
    columns = [[w * g for w, g in zip(column, damped, strict=True)] for column in _columns(rule, orders)]
    return [[arb_poly(column[k : k + _BLOCK]) for k in range(0, len(column), _BLOCK)] for column in columns]


def _hermite(moments: list[arb], m: arb) -> list[arb]:
    """From moments in t to E He_k(xi) f(m + xi), xi = t - m."""
    found = [moments[0]]
    if len(moments) > 1:
        found.append(moments[1] - m * moments[0])
    if len(moments) > 2:
        found.append(moments[2] - 2 * m * moments[1] + (m**2 - 1) * moments[0])
    return found
