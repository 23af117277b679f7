"""Hermite coefficients of an activation."""

from theory.register.record import Quantity

ENTRIES = (
    Quantity(
        key="hermite",
        title="Hermite coefficients c_k = E[sigma(z) He_k(z)], z ~ N(0, 1), uncentred, and the energy E sigma^2",
        source="statements, section 0a",
        parameters=("activation",),
        optional=("order",),
        compute="theory.activations.values:hermite",
        route="theory.activations.route:hermite",
        samples=(
            {"activation": "tanh", "order": "5"},
            {"activation": "relu", "order": "6"},
            {"activation": "erf", "order": "5"},
            {"activation": "softplus", "order": "4"},
        ),
        notes=("He_k monic: divide by k! for the convention of moniri2024.",),
    ),
)
