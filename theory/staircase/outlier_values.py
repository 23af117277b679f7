"""What ``gradstep eval moniri2024.outliers`` prints: strengths, thresholds, counts at n and in the limit."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from typing import Any

import sympy as sp

from pencils.errors import InputError
from pencils.exact.numbers import refine, to_ball
from theory.register.record import Computed
from theory.staircase.bulk import bulk
from theory.staircase.outliers import MARGIN, predicted
from theory.staircase.strengths import Spikes, growth, level

LEVELS = 4  # spikes whose strengths are shown


def compute(parameters: Mapping[str, Any], digits: int) -> Computed:
    """``edge`` of F0/sqrt n, ``threshold_first`` and ``threshold`` that a first and a higher spike must pass to stand 5 percent
    beyond it, ``strengths`` of the spikes 1 to 4 at n, ``crossings`` the n from which on each strength is above its threshold
    (None for a spike that falls as n grows), ``count`` of outliers predicted at n, ``count_in_the_limit`` (None where the exponent
    is that of a boundary); eta = c n^alpha. Raises InputError for alpha >= 1/2.
    """
    alpha, n = parameters["alpha"], parameters["n"]
    if alpha >= Fraction(1, 2):
        raise InputError(f"alpha = {alpha}: alpha must be less than 1/2; at 1/2 every power of a neuron's move is of one order")
    spikes, law = Spikes(parameters), bulk(parameters, digits + 5)
    edge = law.edge(digits + 5)
    beyond = sp.Rational(str(edge)) * (1 + sp.Rational(MARGIN.numerator, MARGIN.denominator))

    def thresholds(bits: int) -> tuple[Any, Any]:
        # the eigenvalue of one spike t u v^T is t (C + s sqrt(Gu Gv)); b lies along W0^T a with cosine kappa
        s, forms = to_ball(beyond), {name: to_ball(value) for name, value in law.forms(beyond, digits + 5).items()}
        part = spikes.c(1, bits) ** 2 / spikes.length_squared(bits)
        along = (1 - part) * forms["inputs"] + part * forms["readout"]
        first = s * (along * forms["neurons"]).sqrt() - part.sqrt() * forms["cross"]
        return 1 / first, 1 / (s * (forms["samples"] * forms["neurons"]).sqrt())

    factor = parameters.get("c", 1)

    def strength(k: int, bits: int) -> Any:
        return spikes.strength(k, to_ball(n), to_ball(factor) * to_ball(n) ** to_ball(alpha), bits)

    def crossing(k: int, bits: int) -> Any:
        return n * (thresholds(bits)[min(k, 2) - 1] / strength(k, bits)) ** (1 / to_ball(growth(k, alpha)))

    known = [k for k in range(1, LEVELS + 1) if not spikes.vanishes(k)]
    limit = limit_count(spikes, alpha)
    model = predicted(parameters, n, float(factor) * float(n ** float(alpha)))
    values = {
        "edge": refine(lambda bits: to_ball(edge), digits, "edge"),
        "threshold_first": refine(lambda bits: thresholds(bits)[0], digits, "threshold_first"),
        "threshold": refine(lambda bits: thresholds(bits)[1], digits, "threshold"),
        "strengths": [refine(partial(strength, k), digits, "strength") for k in range(1, LEVELS + 1)],
        "crossings": [
            refine(partial(crossing, k), digits, "crossing") if k in known and growth(k, alpha) > 0 else None
            for k in range(1, LEVELS + 1)
        ],
        "count": str(model.count()),
        "count_in_the_limit": None if limit is None else str(limit),
    }
    return Computed(values, {}, tuple(_notes(spikes, limit)))


def limit_count(spikes: Spikes, alpha: Fraction) -> int | None:
    """The number of k <= l with c_k != 0; None on a boundary."""
    ell = level(alpha)
    return None if ell is None else sum(not spikes.vanishes(k) for k in range(1, ell + 1))


def _notes(spikes: Spikes, limit: int | None) -> list[str]:
    notes = [*spikes.sigma.activation.notes(), *spikes.teacher.activation.notes()]
    absent = [str(k) for k in range(1, LEVELS + 1) if spikes.vanishes(k)]
    if absent:
        notes.append(f"c_k = 0 for k = {', '.join(absent)}: no such spike")
    if limit is None:
        notes.append("alpha = l/(2l+2): the next spike's strength tends to a constant, which decides; the source excludes the case")
    return notes
