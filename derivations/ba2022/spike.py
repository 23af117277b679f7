"""The spike of one gradient step: W1 = W0 + u a^T seen through the resolvent of W0 W0^T.

W0 (d x N) has iid N(0, 1/d) entries, N/d -> psi_2, independent of u (limit norm theta_1, <u, beta> -> theta_2) and a
(limit norm 1). m = m(x) is the Stieltjes transform of the d x d law; everything is a rational function of m, because the
Marchenko-Pastur equation gives x as one.
"""

from __future__ import annotations

import sympy as sp

from theory.proof.steps import Proof
from theory.proof.symbols import symbols

x, m, psi2, theta1, theta2 = symbols("x m psi2 theta1 theta2")

_spectral = -1 / m + psi2 / (1 + m)  # the functional inverse x(m) of the Marchenko-Pastur equation
_companion = m / psi2 - (1 - 1 / psi2) / x  # same non-zero eigenvalues, N - d zeros more
_form = sp.Matrix([[1, 1], [1, 0]])  # K of W1 W1^T = W0 W0^T + U K U^T, U = [u, W0 a], |a| = 1
_root = -1 / (1 + theta1**2)
_edge_root = -1 / (1 + sp.sqrt(psi2))
_above = theta1 > psi2 ** sp.Rational(1, 4)
_place = (1 + theta1**2) * (psi2 + theta1**2) / theta1**2


def _update(proof: Proof) -> None:
    """W1 W1^T is a finite-rank perturbation, and its bilinear forms have deterministic limits."""
    proof.assume("W1 - W0 = u a^T up to an operator norm that vanishes (Proposition 2)")
    proof.assume("for W0 independent of unit vectors v, w: v^T Q0(x) w -> <v, w> m(x) and v^T Q0 W0 a -> 0 (isotropic law)")
    start, left, right = sp.MatrixSymbol("W_0", 2, 2), sp.MatrixSymbol("u", 2, 1), sp.MatrixSymbol("a", 2, 1)
    update = start + left * right.T
    proof.step(
        update * update.T,
        start * start.T + left * (start * right).T + start * right * left.T + left * (right.T * right) * left.T,
        "on 2 x 2 matrices of symbols; with |a| -> 1 the update is U K U^T, U = [u, W0 a], K = [[1, 1], [1, 0]]",
    )
    eigenvalue = sp.Symbol("lambda", positive=True)
    proof.step(
        eigenvalue / (eigenvalue - x),
        1 + x / (eigenvalue - x),
        "so a^T W0^T Q0 W0 a -> (1/N) tr W0^T Q0 W0 = 1 + x m~(x), m~ the companion's transform",
    )
    proof.step(
        (1 + x * _companion).subs(x, _spectral),
        m / (1 + m),
        "1 + x m~ in terms of m, by the Marchenko-Pastur equation x = -1/m + psi_2/(1+m)",
    )


def _outlier_equation(proof: Proof) -> None:
    _update(proof)
    forms = sp.diag(theta1**2 * m, m / (1 + m))
    determinant = proof.step(
        sp.Determinant(sp.ImmutableMatrix(sp.eye(2) + _form * forms)),
        1 + theta1**2 * m / (1 + m),
        "Sylvester: x is an eigenvalue of W1 W1^T iff det(I + K [u, W0 a]^T Q0 [u, W0 a]) = 0",
    )
    proof.step((1 + m) * determinant, (1 + theta1**2) * (m - _root), "the determinant vanishes only at m = -1/(1 + theta_1^2)")


def _edge(proof: Proof) -> None:
    root = sp.sqrt(psi2)
    proof.step(
        sp.Derivative(_spectral, m),
        (1 + m - root * m) * (1 + m + root * m) / (m**2 * (1 + m) ** 2),
        "beyond the bulk m(x) increases from its value at the edge to 0 and stays in (-1, 0), where x'(m) = 0 "
        "only at m = -1/(1 + sqrt psi_2)",
    )
    proof.step(_spectral.subs(m, _edge_root), (1 + root) ** 2, "the upper edge of the bulk")


def outlier(proof: Proof) -> None:
    """An outlier exists iff theta_1 > psi_2^(1/4)"""
    _outlier_equation(proof)
    _edge(proof)
    proof.equivalence(_root > _edge_root, _above, "the root lies beyond the edge iff m(root) exceeds m(edge)")


def singular_value(proof: Proof) -> None:
    """The largest singular value of W1"""
    outlier(proof)
    proof.step(_spectral.subs(m, _root), _place, "the outlier of W1 W1^T")
    proof.step(
        sp.Piecewise((sp.sqrt(_spectral.subs(m, _root)), _root > _edge_root), (sp.sqrt(_spectral.subs(m, _edge_root)), True)),
        sp.Piecewise((sp.sqrt((1 + theta1**2) * (psi2 + theta1**2)) / theta1, _above), (1 + sp.sqrt(psi2), True)),
        "its square root where there is one, the edge otherwise",
    )


def bulk_edge(proof: Proof) -> None:
    """The singular values s_i, i > 1 fixed, stick to the edge"""
    proof.assume("one eigenvalue at most leaves the bulk (the determinant has one root); the i-th follows by interlacing")
    _edge(proof)
    proof.step(sp.sqrt(_spectral.subs(m, _edge_root)), 1 + sp.sqrt(psi2), "square root of the upper edge")


def _residue(proof: Proof, form: sp.Expr, result: sp.Expr, why: str) -> sp.Expr:
    """lim (x1 - x) v^T Q v, as a limit in m, is the squared overlap of v with the outlier's unit eigenvector."""
    return proof.step(sp.Limit((_spectral.subs(m, _root) - _spectral) * form, m, _root), result, why)


def resolvent_along(proof: Proof, projection: sp.Expr, words: str) -> sp.Expr:
    """v^T (W1 W1^T - x)^{-1} v for a unit v with <u, v> = projection, by Woodbury's identity."""
    _outlier_equation(proof)
    forms = sp.diag(theta1**2 * m, m / (1 + m) - 1)  # K^{-1} = [[0, 1], [1, -1]]
    inverse = (sp.Matrix([[0, 1], [1, 0]]) + forms).inv()
    resolvent = m - (projection * m) ** 2 * inverse[0, 0]
    return proof.step(
        resolvent,
        m - projection**2 * m**2 / (1 + m * (1 + theta1**2)),
        f"Woodbury: {words} Q = Q0 - Q0 U (K^-1 + U^T Q0 U)^-1 U^T Q0, U = [u, W0 a]",
    )


def overlap(proof: Proof) -> None:
    """The squared overlap of the leading left singular vector with beta"""
    resolvent = resolvent_along(proof, theta2, "beta^T Q beta with <u, beta> = theta_2,")
    value = theta2**2 / theta1**2 * (1 - (psi2 + theta1**2) / (theta1**2 * (theta1**2 + 1)))
    square = _residue(proof, resolvent, value, "beta^T Q beta = sum_i <u_i, beta>^2/(lambda_i - x): minus the residue")
    _finish(proof, square)


def left_overlap(proof: Proof) -> None:
    """The squared overlap of the leading left singular vector with u/|u|"""
    resolvent = resolvent_along(proof, theta1, "v^T Q v for v = u/|u|, <u, v> = theta_1,")
    value = (theta1**4 - psi2) / (theta1**2 * (1 + theta1**2))
    _finish(proof, _residue(proof, resolvent, value, "minus the residue at the outlier"))


def right_overlap(proof: Proof) -> None:
    """The squared overlap of the leading right singular vector with a/|a|"""
    _outlier_equation(proof)
    companion = proof.step(
        _companion.subs(x, _spectral),
        m / (1 + m - psi2 * m),
        "a^T (W0^T W0 - x)^{-1} a -> m~(x), the companion's transform in terms of m",
    )
    # K^{-1} of W1^T W1 = W0^T W0 + [a, W0^T u] [[theta1^2, 1], [1, 0]] [a, W0^T u]^T
    inner = sp.Matrix([[0, 1], [1, -(theta1**2)]])
    forms = sp.diag(companion, theta1**2 * (1 + _spectral * m))
    woodbury = companion - companion**2 * (inner + forms).inv()[0, 0]
    resolvent = proof.step(
        woodbury,
        sp.cancel(woodbury),
        "Woodbury on the N x N side, W1^T W1 = W0^T W0 + [a, W0^T u] [[|u|^2, 1], [1, 0]] [a, W0^T u]^T, "
        "with u^T W0 (W0^T W0 - x)^{-1} W0^T u -> theta_1^2 (1 + x m)",
    )
    value = (theta1**4 - psi2) / (theta1**2 * (psi2 + theta1**2))
    _finish(proof, _residue(proof, resolvent, value, "minus the residue at the outlier"))


def _finish(proof: Proof, square: sp.Expr) -> None:
    _edge(proof)
    proof.assume("without an outlier no singular vector has an overlap of order one (there is no residue)")
    proof.step(
        sp.Piecewise((square, _root > _edge_root), (0, True)),
        sp.Piecewise((square, _above), (0, True)),
        "the outlier exists iff theta_1 > psi_2^(1/4)",
    )
