"""Models with finite-rank terms, as few lines of SymPy."""

import sympy as sp
from benchmark_models import HALF, SQRT, eye, matrix, n, p

from pencils import Deterministic, Gaussian, Vector, Wigner

theta, ell, t = sp.symbols("theta l t", positive=True)
tau = sp.Symbol("tau", real=True)
W, X, S, A = matrix("W", n, n), matrix("X", p, n), matrix("S", p, p), matrix("A", p, n)
u, v, q = (matrix(name, n, 1) for name in "uvq")
a, b = matrix("a", p, 1), matrix("b", p, 1)
SEMICIRCLE = [(-2, 2)]
MP_HALF = [((1 - SQRT(HALF)) ** 2, (1 + SQRT(HALF)) ** 2)]  # Marchenko-Pastur, c = 1/2
ROOT = eye(p) + (sp.sqrt(ell) - 1) * a * a.T
COVARIANCE = ROOT * X * X.T * ROOT / n, {X: Gaussian(), a: Vector()}
SPIKED = W + theta * u * u.T, {W: Wigner(1 / n), u: Vector()}
TWO_VALUES = Deterministic(law=[(1, HALF), (SQRT(3), HALF)])
P3 = S * X * X.T * S / n + tau * a * a.T, {X: Gaussian(), S: TWO_VALUES, a: Vector(components=["3/5", "4/5"])}


def close(value, expected, digits=28):
    return abs(sp.N(value - expected, 60)) < sp.Float(10) ** -digits


def p3_support(c):
    """Edges of the law of S X X^T S/n: critical values of z(s) = -1/s + (c/2)(1/(1+s) + 3/(1+3s)) (Silverstein and Choi 1995)."""
    s = sp.Symbol("s")
    z = -1 / s + c / 2 * (1 / (1 + s) + 3 / (1 + 3 * s))
    roots = sp.Poly(sp.numer(sp.together(sp.diff(z, s))), s).nroots(n=50, maxsteps=200)
    edges = sorted(z.subs(s, r) for r in roots if r.is_real)
    return list(zip(edges[::2], edges[1::2], strict=True))
