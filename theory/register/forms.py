"""Forms read: the texts of a record as SymPy expressions, a statement's all at once and once only."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

from pencils.language.parse import Node, names
from theory.proof.symbols import CONSTANTS, Alphabet
from theory.register.record import COLUMNS, Claim, Statement

if TYPE_CHECKING:
    import sympy as sp


Read = Callable[[str, str], "sp.Basic"]  # (text, what it is called in messages) -> its SymPy form


def definitions(where: Mapping[str, str], alphabet: Alphabet, read: Read) -> dict[sp.Symbol, sp.Basic]:
    """Definitions in the order in which each uses those before it, each in terms of symbols that are not defined there."""
    known: dict[sp.Symbol, sp.Basic] = {}
    for name, text in where.items():
        known[alphabet.symbol(name)] = read(text, name).xreplace(known)
    return known


def expanded(forms: Mapping[str, str], known: Mapping[sp.Symbol, sp.Basic], alphabet: Alphabet, read: Read) -> dict[str, sp.Basic]:
    """Forms with what is known put in, and earlier forms whose name is a symbol's."""
    known = dict(known)
    found: dict[str, sp.Basic] = {}
    for name, text in forms.items():
        found[name] = read(text, name).xreplace(known)
        if name in alphabet:
            known[alphabet.symbol(name)] = found[name]
    return found


class Reading:
    """A statement read once: every text of it is parsed when it is first asked for, and kept.

    ``reading(statement)`` is the one to ask; two threads of one answer (values, verdict, picture) then share its work.
    """

    def __init__(self, statement: Statement) -> None:
        self.statement = statement
        self.alphabet = statement.alphabet
        self._definitions: dict[str, dict[sp.Symbol, sp.Basic]] = {}
        self._forms: dict[str, dict[str, sp.Basic]] = {}
        self._trees: dict[str, Node] = {}
        self._read: dict[str, sp.Basic] = {}

    def tree(self, text: str, what: str = "form") -> Node:
        """The tree of one of the statement's texts, which costs no SymPy."""
        if text not in self._trees:
            self._trees[text] = self.alphabet.check_form(text, what)
        return self._trees[text]

    def read(self, text: str, what: str = "form") -> sp.Basic:
        """One of the statement's texts as it is written, nothing expanded."""
        if text not in self._read:
            self._read[text] = self.alphabet.form_of(self.tree(text, what), what)
        return self._read[text]

    @cached_property
    def needs(self) -> list[str]:
        """Names of the model's symbols that the forms and hypotheses use, definitions and claims excluded. Costs no SymPy."""
        statement, found = self.statement, dict[str, None]()
        for name, binding in statement.bindings.items():
            for text in (binding.equation, binding.low, binding.high):
                found.update(dict.fromkeys(sorted(names(self.tree(text)) - {name, *CONSTANTS})))
        for column in COLUMNS:
            defined: dict[str, Any] = dict(statement.definitions(column)) | dict(statement.bindings)
            for claim in statement.claims:
                form = claim.form(column)
                if claim.numeric and form is not None:
                    defined[claim.name] = form
            for text in [*(t for t in defined.values() if isinstance(t, str)), *statement.hypotheses.values()]:
                found.update(dict.fromkeys(sorted(names(self.tree(text)) - set(defined) - set(CONSTANTS))))
        order = list(self.alphabet)
        return sorted(found, key=lambda name: order.index(name) if name in order else len(order))

    def definitions(self, column: str) -> dict[sp.Symbol, sp.Basic]:
        """The definitions of a column, each in terms of symbols that are not defined there."""
        if column not in self._definitions:
            self._definitions[column] = definitions(self.statement.definitions(column), self.alphabet, self._named)
        return dict(self._definitions[column])

    def own(self, claim: Claim, column: str) -> sp.Basic:
        """The form of a claim as it is written, nothing expanded."""
        text = claim.form(column)
        assert text is not None
        return self._named(text, claim.name)

    def forms(self, column: str) -> dict[str, sp.Basic]:
        """Every numeric claim of a column in the model's symbols alone: definitions and earlier claims substituted."""
        if column not in self._forms:
            texts = {claim.name: claim.form(column) for claim in self.statement.claims if claim.numeric}
            given = {name: text for name, text in texts.items() if text is not None}
            self._forms[column] = expanded(given, self.definitions(column), self.alphabet, self._named)
        return dict(self._forms[column])

    def _named(self, text: str, name: str) -> sp.Basic:
        return self.read(text, f"{self.statement.key}.{name}")

    @cached_property
    def curve(self) -> dict[sp.Symbol, sp.Basic]:
        """What the curve of the statement puts for symbols that are not independent."""
        return {self.alphabet.symbol(name): self.read(text) for name, text in self.statement.curve.items()}

    @cached_property
    def hypotheses(self) -> dict[str, sp.Basic]:
        """The conditions on the model by their names."""
        return {name: self.read(text, "hypothesis") for name, text in self.statement.hypotheses.items()}


@lru_cache(maxsize=256)
def reading(statement: Statement) -> Reading:
    """The reading of a statement; the same one each time for the same record."""
    return Reading(statement)
