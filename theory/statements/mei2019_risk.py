"""mei2019: the risk of random-features regression by its own rational formula, with bias and variance.

Letters of the source: its psi1 is N/d (here psi2), its psi2 n/d (here psi1), zeta = mu1/mu_*, mu_* = mu2, its lambda is
lambda/psi2 here, F1 = mu1*, F_* = mu2*, tau = sigma_eps; chi = nu1 nu2 at xi = i sqrt(psi1 psi2 lambda_bar).
"""

from theory.register.record import Claim, Root, Statement
from theory.risk.forms import BIAS, CURVE, DF2, OMEGA, R0, SPECTRAL, VARIANCE

_Z2 = "(mu1**2/mu2**2)"
_X = f"(chi + {_Z2}*chi/(1 - {_Z2}*chi))"  # -xi nu1 = psi2 + X and -xi nu2 = psi1 + X
_LEAST = "Min(psi1, psi2)"
_B = f"(1 + {_Z2} - {_LEAST}*{_Z2})"
CHI = Root(
    equation=f"(psi2 + {_X})*(psi1 + {_X}) + psi1*lam/mu2**2*chi",
    low=f"-2*{_LEAST}/({_B} + sqrt({_B}**2 + 4*{_Z2}*{_LEAST}))",  # X = -min(psi1, psi2)
    high="0",
    proof="derivations.mei:chi_root",
)
CHI_OF_OMEGA = "-psi2*mu2**2/(omega + (1 - psi2)*mu1**2)"

E0 = (
    f"(-chi**5*{_Z2}**3 + 3*chi**4*{_Z2}**2 + (psi2*psi1 - psi1 - psi2 + 1)*chi**3*{_Z2}**3 - 2*chi**3*{_Z2}**2 "
    f"- 3*chi**3*{_Z2} + (psi2 + psi1 - 3*psi2*psi1 + 1)*chi**2*{_Z2}**2 + 2*chi**2*{_Z2} + chi**2 "
    f"+ 3*psi2*psi1*chi*{_Z2} - psi2*psi1)"
)
E1 = f"(psi1*chi**3*{_Z2}**2 - psi1*chi**2*{_Z2} + psi2*psi1*chi*{_Z2} - psi2*psi1)"
E2 = (
    f"(chi**5*{_Z2}**3 - 3*chi**4*{_Z2}**2 + (psi2 - 1)*chi**3*{_Z2}**3 + 2*chi**3*{_Z2}**2 + 3*chi**3*{_Z2} "
    f"- (psi2 + 1)*chi**2*{_Z2}**2 - 2*chi**2*{_Z2} - chi**2)"
)

ENTRIES = (
    Statement(
        key="mei2019.risk",
        title="The risk of random features, bias and variance",
        source="mei2019, main theorem (statements, section 6)",
        provenance="recalled",
        hypotheses={"mu1 != 0": "mu1 > 0", "mu2 != 0": "mu2 > 0"},
        where={"derived": {**SPECTRAL, "df2": DF2}},
        bindings={"omega": OMEGA, "chi": CHI},
        curve={**CURVE, "chi": CHI_OF_OMEGA},
        claims=(
            Claim(
                name="nu1_nu2",
                kind="limit",
                says="chi = nu1 nu2, printed as the root of the source's fixed point, derived as a function of omega",
                printed="chi",
                derived="-psi2*a2/p",
                proof="derivations.mei:chi",
                expected="confirmed",
            ),
            Claim(
                name="bias",
                kind="limit",
                says="coefficient of F1^2",
                printed=f"{E1}/{E0}",
                derived=BIAS,
                proof="derivations.mei:bias",
                route="theory.risk.route:bias",
                expected="confirmed",
            ),
            Claim(
                name="variance",
                kind="limit",
                says="coefficient of tau^2 + F_*^2",
                printed=f"{E2}/{E0}",
                derived=VARIANCE,
                proof="derivations.mei:variance",
                route="theory.risk.route:variance",
                expected="confirmed",
            ),
            Claim(
                name="R0",
                kind="limit",
                says="the risk",
                printed="mu1_star**2*bias + (sigma_eps**2 + mu2_star**2)*variance + mu2_star**2",
                derived=R0,
                proof="derivations.ba2022.risk:r0",
                route="theory.risk.route:r0",
                expected="confirmed",
            ),
        ),
        sweep=("psi2", "1/10", "4"),
        notes=("Letters as here: the source's psi1, psi2, lambda are N/d, n/d and lambda/psi2.",),
    ),
)
