"""How many singular values leave the bulk of the features at n samples, and where they are: finite strengths, exact bulk.

Given p = <x, b>, the mean of sigma over what is independent of p is M(p, a) = E_z sigma(sqrt(1 + eta^2 a^2 v) z + eta a c_1 p), all
spikes at once. F/sqrt n is then the bulk of F0 and U B V^T: U the Hermite polynomials of p, V those of sqrt(N) a, and one vector
more, |x|^2/d - 1 against the constant, which F0 has already (its rows see the length of x). s is an outlier where an eigenvalue of
[[s Gu, C], [C^T, s Gv]] [[0, B], [B^T, 0]] is 1; each of them falls as s grows, so those above 1 at s count the outliers beyond s.
Source: derived (determinant of a finite-rank perturbation).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
import sympy as sp
from scipy.optimize import brentq

from theory.activations.floats import Array
from theory.quadrature.grid import LINE, WEIGHT
from theory.staircase.bulk import Bulk, bulk
from theory.staircase.draw import numeric
from theory.staircase.strengths import Spikes, shifted_power

MARGIN = Fraction(1, 20)  # how far beyond the bulk a singular value counts as an outlier: edges fluctuate by n^(-2/3)
DEGREE = 10  # highest Hermite polynomial of p and of a
_BITS, _DIGITS = 80, 16
_NODES = 64


@dataclass(frozen=True)
class Predicted:
    """The finite-rank model at one n: ``before`` and ``after`` are B without and with the step, ((DEGREE + 2) x (DEGREE + 1)),
    ``kappa`` the part of the direction b that lies along W0^T a."""

    law: Bulk
    before: Array
    after: Array
    kappa: float

    @property
    def edge(self) -> float:
        """The bulk's largest singular value."""
        return float(self.law.edge(_DIGITS))

    def eigenvalues(self, s: float, B: Array) -> Array:
        """Those of the pencil in the module's docstring, descending: above 1, as many as there are outliers beyond s."""
        forms = {name: float(value) for name, value in self.law.forms(sp.Float(s, _DIGITS), _DIGITS).items()}
        rows, columns = B.shape
        left = np.full(rows, forms["samples"])
        left[1] = (1 - self.kappa**2) * forms["inputs"] + self.kappa**2 * forms["readout"]
        metric = np.diag(s * np.concatenate([left, np.full(columns, forms["neurons"])]))
        metric[1, rows + 1] = metric[rows + 1, 1] = self.kappa * forms["cross"]
        root = np.linalg.cholesky(metric)
        block = np.block([[np.zeros((rows, rows)), B], [B.T, np.zeros((columns, columns))]])
        return np.asarray(np.linalg.eigvalsh(root.T @ block @ root)[::-1])

    def position(self, rank: int, B: Array) -> float | None:
        """The singular value of that rank (0 for the largest) where it is an outlier, None where it is not."""
        low = self.edge * (1 + 1e-4)  # closer, the forms have a square-root singularity
        if self.eigenvalues(low, B)[rank] <= 1:
            return None
        high = low + float(np.linalg.norm(B, 2))  # Weyl: nothing is beyond edge + |B|
        return float(brentq(lambda s: self.eigenvalues(s, B)[rank] - 1, low, high, xtol=1e-5))

    def count(self) -> int:
        """Singular values of F that lie ``MARGIN`` beyond the largest of F0."""
        top = (1 + float(MARGIN)) * (self.position(0, self.before) or self.edge)
        return int((self.eigenvalues(top, self.after) > 1).sum())


def predicted(parameters: Mapping[str, Any], n: int, eta: float, degree: int | None = None) -> Predicted:
    """The model at n samples and eta; with ``degree`` the spikes of that degree and below stand in for M(p, a)."""
    names = ("activation", "teacher", "sigma_eps", "phi", "psi")
    return _predicted(tuple((name, parameters[name]) for name in names), n, eta, degree)


@lru_cache(maxsize=64)
def _predicted(given: tuple[tuple[str, Any], ...], n: int, eta: float, degree: int | None) -> Predicted:
    parameters = dict(given)
    spikes = Spikes(parameters)
    c1, length, own = (
        float(value.mid()) for value in (spikes.c(1, _BITS), spikes.length_squared(_BITS).sqrt(), spikes.own_squared(_BITS))
    )
    N = n * float(parameters["phi"] / parameters["psi"])
    nodes, weights = np.polynomial.hermite_e.hermegauss(_NODES)
    weights = weights / weights.sum()
    basis = np.polynomial.hermite_e.hermevander(nodes, DEGREE) / np.sqrt([math.factorial(k) for k in range(DEGREE + 1)])
    p, moves = length * nodes[:, None], eta * nodes[None, :] / math.sqrt(N)
    if degree is None:
        sigma = numeric(parameters["activation"], True)
        spread, shift = np.sqrt(1 + own * moves**2)[..., None], (c1 * moves * p)[..., None]
        mean = sigma.value(spread * LINE + shift) @ WEIGHT
    else:
        mean = sum(
            (float(spikes.c(k, _BITS).mid()) * _power(k, c1 * p, own) * moves**k for k in range(1, degree + 1)),
            np.zeros((_NODES, _NODES)),
        )
    left, right = basis * weights[:, None], basis * weights[:, None]
    after = np.zeros((DEGREE + 2, DEGREE + 1))
    # |x|^2/d - 1 has the standard deviation sqrt(2/d), and E_w sigma(<w, x>) moves by c_2 times it
    after[-1, 0] = float(spikes.c(2, _BITS).mid()) * math.sqrt(2 / float(parameters["psi"]))
    before = after.copy()
    after[:-1] = math.sqrt(N) * left.T @ mean @ right
    return Predicted(bulk(parameters, _DIGITS), before, after, -abs(c1) / length)


def _power(k: int, scaled: Array, own: float) -> Array:
    """E_g (c_1 p + sqrt(v) g)^k at c_1 p = ``scaled``."""
    return sum((factor * scaled**power for power, factor in shifted_power(k, 1.0, own).items()), np.zeros_like(scaled))
