"""Theorem 31 of ba2022: the gain of a small step with infinitely many samples."""

from theory.register.record import Claim, Statement
from theory.risk.forms import SPECTRAL
from theory.risk.limit_forms import LIMIT_DIGITS, LIMIT_MODELS, POPULATION, POPULATION_GAIN, POPULATION_RISK
from theory.spike.forms import HYPOTHESES, ORIENTED, THETA2

ENTRIES = (
    Statement(
        key="ba2022.theorem-31",
        title="The gain with infinitely many samples",
        source="ba2022, Theorem 31",
        provenance="reported",
        hypotheses=HYPOTHESES,
        where={"derived": {"omega": POPULATION, **SPECTRAL, "theta2": THETA2}},
        claims=(
            Claim(
                name="R0_population",
                kind="limit",
                says="lim R0 as psi1 -> infinity: s = lambda, df2 = 0",
                derived=POPULATION_RISK,
                proof="derivations.ba2022.risk_limits:population_risk",
                route="theory.risk.limits_route:population_risk",
                digits=LIMIT_DIGITS,
                models=LIMIT_MODELS,
            ),
            Claim(
                name="delta_population",
                kind="limit",
                says="lim delta as psi1 -> infinity: theta1 = theta2 too; it increases in eta, as delta does at every psi1",
                derived=POPULATION_GAIN,
                proof="derivations.ba2022.risk_limits:population_gain",
                route="theory.risk.limits_route:population_gain",
                digits=LIMIT_DIGITS,
                models=LIMIT_MODELS,
            ),
        ),
        sweep=("eta", "0", "5"),
        notes=ORIENTED,
    ),
)
