"""Theorem 7 of ba2022: what a small step gains, with the risk before it and after it."""

from theory.register.record import SAME, Claim, Experiment, Figure, Statement
from theory.risk.forms import BIAS, CEILING, CURVE, DELTA, OMEGA, R0, R1, RISK_CURVE, VARIANCE
from theory.spike.forms import HYPOTHESES, ORIENTED, WITH_NOISE, WITHOUT_NOISE, lengths

# The network's own output moves R1 by a multiple of d^(-1/2), as it moves the spike (theory.spike.forms), but here the multiple is
# about 1/100, which tests/theory/risk/test_limits_route.py computes: at these sizes the corrections are of order 1/d.
EXPERIMENT = Experiment(
    "theory.trial.ridge:risk_observables",
    {"activation": "tanh", "teacher": "softplus", "psi1": "2", "psi2": "1/2", "lam": "1", "eta": "4", "sigma_eps": "3/2"},
    sizes=(152, 228, 342, 512),
    draws=50,
    parameters=("lam",),
    variants=({"teacher": "relu"},),
    measures=("R0", "R1"),
)
# Figure 3 of ba2022, (a) and (b): the sheet has their settings but neither which of a pair is the teacher nor eta.
_A = {"activation": "tanh", "teacher": "softplus", "psi1": "3", "psi2": "2", "lam": "1e-4", "eta": "2", "sigma_eps": "1/4"}
_B = {"activation": "tanh", "teacher": "relu", "psi1": "5", "psi2": "2", "lam": "1e-2", "eta": "2", "sigma_eps": "1/10"}
FIGURES = (
    Figure("risk", "Risk before and after the step against n/d (ba2022, Figure 3a)", ("R0", "R1"), _A, ("psi1", "0", "6")),
    Figure("risk-width", "Risk before and after the step against N/d (ba2022, Figure 3b)", ("R0", "R1"), _B, ("psi2", "0", "6")),
    Figure("delta", "Gain of the step against N/d (setting of ba2022, Figure 3b)", ("delta",), _B, ("psi2", "0", "6")),
)

ENTRIES = (
    Statement(
        "ba2022.theorem-7",
        "The gain of a small step",
        "ba2022, Theorem 7",
        "reported",
        claims=(
            *lengths("differs, as reported", observed=False),
            Claim("bias", "coefficient of mu1*^2 in R0", BIAS),
            Claim("variance", "coefficient of sigma_eps^2 + mu2*^2 in R0, and in R1", VARIANCE),
            Claim(
                "R0",
                "risk of ridge regression on the features before the step, against the noiseless teacher",
                R0,
                proof="derivations.ba2022.risk:r0",
                route="theory.risk.route:r0",
            ),
            Claim("delta", "R0 - R1, what the step gains", DELTA, SAME, "differs, as reported", observable="R0 - R1"),
            Claim(
                "R1",
                "risk of ridge regression on the features after the step",
                R1,
                SAME,
                "differs, as reported",
                proof="derivations.ba2022.risk:r1",
                route="theory.risk.route:r1",
            ),
            Claim("ceiling", "limit of delta as eta -> infinity", CEILING, SAME, "differs, as reported"),
        ),
        hypotheses={**HYPOTHESES, "mu1* != 0": "Abs(mu1_star) > 0"},
        where={
            "printed": {**WITHOUT_NOISE, **RISK_CURVE, "bias": BIAS, "variance": VARIANCE, "R0": R0},
            "derived": {**WITH_NOISE, **RISK_CURVE},
        },
        bindings={"omega": OMEGA},
        curve=CURVE,
        experiment=EXPERIMENT,
        sweep=("eta", "0", "5"),
        figures=FIGURES,
        notes=(
            "The statement was read, its formula (C.28) not: the printed column is the derived form with theta1 as Theorem 3 is "
            "reported to print it, without sigma_eps^2 in E y^2.",
            "mu1* = 0 gives delta = 0: the step then has no component along the teacher.",
            "A teacher of many directions enters by mu1* = |E f*(x) x| and mu2*^2 = Var f* - mu1*^2 alone: beta is then the "
            "direction of E f*(x) x; give mu1_star and mu2_star.",
            *ORIENTED,
        ),
        chapter="derivations.ba2022.risk",
        routes="theory.risk.route",
    ),
)
