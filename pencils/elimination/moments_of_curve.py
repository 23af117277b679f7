"""Moments from the polynomial P(m, z) = 0: the expansion at infinity of its one branch m = -1/z + ..., exact."""

from __future__ import annotations

import sympy as sp
from flint import fmpq, fmpq_poly

from pencils.errors import ConvergenceError


def moments_of_curve(polynomial: sp.Poly, spectral: sp.Symbol, count: int) -> list[sp.Expr]:
    """tr M^j, j = 1, ..., count, for m(z) = -sum_j tr M^j / z^{j+1} with P(m, z) = 0, P over the rationals.

    m = -w t, w = 1/z, turns P into Q(t, w) = 0 with t = sum_j tr M^j w^j. If t = 1 is a simple root of Q(t, 0), t is one
    power series, solved for term by term. Raises ConvergenceError where it is not, so that branches meet at infinity.
    """
    curve = sp.Poly(polynomial.as_expr(), polynomial.gen, spectral)
    lowest = min(i - j for i, j in curve.monoms())
    powers: dict[int, fmpq_poly] = {}  # of t: coefficients in w
    for (i, j), c in curve.terms():
        term = fmpq_poly([0] * (i - j - lowest) + [fmpq(int(c.p), int(c.q)) * (-1) ** i])
        powers[i] = powers.get(i, fmpq_poly([])) + term
    slope = sum((i * q[0] for i, q in powers.items()), fmpq(0))
    if sum((q[0] for q in powers.values()), fmpq(0)) != 0 or slope == 0:
        raise ConvergenceError("the moments do not follow from the polynomial: at infinity its branches meet")
    t = fmpq_poly([1])
    for k in range(1, count + 1):
        value, power = fmpq_poly([]), fmpq_poly([1])
        for i in range(max(powers) + 1):
            value += powers.get(i, fmpq_poly([])) * power
            power = (power * t).truncate(k + 1)
        t += fmpq_poly([0] * k + [-value[k] / slope])
    return [sp.Rational(int(t[k].p), int(t[k].q)) for k in range(1, count + 1)]
