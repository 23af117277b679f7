"""The register: every entry of every module in ``theory/statements``. Adding a theorem is adding one file there."""

from __future__ import annotations

import pkgutil
from difflib import get_close_matches
from functools import cache
from importlib import import_module

import theory.statements
from pencils.errors import InputError
from theory.register.record import Claim, Entry, Figure, Statement


@cache
def entries() -> dict[str, Entry]:
    """All entries by key, in the order of their modules' names."""
    found: dict[str, Entry] = {}
    for name in sorted(
        info.name for info in pkgutil.walk_packages(theory.statements.__path__, "theory.statements.") if not info.ispkg
    ):
        for entry in import_module(name).ENTRIES:
            if entry.key in found:
                raise InputError(f"two entries have the key {entry.key!r}")
            found[entry.key] = entry
    return found


def entry(key: str) -> Entry:
    """The entry of that key; InputError with the nearest keys otherwise."""
    known = entries()
    if key not in known:
        near = get_close_matches(key, known, n=3, cutoff=0.4)
        hint = f"did you mean {' or '.join(near)}? (gradstep list shows all)" if near else f"accepted: {', '.join(known)}"
        raise InputError(f"unknown entry {key!r}; {hint}")
    return known[key]


def statement(key: str) -> Statement:
    """The statement of that key; InputError for an unknown key or a quantity."""
    found = entry(key)
    if not isinstance(found, Statement):
        raise InputError(f"{key} is a quantity: it has values (eval), but no claims with a printed and a derived form")
    return found


@cache
def figures() -> dict[str, tuple[Entry, Figure]]:
    """Every figure of the register by its name, with the entry it belongs to."""
    found: dict[str, tuple[Entry, Figure]] = {}
    for one in entries().values():
        for figure in one.figures:
            if figure.name in found or figure.name in entries():
                raise InputError(f"two figures or entries have the name {figure.name!r}")
            found[figure.name] = (one, figure)
    return found


def split_claim(dotted: str) -> tuple[Statement, Claim]:
    """``KEY.CLAIM`` -> the statement and its claim."""
    key, _, name = dotted.rpartition(".")
    if key not in entries() and dotted in entries():
        claims = ", ".join(claim.name for claim in statement(dotted).claims)
        raise InputError(f"name a claim too: {dotted}.CLAIM, with CLAIM one of {claims}")
    found = statement(key)
    return found, found.claim(name)
