"""Second route to the risk after t steps: the pencils' risk after one step of t times the learning rate."""

from __future__ import annotations

from theory.register.model import Model
from theory.risk import route as risk_pencil


def _after(steps: int, model: Model, digits: int) -> str:
    eta = steps * model.values["eta"]
    return risk_pencil.r1(Model({**model.values, "eta": eta}, {**model.given, "eta": str(eta)}, model.bindings), digits)


def after_1(model: Model, digits: int) -> str:
    """Risk after one step."""
    return _after(1, model, digits)


def after_2(model: Model, digits: int) -> str:
    """Risk after two steps."""
    return _after(2, model, digits)


def after_3(model: Model, digits: int) -> str:
    """Risk after three steps."""
    return _after(3, model, digits)
