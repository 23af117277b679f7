"""What a source prints against what is derived: identical, or different with a witness."""

from __future__ import annotations

from typing import Any

from pencils.errors import PrecisionError
from pencils.exact.numbers import decimal
from theory.evidence.verdict import Found, Printed
from theory.proof.identity import identity
from theory.register.evaluate import value_of
from theory.register.forms import reading
from theory.register.model import Model
from theory.register.record import COLUMNS, Claim, Statement

_DIGITS = 20  # of the values that are to be told apart


def printed(statement: Statement, claim: Claim, points: list[Model]) -> Printed:
    """The printed form against the derived one: at models that satisfy the hypotheses first, then by algebra."""
    if claim.printed is None:
        return Printed()
    known = reading(statement)
    if not claim.numeric:
        decision = identity(known.own(claim, "printed"), known.own(claim, "derived"), alphabet=known.alphabet)
        return Printed(Found.IDENTICAL, decision.how) if decision else Printed(Found.DIFFERS)
    forms = [known.forms(column)[claim.name] for column in COLUMNS]
    for model in points:
        try:
            values = [value_of(form, model, _DIGITS, claim.name) for form in forms]
        except PrecisionError:
            continue
        if differ(*values):
            witness = {"model": dict(model.given), "printed": shown(values[0]), "derived": shown(values[1])}
            return Printed(Found.DIFFERS, "", witness)
    if not points:
        return Printed(Found.VACUOUS)
    first, second = (form.xreplace(known.curve) for form in forms)
    decision = identity(first, second, alphabet=known.alphabet)
    if decision.verdict == "different":
        point = {str(name): str(value) for name, value in decision.witness.items()}
        witness = {"model": point, "printed": decision.values[0], "derived": decision.values[1]} if point else {}
        return Printed(Found.DIFFERS, "", witness)
    return Printed(Found(decision.verdict), decision.how)


def differ(first: Any, second: Any) -> bool:
    """Whether two truth values are opposite, or two enclosures apart."""
    if isinstance(first, bool) or isinstance(second, bool):
        return first is not second
    return not first.overlaps(second)


def shown(value: Any, digits: int = 15) -> Any:
    """A value of a witness: a truth value or text as it is, a number to at most 15 digits."""
    return value if isinstance(value, (bool, str)) else decimal(value, min(digits, 15))
