"""Second route to the drops: monomial moments by quadrature, the pencils' traces, and a linear solve.

Hermite polynomials, the Gram matrix's closed inverse and the Marchenko-Pastur transform do not enter: z^k is projected on
z by moments, the label's moments E[z^k y] follow from z = rho x + sqrt(1 - rho^2) g by the binomial theorem, and the
coefficients of the free fit come from a numerical solve. Source: statements.md, section 3 (``moniri2024``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from math import comb
from typing import Any

from theory.proof.symbols import COMMON
from theory.register.model import Model
from theory.risk.route import Traces
from theory.spike import route as routes
from theory.spike.density import context, gaussian_means, thetas

_GUARD = 10


@lru_cache(maxsize=64)
def quadrature(expr: Any, powers: int, digits: int) -> tuple[Any, ...]:
    """E f, E z f, ..., E z^powers f, then E f^2 and E (z f)^2."""
    ctx, function = context(digits + 20), routes.as_mpmath(expr)

    def integrand(z: Any) -> list[Any]:
        f = function(ctx, z)
        return [*(f * z**power for power in range(powers + 1)), f * f, (z * f) ** 2]

    return tuple(gaussian_means(ctx, integrand, set(), digits))


class FreeFit:
    """The fit of y by the powers of z with the weights m2 on what is linear in x and m1 on the rest, as numbers."""

    def __init__(self, model: Model, powers: Sequence[int], keep_mean: bool, digits: int) -> None:
        self.traces = Traces(model, digits + _GUARD)
        self.ctx = ctx = self.traces.ctx
        *moments, square, weighted = (
            ctx.convert(value) for value in quadrature(model.values["teacher"].base, max(*powers, 4), digits + 2 * _GUARD)
        )
        if not keep_mean:
            mean = moments[0]
            square, weighted = square - mean**2, weighted - 2 * mean * moments[2] + mean**2
            moments = [value - mean * self._moment(power) for power, value in enumerate(moments)]
        # theta1/theta2 of a unit step: the angle, by the finite-size second moment of X^T y
        length, along = thetas(
            ctx, (ctx.one, moments[1], square, weighted), 1, model.values["psi1"], model.values["sigma_eps"], digits + _GUARD
        )
        rho = ctx.mpf(along) / ctx.mpf(length)
        rest = ctx.sqrt(1 - rho**2)
        self.linear = [self._moment(k + 1) for k in powers]  # E z z^k
        with_label = [
            sum(comb(k, i) * rho**i * rest ** (k - i) * moments[i] * self._moment(k - i) for i in range(k + 1)) for k in powers
        ]
        self.label = [value - h * moments[1] * rho for value, h in zip(with_label, self.linear, strict=True)]
        self.squares = [
            [self._moment(j + k) - first * second for k, second in zip(powers, self.linear, strict=True)]
            for j, first in zip(powers, self.linear, strict=True)
        ]
        self.signal, self.rho = moments[1], rho
        self.m1 = self.traces.limit("M1")
        self.m2 = self.traces.limit("M2") / self.traces.ratio

    def _moment(self, power: int) -> Any:
        """E z^power, as a product of odd numbers."""
        if power % 2:
            return self.ctx.zero
        value = self.ctx.one
        for odd in range(1, power, 2):
            value *= odd
        return value

    def solve(self) -> tuple[list[Any], list[Any]]:
        """(g, theta), M theta = g."""
        ctx, size = self.ctx, len(self.linear)
        M = ctx.matrix(size, size)
        for j in range(size):
            for k in range(size):
                M[j, k] = self.m1 * self.squares[j][k] + self.m2 * self.linear[j] * self.linear[k]
        g = [self.m2 * h * self.signal * self.rho + self.m1 * r for h, r in zip(self.linear, self.label, strict=True)]
        return g, list(ctx.lu_solve(M, ctx.matrix(g)))

    def loss(self) -> Any:
        """lambda (n/N) g^T M^-1 g."""
        g, theta = self.solve()
        return self.traces.ridge * sum(one * other for one, other in zip(g, theta, strict=True))

    def error(self) -> Any:
        """The error before less that of the same ridge regression on what the free fit leaves."""
        _, theta = self.solve()
        along = sum(h * one for h, one in zip(self.linear, theta, strict=True))
        linear = 2 * self.signal * self.rho * along - along**2
        cross = sum(r * one for r, one in zip(self.label, theta, strict=True))
        square = sum(one * self.squares[j][k] * other for j, one in enumerate(theta) for k, other in enumerate(theta))
        return self.traces.bias("before") * linear + (1 + self.traces.variance()) * (2 * cross - square)


def _quantity(parameters: Mapping[str, Any], digits: int, name: str) -> dict[str, str]:
    from theory.staircase.features import model

    checked = checked_parameters(parameters)
    found, keep = model(checked), not checked.get("centre", True)
    degrees = present(checked["activation"].base, checked["ell"])
    fits = {ell: FreeFit(found, [k for k in degrees if k <= ell], keep, digits) for ell in range(1, checked["ell"] + 1)}
    last = fits[checked["ell"]]
    drop: Callable[[FreeFit], Any] = FreeFit.loss if name == "delta" else FreeFit.error
    values = {f"{name}_{ell}": drop(fit) for ell, fit in fits.items()}
    if name == "delta":
        values |= {"m1": last.m1, "m2": last.m2}
    else:
        values |= {"bias": last.traces.bias("before"), "variance": last.traces.variance()}
    shown = {key: str(last.ctx.nstr(value, digits + 5)) for key, value in values.items()}
    return shown if keep else shown | written(checked, digits, name, degrees)


def hermite_moments(moments: Sequence[Any], order: int) -> list[Any]:
    """E f He_k, k <= order, from E f z^j, by the recurrence of He_k."""
    rows = [[1], [0, 1]]
    for k in range(1, order):
        above, below = [0, *rows[k]], [*rows[k - 1], 0, 0]
        rows.append([one - k * other for one, other in zip(above, below, strict=True)])
    return [sum(c * m for c, m in zip(row, moments, strict=False)) for row in rows[: order + 1]]


def present(activation: Any, ell: int) -> list[int]:
    """The k <= ell with E sigma(z) He_k(z) != 0, by quadrature to 20 digits."""
    found = hermite_moments(quadrature(activation, ell, 25), ell)
    return [k for k in range(1, ell + 1) if abs(found[k]) > 1e-20]


def written(given: Mapping[str, Any], digits: int, name: str, degrees: Sequence[int]) -> dict[str, str]:
    """The drops with the spikes of the step as it is written."""
    from theory.staircase.finite_errors_route import Loss

    place, step = ("delta", "lambda").index(name), {**given, "spikes": "step"}
    before = Loss(step, [], True, digits)
    start, found = before.errors()[place], {}
    for ell in range(1, given["ell"] + 1):
        after = Loss(step, [k for k in degrees if k <= ell], True, digits).errors()[place]
        found[f"step_{name}_{ell}"] = str(before.ctx.nstr(start - after, digits + 5))
    return found


def checked_parameters(parameters: Mapping[str, Any]) -> dict[str, Any]:
    return {name: COMMON.entry(name).domain.check(name, value) for name, value in parameters.items()}


def training_loss(parameters: Mapping[str, Any], digits: int) -> dict[str, str]:
    """The values of ``moniri2024.training-loss``."""
    return _quantity(parameters, digits, "delta")


def test_error(parameters: Mapping[str, Any], digits: int) -> dict[str, str]:
    """The values of ``moniri2024.test-error``."""
    return _quantity(parameters, digits, "lambda")


test_error.__test__ = False  # type: ignore[attr-defined]  # the name of the entry, not a test


def _claim(name: str, ell: int, keep_mean: bool = False) -> Callable[[Model, int], str]:
    def route(model: Model, digits: int) -> str:
        fit = FreeFit(model, range(1, ell + 1), keep_mean, digits)
        return str(fit.ctx.nstr(fit.loss() if name == "delta" else fit.error(), digits + 5))

    return route


delta_1, delta_2, delta_3, delta_4 = (_claim("delta", ell) for ell in (1, 2, 3, 4))
lambda_1, lambda_2, lambda_3, lambda_4 = (_claim("lambda", ell) for ell in (1, 2, 3, 4))
delta_with_mean = _claim("delta", 2, keep_mean=True)
