"""Second routes to limits of the risk, and to what is found by searching: the pencils' traces of ``theory.risk.route`` alone.

A limit is extrapolated from risks at moderate values h_1 > h_2 > ... of a parameter h that tends to 0, in which the quantity is
analytic, by the polynomial through them (Neville); points are added until two orders agree. Each function maps (model, digits)
to a number.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from pencils.errors import ConvergenceError, PrecisionError
from pencils.exact.numbers import Number
from theory.quadrature.mp import context, number, rounded
from theory.register.model import Model
from theory.register.parameters import HERMITE
from theory.risk import route as risk_pencil

_DATA = ("mu1", "mu2", "mu1_star", "mu2_star")
_NEEDS = ("psi1", "psi2", "eta", "lam", "sigma_eps", *_DATA)
_LEAST, _MOST = 5, 16  # points of an extrapolation


def _changed(model: Model, changes: Mapping[str, Any]) -> Model:
    """The model with parameters changed; what the limit does not use takes any value."""
    given = {"eta": "1", "sigma_eps": "0", "psi1": "1", "psi2": "1", "lam": "1"}
    given |= {name: "1" for name in _DATA if not {name, HERMITE[name]} & set(model.given)}
    return Model.build({**given, **model.given, **changes}, _NEEDS, "a limit of the risk")


def _limit(at: Callable[[Fraction], Any], first: Fraction, digits: int) -> Number:
    """The limit of ``at``(h) as h -> 0, from h = first/k, k = 1, 2, ..."""
    ctx = context(2 * digits + 30)
    places: list[Any] = []
    table: list[Any] = []  # the newest diagonal of Neville's scheme
    for k in range(1, _MOST + 1):
        h = first / k
        places.append(number(ctx, h))
        diagonal = [ctx.mpf(at(h))]
        for j, older in enumerate(table):
            left, right = places[-2 - j], places[-1]
            diagonal.append((left * diagonal[j] - right * older) / (left - right))
        if k >= _LEAST and abs(diagonal[-1] - table[-1]) <= ctx.mpf(10) ** -(digits + 1) * abs(diagonal[-1]):
            return diagonal[-1]
        table = diagonal
    raise PrecisionError(f"an extrapolation from {_MOST} values did not settle to {digits} digits")


def extrapolated(
    risk: Callable[[Model, int], Number],
    model: Model,
    digits: int,
    first: Fraction,
    changes: Callable[[Fraction], dict[str, Any]],
    factor: Callable[[Fraction], Fraction] = lambda h: Fraction(1),
) -> Number:
    """The limit of factor(h) risk as h -> 0, the parameters ``changes``(h)."""
    ctx = context(2 * digits + 30)

    def at(h: Fraction) -> Any:
        moved = _changed(model, {name: str(value) for name, value in changes(h).items()})
        scale = factor(h)
        try:
            return ctx.mpf(risk(moved, digits + 15)) * scale.numerator / scale.denominator
        except ConvergenceError as error:
            raise PrecisionError(f"the pencils do not reach {changes(h)}") from error

    return _limit(at, first, digits)


def R0_population(model: Model, digits: int) -> Number:
    """R0 as psi1 -> infinity."""
    return extrapolated(risk_pencil.r0, model, digits, Fraction(1, 50), lambda h: {"psi1": 1 / h})


def delta_population(model: Model, digits: int) -> Number:
    """delta as psi1 -> infinity."""
    return extrapolated(risk_pencil.delta, model, digits, Fraction(1, 50), lambda h: {"psi1": 1 / h})


def gain_constant(model: Model, digits: int) -> Number:
    """psi2 delta as psi2 -> infinity."""
    return extrapolated(risk_pencil.delta, model, digits, Fraction(1, 50), lambda h: {"psi2": 1 / h}, lambda h: 1 / h)


def peak_constant(model: Model, digits: int) -> Number:
    """sqrt(lambda) R0 as lambda -> 0 at psi1 = psi2, in powers of h = sqrt(lambda)."""
    psi2 = model.given["psi2"]
    return extrapolated(risk_pencil.r0, model, digits, Fraction(1, 100), lambda h: {"psi1": psi2, "lam": h * h}, lambda h: h)


def R0_null(model: Model, digits: int) -> Number:
    """R0 as lambda -> infinity."""
    return extrapolated(risk_pencil.r0, model, digits, Fraction(1, 50), lambda h: {"lam": 1 / h})


def gain_decay(model: Model, digits: int) -> Number:
    """lambda delta as lambda -> infinity."""
    return extrapolated(risk_pencil.delta, model, digits, Fraction(1, 50), lambda h: {"lam": 1 / h}, lambda h: 1 / h)


def half(model: Model, digits: int) -> Number:
    """The eta at which the pencils' delta is half of their ceiling, by bracketing."""
    ctx = context(2 * digits)
    ceiling = ctx.mpf(risk_pencil.ceiling(_changed(model, {}), 2 * digits))

    def gap(eta: Any) -> Any:
        moved = _changed(model, {"eta": rounded(ctx, eta, 2 * digits)})
        return 2 * ctx.mpf(risk_pencil.delta(moved, 2 * digits)) / ceiling - 1

    high = ctx.one
    while gap(high) < 0:
        high *= 2
    root = ctx.findroot(gap, (ctx.mpf("1e-6"), high), solver="anderson", tol=ctx.mpf(10) ** (-2 * digits + 10), verify=False)
    return root


def best_ridge(sample: Mapping[str, str], digits: int) -> dict[str, Number]:
    """The best lambda from central differences of the pencils' risks in lambda, 10^-k apart, by the secant method."""
    ctx = context(3 * digits)
    step = ctx.mpf(10) ** -(digits // 2 + 5)

    def at(risk: str, ridge: Any, asked: int) -> Any:
        model = Model.build({**sample, "lam": rounded(ctx, ridge, 3 * digits)}, _NEEDS, "the best ridge")
        return ctx.mpf(getattr(risk_pencil, risk.lower())(model, asked))

    def minimum(risk: str) -> Any:
        start = min((ctx.mpf(10) ** (k / 2) for k in range(-6, 5)), key=lambda ridge: at(risk, ridge, 5))
        return ctx.findroot(
            lambda x: at(risk, x + step, 2 * digits) - at(risk, x - step, 2 * digits),
            (start, start * 1.1),
            verify=False,
            tol=ctx.mpf(10) ** (-3 * digits),
            maxsteps=30,
        )

    found: dict[str, Any] = {}
    for place, risk in ((0, "R0"), (1, "R1")):
        ridge = minimum(risk)
        found |= {f"lam{place}": ridge}
        found |= {f"{name}_at_lam{place}": at(name, ridge, digits + 5) for name in (risk, "delta")}
    return found
