"""moniri2024: training loss and test error at finite n, from spikes of finite strength, with their figures and trial."""

from theory.register.record import Claim, Experiment, Figure, Quantity, Statement
from theory.staircase.forms import PARAMETERS, SETTING

ENTRIES = (
    Quantity(
        key="moniri2024.finite-step",
        title="Training loss and test error at eta = c n^alpha and finite n, from spikes of finite strength",
        source="statements, section 3",
        parameters=(*PARAMETERS, "n", "alpha"),
        optional=("c", "spikes", "centre"),
        compute="theory.staircase.finite_errors:compute",
        route="theory.staircase.finite_errors_route:finite_step",
        samples=tuple({**SETTING, "n": "1000", "alpha": "29/100", "spikes": spikes} for spikes in ("source", "silent", "step")),
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
)
