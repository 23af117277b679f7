"""Second route to Hermite data: a SymPy expression as an mpmath function, and its means under N(0, 1) by quadrature.

No closed form, no Hermite expansion and no ball quadrature of the first route is used.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from math import prod
from typing import Any

import sympy as sp

from pencils.errors import InputError
from pencils.exact.numbers import Number
from theory.activations.activation import activation
from theory.quadrature.mp import Function, context, gaussian_means

Z = sp.Symbol("x", real=True)


def as_mpmath(expr: sp.Expr, variable: sp.Symbol = Z) -> Function:
    """The function (mpmath context, mpf) -> mpf of a SymPy expression in one variable."""
    if expr == variable:
        return lambda ctx, z: z
    if expr.is_Rational:
        top, bottom = int(expr.p), int(expr.q)
        return lambda ctx, z: ctx.mpf(top) / bottom
    if expr in (sp.pi, sp.E):
        return lambda ctx, z: +(ctx.pi if expr is sp.pi else ctx.e)
    if isinstance(expr, sp.Piecewise):
        return _piecewise([(as_mpmath(value, variable), condition) for value, condition in expr.args], variable)
    args = [as_mpmath(arg, variable) for arg in expr.args]
    if isinstance(expr, sp.Add):
        return lambda ctx, z: sum((arg(ctx, z) for arg in args), ctx.zero)
    if isinstance(expr, sp.Mul):
        return lambda ctx, z: prod((arg(ctx, z) for arg in args), start=ctx.one)
    if isinstance(expr, sp.Pow) and expr.exp.is_Integer:
        power, base = int(expr.exp), args[0]
        return lambda ctx, z: base(ctx, z) ** power
    if isinstance(expr, sp.Pow):
        return lambda ctx, z: args[0](ctx, z) ** args[1](ctx, z)
    name = type(expr).__name__
    special: dict[str, Function] = {
        "Heaviside": lambda ctx, z: (ctx.sign(args[0](ctx, z)) + 1) / 2,
        "Max": lambda ctx, z: max(arg(ctx, z) for arg in args),
        "Min": lambda ctx, z: min(arg(ctx, z) for arg in args),
        "Abs": lambda ctx, z: abs(args[0](ctx, z)),
    }
    if name in special:
        return special[name]
    if not hasattr(context(30), name):
        raise InputError(f"the function {name} has no second route")
    return lambda ctx, z: getattr(ctx, name)(*[arg(ctx, z) for arg in args])


def _piecewise(branches: list[tuple[Function, Any]], variable: sp.Symbol) -> Function:
    gaps = [
        (value, None)
        if condition == sp.true
        else (value, as_mpmath((condition.lhs - condition.rhs) * (1 if condition.gts == condition.lhs else -1), variable))
        for value, condition in branches
    ]
    return lambda ctx, z: next(value(ctx, z) for value, gap in gaps if gap is None or gap(ctx, z) > 0)


@lru_cache(maxsize=256)
def _function_moments(expr: sp.Expr, digits: int) -> tuple[Any, ...]:
    ctx, function = context(digits + 20), as_mpmath(expr)

    def integrand(z: Any) -> list[Any]:
        f = function(ctx, z)
        zf = z * f
        return [f, zf, z * zf, f * f, zf * zf]

    return tuple(gaussian_means(ctx, integrand, set(), digits))


def function_moments(expr: sp.Expr, digits: int) -> tuple[Any, ...]:
    """E f, E z f, E z^2 f, E f^2, E (z f)^2 of a function of the variable ``Z`` by quadrature, to at least ``digits``: the
    digits are rounded up, since the same few functions are asked for at many models."""
    return _function_moments(expr, -(-digits // 24) * 24)


def hermite(sample: Mapping[str, str], digits: int) -> dict[str, Number]:
    """c_0 ... c_order and the energy by Gauss-Legendre quadrature, He_k by its recurrence."""
    function, order = as_mpmath(activation(sample["activation"]).base), int(sample["order"])
    ctx = context(digits + 20)

    def integrand(z: Any) -> list[Any]:
        value, he = function(ctx, z), [ctx.one, z]
        while len(he) <= order:
            he.append(z * he[-1] - (len(he) - 1) * he[-2])
        return [value**2, *[value * polynomial for polynomial in he[: order + 1]]]

    energy, *coefficients = gaussian_means(ctx, integrand, set(), digits)
    return {"energy": energy, **{f"coefficients[{k}]": value for k, value in enumerate(coefficients)}}
