"""The best ridge penalty for the risk before a small step and after it, and what the step gains at each.

The minimum is found on a grid of lambda over 16 decades; there dR/domega = 0 is enclosed between two certain signs. That no
other minimum is lower is what the grid shows, and not proved. Source: statements.md, section 2.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np
import sympy as sp
from flint import arb

from pencils.errors import InputError
from pencils.exact.balls import Balls, compile_balls
from pencils.exact.numbers import refine, working_precision
from theory.proof.symbols import symbol
from theory.register.model import Model
from theory.register.record import Computed
from theory.register.roots import zero_between
from theory.risk.floats import grid
from theory.risk.forms import CURVE, RISK

_LAMBDAS = 10.0 ** np.linspace(-8, 8, 641)


def best_ridge(parameters: Mapping[str, Any], digits: int) -> Computed:
    """lam0, lam1 minimising R0, R1; R0 and delta at lam0, R1 and delta at lam1. ``lam0`` or ``lam1`` is 0 where the risk is
    lowest at the small end of the grid: then its values are those of ``ba2022.ridgeless`` and are left out."""
    values: dict[str, Any] = {}
    notes: list[str] = []
    for place, risk in ((0, "R0"), (1, "R1")):
        found = _minimum(risk, parameters, digits)
        if isinstance(found, str):
            notes.append(found)
            continue
        values |= {f"lam{place}": found["lam"], f"{risk}_at_lam{place}": found[risk], f"delta_at_lam{place}": found["delta"]}
    notes.append("the best lambda is the lowest of a grid from 1e-8 to 1e8, its place enclosed by the sign of dR/domega")
    return Computed(values, {}, tuple(notes))


def _minimum(risk: str, parameters: Mapping[str, Any], digits: int) -> dict[str, Any] | str:
    model = _model(parameters, 1)
    with working_precision(80):
        numbers = {name: float(model.ball(name, 80).mid()) for name in RISK.needs() if name != "lam"}
    if numbers["mu1"] == 0:
        raise InputError("mu1 = 0: the features carry no linear part of the input; give an activation with mu1 != 0")
    risks = grid(lam=_LAMBDAS, **numbers)[risk]
    best = int(np.argmin(risks))
    if best in (0, len(_LAMBDAS) - 1):
        return f"{risk} is lowest at the {'small' if best == 0 else 'large'} end of the grid, lambda = {_LAMBDAS[best]:g}"
    left, right = (_model(parameters, sp.Rational(float(_LAMBDAS[best + k]))) for k in (-1, 1))

    def at(name: str) -> Any:
        return refine(lambda bits: _value(name, risk, model, left, right, bits), digits, name)

    return {name: at(name) for name in ("lam", risk, "delta")}


def _value(name: str, risk: str, model: Model, left: Model, right: Model, bits: int) -> Any:
    symbols, slope, curvature = _slopes(risk)
    with working_precision(2 * bits):
        balls = [model.ball(s.name, 2 * bits) for s in symbols]
        low, high = (end.ball("omega", 2 * bits).mid() for end in (left, right))
        if not (slope(low, *balls) < 0 < slope(high, *balls)):
            return arb.nan()
        omega = zero_between(lambda x: slope(x, *balls), lambda x: curvature(x, *balls), low, high, bits)
        needs, form = _compiled(name)
        return form(omega, *[model.ball(s.name, 2 * bits) for s in needs])


@lru_cache(maxsize=8)
def _compiled(name: str, order: int = 0) -> tuple[tuple[sp.Symbol, ...], Balls]:
    """A form of the risk, or lambda, as a function of omega and the model's symbols; its derivative of some order."""
    omega = symbol("omega")
    form = RISK.read(CURVE["lam"]) if name == "lam" else RISK.expanded[name]
    symbols = tuple(sorted(form.free_symbols - {omega}, key=str))
    return symbols, compile_balls(sp.diff(form, omega, order) if order else form, [omega, *symbols])


def _slopes(risk: str) -> tuple[tuple[sp.Symbol, ...], Balls, Balls]:
    (symbols, slope), (_, curvature) = _compiled(risk, 1), _compiled(risk, 2)
    return symbols, slope, curvature


def _model(parameters: Mapping[str, Any], lam: Any) -> Model:
    return RISK.model({**parameters, "lam": lam}, "ba2022.best-ridge")
