"""Deterministic matrices given as arrays: they need not commute, and the equations keep them in order."""

import numpy as np
import pytest
import sympy as sp

from pencils import Deterministic, Gaussian, Vector, expected_trace
from pencils.errors import InputError

n, d, lam = sp.symbols("n d lambda", positive=True)
Z, X = sp.MatrixSymbol("Z", n, d), sp.MatrixSymbol("X", n, d)
S, A, B = (sp.MatrixSymbol(name, d, d) for name in "SAB")
R = (S * Z.T * Z * S / n + sp.Identity(d)).inverse()
FREE = Deterministic(symmetric=True)


def arrays(size, seed=0):
    rng = np.random.default_rng(seed)

    def symmetric():
        raw = rng.standard_normal((size, size))
        return (raw + raw.T) / np.sqrt(2 * size)

    first, second, third = symmetric() + 1.5 * np.eye(size), symmetric() + np.eye(size), symmetric()
    return {S: first, A: second, B: third + second / 2}


@pytest.mark.parametrize("order", [(A, B), (B, A)])
def test_matrices_that_do_not_commute_against_sampling(order):
    """tr[R A R B]: the limit at the given matrices has an error of order 1/N^2 beside a sample's standard error."""
    first, second = order
    law = expected_trace(R * first * R * second, {Z: Gaussian(), S: FREE, A: FREE, B: FREE})
    given = {n: 2, d: 1, **arrays(60)}
    value, sampled = float(law.evaluate(given)), law.sample(given, draws=40)
    assert sampled.dimensions == {n: 120, d: 60}
    assert abs(value - sampled.mean) < 4 * sampled.standard_error + 2e-3 * abs(value)
    # power: the same with A and B averaged over their eigenbases (as if free) is another number
    traces = [np.trace(given[m]) / 60 for m in (first, second)]
    naive = traces[0] * traces[1] * float(expected_trace(R * R, {Z: Gaussian(), S: FREE}).evaluate({n: 2, d: 1, S: given[S]}))
    assert abs(naive - sampled.mean) > 20 * sampled.standard_error


@pytest.mark.simulation
def test_the_issue_size():
    law = expected_trace(R * A * R * B, {Z: Gaussian(), S: FREE, A: FREE, B: FREE})
    given = {n: 2, d: 1, **arrays(300)}
    value, sampled = float(law.evaluate(given)), law.sample(given, draws=100)
    assert abs(value - sampled.mean) < 4 * sampled.standard_error


def test_a_diagonal_array_is_its_law():
    law = expected_trace(R * R, {Z: Gaussian(), S: FREE})
    known = expected_trace(R * R, {Z: Gaussian(), S: Deterministic(law=[(1, "1/2"), (2, "1/2")])})
    value = law.evaluate({n: 2, d: 1, S: np.diag([1.0] * 20 + [2.0] * 20)}, digits=14)
    assert abs(value - known.evaluate({n: 2, d: 1})) < 1e-12


def test_equations_keep_matrix_symbols_in_order():
    law = expected_trace(R * A, {Z: Gaussian(), S: FREE, A: Deterministic()})
    (definition,) = law.definitions
    assert {S, A} <= definition.rhs.atoms(sp.MatrixSymbol) and isinstance(definition.rhs, sp.Inverse)
    assert any(equation.rhs.has(sp.Trace) for equation in law.equations)
    assert law.latex()


@pytest.mark.parametrize(
    ("given", "digits", "said"),
    [
        ({}, 10, "give a NumPy array"),
        ({S: np.eye(4)}, 30, "at most 15 digits"),
        ({S: np.eye(4)[:3]}, 10, "does not fit"),
        ({S: np.ones(4)}, 10, "is not a matrix"),
    ],
)
def test_errors(given, digits, said):
    law = expected_trace(R, {Z: Gaussian(), S: FREE})
    with pytest.raises(InputError, match=said):
        law.evaluate({n: 2, d: 1, **given}, digits=digits)


def test_bilinear_forms_beside_arrays():
    """u^T R v against sampling with the same arrays; with S diagonal against the law with declared components, exact in the
    size; and what is missing is said."""
    rng = np.random.default_rng(5)
    u, v = sp.MatrixSymbol("u", d, 1), sp.MatrixSymbol("v", d, 1)
    law = expected_trace(u.T * R * A * R * v, {Z: Gaussian(), S: FREE, A: FREE, u: Vector(), v: Vector()})
    vector = rng.standard_normal(60) / np.sqrt(60)
    given = {n: 2, d: 1, **{m: a for m, a in arrays(60).items() if m != B}, u: vector, v: vector + 1 / np.sqrt(60)}
    value, sampled = float(law.evaluate(given)), law.sample(given, draws=200)
    assert abs(value - sampled.mean) < 4 * sampled.standard_error + 0.02 * abs(value)  # the bias is of order 1/size
    other = float(law.evaluate({**given, v: vector[::-1]}))
    assert abs(other - sampled.mean) > 10 * sampled.standard_error

    form = expected_trace(u.T * R * u, {Z: Gaussian(), S: FREE, u: Vector()})
    diagonal = {n: 2, d: 1, S: np.diag([1.0] * 20 + [2.0] * 20)}
    half = sp.Rational(1, 2)
    declared = {Z: Gaussian(), S: Deterministic(law=[(1, half), (2, half)]), u: Vector(components=[3, 4])}
    known = expected_trace(u.T * R * u, declared).evaluate({n: 2, d: 1})
    placed = np.zeros(40)
    placed[[0, 20]] = 3, 4
    assert abs(form.evaluate({**diagonal, u: placed}, digits=14) - known) < 1e-11
    with pytest.raises(InputError, match="u: beside S, a matrix given as an array"):
        form.evaluate(diagonal, digits=10)
    for wrong, said in ((np.ones(39), "does not fit"), (np.ones((4, 10)), "one column"), (np.full(40, np.nan), "finite")):
        with pytest.raises(InputError, match=said):
            form.evaluate({**diagonal, u: wrong}, digits=10)


def test_bilinear_forms_beside_arrays_keep_their_vectors():
    u, v = sp.MatrixSymbol("u", d, 1), sp.MatrixSymbol("v", d, 1)
    given = {Z: Gaussian(), S: FREE, u: Vector(), v: Vector()}
    law = expected_trace(u.T * R * v, given)
    form = law.equations[-1]
    assert form.rhs.has(u) and form.rhs.has(v) and law.value.free_symbols == {form.lhs}
    with pytest.raises(InputError, match="take them one by one"):
        assert expected_trace(u.T * R * v + u.T * R * u, given).equations


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({S: np.arange(16.0).reshape(4, 4)}, "declared symmetric"),
        ({S: np.full((4, 4), np.nan)}, "finite"),
        ({S: np.array([["a"]])}, "array of finite numbers"),
        ({S: np.eye(4), n: np.array([2.0, 3.0])}, "one by one"),
    ],
)
def test_unfit_arrays(given, said):
    law = expected_trace(R, {Z: Gaussian(), S: FREE})
    with pytest.raises(InputError, match=said):
        law.evaluate({n: 2, d: 1, **given})
