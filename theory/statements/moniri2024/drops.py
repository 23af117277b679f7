"""moniri2024: what a step with eta ~ n^alpha takes off the training loss and the test error, for every number of spikes."""

from theory.register.record import Claim, Experiment, Figure, Quantity, Statement
from theory.risk.forms import BIAS, CURVE, DF2, OMEGA, SPECTRAL, VARIANCE
from theory.staircase.forms import (
    DEFINITIONS,
    DROP,
    FREE,
    GAIN,
    PRINTED,
    QUARTIC,
    STEP,
    STEP_DELTA_1,
    STEP_DELTA_2,
    WITH_MEAN,
)
from theory.statements.adlam2020_m_equations import M1, M2, RIGHT
from theory.statements.ba2022.theorem_3 import HYPOTHESES

_SETTING = {
    "phi": "2/5",
    "psi": "7/10",
    "lam": "1/10",
    "sigma_eps": "1/2",
    "activation": "relu",
    "teacher": "He1 + He2/sqrt(2)",
    "ell": "2",
}
_OTHER = {
    "phi": "3/2",
    "psi": "2/3",
    "lam": "1/100",
    "sigma_eps": "1/3",
    "activation": "He1 + He2/3 - He3/5 + He4/7",
    "teacher": "He1 + He2/2 + He3/3 - He4/4 + 1/2",
    "ell": "5",
    "centre": "false",
}
_PARAMETERS = tuple(_SETTING)
_WRITTEN = (
    "step_: the limit for the step as the sheet writes it. Its direction is X^T (y - f0)/n, not X^T y/n, since the network's own "
    "output f0 = a^T sigma(W0 x) is of order one at a_i ~ N(0, 1/N); and its k-th spike is E_g (z + sqrt(varsigma) g)^k, not z^k, "
    "since a neuron's own part of the gradient has a square that does not average out (moniri2024.spikes, moniri2024.finite-step).",
)
_NOTES = (
    *_WRITTEN,
    "The activation is centred; rows of W0 on the unit sphere (with Gaussian rows 1^T R 1 is not tr R, and the constants of even "
    "powers count otherwise). The teacher is centred unless centre=false.",
    "The limit n -> infinity at (ell - 1)/(2 ell) < alpha < ell/(2 ell + 2): the borders are open. At finite n see "
    "moniri2024.finite-step.",
)


def _claims(letter: str, says: str, route: str, first: str, scale: str, printed: dict[int, str]) -> tuple[Claim, ...]:
    rest = {1: "0", 2: GAIN[2], 3: GAIN[3], 4: GAIN[4]}
    return tuple(
        Claim(
            name=f"{letter}_{ell}",
            kind="limit",
            says=says.format(ell=ell),
            printed=printed.get(ell),
            derived=first if ell == 1 else f"{first} + {scale}*{rest[ell]}",
            proof=f"derivations.moniri2024.drops:{letter.lower()}_{ell}",
            route=f"theory.staircase.drops_route:{route}_{ell}",
            models=2,
            expected="confirmed" if ell in printed else "derived",
        )
        for ell in (1, 2, 3, 4)
    )


ENTRIES = (
    Quantity(
        key="moniri2024.training-loss",
        title="The training loss after a step with ell spikes: its drops Delta_1, ..., Delta_ell",
        source="moniri2024 (statements, section 3)",
        parameters=_PARAMETERS,
        optional=("alpha", "centre"),
        compute="theory.staircase.drops:training_loss",
        route="theory.staircase.drops_route:training_loss",
        samples=(_SETTING, _OTHER),
        chapter=(
            "derivations.moniri2024.drops:free_fit",
            "derivations.moniri2024.drops:constants",
            "derivations.moniri2024.drops:every_ell",
        ),
        notes=_NOTES,
    ),
    Quantity(
        key="moniri2024.test-error",
        title="The test error after a step with ell spikes: its drops Lambda_1, ..., Lambda_ell",
        source="moniri2024 (statements, section 3; its printed forms were not seen)",
        parameters=_PARAMETERS,
        optional=("alpha", "centre"),
        compute="theory.staircase.drops:test_error",
        route="theory.staircase.drops_route:test_error",
        samples=(_SETTING, _OTHER),
        chapter=(
            "derivations.moniri2024.drops:residual",
            "derivations.moniri2024.drops:constants",
            "derivations.moniri2024.drops:every_ell",
        ),
        notes=_NOTES,
    ),
    Quantity(
        key="moniri2024.finite-step",
        title="Training loss and test error at eta = c n^alpha and finite n, from spikes of finite strength",
        source="statements, section 3",
        parameters=(*_PARAMETERS, "n", "alpha"),
        optional=("c", "spikes", "centre"),
        compute="theory.staircase.finite_errors:compute",
        route="theory.staircase.finite_errors_route:finite_step",
        samples=tuple({**_SETTING, "n": "1000", "alpha": "29/100", "spikes": spikes} for spikes in ("source", "silent", "step")),
        digits=15,
        chapter=tuple(f"derivations.moniri2024.finite_errors:{name}" for name in ("spikes", "form", "traces", "errors")),
        figures=(
            Figure(
                name="staircase",
                title="Both errors against the exponent of the learning rate (reported setting of moniri2024)",
                claims=(),
                setting={"phi": "3/10", "psi": "3/5", "lam": "1/10", "sigma_eps": "1/2", "activation": "relu"},
                sweep=("alpha", "0", "9/20"),
                draw="theory.staircase.figure:draw_figure",
                d=300,
                draws=8,
                dots=10,
            ),
            Figure(
                name="between-scales",
                title="From the small step to the large one (setting of ba2022, Figure 3c; n/d is not in the sheet)",
                claims=(),
                setting={"psi1": "4", "psi2": "2", "lam": "1/1000", "sigma_eps": "1/10", "activation": "erf", "teacher": "erf"},
                sweep=("alpha", "0", "1/2"),
                draw="theory.staircase.between:draw_figure",
                d=256,
                draws=8,
                dots=9,
            ),
        ),
        notes=(
            "The features are those of F_ell = F0 + sum_k t_k u_k v_k^T with the t_k of this n; _before is t = 0, _limit is t -> "
            "infinity. F_ell leaves out what the step does to the bulk, of relative order eta^2/N, falling like n^(2 alpha - 1); "
            "with a teacher that has He_2 the figure staircase shows it at n = 1000, and moniri2024.finite-step-trial tries it.",
            "spikes=step (the default): those of the step as it is written; spikes=source: those that the source is reported to "
            "have; spikes=silent: the step of a network whose output before it is small.",
        ),
    ),
    Statement(
        key="moniri2024.finite-step-trial",
        title="Simulated drops of both errors over those of spikes and moved bulk at the same n",
        source="statements, section 3",
        provenance="derived",
        claims=tuple(
            Claim(
                name=name,
                kind="limit",
                says=f"drop of the {words} over that of theory.staircase.moved at the same n",
                derived="1",
                observable=name,
                trend=("21/50", "1"),  # n^(2 alpha - 1)
                expected="open",
            )
            for name, words in (("loss", "training loss"), ("error", "test error"))
        ),
        experiment=Experiment(
            observe="theory.staircase.errors_trial:observe_against_model",
            setting={
                "phi": "3/10",
                "psi": "3/5",
                "lam": "1/10",
                "sigma_eps": "1/2",
                "activation": "relu",
                "teacher": "He1 + He2/sqrt(2)",
                "alpha": "29/100",
            },
            sizes=(120, 180, 270, 405),
            draws=32,
            from_scratch=True,
            n="d/phi",
            N="d/psi",
        ),
        notes=(
            "Nothing is proved here. The model adds to the spikes, all degrees at once, what the step does to the bulk: grown "
            "rows, z-dependent linear parts, the own parts' components along beta. All are of relative order eta^2/N and fall as "
            "n^(2 alpha - 1).",
        ),
    ),
    Statement(
        key="moniri2024.drops",
        title="The drops of the training loss and of the test error in closed form",
        source="moniri2024 (Delta_1 reported, Delta_2 recalled; the rest is not printed or was not seen)",
        provenance="reported",
        hypotheses={**HYPOTHESES, "the activation's c_k != 0 for k <= 4": "Abs(c2*c3*c4) > 0"},
        where={
            "printed": {**SPECTRAL, **DEFINITIONS, "m1": M1, "m2": M2},
            "derived": {**SPECTRAL, **DEFINITIONS, "m1": M1, "m2": M2, **FREE, "df2": DF2, "bias": BIAS, "variance": VARIANCE},
        },
        bindings={"omega": OMEGA},
        claims=(
            *_claims("Delta", "drop of the training loss with {ell} spikes", "delta", *DROP),
            *_claims(
                "Lambda", "drop of the test error with {ell} spikes", "lambda", "mu1_star**2*rho**2*bias", "(1 + variance)", {}
            ),
        ),
        sweep=("psi1", "1/10", "4"),
        notes=(
            "psi1 = 1/phi, psi2 = 1/psi, mu1 = c_1, mu2 = c_{>1}, mu1_star = c_{*,1}; lambda is the source's. The teacher is "
            "centred.",
            "Delta_ell and Lambda_ell need c_k != 0 for k <= ell alone; moniri2024.training-loss leaves out what is absent.",
        ),
    ),
    Statement(
        key="moniri2024.step-drops",
        title="The drops of the training loss for the step as it is written",
        source="moniri2024 (Delta_1 reported, Delta_2 recalled)",
        provenance="reported",
        hypotheses={**HYPOTHESES, "c_2 != 0": "Abs(c2) > 0"},
        where={
            "printed": {**SPECTRAL, **DEFINITIONS, "m1": M1, "m2": M2},
            "derived": {**SPECTRAL, **DEFINITIONS, "m1": M1, "m2": M2, **STEP},
        },
        bindings={"omega": OMEGA},
        claims=tuple(
            Claim(
                name=f"Delta_{ell}",
                kind="limit",
                says=f"drop of the training loss with {ell} spikes of W1 = W0 + eta G",
                printed=PRINTED[ell],
                derived=form,
                proof=f"derivations.moniri2024.step:delta_{ell}",
                route=f"theory.staircase.finite_errors_route:step_delta_{ell}",
                models=2,
                digits=20,
                expected="differs, as reported",
            )
            for ell, form in ((1, STEP_DELTA_1), (2, STEP_DELTA_2))
        ),
        sweep=("psi1", "1/10", "4"),
        notes=_WRITTEN,
    ),
    Statement(
        key="moniri2024.teacher-mean",
        title="A teacher with a mean: the second of the reported spikes takes part of it",
        source="statements, section 3",
        provenance="derived",
        hypotheses=HYPOTHESES,
        where={"derived": {**SPECTRAL, **DEFINITIONS, "m1": M1, "m2": M2, **WITH_MEAN}},
        bindings={"omega": OMEGA},
        claims=(
            Claim(
                name="Delta_2",
                kind="limit",
                says="drop of the training loss with two spikes, for a teacher whose mean c_{*,0} is not subtracted",
                derived=f"lam*psi/phi*(mu1_star**2*rho**2*m2 + m1*{QUARTIC})",
                proof="derivations.moniri2024.drops:with_mean",
                route="theory.staircase.drops_route:delta_with_mean",
                models=2,
            ),
        ),
        sweep=("psi1", "1/10", "4"),
        notes=(
            "c0_star = E sigma*(z) of the teacher as given; the other coefficients are those of the centred one.",
            "For the spikes (X~ beta_hat)^{ok} alone: the step as it is written has more, since a mean of the labels stretches a "
            "row by 2 c_2 c_{*,0} eta a_i, a spike of the order of the first.",
        ),
    ),
    Statement(
        key="moniri2024.m-equations",
        title="The two equations of m1 and m2, in the letters of moniri2024",
        source="moniri2024 (recalled)",
        provenance="recalled",
        hypotheses={"mu1 != 0": "mu1 > 0"},
        where={
            "printed": {**SPECTRAL, "phi": "1/psi1", "psi": "1/psi2", "m1": M1, "m2": M2},
            "derived": {**SPECTRAL, "phi": "1/psi1", "psi": "1/psi2", "m1": M1, "m2": M2},
        },
        bindings={"omega": OMEGA},
        curve=CURVE,
        claims=(
            Claim(
                name="first",
                kind="limit",
                says="phi (m1 - m2)(c_{>1}^2 m1 + c_1^2 m2), which is c_1^2 m1 m2 (1 - (lambda psi/phi) m1)",
                printed="phi*(m1 - m2)*(mu2**2*m1 + mu1**2*m2)",
                derived=RIGHT,
                proof="derivations.adlam:first",
                route="theory.risk.route:first_equation",
                expected="confirmed",
            ),
            Claim(
                name="second",
                kind="limit",
                says="c_1^2 m1 m2 + phi (m2 - m1) times a factor, recalled as psi/phi; it is c_1^2 m1 m2 (1 - (lambda psi/phi) m1)",
                printed="psi/phi*(mu1**2*m1*m2 + phi*(m2 - m1))",
                derived=RIGHT,
                proof="derivations.adlam:second",
                route="theory.risk.route:second_equation",
                expected="differs, as reported",
            ),
        ),
        sweep=("psi2", "1/10", "4"),
        notes=("The factor is phi/psi = N/n: with it the equation is (S68) of adlam2020.",),
    ),
)
