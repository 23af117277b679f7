"""The features before the step: the law and the forms of its resolvent by pencils, and in closed form the traces of
S = (c_1^2 W0 W0^T + c_{>1}^2 + kappa)^-1. Source: statements.md, section 3.

F0/sqrt n behaves as Phi = c_1 X W^T + c_> Z: X (n x d) and Z (n x N) with entries of variance 1/n, W (N x d) of variance 1/d,
c_>^2 = sum_{k>=2} k! c_k^2. With Q = (s^2 - Phi Phi^T)^{-1} for s beyond the bulk.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

import sympy as sp

from pencils import Gaussian, Law, Spectrum, expected_trace, spectrum
from pencils.exact.numbers import as_float, refine
from theory.activations.hermite import HermiteExpansion

n, d, N = sp.symbols("n d N", positive=True)
_c1, _rest, _square = sp.symbols("c_1 c_r z", positive=True)
_GUARD = 12


@cache
def _laws() -> tuple[Spectrum, dict[str, Law]]:
    X, W, Z = sp.MatrixSymbol("X", n, d), sp.MatrixSymbol("W", N, d), sp.MatrixSymbol("Z", n, N)
    features = _c1 * X * W.T + _rest * Z
    ensembles = {X: Gaussian(1 / n), W: Gaussian(1 / d), Z: Gaussian(1 / n)}
    Q = (_square * sp.Identity(n) - features * features.T).inverse()
    inner = (_square * sp.Identity(N) - features.T * features).inverse()
    expressions = {
        "samples": Q,
        "inputs": X.T * Q * X,
        "neurons": inner,
        "readout": W * X.T * Q * X * W.T,
        "cross": W * X.T * Q * features,
    }
    laws = {name: expected_trace(expression, ensembles) for name, expression in expressions.items()}
    return spectrum(features * features.T, ensembles), laws


@dataclass(frozen=True)
class Bulk:
    """F0's law at exact (rational) phi, psi, c_1 and c_>; build it with :func:`bulk`."""

    phi: sp.Rational
    psi: sp.Rational
    c1: sp.Rational
    rest: sp.Rational

    def _values(self, laws: Any) -> dict[Any, Any]:
        values = {n: 1 / self.phi, d: sp.Integer(1), N: 1 / self.psi, _c1: abs(self.c1), _rest: self.rest}
        return {symbol: value for symbol, value in values.items() if symbol in laws.parameters}

    def edge(self, digits: int) -> sp.Expr:
        """The largest singular value of F0/sqrt n in the bulk."""
        law = _laws()[0]
        return sp.sqrt(law.edges(self._values(law), digits=digits)[-1])

    @lru_cache(maxsize=256)  # noqa: B019  (a frozen key; the cache is small)
    def forms(self, s: sp.Expr, digits: int) -> Mapping[str, sp.Expr]:
        """At s beyond the bulk: ``samples`` (1/n) tr Q, ``inputs`` (1/d) tr X^T Q X, ``neurons`` (1/N) tr (s^2 - Phi^T Phi)^{-1},
        ``readout`` (1/N) tr W X^T Q X W^T and ``cross`` (1/N) tr W X^T Q Phi, for c_1 > 0."""
        square = sp.Rational(str(sp.Float(s, digits + _GUARD))) ** 2
        laws = _laws()[1]
        return {name: law.evaluate({**self._values(law), _square: square}, digits=digits) for name, law in laws.items()}


@lru_cache(maxsize=64)
def _moments(activation: Any, digits: int) -> tuple[sp.Rational, sp.Rational]:
    sigma = HermiteExpansion(activation.centred())
    found = (as_float(refine(part.ball, digits, part.name), digits) for part in (sigma.mu1, sigma.mu2))
    first, rest = (sp.Rational(str(value)) for value in found)
    return first, rest


def bulk(parameters: Mapping[str, Any], digits: int) -> Bulk:
    """The law at checked parameters; irrational Hermite data as decimals of ``digits`` and some more."""
    first, rest = _moments(parameters["activation"], digits + _GUARD)
    phi, psi = (sp.Rational(value.numerator, value.denominator) for value in (parameters["phi"], parameters["psi"]))
    return Bulk(phi, psi, first, rest)


def traces(c: Any, rest: Any, omega: Any, psi: Any) -> tuple[tuple[Any, Any], ...]:
    """(value, -d/d kappa) of (1/d) tr W0^T S W0, (1/N) tr S, (1/N) tr S W0 W0^T and (1/N) tr S (W0 W0^T)^2; c = c_1^2,
    rest = c_{>1}^2 + kappa, psi = d/N, 1/omega = (1/d) tr (c_1^2 W0^T W0 + c_{>1}^2 + kappa)^-1. Balls or floats; derived in
    ``derivations.moniri2024.finite_errors``."""
    slope = 1 / (1 - c**2 / (psi * (omega + c) ** 2))  # d omega/d kappa
    w1, w1_slope = (1 - rest / omega) / c, (1 / omega - rest * slope / omega**2) / c
    plain, plain_slope = psi / omega + (1 - psi) / rest, psi * slope / omega**2 + (1 - psi) / rest**2
    once, once_slope = psi * w1, psi * w1_slope
    return (w1, w1_slope), (plain, plain_slope), (once, once_slope), ((1 - rest * once) / c, (once - rest * once_slope) / c)
