"""Ridge regression on the neurons after a large step: the fixed point of its fluctuations, and how it responds to weights.

With w = 1/(1 + nu) the effective weight of a sample given s, K values of b with weights p_kappa, e = 1 + b^2 hc h,
Beta = E_s[w B B^T] (K x K), Lambda_h = diag(psi2 p_kappa G_kappa e_h), Z_h = (I + Lambda_h Beta)^{-1}, Y_h = Z_h Lambda_h
and X_h = Beta Z_h:

    1/G_kappa = lambda + E_s[w C_kappa^2] + int dmu_H e_h [X_h]_{kappa kappa},
    nu(s) = (psi2/psi1) sum_kappa p_kappa C_kappa^2 G_kappa + (1/psi1) B(s)^T (int dmu_H Y_h) B(s).

Y_h is the covariance, given the data, of the coefficients along one eigenvector of H. In the sheet's section 5a the same is
written with operators on functions of s: X_h = <L, T_h L>.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from pencils.errors import ConvergenceError
from theory.large_step.label_law import SpectralRule
from theory.large_step.neurons import Neurons
from theory.quadrature.field import Array, Field

_MEMORY = 6
_ITERATIONS = 400


@dataclass(frozen=True)
class Kernel:
    """The fixed point: w at the nodes, G, and Beta, Z_h, Y_h, X_h, e_h at the nodes of the spectral rule."""

    neurons: Neurons
    rule: SpectralRule
    psi1: Any
    psi2: Any
    w: Array
    G: Array
    Beta: Array
    e: Array
    Z: Array
    Y: Array
    X: Array

    def average(self, values: Array) -> Array:
        """int dmu_H of values given at the nodes of the rule (first axis)."""
        return self.neurons.field.real(np.tensordot(self.rule.weights, values, axes=(0, 0)))

    @property
    def f(self) -> Array:
        """-d(1/G_kappa - ...)/dw(s) at fixed G: C_kappa^2(s) + int e_h (Z_h^T B(s))_kappa^2; shape (S, K)."""
        c = self.neurons
        K = len(c.b)
        weighted = self.average(self.e[:, None, None, :] * self.Z[:, :, None, :] * self.Z[:, None, :, :])
        return c.C2 + _outer(c.B) @ weighted.reshape(K * K, K)

    def response(self) -> tuple[Array, Array]:
        """dG_kappa/dw(s), shape (S, K), and J(s, s') = -d nu(s)/d w(s') as a density against E_s, shape (S, S)."""
        c, field = self.neurons, self.neurons.field
        K = len(c.b)
        G, f = self.G, self.f
        mixed = self.average(self.e[:, :, None] * self.X * self.X * self.e[:, None, :]) * (self.psi2 * c.weights)
        matrix = field.eye(K) * (1 / G**2)[:, None] - mixed
        dG = -field.solve(matrix, f.T).T
        pairs = self.average(self.Y[:, :, None, :, None] * self.Y[:, None, :, None, :]).reshape(K * K, K * K)
        outer = _outer(c.B)
        J = outer @ pairs @ outer.T / self.psi1 - self.psi2 / self.psi1 * ((f * c.weights) @ dG.T)
        return dG, J


def _outer(B: Array) -> Array:
    """B_kappa(s) B_kappa'(s), shape (S, K^2)."""
    return (B[:, :, None] * B[:, None, :]).reshape(len(B), -1)


def solve_kernel(c: Neurons, rule: SpectralRule, psi1: Any, psi2: Any, lam: Any) -> Kernel:
    """The fixed point, by iteration with Anderson's acceleration. Raises ConvergenceError with the residual reached."""
    field, K = c.field, len(c.b)
    e = 1 + rule.nodes[:, None] * c.spread
    eye = field.eye(K)
    outer = _outer(c.B)

    def at(G: Array, w: Array) -> Kernel:
        Beta = (c.B.T * (c.ds * w)) @ c.B
        Lambda = psi2 * c.weights * G * e
        Z = field.inverses(eye + Lambda[:, :, None] * Beta)
        return Kernel(c, rule, psi1, psi2, w, G, Beta, e, Z, Z * Lambda[:, None, :], Beta @ Z)

    def image(x: Array) -> Array:
        # in logarithms, so that extrapolation keeps G and w positive
        now = at(np.exp(x[:K]), np.exp(-x[K:]))
        diagonal = np.stack([now.X[:, k, k] for k in range(K)], -1)
        G = 1 / (lam + (c.ds * now.w) @ c.C2 + now.average(e * diagonal))
        nu = psi2 / psi1 * (c.C2 @ (c.weights * G)) + outer @ now.average(now.Y).reshape(-1) / psi1
        return np.concatenate([np.log(G), np.log(1 + nu)])

    start = np.concatenate([np.log(1 / (1 + lam) + 0 * c.b), 0 * c.s])
    solved = _anderson(image, start, field)
    return at(np.exp(solved[:K]), np.exp(-solved[K:]))


def _anderson(image: Callable[[Array], Array], start: Array, field: Field) -> Array:
    """x = image(x). The mixing weights are float64 at any precision: they only steer."""
    goal = 10.0 ** -(field.digits + 8) if field.balls else 3e-15
    memory = min(_MEMORY, len(start))
    x = start
    points: list[Array] = []
    images: list[Array] = []
    best, best_image, stalled = np.inf, start, 0
    for _ in range(_ITERATIONS):
        fx = field.midpoints(image(x))
        residual = field.floats(fx - x)
        scale = 1 + np.abs(field.floats(x))
        size = float(np.max(np.abs(residual) / scale))
        if size < goal:
            return fx
        if not size < 2 * best:  # too bold, or not a number: start again from the best point, plainly
            x, points, images = best_image, [], []
            continue
        stalled = 0 if size < 0.9 * best else stalled + 1
        if size < best:
            best, best_image = size, fx
        if not field.balls and best < 1e-12 and stalled > 5:
            return fx
        points, images = [*points[-memory:], x], [*images[-memory:], fx]
        x = fx
        if len(points) > 1:
            steps = np.array([field.floats(f - p) for p, f in zip(points, images, strict=True)])
            differences = (steps[1:] - steps[:-1]).T / scale[:, None]
            norms = np.linalg.norm(differences, axis=0)
            if not np.all(norms > 0):  # two equal steps, or not a number
                x, points, images = best_image, [], []
                continue
            mix = np.linalg.lstsq(differences / norms, residual / scale, rcond=1e-13)[0] / norms
            for a, earlier, later in zip(mix, images, images[1:], strict=False):
                x = x - field.number(float(a)) * (later - earlier)
    raise ConvergenceError(f"the fixed point after a large step: the residual stayed at {best:.1e}")
