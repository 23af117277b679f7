"""moniri2024: training loss and test error at finite n, from spikes of finite strength, with their figures."""

from theory.register.record import Figure, Quantity
from theory.staircase.forms import PARAMETERS, SETTING

ENTRIES = (
    Quantity(
        "moniri2024.finite-step",
        "Training loss and test error at eta = c n^alpha and finite n, from spikes of finite strength",
        "statements, section 3",
        (*PARAMETERS, "n", "alpha"),
        "theory.staircase.finite_errors:compute",
        optional=("c", "spikes", "centre"),
        route="theory.staircase.finite_errors_route:finite_step",
        samples=tuple({**SETTING, "n": "1000", "alpha": "29/100", "spikes": spikes} for spikes in ("source", "silent", "step")),
        digits=15,
        chapter=tuple(f"derivations.moniri2024.finite_errors:{name}" for name in ("spikes", "form", "traces", "errors")),
        figures=(
            Figure(
                "staircase",
                "Both errors against the exponent of the learning rate (reported setting of moniri2024)",
                (),
                {"phi": "3/10", "psi": "3/5", "lam": "1/10", "sigma_eps": "1/2", "activation": "relu"},
                ("alpha", "0", "9/20"),
                draw="theory.staircase.figure:draw_figure",
                d=300,
                draws=8,
                dots=10,
            ),
            Figure(
                "between-scales",
                "From the small step to the large one (setting of ba2022, Figure 3c; n/d is not in the sheet)",
                (),
                {"psi1": "4", "psi2": "2", "lam": "1/1000", "sigma_eps": "1/10", "activation": "erf", "teacher": "erf"},
                ("alpha", "0", "1/2"),
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
)
