"""The Marchenko-Pastur law of W0 W0^T and its companion, from one fixed-point equation."""

from __future__ import annotations

import sympy as sp

from theory.proof.stein import wick_trace
from theory.proof.steps import Proof
from theory.proof.symbols import symbols

z, m, psi2, d, N = symbols("z m psi2 d N")
_spectral = -1 / m + psi2 / (1 + m)


def companion(proof: Proof) -> None:
    """The companion's transform from the d x d one"""
    eigenvalue = sp.Symbol("lambda", positive=True)
    rank = sp.Symbol("r", positive=True, integer=True)
    proof.step(
        (rank / (eigenvalue - z) - (N - rank) / z) / N,
        (d / N) * ((rank / (eigenvalue - z) - (d - rank) / z) / d) - (1 - d / N) / z,
        "W0^T W0 and W0 W0^T share r non-zero eigenvalues (shown here equal, by linearity): the N x N trace is "
        "d/N times the d x d trace, less (N - d)/N zeros' worth of 1/z",
    )
    proof.step(
        sp.Limit(((d / N) * m - (1 - d / N) / z).subs(N, psi2 * d), d, sp.oo),
        m / psi2 - (1 - 1 / psi2) / z,
        "N/d -> psi_2, and the d x d trace -> m(z)",
    )


def second_moment(proof: Proof) -> None:
    """The second moment of the law by Wick's theorem at finite d and N"""
    words = wick_trace(2, d, N)
    finite = proof.step(
        words / d / d**2,
        (N**2 / d**2) + N / d + N / d**2,
        "(1/d) E tr (W0 W0^T)^2, entries of variance 1/d: three pairings",
    )
    proof.step(sp.Limit(finite.subs(N, psi2 * d), d, sp.oo), psi2**2 + psi2, "the planar pairings are left")


def stieltjes_at_edge(proof: Proof) -> None:
    """The value of m at the upper edge"""
    root = sp.sqrt(psi2)
    proof.step(
        sp.Derivative(_spectral, m),
        (1 + m - root * m) * (1 + m + root * m) / (m**2 * (1 + m) ** 2),
        "an edge is where z(m) is stationary; on (-1, 0) that is m = -1/(1 + sqrt psi_2)",
    )
    proof.step(_spectral.subs(m, -1 / (1 + root)), (1 + root) ** 2, "the upper edge")
