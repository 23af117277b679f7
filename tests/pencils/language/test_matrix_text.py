"""Text of matrix expressions and declarations: what it means, and what it refuses."""

import contextlib
import time

import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from pencils import Deterministic, Gaussian, Vector, Wigner, commuting
from pencils.errors import InputError, ParseError
from pencils.language.matrix_text import read
from pencils.language.parse import parse
from pencils.language.scalar_text import number

n, d, lam = sp.symbols("n d lam", positive=True)
z = sp.Symbol("z")
X, S = sp.MatrixSymbol("X", n, d), sp.MatrixSymbol("S", d, d)
u, v = sp.MatrixSymbol("u", d, 1), sp.MatrixSymbol("v", d, 1)
DECLARED = [("gaussian", "X: n x d"), ("deterministic", "S: d, law 1:1/2 3:1/2"), ("vector", "u v: d")]
half = sp.Rational(1, 2)


def expression(text, **values):
    return read(text, DECLARED, values).expr


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("tr(inv(X.T*X/n + lam*I))", sp.Inverse(X.T * X / n + lam * sp.Identity(d))),
        ("inv(lam*I + X*X.T/n)", sp.Inverse(X * X.T / n + lam * sp.Identity(n))),
        ("X.T*X/n - 2*I + S/2", X.T * X / n - 2 * sp.Identity(d) + S / 2),
        ("X.T*(I + lam*I)*X", (1 + lam) * X.T * X),  # between matrices the identity acts as a scalar
        ("S**-2 + inv(2*I)", S**-2 + sp.Identity(d) / 2),
        ("(I - S)**2*X.T*X", (sp.Identity(d) - S) ** 2 * X.T * X),
        ("-S**2", -(S**2)),
        ("(X*S).T*X", S.T * X.T * X),
        ("2*X.T.T*X.T", 2 * X * X.T),
        ("sqrt(lam)*S + i*S", (sp.sqrt(lam) + sp.I) * S),
        ("u.T*S*v/2", u.T * S * v / 2),
        ("tr(u.T*v)", u.T * v),
        ("S - z*I", S - z * sp.Identity(d)),
        ("0 + S", S),
        ("pi*S**1", sp.pi * S),
    ],
)
def test_meaning(text, meant):
    assert (expression(text) - meant).doit() == sp.ZeroMatrix(*meant.shape)


def test_transpose_does_not_conjugate():
    assert expression("(i*X*S).T*X").args[0] == sp.I


@pytest.mark.parametrize(
    ("values", "positive"),
    [({}, True), ({"lam": "1/10"}, True), ({"lam": "-1"}, None), ({"lam": "0"}, None), ({"lam": "1+i"}, None)],
)
def test_a_scalar_is_positive_unless_its_value_is_not(values, positive):
    problem = read("S + lam*I", DECLARED, values)
    symbol = next(s for s in problem.expr.free_symbols if s.name == "lam")
    assert symbol.is_positive is positive
    assert list(problem.values) == [symbol] * len(values)


def test_z_is_spectral_whatever_its_value():
    assert read("S - z*I", DECLARED, {"z": "3"}).values == {z: 3}


def test_declarations():
    A, B = sp.MatrixSymbol("A", n, d), sp.MatrixSymbol("B", n, d)
    W, T = sp.MatrixSymbol("W", d, d), sp.MatrixSymbol("T", d, d)
    declared = [
        ("gaussian", "A B: n x d, variance 1/(2*n)"),
        ("gaussian", "X: n x d"),
        ("wigner", "W: d, variance lam/d, complex"),
        ("commuting", "S T: d x d, law 1:2:1/4 sqrt(3):1/2:3/4"),
        ("vector", "u: d, norm 2, overlap v -1/2"),
        ("vector", "v: d x 1, components 1 1/2"),
    ]
    assert read("A", [("deterministic", "A: n, singular 1/2:1/2 3/2:1/2")], {}).ensembles == {
        sp.MatrixSymbol("A", n, n): Deterministic(singular_values=[("1/2", "1/2"), ("3/2", "1/2")])
    }
    assert read("W", declared, {}).ensembles == {
        A: Gaussian(1 / (2 * n)),
        B: Gaussian(1 / (2 * n)),
        X: Gaussian(),
        W: Wigner(lam / d, "complex"),
        u: Vector(norm=2, overlaps={v: "-1/2"}),
        v: Vector(components=[1, "1/2"]),
        **commuting({S: [1, sp.sqrt(3)], T: [2, "1/2"]}, ["1/4", "3/4"]),
    }
    beside_law = read("u.T*v", [("vector", "u: d, components 1 2, overlap v 1/2 0"), declared[-1]], {}).ensembles
    assert beside_law[u] == Vector(components=[1, 2], overlaps={v: ["1/2", 0]})


def test_a_dimension_may_be_a_formula():
    assert read("X*X.T", [("gaussian", "X: n + 2*d x 3*n")], {}).expr.shape == (n + 2 * d, n + 2 * d)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0.1", sp.Rational(1, 10)),
        ("5/2", sp.Rational(5, 2)),
        ("7/10+i/2", sp.Rational(7, 10) + sp.I / 2),
        ("1/2-1/(2*pi)", half - 1 / (2 * sp.pi)),
        ("-sqrt(1/2)", -sp.sqrt(half)),
        ("1e-3", sp.Rational(1, 1000)),
    ],
)
def test_numbers_are_exact(text, value):
    assert number(text, "lam") == value


@pytest.mark.parametrize(
    "text",
    [
        "foo",
        "",
        "nan",
        "inf",
        "1<2",
        "1/0",
        "0**i",
        "2**i",
        "sqrt(1,2)",
        "True",
        "1e9999",
        "(1, 2)",
        "9**9**9",
        "1/(sqrt(3 + 2*sqrt(2)) - 1 - sqrt(2))",
    ],
)
def test_what_is_no_number(text):
    with pytest.raises(InputError, match=r"lam = .*: not a number"):
        number(text, "lam")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("X", "n x d: only a square matrix has a trace"),
        ("inv(X)", "only a square matrix has an inverse"),
        ("X**2", "only a square matrix"),
        ("X*X", "X (n x d) times X (n x d): d and n are not the same dimension"),
        ("X*X.T + X.T*X", "only matrices of one shape can be added"),
        ("inv(S + lam)", "write lam*I"),
        ("1 + i - S", "write (i + 1)*I"),
        ("I + 1", "the scalar 1 is added to the matrix I"),
        ("X + I", "the identity is square"),
        ("I", "has no neighbour"),
        ("inv(2*I)*I", "has no neighbour"),
        ("1/S", "write inv(S)"),
        ("S/S", "write inv(S)"),
        ("S/I", "write inv(I)"),
        ("S/0", "divided by zero"),
        ("S*(lam/(n-n))", "divided by zero"),
        ("S*0**-1", "not finite"),
        ("inv(0*S)", "the zero matrix has no inverse"),
        ("inv(0*I)*S", "not finite"),
        ("S**(1/2)", "only whole powers"),
        ("S**lam", "only whole powers"),
        ("2**S", "is a matrix; only numbers"),
        ("sqrt(S)", "only a scalar has a square root"),
        ("sqrt(I)*S", "only a scalar has a square root"),
        ("X.T*Y.T", "Y is a scalar and its transpose is asked for"),
        ("X.T*inv(Y)", "If Y is meant to be a matrix, declare it as gaussian"),
        ("inv(n)*S", "write 1/(...)"),
        ("lam + 1", "no declared matrix"),
        ("2*tr(S)", "once, around the whole expression"),
        ("tr(S, S)", "one argument"),
        ("inv()", "')'"),
        ("f(S)", "the functions are inv, sqrt, tr"),
        ("X(S)", "X at position 1 is a matrix"),
        ("inv*S", "write inv(...)"),
        ("S < X", "'<'"),
        ("(S, X)", "a list in parentheses"),
        ("(u.T*v)*S", "u.T*v is 1 x 1"),
        ("S + u.T*v*I", "u.T*v is 1 x 1"),
        ("u.T*v + 1", "u.T*v is 1 x 1"),
        ("X.t", "'.t'"),
        ("X.Tx", "'.Tx'"),
        ("X.inverse()", "'.inverse()'"),
        ("__import__('os')", "\"'os')\""),
        ("S[0]", "'[0]'"),
    ],
)
def test_expressions_refused_with_the_culprit(text, said):
    with pytest.raises(InputError) as error:
        expression(text)
    assert said in str(error.value) and "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("kind", "text", "said"),
    [
        ("gaussian", "X", "NAMES: SHAPE"),
        ("gaussian", ": n", "NAMES: SHAPE"),
        ("gaussian", "X:", "NAMES: SHAPE"),
        ("gaussian", "2X: n", "'2X' is no name"),
        ("gaussian", "I: n", "'I' is the identity"),
        ("gaussian", "inv: n", "'inv' is a function"),
        ("gaussian", "X: n y d", "'y'"),
        ("gaussian", "X: n x 2", "stays finite"),
        ("gaussian", "X: n.T", "'.T'"),
        ("gaussian", "X: n, varance 2", "'varance 2' is not accepted; after the shape may come variance"),
        ("gaussian", "X: n, variance", "variance needs a value"),
        ("gaussian", "X: n, variance 1, variance 2", "given twice"),
        ("gaussian", "X: n, variance -1", "must be positive"),
        ("gaussian", "X: n, variance 1<2", "not a condition"),
        ("gaussian", "X: n, ", "'' is not accepted"),
        ("gaussian", "X X: n", "already declared"),
        ("gaussian", "X: X", "X is a dimension"),
        ("wigner", "X: n, real, complex", "not both"),
        ("wigner", "X: n, real 2", "stands alone"),
        ("deterministic", "X: n", "either its law"),
        ("deterministic", "X: n, law 1:1, singular 1:1", "either its law"),
        ("deterministic", "X: n, law 1:1/2", "add up to 1"),
        ("deterministic", "X: n, law 1:1/2:1/2", "an entry is value:weight"),
        ("deterministic", "X: n, law 1 : 1", "an entry is value:weight"),
        ("deterministic", "X: n, law a:1", "not a number"),
        ("deterministic", "X: n, law i:1", "not a number"),
        ("deterministic", "X: n, singular -1:1", "cannot be negative"),
        ("commuting", "X Y: n", "value:value:weight"),
        ("commuting", "X Y: n, law 1:1", "value:value:weight"),
        ("commuting", "X: n x d, law 1:1:1", "value:weight"),
        ("vector", "X: n, norm 1, components 1", "not both"),
        ("vector", "X: n, overlap v 1", "declared vector"),
        ("vector", "X Y: n, overlap Y", "declared vector"),
        ("vector", "X Y: n, overlap Y 1 2", "only components"),
        ("vector", "X Y: n, overlap Y 1, overlap Y 2", "given twice"),
        ("vector", "X: n, norm -1", "lengths"),
    ],
)
def test_declarations_refused_with_the_culprit(kind, text, said):
    with pytest.raises(InputError) as error:
        read("X", [(kind, text)], {})
    assert said in str(error.value) and "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("values", "said"),
    [({"S": "1"}, "S is a matrix"), ({"n": "x"}, "n = 'x': not a number (value: unknown word 'x'; accepted: i, pi, sqrt)")],
)
def test_values_refused(values, said):
    with pytest.raises(InputError) as error:
        read("X.T*X", DECLARED, values)
    assert said in str(error.value)


@pytest.mark.parametrize("text", ["x.T", "(x).T", "tanh(x).T", "x.T.T"])
def test_scalar_formulas_have_no_transpose(text):
    with pytest.raises(ParseError, match=r"'\.T"):
        parse(text)


@pytest.mark.parametrize(
    "text",
    [
        "(" * 5000 + "X" + ")" * 5000,
        "X+" * 999 + "X",
        "X*" * 999 + "X",
        "X" + ".T" * 999,
        "inv(" * 400 + "X" + ")" * 400,
        "((S**20)**20)**20",
        "S**9**9**9",
        "S**100000",
        "9**9**9**9*S",
        "-" * 1500 + "S",
        "S*1e999999999",
    ],
)
def test_long_deep_and_huge_input_is_an_error_and_quick(text):
    start = time.perf_counter()
    with pytest.raises(InputError):
        expression(text)
    assert time.perf_counter() - start < 0.5


def test_a_long_sum_within_the_limit_is_read():
    assert expression("+".join(["S"] * 200)) == 200 * S


@settings(derandomize=True, deadline=None, max_examples=80)
@given(st.text(max_size=40), st.sampled_from(["gaussian", "wigner", "deterministic", "commuting", "vector"]))
def test_any_text_is_read_or_is_an_input_error(text, kind):
    for declarations, words, values in (
        (DECLARED, text, {}),
        ([(kind, text)], "X", {}),
        ([(kind, f"X: n, {text}")], "X", {}),
        (DECLARED, "X", {"n": text}),
    ):
        with contextlib.suppress(InputError):
            read(words, declarations, values)


def _joined(parts):
    two = st.tuples(parts, st.sampled_from(["+", "-", "*", "*", "/", "**"]), parts)
    one = st.tuples(st.sampled_from(["inv(", "sqrt(", "-(", "tr("]), parts)
    return two.map(lambda t: f"({t[0]}){t[1]}({t[2]})") | one.map(lambda t: f"{t[0]}{t[1]})") | parts.map("({}).T".format)


LEAVES = st.sampled_from(["X", "X.T", "u", "u.T", "v", "S", "I", "i", "lam", "n", "0", "-1", "2", "1/2", "pi", "z"])


@settings(derandomize=True, deadline=None, max_examples=150)
@given(st.recursive(LEAVES, _joined, max_leaves=6))
def test_any_sentence_is_read_or_is_an_input_error(text):
    with contextlib.suppress(InputError):
        assert isinstance(expression(text), sp.MatrixExpr)
