"""What averages of neurons attain in the population, against the constant 10 of Theorem 11 of ``ba2022``.

After a large step neurons with sqrt(N) a_j near alpha average to s(z) = E sigma(kappa z + xi), kappa in proportion to alpha, and a
head may combine as many of these as it likes: its risk is E sigma*^2 - g^T G^-1 g, G = E s s^T and g = E sigma* s, for the
kappas it uses. Theorem 11 uses one, with coefficient 1: tau*.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from flint import arb, arb_mat

from pencils.exact.numbers import bits_for, working_precision
from theory.activations.activation import Activation, activation, variable
from theory.register.record import Computed
from theory.tau_star.values import tau_star

WIDTHS = (Fraction(1), Fraction(2), Fraction(4), Fraction(1, 2), Fraction(8))


def compute(parameters: Mapping[str, Any], digits: int) -> Computed:
    """``tau``, ``ten_tau`` and ``risks``, the least risk over combinations of averages at the first 1, 2, ... of WIDTHS.

    Raises PrecisionError where the averages are too nearly dependent to tell.
    """
    found = tau_star(parameters["activation"], parameters["teacher"], digits, parameters.get("normalize", False))
    bits = 2 * bits_for(digits) + 40
    gram, cross = found.objective.gram(WIDTHS, bits)
    risks = []
    with working_precision(bits):
        energy = arb(found.objective.energy.ball(bits))
        for m in range(1, len(WIDTHS) + 1):
            part = arb_mat([[gram[i, j] for j in range(m)] for i in range(m)])
            column = arb_mat([[cross[i]] for i in range(m)])
            risks.append(energy - (column.transpose() * part.solve(column))[0, 0])
        ten = 10 * found.minimum.tau
    widths = ", ".join(map(str, WIDTHS))
    notes = (
        f"risks: averages at kappa = {widths}, the first of them, the first two, ...",
        "In the population a head that combines averages is not limited by tau*, and 10 tau* is not sharp.",
    )
    return Computed({"tau": found.minimum.tau, "ten_tau": ten, "risks": risks}, {}, notes)


def in_floats(sample: Mapping[str, str], digits: int) -> dict[str, Any]:
    """The second route: plain sums in floating point and a least-squares problem, no normal equations."""
    import numpy as np

    from theory.activations.floats import nonlinearity
    from theory.large_step.trial import NODES, WEIGHTS, least_distance, smoothed

    scale = Activation.normalised if sample.get("normalize", "false") == "true" else Activation.centred
    sigma, star = (
        nonlinearity(scale(activation(sample[name])).numeric(20), variable(), differentiable=False)
        for name in ("activation", "teacher")
    )
    root, target = np.sqrt(WEIGHTS), star.value(NODES)
    columns = np.column_stack([smoothed(sigma, float(kappa) * NODES) for kappa in WIDTHS])
    risks = []
    for m in range(1, len(WIDTHS) + 1):
        best = np.linalg.lstsq(root[:, None] * columns[:, :m], root * target, rcond=None)[0]
        risks.append(repr(float(WEIGHTS @ (target - columns[:, :m] @ best) ** 2)))
    tau = least_distance(sigma, star)
    return {"tau": repr(tau), "ten_tau": repr(10 * tau), "risks": risks}
