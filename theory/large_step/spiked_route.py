"""Second routes to spiked random features: the large step's own equations without its fluctuations, and Mehler's series."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy.optimize import minimize_scalar

from theory.activations.activation import variable
from theory.activations.floats import nonlinearity
from theory.large_step.neurons import Chance
from theory.large_step.risk import Solver
from theory.large_step.values import setting
from theory.quadrature.field import Array
from theory.register.parameters import check_parameters

_TERMS = 150


class Spiked(Solver):
    """The large step with H replaced by its mean and no chance in a neuron's length: what ``cui2024`` is about."""

    def _chance(self, b: Array) -> Chance:
        return Chance.none(b)


def spiked_random_features(parameters: Mapping[str, Any], digits: int) -> dict[str, Any]:
    """The values of ``cui2024.spiked-random-features`` for an odd activation, from ``theory.large_step.risk`` in float64."""
    checked = check_parameters(parameters, parameters, "cui2024.spiked-random-features")
    solver = Spiked(setting({**checked, "rows": "sphere"}))
    c = solver.neurons
    return {
        "risk": solver.solve(isotropic=True).risk,
        "gamma": solver.direction.gamma,
        "r": float(c.b[0] * solver.moments.mu1 * solver.direction.p),
        "c": float(1 + c.spread[0] * solver.mean),
    }


def bounds(parameters: Mapping[str, Any], digits: int) -> dict[str, Any]:
    """The values of ``dandi2025.bounds`` by Mehler's series in float64.

    With s^2 = r^2 + v and rho = r/s the Hermite coefficients of E sigma(r k + sqrt(v) z) are T_j = rho^j g_j(s),
    g_j(s) = E sigma(s u) h_j(u); k B is the derivative by r, D2 twice that by v, at v = 1.
    """
    p = check_parameters(parameters, parameters, "dandi2025.bounds")
    sigma, teacher = (nonlinearity(p[name].centred().numeric(20), variable()) for name in ("activation", "teacher"))
    u = np.linspace(-13, 13, 5201)
    h = [np.exp(-(u**2) / 2) / np.sqrt(2 * np.pi) * (u[1] - u[0])]  # weight times h_j
    h.append(u * h[0])
    for j in range(1, _TERMS - 1):
        h.append((u * h[-1] - np.sqrt(j) * h[-2]) / np.sqrt(j + 1))
    rows, order = np.array(h), np.arange(_TERMS)
    star = rows @ teacher.value(u)
    r = float(p["etabar"]) * float(rows[1] @ sigma.value(u)) * float(star[1])
    s = np.sqrt(1 + r * r)
    value, slope = sigma.both(s * u)
    g, dg, power = rows @ value, rows @ (u * slope), (r / s) ** order
    by_rho = order * (r / s) ** np.maximum(order - 1, 0) * g
    functions = [power * g, by_rho / s**3 + power * dg * r / s, 2 * (-by_rho * r / (2 * s**3) + power * dg / (2 * s))]
    left = []
    for count in (1, 2, 3):
        basis = np.array(functions[:count]).T
        left.append(float(np.sum((star - basis @ np.linalg.lstsq(basis, star, rcond=1e-10)[0]) ** 2)))
    beyond = float(rows[0] @ teacher.value(u) ** 2 - np.sum(star**2))  # of the teacher, past the last coefficient
    return {"kappa": r, **dict(zip(("upper", "lower", "lower_with_lengths"), (x + beyond for x in left), strict=True))}


def best(parameters: Mapping[str, Any], digits: int) -> dict[str, Any]:
    """``etabar`` and ``risk`` of ``large-step.best`` where alpha0 = inf and the best lambda is infinite: the lowest ``upper`` of
    ``dandi2025.bounds``, by Mehler's series."""
    pair = {name: parameters[name] for name in ("activation", "teacher")}
    etabars = np.geomspace(1 / 8, 64, 20)
    upper = [bounds({**pair, "etabar": str(etabar)}, digits)["upper"] for etabar in etabars]
    low = int(np.argmin(upper))
    found = minimize_scalar(
        lambda x: bounds({**pair, "etabar": repr(float(np.exp(x)))}, digits)["upper"],
        bracket=np.log(etabars[low - 1 : low + 2]),
        tol=1e-7,
    )
    return {"etabar": float(np.exp(found.x)), "risk": float(found.fun)}
