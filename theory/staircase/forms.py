"""The drops as texts of the register: rational in the Hermite coefficients, m1, m2 and the two coefficients of the risk.

rho = cos(X^T y, beta) = c_{*,1}/|b|. ``GAIN[ell]`` is Q_ell, what z^2, ..., z^ell take out of the teacher's nonlinear part; the
shares 3/2 and 15/8 are 1 + sum over even k of He_k(0)^2/k!. Source: statements.md, section 3; derived in
``derivations.moniri2024.drops``.
"""

from __future__ import annotations

DEFINITIONS = {"phi": "1/psi1", "psi": "1/psi2", "mubar": "sqrt(mu1_star**2 + mu2_star**2 + sigma_eps**2)"}
FREE = {"rho": "mu1_star/sqrt(mu1_star**2 + phi*mubar**2)"}
WITH_MEAN = {"rho": "mu1_star/sqrt(mu1_star**2 + phi*(mubar**2 + c0_star**2))"}

_SECOND, _THIRD, _FOURTH = "2*c2_star**2*rho**4", "6*c3_star**2*rho**6", "24*c4_star**2*rho**8"
GAIN = {
    2: "(4/3*c2_star**2*rho**4)",
    3: f"(4/3*c2_star**2*rho**4 + {_THIRD})",
    4: f"({_SECOND} + {_THIRD} + {_FOURTH} - 8/15*(c2_star*rho**2 - 3*c4_star*rho**4)**2)",
}
QUARTIC = "(4/3*(c2_star*rho**2 + c0_star/2)**2)"

_LENGTH = "(mu1_star**2 + phi*(mu1_star**2 + mu2_star**2 + sigma_eps**2))"
_PRINTED_1 = f"psi*lam*mu1_star**4*m2/(phi*{_LENGTH})"
_PRINTED_2 = f"{_PRINTED_1} + 4*psi*lam*mu1_star**4*c2_star**2*m1/(3*phi*{_LENGTH}**2)"
# first drop, factor of Q_ell, and what the source prints
DROP = ("lam*psi/phi*mu1_star**2*rho**2*m2", "lam*psi/phi*m1", {1: _PRINTED_1, 2: _PRINTED_2})

# The step as it is written: direction b = X^T (y - f0)/n, |b|^2 = length2; varsigma c_1^2 |b|^2 is a neuron's own part squared.
# seen: what u_1^T R u_1 weighs in place of m2, since a head that a strong spike keeps away from a cannot use what W0^T a sees.
_OUTPUT = "(mu1**2 + mu2**2)"
STEP = {
    "length2": f"mu1_star**2 + mu1**2 + phi*(mubar**2 + {_OUTPUT})",
    "rho": "mu1_star/sqrt(length2)",
    "varsigma": f"phi*(mubar**2 + {_OUTPUT})*(slope_energy - mu1**2)/(mu1**2*length2)",
    "seen": "(1 - mu1**2/length2)*m2 + mu1**2/length2*psi*(m1 - m2)*(mu2**2 + r*omega)/(mu1**2*(1 - psi*(1 - m2/m1)))",
}
STEP_DELTA_1 = "lam*psi/phi*mu1_star**2*rho**2*m2**2/seen"
STEP_DELTA_2 = f"{STEP_DELTA_1} + lam*psi/phi*m1*4*c2_star**2*rho**4/(2 + (1 + varsigma)**2)"
PRINTED = DROP[2]
