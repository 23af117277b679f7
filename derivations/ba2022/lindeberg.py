"""Orders of the conditions of the Lindeberg proof: before a step, after W1 = W0 + u a^T, and after a step sqrt(N) times as long.

d, N are proportional to n, and every order is up to a constant, with high probability; what the gradient adds to its rank-one
part is smaller by log^2(n)/sqrt n (Proposition 2).
"""

from __future__ import annotations

import sympy as sp

from theory.proof.factors import product
from theory.proof.steps import Proof
from theory.proof.symbols import symbols

n, _log = symbols("n log_n")
ONE = sp.Integer(1)
_ENTRY = _log / sp.sqrt(n)  # |a|_inf, and overlaps of independent directions
_LENGTH = sp.sqrt(n)  # of the large step


def _orders(proof: Proof, parts: list[sp.Expr], leading: tuple[sp.Expr, ...], count: int, words: str) -> None:
    """A sum has the order of its ``leading`` part, which ``count`` of the parts have."""
    proof.assume(
        "with d, N of order n, up to constants with high probability: |W0| <= 1, |u| <= 1, |a| <= 1, |a|_inf <= log(n)/sqrt n, and "
        "|<w_j, b>| <= log(n)/sqrt n for all neurons at once and a unit vector b independent of them (Gaussian tails, union bound)"
    )
    order = sp.Mul(*leading)
    ratio = (sp.Add(*parts) / order).subs(_log, sp.log(n))
    proof.step(sp.Limit(ratio, n, sp.oo), count, f"{words}: {count} of the terms dominate, the others vanish")
    proof.step(product(ONE, *leading), order, "the largest order")


def large_norm(proof: Proof) -> None:
    """|W| = O(sqrt n) after a large step"""
    _orders(proof, [ONE, _LENGTH], (_LENGTH,), 1, "|W| <= |W0| + sqrt N |u| |a|")


def before_pair(proof: Proof) -> None:
    """Neurons are nearly orthogonal before the step"""
    _orders(proof, [_ENTRY], (_log, 1 / sp.sqrt(n)), 1, "<w_i, w_j> with |w_i| -> 1 independent of w_j")


def after_pair(proof: Proof) -> None:
    """Neurons are nearly orthogonal after the step"""
    _orders(
        proof,
        [_ENTRY, _ENTRY * _ENTRY, _ENTRY * _ENTRY, _ENTRY**2],
        (_log, 1 / sp.sqrt(n)),
        1,
        "<w_i + a_i u, w_j + a_j u> = <w_i, w_j> + a_j <w_i, u> + a_i <u, w_j> + a_i a_j |u|^2",
    )


def large_pair(proof: Proof) -> None:
    """Neurons are correlated after a large step"""
    _orders(
        proof,
        [_ENTRY, _LENGTH * _ENTRY * _ENTRY, _LENGTH * _ENTRY * _ENTRY, _LENGTH**2 * _ENTRY**2],
        (_log**2,),
        1,
        "the same with sqrt(N) u for u: N a_i a_j |u|^2 does not vanish",
    )


def before_teacher(proof: Proof) -> None:
    """Neurons are nearly orthogonal to the teacher before the step"""
    _orders(proof, [_ENTRY], (_log, 1 / sp.sqrt(n)), 1, "<w_j, beta>, w_j independent of beta")


def after_teacher(proof: Proof) -> None:
    """Neurons are nearly orthogonal to the teacher after the step"""
    _orders(proof, [_ENTRY, _ENTRY], (_log, 1 / sp.sqrt(n)), 2, "<w_j, beta> + a_j <u, beta>, and <u, beta> -> theta_2")


def large_teacher(proof: Proof) -> None:
    """Neurons are aligned with the teacher after a large step"""
    _orders(proof, [_ENTRY, _LENGTH * _ENTRY], (_log,), 1, "<w_j, beta> + sqrt(N) a_j <u, beta>")
