"""The equations of ``cui2024`` for ridge regression on spiked random features, rows of W0 on the unit sphere, in float64.

Section 5 of the sheet (second-hand), written down as printed there and sharing nothing with ``theory.large_step.risk``: the
bulk is isotropic, kappa is one number, chance moves no neuron's length. Where a true step is meant they are an approximation:
``theory.large_step.neurons`` says what the step adds. The sum over k is a Gauss-Legendre rule, the one over the p eigenvalues of
W0 W0^T the Marchenko-Pastur density with cosines for nodes. The activation need not be odd.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pencils.errors import ConvergenceError, InputError

Floats = npt.NDArray[np.float64]
Function = Callable[[Floats], Floats]
_K, _Z, _D = 240, 400, 200
_END = 8.5


@dataclass(frozen=True)
class SpikedFeatures:
    """Rows r v + sqrt(c) w_i, |w_i| = 1, v a unit vector with <v, beta> = gamma; alpha = n/d, aspect = p/d features, ridge
    sum (y - f)^2 + penalty |a|^2 with features sigma/sqrt p."""

    alpha: float
    aspect: float
    penalty: float
    noise: float
    r: float
    c: float
    gamma: float

    @classmethod
    def of_step(
        cls,
        activation: Function,
        slope: Function,
        teacher: Function,
        *,
        alpha: float,
        aspect: float,
        penalty: float,
        sigma_eps: float,
        eta: float,
        alpha0: float,
    ) -> SpikedFeatures:
        """r, c and gamma of a step of learning rate eta with alpha0 d samples and uniform readout."""
        z, w = _legendre(_Z, _END)
        h1, star = float(w @ (z * activation(z))), float(w @ (z * teacher(z)))
        energy = (float(w @ teacher(z) ** 2) + sigma_eps**2) / alpha0
        length = math.sqrt(star**2 + energy)
        if length < 1e-12:
            raise InputError("the step has no direction: the labels are all 0, or mu1* = 0 at alpha0 = inf")
        spread = float(w @ (slope(z) - h1) ** 2)
        return cls(alpha, aspect, penalty, sigma_eps**2, eta * h1 * length, 1 + eta**2 * energy * spread, star / length)


def _legendre(count: float, end: float) -> tuple[Floats, Floats]:
    x, w = np.polynomial.legendre.leggauss(int(count))
    z = end * x
    return z, end * w * np.exp(-z * z / 2) / math.sqrt(2 * math.pi)


def _eigenvalues(aspect: float, count: int) -> tuple[Floats, Floats]:
    """Nodes and weights for (1/d) sum over the p eigenvalues of W0 W0^T (p x p, rows of length 1)."""
    theta = (np.arange(count) + 0.5) * math.pi / count
    x = 1 + aspect + 2 * math.sqrt(aspect) * np.cos(theta)
    # density sqrt((b - x)(x - a))/(2 pi x) of the non-zero eigenvalues, (1/d) of them a unit of mass
    weights = (math.pi / count) * (2 * math.sqrt(aspect) * np.sin(theta)) ** 2 / (2 * math.pi * x)
    return np.append(x, 0.0), np.append(weights, max(aspect - 1, 0.0))


def solve(f: SpikedFeatures, activation: Function, teacher: Function, refine: float = 1.0) -> dict[str, Any]:
    """``risk`` E_k E(k) and the order parameters at the fixed point. Raises ConvergenceError where iteration fails."""
    k, wk = _legendre(_K * refine, _END)
    z, wz = _legendre(_Z * refine, _END)
    root = math.sqrt(f.c)
    value = activation(f.r * k[:, None] + root * z)
    mu0, mu1 = value @ wz, value @ (wz * z) / root
    square = (value**2) @ wz - mu0**2 - f.c * mu1**2
    given = teacher(f.gamma * k[:, None] + math.sqrt(max(0.0, 1 - f.gamma**2)) * z)
    t0, t1, t2 = given @ wz, given @ (wz * z), (given**2) @ wz
    D, wD = _eigenvalues(f.aspect, int(_D * refine))
    D = f.c * D
    x = np.array([1.0, 1.0, 0.0, 0.0, 0.0, 0.0])  # V1, V2, theta, psi, q1, q2

    def image(x: Floats) -> tuple[Floats, float, float]:
        V1, V2, theta, psi, q1, q2 = x
        V = mu1**2 * V1 + square * V2
        m = (wk @ (mu0 * (t0 - mu1 * k * theta) / (1 + V))) / (wk @ (mu0**2 / (1 + V)))
        C = mu0 * m + mu1 * k * theta
        E = t2 + C**2 - 2 * C * t0 - 2 * mu1 * psi * t1 + mu1**2 * q1 + square * q2
        hat = f.alpha * wk / (1 + V)
        Vh1, Vh2 = hat @ mu1**2, hat @ square
        qh1, qh2 = (hat / (1 + V)) @ (mu1**2 * (E + f.noise)), (hat / (1 + V)) @ (square * (E + f.noise))
        th, ph = hat @ (k * mu1 * (t0 - C)), hat @ (mu1 * t1)
        S = f.penalty * f.aspect + Vh1 * D + Vh2
        inverse = wD / S
        reach = inverse @ D
        # W0 v is independent of the rest of W0: its weight on the eigenvectors is flat, not D
        top = (inverse / S) * (qh1 * D + qh2 + th**2 * f.c + ph**2 * D)
        new = np.array([reach, inverse.sum(), th * f.c * inverse.sum(), ph * reach, top @ D, top.sum()])
        return new, float(wk @ E), float(m)

    for _ in range(20000):
        new, risk, m = image(x)
        change = np.max(np.abs(new - x) / (1 + np.abs(x)))
        x = 0.5 * x + 0.5 * new
        if change < 1e-14:
            return {"risk": risk, "m": m, "theta": x[2], "psi": x[3], "V1": x[0], "V2": x[1]}
    raise ConvergenceError(f"the equations of cui2024: the residual stayed at {change:.1e}")


def compute(parameters: Mapping[str, Any], digits: int) -> dict[str, Any]:
    """``risk``, ``gamma``, ``r`` and ``c`` at the checked parameters of ``cui2024.spiked-random-features``.

    Their lambda is lam psi1/psi2. Raises PrecisionError saying how many digits two discretisations in float64 agree to.
    """
    from theory.activations.activation import variable
    from theory.activations.floats import nonlinearity
    from theory.large_step.values import enclosed

    sigma = nonlinearity(parameters["activation"].centred().numeric(20), variable(), differentiable=True)
    teacher = nonlinearity(parameters["teacher"].centred().numeric(20), variable(), differentiable=False).value
    psi1, psi2, alpha0 = float(parameters["psi1"]), float(parameters["psi2"]), parameters["alpha0"]
    features = SpikedFeatures.of_step(
        sigma.value,
        lambda x: sigma.both(x)[1],
        teacher,
        alpha=psi1,
        aspect=psi2,
        penalty=float(parameters["lam"]) * psi1 / psi2,
        sigma_eps=float(parameters["sigma_eps"]),
        eta=float(parameters["etabar"]),
        alpha0=math.inf if alpha0 is None else float(alpha0),
    )
    coarse, fine = (solve(features, sigma.value, teacher, refine)["risk"] for refine in (1.0, 1.3))
    shape = {"gamma": features.gamma, "r": features.r, "c": features.c}
    return enclosed({"risk": coarse, **shape}, {"risk": fine, **shape}, digits, False, "the risk by the equations of cui2024")
