"""theory.activations.activation: the language of formulas, what centring and normalising report, and what is refused."""

from __future__ import annotations

import subprocess
import sys
import time

import mpmath as mp
import pytest
import sympy as sp

from pencils.errors import InputError, MomentError, ParseError
from theory.activations.activation import BUILTINS, activation, variable

x = variable()


@pytest.mark.parametrize(
    "text, expected",
    [
        ("tanh", sp.tanh(x)),
        ("TANH", sp.tanh(x)),
        ("ReLU", sp.Max(x, 0)),
        ("identity", x),
        ("SoftPlus", sp.log(1 + sp.exp(x))),
        ("tanh(x) + x**3/10", sp.tanh(x) + x**3 / 10),
        ("He1 + He2/sqrt(2)", x + (x**2 - 1) / sp.sqrt(2)),
        ("He_3", x**3 - 3 * x),
        ("He3(2*x)", 8 * x**3 - 6 * x),
        ("He0", sp.S.One),
        ("2*tanh + x", 2 * sp.tanh(x) + x),
        ("sin(1.5*x)", sp.sin(sp.Rational(3, 2) * x)),
        ("Piecewise((0, x < 0), (x, True))", sp.Piecewise((0, x < 0), (x, True))),
        ("max(x, 0)", sp.Max(x, 0)),
        ("abs(x)", sp.Abs(x)),
        ("relu(x-1)", sp.Max(x - 1, 0)),
        ("pi*x + E", sp.pi * x + sp.E),
        ("atan", sp.atan(x)),
        ("Heaviside", sp.Heaviside(x)),
        ("min(x, 1)", sp.Min(x, 1)),
        ("-x^2", -(x**2)),
        ("erfc(x)", sp.erfc(x)),
        ("3", sp.Integer(3)),
    ],
)
def test_text_becomes_the_expression(text, expected):
    difference = activation(text).expr - expected
    assert all(sp.N(difference.subs(x, point), 30).round(25) == 0 for point in (sp.Rational(-7, 3), sp.Rational(1, 5), 2))


@pytest.mark.parametrize(
    "name, function",
    [
        # The definitions as the literature states them, in mpmath.
        ("erf", mp.erf),
        ("tanh", mp.tanh),
        ("relu", lambda t: max(t, mp.mpf(0))),
        ("softplus", lambda t: mp.log(1 + mp.exp(t))),
        ("sigmoid", lambda t: 1 / (1 + mp.exp(-t))),
        ("sin", mp.sin),
        ("cos", mp.cos),
        ("gelu", lambda t: t * mp.ncdf(t)),
        ("silu", lambda t: t / (1 + mp.exp(-t))),
        ("identity", lambda t: t),
    ],
)
def test_builtins_are_what_their_names_say(name, function):
    assert name in BUILTINS
    with mp.workdps(40):
        for point in (mp.mpf(-3), mp.mpf("-0.25"), mp.mpf(0), mp.mpf("1.5"), mp.mpf(4)):
            assert mp.almosteq(mp.mpf(sp.N(activation(name).expr.subs(x, sp.Rational(str(point))), 40)), function(point), 1e-35)


def test_the_three_kinds_of_input_agree():
    given = activation("tanh")
    assert activation(given) is given
    y = sp.Symbol("y")
    assert activation(sp.tanh(y)).expr == given.expr
    assert activation(given, "teacher").role == "teacher"
    assert activation("swish").name == activation("silu").name == "silu"
    assert hash(given) == hash(activation("tanh"))


@pytest.mark.parametrize(
    "text, message",
    [
        ("import os", "'import'"),
        ("__import__('os')", "'__import__'"),
        ("x.__class__", "not accepted"),
        ("x" * 3000, "3000 characters"),
        ("(" * 100 + "x" + ")" * 100, "nested"),
        ("tanh(" * 80 + "x" + ")" * 80, "nested"),
        ("x**99999999999", "too large"),
        ("9**9**9**9", "too large"),
        ("exp(exp(exp(exp(10))))", "constant beyond"),
        ("max(x, cosh(cosh(20)))", "constant beyond"),
        ("He101", "beyond He100"),
        ("He" + "9" * 1000, "beyond He100"),
        ("He100(He100(x))", "degree 10000"),
        ("He100**100", "degree 10000"),
        ("(x+1)**201", "too large"),
        ("max", "needs its arguments"),
        ("max(x)", "at least two"),
        ("tanh(x, 1)", "one argument"),
        ("x(3)", "not a function"),
        ("foo", "'foo'"),
        ("2 tanh", "not expected"),
        ("", "ends too early"),
        ("x < 1", "comparison"),
        ("max(x < 1, 2)", "comparison"),
        ("Piecewise(x, 1)", "pairs"),
        ("Piecewise((x, x), (2, True))", "comparison or True"),
        ("Piecewise((x, x < 0))", "(value, True)"),
        ("(x, 1)", "Piecewise"),
        ("Piecewise((0, x == 0), (x, True))", "only at points"),
        ("x/0", "division by zero"),
        ("1 + True", "comparison"),
    ],
)
def test_bad_text_is_refused_at_once(text, message):
    start = time.perf_counter()
    with pytest.raises(ParseError) as caught:
        activation(text, "teacher")
    assert time.perf_counter() - start < 0.5
    assert message in str(caught.value) and str(caught.value).startswith("teacher")
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 600


def test_listing_names_hermite_polynomials_once():
    with pytest.raises(ParseError) as caught:
        activation("foo")
    assert str(caught.value).count("He<k>") == 1 and "He1" not in str(caught.value)


def test_refusing_a_text_imports_no_sympy():
    code = (
        "import sys\nfrom theory.activations.activation import activation\nfrom pencils.errors import InputError\n"
        "try:\n    activation('exp(x) + foo')\nexcept InputError:\n    pass\nactivation('tanh(x) + x')\n"
        "print([m for m in ('sympy', 'numpy', 'flint', 'mpmath') if m in sys.modules])"
    )
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == "[]"


@pytest.mark.parametrize("value", [3, None, 1.5, sp.Matrix([1]), sp.Symbol("a") * sp.Symbol("b"), sp.Eq(x, 1)])
def test_other_objects_are_refused(value):
    with pytest.raises(InputError):
        activation(value)


@pytest.mark.parametrize(
    "text, kind", [("log(x)", InputError), ("sqrt(x)", InputError), ("exp(x**2)", MomentError), ("1/x", MomentError)]
)
def test_functions_without_moments_are_refused_with_their_name(text, kind):
    with pytest.raises(kind, match=r"^teacher "):
        _ = activation(text, "teacher").expr


def test_functions_without_ball_arithmetic_are_refused():
    with pytest.raises(InputError, match=r"^activation "):
        _ = activation(sp.floor(x)).expr


def test_nothing_is_silent_in_centring():
    relu = activation("relu", "teacher")
    assert relu.notes() == [] and relu.subtracted == 0 and relu.scale == 1
    centred = relu.centred()
    # E max(z, 0) = 1/sqrt(2 pi) = .39894228040143...
    assert sp.simplify(centred.subtracted - 1 / sp.sqrt(2 * sp.pi)) == 0
    assert centred.notes() == ["teacher relu(x) centred: subtracted 0.3989422804 (= sqrt(2)/(2*sqrt(pi)))"]
    assert sp.simplify(centred.expr - (sp.Max(x, 0) - 1 / sp.sqrt(2 * sp.pi))) == 0
    assert activation("tanh").centred().notes() == ["activation tanh(x) centred: its mean is exactly 0, nothing was subtracted"]
    (softplus,) = activation("softplus").centred().notes()
    assert "no closed form is known" in softplus and "0.8060591833" in softplus
    assert activation("softplus").centred().subtracted is None


def test_normalising_reports_the_divisor():
    he2 = activation("He2").normalised()
    assert he2.notes()[1] == "activation He2 normalised: divided by 1.414213562 (= sqrt(2))"
    assert he2.scale == sp.sqrt(2)
    assert activation("identity").normalised().notes()[1].endswith("its variance is exactly 1, nothing was divided")
    assert activation("2*x").normalised().notes()[1].endswith("divided by 2")
    assert activation("tanh").normalised().scale is None


def test_numeric_fills_in_the_constants_without_closed_form():
    centred = activation("softplus").centred()
    assert centred.expr.free_symbols == {x, sp.Symbol("mu_0", real=True)}
    with mp.workdps(30):
        mean = mp.quad(lambda t: mp.log(1 + mp.exp(t)) * mp.npdf(t), [-20, -5, 0, 5, 20])
    assert abs(sp.log(2) - centred.numeric(20).subs(x, 0) - sp.Float(mp.nstr(mean, 25), 25)).evalf() < 1e-18
    assert activation("relu").normalised().numeric(20).free_symbols == {x}
    assert "\\log" in activation("softplus")._repr_latex_()


def test_a_constant_can_be_centred_but_not_normalised():
    assert activation("3").centred().expr == 0
    with pytest.raises(InputError, match="constant"):
        activation("3").normalised()
    # The same, hidden: tanh^2 + sech^2 = 1.
    with pytest.raises(InputError, match="constant"):
        activation("tanh(x)**2 + 1/cosh(x)**2").normalised()
