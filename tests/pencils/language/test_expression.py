"""Reading a SymPy matrix expression: the tree, its adjoint, and each broken rule of the design on shapes and declarations."""

import numpy as np
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from pencils.errors import InputError
from pencils.finite_size.sample import draw
from pencils.language.ensembles import Deterministic, Gaussian, Vector, Wigner, commuting
from pencils.language.expression import read
from pencils.language.tree import Atom, Identity, Inverse, Product, Sum, is_symmetric, text, transpose

n, d, lam = sp.symbols("n d lambda", positive=True)
z = sp.Symbol("z")
X, Y = sp.MatrixSymbol("X", n, d), sp.MatrixSymbol("Y", n, d)
A, B, W = (sp.MatrixSymbol(name, d, d) for name in "ABW")
u, v = (sp.MatrixSymbol(name, d, 1) for name in "uv")
Id = sp.Identity(d)
g, a = Gaussian(), Deterministic()
LAW = Deterministic(law=[(1, "1/2"), (2, "1/2")])
VALUES = Deterministic(singular_values=[(1, 1)])


def test_tree_of_a_resolvent():
    found = read((X.T * X / n + lam * Id).inverse(), {X: g})
    gram = Product(d, d, (Atom(d, n, X, True), Atom(n, d, X)))
    assert isinstance(found.tree, Inverse) and isinstance(found.tree.arg, Sum)
    assert set(found.tree.arg.terms) == {(lam, Identity(d, d)), (1 / n, gram)}
    assert (found.dimensions, found.parameters, found.ends) == ([d, n], [d, lam, n], None)


def test_parameters_of_variances_count():
    assert read(W, {W: Wigner(lam / d)}).parameters == [d, lam]


def test_dimensions_are_equal_when_their_expressions_are():
    left, right = sp.MatrixSymbol("L", d, 2 * (n + d)), sp.MatrixSymbol("R", 2 * n + 2 * d, d)
    assert text(read(left * right, {left: g, right: g}).tree) == "L*R"


def test_floats_are_the_decimals_they_print():
    assert read(0.1 * A, {A: a}).tree == Sum(d, d, ((sp.Rational(1, 10), Atom(d, d, A)),))
    with pytest.raises(InputError, match=r"Rational\(1, 30\)"):  # SymPy divided in floating point: the 1/3 is lost
        read(0.1 * A / 3, {A: a})


SPIKE = "vector u is inside.*finite-rank terms.*outliers"
ONE = "1 x 1"


@pytest.mark.parametrize(
    ("expr", "ensembles", "words"),
    [
        # what is no matrix expression of the accepted kind
        (3, {}, "SymPy matrix expression is wanted"),
        ("X.T*X", {}, "SymPy matrix expression is wanted"),
        (lam, {}, "SymPy matrix expression is wanted"),
        (np.eye(2), {}, "SymPy matrix expression is wanted"),
        (sp.Matrix([[1, 2], [3, 4]]), {}, "SymPy matrix expression is wanted"),
        (sp.Trace(A) / d, {A: a}, "is a trace: give the matrix itself"),
        (1 + sp.Trace(A * A), {A: a}, "is a trace: give the matrix itself"),
        (A * sp.Matrix([[1, 2], [3, 4]]), {A: a}, "an explicit matrix is not accepted"),
        (sp.HadamardProduct(A, B), {A: a, B: a}, "a HadamardProduct is not accepted"),
        (sp.KroneckerProduct(A, B), {A: a, B: a}, "a KroneckerProduct is not accepted"),
        (sp.BlockMatrix([[A, B], [B, A]]), {A: a, B: a}, "a BlockMatrix is not accepted"),
        (A.applyfunc(sp.sin), {A: a}, "is not accepted"),
        (A + sp.OneMatrix(d, d), {A: a}, "a OneMatrix is not accepted"),
        # scalars
        (sp.Trace(A) * A, {A: a}, "Trace.*must not be made of matrices"),
        (A[0, 0] * A, {A: a}, r"A\[0, 0\] in .*must not be made of matrices"),
        (sp.Function("f")(lam) * A, {A: a}, r"f\(lambda\) in"),
        (sp.exp(lam) * A, {A: a}, r"exp\(lambda\) in"),
        (sp.oo * A, {A: a}, "finite"),
        ((z * A).adjoint(), {A: a}, "declare it with real=True"),
        (sp.Adjoint(z * A), {A: a}, "declare it with real=True"),
        # powers
        (A ** sp.Rational(1, 2), {A: a}, "only whole powers.*1/2"),
        (A**n, {A: a}, "only whole powers.*n"),
        (A**100, {A: a}, "up to 64"),
        (X.inverse(), {X: g}, "X is n x d: only a square matrix"),
        (sp.MatPow(X, 2), {X: g}, "X is n x d: only a square matrix"),
        # shapes
        (X * X, {X: g}, "only a square matrix"),
        (X * Y, {X: g, Y: g}, r"X \(n x d\) times Y \(n x d\): d and n are not the same dimension"),
        (X + A, {X: g, A: a}, "only matrices of one shape can be added"),
        (X.T + X, {X: g}, "only matrices of one shape can be added"),
        # declarations
        (X.T * X, {}, "the matrix X is not declared"),
        (A, {A: a, B: a}, "B is declared but does not occur"),
        (A, {A: Gaussian}, "A: declared as"),
        (A, {A: 1}, "A: declared as"),
        (A, {"A": g}, "no matrix symbol"),
        (A, [A], "give a mapping"),
        (X, {X: Wigner()}, "must be square"),
        (X, {X: LAW}, "give singular_values"),
        (X, {X: Deterministic(symmetric=True)}, "must be square"),
        (A, {A: VALUES}, "left and right singular vectors meet"),
        (A * sp.MatrixSymbol("A", d, n), {A: g, sp.MatrixSymbol("A", d, n): g}, "two matrices are called A: d x d and d x n"),
        (A.T * A, {sp.MatrixSymbol("A", n, d): g}, "two matrices are called A"),
        (sp.Symbol("lambda") * A + lam * Id, {A: a}, "two different symbols are called lambda"),
        # deterministic matrices that meet
        (A * B, {A: LAW, B: LAW}, "A and B meet in the space of dimension d.*commuting"),
        (A * B, {A: LAW, B: a}, "A and B meet in the space of dimension d.*commuting"),
        (A * X.T, {A: LAW, X: VALUES}, "A and X meet in the space of dimension d"),
        (A + B, {**commuting({A: [1]}, [1]), **commuting({B: [1]}, [1])}, "A and B meet"),
        # integers stay finite
        (sp.MatrixSymbol("M", 3, 3), {sp.MatrixSymbol("M", 3, 3): g}, "stays finite"),
        (sp.MatrixSymbol("M", d, 3), {sp.MatrixSymbol("M", d, 3): g}, "stays finite"),
        (sp.MatrixSymbol("r", 1, d), {sp.MatrixSymbol("r", 1, d): Vector()}, "one column"),
        (sp.Identity(3), {}, "stays finite"),
        (X, {X: Vector()}, "one column"),
        (u.T * A * u, {A: a, u: g}, "u is d x 1: declare it as a Vector"),
        # 1 x 1 factors and vectors out of place
        (A * sp.MatrixSymbol("s", 1, 1), {A: a, sp.MatrixSymbol("s", 1, 1): g}, ONE),
        (A * u.T * A * v, {A: a, u: Vector(), v: Vector()}, r"u\.T\*A\*v is 1 x 1"),
        ((u.T * A * v + u.T * v) * A, {A: a, u: Vector(), v: Vector()}, ONE),
        (u.T * A * v * v.T * A * u, {A: a, u: Vector(), v: Vector()}, r"u\.T\*A\*v is 1 x 1"),
        ((u.T * A * v) ** 2, {A: a, u: Vector(), v: Vector()}, ONE),
        ((u.T * u).inverse() * A, {A: a, u: Vector()}, ONE),
        (A * u * v.T * A * u * v.T, {A: a, u: Vector(), v: Vector()}, r"v\.T\*A\*u is 1 x 1"),
        (A + lam * u * u.T, {A: a, u: Vector()}, SPIKE),
        (A * u, {A: a, u: Vector()}, SPIKE),
        (v.T * (A + u * u.T) * v, {A: a, u: Vector(), v: Vector()}, SPIKE),
        # vectors beside laws
        (u.T * A * u, {A: LAW, u: Vector()}, r"components=\[\.\.\.\]\), one for each value"),
        (u.T * A * u, {A: LAW, u: Vector(components=[1])}, "law of 2 values"),
        (u.T * A * u, {A: Wigner(1 / d), u: Vector(components=[1, 1])}, "no law acts"),
        (u.T * X.T * X * u, {X: VALUES, u: Vector()}, "singular values.*give arrays"),
        (u.T * A * v, {A: g, u: Vector(overlaps={v: 2}), v: Vector()}, "negative eigenvalue"),
    ],
)
def test_refused(expr, ensembles, words):
    with pytest.raises(InputError, match=words) as error:
        read(expr, ensembles)
    assert "\n" not in str(error.value)


def test_arrays_may_meet_and_commuting_laws_may():
    assert text(read(A * B, {A: a, B: a}).tree) == "A*B"
    law = commuting({A: [1, 2], B: [3, 4]}, ["1/2", "1/2"])
    assert text(read(A * B, law).tree) == "A*B"
    assert list(read(A, law).ensembles) == [A]  # a member of the group that does not occur is no mistake


def test_bilinear_form():
    ensembles = {X: g, u: Vector(), v: Vector(overlaps={u: "1/2"})}
    found = read(2 * u.T * (X.T * X / n + lam * Id).inverse() * v + lam * u.T * v, ensembles)
    by_coefficient = {c: (left, text(node), right) for c, left, node, right in found.ends}
    assert by_coefficient == {2: (u, "inv(lambda*I + X.T*X/n)", v), lam: (u, "I", v)}
    assert found.tree.rows == found.tree.cols == 1
    assert found.dimensions == [d, n]


def test_bilinear_form_accepts_components_beside_a_law():
    assert read(u.T * A * u, {A: LAW, u: Vector(components=[1, 2])}).ends is not None
    assert read(u.T * A * u, {A: a, u: Vector()}).ends is not None  # both will be arrays


def test_transposes():
    symmetric = Deterministic(symmetric=True)
    assert text(read((A * B).T, {A: a, B: symmetric}).tree) == "B*A.T"
    assert text(read(sp.Transpose(sp.I * A), {A: a}).tree) == text(read((sp.I * A).T, {A: a}).tree) == "i*A.T"
    assert text(read(sp.Adjoint(sp.I * A), {A: a}).tree) == text(read((sp.I * A).adjoint(), {A: a}).tree) == "-i*A.T"
    assert text(read(W.T, {W: Wigner()}).tree) == text(read(W.adjoint(), {W: Wigner(field="complex")}).tree) == "W"
    with pytest.raises(InputError, match=r"use \.adjoint"):
        read(W.T, {W: Wigner(field="complex")})  # E tr W W.T is 0 and E tr W W* is not
    tree = read((1 + 2 * sp.I) * z * A, {A: a}).tree  # numbers are conjugated, symbols are not
    assert transpose(tree, {A: a}).terms == (((1 - 2 * sp.I) * z, Atom(d, d, A, True)),)


WIGNERS = {A: Wigner(1 / d, "complex"), B: Wigner(1 / d, "complex")}


@pytest.mark.parametrize(
    ("expr", "ensembles", "symmetric"),
    [
        (X.T * X / n + lam * Id, {X: g}, True),
        ((X.T * X / n - z * Id).inverse(), {X: g}, True),
        (X, {X: g}, False),
        (A, {A: a}, False),
        (A, {A: Deterministic(symmetric=True)}, True),
        (A + A.T, {A: a}, True),
        (A - A.T, {A: a}, False),
        (sp.I * (A - A.T), {A: a}, True),
        (A * B + B * A, WIGNERS, True),
        (sp.I * (A * B - B * A), WIGNERS, True),
        (A * B - B * A, WIGNERS, False),
        (A * B, WIGNERS, False),
        (A * B, commuting({A: [1], B: [2]}, [1]), True),
        (A * W * B, {W: Wigner(), **commuting({A: [1], B: [2]}, [1])}, False),
        (A.inverse() * B * A.inverse(), WIGNERS, True),
        (u.T * A * v, {A: Wigner(1 / d), u: Vector(), v: Vector()}, False),
        (u.T * A * u, {A: Wigner(1 / d), u: Vector()}, True),
    ],
)
def test_symmetry(expr, ensembles, symmetric):
    assert is_symmetric(read(expr, ensembles)) is symmetric


def _expressions():
    """Random expressions in two non-symmetric square arrays of dimension d."""
    leaf = st.sampled_from([A, B, Id])
    scalars = st.sampled_from([2, sp.Rational(-1, 3), sp.I, 1 + sp.I])

    def grow(inner):
        return st.one_of(
            st.tuples(inner, inner).map(lambda pair: pair[0] + pair[1]),
            st.tuples(inner, inner).map(lambda pair: pair[0] * pair[1]),
            st.tuples(scalars, inner).map(lambda pair: pair[0] * pair[1]),
            inner.map(lambda e: e.T),
            inner.map(sp.Transpose),
            inner.map(sp.Adjoint),
            inner.map(lambda e: (e + 9 * Id).inverse()),
            inner.map(lambda e: sp.MatPow(e, 2)),
        )

    return st.recursive(leaf, grow, max_leaves=5)


def _dense(node, arrays):
    """The tree over arrays, written for this test alone."""
    if isinstance(node, Atom):
        return arrays[node.symbol].T if node.transposed else arrays[node.symbol]
    if isinstance(node, Identity):
        return np.eye(3)
    if isinstance(node, Inverse):
        return np.linalg.inv(_dense(node.arg, arrays))
    if isinstance(node, Product):
        return np.linalg.multi_dot([np.eye(3), *(_dense(factor, arrays) for factor in node.factors), np.eye(3)])
    return sum((complex(c) * _dense(term, arrays) for c, term in node.terms), np.zeros((3, 3)))


@pytest.mark.parametrize(
    "flip",
    [sp.Transpose, sp.Adjoint, lambda e: sp.Transpose(sp.Adjoint(e)), lambda e: sp.Adjoint(sp.Transpose(e))],
)
def test_transposes_that_sympy_leaves_alone(flip):
    """The word AABABB read backwards is no rotation of itself, so its trace tells the order of the factors."""
    expr = flip((1 + 2 * sp.I) * A**2 * B * A * B**2)
    arrays = {symbol: np.random.default_rng(k).uniform(-1, 1, (3, 3)) for k, symbol in enumerate((A, B))}
    found = read(expr, {A: a, B: a})
    word = np.linalg.multi_dot([arrays[symbol] for symbol in (A, A, B, A, B, B)])
    known = (1 - 2j if expr.has(sp.Adjoint) else 1 + 2j) * np.trace(word) / 3
    assert draw(found, {d: 3, **arrays}, 1, np.random.default_rng(0)) == pytest.approx(known)
    assert np.trace(_dense(found.tree, arrays)) / 3 == pytest.approx(known)


@settings(max_examples=60)
@given(_expressions())
def test_tree_and_source_are_one_matrix(expr):
    """Two walks that share no code, the reader's and the sampler's, give one trace."""
    rng = np.random.default_rng(0)
    arrays = {A: rng.uniform(-1, 1, (3, 3)), B: rng.uniform(-1, 1, (3, 3))}
    probe = expr * A + 9 * B  # a trace alone cannot tell a matrix from its transpose
    found = read(probe, {A: a, B: a})
    sampled = draw(found, {d: 3, **arrays}, 1, rng)
    assert sampled == pytest.approx(np.trace(_dense(found.tree, arrays)) / 3, rel=1e-9, abs=1e-9)
    adjoint = _dense(transpose(found.tree, found.ensembles), arrays)
    assert adjoint == pytest.approx(_dense(found.tree, arrays).conj().T, rel=1e-9, abs=1e-9)
