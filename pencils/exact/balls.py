"""SymPy expressions in ball arithmetic: compile once, evaluate at any precision, rigorously.

``compile_balls(expr, variables)`` returns a function of balls (arb or acb). Functions with branch cuts take the
``analytic`` flag that ``flint.acb.integral`` hands to its integrand: with it set, a ball that meets a cut or a kink
evaluates to a non-finite ball, which is what makes the integral an enclosure.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from typing import Any

import sympy as sp
from flint import acb, arb, fmpq

from pencils.errors import InputError

Balls = Callable[..., Any]

_ENTIRE = {
    sp.exp: "exp",
    sp.sin: "sin",
    sp.cos: "cos",
    sp.sinh: "sinh",
    sp.cosh: "cosh",
    sp.tanh: "tanh",
    sp.tan: "tan",
    sp.erf: "erf",
    sp.erfc: "erfc",
    sp.erfi: "erfi",
    sp.sech: "sech",
    sp.gamma: "gamma",
}
_CUT_INVERSE = {
    sp.atan: "atan",
    sp.asin: "asin",
    sp.acos: "acos",
    sp.asinh: "asinh",
    sp.acosh: "acosh",
    sp.atanh: "atanh",
}


def compile_balls(expr: sp.Expr, variables: Sequence[sp.Symbol] = ()) -> Balls:
    """A function ``f(*balls, analytic=False)`` that encloses ``expr`` over the balls given for ``variables``.

    Constants are evaluated at the working precision of the call. Raises InputError for a function with no ball
    arithmetic, or a symbol that is not among ``variables``.
    """
    places = {symbol: index for index, symbol in enumerate(variables)}
    body = _compile(sp.sympify(expr), places)

    def evaluate(*balls: Any, analytic: bool = False) -> Any:
        return body(balls, bool(analytic))

    return evaluate


def enclose(expr: sp.Expr, values: Mapping[sp.Symbol, Any]) -> Any:
    """Enclosure of ``expr`` at the balls ``values``, at the current working precision."""
    symbols = list(values)
    return compile_balls(expr, symbols)(*[values[symbol] for symbol in symbols])


def _compile(expr: sp.Basic, places: Mapping[sp.Symbol, int]) -> Callable[[Sequence[Any], bool], Any]:
    if isinstance(expr, sp.Symbol):
        if expr not in places:
            raise InputError(f"no value is given for {expr}")
        index = places[expr]
        return lambda balls, analytic: balls[index]
    if isinstance(expr, sp.Rational):
        numerator, denominator = int(expr.p), int(expr.q)
        return lambda balls, analytic: arb(fmpq(numerator, denominator))
    if expr is sp.pi:
        return lambda balls, analytic: arb.pi()
    if expr is sp.E:
        return lambda balls, analytic: arb.const_e()
    if expr is sp.I:
        return lambda balls, analytic: acb(0, 1)
    if expr is sp.EulerGamma:
        return lambda balls, analytic: arb.const_euler()
    if isinstance(expr, sp.Piecewise):
        return _compile_piecewise(expr, places)
    args = [_compile(arg, places) for arg in expr.args]
    if isinstance(expr, sp.Add):
        return lambda balls, analytic: reduce(lambda a, b: a + b, [arg(balls, analytic) for arg in args])
    if isinstance(expr, sp.Mul):
        return lambda balls, analytic: reduce(lambda a, b: a * b, [arg(balls, analytic) for arg in args])
    if isinstance(expr, sp.Pow):
        return _compile_power(expr, args)
    return _compile_function(expr, args)


def _compile_power(expr: sp.Pow, args: list[Any]) -> Callable[[Sequence[Any], bool], Any]:
    base, exponent = args
    if expr.exp.is_Integer:
        power = int(expr.exp)
        if power < 0:
            return lambda balls, analytic: 1 / _integer_power(base(balls, analytic), -power)
        return lambda balls, analytic: _integer_power(base(balls, analytic), power)
    if expr.base is sp.E:
        return lambda balls, analytic: exponent(balls, analytic).exp()
    if expr.exp.is_Rational and expr.exp.q == 2:
        power = int(expr.exp.p)

        def half(balls: Sequence[Any], analytic: bool) -> Any:
            value = base(balls, analytic)
            root = value.sqrt(analytic=analytic) if isinstance(value, acb) else value.sqrt()
            return root**power if power > 0 else 1 / root ** (-power)

        return half

    positive = bool(expr.exp.is_Rational and expr.exp.is_positive)

    def general(balls: Sequence[Any], analytic: bool) -> Any:
        value, power = base(balls, analytic), exponent(balls, analytic)
        if isinstance(value, acb):
            if positive and not analytic and value.contains(0) and value.is_finite():
                # The logarithm has no value at 0, but |z^p| = |z|^p does.
                size = arb(0, abs(value).upper() ** power)
                return acb(size, size)
            return value.pow(acb(power), analytic=analytic)
        if isinstance(power, acb):
            return acb(value).pow(power, analytic=analytic)
        return value**power

    return general


def _integer_power(value: Any, power: int) -> Any:
    """A power of a ball; real balls around 0 go through complex ones, since ``arb(0, radius)**2`` is nan in python-flint."""
    if isinstance(value, arb) and value.contains(0):
        return (acb(value) ** power).real
    return value**power


def _compile_function(expr: sp.Basic, args: list[Any]) -> Callable[[Sequence[Any], bool], Any]:
    head = expr.func
    if head in _ENTIRE or head in _CUT_INVERSE:
        method = _ENTIRE.get(head) or _CUT_INVERSE[head]
        cut = head in _CUT_INVERSE

        def function(balls: Sequence[Any], analytic: bool) -> Any:
            value = args[0](balls, analytic)
            return _guard_cut(value, method) if cut and analytic else getattr(value, method)()

        return function
    if head is sp.log:
        return lambda balls, analytic: _log(args[0](balls, analytic), analytic)
    if head is sp.Abs:
        return lambda balls, analytic: _real_part(args[0](balls, analytic), "real_abs", analytic)
    if head is sp.sign:
        return lambda balls, analytic: _real_part(args[0](balls, analytic), "real_sgn", analytic)
    if head is sp.Heaviside:
        return lambda balls, analytic: _real_part(args[0](balls, analytic), "real_heaviside", analytic)
    if head in (sp.Max, sp.Min):
        method = "real_max" if head is sp.Max else "real_min"
        return lambda balls, analytic: reduce(lambda a, b: _extreme(a, b, method, analytic), [arg(balls, analytic) for arg in args])
    raise InputError(f"the function {head.__name__} has no ball arithmetic here")


def _guard_cut(value: Any, method: str) -> Any:
    """Inverse functions have no analytic flag of their own: finite only where no cut can be, the strip |Im z| < 1 for
    atan and asinh (cuts on the imaginary axis beyond +-i), the disc |z| < 1 for the others; acosh nowhere."""
    value = acb(value)
    free = abs(value.imag) < 1 if method in ("atan", "asinh") else method != "acosh" and abs(value) < 1
    return getattr(value, method)() if free else acb(arb.nan())


def _log(value: Any, analytic: bool) -> Any:
    return value.log(analytic=analytic) if isinstance(value, acb) else value.log()


def _real_part(value: Any, method: str, analytic: bool) -> Any:
    if method == "real_abs" and not analytic and isinstance(value, acb) and not value.imag.contains(0):
        return acb(abs(value))  # the modulus of a complex number; real_abs continues |x| from the real line
    result = getattr(acb(value), method)(analytic=analytic)
    return result if isinstance(value, acb) else result.real


def _extreme(left: Any, right: Any, method: str, analytic: bool) -> Any:
    result = getattr(acb(left), method)(acb(right), analytic=analytic)
    return result if isinstance(left, acb) or isinstance(right, acb) else result.real


def _compile_piecewise(expr: sp.Piecewise, places: Mapping[sp.Symbol, int]) -> Callable[[Sequence[Any], bool], Any]:
    """Branches on comparisons of real expressions; where a ball straddles a border the union of the branches is taken,
    or a non-finite ball when analyticity was asked for."""
    branches: list[tuple[Any, Any]] = []
    for value, condition in expr.args:
        if condition is sp.true or condition == True:  # noqa: E712 - SymPy's true
            branches.append((_compile(value, places), None))
            break
        if not isinstance(condition, (sp.Gt, sp.Ge, sp.Lt, sp.Le)):
            raise InputError(f"a Piecewise condition must be one comparison with < or >, not {condition}")
        slope = condition.lhs - condition.rhs if isinstance(condition, (sp.Gt, sp.Ge)) else condition.rhs - condition.lhs
        branches.append((_compile(value, places), _compile(slope, places)))
    else:
        raise InputError("a Piecewise must end with a pair (value, True)")

    def evaluate(balls: Sequence[Any], analytic: bool) -> Any:
        union: Any = None
        for value, slope in branches:
            sign = None if slope is None else _real(slope(balls, analytic))
            if sign is not None and sign < 0:
                continue
            result = value(balls, analytic)
            union = result if union is None else _union(union, result)
            if sign is None or sign > 0:
                return union
            if analytic:
                return acb(arb.nan())
        return union

    return evaluate


def _union(left: Any, right: Any) -> Any:
    return acb(left).union(acb(right)) if isinstance(left, acb) or isinstance(right, acb) else left.union(right)


def _real(value: Any) -> Any:
    return value.real if isinstance(value, acb) else value
