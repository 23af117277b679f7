"""moniri2024: simulated drops of both errors over those of spikes and moved bulk at the same n."""

from theory.register.record import Claim, Experiment, Statement
from theory.staircase.forms import SCRATCH, TEACHER

ENTRIES = (
    Statement(
        "moniri2024.finite-step-trial",
        "Simulated drops of both errors over those of spikes and moved bulk at the same n",
        "statements, section 3",
        "derived",
        claims=tuple(
            Claim(
                name,
                f"drop of the {words} over that of theory.staircase.moved at the same n",
                "1",
                expected="open",
                trend=("21/50", "1"),  # n^(2 alpha - 1)
            )
            for name, words in (("loss", "training loss"), ("error", "test error"))
        ),
        experiment=Experiment(
            "theory.staircase.errors_trial:observe_against_model",
            {
                "phi": "3/10",
                "psi": "3/5",
                "lam": "1/10",
                "sigma_eps": "1/2",
                "activation": "relu",
                "teacher": TEACHER,
                "alpha": "29/100",
            },
            sizes=(120, 180, 270, 405),
            draws=32,
            measures=("loss", "error"),
            **SCRATCH,
        ),
        notes=(
            "Nothing is proved here. The model adds to the spikes, all degrees at once, what the step does to the bulk: grown "
            "rows, z-dependent linear parts, the own parts' components along beta. All are of relative order eta^2/N and fall as "
            "n^(2 alpha - 1).",
        ),
    ),
)
