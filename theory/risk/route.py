"""Second route to the risks: every trace by linear pencils in X~, W0 and Z at once, Woodbury's identity for the step.

Each function maps (model, digits) to a number. Hermite data are mpmath quadratures. Nothing here uses the closed forms,
the Marchenko-Pastur transform or the roots of the first route. Source: statements.md, section 2 (``ba2022``, Theorem 7).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any

import sympy as sp

from pencils import Gaussian, Law, expected_trace
from pencils.exact.numbers import Number
from theory.activations.route import function_moments
from theory.quadrature.mp import context, number, rounded
from theory.register.model import Model
from theory.risk.update import (
    CROSS,
    DATA,
    MU1,
    MU2,
    RATIO,
    READOUT,
    THETA1,
    THETA2,
    bias_after,
    bias_before,
    bias_saturated,
)
from theory.spike.route import ModelKey, teacher_moments, theta1, theta2

n, d, N = sp.symbols("n d N", positive=True)
lam, mu1, mu2 = sp.symbols("lambda mu1 mu2", positive=True)
tau = sp.Symbol("tau", positive=True)  # weight of W0^T W0 in the resolvent: only derivatives at 0 are used
_GUARD = 15  # digits that differences of traces may lose
_SPECTRUM = ("psi1", "psi2", "lam", "activation", "mu1", "mu2")


@cache
def laws() -> dict[str, Law]:
    """Normalised traces of Phi0 = mu1 X~ W0 + mu2 Z, R = (Phi0^T Phi0 + lambda n/N + tau W0^T W0)^{-1} and
    K = Phi0 Phi0^T + lambda n/N, all entries of variance 1/N but those of W0, 1/d.

    A: (1/N) tr Phi0^T X~ X~^T Phi0 R. T: (1/N) tr R. C: (1/d) tr W0 R Phi0^T X~ and S: (1/N) tr W0^T W0 R at tau = 0.
    M1: (1/n) tr K^{-1}. M2: (1/d) tr X~^T K^{-1} X~.
    """
    X, W, Z = sp.MatrixSymbol("X", n, d), sp.MatrixSymbol("W", d, N), sp.MatrixSymbol("Z", n, N)
    features = mu1 * X * W + mu2 * Z
    inner, outer = features.T * features + lam * n / N * sp.Identity(N), features * features.T + lam * n / N * sp.Identity(n)
    R, weighted, K = inner.inverse(), (inner + tau * W.T * W).inverse(), outer.inverse()
    expressions = {
        "A": features.T * X * X.T * features * weighted,
        "T": weighted,
        "C": W * R * features.T * X,
        "S": W.T * W * R,
        "M1": K,
        "M2": X.T * K * X,
    }
    ensembles = {X: Gaussian(1 / N), W: Gaussian(1 / d), Z: Gaussian(1 / N)}
    return {name: expected_trace(expression, ensembles) for name, expression in expressions.items()}


@lru_cache(maxsize=512)
def _limit(name: str, slope: sp.Symbol | None, key: ModelKey, digits: int) -> sp.Expr:
    """A law of ``laws`` at a model, or its derivative in ``slope``, at tau = 0."""
    first, second = _activation(ModelKey(key.model, ("activation", "mu1", "mu2")), digits + _GUARD)
    psi1, psi2, ridge = (sp.Rational(str(key.model.values[name])) for name in ("psi1", "psi2", "lam"))
    values = {n: psi1, d: 1, N: psi2, lam: ridge, mu1: first, mu2: second, tau: 0}
    law = laws()[name]
    values = {symbol: value for symbol, value in values.items() if symbol in law.parameters}
    return (law if slope is None else law.diff(slope)).evaluate(values, digits=digits)


@lru_cache(maxsize=64)
def _activation(key: ModelKey, digits: int) -> tuple[sp.Rational, ...]:
    """(|mu1|, mu2) as decimals of that many digits."""
    values = key.model.values
    if "activation" not in values:
        return abs(sp.Rational(str(values["mu1"]))), sp.Rational(str(values["mu2"]))
    ctx = context(digits + 30)
    moments = function_moments(values["activation"].base, digits)
    mean, first, _, square, _ = (ctx.convert(value) for value in moments)
    rest = square - mean**2 - first**2
    second = ctx.sqrt(rest) if rest > ctx.mpf(10) ** -digits else ctx.zero
    return tuple(sp.Rational(rounded(ctx, value, digits)) for value in (abs(first), second))


def _teacher(model: Model, digits: int) -> tuple[Any, Any]:
    """(mu1*, mu2*^2)."""
    ctx = context(digits + 20)
    if "teacher" not in model.values:
        first, second = (number(ctx, model.values[name]) for name in ("mu1_star", "mu2_star"))
        return first, second**2
    overlap, square, _ = (ctx.convert(value) for value in teacher_moments(model, digits))
    return overlap, square - overlap**2


@cache
def _compiled(what: str) -> Callable[..., Any]:
    expression = {"before": bias_before, "after": bias_after, "saturated": bias_saturated}[what]()
    return sp.lambdify([MU1, MU2, RATIO, THETA1, THETA2, CROSS, *DATA, *READOUT], expression, modules="math", cse=True)


class Traces:
    """The limits at one model as numbers of one mpmath context, and the risks that they make."""

    def __init__(self, model: Model, digits: int) -> None:
        self.model, self.digits = model, digits + _GUARD
        self.ctx = context(self.digits + 20)
        key = ModelKey(model, ("activation", "mu1", "mu2"))
        self.mu1, self.mu2 = (self.number(value) for value in _activation(key, self.digits + _GUARD))
        psi1, self.psi2, ridge = (self.number(model.values[name]) for name in ("psi1", "psi2", "lam"))
        self.ratio = psi1 / self.psi2  # n/N
        self.ridge = ridge * self.ratio

    def number(self, value: Any) -> Any:
        value = sp.sympify(value)
        return self.ctx.mpf(value.p) / value.q if value.is_Rational else self.ctx.mpf(str(value))

    def limit(self, name: str, slope: sp.Symbol | None = None) -> Any:
        return self.number(_limit(name, slope, ModelKey(self.model, _SPECTRUM), self.digits))

    def squares(self, name: str) -> tuple[Any, Any, Any]:
        """The trace with R, with R^2 and with R W0^T W0 R for R: minus the derivatives in lambda n/N and in tau."""
        return self.limit(name), -self.limit(name, lam) / self.ratio, -self.limit(name, tau)

    def bias(self, what: str, theta1: Any = 0, theta2: Any = 0) -> Any:
        data = [self.psi2 * value for value in self.squares("A")]  # (1/d) tr for (1/N) tr
        readout = self.squares("T")
        return _compiled(what)(self.mu1, self.mu2, self.ratio, theta1, theta2, self.limit("C"), *data, *readout)

    def variance(self) -> Any:
        """(1/N) tr (mu1^2 W0^T W0 + mu2^2) R Phi0^T Phi0 R, with Phi0^T Phi0 = R^{-1} - lambda n/N."""
        plain, square, weighted = self.squares("T")
        return self.mu1**2 * (self.limit("S") - self.ridge * weighted) + self.mu2**2 * (plain - self.ridge * square)

    def gain(self) -> Any:
        """delta."""
        length, along = (self.ctx.mpf(f(self.model, self.digits)) for f in (theta1, theta2))
        if not along:
            return self.ctx.zero
        return self.teacher()[0] ** 2 * (self.bias("before") - self.bias("after", length, along))

    def saturated(self) -> Any:
        """delta with theta1 -> infinity at the angle of the model's step."""
        first, rest = self.teacher()
        values = self.model.values
        noise = rest + self.number(values["sigma_eps"]) ** 2
        cosine = first / self.ctx.sqrt(first**2 + (first**2 + noise) / self.number(values["psi1"]))
        return first**2 * (self.bias("before") - self.bias("saturated", 0, cosine))

    def teacher(self) -> Any:
        return _teacher(self.model, self.digits)

    def risk(self) -> Any:
        first, rest = self.teacher()
        noise = rest + self.number(self.model.values["sigma_eps"]) ** 2
        return first**2 * self.bias("before") + noise * self.variance() + rest


def bias(model: Model, digits: int) -> Number:
    """Coefficient of mu1*^2 in R0."""
    return Traces(model, digits).bias("before")


def variance(model: Model, digits: int) -> Number:
    """Coefficient of the noise in R0."""
    return Traces(model, digits).variance()


def r0(model: Model, digits: int) -> Number:
    """Risk before the step."""
    return Traces(model, digits).risk()


def delta(model: Model, digits: int) -> Number:
    """R0 - R1."""
    return Traces(model, digits).gain()


def r1(model: Model, digits: int) -> Number:
    """Risk after the step."""
    traces = Traces(model, digits)
    return traces.risk() - traces.gain()


def ceiling(model: Model, digits: int) -> Number:
    """Limit of delta as eta -> infinity."""
    return Traces(model, digits).saturated()


def m1(model: Model, digits: int) -> Number:
    """(1/n) tr K^{-1}."""
    return Traces(model, digits).limit("M1")


def m2(model: Model, digits: int) -> Number:
    """(1/(n d)) tr X~^T K^{-1} X~, X~ with entries of variance 1."""
    traces = Traces(model, digits)
    return traces.limit("M2") / traces.ratio


def first_equation(model: Model, digits: int) -> Number:
    """(m1 - m2)(mu2^2 m1 + mu1^2 m2)/psi1."""
    traces = Traces(model, digits)
    first, second = traces.limit("M1"), traces.limit("M2") / traces.ratio
    return (first - second) * (traces.mu2**2 * first + traces.mu1**2 * second) / (traces.ratio * traces.psi2)


def second_equation(model: Model, digits: int) -> Number:
    """(psi2/psi1)(mu1^2 m1 m2 + (m2 - m1)/psi1)."""
    traces = Traces(model, digits)
    first, second = traces.limit("M1"), traces.limit("M2") / traces.ratio
    return (traces.mu1**2 * first * second + (second - first) / (traces.ratio * traces.psi2)) / traces.ratio


def after(model: Model, digits: int, steps: int) -> Number:
    """Risk after t steps: that after one step of t times the learning rate."""
    eta = steps * model.values["eta"]
    return r1(Model({**model.values, "eta": eta}, {**model.given, "eta": str(eta)}, model.bindings), digits)
