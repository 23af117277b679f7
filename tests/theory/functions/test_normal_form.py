"""theory.functions.normal_form: parity by exact algebra and smooth branches between exact breakpoints."""

from __future__ import annotations

import itertools

import pytest
import sympy as sp

from theory.activations.activation import activation, variable
from theory.functions.normal_form import canonical, even_odd, pieces

x = variable()
TEXTS = [
    "relu(x-1)",
    "softplus",
    "1/(1+exp(-x))",
    "exp(x)/(1+exp(x))**2",
    "max(x, 1, x**2)",
    "Heaviside(x+1)*x",
    "erfc(2*x)",
    "2**x",
    "Piecewise((sin(x), x < 0), (x**2, x < 2), (exp(-x), True))",
    "abs(abs(x)-1)",
    "min(tanh(x), 1/2)",
    "log(1+exp(x**2/9-x))",
]


@pytest.mark.parametrize("text", TEXTS)
def test_the_normal_form_and_its_parts_are_the_same_function(text):
    f = activation(text).expr
    even, odd = even_odd(f)
    for point in (sp.Rational(-13, 5), sp.Rational(-2, 7), sp.Rational(3, 8), sp.Rational(17, 6)):
        value, mirrored = (sp.N(f.subs(x, p), 30) for p in (point, -point))
        assert abs(sp.N(canonical(f).subs(x, point), 30) - value) < 1e-25
        assert abs(sp.N(even.subs(x, point), 30) - (value + mirrored) / 2) < 1e-25
        assert abs(sp.N(odd.subs(x, point), 30) - (value - mirrored) / 2) < 1e-25


@pytest.mark.parametrize(
    "text, breaks",
    [
        ("relu(x-1)", [1]),
        ("abs(abs(x)-1)", [-1, 0, 1]),
        ("abs(x**2-2)", [-sp.sqrt(2), sp.sqrt(2)]),
        ("max(x, 1, x**2)", [-1, 1]),
        ("Piecewise((sin(x), x < 0), (x**2, x < 2), (1, True))", [0, 2]),
        ("abs(x**2+1)", []),
        ("sign(x-pi)", [sp.pi]),
        ("x", []),
    ],
)
def test_branches_meet_at_the_breakpoints(text, breaks):
    f = canonical(activation(text).expr)
    found = pieces(f, -sp.oo, sp.oo)
    assert set(breaks) <= {sp.expand(high) for _, high, _ in found}
    assert found[0][0] == -sp.oo and found[-1][1] == sp.oo
    for (_, high, _), (low, _, _) in itertools.pairwise(found):
        assert high == low
    for low, high, branch in found:
        assert not branch.has(sp.Abs, sp.sign, sp.Piecewise)
        left = low if low.is_finite else high - 1 if high.is_finite else sp.S.Zero
        inside = (left + (high if high.is_finite else left + 1)) / 2
        assert abs(sp.N(branch.subs(x, inside) - f.subs(x, inside), 30)) < 1e-25


@pytest.mark.parametrize("text", ["abs(sin(x))", "max(tanh(x), 1/2)", "abs(x**5 - x - 1)", "abs(x - 1)*abs(exp(x) - 2)"])
def test_unknown_breakpoints_are_not_guessed(text):
    assert pieces(canonical(activation(text).expr), -sp.oo, sp.oo) is None
