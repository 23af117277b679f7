"""A record in plain types, for other programs; and the references it makes, for who checks that they lead somewhere."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace
from typing import Any

from theory.load import Reference, label
from theory.register.record import Entry, Quantity, Statement

# The order in which a claim is written down for other programs.
_CLAIM = (
    *("name", "kind", "says", "derived", "printed", "proof", "route", "observable", "expected", "trend", "logs", "digits"),
    *("models", "against", "seen", "printed_proof"),
)
_REFERENCES = ("proof", "route", "printed_proof", "observe", "draw", "compute", "picture")


def plain(entry: Entry) -> dict[str, Any]:
    """A record in plain types, for JSON: every field by its name, references as text; of the letters of its source's own those that
    it uses, by their meanings, where there are some."""

    def written(value: Any, name: str = "") -> Any:
        if name in _REFERENCES or name == "chapter":
            named = value if name == "chapter" else (value,)
            texts = [label(reference) if reference is not None else None for reference in named]
            return texts if name == "chapter" else texts[0]
        if isinstance(value, Mapping):
            return {key: written(part, key) for key, part in value.items() if key != "measures"}
        return [written(part) for part in value] if isinstance(value, (list, tuple)) else value

    data = asdict(replace(entry, letters={}))
    del data["letters"]
    used = entry.letters if isinstance(entry, Statement) else {*entry.parameters, *entry.optional}
    meanings = {name: letter.meaning for name, letter in entry.letters.items() if name in used}
    if isinstance(entry, Statement):
        data["claims"] = [{name: claim[name] for name in _CLAIM} for claim in data["claims"]]
    found: dict[str, Any] = written(data)
    return found | ({"letters": meanings} if meanings else {})


def references(entry: Entry) -> Iterator[tuple[str, Reference]]:
    """Every reference of an entry with what it is: derivation, route, compute, observe, draw."""
    yield from (("derivation", reference) for reference in entry.derivations.values())
    if isinstance(entry, Statement):
        yield from (("route", claim.route) for claim in entry.claims if claim.route)
    else:
        yield "compute", entry.compute
        yield from (("sample route", route) for route in (entry.route,) if route)
        yield from (("picture", picture) for picture in (entry.picture,) if picture)
    if entry.experiment is not None:
        scratch = isinstance(entry, Quantity) or entry.experiment.from_scratch
        yield ("observe from scratch" if scratch else "observe"), entry.experiment.observe
    yield from (("draw", figure.draw) for figure in entry.figures)
