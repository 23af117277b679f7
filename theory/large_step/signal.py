"""What ridge regression learns after a large step: the fit of the teacher, and its response to the weights of samples.

Given s the learned function is alpha(s) + phi_u(s) + t phi_beta(s) and noise, t = <x, beta_perp>: alpha in the span of the
A_kappa, without penalty (in L^2 they outweigh all else by a factor d); phi_u = s B.x_u + D2.x_delta + s B.x_r and
phi_beta = B.x_beta, with coefficients x whose covariance Gamma is that of the chance terms of ``theory.large_step.neurons``,
after all directions of the data but u and beta have been taken into account.

F(w) = min E_s w [(g0 - alpha - phi_u)^2 + (g1 - phi_beta)^2] + x^T Gamma^{-1} x. The derivative of F by w(s) is the test
error at s without the variance: the part through Gamma is the energy of the fit in all other directions.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from theory.large_step.fluctuations import Kernel
from theory.large_step.neurons import Chance, TeacherGivenS
from theory.quadrature.field import Array


@dataclass(frozen=True)
class Signal:
    """Residuals of the fit along u and beta_perp at the nodes, and q0 = dF/dw through Gamma."""

    along_u: Array
    along_beta: Array
    q0: Array


@dataclass(frozen=True)
class _Covariance:
    """P: the covariance of (x_u, x_beta, x_delta, x_r) with every direction's energy; Gamma without that of u and beta."""

    P: Array
    Gamma: Array
    to_P: Array  # (1 - E P)^{-1}
    strength: Array  # psi2 p_kappa G_kappa
    along: Array  # Cov(delta/2, bulk)/strength: coefficients of u, beta_perp, v, shape (3, K)
    own: tuple[Array, Array, Array]  # the variances and covariance of delta/2 and r S/2


def _covariance(k: Kernel, chance: Chance) -> _Covariance:
    field, M = k.neurons.field, k.rule.M
    K = len(k.neurons.b)
    strength = k.psi2 * k.neurons.weights * k.G
    along = np.stack([chance.along_u / 2, 0 * chance.along_u, chance.along_v / 2])
    own = (chance.delta / 4, chance.delta_r * chance.shift / 4, chance.r * chance.shift * chance.shift / 4)

    def forms(values: Array) -> Array:
        """int M_ab(dh) of K x K values: shape (3, 3, K, K)."""
        return field.real(np.tensordot(np.moveaxis(M, 0, -1), values, axes=(2, 0)))

    Y, Z, X = forms(k.Y), forms(k.Z), forms(k.X)
    pull = strength * along
    P = field.zeros(4 * K, 4 * K)
    part = [slice(i * K, (i + 1) * K) for i in range(4)]
    for a in (0, 1):
        for b in (0, 1):
            P[part[a], part[b]] = Y[a, b]
        P[part[a], part[2]] = sum(Z[a, c] * pull[c] for c in range(3))
        P[part[2], part[a]] = P[part[a], part[2]].T
    diagonal = field.eye(K)
    taken = sum(pull[a][:, None] * X[a, b] * pull[b] for a in range(3) for b in range(3))
    P[part[2], part[2]] = diagonal * (strength * own[0]) - taken
    P[part[2], part[3]] = P[part[3], part[2]] = diagonal * (strength * own[1])
    P[part[3], part[3]] = diagonal * (strength * own[2])
    E = field.zeros(4 * K, 4 * K)
    E[part[0], part[0]] = E[part[1], part[1]] = k.Beta
    to_P = field.solve(field.eye(4 * K) - E @ P, field.eye(4 * K))
    return _Covariance(P, P @ to_P, to_P, strength, along, own)


def fit_signal(k: Kernel, chance: Chance, teacher: TeacherGivenS, continuous: bool, size: Any | None = None) -> Signal:
    """The minimiser of F and its response.

    ``continuous``: b has a density, and the span of the A_kappa is all that phi_u could be. ``size``: at finite d the
    span carries the penalty that belongs to the kernel d psi2 E[G A A'] instead of none.
    """
    c, field = k.neurons, k.neurons.field
    K = len(c.b)
    cov = _covariance(k, chance)
    sB, zero = c.s[:, None] * c.B, 0 * c.B
    to_u, to_beta = np.hstack([sB, zero, c.D2, sB]), np.hstack([zero, c.B, zero, zero])
    weight = k.w * c.ds
    gram = (to_u.T * weight) @ to_u + (to_beta.T * weight) @ to_beta
    source = (to_u.T * weight) @ teacher.g0 + (to_beta.T * weight) @ teacher.g1
    dual = field.zeros(4 * K)  # Gamma^{-1} x
    alpha, dual_alpha = field.zeros(K), field.zeros(K)
    if continuous and size is None:
        beta = slice(K, 2 * K)
        dual[beta] = field.solve(field.eye(K) + gram[beta, beta] @ cov.Gamma[beta, beta], source[beta])
        along_u = 0 * teacher.g0
    else:
        cross, own = (to_u.T * weight) @ c.A, (c.A.T * weight) @ c.A
        source_alpha = (c.A.T * weight) @ teacher.g0
        # alpha = spread dual_alpha, where the span is penalised; alpha itself where it is not
        spread = field.eye(K) if size is None else field.eye(K) * (size * cov.strength)
        top = np.hstack([field.eye(4 * K) + gram @ cov.Gamma, cross @ spread])
        low = np.hstack([cross.T @ cov.Gamma, own @ spread + (0 if size is None else field.eye(K))])
        solved = field.solve(np.vstack([top, low]), np.concatenate([source, source_alpha]))
        dual, alpha = solved[: 4 * K], spread @ solved[4 * K :]
        dual_alpha = solved[4 * K :] if size is not None else dual_alpha
        along_u = teacher.g0 - c.A @ alpha - to_u @ (cov.Gamma @ dual)
    x = cov.Gamma @ dual
    q0 = _response(k, cov, dual, x, dual_alpha, size)
    return Signal(along_u, teacher.g1 - to_beta @ x, q0)


def _response(k: Kernel, cov: _Covariance, dual: Array, x: Array, dual_alpha: Array, size: Any | None) -> Array:
    """-dual^T (dGamma/dw(s)) dual: dual^T dGamma dual = tr Q dBeta + Q_G . dG."""
    c, field, M = k.neurons, k.neurons.field, k.rule.M
    K = len(c.b)
    q = (cov.to_P @ dual).reshape(4, K)
    pull = cov.strength * cov.along * q[2]
    source = np.stack([q[0], q[1], 0 * q[0]])
    # along each of u, beta_perp, v: what dLambda and dBeta meet
    zeta = source @ k.Z - pull @ np.swapaxes(k.X, -1, -2)
    eta = source @ np.swapaxes(k.Y, -1, -2) + pull @ np.swapaxes(k.Z, -1, -2)
    x = x.reshape(4, K)
    met = np.einsum("mab,mak,mbl->kl", M, eta, eta)
    Q = np.outer(x[0], x[0]) + np.outer(x[1], x[1]) - field.real(met)
    bulk = np.einsum("mab,mak,mbk->mk", M, zeta, zeta) * k.e
    linked = 2 * np.einsum("mab,mak,bk->mk", M, zeta, cov.along * q[2])
    Q_G = field.real((bulk + linked).sum(0))
    Q_G = Q_G + cov.own[0] * q[2] * q[2] + 2 * cov.own[1] * q[2] * q[3] + cov.own[2] * q[3] * q[3]
    if size is not None:
        Q_G = Q_G + size * dual_alpha * dual_alpha
    dG, _ = k.response()
    return -((c.B @ Q) * c.B).sum(1) - dG @ (k.psi2 * c.weights * Q_G)
