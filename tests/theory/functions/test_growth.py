"""theory.functions.growth and theory.functions.divergence: proven bounds, proven failure, and honest silence."""

from __future__ import annotations

import pytest
import sympy as sp
from flint import arb, fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from pencils.errors import InputError, MomentError
from pencils.exact.balls import compile_balls
from pencils.exact.numbers import working_precision
from theory.activations.activation import activation, variable
from theory.functions.bounds import bounds
from theory.functions.divergence import divergence
from theory.functions.growth import growth_bound
from theory.functions.quadratics import UnknownError

x = variable()
POINTS = [sp.Rational(p, 16) for p in (-1600, -331, -160, -77, -40, -23, -16, -9, -5, -1, 1, 3, 8, 16, 21, 37, 64, 131, 320, 1600)]


def outcome(text: str) -> str:
    """finite, infinite, unknown or not real, by the error that the check raises."""
    try:
        growth_bound(activation(text).expr)
    except MomentError as error:
        assert ("is infinite" in str(error)) != ("neither finiteness nor failure" in str(error))
        return "infinite" if "is infinite" in str(error) else "unknown"
    except InputError as error:
        assert "not real on the line" in str(error)
        return "not real"
    return "finite"


@pytest.mark.parametrize(
    "text",
    [
        "erf",
        "tanh",
        "relu",
        "softplus",
        "sigmoid",
        "sin",
        "cos",
        "gelu",
        "silu",
        "identity",
        "3",
        "exp(x)",
        "exp(x**2/5)",
        "exp(x**2*sqrt(2)/6)",
        "1/(1+exp(-x))",
        "exp(-cosh(x))",
        "exp(-x**2/2)*He3",
        "exp(-exp(x))",
        "1/(2+sin(x))",
        "1/cosh(x)",
        "log(1+x**2)",
        "log(2+sin(x))",
        "exp(sqrt(1+x**2))",
        "exp(x-x**4)",
        "exp(x**3-x**4)",
        "exp(-sqrt(2)*x**4)",
        "2**x",
        "abs(x)**(3/2)",
        "1/(x**2-x+1)",
        "exp(abs(x)-x**2)",
        "x**100*tanh(x)",
        "Heaviside(x-1)",
        "min(x,1)",
        "He100",
        "Piecewise((0, x < 0), (x, True))",
        "exp(x)/(1+exp(x))",
        "sqrt(abs(tanh(x)))",
    ],
)
def test_finite_second_moments_are_shown(text):
    assert outcome(text) == "finite"


@pytest.mark.parametrize(
    "text",
    [
        # f^2 exp(-x^2/2) does not decay, or f has a pole: a square of order >= 2 is not integrable.
        "exp(x**2/4)",
        "x*exp(x**2/4)",
        "exp(x**2/4 + x)",
        "exp(x**2/4 - x)",
        "exp(x**2)",
        "exp(x**3)",
        "exp(-x**3)",
        "exp(exp(x))",
        "exp(exp(x/10))",
        "exp(cosh(x))",
        "sinh(x**2)",
        "x*exp(x**2)+sin(x)",
        "exp(x**2/4)*(2+sin(x))",
        "1/x",
        "1/(x-1)",
        "tan",
        "exp(x)/x",
        "1/(x**2-3*x+1)",
        "tan(x)*exp(x)+tanh(x)",
        "1/(x-1)+exp(x)",
    ],
)
def test_infinite_second_moments_are_shown(text):
    assert outcome(text) == "infinite"


@pytest.mark.parametrize(
    "text",
    [
        "exp(x**2/4)/(1+x**2)",  # finite: the density ratio is (1 + x^2)^-2
        "tanh(x)/x",
        "sin(x)/x",
        "log(abs(x))",  # finite, with a removable or an integrable singularity
        "tan(x)*sin(x)",  # infinite
        # Finite: the bounded summand cancels the limit of tanh, and what is left decays like exp(-2|x|).
        "exp(x**2/4)*abs(tanh(x) + Piecewise((-1, x > 0), (1, True)))",
    ],
)
def test_undecided_cases_say_so(text):
    assert outcome(text) == "unknown"


@pytest.mark.parametrize("text", ["log(x)", "sqrt(x)", "x**x", "sqrt(x**2-1)", "x**(1/3)", "log(sin(x)-2)", "sqrt(0-1)*x"])
def test_functions_that_are_not_real_are_refused(text):
    assert outcome(text) == "not real"


def test_the_threshold_is_exactly_one_quarter():
    # E exp(2 c z^2) is finite iff 2c < 1/2.
    assert sp.Rational(249, 1000) == growth_bound(sp.exp(x**2 * sp.Rational(249, 1000))).C
    with pytest.raises(MomentError, match="is infinite"):
        growth_bound(sp.exp(x**2 / 4))
    # For a first moment it is c < 1/2.
    assert sp.Rational(1, 4) == growth_bound(sp.exp(x**2 / 4), power=1).C


def test_cancelling_growth_is_not_called_infinite():
    # Each summand alone diverges; the sum is exp(x^2) (exp(-x^2) - tanh-like cancellation) in disguise: x.
    hidden = sp.exp(x**2) * (sp.tanh(x) ** 2 + 1 / sp.cosh(x) ** 2) - sp.exp(x**2) + x
    with pytest.raises(MomentError, match="neither"):
        growth_bound(hidden)


LEAVES = st.one_of(
    st.just(x), st.just(x), st.integers(-4, 4).map(sp.Integer), st.sampled_from([sp.Rational(1, 3), -sp.sqrt(2), sp.pi])
)
UNARY = st.sampled_from(
    [
        sp.tanh,
        sp.erf,
        sp.erfc,
        sp.sin,
        sp.cos,
        sp.exp,
        sp.Abs,
        sp.cosh,
        sp.sinh,
        sp.atan,
        sp.sign,
        sp.Heaviside,
        lambda u: sp.exp(-(u**2)),
        lambda u: sp.log(1 + u**2),
        lambda u: sp.log(1 + sp.exp(u)),
        lambda u: sp.sqrt(1 + u**2),
        lambda u: 1 / (1 + u**2),
        lambda u: 1 / (1 + sp.exp(u)),
        lambda u: 1 / (2 + sp.sin(u)),
        lambda u: u**2,
        lambda u: u**3,
        lambda u: u**4 - u,
        lambda u: -u / 5,
        lambda u: sp.Abs(u) ** sp.Rational(2, 3),
        lambda u: 1 / u,
        sp.log,
        sp.sqrt,
    ]
)
BINARY = st.sampled_from(
    [
        lambda u, v: u + v,
        lambda u, v: u - v,
        lambda u, v: u * v,
        lambda u, v: sp.Max(u, v, evaluate=False),
        lambda u, v: sp.Min(u, v, evaluate=False),
        lambda u, v: sp.Piecewise((u, x < 1), (v, True)),
    ]
)
EXPRESSIONS = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.tuples(UNARY, inner).map(lambda t: t[0](t[1])),
        st.tuples(BINARY, inner, inner).map(lambda t: t[0](t[1], t[2])),
    ),
    max_leaves=6,
)


def below(quadratic, t: arb) -> arb:
    a, b, c = (arb(fmpq(q.numerator, q.denominator)) for q in quadratic)
    return a + b * t + c * t**2


def check_bounds(expr: sp.Expr) -> bool:
    """True when some bound of ``expr`` exists; every bound must hold at every point, in ball arithmetic."""
    if expr.has(sp.zoo, sp.nan, sp.oo, sp.I) or sp.count_ops(expr) > 60:
        return False
    try:
        found = bounds(expr)
    except UnknownError:
        return False
    f = compile_balls(expr, [x])
    with working_precision(400):
        for point in POINTS:
            at, t = arb(fmpq(int(point.p), int(point.q))), abs(arb(fmpq(int(point.p), int(point.q))))
            value = arb(f(at))
            if not value.is_finite():
                continue
            assert found.low is None or not value < below(found.low, t), (expr, point, "low")
            assert found.high is None or not value > below(found.high, t), (expr, point, "high")
            assert found.log_high is None or not abs(value) > below(found.log_high, t).exp(), (expr, point, "log_high")
            assert found.log_low is None or not abs(value) < below(found.log_low, t).exp(), (expr, point, "log_low")
            assert not value * found.sign < 0, (expr, point, "sign")
    return found.log_high is not None


@settings(derandomize=True, deadline=None, max_examples=150)
@given(EXPRESSIONS)
def test_every_bound_holds(expr):
    check_bounds(expr)


@pytest.mark.parametrize(
    "expr",
    [
        sp.exp(-(x**2) / 3) * (x - 1),
        sp.log(1 + sp.exp(3 * x)),
        sp.Max(x, -2 * x, evaluate=False),
        1 / (1 + x**4),
        sp.sqrt(sp.Abs(x)),
        sp.sqrt(1 + sp.Abs(x) + x**2),
        x * sp.sin(x),
        x**2 * sp.tanh(x),
        sp.Abs(x - 3),
        sp.exp(sp.Abs(x - 3)),
        x**2 - 2 * x + sp.Rational(9, 10),
        x**4 - 3 * x**2 + 2,
        sp.exp(-(x**4) + 3 * x**2),
        sp.erfc(x) * x**3,
        sp.exp(x) - sp.exp(2 * x),
    ],
)
def test_bounds_at_the_corners(expr):
    # Where a rule is nearly sharp; and the property above would be empty if nothing were ever bounded.
    assert check_bounds(expr)


@settings(derandomize=True, deadline=None, max_examples=150)
@given(EXPRESSIONS)
def test_divergence_is_never_shown_where_a_bound_is(expr):
    if check_bounds(expr):
        found = bounds(expr)
        if 2 * found.log_high[2] < sp.Rational(1, 2):
            assert divergence(expr, found.log_low, 2) is None
