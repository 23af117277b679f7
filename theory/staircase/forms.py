"""The drops as texts of the register, and what the entries on them have in common.

They are rational in the Hermite coefficients, m1, m2 and the two coefficients of the risk.
rho = cos(X^T y, beta) = c_{*,1}/|b|. ``GAIN[ell]`` is Q_ell, what z^2, ..., z^ell take out of the teacher's nonlinear part; the
shares 3/2 and 15/8 are 1 + sum over even k of He_k(0)^2/k!. Source: statements.md, section 3; derived in
``derivations.moniri2024.drops``.
"""

from __future__ import annotations

from typing import Any

from theory.risk.forms import M1, M2, SPECTRAL
from theory.spike.forms import WITH_NOISE

LETTERS = {"phi": "1/psi1", "psi": "1/psi2"}  # of the source
KERNEL = {"m1": M1, "m2": M2}
TRACES = {**SPECTRAL, **LETTERS, **WITH_NOISE, **KERNEL}
FREE = {"rho": "mu1_star/sqrt(mu1_star**2 + phi*mubar**2)"}
WITH_MEAN = {"rho": "mu1_star/sqrt(mu1_star**2 + phi*(mubar**2 + c0_star**2))"}

_SECOND, _THIRD, _FOURTH = "2*c2_star**2*rho**4", "6*c3_star**2*rho**6", "24*c4_star**2*rho**8"
GAIN = {
    2: "(4/3*c2_star**2*rho**4)",
    3: f"(4/3*c2_star**2*rho**4 + {_THIRD})",
    4: f"({_SECOND} + {_THIRD} + {_FOURTH} - 8/15*(c2_star*rho**2 - 3*c4_star*rho**4)**2)",
}


def drop(ell: int, linear: str, scale: str) -> str:
    """What ell spikes take off: ``linear`` by the first, ``scale`` times Q_ell by the others."""
    return linear if ell == 1 else f"{linear} + {scale}*{GAIN[ell]}"


LOSS_DROPS = {ell: drop(ell, "lam*psi/phi*mu1_star**2*rho**2*m2", "lam*psi/phi*m1") for ell in (1, 2, 3, 4)}
ERROR_DROPS = {ell: drop(ell, "mu1_star**2*rho**2*bias", "(1 + variance)") for ell in (1, 2, 3, 4)}
# of the training loss with two spikes, for a teacher whose mean is left in
DROP_WITH_MEAN = "lam*psi/phi*(mu1_star**2*rho**2*m2 + m1*(4/3*(c2_star*rho**2 + c0_star/2)**2))"

# what the source prints of the training loss
_LENGTH = "(mu1_star**2 + phi*(mu1_star**2 + mu2_star**2 + sigma_eps**2))"
_PRINTED_1 = f"psi*lam*mu1_star**4*m2/(phi*{_LENGTH})"
PRINTED = {1: _PRINTED_1, 2: f"{_PRINTED_1} + 4*psi*lam*mu1_star**4*c2_star**2*m1/(3*phi*{_LENGTH}**2)"}

# The step as it is written: direction b = X^T (y - f0)/n, |b|^2 = length2; varsigma c_1^2 |b|^2 is a neuron's own part squared.
# seen: what u_1^T R u_1 weighs in place of m2, since a head that a strong spike keeps away from a cannot use what W0^T a sees.
_OUTPUT = "(mu1**2 + mu2**2)"
STEP = {
    "length2": f"mu1_star**2 + mu1**2 + phi*(mubar**2 + {_OUTPUT})",
    "rho": "mu1_star/sqrt(length2)",
    "varsigma": f"phi*(mubar**2 + {_OUTPUT})*(slope_energy - mu1**2)/(mu1**2*length2)",
    "seen": "(1 - mu1**2/length2)*m2 + mu1**2/length2*psi*(m1 - m2)*(mu2**2 + r*omega)/(mu1**2*(1 - psi*(1 - m2/m1)))",
}
_STEP_1 = "lam*psi/phi*mu1_star**2*rho**2*m2**2/seen"
STEP_DROPS = {1: _STEP_1, 2: f"{_STEP_1} + lam*psi/phi*m1*4*c2_star**2*rho**4/(2 + (1 + varsigma)**2)"}

# Settings, parameters and words that entries on the step have in common; REPORTED is that of the source's figures.
TEACHER = "He1 + He2/sqrt(2)"
REPORTED = {"phi": "3/10", "psi": "3/5", "sigma_eps": "1/2", "activation": "relu", "teacher": TEACHER}
# a trial that draws its own step, at the source's ratios of sizes
SCRATCH: dict[str, Any] = {"from_scratch": True, "n": "d/phi", "N": "d/psi"}

SETTING = {
    "phi": "2/5",
    "psi": "7/10",
    "lam": "1/10",
    "sigma_eps": "1/2",
    "activation": "relu",
    "teacher": TEACHER,
    "ell": "2",
}
OTHER = {
    "phi": "3/2",
    "psi": "2/3",
    "lam": "1/100",
    "sigma_eps": "1/3",
    "activation": "He1 + He2/3 - He3/5 + He4/7",
    "teacher": "He1 + He2/2 + He3/3 - He4/4 + 1/2",
    "ell": "5",
    "centre": "false",
}
PARAMETERS = tuple(SETTING)
# of trials that a teacher without a linear part, or a constant learning rate, shares
NO_LINEAR_PART = {
    "phi": "2/5",
    "psi": "7/10",
    "alpha": "29/100",
    "lam": "1/10",
    "sigma_eps": "1/2",
    "activation": "relu",
    "teacher": "He2/sqrt(2)",
}
WRITTEN = (
    "step_: the limit for the step as the sheet writes it. Its direction is X^T (y - f0)/n, not X^T y/n, since the network's own "
    "output f0 = a^T sigma(W0 x) is of order one at a_i ~ N(0, 1/N); and its k-th spike is E_g (z + sqrt(varsigma) g)^k, not z^k, "
    "since a neuron's own part of the gradient has a square that does not average out (moniri2024.spikes, moniri2024.finite-step).",
)
NOTES = (
    *WRITTEN,
    "The activation is centred; rows of W0 on the unit sphere (with Gaussian rows 1^T R 1 is not tr R, and the constants of even "
    "powers count otherwise). The teacher is centred unless centre=false.",
    "The limit n -> infinity at (ell - 1)/(2 ell) < alpha < ell/(2 ell + 2): the borders are open. At finite n see "
    "moniri2024.finite-step.",
)
