"""One gradient step of ba2022, written down densely, and functions with their derivatives written apart from SymPy."""

from __future__ import annotations

import math

import numpy as np
import sympy as sp
from scipy import special

from theory.activations.floats import Nonlinearity, nonlinearity

x = sp.Symbol("x")
# SymPy form, and sigma, sigma' written independently of it.
FUNCTIONS = {
    "tanh": (sp.tanh(x), np.tanh, lambda t: 1 / np.cosh(t) ** 2),
    "erf": (sp.erf(x), special.erf, lambda t: 2 * np.exp(-(t**2)) / math.sqrt(math.pi)),
    "softplus": (sp.log(1 + sp.exp(x)), lambda t: np.logaddexp(0, t), special.expit),
    "relu": (sp.Max(x, 0), lambda t: np.maximum(t, 0), lambda t: np.heaviside(t, 0.5)),
    "leaky": (
        sp.Piecewise((x, x > 0), (x / 10, True)),
        lambda t: np.where(t > 0, t, t / 10),
        lambda t: np.where(t > 0, 1.0, 0.1),
    ),
    "abs": (sp.Abs(x), np.abs, np.sign),
    "identity": (x, lambda t: t, np.ones_like),
    "half square": (x**2 / 2, lambda t: t**2 / 2, lambda t: t),
    "constant": (sp.Integer(2), lambda t: 2 * np.ones_like(t), np.zeros_like),
}


def function(name: str, shift: float = 0.0) -> Nonlinearity:
    return nonlinearity(FUNCTIONS[name][0], x, shift)


def dense_step(sizes, eta, sigma_eps, name, teacher, seed):
    """Section 1 of ba2022, word for word, from the same stream: beta, a, W0, eps, X."""
    d, n, N = sizes.d, sizes.n, sizes.N
    rng = np.random.default_rng(seed)
    beta = rng.standard_normal(d)
    beta = beta / math.sqrt((beta**2).sum())
    a = rng.standard_normal(N) / math.sqrt(N)
    W0 = rng.standard_normal((d, N)) / math.sqrt(d)
    eps = sigma_eps * rng.standard_normal(n)
    X = rng.standard_normal((n, d))
    _, sigma, slope = FUNCTIONS[name]
    y = FUNCTIONS[teacher][1](X @ beta) + eps
    residual = y - sigma(X @ W0) @ a / math.sqrt(N)
    G0 = X.T @ (np.outer(residual, a) / math.sqrt(N) * slope(X @ W0)) / n
    return X, y, W0, a, beta, W0 + eta * math.sqrt(N) * G0
