"""The forms of the risk of ridge regression on random features, before and after one small step, as texts of the register.

Everything is rational in a1 = mu1^2/omega and a2 = mu2^2/omega, where 1/omega = (1/d) tr (mu1^2 W0 W0^T + mu2^2 + s)^-1 and
s is the effective ridge; a1 = m(z) is the Marchenko-Pastur transform at z = -(mu2^2 + s)/mu1^2. Every sum has positive
terms, so that no form loses digits. Source: statements.md, section 2 (``ba2022``, Theorem 7); derived in
``derivations.ba2022.risk``.
"""

from __future__ import annotations

from theory.register.record import Root

# s as a function of omega, by the Marchenko-Pastur equation omega = mu2^2 + s + psi2 mu1^2/(1 + a1); and df1.
RIDGE = "(omega - mu2**2 - psi2*mu1**2*omega/(omega + mu1**2))"
DF1 = "(psi2/psi1*(mu1**2/(omega + mu1**2) + mu2**2/(omega + (1 - psi2)*mu1**2)))"
# The zeros of the two factors of lambda = s (1 - df1): s = 0, and df1 = 1.
ZERO_RIDGE = "((mu2**2 + (psi2 - 1)*mu1**2 + sqrt((mu2**2 + (psi2 - 1)*mu1**2)**2 + 4*mu1**2*mu2**2))/2)"
_LINEAR = "((psi2*mu2**2 + psi2*mu1**2 - (2 - psi2)*psi1*mu1**2)/psi1)"
_CONSTANT = "((1 - psi2)*mu1**4 - psi2/psi1*((1 - psi2)*mu1**4 + mu1**2*mu2**2))"
FULL_RANK = f"(({_LINEAR} + sqrt({_LINEAR}**2 - 4*{_CONSTANT}))/2)"
# The root of s = lambda, which is omega with infinitely many samples.
POPULATION = ZERO_RIDGE.replace("mu2**2", "(mu2**2 + lam)")
# s x/(x + s) <= x for the eigenvalues x of the features' covariance, whose mean is mu1^2 + mu2^2: lambda(omega) > lambda here.
ABOVE = "(mu2**2 + psi2*mu1**2 + lam + psi2/psi1*(mu1**2 + mu2**2))"

OMEGA = Root(
    equation=f"{RIDGE}*(1 - {DF1}) - lam",
    low=f"Max({ZERO_RIDGE}, {FULL_RANK})",
    high=ABOVE,
    proof="derivations.ba2022.risk_branch:omega_root",
)

SPECTRAL = {
    "a1": "mu1**2/omega",
    "a2": "mu2**2/omega",
    "p": "1 + a1 - psi2*a1",
    "q": "(1 + a1)**2 - psi2*a1**2",
    "r": "p/(1 + a1) - a2",
}
DF2 = "psi2/psi1*(a1**2*p**2*(p + psi2)/(1 + a1) + 2*a1*a2*p**2 + a2**2*(1 + a1)**2)/(q*p**2)"
BIAS = "(a2 + r*p*(1 + a1)/q)/(1 - df2)"
VARIANCE = "df2/(1 - df2)"
R0 = "mu1_star**2*bias + (mu2_star**2 + sigma_eps**2)*variance + mu2_star**2"
_T = "(1 + a1*(1 + theta1**2))"


def gain_at(theta1: str) -> str:
    """What a unit of mu1*^2 theta2^2 a1/(1 - df2) gains at a length theta1 of the step."""
    width = f"(1 + a1*(1 + {theta1}**2))"
    return f"(a2/{width} + r*p*(1 + a1)/q*(1 + {width})/{width}**2)"


DELTA = f"mu1_star**2*theta2**2*a1/(1 - df2)*{gain_at('theta1')}"
R1 = "R0 - delta"
CEILING = "mu1_star**4/(mu1_star**2 + mubar**2/psi1)*bias"
# d delta/d eta, and minus d delta/d sigma_eps^2, as products of positive factors.
SLOPE_IN_ETA = (
    f"2*eta*mu1**2*mu1_star**4*a1/(1 - df2)*(a2*(1 + a1)/{_T}**2 + r*p*(1 + a1)/q*((2 + a1)*(1 + a1) + a1**2*theta1**2)/{_T}**3)"
)
FALL_IN_NOISE = f"mu1_star**2*theta2**2*(eta*mu1)**2*a1**2/(psi1*(1 - df2))*(a2/{_T}**2 + r*p*(1 + a1)/q*(2 + {_T})/{_T}**3)"

# Symbols of the sheet's own formulas, on the curve: what a reader may write his formula in.
CURVE = {
    "s": RIDGE,
    "lam": f"{RIDGE}*(1 - {DF1})",
    "m": "mu1**2/omega",
    "z": f"-(mu2**2 + {RIDGE})/mu1**2",
}

# The step that gains half of the ceiling: with k = r p (1 + a1)/q, (a2 + k) u^2 + 2 k u - (a2 + k)(1 + a1)^2 = 0, u = a1 theta1^2.
_K = "(r*p*(1 + a1)/q)"
_HALF = f"((sqrt({_K}**2 + (a2 + {_K})**2*(1 + a1)**2) - {_K})/(a2 + {_K}))"
HALF_ETA = f"sqrt({_HALF}/(a1*mu1**2*(mu1_star**2 + mubar**2/psi1)))"
