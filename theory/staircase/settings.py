"""What the entries on a step with eta ~ n^alpha have in common: settings, the parameters, and what is said of the step."""

from __future__ import annotations

TEACHER = "He1 + He2/sqrt(2)"
# that of the source's figures, as reported
REPORTED = {"phi": "3/10", "psi": "3/5", "sigma_eps": "1/2", "activation": "relu", "teacher": TEACHER}

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
