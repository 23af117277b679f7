"""Theorem 5 of ba2022: the features after a few small steps may be replaced by linear ones with independent noise."""

from theory.register.record import Claim, Experiment, Figure, Statement
from theory.risk.forms import BIAS, DF2, OMEGA, SPECTRAL, VARIANCE, risk_after
from theory.spike.forms import HYPOTHESES, ORIENTED, THETA1, THETA2, WITH_NOISE

STEPS = (1, 2, 3)
SETTING = {"activation": "tanh", "teacher": "softplus", "psi1": "2", "psi2": "3/2", "lam": "1/10", "eta": "1", "sigma_eps": "1/2"}

# The pair, width, penalty and noise of ba2022, Figure 3c.
BREAKS = {"activation": "erf", "teacher": "erf", "psi1": "5", "psi2": "2", "lam": "1e-3", "eta": "1", "sigma_eps": "1/10"}


ENTRIES = (
    Statement(
        key="ba2022.theorem-5",
        title="Gaussian equivalence after a few small steps",
        source="ba2022, Theorem 5",
        provenance="read",
        hypotheses=HYPOTHESES,
        where={
            "derived": {
                **WITH_NOISE,
                **SPECTRAL,
                "df2": DF2,
                "bias": BIAS,
                "variance": VARIANCE,
                "theta1": THETA1,
                "theta2": THETA2,
            }
        },
        bindings={"omega": OMEGA},
        claims=(
            *(
                Claim(
                    name=f"gap_{t}",
                    kind="limit",
                    says=f"R_CK - R_GE after {t} steps: seen in simulation, not derived here",
                    printed="0",
                    derived="0",
                    observable=f"CK_{t} - GE_{t}",
                    trend=("1/2", "1"),
                    expected="open",
                )
                for t in STEPS
            ),
            *(
                Claim(
                    name=f"risk_{t}",
                    kind="limit",
                    says=f"risk with phi_GE, and so with the activation, after {t} steps: R1 at {t} eta",
                    derived=risk_after(t),
                    proof=("derivations.ba2022.equivalence:after", {"steps": t}),
                    route=("theory.risk.route:after", {"steps": t}),
                    observable=f"CK_{t}",
                    trend=("1/2", "1"),
                )
                for t in STEPS
            ),
        ),
        experiment=Experiment(
            observe="theory.equivalence.steps:after_steps",
            setting=SETTING,
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
                BREAKS,
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
