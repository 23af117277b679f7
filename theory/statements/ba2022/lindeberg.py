"""Why Gaussian equivalence holds after a small step: the conditions of its Lindeberg proof, as rates; they fail at eta ~ sqrt N."""

from theory.register.record import Claim, Experiment, Statement
from theory.spike.forms import BULK_EDGE, HYPOTHESES, ORIENTED, SINGULAR_VALUE, SPIKE_TREND, THETA1, WITH_NOISE


def _rates(name: str, says: str, bound: str, logs: int, proof: str) -> tuple[Claim, ...]:
    """One claim before the step and one after it."""
    return tuple(
        Claim(
            name=f"{when}_{name}",
            kind="rate",
            says=f"{says}, {when} the step",
            derived=bound,
            proof=f"derivations.ba2022.lindeberg:{when}_{proof}" if proof else None,
            observable=f"{when}_{name}",
            logs=logs,
            expected="derived" if proof else "open",
        )
        for when in ("before", "after")
    )


def _large(name: str, says: str, bound: str, logs: int) -> Claim:
    return Claim(
        name=f"large_{name}",
        kind="rate",
        says=f"{says}, after a step with eta sqrt N for eta",
        derived=bound,
        proof=f"derivations.ba2022.lindeberg:large_{name}",
        observable=f"large_{name}",
        logs=logs,
    )


ENTRIES = (
    Statement(
        key="ba2022.lindeberg",
        title="Why Gaussian equivalence holds after a small step, and not after a large one",
        source="ba2022, proof of Theorem 5 (statements, section 2)",
        provenance="derived",
        hypotheses=HYPOTHESES,
        where={"derived": {**WITH_NOISE, "theta1": THETA1}},
        claims=(
            Claim(
                name="before_norm",
                kind="limit",
                says="|W0|, operator norm",
                derived=BULK_EDGE,
                proof="derivations.ba2022.spike:bulk_edge",
                route="theory.marchenko_pastur.route:bulk_edge",
                observable="before_norm",
                trend=("2/3", "4/3"),
            ),
            Claim(
                name="after_norm",
                kind="limit",
                says="|W1|, operator norm: bounded",
                derived=SINGULAR_VALUE,
                proof="derivations.ba2022.spike:singular_value",
                route="theory.spike.route:singular_value",
                observable="after_norm",
                trend=SPIKE_TREND,
            ),
            *_rates("pair", "max |<w_i, w_j>| over pairs of neurons", "-1/2", 1, "pair"),
            *_rates("teacher", "max |<w_j, beta>| over neurons", "-1/2", 1, "teacher"),
            *_rates(
                "head",
                "largest entry of the ridge solutions with one neuron left out; seen in simulation, not derived here",
                "0",
                1,
                "",
            ),
            _large("norm", "|W|, operator norm", "1/2", 0),
            _large("pair", "max |<w_i, w_j>| over pairs of neurons", "0", 2),
            _large("teacher", "max |<w_j, beta>| over neurons", "0", 1),
            Claim(
                name="large_head",
                kind="rate",
                says="largest entry of the ridge solutions with one neuron left out, after a step with eta sqrt N; not derived",
                derived="0",
                observable="large_head",
                logs=1,
                expected="open",
            ),
        ),
        experiment=Experiment(
            observe="theory.equivalence.lindeberg:lindeberg_observables",
            setting={
                "activation": "tanh",
                "teacher": "tanh",
                "psi1": "2",
                "psi2": "1",
                "lam": "1/10",
                "eta": "3",
                "sigma_eps": "1/2",
            },
            sizes=(100, 200, 400, 800),
            draws=12,
            parameters=("lam",),
        ),
        notes=(
            "A rate is an upper bound up to logarithms: the fitted exponent must not lie above it.",
            "The bounds after a large step are attained: overlaps that do not fall with d, and a norm that grows like sqrt n, are "
            "how the conditions fail.",
            *ORIENTED,
        ),
    ),
)
