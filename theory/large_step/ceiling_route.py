"""A second way to ``small_step_ceiling`` of ``large-step.risk``: R0 - mu1*^2 gamma^2 Bias, in closed forms of its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import flint
from flint import arb

from pencils.exact.numbers import to_ball
from theory.activations.hermite import HermiteExpansion


def small_step_ceiling(p: Mapping[str, Any], gamma: Any) -> Any:
    """R0 - mu1*^2 gamma^2 Bias by section 2 of the sheet: s from lambda = s (1 - df1), m(z) and m'(z) in closed form."""
    bits = int(flint.ctx.prec)
    sigma, teacher = (HermiteExpansion(p[name].centred()) for name in ("activation", "teacher"))
    one, two = (value.ball(bits) for value in (sigma.mu1, sigma.mu2_squared))
    star, rest = (value.ball(bits) for value in (teacher.mu1, teacher.mu2_squared))
    one, star = one**2, star**2
    psi1, psi2, lam, noise = (to_ball(p[name]) for name in ("psi1", "psi2", "lam", "sigma_eps"))

    def transform(s: Any) -> tuple[Any, Any, Any]:
        z = -(two + s) / one
        m = -(z + 1 - psi2 + ((z + 1 - psi2) ** 2 - 4 * z).sqrt()) / (2 * z)
        slope = 1 / (1 / m**2 - psi2 / (1 + m) ** 2)
        return z, m, slope

    def df1(s: Any) -> Any:
        z, m, _ = transform(s)
        return psi2 / psi1 * (1 - s / one * (m / psi2 - (1 - 1 / psi2) / z))

    low, high = arb(0), lam + psi2 / psi1 * (one + two) + 1
    for _ in range(bits + 20):
        middle = ((low + high) / 2).mid()
        low, high = (middle, high) if middle * (1 - df1(middle)) < lam else (low, middle)
    s = middle
    z, m, slope = transform(s)
    companion, companion_slope = m / psi2 - (1 - 1 / psi2) / z, slope / psi2 + (1 - 1 / psi2) / z**2
    df2 = psi2 / psi1 * (1 - 2 * s / one * companion + (s / one) ** 2 * companion_slope)
    bias = (1 - (1 + z * m) - s / one * (m + z * slope)) / (1 - df2)
    start = (noise**2 + rest) / (1 - df2) - noise**2 + star * bias
    return start - star * gamma**2 * bias
