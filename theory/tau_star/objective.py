"""The distance of a teacher to a smoothed activation, J(kappa) = E(sigma*(z) - S(kappa z))^2, with proven error.

S(m) = E sigma(m + xi) is what the neurons that share kappa average to after a large step; xi, z ~ N(0, 1) independent.
J is the objective of tau* = inf_kappa J(kappa) in Theorem 11 of ``ba2022`` (section 2 of the sheet).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import ceil, log2, pi, sqrt
from typing import Any

import sympy as sp
from flint import arb, arb_mat

from pencils.errors import PrecisionError
from pencils.exact.numbers import working_precision
from theory.activations.activation import Activation
from theory.activations.hermite import HermiteExpansion
from theory.activations.moments import base_coefficient, base_deviation
from theory.activations.smoothing import Smoothing
from theory.functions.asymptotes import third_derivative_weight
from theory.functions.language import variable
from theory.functions.majorant import majorant, sixth_moment, slow_growth, smoothed_growth
from theory.functions.normal_form import even_odd
from theory.quadrature.line import LineRule, cut_for, gaussian_tail, line_rule

_GUARD = 48
_ONE = sp.S.One


@dataclass(frozen=True)
class Point:
    """Enclosures at one kappa: J, J', J'' (those asked for, else None), and the squared norms of the first two derivatives of
    kappa -> S(kappa z) in L^2(N(0, 1)), ``speed`` and ``bend``."""

    value: arb
    slope: arb | None = None
    curvature: arb | None = None
    speed: arb | None = None
    bend: arb | None = None


class Objective:
    """J for an activation and a teacher, centred and scaled as they say; both as functions r = sigma* + c/s and f with
    sigma = (f - c)/s, so that J = E(r - S_f/s)^2."""

    def __init__(self, sigma: Activation, teacher: Activation) -> None:
        self.sigma, self.teacher = sigma, teacher
        self.f, self.g = sigma.base, teacher.base
        self.smoothing = Smoothing(self.f)
        self.energy = HermiteExpansion(teacher).energy
        self.parity, self.teacher_parity = _parity(self.f), _parity(self.g)

    @property
    def even(self) -> bool:
        """True when J(-kappa) = J(kappa) because one of the two functions is even."""
        return 1 in (self.parity, self.teacher_parity)

    @cached_property
    def _cache(self) -> dict[tuple[str, int, int], Point]:
        return {}

    def constants(self, bits: int) -> tuple[arb, arb, arb, arb]:
        """(c, s) of the activation and (c*, s*) of the teacher, at the current working precision."""
        found = []
        for function, base in ((self.sigma, self.f), (self.teacher, self.g)):
            found.append(base_coefficient(base, 0).ball(bits) if function.is_centred else arb(0))
            found.append(base_deviation(base).ball(bits) if function.is_normalised else arb(1))
        return found[0], found[1], found[2], found[3]

    def teacher_mean(self, bits: int) -> arb:
        """E sigma*(z): 0 when centred."""
        return arb(0) if self.teacher.is_centred else base_coefficient(self.g, 0).ball(bits)

    def at(self, kappa: Any, bits: int, orders: int = 3) -> Point:
        """J and its first ``orders`` - 1 derivatives at an exact kappa (a fraction or a float), with errors near 2^-bits."""
        key = (str(kappa), bits, orders)
        if key not in self._cache:
            with working_precision(bits + _GUARD):
                self._cache[key] = self._at(arb(kappa) if isinstance(kappa, (float, arb)) else _arb(kappa), bits, orders)
        return self._cache[key]

    def _at(self, kappa: arb, bits: int, orders: int) -> Point:
        c, s, c_star, s_star = self.constants(bits + 8)
        mean, products, cross = self._integrals(kappa, bits + 8, orders)
        # <r, T_k> for T_k = z^k S_f^(k)(kappa z)
        target = [(e - c_star * one) / s_star + c / s * one for e, one in zip(cross, mean, strict=True)]
        energy = arb(self.energy.ball(bits + 8))
        teacher_mean = arb(0) if self.teacher.is_centred else base_coefficient(self.g, 0).ball(bits + 8)
        value = energy + 2 * c / s * teacher_mean + (c / s) ** 2 - 2 * target[0] / s + products[0, 0] / s**2
        slope = curvature = speed = bend = None
        if orders > 1:
            slope = -2 * target[1] / s + 2 * products[0, 1] / s**2
            speed = products[1, 1] / s**2
        if orders > 2:
            curvature = 2 * products[1, 1] / s**2 - 2 * target[2] / s + 2 * products[0, 2] / s**2
            bend = products[2, 2] / s**2
        return Point(value, slope, curvature, speed, bend)

    def _integrals(self, kappa: arb, bits: int, orders: int) -> tuple[list[arb], dict[tuple[int, int], arb], list[arb]]:
        """E T_k, E T_k T_l and E g T_k with T_k = z^k S_f^(k)(kappa z)."""
        rules = self._rules(float(abs(kappa).abs_upper()), bits)
        values = self._smoothed(rules.plain, kappa, orders, bits)
        values_g = values if rules.shared else self._smoothed(rules.teacher, kappa, orders, bits)
        own, other = _weighted(rules.plain, values), _weighted(rules.teacher, values_g)[0]
        pairs = [(0, 0), (0, 1), (1, 1), (0, 2), (2, 2)][: (1, 3, 5)[orders - 1]]
        products = {(k, l): own[k + 1][l + 1] + rules.error(rules.plain, rules.doubled, k, l) for k, l in pairs}
        mean = [own[0][k + 1] + rules.error(rules.plain, rules.single, k) for k in range(orders)]
        cross = [other[k + 1] + rules.error(rules.teacher, rules.mixed, k) for k in range(orders)]
        return mean, products, cross

    def gram(self, kappas: Sequence[Any], bits: int) -> tuple[arb_mat, list[arb]]:
        """E s_i s_j and E sigma* s_i for s_i(z) = E sigma(kappa_i z + xi), enclosed, at exact kappas."""
        with working_precision(bits + _GUARD):
            c, s, c_star, s_star = self.constants(bits)
            points = [_arb(kappa) for kappa in kappas]
            rules = self._rules(max(float(abs(kappa).abs_upper()) for kappa in points), bits)
            tables = []
            for rule in (rules.plain, rules.teacher):
                columns = [self._smoothed(rule, kappa, 1, bits) for kappa in points]
                tables.append(_weighted(rule, [tuple(part[0] for part in row) for row in zip(*columns, strict=True)], False))
            one, two = rules.error(rules.plain, rules.single, 0), rules.error(rules.plain, rules.doubled, 0, 0)
            own, other, count = tables[0], tables[1][0], range(1, len(points) + 1)
            means = [own[0][i] + one for i in count]
            gram = arb_mat([[(own[i][j] + two - c * (means[i - 1] + means[j - 1]) + c**2) / s**2 for j in count] for i in count])
            overlap = rules.error(rules.teacher, rules.mixed, 0)
            cross = [((other[i] + overlap - c_star * means[i - 1]) / s_star - c * self.teacher_mean(bits)) / s for i in count]
            return gram, cross

    def _rules(self, size: float, bits: int) -> _Rules:
        """Rules for the integrals over z at |kappa| <= size."""
        a, b, c = smoothed_growth(slow_growth(self.f, 0.125 / (1 + size)))
        single = (a + 0.35, b * size, c * size**2)  # sqrt(2!) = e^0.347
        g = slow_growth(self.g, 0.125)
        doubled = (2 * single[0], 2 * single[1], 2 * single[2])
        mixed = (single[0] + g[0], single[1] + g[1], single[2] + g[2])
        cut = max(cut_for(*doubled, 4, bits + 4), cut_for(*mixed, 2, bits + 4))
        if cut == float("inf"):
            raise PrecisionError(f"J at kappa = {size:.3g}: E S(kappa z)^2 is infinite, or needs more than 200 standard deviations")
        once, twice = 1 + size**2 * (1 + 2**-40), 1 + 2 * size**2 * (1 + 2**-40)
        height = self.smoothing.bound(size * cut, bits)
        enough = bits + 4 + (ceil(2 * log2(height)) if 1 < height < float("inf") else 0)  # the error is a multiple of height^2
        plain = line_rule(_ONE, cut, enough, twice)
        teacher = line_rule(self.g, cut, enough, once, plain.step)
        if teacher.step is not None and teacher.step != plain.step:
            plain = line_rule(_ONE, cut, enough, twice, teacher.step)
        return _Rules(plain, teacher, size, height, single, doubled, mixed)

    def _smoothed(self, rule: LineRule, kappa: arb, orders: int, bits: int) -> list[tuple[arb, ...]]:
        """S_f^(k)(kappa z) at the nodes; half of them where f is even or odd and the nodes are symmetric."""
        if self.parity == 0 or rule.step is None:
            return self.smoothing.at([kappa * z for z in rule.nodes], orders, bits)
        half = len(rule.nodes) // 2
        right = self.smoothing.at([kappa * z for z in rule.nodes[half:]], orders, bits)
        signs = [self.parity * (-1) ** k for k in range(orders)]
        left = [tuple(sign * value for sign, value in zip(signs, row, strict=True)) for row in right[:0:-1]]
        return [*left, *right]

    @lru_cache(maxsize=256)  # noqa: B019 - an objective lives as long as its cache
    def third(self, nearest: float, farthest: float) -> float:
        """Upper bound of |d^3/dkappa^3 S(kappa z)| in L^2(N(0, 1)) for nearest <= |kappa| <= farthest.

        E z^6 S'''(kappa z)^2 is at most 6 E z^6 f(kappa z + xi)^2; and at most phi(0) kappa^-7 int m^6 S'''(m)^2 dm;
        and at most 15 sup |S'''|^2.
        """
        with working_precision(_GUARD):
            scale = float(self.constants(_GUARD)[1].abs_lower()) * (1 - 2**-40)
        bound = sixth_moment(self.f, farthest) * sqrt(6)
        if self.smoothing.closed is not None:
            steepest = majorant(sp.diff(self.smoothing.closed, variable(), 3))
            if steepest is not None and len(steepest) == 1:  # E z^6 = 15
                bound = min(bound, sqrt(15) * steepest[0])
        weight = third_derivative_weight(self.f)
        if weight is not None and nearest > 0:
            bound = min(bound, weight * (2 * pi) ** -0.25 * nearest**-3.5)
        return bound / scale * (1 + 2**-30)


Growth = tuple[float, float, float]


@dataclass(frozen=True)
class _Rules:
    """Quadrature over z of products of S^(k)(kappa z), |kappa| <= size, and of one of them with the teacher; ``height`` bounds
    |S_f|, and (a, b, c) of each kind of product say that it is at most exp(a + b|z| + c z^2)."""

    plain: LineRule
    teacher: LineRule
    size: float
    height: float
    single: Growth
    doubled: Growth
    mixed: Growth

    @property
    def shared(self) -> bool:
        return self.teacher.step == self.plain.step and len(self.teacher.nodes) == len(self.plain.nodes)

    def error(self, rule: LineRule, growth: Growth, *factors: int) -> arb:
        """|z|^i |T|... phi on the strip, against exp(curvature y^2/2), its ends, and the tails beyond them."""
        power, inside = sum(factors), arb(1)
        for k in factors:
            inside *= 2 * self.height * (sqrt(sqrt(3)) + arb(self.size) * rule.height) ** k
        lift = (1 + arb(rule.height)) ** power
        ends = (arb(rule.end) + rule.height) ** power * (-(arb(rule.end) ** 2) / 2).exp()
        tail = gaussian_tail(*growth, power, rule.end)
        return arb(0, (inside * (rule.interior * lift + rule.edge * ends) + tail).abs_upper())


def _weighted(rule: LineRule, rows: list[tuple[arb, ...]], powers: bool = True) -> list[list[arb]]:
    """sum_j w_j phi(z_j) T_k T_l over the nodes for k, l in -1, 0, 1, ..., T_{-1} = 1 and T_k = z^k S^(k), or only the k-th
    value of the row without ``powers``."""
    root = 1 / (2 * arb.pi()).sqrt()
    if powers:
        rows = [tuple(value * z**k for k, value in enumerate(row)) for z, row in zip(rule.nodes, rows, strict=True)]
    terms = [[arb(1), *row] for row in rows]
    weights = [w * root * (-(z**2) / 2).exp() for z, w in zip(rule.nodes, rule.weights, strict=True)]
    weighted = arb_mat([[w * term for term in row] for w, row in zip(weights, terms, strict=True)])
    return [list(row) for row in (arb_mat(terms).transpose() * weighted).tolist()]


def _arb(value: Any) -> arb:
    from pencils.exact.numbers import to_ball

    return to_ball(value)


def _parity(f: sp.Expr) -> int:
    even, odd = even_odd(f)
    return 1 if odd == 0 else -1 if even == 0 else 0
