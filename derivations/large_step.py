"""The risk after a large step: where each equation of ``theory.large_step.risk`` comes from.

Row i of W1 is w_i + b_i q, q = (1/n0) X0^T (y o sigma'(X0 w_i)) up to what vanishes, b_i = etabar sqrt(N) a_i, sigma odd,
n0/d -> alpha0. What Gaussian equivalence and concentration supply is assumed in words, and measured elsewhere (tests of the
covariances and of the risk on sampled steps); what remains is algebra and Stein's lemma, and is checked here.
"""

from __future__ import annotations

import sympy as sp

from theory.proof.stein import Expect, g, teacher
from theory.proof.steps import Proof

alpha0, b, nu, r, t, h = sp.symbols("alpha_0 b nu r t h", positive=True)
_f = teacher  # any function of one standard normal variable: here it plays sigma


def _slope(order: int) -> sp.Expr:
    return sp.diff(_f(g), (g, order))


def direction(proof: Proof) -> None:
    """gamma = <u, beta> of the direction u of X0^T y/n0, and kappa"""
    star, energy = sp.symbols("mu_1^* E_y", positive=True)
    proof.assume("|X0^T y/n0|^2 -> p^2 = mu1*^2 + E y^2/alpha0 and <X0^T y/n0, beta> -> mu1* (chapter noise_term)")
    length = proof.step(
        sp.sqrt(star**2 + energy / alpha0) ** 2,
        star**2 + energy / alpha0,
        "p^2, with the n0 samples of the step",
    )
    proof.step(
        (star / sp.sqrt(length)) ** 2,
        star**2 * alpha0 / (alpha0 * star**2 + energy),
        "gamma^2; the mu1 part of sigma' moves row i by kappa_i = b_i mu1 p along u",
    )


def spectrum(proof: Proof) -> None:
    """The transform of H = (d/n0) X0^T diag(y^2) X0/n0, and its forms along beta and along X0^T f(y)/n0"""
    z, m, xi, sample = sp.symbols("z m xi x", real=True)
    proof.assume(
        "sigma'(X0 w) - mu1 acts on directions of the data like a Gaussian vector of variance hc, given X0 (Gaussian "
        "equivalence): the bulk of row i is N(0, (1/d)(I + b_i^2 hc H))"
    )
    proof.assume("x^T Q x/n0 -> D = m/alpha0 for Q = (H - z)^{-1} without the sample x, and x^T Q beta -> g r, g = <x, beta>")
    quadratic = sp.Symbol("q", positive=True)  # x^T Q x/n0
    proof.step(
        sp.Matrix([[1, -t], [quadratic, 1]]).det() ** -1,
        1 / (1 + t * quadratic),
        "Sherman and Morrison: Q with the sample's term (t/n0) x x^T is Q - ..., and Q x shrinks by 1/(1 + t x^T Q x/n0), "
        "t = y^2/alpha0",
    )
    proof.step(
        sp.solve(sp.Eq(-z * m + m * h, 1), m)[0],
        1 / (h - z),
        "(H - z) Q = 1, traced: -z m + E[t m/(1 + t D)] = 1, with h = E[t/(1 + t D)]; along beta the same with E[t g^2/(1 + t D)] "
        "in place of h gives r",
    )
    proof.step(
        sp.expand((r * xi + sample) * xi),
        r * xi**2 + sample * xi,
        "v_f = X0^T f/n0: each sample gives f x/n0 with Q x shrunk: <beta, Q v_f> = r xi_f, xi_f = E[f g/(1 + t D)]; the pairs of "
        "distinct samples of <v_f, Q v_h> give r xi_f xi_h, equal ones E[f h D/(1 + t D)]",
    )


def chance(proof: Proof) -> None:
    """The length of a row is tied to its projection on u: d Cov(|bulk|^2, <bulk, u>) contains 2 b m3 p"""
    proof.step(
        Expect(g**2 * _slope(1)) - Expect(_slope(1)),
        Expect(_slope(3)),
        "z s(z) has the linear part m3 z: E z^2 (sigma' - mu1) = E sigma''' = m3, by Stein's lemma twice",
    )
    m3, length, n0, d = sp.symbols("m_3 p n_0 d", positive=True)
    proof.assume(
        "Hermite parts of X0 w of different degree, and those of one degree >= 2 at different samples, are uncorrelated given X0"
    )
    linear = proof.step(
        sp.Mul(2 * b, m3 * length, 1 / d, evaluate=False),
        2 * b * m3 * length / d,
        "|w + b q|^2 contains 2 b <w, q>, <w, q> = (1/n0) sum_j y_j z_j s(z_j) = m3 <w, X0^T y/n0> + (degree 3 and more), "
        "and E <w, X0^T y/n0> <w, u> = p/d",
    )
    cube = sp.Symbol("E_s3", real=True)
    along_v = sp.Symbol("v_u", real=True)
    even = proof.step(
        sp.Mul(b**2 * d / n0**2, b, cube * along_v, evaluate=False).subs(n0, alpha0 * d),
        b**3 * cube * along_v / (alpha0**2 * d),
        "b^2 |q|^2 contains (d/n0^2) sum_j y_j^2 s_j^2, and b <q, u> the sum of y_j s_j <x_j, u>/n0: equal samples give E s^3 "
        "times v = X0^T y^3/n0",
    )
    proof.step(
        sp.expand((linear + even) * d),
        2 * b * m3 * length + b**3 * cube * along_v / alpha0**2,
        "d Cov(delta, <bulk, u>): absent where sigma'_perp(X0 w) is taken for independent of w",
    )


def energy(proof: Proof) -> None:
    """The kernel of the fit along u: the other directions' energy, without u's own"""
    # two neurons, covariances and energies general: entry by entry, where all is rational
    x, y, z, p, q, s = sp.symbols("w_11 w_12 w_22 P_11 P_12 P_22", positive=True)
    w, prior, eye = sp.Matrix([[x, y], [y, z]]), sp.Matrix([[p, q], [q, s]]), sp.eye(2)
    posterior = (prior.inv() + w).inv()
    for row, column in ((0, 0), (0, 1)):
        proof.step(
            posterior[row, column],
            sp.cancel((prior * (eye + w * prior).inv())[row, column]),
            "one direction, covariance P0 of its coefficients by the neurons' chance, energy w from the data: Y",
        )
    shown = posterior.applyfunc(sp.cancel)
    for row, column in ((0, 0), (0, 1)):
        proof.step(
            (shown * (eye - w * shown).inv())[row, column],
            prior[row, column],
            "P (1 - w P)^{-1} takes the own energy of a direction away again: for an isotropic H the prior is what remains",
        )


def errors(proof: Proof) -> None:
    """Test error as a derivative of the ridge objective, and the training error from it"""
    w, J, bias, noise, V = sp.symbols("w J q_0 sigma_eps V", positive=True)
    proof.assume(
        "given s the features are Gaussian with covariance Sigma(s)/N (the part C(s) as independent noise): the leverage "
        "nu(s) of a left-out sample concentrates"
    )
    left_out = sp.Symbol("e", real=True)
    residual = proof.step(
        left_out - nu * left_out / (1 + nu),
        left_out / (1 + nu),
        "with its own sample the fit moves by nu/(1 + nu) of the left-out error e: residuals are w e, w = 1/(1 + nu)",
    )
    proof.step(
        residual**2 / left_out**2,
        1 / (1 + nu) ** 2,
        "so the training error is E_s w^2 (test error + sigma_eps^2)",
    )
    proof.assume("the minimum of the objective is F(w) + sigma_eps^2 E w, with w = 1/(1 + nu(w)) and dF/dw = r^2 + rest + q0 at s")
    # one value of s: the weight omega(tau) solves omega (1 + nu(omega + tau)) = 1
    implicit = proof.step(
        sp.solve(sp.Eq(J * w**2 * (1 + V), V), V)[0],
        J * w**2 / (1 - J * w**2),
        "give the test distribution the weight tau: d omega/dtau = w^2 J (1 + d omega/dtau), J = -dnu/dw, since w' = -w^2 nu'",
    )
    proof.step(
        bias * (1 + implicit) + noise**2 * implicit,
        sp.solve(sp.Eq(V, bias + J * w**2 * (noise**2 + V)), V)[0],
        "d/dtau of F(omega + tau) + sigma_eps^2 omega is the test error, V = q0 + J w^2 (V + sigma_eps^2): the sheet's equation",
    )
