"""Proposition 9 of ba2022: the gain of a small step at infinite width."""

from theory.register.record import Claim, Statement
from theory.risk.limit_forms import KERNEL_P, LIMITS, WIDE_GAIN
from theory.spike.forms import HYPOTHESES, ORIENTED, THETA2

ENTRIES = (
    Statement(
        "ba2022.proposition-9",
        "The gain at infinite width vanishes like 1/psi2",
        "ba2022, Proposition 9",
        "reported",
        claims=(Claim("gain_constant", "lim psi2 delta as psi2 -> infinity", WIDE_GAIN),),
        hypotheses={**HYPOTHESES, "mu2 != 0": "mu2 > 0"},
        where={"derived": {"p": KERNEL_P, "theta2": THETA2}},
        sweep=("psi1", "1/10", "4"),
        notes=(
            "Reported: delta = O(1/psi2). lambda does not enter: the penalty (n lambda/N)|a|^2 vanishes against the kernel.",
            "theta1, and with it the label noise, does not enter the leading constant.",
            *ORIENTED,
        ),
        **LIMITS,
    ),
)
