"""Closed forms of a subject as named data: what its statements print and its mathematics reads, without an entry's key.

Forms are texts of the safe parser's grammar, as in ``theory.register.record``: naming them costs no algebra, reading them does.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pencils.language.parse import names, parse
from theory.proof.symbols import COMMON, CONSTANTS
from theory.register.evaluate import value_of
from theory.register.forms import definitions, expanded
from theory.register.model import Model
from theory.register.record import Root

if TYPE_CHECKING:
    import sympy as sp


@dataclass(frozen=True)
class Formulas:
    """``forms`` by name, in the symbols of the model, the definitions ``where``, the roots ``bindings`` and earlier forms whose
    name is a symbol's; ``where`` in an order in which each uses those before it."""

    forms: Mapping[str, str]
    where: Mapping[str, str] = field(default_factory=dict)
    bindings: Mapping[str, Root] = field(default_factory=dict)

    def needs(self, wanted: Iterable[str] | None = None) -> list[str]:
        """Symbols of the model in the forms of the names ``wanted`` (all of them), in the order of the parameters; no SymPy."""
        open_, found = list(self.forms if wanted is None else wanted), set[str]()
        while open_:
            name = open_.pop()
            if name not in found:
                found.add(name)
                open_ += [word for text in self._texts(name) for word in names(parse(text)) - set(CONSTANTS)]
        order = list(COMMON)
        plain = found - set(self.where) - set(self.bindings) - set(self.forms)
        return sorted(plain, key=lambda name: (order.index(name) if name in order else len(order), name))

    def read(self, text: str) -> sp.Basic:
        """The SymPy form of a text, with the definitions put in."""
        return COMMON.read_form(text).xreplace(self._definitions)

    @cached_property
    def expanded(self) -> Mapping[str, sp.Basic]:
        """Every form in the model's symbols and the roots alone."""
        return expanded(self.forms, self._definitions, COMMON, COMMON.read_form)

    def model(self, parameters: Mapping[str, Any], owner: str, wanted: Iterable[str] | None = None) -> Model:
        """The model at which the forms have a value; InputError, in the name of ``owner``, for what is missing or out of range."""
        return Model.build(parameters, self.needs(wanted), owner, self.bindings)

    def values(self, parameters: Mapping[str, Any], digits: int, owner: str, wanted: Iterable[str] | None = None) -> dict[str, Any]:
        """Balls that prove ``digits`` digits of the forms ``wanted`` (all of them), or truth values of those that compare."""
        wanted = None if wanted is None else tuple(wanted)
        model = self.model(parameters, owner, wanted)
        return {name: value_of(form, model, digits, f"{owner}.{name}") for name, form in self._chosen(wanted).items()}

    def _texts(self, name: str) -> tuple[str, ...]:
        """The texts that say what a name stands for: none for a symbol of the model."""
        if name in self.bindings:
            root = self.bindings[name]
            return root.equation, root.low, root.high
        return tuple(texts[name] for texts in (self.where, self.forms) if name in texts)

    def _chosen(self, wanted: Iterable[str] | None) -> Mapping[str, sp.Basic]:
        return self.expanded if wanted is None else {name: self.expanded[name] for name in wanted}

    @cached_property
    def _definitions(self) -> Mapping[sp.Symbol, sp.Basic]:
        return definitions(self.where, COMMON, COMMON.read_form)
