"""Neurons after a large step: what one neuron does given s = <x, u>, and how it differs from its siblings by chance.

Row i of W1 is kappa_i u + bulk, kappa_i = b_i mu1 p, the bulk of variance (1/d)(1 + b_i^2 hc h) along an eigenvector of H
with eigenvalue h, hc = E s(z)^2, s = sigma' - mu1. Given s a neuron is A(s) + B(s) <bulk, x> + C(s) noise; chance moves it by
<bulk, u> s B(s) + (delta/2) D2(s) + (r/2) S(s), delta = |bulk|^2 - c, r = |w|^2 - 1, S = s B(s) b p m3, all of order
d^{-1/2}.

The covariances of (delta, r, bulk) given X0 are those of the step itself, not of an independent Gaussian in place of
s(X0 w): with <w, q> = (1/n0) sum_j y_j z_j s(z_j), z = X0 w, and z s(z) = m3 z + ..., the length of a row is tied to <w, u>,

    d Cov(delta, bulk) = 2 b m3 p u + b^3 (E s^3/alpha0^2) v,   v = X0^T y^3/n0,   d Cov(delta, r) = 2 rho,   d Var r = 2,
    d Var delta = 2 rho^2 + 4 b^2 [m3^2 p^2 + E y^2 (E z^2 s^2 - m3^2)/alpha0]
                  + b^4 [2 hc^2 (E y^2/alpha0)^2 + (E s^4 - hc^2) E y^4/alpha0^3],
    rho = 1 + b^2 (E y^2/alpha0) E s^2 He_2/2;   for rows on the sphere r = 0, and the terms with rho are absent.

m3 = E sigma^(3) = E sigma He_3. Source: section 5a of the sheet for A, B, C, D2, S; the covariances derived here, where the
sheet has d Var delta = 2 int (1 + b^2 hc h)^2 dmu_H and no covariance with the bulk.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import sympy as sp

from theory.large_step.label_law import Direction, LabelLaw
from theory.quadrature.field import Array, Field
from theory.quadrature.gauss import Function


@dataclass(frozen=True)
class Moments:
    """Gaussian moments of an odd activation and of s = sigma' - mu1."""

    mu1: Any
    m3: Any
    hc: Any
    cube: Any  # E s^3
    fourth: Any  # E s^4
    tilt: Any  # E s^2 He_2
    weighted: Any  # E z^2 s^2


def moments(sigma: Function, slope: Function) -> Moments:
    """The moments by quadrature; ``slope`` is sigma'."""
    field = sigma.field
    one = field.array([1])
    z, w = (part.reshape(-1) for part in slope.rule(0 * one, one))
    f = sigma(z) * w
    mu1, m3 = (f * z).sum(), (f * (z * z - 3) * z).sum()
    s = slope(z) - mu1
    square = w * s * s
    return Moments(
        mu1,
        m3,
        square.sum(),
        (square * s).sum(),
        (square * s * s).sum(),
        (square * (z * z - 1)).sum(),
        (square * z * z).sum(),
    )


@dataclass(frozen=True)
class Chance:
    """d times the covariances of one neuron's chance terms, one entry per value of b: Var delta, Cov(delta, r), Var r, the
    coefficients of u and v in Cov(delta, bulk), and S(s)/(s B(s))."""

    delta: Array
    delta_r: Array
    r: Array
    along_u: Array
    along_v: Array
    shift: Array

    @classmethod
    def none(cls, b: Array) -> Chance:
        """Rows of exact length, and kappa given: the spiked random features of ``cui2024``."""
        return cls(*[0 * b] * 6)

    @classmethod
    def kappa_given(cls, b: Array) -> Chance:
        """Gaussian rows kappa u + w with kappa given: only |w|^2 fluctuates."""
        return replace(cls.none(b), delta=2 + 0 * b)

    @classmethod
    def of_step(cls, b: Array, m: Moments, law: LabelLaw, where: Direction, alpha0: Any | None, gaussian_rows: bool) -> Chance:
        """The step itself (the formulas at the head of this room)."""
        p = where.p
        if alpha0 is None:
            mean = noise = quartic = cube = 0 * b
        else:
            square = law.y * law.y  # products: a ball about 0 has no power in FLINT
            second, fourth = law.mean(square), law.mean(square * square)
            mean = b * b * second / alpha0
            noise = b * b * second * (m.weighted - m.m3 * m.m3) / alpha0
            quartic = 2 * m.hc * m.hc * mean * mean + b**4 * (m.fourth - m.hc * m.hc) * fourth / alpha0**3
            cube = b**3 * m.cube / alpha0**2
        rho = (1 + mean * m.tilt / 2) if gaussian_rows else 0 * b
        return cls(
            delta=2 * rho * rho + 4 * b * b * m.m3 * m.m3 * p * p + 4 * noise + quartic,
            delta_r=2 * rho,
            r=0 * b + (2 if gaussian_rows else 0),
            along_u=2 * b * m.m3 * p,
            along_v=cube,
            shift=b * p * m.m3 if gaussian_rows else 0 * b,
        )


@dataclass(frozen=True)
class Neurons:
    """A, B, C^2, D2 at the nodes s >= 0 (first axis) for each value of b > 0 (second axis), with the weights of b.

    sigma is odd, so that b and -b span the same functions and are one entry.
    """

    field: Field
    s: Array
    ds: Array  # weights of E over s, for even functions
    b: Array
    weights: Array
    A: Array
    B: Array
    C2: Array
    D2: Array
    spread: Array  # b^2 hc: the bulk has variance 1 + spread h


def neurons(sigma: Function, nodes: tuple[Array, Array], b: Array, weights: Array, kappa: Array, hc: Any, mean: Any) -> Neurons:
    """The averages over z of sigma(kappa s + sqrt(c) z), c = 1 + b^2 hc ``mean``, ``mean`` = E y^2/alpha0."""
    s, ds = nodes
    c = 1 + b * b * hc * mean
    root = c ** sigma.field.number(0.5)
    A, zeta, square, second = sigma.smoothed(s[:, None] * kappa, root + 0 * s[:, None])
    B = zeta / root
    return Neurons(sigma.field, s, ds, b, weights, A, B, square - A * A - c * B * B, second / c, b * b * hc)


@dataclass(frozen=True)
class TeacherGivenS:
    """E[sigma*|s] and E[t sigma*|s] for <x, beta> = gamma s + sqrt(1 - gamma^2) t: the odd part of the first and the even
    part of the second, which neurons can follow, and the mean square of all the rest, ``rest``."""

    g0: Array
    g1: Array
    rest: Array


def teacher_given_s(teacher: Function, s: Array, gamma: Any) -> TeacherGivenS:
    """The conditional means of the teacher at the nodes s >= 0."""
    f, tf, ff = _given_s(teacher, s, gamma)
    f_, tf_, ff_ = (-f, tf, ff) if teacher.odd else _given_s(teacher, s, -gamma)
    g0, g1 = (f - f_) / 2, (tf + tf_) / 2
    return TeacherGivenS(g0, g1, (ff + ff_) / 2 - g0 * g0 - g1 * g1)


def whole_teacher_given_s(teacher: Function, s: Array, gamma: Any) -> TeacherGivenS:
    """The conditional means where neurons follow even functions too."""
    f, tf, ff = _given_s(teacher, s, gamma)
    return TeacherGivenS(f, tf, ff - f * f - tf * tf)


def _given_s(teacher: Function, s: Array, gamma: Any) -> tuple[Array, ...]:
    """E f, E t f and E f^2 for f = sigma*(gamma s + sqrt(1 - gamma^2) t)."""
    wide = 1 - gamma * gamma
    if float(wide) < 1e-14:  # the population direction, to rounding: finite alpha0 has 1 - gamma^2 of order 1/alpha0
        f = teacher(s if float(gamma) > 0 else -s)
        return f, 0 * s, f * f
    return teacher.smoothed(gamma * s, wide ** teacher.field.number(0.5) + 0 * s)[:3]


def slope_of(expr: sp.Expr) -> sp.Expr:
    """sigma' almost everywhere; InputError for a function with a jump."""
    from theory.activations.moments import derivative

    return derivative(expr)


def s_nodes(field: Field, steepness: float, gamma: float, refine: float, half: bool = True) -> tuple[Array, Array]:
    """The trapezoid rule in s: a smoothed step of slope ``steepness`` = max kappa/sqrt(c) wants a step that much smaller,
    and so does the teacher, smoothed by sqrt(1 - gamma^2) t, as far as its own strip does not do."""
    from theory.quadrature.gauss import STRIP, line, reach

    def smooth(slope: float) -> float:
        return float(0.45 * np.pi * np.sqrt(2 / field.log_error) / np.sqrt(1 + 2 * slope**2))

    teacher = max(smooth(abs(gamma) / np.sqrt(max(1 - gamma**2, 1e-14))), 2 * np.pi * STRIP / field.log_error)
    return line(field, min(smooth(steepness), teacher) / refine, reach(field), half)
