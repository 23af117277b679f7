"""The drops of training loss and test error with ell spikes: a free fit of the powers of z = <x~, beta_hat>/|beta_hat|."""

from __future__ import annotations

import sympy as sp

from theory.functions.hermite_polynomials import he
from theory.proof.steps import Proof
from theory.proof.symbols import read_form, symbols
from theory.staircase.forms import DROP_WITH_MEAN, ERROR_DROPS, LOSS_DROPS
from theory.staircase.gram import hermite_in_power, power_moment

lam, phi, psi, m1, m2, c1, rho = symbols("lam phi psi m1 m2 mu1_star rho")
c0, c2, c3, c4, bias_, variance_ = symbols("c0_star c2_star c3_star c4_star bias variance")
z = sp.Symbol("z", real=True)
_COEFFICIENTS = {0: c0, 1: c1, 2: c2, 3: c3, 4: c4}
_DENSITY = sp.exp(-(z**2) / 2) / sp.sqrt(2 * sp.pi)


def free_fit(proof: Proof) -> None:
    """The training loss with spikes, and with spikes that have outgrown the bulk"""
    proof.assume(
        "F = F0 + U T V^T + o(sqrt n), U with the columns u_k = z^{ok}, V with the columns (sqrt(N) a)^{ok}, T diagonal (the first "
        "chapter of the staircase); u^T R F0 v and y^T R F0 v are small beside u^T R u, since V is independent of W0"
    )
    entries = sp.symbols("M11 M12 M22 P11 P12 P22 t1 t2", positive=True)
    M11, M12, M22, P11, P12, P22, t1, t2 = entries
    M, P = sp.Matrix([[M11, M12], [M12, M22]]), sp.Matrix([[P11, P12], [P12, P22]])
    T = sp.diag(t1, t2)
    block = sp.BlockMatrix([[M, T.inv()], [T.inv(), -P]]).as_explicit()
    proof.step(
        block.inv()[:2, :2],
        (M + (T * P * T).inv()).inv(),
        "Woodbury's identity with [U, F0 V]: the loss lambda y^T (F F^T + lambda n)^-1 y loses lambda g^T X g, X the first block "
        "of [[M, T^-1], [T^-1, -P]]^-1, M = U^T R U, g = U^T R y and P = lambda n V^T (F0^T F0 + lambda n)^-1 V; for two spikes",
    )
    t = sp.Symbol("t", positive=True)
    proof.step(
        (M + (t**2 * P).inv()).inv().applyfunc(lambda entry: sp.limit(sp.cancel(entry), t, sp.oo)),
        M.inv(),
        "strengths without bound: the spikes are fitted freely",
    )


def constants(proof: Proof) -> None:
    """What the constants of the even powers add up to"""
    for k in (2, 4, 6):
        proof.step(
            sp.Integral(z**k * _DENSITY, (z, -sp.oo, sp.oo)),
            power_moment(k),
            f"a moment of the Gram matrix of the powers: E z^{k}",
        )
    M, share = sp.Symbol("M", positive=True, integer=True), sp.Symbol("t", positive=True)
    for k in (2, 4, 6, 8):
        proof.step(
            he(k, z).subs(z, 0) ** 2 / sp.factorial(k),
            sp.binomial(k, k // 2) / sp.Integer(2) ** k,
            f"He_{k}(0)^2/{k}!",
        )
    proof.step(
        sp.combsimp(sp.binomial(2 * M - 2, M - 1) * 4 / sp.binomial(2 * M, M)),
        2 * M / (2 * M - 1),
        "t_{M-1}/t_M for t_M = binom(2M, M)/4^M, the term He_{2M}(0)^2/(2M)!",
    )
    proof.step(
        (2 * M + 1) * share - (2 * M - 1) * share * 2 * M / (2 * M - 1),
        share,
        "hence S_M = (2M + 1) t_M satisfies S_M - S_{M-1} = t_M, and S_0 = 1: S_M is 1 + the sum of He_k(0)^2/k! over even k <= 2M",
    )


def every_ell(proof: Proof) -> None:
    """The free fit of z, ..., z^ell for any ell"""
    for k in (2, 3, 4, 5):
        proof.step(
            sum(hermite_in_power(k, j) * he(j, z) / sp.factorial(j) for j in range(k + 1)),
            z**k,
            "a power in Hermite polynomials: beside z, the powers span the He_k(z) - He_k(0)",
        )
    e = sp.symbols("e2 e4 e6", real=True)
    d = sp.symbols("d2 d4 d6", positive=True)
    w = sp.symbols("w2 w4 w6", real=True)
    D, column = sp.diag(*d), sp.Matrix(e)
    share = 1 + sum(one**2 / two for one, two in zip(e, d, strict=True))
    total = sum(one * two**2 for one, two in zip(d, w, strict=True))
    along = sum(one * two for one, two in zip(e, w, strict=True))
    g = D * sp.Matrix(w)
    proof.step(
        (g.T * (D + column * column.T).inv() * g)[0, 0],
        total - along**2 / share,
        "even degrees, Gram matrix diag(k!) + e e^T, e_k = -He_k(0), g_k = k! w_k: three of them (Sherman-Morrison for any number)",
    )
    A, B, S = sp.symbols("A B S", positive=True)
    proof.assume(
        "u^T R u for a fixed polynomial u of <x~, beta_hat>: the linear part weighs (n/N) m2, what is orthogonal to it, constants "
        "included, (n/N) m1 (rows of W0 on the unit sphere: no feature has a mean)"
    )
    proof.step(
        lam * psi / phi * ((m2 * c1 * rho) ** 2 / m2 + (m1**2 * (A - B**2 / S)) / m1),
        lam * psi / phi * (c1**2 * rho**2 * m2 + m1 * (A - B**2 / S)),
        "Delta_ell, lambda n/N = lambda psi/phi: A = sum k! w_k^2 over 2 <= k <= ell, B = sum e_k w_k, S = 1 + sum e_k^2/k! over "
        "the even ones, w_k = c_{*,k} rho^k + e_k c_{*,0}/k!",
    )


class _Fit:
    """The least-squares problem of ``ell`` powers with symbols for the weights and the teacher's coefficients."""

    def __init__(self, ell: int, mean: sp.Expr | int = 0) -> None:
        powers = range(1, ell + 1)
        coefficients = {**_COEFFICIENTS, 0: mean}
        self.h = sp.Matrix([power_moment(k + 1) for k in powers])
        moments = sp.Matrix(ell, ell, lambda j, k: power_moment(j + k + 2))
        self.rest = moments - self.h * self.h.T
        self.M = m1 * self.rest + m2 * self.h * self.h.T
        self.label = sp.Matrix(
            [sum(coefficients[j] * rho**j * hermite_in_power(k, j) for j in range(k + 1) if j != 1) for k in powers]
        )
        self.g = m2 * c1 * rho * self.h + m1 * self.label
        self.theta = self.M.LUsolve(self.g).applyfunc(sp.cancel)


def _weights(proof: Proof) -> None:
    proof.assume(
        "E[He_j(z) y] = j! c_{*,j} rho^j, rho = cos(beta_hat, beta); u^T R u weighs the linear part of u with (n/N) m2, all else "
        "with (n/N) m1"
    )


def _delta(proof: Proof, ell: int, target: str, mean: sp.Expr | int = 0) -> None:
    _weights(proof)
    fit = _Fit(ell, mean)
    proof.step(
        lam * psi / phi * (fit.g.T * fit.theta)[0, 0],
        read_form(target),
        f"lambda (n/N) g^T M^-1 g for the Gram matrix of z, ..., z^{ell}",
    )


def residual(proof: Proof) -> None:
    """What the test error loses to a free fit"""
    proof.assume(
        "a finite number of coefficients fitted freely: theta -> M^-1 g, and what is left of the label is fitted by the ridge "
        "regression before the step: its linear part counts Bias times, all else 1 + Var times"
    )
    theta, part = sp.symbols("theta_h r", real=True)
    proof.step(
        c1**2 - (c1**2 - 2 * c1 * rho * theta + theta**2),
        theta * (2 * c1 * rho - theta),
        "the linear part c_{*,1} beta - theta_h beta_hat/|beta_hat| loses",
    )
    square, t = sp.Symbol("D", positive=True), sp.Symbol("t", real=True)
    lost = 2 * part * t - square * t**2
    proof.step(
        lost.subs(t, sp.solve(sp.diff(lost, t), t)[0]),
        part**2 / square,
        "a direction of the rest with the coefficient t loses 2 r t - D t^2; at the best t",
    )


def lambda_(proof: Proof, ell: int) -> None:
    """Lambda_{ell}"""
    _weights(proof)
    residual(proof)
    fit = _Fit(ell)
    along = (fit.h.T * fit.theta)[0, 0]
    rest = (2 * fit.label.T * fit.theta - fit.theta.T * fit.rest * fit.theta)[0, 0]
    proof.step(
        bias_ * along * (2 * c1 * rho - along) + (1 + variance_) * rest,
        read_form(ERROR_DROPS[ell]),
        f"the drop of the test error with theta = M^-1 g for z, ..., z^{ell}",
    )


def delta(proof: Proof, ell: int) -> None:
    """Delta_{ell}"""
    _delta(proof, ell, LOSS_DROPS[ell])


def with_mean(proof: Proof) -> None:
    """Delta_2 for a teacher with a mean"""
    _delta(proof, 2, DROP_WITH_MEAN, mean=c0)
