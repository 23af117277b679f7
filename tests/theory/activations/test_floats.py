"""A nonlinearity in double precision, and its derivative."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
import sympy as sp
from dense_step import FUNCTIONS, function, x

from pencils.errors import InputError
from theory.activations.floats import nonlinearity


@pytest.mark.parametrize("name", FUNCTIONS)
def test_nonlinearity_and_its_derivative(name):
    points = np.array([[-2.5, -0.3, 0.7], [1.2, 3.0, -1e-9]])
    value, slope = function(name, shift=0.25).both(points)
    assert value.shape == slope.shape == points.shape
    np.testing.assert_allclose(value, FUNCTIONS[name][1](points) - 0.25, rtol=1e-14, atol=1e-15)
    np.testing.assert_allclose(slope, FUNCTIONS[name][2](points), rtol=1e-13, atol=1e-15)


def test_relu_slope_at_zero_is_one_half():
    # Heaviside(0) = 1/2, the convention of SymPy.
    assert function("relu").both(np.zeros(1))[1] == 0.5


def test_nonlinearity_travels_between_processes():
    ours = function("tanh", 0.5)
    ours.value(np.ones(2))
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(ours)).value(np.ones(2)), np.tanh(np.ones(2)) - 0.5)


@pytest.mark.parametrize(
    ("expr", "message"),
    [
        (sp.sign(x), "not a function"),
        (sp.Piecewise((1, x > 1), (0, True)), "jumps"),
        (sp.Piecewise((x + sp.Rational(1, 10), x > 0), (x, True)), "jumps"),
        (x * sp.Symbol("k"), "unknown symbols"),
        (1 / (x - 2), "not finite"),
        (sp.log(x), "not finite"),
    ],
)
@pytest.mark.filterwarnings("error")
def test_functions_without_a_step_are_refused(expr, message):
    with pytest.raises(InputError, match=message):
        nonlinearity(expr, x)
