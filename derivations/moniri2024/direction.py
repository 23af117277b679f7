"""Along which direction the spikes of ``moniri2024`` lie: the gradient of one step from a network whose output is not small.

b = X^T r/n for the residuals r = y - f0, and q_j = X^T (r o sigma'_perp(X w_j))/n of each neuron's own. With a_j ~ N(0, 1/N) and
f0 = a^T sigma(W0 x) the network's own output has variance E sigma^2: it is of the labels' order, so the direction is that of the
residuals and not of the labels. c_1 = mu1, E sigma^2 = mu1^2 + mu2^2.
"""

from __future__ import annotations

import sympy as sp

from derivations.ba2022.rank_one import hadamard
from theory.proof.factors import product
from theory.proof.steps import Proof
from theory.proof.symbols import symbols

n, log_n = symbols("n log_n")
mu1, mu2, slope, mu1_star, mu2_star, sigma_eps, phi = symbols("mu1 mu2 slope_energy mu1_star mu2_star sigma_eps phi")
RESIDUAL = mu1_star**2 + mu2_star**2 + sigma_eps**2 + mu1**2 + mu2**2  # E r^2
LENGTH = mu1_star**2 + mu1**2 + phi * RESIDUAL  # |b|^2


def _second_moment(proof: Proof, mean: sp.Expr, energy: sp.Expr, result: sp.Expr, words: str) -> sp.Expr:
    """lim E |X^T r/n|^2 = |E r x|^2 + phi E r^2, from n (n-1) pairs of samples and n squares."""
    extra = sp.Symbol("C", real=True)
    proof.assume("|X^T r/n|^2 concentrates, and E r^2 |x|^2 = d E r^2 + C with a bounded C; d = phi n")
    return proof.step(
        sp.Limit((1 - 1 / n) * mean + (phi * n * energy + extra) / n, n, sp.oo),
        result,
        f"E |X^T r/n|^2 = (1 - 1/n) |E r x|^2 + (1/n) E r^2 |x|^2, with {words}",
    )


def length(proof: Proof) -> None:
    """The squared length of the common direction b = X^T (y - f0)/n"""
    _second_moment(
        proof,
        mu1_star**2 + mu1**2,
        RESIDUAL,
        LENGTH,
        "E r x = c_{*,1} beta - c_1 W0^T a by Stein's lemma, two orthogonal vectors, |W0^T a| -> 1 on the "
        "sphere, and E r^2 = c_*^2 + "
        "sigma_eps^2 + E sigma^2, because f0 = a^T sigma(W0 x) has variance |a|^2 E sigma^2",
    )


def cosine(proof: Proof) -> None:
    """The squared cosine of the gradient's direction and beta"""
    length(proof)
    t = sp.Symbol("t", positive=True)
    proof.step(
        sp.Limit((mu1_star + t) ** 2 / (LENGTH + t), t, 0),
        mu1_star**2 / LENGTH,
        "<b, beta> -> c_{*,1} and |b|^2 -> the length above; G is c_1 a b^T to leading order",
    )


def own(proof: Proof) -> None:
    """The squared length of the vector q_j that each neuron has of its own"""
    _second_moment(
        proof,
        sp.S.Zero,
        RESIDUAL * (slope - mu1**2),
        phi * RESIDUAL * (slope - mu1**2),
        "r sigma'_perp(<w_j, x>) in the place of r: E r sigma'_perp x -> 0, and E sigma'_perp^2 = E sigma'^2 - c_1^2",
    )


def error(proof: Proof) -> None:
    """|G - c_1 a b^T| = O(log^2(n)/sqrt n)"""
    hadamard(proof)
    proof.assume("|X| <= sqrt n, |r|_inf <= log n, |a|_inf <= log(n)/sqrt n, |sigma'_perp(X W0^T)| <= sqrt n with high probability")
    proof.step(
        product(1 / n, sp.sqrt(n), log_n, log_n / sp.sqrt(n), sp.sqrt(n)),
        log_n**2 / sp.sqrt(n),
        "G - c_1 a b^T = (1/n) [(a r^T) o sigma'_perp(W0 X^T)] X: at most (1/n) |X| |r|_inf |a|_inf |sigma'_perp|",
    )


def labels_direction(proof: Proof) -> None:
    """|G - c_1 a beta_hat^T| does not vanish"""
    extra = sp.Symbol("C", real=True)
    square = (1 - 1 / n) * mu1**2 + (phi * n * (mu1**2 + mu2**2) + extra) / n
    limit = proof.step(
        sp.Limit(square, n, sp.oo),
        mu1**2 + phi * (mu1**2 + mu2**2),
        "lim |X^T f0/n|^2, as for the residuals: beta_hat - b = X^T f0/n, E f0 x = c_1 W0^T a, E f0^2 = E sigma^2",
    )
    proof.step(sp.Limit(square / limit, n, sp.oo), n**0, "so |c_1 a (b - beta_hat)^T| is of order n^0, as |G| is")
