"""What entries on the risk after a large step have in common: parameters, the setting of their trials, and the trial itself."""

from __future__ import annotations

STEP = ("psi1", "psi2", "alpha0", "etabar", "lam", "sigma_eps", "activation", "teacher")
OPTIONAL = ("readout", "rows")
TRIAL = "theory.large_step.draw:observe"

# Where the exact and the isotropic value lie far apart at small alpha0.
SETTING = {
    "psi1": "4",
    "psi2": "1",
    "alpha0": "1/2",
    "etabar": "4",
    "lam": "1/10",
    "sigma_eps": "0",
    "activation": "tanh",
    "teacher": "tanh(2*x)",
    "readout": "uniform",
}
