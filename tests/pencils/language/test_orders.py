"""The rule on limits: sizes worked out by hand from |G| ~ sqrt(N v)."""

import pytest
import sympy as sp

from pencils.errors import InputError
from pencils.language.ensembles import Deterministic, Gaussian, Vector, Wigner
from pencils.language.expression import read
from pencils.language.orders import check_limit, degree, exponent

n, d, lam = sp.symbols("n d lambda", positive=True)
X = sp.MatrixSymbol("X", n, d)
S, W = sp.MatrixSymbol("S", d, d), sp.MatrixSymbol("W", d, d)
u, v = sp.MatrixSymbol("u", d, 1), sp.MatrixSymbol("v", d, 1)
Id = sp.Identity(d)
G = {X: Gaussian()}
HALF = sp.Rational(1, 2)


@pytest.mark.parametrize(
    ("scalar", "wanted"),
    [
        (lam, 0),
        (1 / n, -1),
        (sp.sqrt(n * d), 1),
        (sp.sqrt(2 * lam) * n**2 / d, 1),
        (n / (n + d), 0),
        ((n**2 + n) / (n + 1), 1),
        (sp.sqrt(n + d) / n, -HALF),
        (sp.pi, 0),
        (n - d, 1),
    ],
)
def test_degree(scalar, wanted):
    assert degree(scalar, [n, d]) == wanted


@pytest.mark.parametrize("scalar", [(n + 1) / n, n + 1, sp.sqrt(1 + n), lam + 1 / d])
def test_no_degree(scalar):
    with pytest.raises(InputError, match="not homogeneous in the dimensions n, d: write its leading order"):
        degree(scalar, [n, d])


@pytest.mark.parametrize(
    ("expr", "ensembles", "wanted"),
    [
        (X, G, HALF),
        (X, {X: Gaussian(1 / n)}, 0),
        (X, {X: Gaussian(lam / (n * d))}, -HALF),
        (W, {W: Wigner()}, HALF),
        (W, {W: Wigner(1 / sp.sqrt(d), "complex")}, sp.Rational(1, 4)),
        (S, {S: Deterministic()}, 0),
        (S * W * S, {S: Deterministic(law=[(1, 1)]), W: Wigner()}, HALF),
        (X.T * X, G, 1),
        ((X.T * X / n**2).inverse(), G, 1),
        (n * d * Id + d * X.T * X, G, 2),
    ],
)
def test_exponent(expr, ensembles, wanted):
    expression = read(expr, ensembles)
    assert exponent(expression.tree, expression) == wanted


@pytest.mark.parametrize(
    ("expr", "ensembles"),
    [
        ((X.T * X / n + lam * Id).inverse(), G),
        (n * (X.T * X + n * lam * Id).inverse(), G),
        (X.T * X * S / sp.sqrt(n * d), {**G, S: Deterministic()}),
        (u.T * (X.T * X / n + lam * Id).inverse() * v, {**G, u: Vector(), v: Vector()}),
        ((lam * Id + 0 * W).inverse(), {}),
    ],
)
def test_accepted(expr, ensembles):
    check_limit(read(expr, ensembles))


@pytest.mark.parametrize(
    ("expr", "ensembles", "words"),
    [
        (
            (X.T * X + lam * Id).inverse(),
            G,
            r"X\.T\*X has size of order n in lambda\*I \+ X\.T\*X, beside lambda\*I of order 1: divide it by n$",
        ),
        ((X.T * X / n**2 + Id).inverse(), G, r"X\.T\*X/n\*\*2 has size of order 1/n in .*: multiply it by n$"),
        ((X.T * X / sp.sqrt(n) + Id).inverse(), G, r"divide it by sqrt\(n\)$"),
        ((S + W).inverse(), {S: Deterministic(), W: Wigner()}, r"^W has size of order sqrt\(d\) in .*divide it by sqrt\(d\)$"),
        (
            W + n * X.T * X,
            {**G, W: Wigner()},
            r"n\*X\.T\*X has .* n\*\*2 in .* beside W of order sqrt\(d\): divide it by n\*\*\(3/2\)$",
        ),
        (X.T * X, G, r"normalised trace of X\.T\*X has size of order n and no limit: divide it by n$"),
        ((X.T * X).inverse(), G, "size of order 1/n and no limit: multiply it by n$"),
        (u.T * X.T * X * v, {**G, u: Vector(), v: Vector()}, "no limit: divide it by"),
        (u.T * v + u.T * X.T * X * v, {**G, u: Vector(), v: Vector()}, r"u\.T\*X\.T\*X\*v has size of order .* beside"),
        ((n + 1) / n**2 * X.T * X, G, "not homogeneous"),
        (W, {W: Gaussian(1 + 1 / n)}, r"order sqrt\(d\)"),  # n is no dimension of this expression: 1 + 1/n is a number
    ],
)
def test_refused(expr, ensembles, words):
    with pytest.raises(InputError, match=words):
        check_limit(read(expr, ensembles))


@pytest.mark.parametrize("rows", [n + 1, n**2, n * d, sp.sqrt(n)])
def test_dimensions_grow_in_proportion(rows):
    tall = sp.MatrixSymbol("T", rows, d)
    with pytest.raises(InputError, match=r"all dimensions must grow in proportion|not homogeneous"):
        check_limit(read(tall.T * tall, {tall: Gaussian(1 / rows)}))


def test_sums_of_dimensions_are_dimensions():
    tall = sp.MatrixSymbol("T", 2 * n + d, d)
    check_limit(read(tall.T * tall / (2 * n + d), {tall: Gaussian()}))
