"""moniri2024: the drop Lambda_1 of the test error in the one-spike regime is the ceiling of a small step."""

from theory.register.record import Claim, Statement
from theory.risk.forms import BIAS, CURVE, DF2, OMEGA, SPECTRAL
from theory.spike.forms import HYPOTHESES

ENTRIES = (
    Statement(
        key="moniri2024.lambda-1",
        title="The first drop of the test error is the ceiling of a small step",
        source="moniri2024, Lambda_1 (statements, section 3; its printed form was not seen)",
        provenance="derived",
        hypotheses=HYPOTHESES,
        where={"derived": {**SPECTRAL, "df2": DF2, "bias": BIAS}},
        bindings={"omega": OMEGA},
        curve=CURVE,
        claims=(
            Claim(
                name="Lambda_1",
                kind="limit",
                says="c_{*,1}^4 Bias/|b|^2, |b|^2 = c_{*,1}^2 + phi (c_*^2 + sigma_eps^2), phi = 1/psi1: the limit of delta as "
                "eta -> infinity",
                derived="mu1_star**4*bias/(mu1_star**2 + (mu1_star**2 + mu2_star**2 + sigma_eps**2)/psi1)",
                proof="derivations.ba2022.risk:saturation",
                route="theory.risk.route:ceiling",
            ),
        ),
        sweep=("psi1", "1/10", "4"),
        notes=("Letters of the source: c_1 = mu1, phi = d/n = 1/psi1, psi = d/N = 1/psi2; its lambda is this one.",),
    ),
)
