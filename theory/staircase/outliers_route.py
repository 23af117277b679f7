"""Second route to the strengths and thresholds of ``moniri2024.outliers``: quadrature, and the equations of ``adlam2020``.

Hermite data by quadrature; E h_k(p)^2 as a moment of two correlated Gaussians (Wick's formula); (1/n) tr Q and (1/(n d)) tr X^T Q X
from the two equations for m1 and m2 at lambda = -s^2, the edge where their Jacobian vanishes; the forms in W0^T a by Stein's lemma.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import comb, factorial
from typing import Any

from pencils.exact.numbers import Number
from theory.activations.activation import activation
from theory.activations.route import Z, as_mpmath, function_moments
from theory.functions.hermite_polynomials import hermite_polynomial
from theory.quadrature.mp import context, gaussian_means, number

_LEVELS, _GUARD = 4, 12


def outliers(sample: Mapping[str, str], digits: int) -> dict[str, Number]:
    """``edge``, the thresholds, ``strengths[i]`` and ``crossings[i]`` at a sample's parameters."""
    ctx = context(digits + 20)
    phi, psi, alpha, n, noise = (number(ctx, sample[name]) for name in ("phi", "psi", "alpha", "n", "sigma_eps"))
    factor = number(ctx, sample.get("c", "1"))
    c, square, slope = _activation(ctx, sample["activation"], digits + _GUARD)
    mean, first, _, energy, _ = _means(ctx, activation(sample["teacher"]).base, digits + _GUARD)
    residual = energy - mean**2 + noise**2 + square
    length = first**2 + c[1] ** 2 + phi * residual
    own = phi * residual * (slope - c[1] ** 2)

    constants = (phi, psi, c[1], square - c[1] ** 2)
    edge = _edge(ctx, constants)
    s = edge * ctx.mpf(21) / 20
    samples, inputs = (u / s**2 for u in _walk(ctx, constants, -(s**2))[:2])  # -(psi/phi) m_i at lambda = -s^2
    neurons = psi / phi * samples + (1 - psi / phi) / s**2
    cross = c[1] * inputs * s**2 * neurons  # Stein's lemma in W0
    part = c[1] ** 2 / length
    along = (1 - part) * inputs + part * inputs * (1 + c[1] * cross)
    limits = [
        1 / (s * ctx.sqrt(along * neurons) - abs(c[1]) / ctx.sqrt(length) * abs(cross)),
        1 / (s * ctx.sqrt(samples * neurons)),
    ]

    found = {"edge": edge, "threshold_first": limits[0], "threshold": limits[1]}
    rho, sigma = c[1] ** 2 * length, c[1] ** 2 * length + own
    for k in range(1, _LEVELS + 1):
        wick = sum(factorial(j) * comb(k, j) ** 2 * _odd(k - j) ** 2 * rho**j * sigma ** (k - j) for j in range(k % 2, k + 1, 2))
        width = n * phi / psi
        strength = abs(c[k]) * (factor * n**alpha) ** k * ctx.sqrt(wick * _odd(2 * k) * width ** (1 - k))
        vanishes = strength < ctx.mpf(10) ** (-digits)
        found[f"strengths[{k - 1}]"] = ctx.zero if vanishes else strength
        growth = k * alpha - ctx.mpf(k - 1) / 2
        if not vanishes and growth > ctx.mpf(10) ** (-digits):
            found[f"crossings[{k - 1}]"] = n * (limits[min(k, 2) - 1] / strength) ** (1 / growth)
    return found


def _odd(k: int) -> int:
    """E g^k of a standard normal g, for even k."""
    return factorial(k) // (2 ** (k // 2) * factorial(k // 2))


def _means(ctx: Any, expr: Any, digits: int) -> list[Any]:
    return [ctx.convert(value) for value in function_moments(expr, digits)]


def _activation(ctx: Any, text: str, digits: int) -> tuple[list[Any], Any, Any]:
    """(c_0 .. c_4 with c_0 = 0, E sigma^2, E sigma'^2) of the centred activation."""
    base = activation(text).base
    function = as_mpmath(base)

    def integrand(z: Any) -> list[Any]:
        f = function(ctx, z)
        return [f * sum(int(c) * z**power for power, c in enumerate(hermite_polynomial(k))) for k in range(_LEVELS + 1)] + [f * f]

    *c, square = gaussian_means(ctx, integrand, {0}, digits)
    slope = _means(ctx, base.diff(Z), digits)[3]
    return [ctx.zero, *(value / factorial(k) for k, value in enumerate(c) if k)], square - c[0] ** 2, slope


def _equations(constants: tuple[Any, ...], u1: Any, u2: Any, ridge: Any) -> tuple[Any, Any]:
    """The two equations in u_i = lambda (psi/phi) m_i, which tend to 1 as lambda -> -infinity; scaled to stay of order one."""
    phi, psi, c1, rest = constants
    k = phi / psi / ridge
    shared = c1**2 * u1 * u2 * (u1 - 1)
    return (
        phi * (u1 - u2) * (rest * u1 + c1**2 * u2) + shared,
        phi / psi * (k * c1**2 * u1 * u2 + phi * (u2 - u1)) + k * shared,
    )


def _jacobian(constants: tuple[Any, ...], u1: Any, u2: Any, ridge: Any) -> Any:
    """The determinant of the equations' derivative in (u1, u2)."""
    phi, psi, c1, rest = constants
    k = phi / psi / ridge
    slope1, slope2 = c1**2 * u2 * (2 * u1 - 1), c1**2 * u1 * (u1 - 1)
    a11 = phi * (2 * rest * u1 + (c1**2 - rest) * u2) + slope1
    a12 = phi * ((c1**2 - rest) * u1 - 2 * c1**2 * u2) + slope2
    a21 = phi / psi * (k * c1**2 * u2 - phi) + k * slope1
    a22 = phi / psi * (k * c1**2 * u1 + phi) + k * slope2
    return a11 * a22 - a12 * a21


def _walk(ctx: Any, constants: tuple[Any, ...], target: Any | None) -> tuple[Any, Any, Any]:
    """(u1, u2, lambda) followed from far left to ``target``, or, without one, as far as Newton's method finds a real root."""
    ridge, point = -ctx.mpf(1000), (ctx.one, ctx.one)
    while target is None or ridge < target:
        try:
            found = ctx.findroot(lambda a, b, r=ridge: _equations(constants, a, b, r), point, tol=1e-20)
        except ValueError:
            if target is not None:
                raise
            return (*point, ridge / ctx.mpf("0.97"))
        point, ridge = (found[0], found[1]), ridge * ctx.mpf("0.97")
    found = ctx.findroot(lambda a, b: _equations(constants, a, b, target), point)
    return found[0], found[1], target


def _edge(ctx: Any, constants: tuple[Any, ...]) -> Any:
    """The largest singular value of F0/sqrt n in the bulk: where two roots of the equations meet."""
    start = _walk(ctx, constants, None)
    found = ctx.findroot(lambda a, b, ridge: (*_equations(constants, a, b, ridge), _jacobian(constants, a, b, ridge)), start)
    return ctx.sqrt(-found[2])
