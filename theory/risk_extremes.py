"""Second routes to limits of the risk: the full forms of Theorem 7, certified, at an extreme value of the parameter.

They test that a limit was taken rightly, not the theorem itself. Each function maps (model, digits) to a ball.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from pencils.numbers import bits_for, to_ball, working_precision
from theory.density_route import context
from theory.evaluate import evaluate
from theory.model import HERMITE, Model
from theory.register import statement


def _at(model: Model, digits: int, **changes: str) -> dict[str, Any]:
    """Balls of the derived column of Theorem 7; what the limit does not use takes any value. Hermite data are put in as exact
    numbers within 10^-2k of their own: the digits that a limit loses are not asked of a quadrature."""
    given = {"eta": "1", "sigma_eps": "0", "psi1": "1", "psi2": "1", "lam": "1"}
    given |= {name: text for name, text in model.given.items() if name in given} | changes
    given |= {name: _decimal(model, name, 2 * digits) for name in HERMITE}
    return dict(evaluate(statement("ba2022.theorem-7"), given, digits + 8).forms["derived"])


def _decimal(model: Model, name: str, digits: int) -> str:
    """A Hermite datum of the model, or 1 where its function is not given."""
    if not {name, HERMITE[name]} & set(model.given):
        return "1"
    with working_precision(bits_for(digits)):
        return model.ball(name, bits_for(digits)).mid().str(digits, radius=False)  # type: ignore[no-any-return]


def _extreme(digits: int) -> int:
    """Power of ten at which a correction of the first order is below the digits asked for."""
    return digits + 12


def _times(ball: Any, factor: Any, digits: int) -> Any:
    with working_precision(bits_for(2 * digits)):
        return ball * to_ball(factor)


def population_risk(model: Model, digits: int) -> Any:
    """R0 at psi1 = 10^k."""
    return _at(model, digits, psi1=f"1e{_extreme(digits)}")["R0"]


def population_gain(model: Model, digits: int) -> Any:
    """delta at psi1 = 10^k."""
    return _at(model, digits, psi1=f"1e{_extreme(digits)}")["delta"]


def wide(model: Model, digits: int) -> Any:
    """psi2 delta at psi2 = 10^k."""
    width = 10 ** _extreme(digits)
    return _times(_at(model, digits, psi2=str(width))["delta"], width, digits)


def ridgeless_bias(model: Model, digits: int) -> Any:
    """The bias at lambda = 10^-k."""
    return _at(model, digits, lam=f"1e-{_extreme(digits)}")["bias"]


def ridgeless_variance(model: Model, digits: int) -> Any:
    """The variance at lambda = 10^-k."""
    return _at(model, digits, lam=f"1e-{_extreme(digits)}")["variance"]


def ridgeless_risk(model: Model, digits: int) -> Any:
    """R0 at lambda = 10^-k."""
    return _at(model, digits, lam=f"1e-{_extreme(digits)}")["R0"]


def ridgeless_gain(model: Model, digits: int) -> Any:
    """delta at lambda = 10^-k."""
    return _at(model, digits, lam=f"1e-{_extreme(digits)}")["delta"]


def peak(model: Model, digits: int) -> Any:
    """sqrt(lambda) R0 at lambda = 10^-2k and psi1 = psi2: the correction is of order sqrt(lambda)."""
    power = _extreme(digits)
    return _times(_at(model, digits, psi1=model.given["psi2"], lam=f"1e-{2 * power}")["R0"], Fraction(1, 10**power), digits)


def null_risk(model: Model, digits: int) -> Any:
    """R0 at lambda = 10^k."""
    return _at(model, digits, lam=f"1e{_extreme(digits)}")["R0"]


def null_gain(model: Model, digits: int) -> Any:
    """lambda delta at lambda = 10^k."""
    ridge = 10 ** _extreme(digits)
    return _times(_at(model, digits, lam=str(ridge))["delta"], ridge, digits)


def half(model: Model, digits: int) -> Any:
    """The eta at which the certified delta is half of its ceiling, by bracketing."""
    ctx = context(2 * digits)

    def gap(eta: Any) -> Any:
        values = _at(model, 2 * digits, eta=str(ctx.nstr(eta, 2 * digits)))
        with working_precision(bits_for(2 * digits)):
            return ctx.mpf((2 * values["delta"] / values["ceiling"] - 1).mid().str(2 * digits, radius=False))

    high = ctx.one
    while gap(high) < 0:
        high *= 2
    root = ctx.findroot(gap, (ctx.mpf("1e-6"), high), solver="anderson", tol=ctx.mpf(10) ** (-2 * digits + 10), verify=False)
    return str(ctx.nstr(root, digits + 5))


def best_ridge(sample: Mapping[str, str], digits: int) -> dict[str, str]:
    """The best lambda from central differences of the certified risks in lambda, 10^-k apart, by the secant method."""
    ctx = context(3 * digits)
    step = ctx.mpf(10) ** -(digits // 2 + 5)
    full = statement("ba2022.theorem-7")

    def at(ridge: Any) -> dict[str, Any]:
        values = evaluate(full, {**sample, "lam": str(ctx.nstr(ridge, 3 * digits))}, 2 * digits + 10).forms["derived"]
        with working_precision(bits_for(3 * digits)):
            return {name: ctx.mpf(values[name].mid().str(2 * digits + 5, radius=False)) for name in ("R0", "R1", "delta")}

    def minimum(risk: str) -> Any:
        start = min((ctx.mpf(10) ** (k / 4) for k in range(-16, 17)), key=lambda ridge: at(ridge)[risk])
        return ctx.findroot(lambda x: at(x + step)[risk] - at(x - step)[risk], (start, start * 1.1), verify=False,
                            tol=ctx.mpf(10) ** (-3 * digits), maxsteps=30)  # fmt: skip

    found: dict[str, Any] = {}
    for place, risk in ((0, "R0"), (1, "R1")):
        ridge = minimum(risk)
        values = at(ridge) | {"lam": ridge}
        found |= {f"lam{place}": values["lam"], f"{risk}_at_lam{place}": values[risk], f"delta_at_lam{place}": values["delta"]}
    return {name: str(ctx.nstr(value, digits)) for name, value in found.items()}
