"""Teachers that are polynomials: moments, tensors, values on data."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from pencils.errors import InputError, ParseError
from theory.activations.polynomial import MAX_TENSOR, polynomial

CALM = settings(derandomize=True, deadline=None, max_examples=12)
COEFFICIENTS = st.lists(st.integers(-3, 3), min_size=6, max_size=6)


@CALM
@given(COEFFICIENTS)
def test_energy_and_tensors_by_moments(coefficients: list[int]) -> None:
    x1, x2 = sp.symbols("x1 x2")
    monomials = (x1**3 * x2, x1**2, x2**4, x1 * x2, x2, sp.Integer(1))
    f = sum(c * one for c, one in zip(coefficients, monomials, strict=True))

    def mean(g: sp.Expr) -> sp.Expr:  # E x^n = (n-1)!!, n even
        terms = sp.Poly(g, x1, x2).terms()
        return sum(v * sp.factorial2(i - 1) * sp.factorial2(j - 1) for (i, j), v in terms if i % 2 == j % 2 == 0)

    teacher = polynomial(str(f))
    assert teacher.energy == mean(f**2)
    assert teacher.mean == mean(f)
    for indices in ([1], [2], [1, 2], [2, 2], [2, 1, 1], [2, 2, 2, 2], [1, 1, 1, 2]):
        assert teacher.entry(indices) == mean(sp.diff(f, *[(x1, x2)[index - 1] for index in indices]))
    assert teacher.tensor(3, 2)[0, 1, 0] == teacher.tensor(3, 2)[1, 0, 0]


def test_a_teacher_is_read_without_algebra_and_tensors_stay_small() -> None:
    assert polynomial("(x1 + x3)**2").variables == (1, 3)
    with pytest.raises(ParseError):
        polynomial("tanh(x1)")
    with pytest.raises(InputError, match=str(MAX_TENSOR)):
        polynomial("x1**2").tensor(4, 50)
    assert polynomial("sqrt(8)*x1 - 2*sqrt(2)*x1").terms == {}


def test_values_on_data() -> None:
    x = np.random.default_rng(0).standard_normal((5, 4))
    found = polynomial("x1**2*x3 - sqrt(2)*x2 + He3(x4)").at(x)
    assert np.allclose(found, x[:, 0] ** 2 * x[:, 2] - np.sqrt(2) * x[:, 1] + x[:, 3] ** 3 - 3 * x[:, 3])
