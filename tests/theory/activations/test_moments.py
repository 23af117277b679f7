"""theory.activations.moments: numbers that are exact, enclosed, or both; their signs."""

import pytest
import sympy as sp
from flint import arb

from pencils.errors import PrecisionError
from theory.activations.moments import Moment, base_coefficient, combine, moment, root
from theory.functions.language import variable

x = variable()


def test_moments_enclose_their_exact_value():
    part = base_coefficient(sp.erf(x), 3)
    assert part.exact is not None
    assert part.ball(100).rad() < arb(2) ** -90
    assert abs(part.value(40) - sp.N(part.exact, 45)) < sp.Float("1e-38")
    two, three = moment("two", sp.Integer(2)), Moment("three", None, lambda bits: arb(3))
    assert combine("sum", lambda a, b: a + b, two, three).exact is None
    assert combine("sum", lambda a, b: a + b, two, three).ball(50) == 5
    assert root("root", combine("square", lambda a: a * a, two)).exact == 2
    assert moment("hidden zero", sp.sqrt(2) * sp.sqrt(3) - sp.sqrt(6)).exact == 0


def test_signs_are_proven():
    assert moment("two", sp.Integer(2)).sign() == 1
    assert moment("small", None, lambda bits: -(arb(2) ** -200)).sign() == -1
    assert moment("hidden zero", sp.sqrt(2) * sp.sqrt(3) - sp.sqrt(6)).sign() == 0
    assert base_coefficient(sp.tanh(x), 2).sign() == 0 and base_coefficient(sp.tanh(x), 3).sign() == -1
    with pytest.raises(PrecisionError, match="the sign of a number enclosed by"):
        Moment("wide", None, lambda bits: arb(0, 1)).sign()
