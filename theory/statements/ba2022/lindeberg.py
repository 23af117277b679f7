"""Why Gaussian equivalence holds after a small step: the conditions of its Lindeberg proof, as rates; they fail at eta ~ sqrt N."""

from theory.register.record import NONE, Claim, Experiment, Statement
from theory.spike.forms import BULK_EDGE, HYPOTHESES, ORIENTED, SINGULAR_VALUE, SPIKE_TREND, THETA1, WITH_NOISE

_HEAD = "largest entry of the ridge solutions with one neuron left out"


def _rates(name: str, says: str, bound: str, proof: str | None = None) -> tuple[Claim, ...]:
    """One claim before the step and one after it."""
    expected = "open" if proof == NONE else "derived"
    return tuple(
        Claim(f"{when}_{name}", f"{says}, {when} the step", bound, expected=expected, kind="rate", proof=proof, logs=1)
        for when in ("before", "after")
    )


def _large(name: str, says: str, bound: str, logs: int) -> Claim:
    return Claim(f"large_{name}", f"{says}, after a step with eta sqrt N for eta", bound, kind="rate", logs=logs)


ENTRIES = (
    Statement(
        "ba2022.lindeberg",
        "Why Gaussian equivalence holds after a small step, and not after a large one",
        "ba2022, proof of Theorem 5 (statements, section 2)",
        "derived",
        claims=(
            Claim(
                "before_norm",
                "|W0|, operator norm",
                BULK_EDGE,
                proof="derivations.ba2022.spike:bulk_edge",
                route="theory.marchenko_pastur.route:bulk_edge",
                trend=("2/3", "4/3"),
            ),
            Claim(
                "after_norm",
                "|W1|, operator norm: bounded",
                SINGULAR_VALUE,
                proof="derivations.ba2022.spike:singular_value",
                route="theory.spike.route:singular_value",
                trend=SPIKE_TREND,
            ),
            *_rates("pair", "max |<w_i, w_j>| over pairs of neurons", "-1/2"),
            *_rates("teacher", "max |<w_j, beta>| over neurons", "-1/2"),
            *_rates("head", f"{_HEAD}; seen in simulation, not derived here", "0", NONE),
            _large("norm", "|W|, operator norm", "1/2", 0),
            _large("pair", "max |<w_i, w_j>| over pairs of neurons", "0", 2),
            _large("teacher", "max |<w_j, beta>| over neurons", "0", 1),
            Claim("large_head", f"{_HEAD}, after a step with eta sqrt N; not derived", "0", None, "open", "rate", NONE, logs=1),
        ),
        hypotheses=HYPOTHESES,
        where={"derived": {**WITH_NOISE, "theta1": THETA1}},
        experiment=Experiment(
            "theory.equivalence.lindeberg:lindeberg_observables",
            {"activation": "tanh", "teacher": "tanh", "psi1": "2", "psi2": "1", "lam": "1/10", "eta": "3", "sigma_eps": "1/2"},
            sizes=(100, 200, 400, 800),
            draws=12,
            parameters=("lam",),
            measures=tuple(
                f"{when}_{what}" for when in ("before", "after", "large") for what in ("norm", "pair", "teacher", "head")
            ),
        ),
        notes=(
            "A rate is an upper bound up to logarithms: the fitted exponent must not lie above it.",
            "The bounds after a large step are attained: overlaps that do not fall with d, and a norm that grows like sqrt n, are "
            "how the conditions fail.",
            *ORIENTED,
        ),
        chapter="derivations.ba2022.lindeberg",
    ),
)
