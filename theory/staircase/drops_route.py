"""Second route to the drops: monomial moments by quadrature, the pencils' traces, and a linear solve.

Hermite polynomials, the Gram matrix's closed inverse and the Marchenko-Pastur transform do not enter: z^k is projected on
z by moments, the label's moments E[z^k y] follow from z = rho x + sqrt(1 - rho^2) g by the binomial theorem, and the
coefficients of the free fit come from a numerical solve. Source: statements.md, section 3 (``moniri2024``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import comb
from typing import Any

from pencils.exact.numbers import Number
from theory.register.model import Model
from theory.risk.route import Traces
from theory.spike.density import thetas
from theory.staircase.finite_errors_route import checked_parameters, present, quadrature, written

_GUARD = 10


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
        length, along = thetas(ctx, (ctx.one, moments[1], square, weighted), 1, model.values["psi1"], model.values["sigma_eps"])
        rho = along / length
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


def _quantity(parameters: Mapping[str, Any], digits: int, name: str) -> dict[str, Number]:
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
    return values if keep else values | written(checked, digits, name, degrees)


def training_loss(parameters: Mapping[str, Any], digits: int) -> dict[str, Number]:
    """The values of ``moniri2024.training-loss``."""
    return _quantity(parameters, digits, "delta")


def test_error(parameters: Mapping[str, Any], digits: int) -> dict[str, Number]:
    """The values of ``moniri2024.test-error``."""
    return _quantity(parameters, digits, "lambda")


test_error.__test__ = False  # type: ignore[attr-defined]  # the name of the entry, not a test


def drop(model: Model, digits: int, of: str, ell: int, keep_mean: bool = False) -> Number:
    """The drop ``of`` the training loss (delta) or of the test error (lambda) with ell spikes."""
    fit = FreeFit(model, range(1, ell + 1), keep_mean, digits)
    return fit.loss() if of == "delta" else fit.error()
