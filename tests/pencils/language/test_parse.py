"""The safe parser: its grammar, and what it refuses."""

import contextlib
import subprocess
import sys
import time

import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

from pencils.errors import InputError, ParseError
from pencils.language.parse import names, parse, to_sympy

x, y = sp.symbols("x y", real=True)
FUNCTIONS = {"tanh": sp.tanh, "sqrt": sp.sqrt}
WORDS = {"x", "y", "tanh", "sqrt"}


def read(text):
    return to_sympy(parse(text, words=WORDS), {"x": x, "y": y}, FUNCTIONS)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("tanh(x) + x**3/10", sp.tanh(x) + x**3 / 10),
        ("-x**2", -(x**2)),
        ("2**-1*x", x / 2),
        ("x^2^3", x**8),  # powers bind to the right
        ("(-x)**2", x**2),
        ("1 - 2 - 3", sp.Integer(-4)),
        ("8/2/2", sp.Integer(2)),
        ("1e-3*x", x / 1000),
        ("0.1", sp.Rational(1, 10)),
        ("x > 1/2", x > sp.Rational(1, 2)),
        ("Piecewise((0, x < 0), (x, True))", sp.Piecewise((0, x < 0), (x, True))),
        ("sqrt(x*y)*+3", 3 * sp.sqrt(x * y)),
    ],
)
def test_grammar(text, value):
    assert read(text) == value


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("__import__('os')", "__import__"),
        ("x.__class__", "__class__"),
        ("exec(x)", "exec"),
        ("lambda: x", "lambda"),
        ("x[0]", "[0]"),
        ("x; y", ";"),
        ("'x'", "'x'"),
        ("tanh(z)", "z"),
        ("f(x)", "'f'"),
        ("2x", "'x'"),
        ("x x", "'x'"),
        ("x =y", "="),
        ("tanh(x, y)", "tanh"),
        ("1/0", "zero"),
        ("(x < 1) + 1", "'+'"),
        ("x < y < 1", "chained"),
        ("(x, y)", "parentheses"),
        ("Piecewise(x)", "Piecewise"),
        ("x +", "ends too early"),
        ("tanh(x", "')'"),
        ("", "ends too early"),
    ],
)
def test_refused_with_the_word(text, word):
    with pytest.raises(ParseError) as error:
        read(text)
    assert word in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    "text",
    [
        "(" * 5000 + "x" + ")" * 5000,
        "x+" * 50000 + "x",
        "9**9**9**9",
        "2**(9**9)",
        "x**100000",
        "(x**150)**150",
        "1e999999999",
        "9" * 1999,
        "-" * 1500 + "x",
        "tanh(" * 300 + "x" + ")" * 300,
        "(((x+1)**20)**20)**20",
        "10**-400*10**-400*10**199",
    ],
)
def test_long_deep_and_huge_input_is_an_error_and_quick(text):
    start = time.perf_counter()
    with pytest.raises(InputError):
        read(text)
    assert time.perf_counter() - start < 0.5


@given(st.text(max_size=60))
def test_any_text_is_a_formula_or_an_input_error(text):
    with contextlib.suppress(InputError):
        read(text)


def test_names():
    assert names(parse("tanh(x)*y + z")) == {"x", "y", "z"}


def test_parsing_needs_no_sympy():
    code = "import sys; from pencils.language.parse import parse; parse('x + tanh(x)'); sys.exit('sympy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
