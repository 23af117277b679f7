"""The best step and penalty after a large step."""

from theory.large_step.forms import OPTIONAL, STEP
from theory.register.record import Quantity

ENTRIES = (
    Quantity(
        "large-step.best",
        "The best etabar and lambda after a large step, sigma odd, and the risk there",
        "statements, section 5a",
        tuple(name for name in STEP if name not in ("etabar", "lam")),
        "theory.large_step.best:compute",
        optional=OPTIONAL,
        route="theory.large_step.spiked_route:best",
        samples=({"psi1": "3/2", "psi2": "1", "alpha0": "inf", "sigma_eps": "0", "activation": "tanh", "teacher": "sin"},),
        digits=4,
        notes=(
            "etabar = 0+: no large step does better than a small step of unbounded learning rate.",
            "lam = oo: the best fit is that by the neurons' means alone, inf over span{A_kappa}.",
            "Searched over 1/8 <= etabar <= 64, 1e-6 <= lam: the lowest point of a grid, refined, against both borders.",
        ),
    ),
)
