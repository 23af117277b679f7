"""Traces of S = (c_1^2 W0 W0^T + c_{>1}^2 + kappa)^-1 in the limit, and their derivatives: balls or floats.

1/omega = (1/d) tr (c_1^2 W0^T W0 + c_{>1}^2 + kappa)^-1. Source: statements.md, section 3; derived in
``derivations.moniri2024.finite_errors``.
"""

from __future__ import annotations

from typing import Any


def traces(c: Any, rest: Any, omega: Any, psi: Any) -> tuple[tuple[Any, Any], ...]:
    """(value, -d/d kappa) of (1/d) tr W0^T S W0, (1/N) tr S, (1/N) tr S W0 W0^T and (1/N) tr S (W0 W0^T)^2; c = c_1^2,
    rest = c_{>1}^2 + kappa, psi = d/N."""
    slope = 1 / (1 - c**2 / (psi * (omega + c) ** 2))  # d omega/d kappa
    w1, w1_slope = (1 - rest / omega) / c, (1 / omega - rest * slope / omega**2) / c
    plain, plain_slope = psi / omega + (1 - psi) / rest, psi * slope / omega**2 + (1 - psi) / rest**2
    once, once_slope = psi * w1, psi * w1_slope
    return (w1, w1_slope), (plain, plain_slope), (once, once_slope), ((1 - rest * once) / c, (once - rest * once_slope) / c)
