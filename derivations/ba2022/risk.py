"""The risk of ridge regression on the features phi = N^{-1/2} (mu1 W1^T x + mu2 z), before and after W1 = W0 + u a^T.

Two deterministic equivalents in a chain: ridge regression given the features' covariance Sigma, then the Marchenko-Pastur law
of W0. All is rational in a_1 = m(z), z = -(mu_2^2 + s)/mu_1^2, because the Marchenko-Pastur equation gives z as such.
"""

from __future__ import annotations

import sympy as sp

from derivations.ba2022.spike import resolvent_along
from theory.proof.steps import Proof
from theory.proof.symbols import read_form, symbol, symbols
from theory.risk.forms import BIAS, CEILING, DELTA, DF2, HALF_ETA, R0, R1, SPECTRAL, VARIANCE
from theory.spike.forms import WITH_NOISE

omega, psi1, psi2, mu1, mu2, eta, sigma_eps = symbols("omega psi1 psi2 mu1 mu2 eta sigma_eps")
mu1_star, mu2_star, mubar, theta1, theta2 = symbols("mu1_star mu2_star mubar theta1 theta2")
m, a1, a2, p, r, df2, bias_, variance_, r0_, delta_ = symbols("m a1 a2 p r df2 bias variance R0 delta")

_spectral = -1 / m + psi2 / (1 + m)  # the functional inverse z(m) of the Marchenko-Pastur equation
_companion = m / psi2 - (1 - 1 / psi2) / _spectral
_weight = r * omega / mu1**2  # s/mu1^2


def _slope(form: sp.Expr) -> sp.Expr:
    """d/dz of a function of m = m(z)."""
    return sp.diff(form, m) / sp.diff(_spectral, m)


def _at(form: sp.Expr) -> sp.Expr:
    return form.subs(m, a1)


def _ridge(proof: Proof) -> None:
    """The deterministic equivalent of ridge regression, and the point z at which the law of W0 is needed."""
    proof.assume(
        "ridge regression on n samples of features with covariance Sigma (N x N), labels phi^T a* plus independent noise of "
        "variance v, penalty (n lambda/N)|a|^2: test error -> [kappa^2 a*^T (Sigma + kappa)^-1 Sigma (Sigma + kappa)^-1 a* + v]"
        "/(1 - df_2), kappa = s/N, lambda = s (1 - df_1), df_k = (1/n) tr (Sigma (Sigma + kappa)^-1)^k"
    )
    proof.assume("the teacher is mu_1* <x, beta> plus a part of variance mu_2*^2 that acts as independent noise (Theorem 5)")
    eigenvalue, kappa = sp.symbols("x kappa", positive=True)
    proof.step(
        kappa**2 / (eigenvalue * (eigenvalue + kappa) ** 2) - 1 / eigenvalue,
        -(1 / (eigenvalue + kappa) + kappa / (eigenvalue + kappa) ** 2),
        "with c = Cov(phi, mu_1* <x, beta>), a* = Sigma^-1 c and v = sigma_eps^2 + mu_2*^2 + mu_1*^2 - c^T Sigma^-1 c, the error's "
        "numerator is v_0 - [c^T (Sigma + kappa)^-1 c + kappa c^T (Sigma + kappa)^-2 c], v_0 = sigma_eps^2 + mu_2*^2 + mu_1*^2: "
        "this, on every eigenvalue x of Sigma",
    )
    for name, text in SPECTRAL.items():
        proof.define(symbol(name), read_form(text))
    proof.step(
        -(mu2**2 + r * omega) / mu1**2,
        _at(_spectral),
        "Sigma + kappa = (mu_1^2/N)(W^T W - z), z = -(mu_2^2 + s)/mu_1^2, and s = r omega makes a_1 = mu_1^2/omega the "
        "Marchenko-Pastur transform m(z)",
    )


def _degrees(proof: Proof) -> None:
    """df_1 and df_2 in terms of a_1."""
    proof.assume("a change of finite rank of W does not move a normalised trace, hence neither s nor df_2")
    proof.step(
        psi2 / psi1 * (1 - _weight * _at(_companion)),
        psi2 / psi1 * (a1 / (1 + a1) + a2 / p),
        "df_1 = (psi_2/psi_1)(1 - (s/mu_1^2) m~(z)), m~ the companion's transform",
    )
    proof.step(
        psi2 / psi1 * (1 - 2 * _weight * _at(_companion) + _weight**2 * _at(_slope(_companion))),
        read_form(DF2),
        "df_2 = (psi_2/psi_1)(1 - 2 (s/mu_1^2) m~ + (s/mu_1^2)^2 m~'(z)), as a sum of positive terms",
    )
    proof.define(df2, read_form(DF2))


def bias(proof: Proof) -> None:
    """The coefficient of mu1*^2 in the risk before the step"""
    _ridge(proof)
    _degrees(proof)
    projection = 1 + _spectral * m
    proof.step(
        (1 - _at(projection) - _weight * _at(_slope(projection))) / (1 - df2),
        read_form(BIAS),
        "c^T (Sigma + kappa)^-1 c = mu_1*^2 beta^T W (W^T W - z)^-1 W^T beta = mu_1*^2 B(z), B = 1 + z m(z), and "
        "kappa c^T (Sigma + kappa)^-2 c = mu_1*^2 (s/mu_1^2) B'(z)",
    )


def variance(proof: Proof) -> None:
    """The coefficient of the noise in the risk"""
    _ridge(proof)
    _degrees(proof)
    proof.step(1 / (1 - df2) - 1, read_form(VARIANCE), "test error less the noise of the test label itself")


def r0(proof: Proof) -> None:
    """The risk before the step"""
    bias(proof)
    proof.define(bias_, read_form(BIAS))
    proof.define(variance_, read_form(VARIANCE))
    proof.step(
        (mu1_star**2 * bias_ * (1 - df2) + sigma_eps**2 + mu2_star**2) / (1 - df2) - sigma_eps**2,
        read_form(R0),
        "against the noiseless teacher: less sigma_eps^2",
    )


def delta(proof: Proof) -> None:
    """What the step gains"""
    proof.assume("W1 = W0 + u a^T, u and a independent of W0 and of the fresh data (Proposition 2)")
    resolvent = resolvent_along(proof, theta2, "beta^T Q beta with <u, beta> = theta_2,")
    _ridge(proof)
    _degrees(proof)
    change = proof.step(
        _spectral * (resolvent - m),
        -_spectral * theta2**2 * m**2 / (1 + m * (1 + theta1**2)),
        "D(z), the change of B = 1 + z beta^T (W W^T - z)^-1 beta",
    )
    proof.step(
        mu1_star**2 * (_at(change) + _weight * _at(_slope(change))) / (1 - df2),
        read_form(DELTA),
        "delta = mu_1*^2 [D + (s/mu_1^2) D'(z)]/(1 - df_2)",
    )


def r1(proof: Proof) -> None:
    """The risk after the step"""
    r0(proof)
    proof.define(r0_, read_form(R0))
    delta(proof)
    proof.define(delta_, read_form(DELTA))
    resolvent = m - theta2**2 * m**2 / (1 + m * (1 + theta1**2))
    projection = 1 + _spectral * resolvent
    signal = mu1_star**2 * (1 - _at(projection) - _weight * _at(_slope(projection)))
    proof.step(
        (sigma_eps**2 + mu2_star**2 + signal) / (1 - df2) - sigma_eps**2,
        read_form(R1),
        "the same formula with the resolvent of W1 W1^T along beta: the risk after the step is R_0 - delta",
    )


def ceiling(proof: Proof) -> None:
    """The limit of the gain as eta grows"""
    delta(proof)
    proof.define(bias_, read_form(BIAS))
    step = {theta1: eta * mu1 * sp.sqrt(mubar**2 / psi1 + mu1_star**2), theta2: eta * mu1 * mu1_star}
    saturated = proof.step(
        sp.Limit(_plain(read_form(DELTA)).subs(step), eta, sp.oo),
        _plain(mu1_star**4 / (mu1_star**2 + mubar**2 / psi1) * read_form(BIAS)),
        "theta_1 and theta_2 grow in proportion; written in a_1, a_2, p, q, r as independent letters",
    )
    proof.step(saturated.subs(_letters(True)), read_form(CEILING), "in terms of the bias")


def _letters(back: bool = False) -> dict[sp.Symbol, sp.Symbol]:
    """a_1, ... against letters that no definition replaces: a limit in eta must not open them."""
    names = {symbol(name): sp.Symbol(name + "'", positive=True) for name in (*SPECTRAL, "df2")}
    return {letter: name for name, letter in names.items()} if back else names


def _plain(form: sp.Expr) -> sp.Expr:
    return form.subs(_letters())


def saturation(proof: Proof) -> None:
    """The ceiling in the letters of moniri2024"""
    ceiling(proof)
    proof.define(mubar, read_form(WITH_NOISE["mubar"]))
    noise = mu2_star**2 + sigma_eps**2
    proof.step(
        read_form(CEILING),
        mu1_star**4 * bias_ / (mu1_star**2 + (mu1_star**2 + noise) / psi1),
        "|b|^2 = lim |X^T y/n|^2, with 1/psi_1 = phi",
    )


def half(proof: Proof) -> None:
    """The learning rate that gains half of the ceiling"""
    ceiling(proof)
    proof.assume("delta increases in eta (derivations.ba2022.delta_signs): there is one such learning rate")
    reach, curved, second, first = (sp.Symbol(name, positive=True) for name in ("u", "k", "a_2'", "a_1'"))
    gain = reach * (second / (1 + first + reach) + curved * (2 + first + reach) / (1 + first + reach) ** 2)
    quadratic = (second + curved) * reach**2 + 2 * curved * reach - (second + curved) * (1 + first) ** 2
    proof.step(
        2 * (1 + first + reach) ** 2 * (gain - (second + curved) / 2),
        quadratic,
        "delta over its limit, with u = a_1 theta_1^2 and k = r p (1 + a_1)/q, is gain/(a_2 + k): half of it",
    )
    root = (sp.sqrt(curved**2 + (second + curved) ** 2 * (1 + first) ** 2) - curved) / (second + curved)
    proof.step(quadratic.subs(reach, root) + second, second, "the positive root u")
    letters = {curved: r * p * (1 + a1) / symbol("q"), second: a2, first: a1}
    proof.step(
        sp.sqrt(root.subs(letters) / (a1 * mu1**2 * (mu1_star**2 + mubar**2 / psi1))),
        read_form(HALF_ETA),
        "eta, from theta_1^2 = u/a_1",
    )
