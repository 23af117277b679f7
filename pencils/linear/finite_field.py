"""Pencils at random matrices over a finite field: states as exact blocks, and residues recognised as scalars.

Identities of noncommutative rational functions are tested here and proved elsewhere: what is found at random is only ever a
candidate.
"""

from __future__ import annotations

import random
from fractions import Fraction

import sympy as sp
from flint import fmpz, nmod_mat

from pencils.linear.linearize import Pencil

PRIME = 2**61 - 1
DIMENSIONS = (3, 4, 5)


def scalars(pencil: Pencil) -> list[sp.Expr]:
    """1, the coefficients of the pencil without their rational factors, and the ratios of two of them."""
    plain = dict.fromkeys(c.as_coeff_Mul()[1] for entry in pencil.entries.values() for c in entry.values() if not c.is_Rational)
    return [sp.S.One, *plain, *(1 / c for c in plain), *(a / b for a in plain for b in plain if a != b)]


def recognise(value: int, candidates: list[sp.Expr], point: RandomPoint) -> sp.Expr | None:
    """The small rational times scalar that a residue is, or None."""
    for scalar in candidates:
        factor = rational(value * pow(point.scalar(scalar), -1, PRIME) % PRIME)
        if factor is not None:
            return sp.Rational(factor.numerator, factor.denominator) * scalar
    return None


class RandomPoint:
    """Random residues for parameters (radicals are generators of their own) and random matrices for atoms."""

    def __init__(self, symmetric: set[sp.MatrixSymbol], seed: int = 7) -> None:
        self.symmetric = symmetric
        self.rng = random.Random(seed)
        self.generators: dict[sp.Expr, int] = {}
        self.sizes: dict[sp.Expr, int] = {}
        self.atoms: dict[sp.MatrixSymbol, list[list[int]]] = {}

    def size(self, space: sp.Expr) -> int:
        """The dimension drawn for a space."""
        return self.sizes.setdefault(space, DIMENSIONS[len(self.sizes) % len(DIMENSIONS)])

    def matrix(self, symbol: sp.MatrixSymbol, transposed: bool) -> list[list[int]]:
        """The random matrix of an atom, or its transpose."""
        if symbol not in self.atoms:
            rows, cols = (self.size(sp.expand(side)) for side in symbol.shape)
            values = [[self.rng.randrange(PRIME) for _ in range(cols)] for _ in range(rows)]
            if symbol in self.symmetric:
                values = [[values[min(i, j)][max(i, j)] for j in range(cols)] for i in range(rows)]
            self.atoms[symbol] = values
        values = self.atoms[symbol]
        return [list(column) for column in zip(*values, strict=True)] if transposed else values

    def scalar(self, expr: sp.Expr) -> int:
        if expr.is_Rational:
            return int(expr.p) * pow(int(expr.q), -1, PRIME) % PRIME
        if isinstance(expr, sp.Add):
            return sum(self.scalar(a) for a in expr.args) % PRIME
        if isinstance(expr, sp.Mul):
            result = 1
            for a in expr.args:
                result = result * self.scalar(a) % PRIME
            return result
        if isinstance(expr, sp.Pow) and expr.exp.is_Integer:
            return pow(self.scalar(expr.base), int(expr.exp), PRIME)
        return self.generators.setdefault(expr, self.rng.randrange(1, PRIME))


def rational(value: int, bound: int = 10**4) -> Fraction | None:
    """The fraction of small height that a residue is, or None."""
    old, new, s_old, s_new = PRIME, value % PRIME, 0, 1
    while new > bound:
        quotient = old // new
        old, new, s_old, s_new = new, old - quotient * new, s_new, s_old - quotient * s_new
    if s_new == 0 or abs(s_new) > bound:
        return None
    return Fraction(new, s_new)


def random_states(pencil: Pencil, point: RandomPoint, flipped: bool = False) -> list[list[list[int]]] | None:
    """The blocks of L^{-1} B at a random point, None where L is singular; ``flipped`` for a transposed pencil, whose atoms are
    to be read as their transposes."""
    starts, total = _offsets(pencil.states, point)
    row_starts, height = _offsets(pencil.equations, point)
    if height != total:
        return None
    cells = [[0] * total for _ in range(total)]
    for (i, j), entry in pencil.entries.items():
        for key, coefficient in entry.items():
            value = point.scalar(coefficient)
            block = point.matrix(key[0], key[1] != flipped) if key is not None else _unit(point.size(pencil.equations[i]))
            for a, line in enumerate(block):
                for b, v in enumerate(line):
                    place = row_starts[i] + a, starts[j] + b
                    cells[place[0]][place[1]] = (cells[place[0]][place[1]] + value * v) % PRIME
    width = max((point.size(pencil.equations[i]) for i in pencil.source), default=1)
    right = [[0] * width for _ in range(total)]
    for i, coefficient in pencil.source.items():
        for k in range(point.size(pencil.equations[i])):
            right[row_starts[i] + k][k] = point.scalar(coefficient)
    flat = nmod_mat(total, total, [fmpz(v) for row in cells for v in row], PRIME)
    if flat.det() == 0:
        return None
    solved = flat.solve(nmod_mat(total, width, [fmpz(v) for row in right for v in row], PRIME))
    return [
        [[int(solved[starts[j] + a, b]) for b in range(width)] for a in range(point.size(space))]
        for j, space in enumerate(pencil.states)
    ]


def _offsets(spaces: list[sp.Expr], point: RandomPoint) -> tuple[list[int], int]:
    starts, total = [], 0
    for space in spaces:
        starts.append(total)
        total += point.size(space)
    return starts, total


def _unit(size: int) -> list[list[int]]:
    return [[int(a == b) for b in range(size)] for a in range(size)]
