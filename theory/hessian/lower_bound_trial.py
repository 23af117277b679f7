"""What simulation sees of the class of Theorem 2 of ``damian2022``: correlations of its functions, and gradients at them.

Expectations over x are averages over draws (correlations) or Gauss rules on the half plane <w, x> > 0 (gradients); no Hermite
series of the activation and no formula under test is used.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.polynomial.hermite_e import hermegauss, hermeval
from numpy.polynomial.legendre import leggauss

from pencils.errors import InputError
from theory.activations.floats import Array
from theory.trial.sizes import Sizes

NEURONS = 20_000
MAX_DEGREE = 100  # beyond, the factorials leave floating point
_HALF_LINE = 12.0  # P(z > 12) is below 1e-32


def _hermite(p: int, x: Array) -> Array:
    """He_p(x)/sqrt(p!)."""
    return np.asarray(hermeval(x, [0] * p + [1]) / math.sqrt(math.factorial(p)))


def correlation(parameters: Mapping[str, Any], sizes: Sizes, rng: np.random.Generator) -> dict[str, float]:
    """E f_v f_w at <v, w> = ``overlap`` by the mean over n draws of x in d dimensions; InputError for a ``degree`` that is not
    whole, and an overlap that two unit vectors cannot have."""
    if parameters["degree"].denominator != 1:
        raise InputError(f"degree = {parameters['degree']}: functions He_p(<v, x>) are drawn, and p is a whole number")
    if parameters["degree"] > MAX_DEGREE:
        raise InputError(f"degree = {parameters['degree']}: at most {MAX_DEGREE} is drawn")
    if abs(parameters["overlap"]) > 1:
        raise InputError(f"overlap = {parameters['overlap']}: two unit vectors have an overlap between -1 and 1")
    p, overlap = int(parameters["degree"]), float(parameters["overlap"])
    basis, _ = np.linalg.qr(rng.standard_normal((sizes.d, 2)))
    v = basis[:, 0]
    w = overlap * v + math.sqrt(1 - overlap**2) * basis[:, 1]
    seen = rng.standard_normal((sizes.n, sizes.d)) @ np.stack([v, w], axis=1)
    return {"correlation": float(np.mean(_hermite(p, seen[:, 0]) * _hermite(p, seen[:, 1])))}


def gradients(s: Array, p: int) -> Array:
    """|E f* x 1(<w, x> > 0)| for each s = <u, w>, f* = He_p(<u, x>)/sqrt(p!), by a Gauss rule in the plane of u and w."""
    points, weights = leggauss(80)
    a = _HALF_LINE * (points + 1) / 2
    weight_a = weights * _HALF_LINE / 2 * np.exp(-(a**2) / 2) / math.sqrt(2 * math.pi)
    b, weight_b = hermegauss(p // 2 + 2)
    weight = np.outer(weight_a, weight_b / math.sqrt(2 * math.pi))
    found = np.empty(len(s))
    for place in range(0, len(s), 1000):
        part = s[place : place + 1000, None, None]
        weighted = weight * _hermite(p, part * a[:, None] + np.sqrt(1 - part**2) * b)
        along, across = (weighted * a[:, None]).sum((1, 2)), (weighted * b).sum((1, 2))
        found[place : place + 1000] = np.hypot(along, across)
    return found


def gradient_sizes(parameters: Mapping[str, Any], sizes: Sizes, rng: np.random.Generator) -> dict[str, float]:
    """Root mean square of |g(w)| over neurons uniform on the sphere of d dimensions, at p = 4."""
    first, rest = rng.standard_normal(NEURONS), rng.chisquare(sizes.d - 1, NEURONS)
    s = first / np.sqrt(first**2 + rest)
    return {"gradient_4": float(np.sqrt(np.mean(gradients(s, 4) ** 2)))}
