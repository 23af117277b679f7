"""Proposition 2 of ba2022: the first gradient is rank one up to an operator norm of relative order log^2(n)/sqrt(n).

G0 = A + B + C with A = (mu1/(n sqrt N)) X^T y a^T, B the part with sigma'_perp = sigma' - mu1, C the network's own output.
"""

from __future__ import annotations

import sympy as sp

from derivations.ba2022.noise_term import limit
from theory.proof.factors import product
from theory.proof.steps import Proof
from theory.proof.symbols import symbols

n, mu1, mu1_star, mu2_star, sigma_eps, psi1, eta = symbols("n mu1 mu1_star mu2_star sigma_eps psi1 eta")
(_log,) = symbols("log_n")


def hadamard(proof: Proof) -> None:
    """|(y a^T) o M| <= |y|_inf |a|_inf |M| in operator norm"""
    left, right = sp.MatrixSymbol("y", 2, 1), sp.MatrixSymbol("a", 2, 1)
    middle = sp.MatrixSymbol("M", 2, 2)
    diagonals = [sp.Matrix([[vector[0, 0], 0], [0, vector[1, 0]]]) for vector in (left, right)]
    proof.step(
        sp.HadamardProduct(left * right.T, middle),
        diagonals[0] * middle.as_explicit() * diagonals[1],
        "entry by entry, y_i a_j M_ij: the Hadamard product is diag(y) M diag(a); on 2 x 2 matrices of symbols",
    )
    largest, entry, coordinate = sp.symbols("Y y v", nonnegative=True)
    room = sp.Symbol("r", nonnegative=True)
    proof.define(largest, sp.sqrt(entry**2 + room))
    proof.bound(
        entry**2 * coordinate**2,
        largest**2 * coordinate**2,
        room * coordinate**2,
        "each coordinate of diag(y) v, where Y = |y|_inf and r = Y^2 - y_i^2 >= 0: summed over i, |diag(y) v| <= |y|_inf |v|",
    )
    # |diag(a) v|^2 = a_inf^2 |v|^2 - r_1, then |M .|^2 = |M|^2 |.|^2 - r_2, then |diag(y) .|^2 = y_inf^2 |.|^2 - r_3
    top, norm, right_largest, length = symbols("y_inf M_norm a_inf v_norm")
    rooms = sp.symbols("r_1:4", nonnegative=True)
    product = top**2 * (norm**2 * (right_largest**2 * length**2 - rooms[0]) - rooms[1]) - rooms[2]
    remainder = top**2 * norm**2 * rooms[0] + top**2 * rooms[1] + rooms[2]
    proof.bound(
        product,
        top**2 * norm**2 * right_largest**2 * length**2,
        remainder,
        "three such bounds in a row, |diag(a) v|^2 = |a|_inf^2 |v|^2 - r_1, |M w|^2 = |M|^2 |w|^2 - r_2 and one with diag(y) and "
        "r_3, all r >= 0: |diag(y) M diag(a) v|^2 is at most the product of the squares",
    )


def rank_one_norm(proof: Proof) -> None:
    """sqrt(N) |A|, the norm of the rank-one part"""
    left, right = sp.MatrixSymbol("u", 2, 1), sp.MatrixSymbol("a", 2, 1)
    outer = left * right.T
    proof.step(
        outer.T * outer,
        (left.T * left).as_explicit()[0, 0] * (right * right.T).as_explicit(),
        "(u a^T)^T (u a^T) = |u|^2 a a^T, so |u a^T| = |u| |a|; on vectors of symbols",
    )
    limit(proof)
    square = proof.conclusion
    proof.assume("|a| -> 1 (law of large numbers, a_j ~ N(0, 1/N))")
    proof.step(
        sp.sqrt(mu1**2 * square),
        mu1 * sp.sqrt((mu1_star**2 + mu2_star**2 + sigma_eps**2) / psi1 + mu1_star**2),
        "sqrt(N) A = mu1 (X^T y/n) a^T, and mu1 >= 0",
    )


def _relative(proof: Proof, rest: sp.Expr, words: str) -> None:
    """Orders in n with d, N proportional to n."""
    proof.assume(
        "with d, N of order n, up to constants with high probability: |X| <= sqrt n, |y|_inf <= log n, "
        "|a|_inf <= log(n)/sqrt n, |sigma'_perp(X W0)| <= sqrt n, |sigma'(X W0)| <= n, |sigma(X W0) a|_inf <= log n"
    )
    proof.step(product(rest, 1 / (1 / sp.sqrt(n))), _log**2 / sp.sqrt(n), words)


def rate_b(proof: Proof) -> None:
    """|B|/|A| = O(log^2(n)/sqrt n)"""
    hadamard(proof)
    norm = proof.step(
        product(1 / (n * sp.sqrt(n)), sp.sqrt(n), _log, _log / sp.sqrt(n), sp.sqrt(n)),
        _log**2 / n,
        "|B| <= (1/(n sqrt N)) |X| |y|_inf |a|_inf |sigma'_perp(X W0)|",
    )
    _relative(proof, norm, "divided by |A|, of order 1/sqrt n (its limit is not 0 unless mu1 or E y^2 is)")


def rate_c(proof: Proof) -> None:
    """|C|/|A| = O(log^2(n)/sqrt n)"""
    hadamard(proof)
    norm = proof.step(
        product(1 / n**2, sp.sqrt(n), _log, _log / sp.sqrt(n), n),
        _log**2 / n,
        "|C| <= (1/(n N)) |X| |sigma(X W0) a|_inf |a|_inf |sigma'(X W0)|",
    )
    _relative(proof, norm, "divided by |A|, of order 1/sqrt n (its limit is not 0 unless mu1 or E y^2 is)")
