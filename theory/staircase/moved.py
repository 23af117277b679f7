"""Both errors at finite n with every degree at once and a bulk that the step moves: an approximation, in float64.

With e = eta/sqrt N, alpha ~ N(0, 1) for sqrt(N) a and z = <x, b>/|b| a preactivation is s g + e alpha c_1 |b| z,
s^2 = 1 + e^2 alpha^2 v, v the square of a neuron's own part. Then, beside what ``theory.staircase.finite_errors`` has,

    spikes       sum_j He_j(z) M_j(alpha), M_j = E[He_j(z) sigma]/j!, of all degrees and not as a series in eta;
    bulk         c_1 becomes the mean of E_g g sigma, c_{>1}^2 what is left of E Var_g sigma: rows have grown, and what depends on z
                 and alpha in the linear part counts as noise;
    mixed terms  the linear part along beta that depends on z as He_j(z): it learns the teacher's He_j(z) <x, beta>;
    own parts    their components along beta: mean 4 c_2 c_{*,2} <w_i, beta>, variance phi E (y - f0)^2 <x, beta>^2
                 (E sigma'^2 - c_1^2)/d, more than the v/d of other directions.

All of this is of relative order e^2 and exact to that order; beyond it, rows are averaged over alpha where they differ. Source:
derived here; it stands against simulation in ``moniri2024.finite-step-trial``.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from theory.activations.floats import Array
from theory.activations.hermite import HermiteExpansion
from theory.quadrature.grid import LINE, WEIGHT
from theory.risk.floats import effective_ridge, slack_at
from theory.staircase.bulk import traces
from theory.staircase.draw import numeric

DEGREE = 8  # of the spikes
MIXED = 3  # highest j of the mixed terms
_NODES, _WEIGHTS = np.polynomial.hermite_e.hermegauss(64)
_WEIGHTS = _WEIGHTS / _WEIGHTS.sum()
_FACTORIALS = np.array([math.factorial(j) for j in range(DEGREE + 1)], dtype=float)
_HERMITE = np.polynomial.hermite_e.hermevander(_NODES, DEGREE)


@dataclass(frozen=True)
class Moved:
    """The model at checked parameters (those of ``moniri2024.finite-step``, the spikes being those of the step), n and eta."""

    parameters: Mapping[str, Any]
    n: int
    eta: float

    @cached_property
    def _number(self) -> dict[str, float]:
        return {name: float(self.parameters[name]) for name in ("phi", "psi", "lam", "sigma_eps")}

    @cached_property
    def _teacher(self) -> Array:
        """c_{*,j}, j <= DEGREE."""
        found = HermiteExpansion(self.parameters["teacher"].centred())
        return np.array([float(found.coefficient(j).ball(80).mid()) / math.factorial(j) for j in range(DEGREE + 1)])

    def errors(self) -> tuple[float, float]:
        """(training loss, test error against the teacher without noise)."""
        phi, psi, lam, noise = (self._number[name] for name in ("phi", "psi", "lam", "sigma_eps"))
        sigma, star = (numeric(self.parameters[name], name == "activation") for name in ("activation", "teacher"))
        value, slope = sigma.both(LINE)
        c1, c2 = float(WEIGHT @ (LINE * value)), float(WEIGHT @ ((LINE**2 - 1) * value)) / 2
        output, steep = float(WEIGHT @ value**2), float(WEIGHT @ slope**2)
        labels = star.value(LINE)
        energy = float(WEIGHT @ labels**2) + noise**2
        signal = float(self._teacher[1])
        length = math.sqrt(signal**2 + c1**2 + phi * (energy + output))
        own = phi * (energy + output) * (steep - c1**2)
        along = phi * (float(WEIGHT @ (labels * LINE) ** 2) + noise**2 + output) * (steep - c1**2)  # of the components along beta
        rho, tau = signal / length, -abs(c1) / length
        N = self.n * phi / psi
        moves = self.eta / math.sqrt(N) * _NODES  # e alpha
        spread = np.sqrt(1 + own * moves**2)[:, None, None]
        shift = (c1 * length * moves[:, None] * _NODES)[..., None]
        value, slope = sigma.both(spread * LINE + shift)
        mean, linear, steepness = value @ WEIGHT, value @ (LINE * WEIGHT), (slope @ WEIGHT) @ _WEIGHTS
        second = value**2 @ WEIGHT
        spikes = (mean * _WEIGHTS) @ _HERMITE / _FACTORIALS  # M_j at the nodes of alpha
        mixed = (linear * _WEIGHTS) @ _HERMITE[:, : MIXED + 1] / _FACTORIALS[: MIXED + 1]
        first = float(_WEIGHTS @ mixed[:, 0])
        rest = float(_WEIGHTS @ ((second - mean**2) @ _WEIGHTS)) - first**2
        point = (1 / phi, 1 / psi, lam, abs(first), math.sqrt(rest))
        s, a1 = (float(one) for one in effective_ridge(*map(np.array, point)))
        slack = float(slack_at(*point, s, a1))
        # a basis of the finite rank: W0 beta, W0 b/|b|, M_j(alpha)/sqrt N, 1/sqrt N, two of the own parts', the mixed terms'
        tail = math.sqrt(max(along - own, 0.0))
        pulls = moves * steepness
        columns = [4 * c2 * self._teacher[2] * pulls, tail * pulls, *mixed[:, 1:].T]  # times W0 beta or the like, entry by entry
        weights = [math.sqrt(float(_WEIGHTS @ column**2)) for column in columns]
        same = math.sqrt(1 - rho**2)  # cosine of beta and its part orthogonal to b
        rank, own_at = DEGREE + 1, DEGREE + 4
        size = own_at + len(columns)

        def forms(traces: tuple[float, ...]) -> Array:
            w1, plain, once, twice = traces
            G = np.zeros((size, size))
            G[0, 0], G[0, 1], G[1, 1] = w1, rho * w1, (1 - tau**2) * w1 + tau**2 * twice
            at = slice(2, 2 + rank)
            G[1, at] = tau * once * (_WEIGHTS * _NODES) @ spikes
            G[at, at] = plain * (spikes.T * _WEIGHTS) @ spikes
            G[2 : 2 + rank, own_at - 1] = plain * _WEIGHTS @ spikes
            G[own_at - 1, own_at - 1] = plain
            for place, column in enumerate(columns):
                G[own_at + place, own_at + place] = plain / psi
                if place > 1 and weights[0] * weights[place] > 0:  # the own parts' mean and the mixed terms both carry W0
                    cosine = float(_WEIGHTS @ (columns[0] * column)) / (weights[0] * weights[place])
                    G[own_at, own_at + place] = plain / psi * same * cosine
            return np.triu(G) + np.triu(G, 1).T

        moved = np.zeros((size, size))
        root = math.sqrt(N)
        moved[1, 3] = moved[3, 1] = first * root
        moved[range(2, 2 + rank), range(2, 2 + rank)] = N * _FACTORIALS
        moved[own_at - 1, own_at - 1] = 2 * c2**2 / psi
        seen = np.zeros(size)
        seen[0] = first * signal
        seen[2 : 2 + rank] = root * _FACTORIALS * self._teacher * rho ** np.arange(rank)
        for place in (0, 1):
            at = own_at + place
            moved[0, at] = moved[at, 0] = first * weights[place]
            moved[3, at] = moved[at, 3] = root * rho * weights[place]
            seen[at] = weights[place] * signal
        moved[own_at : own_at + 2, own_at : own_at + 2] = np.outer(weights[:2], weights[:2])
        for j in range(1, MIXED + 1):
            at, weight = own_at + 1 + j, weights[1 + j]
            moved[at, at] = math.factorial(j) * weight**2
            seen[at] = weight * math.factorial(j + 1) * self._teacher[j + 1] * rho**j * same
        found = traces(first**2, rest + s, first**2 / a1, psi)
        G, squares = (forms(tuple(pair[which] for pair in found)) for which in (0, 1))
        solved = np.linalg.solve(np.eye(size) + moved @ G, seen)
        left = energy - float(seen @ G @ solved)
        return lam / s * left, (left - s * float(solved @ squares @ solved)) / slack - noise**2
