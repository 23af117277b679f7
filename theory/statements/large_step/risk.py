"""The risk after a large step, exactly in the limit."""

from theory.large_step.forms import OPTIONAL, SETTING, STEP, TRIAL
from theory.register.record import Experiment, Figure, Quantity

_SHEET = {
    "psi1": "3/2",
    "psi2": "1",
    "alpha0": "1/2",
    "etabar": "1",
    "lam": "1/100",
    "sigma_eps": "0",
    "activation": "tanh",
    "teacher": "sin",
}
# every alpha0 with every readout, but the setting's own
_OTHERS = (("1/2", "gaussian"), *((alpha0, readout) for alpha0 in ("2", "20") for readout in ("uniform", "gaussian")))

ENTRIES = (
    Quantity(
        "large-step.risk",
        "Test and training error of ridge regression after one step with eta = etabar sqrt(N), sigma odd",
        "statements, section 5a",
        STEP,
        "theory.large_step.values:compute",
        optional=OPTIONAL,
        route="theory.large_step.route:large_step",
        samples=(_SHEET, {**_SHEET, "alpha0": "inf", "rows": "sphere"}),
        notes=(
            "Gaussian equivalence is assumed for sigma'(X0 W0) and for the features of fresh data; see the chapter "
            "derivations.large_step.",
            "The covariances of a neuron's chance terms are those of the step: the sheet's, which take sigma'_perp(X0 W0) "
            "for independent of W0, miss that <w, q> contains m3 <w, X0^T y/n0>.",
            "Digits: two discretisations agree to them; rounding is enclosed beyond 9 digits.",
        ),
        digits=10,
        chapter=tuple(f"derivations.large_step:{name}" for name in ("direction", "spectrum", "chance", "energy", "errors")),
        picture="theory.large_step.figure:draw",
        figures=(
            Figure(
                "large-step",
                "After a large step: the exact risk, the infimum over span{A_kappa}, Theorem 11's bound, and what no large "
                "step attains",
                (),
                {"etabar": "9/2", "lam": "1/100", "activation": "tanh", "teacher": "tanh"},
                ("psi1", "1/2", "256"),
                draw="theory.large_step.figure:draw_figure",
            ),
        ),
        experiment=Experiment(
            TRIAL,
            SETTING,
            sizes=(200, 300, 450, 675),
            draws=48,
            variants=tuple({"alpha0": alpha0, "readout": readout} for alpha0, readout in _OTHERS),
        ),
        judged={"risk": ("risk", "risk_isotropic"), "training_error": ("training_error",), "gamma": ("gamma",)},
    ),
)
