"""The risk before and after a small step in numbers: certified at one model, in double precision over a grid of models.

The grid solves lambda = s (1 - df1(s)) for the effective ridge s: the right side is convex in s and 0 at s = 0, so that Newton's
iteration from above decreases to the one positive root. Every formula is a sum of positive terms, so that no digits are
lost from lambda = 1e-6 to 1e3 and ratios from 1e-2 to 1e2. Source: statements.md, section 2 (``ba2022``, Theorem 7).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pencils.errors import ConvergenceError, InputError

if TYPE_CHECKING:
    import sympy as sp

Array = np.ndarray[Any, np.dtype[np.float64]]
_STEPS = 200


def risk(digits: int = 30, **parameters: Any) -> dict[str, sp.Expr]:
    """R0, R1, delta, bias, variance, theta1, theta2 and ceiling at one model, as ``sympy.Float`` with ``digits`` proven digits.

    Parameters as in ``gradstep eval ba2022.theorem-7``. Raises InputError for a parameter that is missing or out of range.
    """
    from pencils.exact.numbers import as_float, check_digits
    from theory.risk.forms import RISK

    digits = check_digits(digits)
    return {name: as_float(ball, digits) for name, ball in RISK.values(parameters, digits, "ba2022.theorem-7").items()}


def effective_ridge(psi1: Any, psi2: Any, lam: Any, mu1: Any, mu2: Any) -> tuple[Array, Array]:
    """(s, a1): the root s > 0 of lambda = s (1 - df1(s)) and m(z) at z = -(mu2^2 + s)/mu1^2, elementwise.

    df1 = (psi2/psi1) (a1/(1 + a1) + a2/(1 + a1 - psi2 a1)), a2 = (mu2^2/mu1^2) a1. Raises ConvergenceError naming the point
    where the iteration does not settle.
    """
    energy = psi2 / psi1 * (mu1**2 + mu2**2)
    s = lam + energy  # s x/(x + s) <= x for every eigenvalue x of the features' covariance: s (1 - df1) >= lambda here
    for _ in range(_STEPS):
        a1 = _transform(psi2, mu1, mu2, s)
        a2, p, q, r = _parts(psi2, mu1, mu2, s, a1)
        slack = 1 - psi2 / psi1 * (a1 / (1 + a1) + a2 / p)
        slope = slack + psi2 / psi1 * r * (a1 * p**2 + a2 * (1 + a1) ** 2) / (q * p**2)  # 1 - df2
        with np.errstate(invalid="ignore", divide="ignore"):
            below = s - (s * slack - lam) / slope
        moving = below < s * (1 - 4e-16)  # False for a nan too
        if not moving.any():
            return s, a1
        # rounding may carry an iterate past a root that is small beside s: never below a tenth of where it was
        s = np.where(moving, np.maximum(below, s / 10), s)
    worst = int(np.argmax(moving))
    raise ConvergenceError(f"the effective ridge did not settle at point {worst} of the grid; last iterate {s.flat[worst]:.6g}")


def grid(
    *, psi1: Any, psi2: Any, lam: Any, eta: Any, sigma_eps: Any, mu1: Any, mu2: Any, mu1_star: Any, mu2_star: Any
) -> dict[str, Array]:
    """The values of ``risk`` in double precision over broadcast arrays, 10,000 models in a fraction of a second.

    Raises InputError for a value that is not finite, or out of range: psi1, psi2, lam, mu1 > 0, eta, sigma_eps, mu2,
    mu2_star >= 0.
    """
    given = {
        "psi1": psi1,
        "psi2": psi2,
        "lam": lam,
        "mu1": mu1,
        "eta": eta,
        "sigma_eps": sigma_eps,
        "mu2": mu2,
        "mu2_star": mu2_star,
        "mu1_star": mu1_star,
    }
    arrays = [_checked(name, value, name in ("psi1", "psi2", "lam", "mu1")) for name, value in given.items()]
    psi1, psi2, lam, mu1, eta, sigma_eps, mu2, mu2_star, mu1_star = np.broadcast_arrays(*arrays)
    s, a1 = effective_ridge(psi1, psi2, lam, mu1, mu2)
    a2, p, q, r = _parts(psi2, mu1, mu2, s, a1)
    ratio = psi2 / psi1
    df2 = ratio * (a1**2 * p**2 * (p + psi2) / (1 + a1) + 2 * a1 * a2 * p**2 + a2**2 * (1 + a1) ** 2) / (q * p**2)
    slack = slack_at(psi1, psi2, lam, mu1, mu2, s, a1)
    signal, noise = mu1_star**2, mu2_star**2 + sigma_eps**2
    curved = r * p * (1 + a1) / q
    bias, variance = (a2 + curved) / slack, df2 / slack
    direction = signal + (signal + noise) / psi1  # |u|^2/(eta mu1)^2
    theta1, theta2 = eta * mu1 * np.sqrt(direction), eta * mu1 * mu1_star
    t = 1 + a1 * (1 + theta1**2)
    delta = signal * theta2**2 * a1 / slack * (a2 / t + curved * (1 + t) / t**2)
    before = signal * bias + noise * variance + mu2_star**2
    with np.errstate(invalid="ignore"):
        ceiling = np.where(signal > 0, signal**2 / direction * bias, 0.0)
    return {
        "R0": before,
        "R1": before - delta,
        "delta": delta,
        "bias": bias,
        "variance": variance,
        "theta1": theta1,
        "theta2": theta2,
        "ceiling": ceiling,
        "s": s,
    }


def slack_at(psi1: Any, psi2: Any, lam: Any, mu1: Any, mu2: Any, s: Any, a1: Any) -> Any:
    """1 - df2 at the effective ridge."""
    a2, p, q, r = _parts(psi2, mu1, mu2, s, a1)
    return lam / s + psi2 / psi1 * r * (a1 * p**2 + a2 * (1 + a1) ** 2) / (q * p**2)


def _transform(psi2: Any, mu1: Any, mu2: Any, s: Any) -> Array:
    """m(z) at z = -zeta, zeta = (mu2^2 + s)/mu1^2: the positive root of zeta m^2 + (zeta + psi2 - 1) m = 1, uncancelled."""
    zeta = (mu2**2 + s) / mu1**2
    middle = zeta + psi2 - 1
    root = np.sqrt(middle**2 + 4 * zeta)
    value: Array = np.where(middle > 0, 2 / (np.abs(middle) + root), (np.abs(middle) + root) / (2 * zeta))
    return value


def _parts(psi2: Any, mu1: Any, mu2: Any, s: Any, a1: Any) -> tuple[Array, Array, Array, Array]:
    """a2 = mu2^2/omega, p = 1 + (1 - psi2) a1, q = (1 + a1)^2 - psi2 a1^2 and r = s/omega, as products and positive sums."""
    scale = a1 / mu1**2
    p = (mu2**2 + s) * scale * (1 + a1)
    return mu2**2 * scale, p, (1 + a1) * p + psi2 * a1, s * scale


def _checked(name: str, value: Any, positive: bool) -> Array:
    array = np.asarray(value, dtype=float)
    low = array <= 0 if positive else array < 0
    bad = ~np.isfinite(array) | (low if name != "mu1_star" else False)
    if bad.any():
        first = array[bad].flat[0]
        raise InputError(f"{name} = {first}: {name} must be {'greater than' if positive else 'at least'} 0 and finite")
    return array
