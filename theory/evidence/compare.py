"""A reader's own formula against the register: identical (and how that was decided), or a witness point."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import sympy as sp

from pencils.errors import InputError
from pencils.exact.numbers import to_ball, working_precision
from theory.proof.identity import Decision, identity, truth
from theory.proof.points import Point, random_points
from theory.proof.symbols import Alphabet
from theory.register.forms import reading
from theory.register.record import COLUMNS, Claim, Statement


@dataclass(frozen=True)
class Comparison:
    """``verdict`` on the derived form: identical (proved, on all of it or on its first branch), identical on a branch (on
    another one only), agrees (numerically, not proved), different or undecided; ``where`` the branch ("" for all);
    ``printed`` the same question for the printed form ("" where there is none)."""

    claim: str
    formula: str
    verdict: str
    how: str
    where: str
    printed: str
    witness: dict[str, str] = field(default_factory=dict)
    values: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return self.verdict == "identical"

    def sentence(self) -> str:
        """The answer in one line."""
        place = f" where {self.where}" if self.where else ""
        if self.witness:
            point = ", ".join(f"{name} = {value}" for name, value in self.witness.items())
            return (
                f"different from the derived form{place}: at {point} your formula gives {self.values[0]} and the "
                f"derived form {self.values[1]}{self._printed()}"
            )
        phrase = {
            "identical": "identical to the derived form",
            "identical on a branch": "identical to one branch only of the derived form,",
            "agrees": "agrees numerically with the derived form, which proves nothing,",
        }.get(self.verdict, f"{self.verdict}: no decision against the derived form")
        others = ", which has another branch elsewhere" if self.where and self.verdict == "identical" else ""
        return f"{phrase}{place}{others} ({self.how}){self._printed()}"

    def _printed(self) -> str:
        return f"; {self.printed} the printed form" if self.printed else ""

    def as_dict(self) -> dict[str, Any]:
        return {
            "claim": self.claim,
            "formula": self.formula,
            "verdict": self.verdict,
            "how": self.how,
            "where": self.where,
            "printed": self.printed,
            "witness": self.witness,
            "values": list(self.values),
        }


def compare(statement: Statement, claim: Claim, formula: str) -> Comparison:
    """Compare ``formula`` (in the letters of the statement) with a claim's derived form, branch by branch where it has some.

    Raises InputError for a claim without a value, ParseError for a formula outside the grammar.
    """
    if not (claim.numeric or claim.kind == "identity"):
        raise InputError(
            f"{statement.key}.{claim.name} is {'an' if claim.kind[0] in 'aei' else 'a'} {claim.kind}; "
            "only claims with a value can be compared"
        )
    mine = statement.alphabet.read_form(formula, "formula")
    decision, where, first = _against(statement, claim, "derived", mine)
    verdict = decision.verdict if first or not decision else "identical on a branch"
    printed = ""
    if claim.printed is not None:
        against = _against(statement, claim, "printed", mine)
        words = {"identical": "identical to", "different": "different from"}.get(against[0].verdict, "undecided against")
        printed = words if against[2] or not against[0] else f"where {against[1]} {words}"
        own = _differently_defined(statement, mine)
        if printed == "identical to" and own:
            printed = f"with its own {', '.join(own)} identical to"
    witness = {str(name): str(value) for name, value in decision.witness.items()}
    return Comparison(
        f"{statement.key}.{claim.name}",
        formula,
        verdict,
        decision.how,
        where,
        printed,
        witness,
        decision.values,
    )


def _against(statement: Statement, claim: Claim, column: str, mine: sp.Basic) -> tuple[Decision, str, bool]:
    """(the decision on the first branch that the formula matches, else on the first; its condition; whether it is the first).

    Symbols that the form does not use are expanded on both sides by the column's own definitions and claims.
    """
    alphabet = statement.alphabet
    form = alphabet.read_form(getattr(claim, column), claim.name)
    curve = {alphabet.symbol(name): alphabet.read_form(text) for name, text in statement.curve.items()}
    if mine.free_symbols - form.free_symbols:
        known = reading(statement).definitions(column)
        expanded = reading(statement).forms(column) if claim.numeric else {}
        known |= {
            alphabet.symbol(name): other
            for name, other in expanded.items()
            if name != claim.name and name in alphabet and isinstance(other, sp.Expr)
        }
        form, mine = expanded.get(claim.name, form), mine.xreplace(known)
    form, mine = form.xreplace(curve), mine.xreplace(curve)
    if not isinstance(form, sp.Piecewise) or isinstance(mine, sp.Piecewise):
        return identity(mine, form, alphabet=alphabet), "", True
    decisions = []
    earlier: list[sp.Basic] = []
    for value, condition in form.args:
        constraints = [*[sp.Not(other) for other in earlier], condition]
        earlier.append(condition)
        points = _points_where(constraints, mine.free_symbols | form.free_symbols, alphabet)
        where = str(condition) if condition != sp.true else str(sp.Not(sp.Or(*earlier[:-1])))
        decisions.append((identity(mine, value, points, alphabet=alphabet), where))
    matching = [index for index, pair in enumerate(decisions) if pair[0]]
    chosen = matching[0] if matching else 0
    return (*decisions[chosen], chosen == 0)


def _differently_defined(statement: Statement, mine: sp.Basic) -> list[str]:
    """Symbols of the formula that the two columns define differently, themselves or through other claims."""
    meanings = []
    for column in COLUMNS:
        known: dict[str, sp.Basic] = {s.name: form for s, form in reading(statement).definitions(column).items()}
        meanings.append(known | reading(statement).forms(column))
    used = sorted(s.name for s in mine.free_symbols)
    return [name for name in used if name in meanings[0] and meanings[0][name] != meanings[1].get(name)]


def _points_where(conditions: list[sp.Basic], symbols: Any, alphabet: Alphabet, count: int = 6) -> Iterator[Point]:
    """Random exact points of a branch: those at which every condition is decided to hold."""

    def inside(point: Point) -> bool:
        with working_precision(200):
            balls = {name: to_ball(value) for name, value in point.items()}
            return all(truth(condition, balls) for condition in conditions)

    ordered = sorted(symbols, key=lambda s: s.name)
    return islice((point for point in random_points(ordered, 50 * count, alphabet=alphabet) if inside(point)), count)
