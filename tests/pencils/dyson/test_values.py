"""Arrays of parameters: against exact evaluation and closed forms, point by point, and what is refused."""

import numpy as np
import pytest
import sympy as sp

from pencils import Deterministic, Gaussian, expected_trace
from pencils.errors import ConvergenceError, InputError

n, d = sp.symbols("n d", positive=True)
z, w = sp.symbols("z w")
X, A = sp.MatrixSymbol("X", n, d), sp.MatrixSymbol("A", n, d)
LAW = expected_trace((X.T * X / n - z * sp.Identity(d)).inverse(), {X: Gaussian()})
NOISE = expected_trace(
    ((A + X).T * (A + X) - z * sp.Identity(d)).inverse(),
    {X: Gaussian(1 / n), A: Deterministic(singular_values=[(1, "1/2"), (2, "1/2")])},
)


def companion(x, c=0.5):
    """m of X^T X/n at x + i0: c z m^2 + (z + c - 1) m + 1 = 0 (P2)."""
    b = x + c - 1
    root = np.sqrt(complex(b * b - 4 * c * x))
    roots = (-b + root) / (2 * c * x), (-b - root) / (2 * c * x)
    if abs(root.imag) > 0:
        return max(roots, key=lambda m: m.imag)
    return next(m for m in roots if (m.real < 0) == (x > 1))  # outside: m < 0 above the spectrum, m > 0 below


@pytest.mark.parametrize("kind", [float, complex])
def test_real_points_as_real_and_as_complex_arrays(kind):
    """Outside and inside the spectrum [0.0858, 2.914], in one array of shape (2, 3)."""
    points = np.array([[-1, 1, 5], [-2, 0.5, 2.5]], kind)
    found = LAW.evaluate({n: 2, d: 1, z: points})
    assert found.shape == (2, 3) and found.dtype == complex
    np.testing.assert_allclose(found, np.vectorize(companion)(points.real), rtol=1e-12)
    outside = LAW.evaluate({n: 2, d: 1, z: points[:, ::2][:1]})
    assert outside.dtype == float


def test_points_on_and_off_the_axis_in_one_array():
    points = np.array([1, 1 + 1j, -1, 1 - 1j])
    found = LAW.evaluate({n: 2, d: 1, z: points})
    exact = [complex(LAW.evaluate({n: 2, d: 1, z: complex(point)}, 15)) for point in points]
    np.testing.assert_allclose(found, exact, rtol=1e-12)


def test_broadcasting_with_exact_values():
    found = LAW.evaluate({n: "2", d: np.array([[1], [2]]), z: np.array([-1.0, -2.0])})
    exact = [[float(LAW.evaluate({n: 2, d: k, z: x}, 15)) for x in (-1, -2)] for k in (1, 2)]
    np.testing.assert_allclose(found, exact, rtol=1e-13)
    assert LAW.evaluate({n: 2, d: 1, z: np.array([])}).shape == (0,)


@pytest.mark.parametrize(("law", "symbol"), [(LAW, z), (LAW, d), (NOISE, z), (NOISE, d)])
def test_derivatives_as_arrays(law, symbol):
    """Against the derivative in ball arithmetic, whose formulas it does not share."""
    points = np.array([-1, 0.7 + 0.5j, 1.5 - 1j])
    found = law.diff(symbol).evaluate({n: 2, d: 1, z: points})
    exact = [complex(law.diff(symbol).evaluate({n: 2, d: 1, z: complex(point)}, 15)) for point in points]
    np.testing.assert_allclose(found, exact, rtol=1e-10)


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({z: np.array([-1, np.nan])}, r"z: the array must be finite, and its entry \[1\] is not"),
        ({z: np.array([[-1, 1], [2, np.inf]])}, r"entry \[1, 1\]"),
        ({z: float("nan")}, "not a number"),
        ({z: float("inf")}, "not a number"),
        ({z: complex("nan")}, "not a number"),
        ({z: sp.oo}, "not a number"),
        ({z: sp.zoo}, "not a number"),
        ({z: np.array(["1"])}, "an array of numbers"),
        ({z: np.array([True])}, "an array of numbers"),
        ({z: [1, 2]}, "not a number"),
        ({z: np.array([1.0]), w: 3}, "unknown parameter w"),
        ({z: np.array([1.0]), d: np.array([1.0, 0.0])}, r"d: a dimension must be positive, and entry \[1\]"),
        ({z: np.array([1.0]), d: -1}, "d = -1: a dimension must be positive"),
        ({z: np.ones(2), d: np.ones(3)}, r"d \(3,\) and z \(2,\) cannot be broadcast"),
        ({}, "missing z"),
        ({sp.Symbol("d"): 1, z: 2}, "a symbol with other assumptions"),
    ],
)
def test_refused(values, said):
    with pytest.raises(InputError, match=said):
        LAW.evaluate({n: 2, d: 1, **values})


def test_a_point_without_a_value_is_named():
    """X^T X/n is singular where d > n."""
    law = expected_trace((X.T * X / n).inverse(), {X: Gaussian()})
    with pytest.raises(ConvergenceError, match=r"at index \[0, 1\]: "):
        law.evaluate({n: 2, d: np.array([[1.0, 3.0], [0.5, 0.25]])})


def test_values_must_be_a_mapping():
    with pytest.raises(InputError, match="give a mapping"):
        LAW.evaluate(3)
