"""A second route to tau*: Mehler's series in Hermite coefficients, by mpmath quadrature on the line.

With u = (kappa z + xi)/s, s^2 = 1 + kappa^2, the pair (z, u) has correlation rho = kappa/s, and E[h_k(u) | z] = rho^k h_k(z)
for the normalised Hermite polynomials h_k, so that J(kappa) = E sigma*^2 + sum_k [ -2 c*_k rho^k g_k(s) + rho^(2k) g_k(s)^2 ] with
c*_k = E sigma*(z) h_k(z), g_k(s) = E sigma(s u) h_k(u). Nothing is smoothed here, and no integral is double. The first route (a
smoothed function on a grid, ball arithmetic, a search with proofs) is not used: the minimum is the lowest on a grid of kappa.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from itertools import pairwise
from math import ceil
from typing import Any

import sympy as sp
from flint import arb, arb_mat

from pencils.errors import PrecisionError
from pencils.exact.numbers import Number, working_precision
from theory.activations.activation import activation
from theory.activations.route import Z, as_mpmath
from theory.quadrature.mp import context, midpoint, normal_nodes

_ROUGH, _FEW, _TERMS = 12, 22, 600
_GRID = [k / 8 for k in range(-40, 41)]


class _Series:
    """J and J' of one pair, from ``terms`` Hermite coefficients on Gauss-Legendre panels of length 1/``split``.

    Nodes u > 0 only: coefficients of even order see the even part of a function, those of odd order the odd part. Functions
    are evaluated by mpmath; the sums over nodes are products of FLINT matrices, for speed.
    """

    def __init__(self, sigma: str, teacher: str, digits: int, terms: int, split: int = 1) -> None:
        self.digits, self.terms, self.bits = digits, terms, int(3.33 * (digits + 20))
        ctx: Any = context(digits + 20)
        self.ctx = ctx
        # h_k oscillates up to 2 sqrt(k) and falls like exp(-u^2/4) and faster beyond.
        reach = int(2 * terms**0.5 + (4 * 2.3026 * (digits + 12)) ** 0.5) + 1
        cuts = [ctx.mpf(k) / split for k in range(reach * split + 1)]
        degree = (5 if digits > _FEW else 4) + 1 - split  # 48 or 24 nodes a panel, half as many in a half
        panels = [normal_nodes(ctx, left, right, degree) for left, right in pairwise(cuts)]
        self.nodes = [u for panel in panels for u, _ in panel]
        with working_precision(self.bits):
            self.rows = self._polynomials([arb(w) for panel in panels for _, w in panel])
            base, star = activation(sigma).base, as_mpmath(activation(teacher).base)
            self.f, self.slope = as_mpmath(base), as_mpmath(sp.diff(base, Z))
            self.star = self._project(lambda u: star(ctx, u))
            self.energy = self._project(lambda u: star(ctx, u) ** 2)[0] - self.star[0] ** 2
            self.star[0] = arb(0)
            self.mean = self._project(lambda u: self.f(ctx, u))[0]
            square = self._project(lambda u: self.f(ctx, u) ** 2)[0]
            self.variances = square - self.mean**2, self.energy

    def _polynomials(self, weights: list[arb]) -> tuple[arb_mat, arb_mat]:
        """Weight times h_k at the nodes, even and odd k < terms apart, by the recurrence of h_k."""
        nodes, roots = [arb(u) for u in self.nodes], [arb(k).sqrt() for k in range(self.terms + 1)]
        rows = [weights, [w * u for w, u in zip(weights, nodes, strict=True)]]
        for k in range(1, self.terms - 1):
            inverse = 1 / roots[k + 1]
            rows.append([(u * b - roots[k] * a) * inverse for u, a, b in zip(nodes, rows[-2], rows[-1], strict=True)])
        return arb_mat(rows[::2]), arb_mat(rows[1::2])

    def _project(self, function: Any) -> list[arb]:
        """E f(u) h_k(u), k < terms."""
        right, left = ([arb(function(sign * u)) for u in self.nodes] for sign in (1, -1))
        even = self.rows[0] * arb_mat([[a + b] for a, b in zip(right, left, strict=True)])
        odd = self.rows[1] * arb_mat([[a - b] for a, b in zip(right, left, strict=True)])
        return [(even, odd)[k % 2][k // 2, 0].mid() for k in range(self.terms)]

    def at(self, kappa: Any, scales: tuple[arb, arb]) -> tuple[arb, arb]:
        """(J, J') with activation and teacher divided by ``scales``, at an mpf."""
        ctx, (a, b) = self.ctx, scales
        s = ctx.sqrt(1 + kappa**2)
        with working_precision(self.bits):
            rho, rho_slope, s_slope = arb(kappa / s), arb(1 / s**3), arb(kappa / s)
            g = self._project(lambda u: self.f(ctx, s * u))
            dg = self._project(lambda u: u * self.slope(ctx, s * u))
            g[0] -= self.mean
            value, slope, sizes = self.energy / b**2, arb(0), []
            for k in range(self.terms):
                term, star = rho**k * g[k] / a, self.star[k] / b
                change = ((k * rho ** (k - 1) * rho_slope * g[k] if k else 0) + rho**k * dg[k] * s_slope) / a
                value += term**2 - 2 * term * star
                slope += 2 * change * (term - star)
                sizes.append(float(abs(term) * (abs(term) + abs(star))))
        if max(sizes[-6:]) > 10.0 ** -(self.digits + 2):
            raise PrecisionError(f"Mehler's series at kappa = {ctx.nstr(kappa, 5)} needs more than {self.terms} terms")
        return value.mid(), slope.mid()

    def scales(self, normalize: bool) -> tuple[arb, arb]:
        with working_precision(self.bits):
            return (self.variances[0].sqrt(), self.variances[1].sqrt()) if normalize else (arb(1), arb(1))


def tau_star(sample: Mapping[str, str], digits: int) -> dict[str, Number]:
    """``kappa``, ``tau`` and ``mu2_star_squared`` for the activation, teacher and ``normalize`` of the sample."""
    key = (sample["activation"], sample["teacher"], sample.get("normalize", "false") == "true")
    return dict(_tau_star(*key, digits))


@lru_cache(maxsize=32)
def _tau_star(sigma: str, teacher: str, normalize: bool, digits: int) -> tuple[tuple[str, Number], ...]:
    start = _rough_minimiser(sigma, teacher, normalize)
    # At few digits first: the minimiser to those, J'' there, and how fast the series converges.
    rough, terms = _enough(sigma, teacher, _ROUGH, 90, start)
    ctx, scales = rough.ctx, rough.scales(normalize)
    points = [ctx.mpf(start) - ctx.mpf(10) ** -5, ctx.mpf(start)]
    slopes = [rough.at(point, scales)[1] for point in points]
    for _ in range(12):
        curvature = midpoint(ctx, slopes[1] - slopes[0]) / (points[1] - points[0])
        if abs(slopes[1]) < 10.0**-_ROUGH:
            break
        points = [points[1], points[1] - midpoint(ctx, slopes[1]) / curvature]
        slopes = [slopes[1], rough.at(points[1], scales)[1]]
    series, terms = _enough(sigma, teacher, digits + 5, int(1.2 * terms * (digits + 5) / _ROUGH), start)
    ctx, scales, point = series.ctx, series.scales(normalize), points[1]
    for _ in range(8):
        value, slope = series.at(point, scales)
        if abs(slope) < arb(10) ** -(digits + 4):
            break
        point = ctx.mpf(point) - midpoint(ctx, slope) / curvature
    else:
        raise PrecisionError(f"J' = 0 was not solved near kappa = {start}")
    # other panels, half as long with half the nodes: the two sums have no node in common
    check = _Series(sigma, teacher, digits + 5, terms, 2)
    if abs(check.at(point, check.scales(normalize))[0] - value) > arb(10) ** -(digits + 4):
        raise PrecisionError(f"tau* of {sigma}, {teacher}: the panels are too coarse for {digits} digits")
    with working_precision(series.bits):
        mu2 = (series.variances[1] - series.star[1] ** 2) / scales[1] ** 2
    return ("kappa", point), ("tau", midpoint(ctx, value)), ("mu2_star_squared", midpoint(ctx, mu2))


def _enough(sigma: str, teacher: str, digits: int, terms: int, kappa: float) -> tuple[_Series, int]:
    """A series with enough terms at kappa, and their number."""
    while terms <= _TERMS:
        series = _Series(sigma, teacher, digits, terms)
        try:
            series.at(series.ctx.mpf(kappa), (arb(1), arb(1)))
            return series, terms
        except PrecisionError:
            terms = ceil(terms * 1.4)
    raise PrecisionError(f"Mehler's series at kappa = {kappa:.4g} needs more than {_TERMS} terms for {digits} digits")


def _rough_minimiser(sigma: str, teacher: str, normalize: bool) -> float:
    """Lowest point of a grid, by Gauss-Hermite sums in floating point: a start, nothing more."""
    import numpy as np
    from scipy import optimize

    nodes, weights = np.polynomial.hermite_e.hermegauss(60)
    weights = weights / weights.sum()
    f, star = (sp.lambdify(Z, activation(text).base, ["scipy", "numpy"]) for text in (sigma, teacher))
    values, smooth = star(nodes) - weights @ star(nodes), f(nodes)
    mean, scales = weights @ smooth, (1.0, 1.0)
    if normalize:
        scales = float(np.sqrt(weights @ (smooth - mean) ** 2)), float(np.sqrt(weights @ values**2))

    def distance(kappa: float) -> float:
        smoothed = f(kappa * nodes[:, None] + nodes[None, :]) @ weights - mean
        return float(weights @ (values / scales[1] - smoothed / scales[0]) ** 2)

    rough = min(_GRID, key=distance)
    found = optimize.minimize_scalar(distance, bounds=(rough - 1 / 8, rough + 1 / 8), method="bounded", options={"xatol": 1e-9})
    return float(found.x)
