"""A second way to the best etabar and lambda: the stationary point of the second route's risk, in balls."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from theory.large_step_best import newton
from theory.large_step_route import risk_only
from theory.model import check_parameters


def best(parameters: Mapping[str, Any], digits: int) -> dict[str, Any]:
    """``etabar``, ``lam`` and ``risk`` near etabar = 4, lam = 1/10, for a minimum inside the range."""
    p = check_parameters(parameters, parameters, "large-step.best")

    def risk(x: Any) -> float:
        return risk_only({**p, "etabar": Fraction(math.exp(x[0])), "lam": Fraction(math.exp(x[1]))}, 10)

    place = newton(risk, (math.log(4), math.log(0.1)), 0.03)
    if place is None:
        return {}
    return {"etabar": math.exp(place[0]), "lam": math.exp(place[1]), "risk": risk(place)}
