"""Values of an entry at a model: forms are parsed, expanded, and enclosed until the digits asked for are proven."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pencils.errors import InputError, PrecisionError
from pencils.exact.numbers import as_float, bits_for, check_digits, decimal, refine, working_precision
from theory.load import load
from theory.register.forms import reading
from theory.register.model import Model
from theory.register.parameters import check_parameters
from theory.register.record import COLUMNS, Computed, Entry, Quantity, Statement

if TYPE_CHECKING:
    import sympy as sp


def value_of(form: sp.Basic, model: Model, digits: int, what: str = "value") -> Any:
    """Ball proving ``digits`` digits of a form at a model, or its truth value if it is a comparison."""
    import sympy as sp

    from pencils.exact.balls import enclose
    from theory.proof.identity import select_branches

    if isinstance(form, (sp.core.relational.Relational, sp.logic.boolalg.BooleanAtom)):
        return holds(form, model, digits)

    def compute(bits: int) -> Any:
        balls = {symbol: model.ball(symbol.name, bits) for symbol in form.free_symbols}
        chosen = select_branches(form, balls, lambda relation: holds(relation, model, digits))
        return enclose(chosen, {symbol: balls[symbol] for symbol in chosen.free_symbols})

    return refine(compute, digits, what)


def holds(relation: sp.Basic, model: Model, digits: int) -> bool:
    """Truth of a comparison at a model. Enclosures decide it; where they overlap, an exact proof of equality does.

    Raises PrecisionError where neither can, which means that the two sides agree to several times ``digits`` digits.
    """
    from theory.proof.algebra import vanishes
    from theory.proof.identity import truth

    if not getattr(relation, "free_symbols", None):
        return bool(relation)
    bits = bits_for(digits)
    for attempt in range(5):
        with working_precision(bits):
            answer = truth(relation, {symbol: model.ball(symbol.name, bits) for symbol in relation.free_symbols})
        if answer is not None:
            return answer
        if attempt == 0:
            exact = {symbol: model.exact(symbol.name) for symbol in relation.free_symbols}
            if None not in exact.values():
                gap = (relation.lhs - relation.rhs).subs(exact)
                if vanishes(gap) or gap.equals(0):
                    return type(relation).__name__ in ("GreaterThan", "LessThan", "Equality")
        bits *= 2
    raise PrecisionError(
        f"{relation} cannot be decided: the two sides agree to about {int(bits / 7)} digits, and no exact form shows them equal"
    )


@dataclass(frozen=True)
class Evaluation:
    """Values of an entry: ``forms`` maps a column to named balls, truth values or lists (one unnamed column for a
    quantity)."""

    entry: Entry
    forms: Mapping[str, Mapping[str, Any]]
    digits: int
    given: Mapping[str, str]
    hypotheses: Mapping[str, bool] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    reported: tuple[Mapping[str, Any], ...] = ()

    def values(self) -> dict[str, Any]:
        """The values as ``sympy.Float`` carrying the digits asked for, truth values, or lists."""
        return self._mapped(lambda ball: as_float(ball, self.digits))

    def texts(self) -> dict[str, Any]:
        """The values as decimal strings of the digits asked for, truth values, or lists."""
        return self._mapped(lambda ball: _text(ball, self.digits))

    def _mapped(self, show: Any) -> dict[str, Any]:
        def each(value: Any) -> Any:
            if isinstance(value, list):
                return [each(part) for part in value]
            if isinstance(value, dict):
                return {name: each(part) for name, part in value.items()}
            return value if value is None or isinstance(value, (bool, str)) else show(value)

        mapped = {column: each(dict(values)) for column, values in self.forms.items()}
        return mapped[""] if set(mapped) == {""} else mapped


def _text(ball: Any, digits: int) -> Any:
    from flint import acb

    if isinstance(ball, acb):
        return [decimal(ball.real, digits), decimal(ball.imag, digits)]
    return decimal(ball, digits)


def evaluate(entry: Entry, parameters: Mapping[str, Any], digits: Any = 30) -> Evaluation:
    """Evaluate an entry of the register; every error is an InputError or PrecisionError of one line."""
    digits = check_digits(digits)
    return _quantity(entry, parameters, digits) if isinstance(entry, Quantity) else _statement(entry, parameters, digits)


def _quantity(entry: Quantity, parameters: Mapping[str, Any], digits: int) -> Evaluation:
    checked = check_parameters(parameters, [*entry.parameters, *entry.optional], entry.key, entry.alphabet)
    missing = [name for name in entry.parameters if name not in checked]
    if missing:
        raise InputError(
            f"{entry.key}: missing {', '.join(missing)}; it needs {', '.join(entry.parameters)}"
            + (f" and takes {', '.join(entry.optional)}" if entry.optional else "")
        )
    found = load(entry.compute)(checked, digits)
    computed = found if isinstance(found, Computed) else Computed(found)
    given = {name: str(value) for name, value in parameters.items()}
    reported: tuple[Mapping[str, Any], ...] = ()
    if entry.reported:
        from theory.register.reported import judged

        reported = tuple(judged(entry, given, computed.values))
    return Evaluation(entry, {"": computed.values}, digits, given, computed.hypotheses, (*entry.notes, *computed.notes), reported)


def build_model(statement: Statement, parameters: Mapping[str, Any]) -> Model:
    """The model at which a statement is evaluated, checked against what its forms need."""
    if not statement.numeric:
        raise InputError(f"{statement.key} has no claim with a value; see verify, derive or simulate")
    return Model.build(parameters, reading(statement).needs, statement.key, statement.bindings, statement.alphabet)


def _statement(entry: Statement, parameters: Mapping[str, Any], digits: int) -> Evaluation:
    model = build_model(entry, parameters)
    forms = {
        column: {name: value_of(form, model, digits, f"{entry.key}.{name}") for name, form in reading(entry).forms(column).items()}
        for column in COLUMNS
    }
    return Evaluation(
        entry,
        {column: values for column, values in forms.items() if values},
        digits,
        model.given,
        hypotheses(entry, model),
        (*entry.notes, *model.notes),
    )


def hypotheses(entry: Statement, model: Model) -> dict[str, bool]:
    """Which hypotheses of a statement hold at a model."""
    return {name: holds(condition, model, 30) for name, condition in reading(entry).hypotheses.items()}
