"""Theorem 5 of ba2022: the features after a few small steps may be replaced by linear ones with independent noise."""

from theory.register.record import SAME, Claim, Experiment, Figure, Statement
from theory.risk.forms import BIAS, OMEGA, RISK_CURVE, VARIANCE, risk_after
from theory.spike.forms import HYPOTHESES, ORIENTED, THETA1, THETA2, WITH_NOISE

# The pair, width, penalty and noise of ba2022, Figure 3c.
_BREAKS = {"activation": "erf", "teacher": "erf", "psi1": "5", "psi2": "2", "lam": "1e-3", "eta": "1", "sigma_eps": "1/10"}


def _gap(steps: int) -> Claim:
    says = f"R_CK - R_GE after {steps} steps: seen in simulation, not derived here"
    return Claim(f"gap_{steps}", says, "0", SAME, "open", observable=f"CK_{steps} - GE_{steps}", trend=("1/2", "1"))


def _risk(steps: int) -> Claim:
    return Claim(
        f"risk_{steps}",
        f"risk with phi_GE, and so with the activation, after {steps} steps: R1 at {steps} eta",
        risk_after(steps),
        proof=("derivations.ba2022.equivalence:after", {"steps": steps}),
        route=("theory.risk.route:after", {"steps": steps}),
        observable=f"CK_{steps}",
        trend=("1/2", "1"),
    )


ENTRIES = (
    Statement(
        "ba2022.theorem-5",
        "Gaussian equivalence after a few small steps",
        "ba2022, Theorem 5",
        "read",
        claims=(*map(_gap, (1, 2, 3)), *map(_risk, (1, 2, 3))),
        hypotheses=HYPOTHESES,
        where={"derived": {**WITH_NOISE, **RISK_CURVE, "bias": BIAS, "variance": VARIANCE, "theta1": THETA1, "theta2": THETA2}},
        bindings={"omega": OMEGA},
        experiment=Experiment(
            "theory.equivalence.steps:after_steps",
            {
                "activation": "tanh",
                "teacher": "softplus",
                "psi1": "2",
                "psi2": "3/2",
                "lam": "1/10",
                "eta": "1",
                "sigma_eps": "1/2",
            },
            sizes=(150, 224, 338, 506),
            draws=24,
            parameters=("lam", "mu1", "mu2", "mu1_star"),
        ),
        sweep=("eta", "0", "5"),
        figures=(
            Figure(
                "equivalence",
                "Where Gaussian equivalence breaks: many steps, and one long step",
                ("gap_1",),
                _BREAKS,
                ("eta", "0", "40"),
                draw="theory.equivalence.figure:draw",
            ),
        ),
        notes=(
            "The theorem is for odd sigma and data independent of the step's; it is read for one step and reported for any fixed "
            "number of steps, all on one data set.",
            "phi_GE = N^{-1/2} (mu1 W^T x + mu2 z) with the weights W of the network itself.",
            *ORIENTED,
        ),
    ),
)
