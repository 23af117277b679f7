"""Proposition 36 of wang2024 restates the spike theorem with the noise in E y^2."""

from theory.register.record import Statement
from theory.spike.forms import HYPOTHESES, ORIENTED, TRIAL, WITH_NOISE, spike_claims

ENTRIES = (
    Statement(
        key="wang2024.proposition-36",
        title="The spike of one gradient step, with label noise",
        source="wang2024, Proposition 36",
        provenance="second-hand",
        hypotheses=HYPOTHESES,
        where={"printed": WITH_NOISE, "derived": WITH_NOISE},
        claims=spike_claims("confirmed"),
        notes=ORIENTED,
        experiment=TRIAL,
        sweep=("eta", "0", "5"),
    ),
)
