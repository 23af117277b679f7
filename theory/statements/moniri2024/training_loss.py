"""moniri2024: the training loss and the test error after a step with ell spikes, for every ell."""

from theory.register.record import Quantity
from theory.staircase.forms import NOTES, OTHER, PARAMETERS, SETTING

ENTRIES = (
    Quantity(
        key="moniri2024.training-loss",
        title="The training loss after a step with ell spikes: its drops Delta_1, ..., Delta_ell",
        source="moniri2024 (statements, section 3)",
        parameters=PARAMETERS,
        optional=("alpha", "centre"),
        compute="theory.staircase.drops:loss_drops",
        route="theory.staircase.drops_route:training_loss",
        samples=(SETTING, OTHER),
        chapter=(
            "derivations.moniri2024.drops:free_fit",
            "derivations.moniri2024.drops:constants",
            "derivations.moniri2024.drops:every_ell",
        ),
        notes=NOTES,
    ),
    Quantity(
        key="moniri2024.test-error",
        title="The test error after a step with ell spikes: its drops Lambda_1, ..., Lambda_ell",
        source="moniri2024 (statements, section 3; its printed forms were not seen)",
        parameters=PARAMETERS,
        optional=("alpha", "centre"),
        compute="theory.staircase.drops:error_drops",
        route="theory.staircase.drops_route:test_error",
        samples=(SETTING, OTHER),
        chapter=(
            "derivations.moniri2024.drops:residual",
            "derivations.moniri2024.drops:constants",
            "derivations.moniri2024.drops:every_ell",
        ),
        notes=NOTES,
    ),
)
