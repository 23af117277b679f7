"""Theorem 3 of ba2022, the spike, as reported and as corrected."""

from theory.register.record import Claim, Experiment, Statement
from theory.spike.forms import BULK_EDGE, HYPOTHESES, ORIENTED, TRIAL, WITH_NOISE, WITHOUT_NOISE, spike_claims

ENTRIES = (
    Statement(
        key="ba2022.theorem-3",
        title="The spike of one gradient step",
        source="ba2022, Theorem 3",
        provenance="reported",
        hypotheses=HYPOTHESES,
        where={"printed": WITHOUT_NOISE, "derived": WITH_NOISE},
        claims=spike_claims("differs, as reported"),
        notes=(
            "The printed statement is reported to drop sigma_eps^2 from E y^2; its own proof is reported to carry it.",
            *ORIENTED,
        ),
        experiment=TRIAL,
        sweep=("eta", "0", "5"),
    ),
    Statement(
        key="ba2022.theorem-3-bulk",
        title="The other singular values stay at the bulk edge",
        source="ba2022, Theorem 3",
        provenance="reported",
        claims=(
            Claim(
                name="second_singular_value",
                kind="limit",
                says="s_i(W1) for fixed i > 1",
                printed=BULK_EDGE,
                derived=BULK_EDGE,
                proof="derivations.ba2022.spike:bulk_edge",
                route="theory.marchenko_pastur.route:bulk_edge",
                observable="second_singular_value",
                trend=("2/3", "4/3"),
                expected="confirmed",
            ),
        ),
        experiment=Experiment(TRIAL.observe, {**TRIAL.setting, "sigma_eps": "0"}, TRIAL.sizes, 8),
        sweep=("psi2", "1/10", "4"),
        notes=("At the edge of the bulk the approach is of order d^(-2/3) and the variance d^(-4/3) (Tracy-Widom scale).",),
    ),
)
