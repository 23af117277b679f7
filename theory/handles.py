"""Handles: an entry of the register with the command line as methods, for Python and notebooks.

A record is data and knows no room; a handle holds one (``handle.record``), gives its fields by name, and loads the room of a
method when the method is called. ``theory.statement``, ``theory.entry`` and ``theory.entries`` give handles.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from theory import entries as register
from theory.register.record import Claim, Entry, Quantity, Statement

if TYPE_CHECKING:
    from theory.evidence.compare import Comparison
    from theory.evidence.verify import Row
    from theory.proof.steps import Proof
    from theory.trial.experiment import Report


@dataclass(frozen=True)
class Handle:
    """What statements and quantities have in common."""

    record: Entry

    @property
    def key(self) -> str:
        return self.record.key

    @property
    def title(self) -> str:
        return self.record.title

    @property
    def source(self) -> str:
        return self.record.source

    @property
    def provenance(self) -> str:
        return self.record.provenance

    @property
    def notes(self) -> tuple[str, ...]:
        return self.record.notes

    def evaluate(self, digits: int = 30, **parameters: Any) -> dict[str, Any]:
        """Values at the parameters, as ``sympy.Float`` of that many proven digits, truth values, or lists: of a statement
        ``{"printed": {...}, "derived": {...}}``, of a quantity by name. InputError, PrecisionError."""
        from theory.register.evaluate import evaluate

        return evaluate(self.record, parameters, digits).values()

    def verify(self, digits: int = 30, simulate: bool = False) -> list[Row]:
        """The evidence: one row a claim, or the digits to which a quantity's two routes agree."""
        from theory.evidence.verify import verify_entry

        return verify_entry(self.record, digits, simulate)

    def simulate(self, d: int | None = None, draws: int | None = None, seed: int = 0, **parameters: Any) -> Report:
        """Judge the forms, or the values, by simulation at sizes up to d."""
        from theory.trial.experiment import run
        from theory.trial.plan import plan

        sizes = {name: value for name, value in (("d", d), ("draws", draws)) if value is not None}
        return run(plan(self.record, {**parameters, **sizes}, seed))

    def derive(self) -> dict[str, Proof]:
        """The derivations, executed now: of each claim that has one and each bound symbol, or of a quantity's chapter.
        DerivationError if a step fails."""
        from theory.proof.steps import derive

        return {name: derive(reference) for name, reference in self.record.derivations.items()}


@dataclass(frozen=True)
class StatementHandle(Handle):
    """A theorem of the register."""

    record: Statement

    @property
    def claims(self) -> tuple[Claim, ...]:
        return self.record.claims

    def claim(self, name: str) -> Claim:
        """The claim of that name; InputError listing the names otherwise."""
        return self.record.claim(name)

    def compare(self, claim: str, formula: str) -> Comparison:
        """Is a reader's formula the derived one?"""
        from theory.evidence.compare import compare

        return compare(self.record, self.record.claim(claim), formula)

    def latex(self) -> str:
        """The statement, both forms, as LaTeX."""
        from theory.register.latex import statement_latex

        return statement_latex(self.record)

    def _repr_latex_(self) -> str:
        from theory.register.latex import statement_display

        return statement_display(self.record)


@dataclass(frozen=True)
class QuantityHandle(Handle):
    """An entry without a printed form."""

    record: Quantity


def handle(record: Entry) -> StatementHandle | QuantityHandle:
    """The handle of a record, be it of the register or a reader's own."""
    return StatementHandle(record) if isinstance(record, Statement) else QuantityHandle(record)


def statement(key: str) -> StatementHandle:
    """The statement of that key; InputError for an unknown key or a quantity."""
    return StatementHandle(register.statement(key))


def entry(key: str) -> StatementHandle | QuantityHandle:
    """The entry of that key; InputError with the nearest keys otherwise."""
    return handle(register.entry(key))


def entries() -> dict[str, StatementHandle | QuantityHandle]:
    """All entries by key."""
    return {key: handle(record) for key, record in register.entries().items()}
