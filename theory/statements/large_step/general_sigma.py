"""Open: the risk after a large step for a sigma that is not odd."""

from theory.large_step.forms import OPTIONAL, SETTING, STEP, TRIAL
from theory.register.record import Experiment, Quantity

ENTRIES = (
    Quantity(
        "large-step.general-sigma",
        "Open: the risk after a large step for a sigma that is not odd; here the odd formulas forced on it",
        "statements, section 5a",
        STEP,
        "theory.large_step.general:compute",
        optional=OPTIONAL,
        expected="open",
        experiment=Experiment(
            TRIAL,
            {**SETTING, "psi1": "2", "psi2": "2", "etabar": "2", "lam": "1/100", "activation": "relu", "teacher": "x^2+x-1"},
            sizes=(150, 225, 340, 510),
            draws=48,
        ),
        judged={"risk": ("risk_forced",), "training_error": ("training_error_forced",)},
        notes=(
            "The even part of sigma turns the bulk of a row into (I + b (E sigma'') X0^T diag(y) X0/n0) w: no independent "
            "noise. risk_forced counts it as such, and is not the risk.",
            "At the experiment's setting (relu, teacher x^2 + x - 1, alpha0 1/2; seed 1): risk_forced 9.849, simulated limit "
            "8.56(18), z = -7.0; training error .1609 against .1736(89).",
        ),
    ),
)
