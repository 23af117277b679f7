"""The risk after a large step, exactly in the limit."""

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

_STEP = ("psi1", "psi2", "alpha0", "etabar", "lam", "sigma_eps", "activation", "teacher")

# Where the exact and the isotropic value lie far apart at small alpha0.
_TRIAL = Experiment(
    observe="theory.large_step.draw:observe",
    setting={
        "psi1": "4",
        "psi2": "1",
        "alpha0": "1/2",
        "etabar": "4",
        "lam": "1/10",
        "sigma_eps": "0",
        "activation": "tanh",
        "teacher": "tanh(2*x)",
        "readout": "uniform",
    },
    sizes=(200, 300, 450, 675),
    draws=48,
    variants=tuple({"alpha0": alpha0, "readout": readout} for alpha0 in ("1/2", "2", "20") for readout in ("uniform", "gaussian"))[
        1:
    ],
)

ENTRIES = (
    Quantity(
        key="large-step.risk",
        title="Test and training error of ridge regression after one step with eta = etabar sqrt(N), sigma odd",
        source="statements, section 5a",
        parameters=_STEP,
        optional=("readout", "rows"),
        compute="theory.large_step.values:compute",
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
                name="large-step",
                title="After a large step: the exact risk, the infimum over span{A_kappa}, Theorem 11's bound, and what no large "
                "step attains",
                claims=(),
                setting={"etabar": "9/2", "lam": "1/100", "activation": "tanh", "teacher": "tanh"},
                sweep=("psi1", "1/2", "256"),
                draw="theory.large_step.figure:draw_figure",
            ),
        ),
        experiment=_TRIAL,
        judged={"risk": ("risk", "risk_isotropic"), "training_error": ("training_error",), "gamma": ("gamma",)},
    ),
    Quantity(
        key="large-step.best",
        title="The best etabar and lambda after a large step, sigma odd, and the risk there",
        source="statements, section 5a",
        parameters=tuple(name for name in _STEP if name not in ("etabar", "lam")),
        optional=("readout", "rows"),
        compute="theory.large_step.best:compute",
        route="theory.large_step.spiked_route:best",
        samples=({"psi1": "3/2", "psi2": "1", "alpha0": "inf", "sigma_eps": "0", "activation": "tanh", "teacher": "sin"},),
        digits=4,
        notes=(
            "etabar = 0+: no large step does better than a small step of unbounded learning rate.",
            "lam = oo: the best fit is that by the neurons' means alone, inf over span{A_kappa}.",
            "Searched over 1/8 <= etabar <= 64, 1e-6 <= lam: the lowest point of a grid, refined, against both borders.",
        ),
    ),
    Quantity(
        key="large-step.general-sigma",
        title="Open: the risk after a large step for a sigma that is not odd; here the odd formulas forced on it",
        source="statements, section 5a",
        parameters=_STEP,
        optional=("readout", "rows"),
        compute="theory.large_step.general:compute",
        expected="open",
        experiment=Experiment(
            observe="theory.large_step.draw:observe",
            setting={
                **_TRIAL.setting,
                "psi1": "2",
                "psi2": "2",
                "etabar": "2",
                "lam": "1/100",
                "activation": "relu",
                "teacher": "x^2+x-1",
            },
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
