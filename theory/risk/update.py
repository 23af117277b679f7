"""Ridge regression after a rank-one change of the features, in terms of the features before it: Woodbury's identity, symbolically.

X~ (n x d), Z (n x N), W0 (d x N) have iid entries N(0, 1/N), N(0, 1/N), N(0, 1/d); Phi0 = mu1 X~ W0 + mu2 Z, and with
W1 = W0 + u a^T, |a| -> 1, the features are Phi1 = Phi0 + mu1 (X~ u) a^T. The ridge solution on labels X~ beta is
g = (Phi1^T Phi1 + lambda n/N)^{-1} Phi1^T X~ beta, and the bias |beta - mu1 W1 g|^2 + mu2^2 |g|^2. The law of (X~, W0, Z) is
invariant under rotations of R^d and of R^N, so that every bilinear form met is an inner product of beta, u or a times a
normalised trace of Phi0, X~, W0. Source: statements.md, section 2 (``ba2022``, Theorem 7).
"""

from __future__ import annotations

from functools import cache

import sympy as sp

MU1, MU2, RATIO = sp.symbols("mu1 mu2 rho", positive=True)  # rho = n/N
THETA1, THETA2 = sp.Symbol("theta1", positive=True), sp.Symbol("theta2", real=True)

# Normalised traces, M = Phi0^T Phi0 + lambda n/N: (1/d) tr of X~^T Phi0 H Phi0^T X~ and (1/N) tr of H, for H = M^{-1},
# M^{-2} and M^{-1} W0^T W0 M^{-1}; and (1/d) tr W0 M^{-1} Phi0^T X~.
DATA = sp.symbols("A0 A1 A2", positive=True)
READOUT = sp.symbols("T0 T1 T2", positive=True)
CROSS = sp.Symbol("C", positive=True)


@cache
def bias_before() -> sp.Expr:
    """The bias with u = 0."""
    return 1 - 2 * MU1 * CROSS + MU1**2 * DATA[2] + MU2**2 * DATA[1]


@cache
def bias_after() -> sp.Expr:
    """The bias with |u| = theta1, <u, beta> = theta2, as a rational function of the traces."""
    # Coordinates in span{Phi0^T X~ beta, Phi0^T X~ u, a}.
    first, last = sp.Matrix([1, 0, 0]), sp.Matrix([0, 0, 1])
    update = sp.Matrix([[0, 0], [MU1, 0], [0, 1]])  # U = [mu1 Phi0^T X~ u, a]
    # Phi1^T Phi1 = Phi0^T Phi0 + U core U^T, and |mu1 X~ u|^2 -> mu1^2 theta1^2 n/N
    core = sp.Matrix([[0, 1], [1, MU1**2 * THETA1**2 * RATIO]])
    right = first + MU1 * THETA2 * RATIO * last  # Phi1^T X~ beta
    under = [_gram(data, readout) for data, readout in zip(DATA, READOUT, strict=True)]
    small = core.inv() + update.T * under[0] * update
    solution = right - update * (small.inv() * (update.T * under[0] * right))
    along_a = READOUT[0] * solution[2]  # <a, g>
    along_beta = CROSS * (solution[0] + THETA2 * solution[1])  # <beta, W0 g>
    along_u = CROSS * (THETA2 * solution[0] + THETA1**2 * solution[1])  # <u, W0 g>
    length = (solution.T * under[2] * solution)[0] + 2 * along_u * along_a + THETA1**2 * along_a**2  # |W1 g|^2
    return 1 - 2 * MU1 * (along_beta + THETA2 * along_a) + MU1**2 * length + MU2**2 * (solution.T * under[1] * solution)[0]


def _gram(data: sp.Symbol, readout: sp.Symbol) -> sp.Matrix:
    """Inner products of Phi0^T X~ beta, Phi0^T X~ u and a under H."""
    return sp.Matrix([[data, THETA2 * data, 0], [THETA2 * data, THETA1**2 * data, 0], [0, 0, readout]])


@cache
def bias_saturated() -> sp.Expr:
    """The limit of ``bias_after`` as theta1 -> infinity with theta2 = theta1 cos: here the symbol theta2 stands for cos."""
    top, bottom = sp.fraction(sp.cancel(bias_after().subs(THETA2, THETA1 * THETA2)))
    top, bottom = sp.Poly(top, THETA1), sp.Poly(bottom, THETA1)
    assert top.degree() == bottom.degree(), "the bias has a finite limit"
    return top.LC() / bottom.LC()
