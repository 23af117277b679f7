"""Eigenvalue laws with a density, and the quadrature that stands for them where numbers are wanted.

An average over such a law is printed as an integral and computed at nodes t = mid + half sin(pi s/2), with s those of Gauss and
Legendre: that converges exponentially for a density that is analytic inside and has, at an end, a power that is a multiple of
1/2 (semicircle, arcsine, Marchenko-Pastur). For other ends the nodes are those of Takahasi and Mori (tanh-sinh). The error of the
quadrature is estimated by doubling the number of nodes; it is not proved.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import sympy as sp
from flint import arb, fmpq

from pencils.errors import ConvergenceError, InputError
from pencils.exact.balls import compile_balls
from pencils.exact.numbers import bits_for, working_precision

COUNTS = (24, 48, 96, 192, 384, 768, 1536, 3072)  # of nodes, tried in turn until two of them agree
FLOAT_DIGITS = 25  # of nodes for float64
MASS_DIGITS = 25  # to which the mass of a density must be right

Nodes = tuple[tuple[sp.Rational, sp.Rational], ...]  # (t, weight)


class Density(sp.Function):  # type: ignore[misc]
    """The density inside an integral, kept apart from what is averaged; it prints as what it holds."""

    nargs = 2  # the density, and its mass
    is_commutative = True

    def doit(self, **hints: Any) -> sp.Expr:
        """The density itself."""
        return self.args[0].doit(**hints)

    def _sympystr(self, printer: Any) -> str:
        return str(printer.parenthesize(self.args[0], math.inf))

    def _latex(self, printer: Any, exp: Any = None) -> str:
        return str(printer.parenthesize(self.args[0], math.inf if self.args[0].is_Add else -math.inf))


@dataclass(frozen=True)
class Continuous:
    """The measure ``density(variable)`` on [``low``, ``high``], of total ``mass``."""

    density: sp.Expr
    variable: sp.Symbol
    low: sp.Expr
    high: sp.Expr
    mass: sp.Expr

    def average(self, integrand: sp.Expr, variable: sp.Symbol) -> sp.Expr:
        """The integral of an expression in ``variable`` against the measure, written down."""
        if variable not in integrand.free_symbols:
            return self.mass * integrand
        constant, integrand = integrand.as_independent(variable, as_Add=False)
        density = Density(self.density.xreplace({self.variable: variable}), self.mass)
        return constant * sp.Integral(integrand * density, (variable, self.low, self.high))

    def nodes(self, count: int, digits: int) -> Nodes:
        """About ``count`` nodes with weights that add up to the mass."""
        return _normalised(self, count, bits_for(digits), _smooth(self))

    def check(self) -> None:
        """Raise InputError unless the density is positive at nodes and has its mass there."""
        last: Any = None
        for count in COUNTS:
            found = _weighted(self, count, bits_for(MASS_DIGITS), _smooth(self))
            if wrong := next((t for t, weight in found if weight < 0), None):
                raise InputError(
                    f"density {self.density} is negative at {self.variable} = {float(wrong):.6g}: a law has a "
                    "density that is nowhere negative"
                )
            total = sum((weight for _, weight in found), sp.S.Zero)
            if abs((total - self.mass).evalf(40)) < sp.Float(10) ** -MASS_DIGITS:
                return
            if last is not None and abs(total - last) * 1000 < abs(total - self.mass):  # it has settled elsewhere
                raise InputError(
                    f"density {self.density} has mass {float(total):.10g} on [{self.low}, {self.high}], where "
                    f"{self.mass} is wanted: the weights of a law add up to 1"
                )
            last = total
        raise InputError(
            f"density {self.density}: its mass was not found to {MASS_DIGITS} digits; accepted are densities that are "
            "analytic inside their interval, with powers above -1 at the ends"
        )


def values_at(value: sp.Expr, variable: sp.Symbol, nodes: Nodes, digits: int) -> list[sp.Rational]:
    """An expression in the variable at every node, rounded. Raises InputError where it is no real number."""
    compiled, found = compile_balls(value, [variable]), []
    with working_precision(2 * bits_for(digits)):
        for t, _ in nodes:
            ball = arb(0) + compiled(_ball(t)) if value != variable else _ball(t)
            if not isinstance(ball, arb) or not ball.is_finite():
                raise InputError(f"{value} is no real number at {variable} = {float(t):.6g}")
            found.append(_rational(ball))
    return found


@lru_cache(maxsize=20)
def quantiles(measure: Continuous, count: int) -> Nodes:
    """``count`` points with equal shares of the measure between them, from sums at 4,000 points of s; float64."""
    cells, compiled = 4000, compile_balls(measure.density, [measure.variable])
    low, high = float(measure.low), float(measure.high)
    s = (np.arange(cells) + 0.5) / cells * 2 - 1
    with working_precision(100):
        rho = [float((arb(0) + compiled(arb(x))).mid()) for x in (low + high) / 2 + (high - low) / 2 * np.sin(np.pi * s / 2)]
    shares = np.concatenate([[0.0], np.cumsum(np.array(rho) * np.cos(np.pi * s / 2))])
    levels = (np.arange(count) + 0.5) / count * shares[-1]
    found = (low + high) / 2 + (high - low) / 2 * np.sin(np.pi / 2 * np.interp(levels, shares, np.linspace(-1, 1, cells + 1)))
    return tuple((sp.Rational(float(t)), sp.Rational(1, count)) for t in found)


def integrals(expr: sp.Expr) -> list[sp.Integral]:
    """The averages in an expression."""
    return sorted(sp.sympify(expr).atoms(sp.Integral), key=str)


def parts(integral: sp.Integral) -> tuple[sp.Expr, Continuous]:
    """What is averaged, and over which measure."""
    variable, low, high = integral.limits[0]
    (density,) = integral.function.atoms(Density)
    return integral.function.xreplace({density: sp.S.One}), Continuous(density.args[0], variable, low, high, density.args[1])


def pointwise(expr: sp.Expr) -> sp.Expr:
    """A symbol times the integrand in place of every average: a rational identity, or a relation that is affine, before averaging
    is one after it."""
    points = {}
    for integral in integrals(expr):
        inner, measure = parts(integral)
        points[integral] = sp.Symbol(f"average over {measure}") * inner
    return sp.sympify(expr).xreplace(points)


def is_nested(expr: sp.Expr) -> bool:
    """Whether an average is inside another."""
    return any(inner.function.has(sp.Integral) for inner in integrals(expr))


def at_nodes(expr: sp.Expr, rule: Callable[[Continuous], Iterable[tuple[sp.Expr, sp.Expr]]]) -> sp.Expr:
    """The expression with sums over the nodes of a ``rule`` in place of averages."""
    sums = {}
    for integral in integrals(expr):
        inner, measure = parts(integral)
        sums[integral] = sp.Add(*[weight * inner.xreplace({measure.variable: t}) for t, weight in rule(measure)])
    return sp.sympify(expr).xreplace(sums)


def compile_averages(expr: sp.Expr, variables: Sequence[sp.Symbol], count: int, digits: int) -> Callable[..., Any]:
    """``compile_balls`` for an expression that holds averages, which are sums over ``count`` nodes of ``digits`` digits."""
    found = integrals(expr)
    names = [sp.Dummy("average") for _ in found]
    body = compile_balls(sp.sympify(expr).xreplace(dict(zip(found, names, strict=True))), [*variables, *names])
    sums = []
    for integral in found:
        inner, measure = parts(integral)
        sums.append((compile_balls(inner, [*variables, measure.variable]), measure.nodes(count, digits)))

    def evaluate(*balls: Any) -> Any:
        means = [sum((_ball(weight) * inner(*balls, _ball(t)) for t, weight in nodes), arb(0)) for inner, nodes in sums]
        return body(*balls, *means)

    return evaluate


def settle(compute: Callable[[int], Any], digits: int, what: str, counts: Sequence[int] = COUNTS) -> Any:
    """The ball ``compute(count)`` for a number of nodes that doubling does not change by ``digits`` digits, its radius that change.

    Raises ConvergenceError where the largest number of nodes does not do.
    """
    last, failure, change = None, None, None
    for count in counts:
        try:
            value = compute(count)
        except ConvergenceError as error:
            last, failure = None, error
            continue
        if last is not None:
            with working_precision(bits_for(digits) + 40):
                change = abs(value - last).abs_upper() if not isinstance(value, arb) else abs(value - last).upper()
                if change <= abs(value).lower() * arb(10) ** -(digits + 2):
                    return value + _spread(value, change)
        last = value
    why = failure or f"the last doubling changed it by {'?' if change is None else change.str(3, radius=False)}"
    raise ConvergenceError(f"{what}: {COUNTS[-1]} nodes for the continuous law are not enough for {digits} digits ({why})")


def _spread(value: Any, change: Any) -> Any:
    ball = arb(0, change)
    return ball if isinstance(value, arb) else type(value)(ball, ball)


# -- nodes --------------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=200)
def _smooth(measure: Continuous) -> bool:
    """Whether the nodes of Gauss and Legendre are good for a density: 96 and 192 of them give one mass to 30 digits."""
    masses = [sum(weight for _, weight in _weighted(measure, count, bits_for(40), True)) for count in (96, 192)]
    return bool(abs(masses[0] - masses[1]) < sp.Rational(1, 10**30) * abs(masses[1]))


@lru_cache(maxsize=100)
def _normalised(measure: Continuous, count: int, bits: int, smooth: bool) -> Nodes:
    """The nodes with weights that add up to the mass exactly: what rounding leaves goes to the largest."""
    found = [(t, weight) for t, weight in _weighted(measure, count, bits, smooth) if weight]
    with working_precision(bits):
        factor = _ball(measure.mass) / sum((_ball(weight) for _, weight in found), arb(0))
        weights = [_rational(_ball(weight) * factor) for _, weight in found]
    largest = max(range(len(found)), key=lambda k: weights[k])
    weights[largest] += measure.mass - sum(weights, sp.S.Zero)
    return tuple(zip([t for t, _ in found], weights, strict=True))


@lru_cache(maxsize=100)
def _weighted(measure: Continuous, count: int, bits: int, smooth: bool) -> Nodes:
    compiled = compile_balls(measure.density, [measure.variable])
    # digits are lost in the distance of a node from an end: two thirds where nodes crowd at it exponentially
    inside = bits + 80 if smooth else 3 * bits + 40
    with working_precision(inside):
        low, high = (arb(0) + compile_balls(end)() for end in (measure.low, measure.high))
        middle, half = (low + high) / 2, (high - low) / 2
        found = []
        for x, weight in _gauss(count, inside) if smooth else _tanh_sinh(count, bits):
            t = _rational(middle + half * x)
            rho = compiled(_ball(t))
            if not isinstance(rho, arb):
                rho = rho.real if rho.imag.contains(0) else arb.nan()
            if not rho.is_finite():
                raise InputError(f"density {measure.density} is no real number at {measure.variable} = {float(t):.6g}")
            found.append((t, half * weight * rho))
    with working_precision(bits):
        return tuple((t, _rational(+weight)) for t, weight in found)


@lru_cache(maxsize=50)
def _gauss(count: int, bits: int) -> list[tuple[Any, Any]]:
    """Nodes and weights on [-1, 1] of x = sin(pi s/2), at a working precision of ``bits``."""
    roots = [arb.legendre_p_root(count, k, weight=True) for k in range(count)]
    quarter = arb.pi() / 2
    return [((quarter * s).sin(), weight * quarter * (quarter * s).cos()) for s, weight in roots]


def _tanh_sinh(count: int, bits: int) -> Iterable[tuple[Any, Any]]:
    """Nodes and weights on [-1, 1] of x = tanh(pi/2 sinh u), up to where an inverse square root has no mass left."""
    last = (arb(2 * bits) * arb.const_log2() / arb.pi()).asinh()
    step = 2 * last / (count - 1)
    for k in range(count):
        u = k * step - last
        inner = arb.pi() / 2 * u.sinh()
        yield inner.tanh(), step * arb.pi() / 2 * u.cosh() / inner.cosh() ** 2


def _ball(value: sp.Expr) -> Any:
    if value.is_Rational:
        return arb(fmpq(int(value.p), int(value.q)))
    return arb(0) + compile_balls(value)()


def _rational(ball: Any) -> sp.Rational:
    """The middle of a ball, to the working precision."""
    if not ball.is_finite():
        raise InputError("a density is not finite at a node")
    mantissa, exponent = (+ball).mid().man_exp()
    mantissa, exponent = int(mantissa), int(exponent)
    return sp.Rational(mantissa * 2**exponent) if exponent >= 0 else sp.Rational(mantissa, 2**-exponent)
