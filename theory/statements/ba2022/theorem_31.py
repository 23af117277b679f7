"""Theorem 31 of ba2022: the gain of a small step with infinitely many samples."""

from theory.register.record import Claim, Statement
from theory.risk.forms import SPECTRAL
from theory.risk.limit_forms import LIMITS, POPULATION, POPULATION_GAIN, POPULATION_RISK
from theory.spike.forms import HYPOTHESES, ORIENTED, THETA2

ENTRIES = (
    Statement(
        "ba2022.theorem-31",
        "The gain with infinitely many samples",
        "ba2022, Theorem 31",
        "reported",
        claims=(
            Claim("R0_population", "lim R0 as psi1 -> infinity: s = lambda, df2 = 0", POPULATION_RISK),
            Claim(
                "delta_population",
                "lim delta as psi1 -> infinity: theta1 = theta2 too; it increases in eta, as delta does at every psi1",
                POPULATION_GAIN,
            ),
        ),
        hypotheses=HYPOTHESES,
        where={"derived": {"omega": POPULATION, **SPECTRAL, "theta2": THETA2}},
        sweep=("eta", "0", "5"),
        notes=ORIENTED,
        **LIMITS,
    ),
)
