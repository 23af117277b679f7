"""The matrix H = (d/n0) X0^T diag(y^2) X0/n0 that the labels imprint on the bulk of the weights, in the limit n0/d -> alpha0.

With t = y^2/alpha0 and D = m(z)/alpha0 its Stieltjes transform obeys 1/m = -z + E[t/(1 + t D)]; the forms of the resolvent
between beta and vectors v_f = X0^T f/n0 (f a function of the labels) are

    (beta, beta): r = 1/(-z + E[t g^2/(1 + t D)]),   (beta, v_f): r xi_f,   (v_f, v_h): r xi_f xi_h + E[f h D/(1 + t D)],

xi_f = E[f g/(1 + t D)], g = <x, beta>. Source: section 5a of the sheet; (v_f, v_h) for general f derived here.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from pencils.errors import ConvergenceError, InputError
from theory.quadrature.field import Array, Field
from theory.quadrature.gauss import Function, reach


@dataclass(frozen=True)
class LabelLaw:
    """Quadrature for the labels y = sigma*(g) + eps: nodes ``y``, weights ``p``, and p E[g|y], p E[g^2|y]."""

    y: Array
    p: Array
    pg: Array
    pgg: Array

    def mean(self, values: Array) -> Any:
        """E f(y) for values f(y) at the nodes."""
        return (self.p * values).sum()

    def along(self, values: Array) -> Any:
        """E f(y) g."""
        return (self.pg * values).sum()


def label_law(teacher: Function, sigma_eps: Any) -> LabelLaw:
    """The law of y with Gaussian noise of standard deviation ``sigma_eps`` (a field number)."""
    field = teacher.field
    one = field.array([1])
    g, w = teacher.rule(0 * one, one)
    g, w = g.reshape(-1), w.reshape(-1)
    f = teacher(g)
    if float(sigma_eps) == 0:
        return LabelLaw(f, w, w * g, w * g * g)
    # The density of y is a mixture of normals of width sigma_eps about the values of the teacher.
    end = reach(field)
    size = max(abs(float(np.max(field.floats(f)))), abs(float(np.min(field.floats(f)))))
    step = min(0.9 * math.pi * float(sigma_eps) * math.sqrt(2 / field.log_error), 0.2) / teacher.refine
    count = math.ceil((size + end * float(sigma_eps)) / step)
    y = field.array(np.arange(-count, count + 1)) * field.number(step)
    scaled = (y[:, None] - f[None, :]) / sigma_eps
    joint = w * np.exp(-scaled * scaled / 2) * (field.number(step) / sigma_eps / (2 * field.pi()) ** field.number(0.5))
    joint = field.midpoints(joint)
    return LabelLaw(y, joint.sum(1), joint @ g, joint @ (g * g))


@dataclass(frozen=True)
class SpectralRule:
    """int f dmu_H = Re sum_m weight_m f(node_m) and int f dM_ab = Re sum_m M[m, a, b] f(node_m), for f analytic off the
    half line left of the contour and bounded; ``M`` is between the directions u, beta_perp and v = X0^T y^3/n0."""

    nodes: Array
    weights: Array
    M: Array


@dataclass(frozen=True)
class Direction:
    """The direction u of X0^T y/n0: its length p, gamma = <u, beta>, and the Gram matrix of (u, beta_perp, v)."""

    p: Any
    gamma: Any
    gram: Array


def direction(field: Field, law: LabelLaw, alpha0: Any | None, aligned: bool = True) -> Direction:
    """p^2 = mu1*^2 + E y^2/alpha0 and gamma = mu1*/p; at alpha0 = None (the population) u = beta or -beta.

    ``aligned`` is False where mu1* is known to be 0. Raises InputError where all labels are 0.
    """
    square = law.y * law.y  # products: a ball about 0 has no power in FLINT
    along, along3 = law.along(law.y) if aligned else field.number(0), law.along(square * law.y)
    gram = field.zeros(3, 3)
    gram[0, 0] = gram[1, 1] = field.number(1)
    if alpha0 is None:
        return Direction(abs(along), field.number(1 if float(along) > 0 else -1), gram)
    if float(law.mean(square)) < 1e-20:
        raise InputError("the labels are all 0 (the teacher is constant, and there is no noise): the step does nothing")
    p = (along * along + law.mean(square) / alpha0) ** field.number(0.5)
    gamma = along / p
    gram[0, 2] = gram[2, 0] = (along * along3 + law.mean(square * square) / alpha0) / p
    gram[1, 2] = gram[2, 1] = (along3 - gamma * gram[0, 2]) / (1 - gamma**2) ** field.number(0.5)
    gram[2, 2] = along3 * along3 + law.mean(square * square * square) / alpha0
    return Direction(p, gamma, gram)


def isotropic_rule(field: Field, law: LabelLaw, alpha0: Any | None, where: Direction) -> SpectralRule:
    """H replaced by its mean eigenvalue, E y^2/alpha0."""
    mean = field.number(0) if alpha0 is None else law.mean(law.y * law.y) / alpha0
    gram = where.gram[None]
    return SpectralRule(_complex(field, [mean]), _complex(field, [field.number(1)]), field.complex(gram, 0 * gram))


def spectral_rule(field: Field, law: LabelLaw, alpha0: Any, where: Direction, pole: float, refine: float) -> SpectralRule:
    """A rule for functions whose singularities lie left of -``pole`` < 0.

    Cauchy's formula on the vertical line through -pole/2, z = -(pole/2)(1 - i sinh theta), by the trapezoid rule in theta,
    which converges exponentially. What decays slowly is taken by atoms: at the mean eigenvalue h for mu_H, at h and 2h
    for M, with its first moment.
    """
    step = math.pi**2 / field.log_error * 0.95 / refine
    mean = law.mean(law.y * law.y) / alpha0
    count = math.ceil((field.log_error / 2 + 3 + math.log1p(4 * float(mean) / pole)) / step)
    theta = field.array(np.arange(count)) * field.number(step) + field.number(step) / 2
    up, down = np.exp(theta), np.exp(-theta)
    half = field.number(pole) / 2
    z = field.complex(-half + 0 * theta, half * (up - down) / 2)
    cauchy = half * (up + down) / 2 * field.number(step) / field.pi()
    m = stieltjes(field, law, alpha0, z)
    forms, first = _forms(field, law, alpha0, where, z, m)
    extra = (first - mean * where.gram) / mean
    at_mean, beyond = 1 / (mean - z), 1 / (2 * mean - z)
    atoms = np.stack([where.gram - extra, extra])
    rest = forms - where.gram * at_mean[:, None, None] - extra * (beyond - at_mean)[:, None, None]
    one, zero = field.number(1), field.number(0)
    return SpectralRule(
        np.concatenate([_complex(field, [mean, 2 * mean]), z]),
        np.concatenate([_complex(field, [one, zero]), cauchy * (m - at_mean)]),
        np.concatenate([field.complex(atoms, 0 * atoms), cauchy[:, None, None] * rest]),
    )


def stieltjes(field: Field, law: LabelLaw, alpha0: Any, z: Array) -> Array:
    """m(z) = lim (1/d) tr (H - z)^{-1} at points of the upper half plane: the solution with Im m > 0 and Im z m > 0."""
    floating = Field(1)
    t, p = floating.array(field.floats(law.y**2)) / float(alpha0), field.floats(law.p)
    points = np.asarray(field.floats(z), dtype=complex)
    m = -1 / points
    change = np.inf
    for _ in range(300):
        fixed = 0.5 * m + 0.5 / (-points + (1 / (1 + np.outer(m / float(alpha0), t))) @ (p * t))
        with np.errstate(all="ignore"):
            newton, change = _newton(points, m, t, p, float(alpha0))
            inside = (newton.imag > 0) & ((points * newton).imag > 0) & (abs(newton - m) < abs(m))
        # the fixed point map sends the region where m lives into itself; Newton's steps may leave it
        m = np.where(inside, newton, fixed)
        if change < 1e-14:
            break
    if not change < 1e-10 or np.any(m.imag <= 0) or np.any((points * m).imag < -1e-12 * abs(points * m)):
        raise ConvergenceError(f"the spectrum of H: Newton's method ended with a relative change of {change:.1e}")
    if not field.balls:
        return m
    exact = field.complex(field.array(m.real), field.array(m.imag))
    t = field.midpoints(law.y * law.y / alpha0)
    accuracy = 14
    while accuracy < field.digits + 15:  # Newton doubles the digits
        exact = field.midpoints(_newton(z, exact, t, law.p, alpha0)[0])
        accuracy *= 2
    return exact


def _newton(z: Array, m: Array, t: Array, p: Array, alpha0: Any) -> tuple[Array, float]:
    inverse = 1 / (1 + (m / alpha0)[:, None] * t)
    residual = 1 / m + z - inverse @ (p * t)
    slope = -1 / m**2 + (inverse * inverse) @ (p * t * t) / alpha0
    change = residual / slope
    size = float(np.max(abs(change / m))) if m.dtype != object else 0.0
    return m - change, size


def _forms(field: Field, law: LabelLaw, alpha0: Any, where: Direction, z: Array, m: Array) -> tuple[Array, Array]:
    """The 3 x 3 resolvent forms between u, beta_perp, v at each z, and the first moments v^T H v' of the same."""
    y, t = law.y, law.y * law.y / alpha0
    D = m / alpha0
    inverse = 1 / (1 + D[:, None] * t)
    r = 1 / (-z + inverse @ (law.pgg * t))
    curvature, mean = (law.pgg * t).sum(), law.mean(t)
    functions = [y, y * y * y]
    xi = [inverse @ (law.pg * f) for f in functions]
    xi0 = [law.along(f) for f in functions]
    xi1 = [law.along(f * t) / alpha0 for f in functions]
    raw = {(0, 0): (r, curvature)}
    for i, f in enumerate(functions):
        raw[0, i + 1] = (r * xi[i], curvature * xi0[i] + xi1[i])
        for j, h in enumerate(functions[: i + 1]):
            form = r * xi[i] * xi[j] + D * (inverse @ (law.p * f * h))
            moment = curvature * xi0[i] * xi0[j] + xi0[i] * xi1[j] + xi0[j] * xi1[i]
            raw[j + 1, i + 1] = (form, moment + mean * law.mean(f * h) / alpha0 + law.mean(f * h * t) / alpha0**2)
    # from (beta, X0^T y/n0, X0^T y^3/n0) to (u, beta_perp, v)
    rest = (1 - where.gamma**2) ** field.number(0.5)
    change = field.zeros(3, 3)
    change[0, 1] = 1 / where.p
    change[1, 0], change[1, 1] = 1 / rest, -where.gamma / (rest * where.p)
    change[2, 2] = field.number(1)
    full = np.stack([np.stack([raw[min(i, j), max(i, j)][0] for j in range(3)], -1) for i in range(3)], -2)
    moments = np.array([[raw[min(i, j), max(i, j)][1] for j in range(3)] for i in range(3)])
    return change @ full @ change.T, change @ moments @ change.T


def _complex(field: Field, values: list[Any]) -> Array:
    real = field.array(values)
    return field.complex(real, 0 * real)
