"""The risk of random features by the rational formula of ``mei2019``, as texts, in the letters used here.

chi = nu1 nu2 at xi = i sqrt(psi1 psi2 lambda_bar) is the root of the source's fixed point; zeta^2 = mu1^2/mu2^2; the bias is E1/E0
and the variance E2/E0. Source: ``mei2019`` (statements.md, section 6); compared with ``theory.risk.forms`` in ``derivations.mei``.
"""

from __future__ import annotations

from theory.register.record import Root

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
