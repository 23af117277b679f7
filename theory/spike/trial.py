"""What is observed of the spike: the leading singular triplet of W1, and the norms of the gradient's three terms."""

from __future__ import annotations

import math

import numpy as np

from pencils.errors import InputError
from theory.activations.floats import Array
from theory.trial.singular_values import leading_triplets
from theory.trial.step import Step


def spike_observables(step: Step) -> dict[str, float]:
    """What Theorem 3 of ``ba2022`` speaks of, measured on one step.

    ``singular_value`` and ``second_singular_value`` of W1; with u1, v1 its leading vectors: ``overlap`` <u1, beta>^2,
    ``left_overlap`` <u1, X^T y>^2/|X^T y|^2, ``right_overlap`` <v1, a>^2/|a|^2; and ``gradient_direction_squared``
    |X^T y/n|^2, ``projection`` <X^T y/n, beta>.
    """
    U, s, V = leading_triplets(step.W1, 2, np.random.default_rng(0))
    u, v, n = U[:, 0], V[:, 0], step.sizes.n
    return {
        "singular_value": float(s[0]),
        "second_singular_value": float(s[1]),
        "overlap": float(u @ step.beta) ** 2,
        "left_overlap": float(u @ step.xty) ** 2 / float(step.xty @ step.xty),
        "right_overlap": float(v @ step.a) ** 2 / float(step.a @ step.a),
        "gradient_direction_squared": float(step.xty @ step.xty) / n**2,
        "projection": float(step.xty @ step.beta) / n,
    }


def split_observables(step: Step) -> dict[str, float]:
    """Operator norms of the terms of G0 = A + B + C, for the rates of ``ba2022`` Proposition 2.

    ``A``, ``B``, ``C``, ``B_over_A``, ``C_over_A`` and ``remainder_over_gradient`` = |G0 - A|/|G0|. Raises InputError
    when the step was made without ``parts``.
    """
    if step.mu1 is None or step.B is None or step.C is None:
        raise InputError("these observables need the split of the gradient: one_step(..., parts=True, mu1=...)")

    def norm(matrix: Array) -> float:
        return float(leading_triplets(matrix, 1, np.random.default_rng(0))[1][0])

    sizes = step.sizes
    A = abs(step.mu1) * float(np.linalg.norm(step.xty) * np.linalg.norm(step.a)) / (sizes.n * math.sqrt(sizes.N))
    B, C, rest = norm(step.B), norm(step.C), step.B + step.C
    if A == 0:
        raise InputError("mu1 = 0: the rank-one part A vanishes, and B_over_A is not defined")
    remainder = norm(rest)
    rest += step.A
    return {
        "A": A,
        "B": B,
        "C": C,
        "B_over_A": B / A,
        "C_over_A": C / A,
        "remainder_over_gradient": remainder / norm(rest),
    }
