"""tau* of ba2022: the least risk of a neuron average, with the values reported for it."""

from theory.register.record import Quantity, Reported

_TANH = {"activation": "tanh", "teacher": "tanh"}
_SOFTPLUS = {"activation": "softplus", "teacher": "softplus"}
_LOST = (
    "Gauss-Hermite weights sum to sqrt(pi): a 1/sqrt(pi) lost in the inner rule, applied to the whole difference "
    "sigma*(z) - sigma(kappa z + sqrt(2) x_i) and then squared, multiplies J by pi at every kappa and leaves kappa* alone"
)

ENTRIES = (
    Quantity(
        key="ba2022.tau-star",
        title="tau* = inf_kappa E(sigma*(z) - E sigma(kappa z + xi))^2, activation and teacher centred",
        source="ba2022, Theorem 11",
        parameters=("activation", "teacher"),
        optional=("normalize",),
        compute="theory.tau_star.values:compute",
        route="theory.tau_star.route:tau_star",
        samples=(
            _TANH,
            {"activation": "relu", "teacher": "tanh", "normalize": "true"},
        ),
        reported=(
            Reported(_TANH, "kappa", "1.6", "confirmed"),
            Reported(_TANH, "tau", "3e-4", "differs, as reported", "pi", _LOST),
            Reported(_SOFTPLUS, "kappa", "0.96", "confirmed"),
            Reported(_SOFTPLUS, "tau", "0.03", "differs, as reported", "pi", _LOST),
        ),
        digits=12,  # of the second route, a series in Hermite coefficients, which takes long beyond
        picture="theory.tau_star.figure:draw",
        notes=(
            "Section 1 of ba2022 has both functions centred; normalize=true divides both by their standard deviations.",
            "certified: no other kappa gives less, by enclosures; digits: only that kappa is a minimum was shown.",
        ),
    ),
    Quantity(
        key="ba2022.tau-star-table",
        title="tau* of every pair of built-in activations (a minute); plot draws it",
        source="ba2022, Theorem 11",
        parameters=(),
        optional=("normalize",),
        compute="theory.tau_star.table:compute",
        expected="open",
        picture="theory.tau_star.table:draw",
        notes=("Rows are activations, columns teachers; each cell is ba2022.tau-star, which verify checks on samples.",),
    ),
    Quantity(
        key="ba2022.theorem-11-constant",
        title="The constant 10 of Theorem 11 against the least risk over combinations of neuron averages",
        source="ba2022, Theorem 11",
        parameters=("activation", "teacher"),
        optional=("normalize",),
        compute="theory.large_step.averages:compute",
        route="theory.large_step.averages:in_floats",
        samples=(_TANH, {"activation": "erf", "teacher": "tanh", "normalize": "true"}),
        digits=4,  # of the second route, in floating point
        notes=("What simulation attains is the claim ba2022.theorem-11.attained.",),
    ),
)
