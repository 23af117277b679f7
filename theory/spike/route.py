"""Second routes to the registered numbers: mpmath quadrature of densities and of Gaussian integrals.

Each function maps (model, digits) to decimal text or a truth value. Nothing here uses the closed forms, the
Marchenko-Pastur transform or the ball quadrature of the first route; the two share the number types only.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from math import prod
from typing import Any

import sympy as sp

from pencils.errors import InputError
from theory.register.model import Model
from theory.spike.density import Function, SpikeByDensity, context, gaussian_means, spike, thetas

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


def _functions(model: Model) -> tuple[sp.Expr, sp.Expr]:
    """(sigma', sigma*) of the model; Hermite data given in place of a function stand for the simplest one that has them."""
    values = model.values
    if "activation" in values:
        slope = sp.diff(values["activation"].base, Z)
    else:
        mu1 = values.get("mu1", 1)
        slope = sp.Rational(mu1.numerator, mu1.denominator)
    if "teacher" in values:
        return slope, values["teacher"].base
    first, rest = (sp.Rational(str(values.get(name, 0))) for name in ("mu1_star", "mu2_star"))
    return slope, first * Z + rest * (Z**2 - 1) / sp.sqrt(2)


def teacher_moments(model: Model, digits: int) -> tuple[Any, ...]:
    """E z f, E f^2, E (z f)^2 for the teacher f centred here and not by the model, whose mean is a number of the first
    route."""
    mean, overlap, second, square, weighted = function_moments(_functions(model)[1], digits)
    return overlap, square - mean**2, weighted - 2 * mean * second + mean**2


def _moments(model: Model, digits: int) -> tuple[Any, ...]:
    """mu1 = E sigma', and those of the teacher."""
    return function_moments(_functions(model)[0], digits)[0], *teacher_moments(model, digits)


@lru_cache(maxsize=64)
def _thetas(key: _Key, digits: int, unit_slope: bool) -> tuple[str, str]:
    """(theta1, theta2) by the finite-size second moment; ``unit_slope`` puts eta mu1 = 1."""
    values = key.model.values
    ctx = context(digits + 20)
    moments = tuple(ctx.convert(value) for value in _moments(key.model, digits))
    eta = values["eta"] if not unit_slope else 1
    if unit_slope:
        moments = (ctx.one, *moments[1:])
    theta1, theta2 = thetas(ctx, moments, eta, values.get("psi1", 1), values.get("sigma_eps", 0), digits)
    # oriented: (sigma, a) -> (-sigma, -a) leaves the step as it is
    return (theta1[1:], _negated(theta2)) if theta1.startswith("-") else (theta1, theta2)


def _negated(text: str) -> str:
    return text[1:] if text.startswith("-") else "-" + text if text.strip("0.") else text


class _Key:
    """A model as a key of the cache: two models are the same when they were given the same parameters."""

    def __init__(self, model: Model, only: tuple[str, ...] | None = None) -> None:
        self.model = model
        self.given = tuple(sorted(item for item in model.given.items() if only is None or item[0] in only))

    def __hash__(self) -> int:
        return hash(self.given)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and self.given == other.given


def theta1(model: Model, digits: int) -> str:
    """Limit of |u|."""
    return _thetas(_Key(model), digits, False)[0]


def theta2(model: Model, digits: int) -> str:
    """Limit of <u, beta>."""
    return _thetas(_Key(model), digits, False)[1]


def projection(model: Model, digits: int) -> str:
    """Limit of <X^T y/n, beta>."""
    return _thetas(_Key(model), digits, True)[1]


def second_moment(model: Model, digits: int) -> str:
    """Limit of |X^T y/n|^2."""
    ctx = context(digits + 20)
    return str(ctx.nstr(ctx.mpf(_thetas(_Key(model), digits, True)[0]) ** 2, digits + 10))


def rank_one_norm(model: Model, digits: int) -> str:
    """Limit of sqrt(N)|A|: theta1 of a step of unit size."""
    ctx, key = context(digits + 20), _Key(model)
    mu1 = ctx.convert(_moments(key.model, digits)[0])
    return str(ctx.nstr(abs(mu1) * ctx.mpf(_thetas(key, digits, True)[0]), digits + 10))


@lru_cache(maxsize=64)
def _spike(key: _Key, digits: int) -> SpikeByDensity:
    ctx = context(digits + 20)
    first, second = (ctx.mpf(text) for text in _thetas(key, digits, False))
    return spike(first, second, key.model.values["psi2"], digits)


def outlier(model: Model, digits: int) -> bool:
    """Whether the determinant changes sign beyond the bulk."""
    return _spike(_Key(model), digits).outlier


def singular_value(model: Model, digits: int) -> str:
    """s1(W1) from the root of the 2 x 2 determinant, or the end of the density."""
    return _spike(_Key(model), digits).singular_value


def overlap(model: Model, digits: int) -> str:
    """<u1, beta>^2 from the residue."""
    return _spike(_Key(model), digits).overlap


def left_overlap(model: Model, digits: int) -> str:
    """<u1, u/|u|>^2 from the residue."""
    return _spike(_Key(model), digits).left_overlap


def right_overlap(model: Model, digits: int) -> str:
    """<v1, a/|a|>^2 from the residue."""
    return _spike(_Key(model), digits).right_overlap


def _edges(psi2: Any, digits: int) -> tuple[Any, list[Any]]:
    """(context, ends of the bulk): where the roots m of z m^2 + (z + 1 - psi2) m + 1 = 0 meet, the zeros in z of the
    discriminant (z + 1 - psi2)^2 - 4 z, found numerically."""
    ctx = context(2 * digits + 40)  # at psi2 = 1 and near it small zeros need more digits
    ratio = ctx.mpf(psi2.numerator) / psi2.denominator
    return ctx, sorted(ctx.re(z) for z in ctx.polyroots([1, -2 * (1 + ratio), (1 - ratio) ** 2], maxsteps=500, extraprec=400))


def bulk_edge(model: Model, digits: int) -> str:
    """Square root of the upper end of the bulk."""
    ctx, edges = _edges(model.values["psi2"], digits)
    return str(ctx.nstr(ctx.sqrt(edges[1]), digits + 5))


def bulk_edge_squared(model: Model, digits: int) -> str:
    """The upper end of the bulk."""
    ctx, edges = _edges(model.values["psi2"], digits)
    return str(ctx.nstr(edges[1], digits + 5))


def _over_density(psi2: Any, integrand: Callable[[Any, Any], Any], digits: int) -> tuple[Any, Any]:
    """(context, int integrand(lambda) rho(lambda) dlambda) over the bulk of the d x d law, lambda = |1 + sqrt(psi2) e^{it}|^2.

    In t the integrand is periodic and analytic, so that the midpoint rule converges geometrically: nodes are doubled
    until two values agree to digits + 5.
    """
    ctx = context(digits + 20)
    ratio = ctx.mpf(psi2.numerator) / psi2.denominator
    previous, nodes = None, 32
    while nodes <= 2**14:
        total = ctx.zero
        for index in range(nodes):
            t = ctx.pi * (2 * index + 1) / (2 * nodes)
            place = 1 + ratio + 2 * ctx.sqrt(ratio) * ctx.cos(t)
            total += 2 * ratio * ctx.sin(t) ** 2 / (nodes * place) * integrand(ctx, place)
        if previous is not None and abs(total - previous) <= abs(total) * ctx.mpf(10) ** -(digits + 5):
            return ctx, total
        previous, nodes = total, 2 * nodes
    raise InputError(f"the density route did not reach {digits} digits at psi2 = {psi2}")


def bulk_second_moment(model: Model, digits: int) -> str:
    """int lambda^2 over the density."""
    ctx, value = _over_density(model.values["psi2"], lambda ctx, place: place**2, digits)
    return str(ctx.nstr(value, digits + 5))


def stieltjes(sample: Mapping[str, str], digits: int) -> dict[str, str]:
    """Transforms of both laws and moments at a real z outside the bulk, by quadrature of the density and the atoms."""
    from pencils.exact.numbers import exact

    psi2, z = exact(sample["psi2"]), exact(sample["z"])
    ctx, bulk = _over_density(psi2, lambda ctx, place: 1 / (place - ctx.mpf(z.numerator) / z.denominator), digits)
    point, ratio = ctx.mpf(z.numerator) / z.denominator, ctx.mpf(psi2.numerator) / psi2.denominator
    atom, companion_atom = max(ctx.zero, 1 - ratio), max(ctx.zero, 1 - 1 / ratio)
    values = {
        "stieltjes": bulk - atom / point,
        "stieltjes_companion": bulk / ratio - companion_atom / point,
        "atom": atom,
        "atom_companion": companion_atom,
    }
    for k in range(4):
        values[f"moments[{k}]"] = _over_density(psi2, lambda ctx, place, k=k: place ** (k + 1), digits)[1]  # type: ignore[misc]
    values |= {f"edges[{k}]": edge for k, edge in enumerate(_edges(psi2, digits)[1])}
    return {name: str(ctx.nstr(value, digits + 5)) for name, value in values.items()}


def hermite(sample: Mapping[str, str], digits: int) -> dict[str, str]:
    """c_0 ... c_order and the energy by Gauss-Legendre quadrature, He_k by its recurrence."""
    from theory.activations.activation import activation

    function, order = as_mpmath(activation(sample["activation"]).base), int(sample["order"])
    ctx = context(digits + 20)

    def integrand(z: Any) -> list[Any]:
        value, he = function(ctx, z), [ctx.one, z]
        while len(he) <= order:
            he.append(z * he[-1] - (len(he) - 1) * he[-2])
        return [value**2, *[value * polynomial for polynomial in he[: order + 1]]]

    energy, *coefficients = gaussian_means(ctx, integrand, set(), digits)
    texts = {f"coefficients[{k}]": str(ctx.nstr(value, digits + 5)) for k, value in enumerate(coefficients)}
    return {"energy": str(ctx.nstr(energy, digits + 5)), **texts}
