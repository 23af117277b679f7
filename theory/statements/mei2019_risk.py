"""mei2019: the risk of random-features regression by its own rational formula, with bias and variance.

Letters of the source: its psi1 is N/d (here psi2), its psi2 n/d (here psi1), zeta = mu1/mu_*, mu_* = mu2, its lambda is
lambda/psi2 here, F1 = mu1*, F_* = mu2*, tau = sigma_eps; chi = nu1 nu2 at xi = i sqrt(psi1 psi2 lambda_bar).
"""

from theory.register.record import Claim, Statement
from theory.risk.forms import BIAS, CURVE, DF2, OMEGA, R0, SPECTRAL, VARIANCE
from theory.risk.rational_forms import CHI, CHI_OF_OMEGA, E0, E1, E2

ENTRIES = (
    Statement(
        "mei2019.risk",
        "The risk of random features, bias and variance",
        "mei2019, main theorem (statements, section 6)",
        "recalled",
        hypotheses={"mu1 != 0": "mu1 > 0", "mu2 != 0": "mu2 > 0"},
        where={"derived": {**SPECTRAL, "df2": DF2}},
        bindings={"omega": OMEGA, "chi": CHI},
        curve={**CURVE, "chi": CHI_OF_OMEGA},
        claims=(
            Claim(
                "nu1_nu2",
                "chi = nu1 nu2, printed as the root of the source's fixed point, derived as a function of omega",
                "-psi2*a2/p",
                "chi",
                "confirmed",
                proof="derivations.mei:chi",
            ),
            Claim("bias", "coefficient of F1^2", BIAS, f"{E1}/{E0}", "confirmed", route="theory.risk.route:bias"),
            Claim(
                "variance", "coefficient of tau^2 + F_*^2", VARIANCE, f"{E2}/{E0}", "confirmed", route="theory.risk.route:variance"
            ),
            Claim(
                "R0",
                "the risk",
                R0,
                "mu1_star**2*bias + (sigma_eps**2 + mu2_star**2)*variance + mu2_star**2",
                "confirmed",
                proof="derivations.ba2022.risk:r0",
                route="theory.risk.route:r0",
            ),
        ),
        sweep=("psi2", "1/10", "4"),
        notes=("Letters as here: the source's psi1, psi2, lambda are N/d, n/d and lambda/psi2.",),
        chapter="derivations.mei",
    ),
)
