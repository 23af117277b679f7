"""Random rational expressions in random ensembles, from a seed."""

from __future__ import annotations

import random
from typing import Any

import sympy as sp

from pencils import Gaussian, Wigner, commuting

n, p, q = sp.symbols("n p q", positive=True)
lam, mu = sp.symbols("lambda mu", positive=True)
z, w = sp.symbols("z w")
HALF = sp.Rational(1, 2)

X, Y = sp.MatrixSymbol("X", p, n), sp.MatrixSymbol("Y", n, q)
G, H = sp.MatrixSymbol("G", p, p), sp.MatrixSymbol("H", p, p)
S, T = sp.MatrixSymbol("S", p, p), sp.MatrixSymbol("T", p, p)
ENSEMBLES = {
    X: Gaussian(1 / n),
    Y: Gaussian(1 / q),
    G: Gaussian(1 / p),
    H: Wigner(1 / p),
    **commuting({S: [1, 2], T: [3, HALF]}, [HALF, HALF]),
}
SYMMETRIC = {H, S, T}
SPACES = (p, n, q)


def declared(expr: Any) -> dict[Any, Any]:
    """The ensembles of the matrices that an expression holds."""
    return {symbol: ENSEMBLES[symbol] for symbol in expr.atoms(sp.MatrixSymbol)}


class Draw:
    """Random expressions; sums have only terms of order 1, so that every expression has a limit."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)

    def coefficient(self) -> sp.Expr:
        choices = [1, 1, 1, -1, 2, HALF, lam, -lam / 3, sp.sqrt(mu), 1 / (lam + 1), z]
        return sp.sympify(self.rng.choice(choices))

    def atom(self, rows: Any, cols: Any) -> Any:
        found = [a for a in ENSEMBLES if a.shape == (rows, cols)]
        found += [a.T for a in ENSEMBLES if a.shape == (cols, rows) and a not in SYMMETRIC]
        if rows == cols:
            found.append(sp.Identity(rows))
        return self.rng.choice(found) if found else None

    def matrix(self, rows: Any, cols: Any, depth: int) -> Any:
        """A rows x cols expression of inverses, products, sums and powers."""
        kinds = ["atom", "product", "sum"] + (["inverse", "power"] if rows == cols else [])
        kind = self.rng.choice(kinds) if depth else "atom"
        if kind == "atom":
            found = self.atom(rows, cols)
            if found is not None:
                return found
            kind = "product"
        if kind == "product":
            middle = self.rng.choice(SPACES) if depth else n  # p x q and q x p have no atoms
            return self.matrix(rows, middle, max(depth - 1, 0)) * self.matrix(middle, cols, max(depth - 1, 0))
        if kind == "sum":
            first, second = (self.coefficient() * self.matrix(rows, cols, depth - 1) for _ in range(2))
            return first + second
        inner = self.matrix(rows, rows, depth - 1)
        if kind == "power":
            return inner ** self.rng.choice([2, 2, 3, -2])
        return (inner + self.rng.choice([lam, z, 3]) * sp.Identity(rows)).inverse()

    def hermitian(self) -> Any:
        """A Hermitian p x p expression, polynomial in the matrices."""
        blocks = [H, S, X * X.T, S * H * S, X * Y * Y.T * X.T, G + G.T, H * S + S * H, G * G.T, G * H * G.T, H * H, S * X * X.T * S]
        first, second = self.rng.sample(blocks, 2)
        return self.rng.choice([1, 2, HALF]) * first + self.rng.choice([1, -1, HALF]) * second

    def positive(self) -> Any:
        """A non-negative p x p expression."""
        blocks = [X * X.T, S * X * X.T * S, X * Y * Y.T * X.T, G * G.T, H * H, S * H * H * S, G * S * G.T, X * X.T + S]
        return self.rng.choice(blocks)

    def resolvents(self, most: int = 3) -> Any:
        """A product of resolvents of Hermitian expressions at z and w, positive ones at lambda, with matrices between."""
        inner = self.hermitian()
        one = sp.Identity(p)
        makers = [
            lambda: (inner - z * one).inverse(),
            lambda: (inner - w * one).inverse(),
            lambda: (self.positive() + lam * one).inverse(),
        ]
        between = [one, S, T, X * X.T, H, S * X * X.T * S]
        factors = []
        for _ in range(self.rng.randint(1, most)):
            factors += [self.rng.choice(makers)(), self.rng.choice(between)]
        return sp.MatMul(*factors).doit()
