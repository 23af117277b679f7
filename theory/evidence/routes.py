"""Two routes to one number that share no formula: what a second route is, and how the two are compared digit by digit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from pencils.errors import PrecisionError
from pencils.exact.numbers import Number, agreement
from theory.evidence.printed import shown
from theory.evidence.verdict import Routes
from theory.load import load
from theory.register.evaluate import evaluate, value_of
from theory.register.forms import reading
from theory.register.kinds import Kind
from theory.register.model import Model
from theory.register.record import Claim, Quantity, Statement
from theory.register.sampler import border_models

_BORDER_DIGITS = 10  # enough to tell the sides of a border apart


class Route(Protocol):
    """A second way to a claim's value: a number right to ``digits`` digits, or a truth value. Never text."""

    def __call__(self, model: Model, digits: int) -> Number | bool: ...


class QuantityRoute(Protocol):
    """A second way to the numbers of a quantity, by name, at parameters as they are given; a list as name[0], name[1], ..."""

    def __call__(self, sample: Mapping[str, str], digits: int) -> Mapping[str, Number | Sequence[Number]]: ...


def agreed_digits(first: Number | bool, second: Number | bool, digits: int) -> int:
    """To how many digits two values agree, at most ``digits``; truth values to all or to none."""
    if isinstance(first, bool) or isinstance(second, bool):
        return digits if first is second else 0
    return agreement(first, second, digits)


def written(value: Any, digits: int) -> Any:
    """A second route's value for a witness: an mpf as text of ``digits`` digits, a truth value as it is, the rest as it shows."""
    if hasattr(value, "_mpf_") and hasattr(value, "context"):  # a ball has the first too
        return str(value.context.nstr(value, digits))
    return value if isinstance(value, bool) else str(value)


def two_routes(statement: Statement, claim: Claim, points: list[Model], digits: int) -> Routes:
    """The registered form of a claim against its second route at models of the hypotheses.

    Truth values have no digits: they agree or not, at the models and at models on both sides of the border. A model at
    which a route cannot decide at this precision is not counted.
    """
    if claim.route is None or not claim.numeric:
        return Routes()
    route: Route = load(claim.route)
    form = reading(statement).forms("derived")[claim.name]
    threshold = claim.kind == Kind.THRESHOLD
    if threshold:
        points, digits = [*points, *border_models(statement, form, points)], min(digits, _BORDER_DIGITS)
    least, used, worst = digits, 0, {}
    for model in points:
        if used == claim.models:
            break
        try:
            first, second = value_of(form, model, digits + 5, claim.name), route(model, digits + 5)
        except PrecisionError:
            continue
        used += 1
        agreed = agreed_digits(first, second, digits)
        if agreed < digits:
            other = shown(second) if hasattr(second, "mid") else written(second, digits + 10)
            worst = {"model": dict(model.given), "derived": shown(first), "second route": other}
        least = min(least, agreed)
    if not used or (threshold and not worst):
        return Routes(None, used, digits)
    return Routes(least, used, digits, worst)


def sample_routes(quantity: Quantity, digits: int) -> Routes:
    """The values of a quantity against its second route at its samples, those that are numbers."""
    if quantity.route is None:
        return Routes()
    route: QuantityRoute = load(quantity.route)
    worst, least = dict[str, Any](), digits
    guard = 5 if quantity.digits is None else 1  # where digits are scarce none is spent that need not be
    for sample in quantity.samples:
        first = _numbers(_flatten(evaluate(quantity, sample, digits + guard).forms[""]))
        second = _flatten(route(sample, digits + guard))
        for name in first.keys() | second.keys():
            if name not in first or name not in second:
                least, worst = 0, {"model": dict(sample), "value": name, "missing in": "one route"}
                continue
            agreed = agreed_digits(first[name], second[name], digits)
            if agreed < digits:
                values = {"first": shown(first[name], digits), "second route": written(second[name], digits + guard + 5)}
                worst = {"model": dict(sample), "value": name, **values}
            least = min(least, agreed)
    return Routes(least, len(quantity.samples), digits, worst)


def _numbers(values: Mapping[str, Any]) -> dict[str, Any]:
    """What two routes can be compared on: words and truth values are not numbers."""
    return {name: value for name, value in values.items() if value is not None and not isinstance(value, (bool, str))}


def _flatten(values: Mapping[str, Any]) -> dict[str, Any]:
    flat = {}
    for name, value in values.items():
        if isinstance(value, list):
            flat.update({f"{name}[{place}]": part for place, part in enumerate(value)})
        else:
            flat[name] = value
    return flat
