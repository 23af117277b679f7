"""The forms of the risk of ridge regression on random features, before and after one small step, as texts of the register.

Everything is rational in a1 = mu1^2/omega and a2 = mu2^2/omega, where 1/omega = (1/d) tr (mu1^2 W0 W0^T + mu2^2 + s)^-1 and
s is the effective ridge; a1 = m(z) is the Marchenko-Pastur transform at z = -(mu2^2 + s)/mu1^2. Every sum has positive
terms, so that no form loses digits. Source: statements.md, section 2 (``ba2022``, Theorem 7); derived in
``derivations.ba2022.risk``.
"""

from __future__ import annotations

from theory.register.formulas import Formulas
from theory.register.record import Root
from theory.spike.forms import THETA1, THETA2, WITH_NOISE

# s as a function of omega, by the Marchenko-Pastur equation omega = mu2^2 + s + psi2 mu1^2/(1 + a1); and df1.
RIDGE = "(omega - mu2**2 - psi2*mu1**2*omega/(omega + mu1**2))"
DF1 = "(psi2/psi1*(mu1**2/(omega + mu1**2) + mu2**2/(omega + (1 - psi2)*mu1**2)))"


def zero_of_ridge(flat: str) -> str:
    """The zero of s - x as a function of omega, for mu2^2 + x = ``flat``."""
    linear = f"{flat} + (psi2 - 1)*mu1**2"
    return f"(({linear} + sqrt(({linear})**2 + 4*mu1**2*{flat}))/2)"


# The zeros of the two factors of lambda = s (1 - df1): s = 0, and df1 = 1.
ZERO_RIDGE = zero_of_ridge("mu2**2")
_LINEAR = "((psi2*mu2**2 + psi2*mu1**2 - (2 - psi2)*psi1*mu1**2)/psi1)"
_CONSTANT = "((1 - psi2)*mu1**4 - psi2/psi1*((1 - psi2)*mu1**4 + mu1**2*mu2**2))"
FULL_RANK = f"(({_LINEAR} + sqrt({_LINEAR}**2 - 4*{_CONSTANT}))/2)"
RIDGELESS = f"Max({ZERO_RIDGE}, {FULL_RANK})"  # omega as lambda -> 0
# s x/(x + s) <= x for the eigenvalues x of the features' covariance, whose mean is mu1^2 + mu2^2: lambda(omega) > lambda here.
ABOVE = "(mu2**2 + psi2*mu1**2 + lam + psi2/psi1*(mu1**2 + mu2**2))"

OMEGA = Root(
    equation=f"{RIDGE}*(1 - {DF1}) - lam",
    low=RIDGELESS,
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
RISK_CURVE = {**SPECTRAL, "df2": DF2}
BIAS = "(a2 + r*p*(1 + a1)/q)/(1 - df2)"
VARIANCE = "df2/(1 - df2)"
R0 = "mu1_star**2*bias + (mu2_star**2 + sigma_eps**2)*variance + mu2_star**2"
_T = "(1 + a1*(1 + theta1**2))"


def gain_at(theta1: str) -> str:
    """What a unit of mu1*^2 theta2^2 a1/(1 - df2) gains at a length theta1 of the step."""
    width = f"(1 + a1*(1 + {theta1}**2))"
    return f"(a2/{width} + r*p*(1 + a1)/q*(1 + {width})/{width}**2)"


def gain(theta1: str, theta2: str) -> str:
    """delta of a rank-one update u a^T with |u| -> theta1 and <u, beta> -> theta2."""
    return f"mu1_star**2*{theta2}**2*a1/(1 - df2)*{gain_at(theta1)}"


def risk_after(steps: int) -> str:
    """R0 minus the gain of one step that is ``steps`` times as long: the risk after as many small steps."""
    return f"{R0} - {gain(f'({steps}*theta1)', f'({steps}*theta2)')}"


DELTA = gain("theta1", "theta2")
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

# Traces of the resolvent of Phi0 Phi0^T + lambda (n/N) I: m1 = (1/n) tr K^-1 and m2 = (1/(n d)) tr X~^T K^-1 X~. RIGHT is what both
# sides of the two equations of adlam2020 are.
M1 = "psi2/(psi1*omega*r)"
M2 = f"{M1}*(a2 + r)"
RIGHT = "mu1**2*m1*m2*(1 - lam*psi1/psi2*m1)"

RISK = Formulas(
    forms={
        "theta1": THETA1,
        "theta2": THETA2,
        "bias": BIAS,
        "variance": VARIANCE,
        "R0": R0,
        "delta": DELTA,
        "R1": R1,
        "ceiling": CEILING,
    },
    where={**WITH_NOISE, **RISK_CURVE},
    bindings={"omega": OMEGA},
)
# What is known of the features before a step, whatever is learned with them.
FEATURES = Formulas(
    forms={"s": RIDGE, "df2": DF2, "bias": BIAS, "variance": VARIANCE, "m1": M1, "m2": M2},
    where=SPECTRAL,
    bindings={"omega": OMEGA},
)
