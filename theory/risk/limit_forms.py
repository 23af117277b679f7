"""Limits of the risk and of the gain of a small step, as texts: psi1, psi2 -> infinity, lambda -> 0 and infinity.

Letters are those of ``theory.risk.forms``, at the omega that belongs to the limit. Source: statements.md, section 2; derived in
``derivations.ba2022.risk_limits``.
"""

from __future__ import annotations

from typing import Any

from theory.risk.forms import gain_at, zero_of_ridge

# psi1 -> infinity: omega is the root of s = lambda
POPULATION = zero_of_ridge("(mu2**2 + lam)")
POPULATION_RISK = "mu1_star**2*(a2 + r*p*(1 + a1)/q) + mu2_star**2"
POPULATION_GAIN = f"mu1_star**2*theta2**2*a1*{gain_at('theta2')}"

# psi2 -> infinity: p is the positive root of mu1^2 p^2 + ((psi1 - 1) mu1^2 + mu2^2) p - mu2^2, that is of df1 = 1 at infinite width
_KERNEL_LINEAR = "((psi1 - 1)*mu1**2 + mu2**2)"
KERNEL_P = f"2*mu2**2/({_KERNEL_LINEAR} + sqrt({_KERNEL_LINEAR}**2 + 4*mu1**2*mu2**2))"
WIDE_GAIN = "2*psi1*mu1_star**2*theta2**2*mu1**2*p**3/(mu1**2*p**2 + mu2**2)"

# lambda -> 0 at psi1 = psi2, where the zeros of s and of 1 - df1 meet: of sqrt(lambda) R0
PEAK = "sqrt(omega*p)/2*(mu1_star**2*a2 + mu2_star**2 + sigma_eps**2)"

# lambda -> infinity: of R0, and of lambda delta
NULL_RISK = "mu1_star**2 + mu2_star**2"
NULL_GAIN = "2*mu1**2*mu1_star**2*theta2**2"

# What the statements of limits share. Their second routes extrapolate the pencils' risks, at some seconds a model.
LIMITS: dict[str, Any] = {
    "chapter": "derivations.ba2022.risk_limits",
    "routes": "theory.risk.limits_route",
    "digits": 10,
    "models": 2,
}
