"""Limits of the risk and of the gain: many samples, many neurons, small and large ridge."""

from __future__ import annotations

import sympy as sp

from theory.proof.steps import Proof
from theory.proof.symbols import read_form, symbol, symbols
from theory.risk.forms import BIAS, DELTA, DF1, DF2, R0, RIDGE, SPECTRAL, VARIANCE
from theory.risk.limit_forms import (
    KERNEL_P,
    NULL_GAIN,
    NULL_RISK,
    PEAK,
    POPULATION,
    POPULATION_GAIN,
    POPULATION_RISK,
    WIDE_GAIN,
)
from theory.spike.forms import THETA1, THETA2

psi1, psi2, lam, omega, mu1, mu2, eta = symbols("psi1 psi2 lam omega mu1 mu2 eta")
mu1_star, mu2_star, sigma_eps, mubar = symbols("mu1_star mu2_star sigma_eps mubar")
theta1, theta2, a1, a2, p, q, r, df2 = symbols("theta1 theta2 a1 a2 p q r df2")
# a_1, ... as letters of their own: a limit must not open their definitions
_letters = {symbol(name): sp.Symbol(name + "'", positive=True) for name in SPECTRAL}
_names = {letter: name for name, letter in _letters.items()}


def _opened(form: sp.Expr) -> sp.Expr:
    """The form as a function of omega, psi_1, psi_2, mu_1, mu_2."""
    for name, text in reversed(SPECTRAL.items()):
        form = form.subs(symbol(name), read_form(text))
    return form


def _many_samples(proof: Proof) -> None:
    proof.assume(
        "omega is a continuous function of 1/psi_1 at fixed lambda, because lambda(omega) increases "
        "(derivations.ba2022.risk_branch)"
    )
    proof.step(sp.Limit(read_form(RIDGE) * (1 - read_form(DF1)), psi1, sp.oo), read_form(RIDGE), "df_1 -> 0: s = lambda")
    proof.step(read_form(RIDGE).subs(omega, read_form(POPULATION)), lam, "omega, in closed form")


def _limit_in_letters(proof: Proof, form: sp.Expr, variable: sp.Symbol, result: sp.Expr, why: str) -> None:
    """The limit with df_2 opened and a_1, ... held, then the result in the registered symbols."""
    held = form.subs(df2, read_form(DF2)).subs(_letters)
    limit = proof.step(sp.Limit(held, variable, sp.oo), result.subs(_letters), why)
    proof.step(limit.subs(_names), result, "in the registered symbols")


def R0_population(proof: Proof) -> None:
    """The risk with infinitely many samples"""
    _many_samples(proof)
    risk = read_form(R0).subs({symbol("bias"): read_form(BIAS), symbol("variance"): read_form(VARIANCE)})
    _limit_in_letters(proof, risk, psi1, read_form(POPULATION_RISK), "df_2 -> 0")


def delta_population(proof: Proof) -> None:
    """The gain with infinitely many samples"""
    _many_samples(proof)
    proof.step(
        sp.Limit(read_form(THETA1).subs(psi1, 1 / sp.Symbol("t", positive=True)) ** 2, sp.Symbol("t", positive=True), 0),
        read_form(THETA2) ** 2,
        "theta_1^2 -> theta_2^2, t = 1/psi_1",
    )
    gain = read_form(DELTA).subs(theta1, sp.Abs(theta2))
    _limit_in_letters(proof, gain, psi1, read_form(POPULATION_GAIN), "df_2 -> 0, with theta_1 = |theta_2|")


def gain_constant(proof: Proof) -> None:
    """The gain at infinite width"""
    scale = sp.Symbol("w", positive=True)
    proof.assume("omega/psi_2 tends to a limit w as psi_2 -> infinity: the trace of the kernel grows with the width")
    degrees = proof.step(
        sp.Limit(read_form(DF1).subs(omega, psi2 * scale), psi2, sp.oo),
        (mu1**2 / scale + mu2**2 / (scale - mu1**2)) / psi1,
        "df_1 at omega = psi_2 w",
    )
    proof.step(
        sp.Limit(read_form(RIDGE).subs(omega, psi2 * scale) / psi2, psi2, sp.oo),
        scale - mu1**2,
        "s grows like psi_2 (w - mu_1^2), so that 1 - df_1 = lambda/s -> 0",
    )
    linear = (psi1 - 1) * mu1**2 + mu2**2
    quadratic = mu1**2 * p**2 + linear * p - mu2**2
    width = mu1**2 / (1 - p)
    proof.step(
        psi1 * (1 - degrees.subs(scale, width)) * mu1**2 * p,
        quadratic,
        "w = mu_1^2/(1 - p), p = 1 - mu_1^2/w in (0, 1): df_1 = 1 is a quadratic equation for p",
    )
    proof.step(quadratic.subs(p, read_form(KERNEL_P)) + mu2**2, mu2**2, "its positive root")
    gap = psi2 / psi1 * r * (a1 * p**2 + a2 * (1 + a1) ** 2) / (q * p**2)
    proof.step(read_form(DF1) - _opened(read_form(DF2)), _opened(gap), "1 - df_2 -> df_1 - df_2")
    gain = _opened(read_form(DELTA).subs(df2, 1 - gap)).subs(omega, psi2 * width)
    proof.step(
        sp.Limit(psi2 * gain, psi2, sp.oo),
        read_form(WIDE_GAIN),
        "the leading constant; theta_1 and theta_2 do not depend on psi_2",
    )


def peak_constant(proof: Proof) -> None:
    """The height of the ridgeless peak"""
    for name, text in SPECTRAL.items():
        proof.define(symbol(name), read_form(text))
    proof.step((1 - read_form(DF1)).subs(psi1, psi2), r / p, "at psi_1 = psi_2, 1 - df_1 = r/p: lambda = omega r^2/p")
    proof.step(
        (1 - read_form(DF2)).subs(psi1, psi2),
        r / p + r * (a1 * p**2 + a2 * (1 + a1) ** 2) / (q * p**2),
        "1 - df_2 = (1 - df_1) + (df_1 - df_2)",
    )
    proof.step(q, 1 + a1 + a1 * p, "psi_2 in terms of p")
    small, first, share = _letters[r], _letters[a1], _letters[p]
    second, curve = share / (1 + first) - small, 1 + first + first * share
    slack = small / share + small * (first * share**2 + second * (1 + first) ** 2) / (curve * share**2)
    signal = mu1_star**2 * (second + small * share * (1 + first) / curve) + mu2_star**2 + sigma_eps**2
    limit = proof.step(
        sp.Limit(small * sp.sqrt(omega / share) * (signal / slack - sigma_eps**2), small, 0),
        sp.sqrt(omega * share) / 2 * (mu1_star**2 * share / (1 + first) + mu2_star**2 + sigma_eps**2),
        "sqrt(lambda) R_0 as r -> 0, all else held: it has a limit because 1 - df_2 is of order r",
    )
    proof.step(
        limit.subs(_names).subs(p / (1 + a1), p / (1 + a1) - r),
        read_form(PEAK),
        "at r = 0, where p/(1 + a_1) = a_2: omega is the root of s = 0",
    )


def _large_ridge(proof: Proof) -> None:
    proof.step(
        sp.Limit(read_form(RIDGE) * (1 - read_form(DF1)) / omega, omega, sp.oo),
        1,
        "omega grows like lambda",
    )


def R0_null(proof: Proof) -> None:
    """The risk with a large ridge"""
    _large_ridge(proof)
    risk = read_form(R0).subs({symbol("bias"): read_form(BIAS), symbol("variance"): read_form(VARIANCE)})
    risk = risk.subs(df2, read_form(DF2))
    proof.step(sp.Limit(_opened(risk), omega, sp.oo), read_form(NULL_RISK), "the null risk")


def gain_decay(proof: Proof) -> None:
    """The gain with a large ridge"""
    _large_ridge(proof)
    gain = _opened(read_form(DELTA).subs(df2, read_form(DF2)))
    result = read_form(NULL_GAIN)
    proof.step(sp.Limit(omega * gain, omega, sp.oo), result, "lambda delta, since omega/lambda -> 1")
