"""Pencils against their expressions: both sides at random matrices over a finite field, evaluated here from scratch."""

import random

import pytest
import sympy as sp
from benchmark_models import e1, e2, e3, e6, p3, p7, p9, p12, p14, p15
from flint import nmod_mat
from hypothesis import given, settings
from hypothesis import strategies as st
from random_models import ENSEMBLES, SYMMETRIC, Draw, G, H, S, X, Y, declared, lam, n, p, z

from pencils import Deterministic, Gaussian, Wigner, expected_trace
from pencils.language.expression import is_symmetric, read
from pencils.linear.linearize import linearize
from pencils.linear.minimize import minimize
from pencils.linear.symmetrize import is_symmetric_pencil, symmetrize

PRIME = 998244353  # 1 modulo 4: -1 has a square root, which stands for the imaginary unit
UNIT = pow(3, (PRIME - 1) // 4, PRIME)  # 3 is a primitive root


class Point:
    """Matrices of small size and residues for parameters, all random; a square root of a parameter is drawn, and squared."""

    def __init__(self, symmetric, seed):
        self.symmetric, self.rng = symmetric, random.Random(seed)
        self.dimensions, self.matrices, self.roots = {}, {}, {}

    def size(self, space):
        return self.dimensions.setdefault(sp.expand(space), self.rng.randint(2, 4))

    def matrix(self, symbol):
        if symbol not in self.matrices:
            rows, cols = map(self.size, symbol.shape)
            table = [[self.rng.randrange(PRIME) for _ in range(cols)] for _ in range(rows)]
            if symbol in self.symmetric:
                table = [[table[min(i, j)][max(i, j)] for j in range(cols)] for i in range(rows)]
            self.matrices[symbol] = nmod_mat(rows, cols, sum(table, []), PRIME)  # noqa: RUF017
        return self.matrices[symbol]

    def scalar(self, expr):
        """The residue of a scalar; radicals are generators of their own, as far as their squares are symbols."""
        expr = sp.sympify(expr)
        if expr.is_Rational:
            return int(expr.p) * pow(int(expr.q), -1, PRIME) % PRIME
        if expr == sp.I:
            return UNIT
        if expr.is_Add:
            return sum(map(self.scalar, expr.args)) % PRIME
        if expr.is_Mul:
            result = 1
            for factor in expr.args:
                result = result * self.scalar(factor) % PRIME
            return result
        if expr.is_Pow and expr.exp.is_Integer:
            return pow(self.scalar(expr.base), int(expr.exp), PRIME)
        if expr.is_Symbol or expr.is_Pow:
            base, half = (expr, 2) if expr.is_Symbol else (expr.base, int(2 * expr.exp))
            return pow(self.roots.setdefault(base, self.rng.randrange(1, PRIME)), half, PRIME)
        raise AssertionError(expr)


def identity(size, factor=1):
    return nmod_mat(size, size, [factor * (i == j) for i in range(size) for j in range(size)], PRIME)


def of_expression(expr, point):
    """A SymPy matrix expression at the point, by its own walk."""
    if isinstance(expr, sp.MatrixSymbol):
        return point.matrix(expr)
    if isinstance(expr, sp.Identity):
        return identity(point.size(expr.rows))
    if isinstance(expr, sp.Transpose):
        return of_expression(expr.arg, point).transpose()
    if isinstance(expr, sp.MatPow):
        base = of_expression(expr.base, point)
        base = base.inv() if expr.exp < 0 else base
        result = base
        for _ in range(abs(int(expr.exp)) - 1):
            result = result * base
        return result
    if isinstance(expr, sp.MatAdd):
        first, *others = [of_expression(arg, point) for arg in expr.args]
        for other in others:
            first = first + other
        return first
    assert isinstance(expr, sp.MatMul), type(expr)
    matrices = [of_expression(arg, point) for arg in expr.args if arg.is_Matrix]
    result = matrices[0]
    for other in matrices[1:]:
        result = result * other
    return result * point.scalar(sp.Mul(*[arg for arg in expr.args if not arg.is_Matrix]))


def of_pencil(pencil, point):
    """C L^{-1} B at the point."""

    def starts(spaces):
        found = [0]
        for space in spaces:
            found.append(found[-1] + point.size(space))
        return found

    rows, cols = starts(pencil.equations), starts(pencil.states)
    table = [[0] * cols[-1] for _ in range(rows[-1])]
    for (i, j), entry in pencil.entries.items():
        for key, coefficient in entry.items():
            block = identity(point.size(pencil.equations[i])) if key is None else point.matrix(key[0])
            block = block.transpose() if key is not None and key[1] else block
            value = point.scalar(coefficient)
            for a in range(block.nrows()):
                for b in range(block.ncols()):
                    table[rows[i] + a][cols[j] + b] += value * int(block[a, b])
    width = point.size(pencil.equations[next(iter(pencil.source))])
    height = point.size(pencil.states[next(iter(pencil.output))])
    right = [[0] * width for _ in range(rows[-1])]
    for i, coefficient in pencil.source.items():
        for k in range(width):
            right[rows[i] + k][k] = point.scalar(coefficient)
    big = nmod_mat(rows[-1], cols[-1], [v % PRIME for row in table for v in row], PRIME)
    solved = big.inv() * nmod_mat(rows[-1], width, sum(right, []), PRIME)  # noqa: RUF017
    result = nmod_mat(height, width, PRIME)
    for j, coefficient in pencil.output.items():
        part = [int(solved[cols[j] + a, b]) for a in range(height) for b in range(width)]
        result = result + nmod_mat(height, width, part, PRIME) * point.scalar(coefficient)
    return result


def stages(expr, ensembles):
    """The pencil as built, after the cut, and made symmetric where the expression is."""
    expression = read(expr, ensembles)
    symmetric = {s for s in ensembles if isinstance(ensembles[s], Wigner) or getattr(ensembles[s], "law", None)}
    built = linearize(expression)
    small = minimize(built, symmetric)
    return symmetric, [built, small, *([symmetrize(small, symmetric)] if is_symmetric(expression) else [])]


def agree(expr, ensembles, seed):
    symmetric, found = stages(expr, ensembles)
    assert found[1].size <= found[0].size
    for draw in range(2):
        point = Point(symmetric, seed + draw)
        try:
            wanted = of_expression(expr, point)
        except ZeroDivisionError:  # a singular matrix at this point: an inverse of 0 as well, which no draw cures
            continue
        for pencil in found:
            assert of_pencil(pencil, point) == wanted


@given(st.integers(0, 2**32), st.sampled_from([(p, p), (n, n), (p, n), (n, p)]))
@settings(max_examples=120)
def test_random_expressions(seed, shape):
    expr = Draw(seed).matrix(*shape, depth=3)
    if expr.shape[0] == 1 or expr.is_Identity or not expr.atoms(sp.MatrixSymbol):
        return
    agree(expr, declared(expr), seed)


@given(st.integers(0, 2**32))
@settings(max_examples=20)
def test_products_of_resolvents(seed):
    expr = Draw(seed).resolvents()
    agree(expr, declared(expr), seed)


@pytest.mark.parametrize(
    ("model", "most"),
    [
        (e1(), 2),
        (e2(), 4),
        (e3(), 7),
        (p12("t1"), 5),
        (p12("t2"), 5),
        (p14("bias"), 9),
        (p14("var"), 9),
        (e6(), 25),
        (e6("transposed"), 25),
        (p3(), 4),
        (p7(), 3),
        (p9(3), 6),
        (p15(), 4),
    ],
)
def test_sizes_of_the_benchmarks(model, most):
    """The sizes of the issue; for P3, P7, P9 those of the linearisation by hand (one block for every factor)."""
    law = expected_trace(model.expr, model.ensembles)
    assert law.pencil.size <= most
    symmetric = {s for s, e in model.ensembles.items() if isinstance(e, Wigner) or getattr(e, "law", None)}
    point = Point(symmetric, 3)
    assert of_pencil(law.pencil, point) == of_expression(model.expr, point)


@given(st.integers(0, 2**32))
@settings(max_examples=25)
def test_symmetric_expressions_have_symmetric_pencils(seed):
    draw = Draw(seed)
    one = sp.Identity(p)
    inner = (draw.hermitian() - z * one).inverse()
    outer = draw.rng.choice([one, S, H, G, G * X, X * Y])
    expr = outer.T * inner * outer if outer != one else inner
    symmetric, (*_, pencil) = stages(expr, declared(expr))
    assert is_symmetric_pencil(pencil, symmetric)
    assert pencil.output == pencil.source


def test_pencils_do_not_use_more_than_they_need():
    """(X X^T + 1)^{-1} X X^T = 1 - (X X^T + 1)^{-1}: a realization of three blocks, not of five."""
    R = (X * X.T + sp.Identity(p)).inverse()
    for expr in (R * X * X.T, X * X.T * R, sp.Identity(p) - R):
        assert expected_trace(expr, {X: Gaussian(1 / n)}).pencil.size <= 3


def test_expressions_equal_by_the_push_through_identity():
    """X (X^T X + lam)^{-1} X^T = 1 - lam (X X^T + lam)^{-1}: equal values from pencils over different spaces."""
    left = X * (X.T * X + lam * sp.Identity(n)).inverse() * X.T
    right = sp.Identity(p) - lam * (X * X.T + lam * sp.Identity(p)).inverse()
    values = {p: 2, n: 3, lam: "1/7"}
    a, b = (expected_trace(e, {X: Gaussian(1 / n)}).evaluate(values, 40) for e in (left, right))
    assert abs(a - b) < sp.Float("1e-39", 45)


def test_atoms_without_a_law_keep_their_order():
    """A deterministic symbol is not its transpose, and does not commute."""
    A, B = sp.MatrixSymbol("A", p, p), sp.MatrixSymbol("B", p, p)
    laws = {A: Deterministic(), B: Deterministic(symmetric=True), X: Gaussian(1 / n)}
    agree(A * (X * X.T + B).inverse() * A.T * B, laws, 11)
    agree((A * B - B * A.T + sp.Identity(p) + X * X.T).inverse(), laws, 12)


def test_every_ensemble_is_drawn():
    """The random expressions of this file reach every declared matrix, and both transposes."""
    seen = {atom for seed in range(60) for atom in Draw(seed).matrix(p, p, 3).atoms(sp.MatrixSymbol)}
    assert seen == set(ENSEMBLES)
    assert {H, S} <= SYMMETRIC
