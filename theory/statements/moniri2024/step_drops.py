"""moniri2024: the drops of the training loss for the step as it is written."""

from theory.register.record import Claim, Statement
from theory.risk.forms import OMEGA
from theory.spike.forms import HYPOTHESES
from theory.staircase.forms import PRINTED, STEP, STEP_DROPS, TRACES, WRITTEN

ENTRIES = (
    Statement(
        key="moniri2024.step-drops",
        title="The drops of the training loss for the step as it is written",
        source="moniri2024 (Delta_1 reported, Delta_2 recalled)",
        provenance="reported",
        hypotheses={**HYPOTHESES, "c_2 != 0": "Abs(c2) > 0"},
        where={
            "printed": TRACES,
            "derived": {**TRACES, **STEP},
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
            for ell, form in STEP_DROPS.items()
        ),
        sweep=("psi1", "1/10", "4"),
        notes=WRITTEN,
    ),
)
