"""Parameters as they are given: checked by the domains of an alphabet, and the functions behind Hermite data. Costs no SymPy."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Any

from pencils.errors import InputError
from theory.proof.symbols import COMMON, Alphabet

# Hermite data: which function they belong to. The star marks the teacher's.
# c_k = E[sigma He_k]/k! of the activation, c_{*,k} of the teacher, as they are given: not centred
COEFFICIENT = re.compile(r"c(\d)(_star)?\Z")
HERMITE = {
    **dict.fromkeys(("mu1", "mu2", "slope_energy", "c2", "c3", "c4"), "activation"),
    **dict.fromkeys(("mu1_star", "mu2_star", "c0_star", "c2_star", "c3_star", "c4_star"), "teacher"),
}


def check_parameters(given: Mapping[str, Any], accepted: Iterable[str], owner: str, alphabet: Alphabet = COMMON) -> dict[str, Any]:
    """The values of ``given``, checked by the domains of an alphabet. InputError for a name that is not accepted or a value out
    of range."""
    accepted = list(accepted)
    checked = {}
    for name, value in given.items():
        if name not in accepted:
            near = get_close_matches(name, accepted, n=1)
            hint = f"did you mean {near[0]}? " if near else ""
            raise InputError(f"unknown parameter {name!r} for {owner}; {hint}accepted: {', '.join(accepted)}")
        checked[name] = alphabet.entry(name).domain.check(name, value)
    return checked


def accepted_parameters(symbols: Iterable[str]) -> list[str]:
    """Parameter names that can supply the given symbols: themselves, and the function behind Hermite data."""
    names = list(dict.fromkeys(symbols))
    # a user may give all that is known of a function, though the forms use part of it
    names += [name for name in HERMITE if HERMITE[name] in {HERMITE.get(other) for other in names} and name not in names]
    functions = [HERMITE[name] for name in names if name in HERMITE]
    plain = [name for name in names if name not in HERMITE]
    return [*plain, *dict.fromkeys(functions), *[name for name in names if name in HERMITE]]


def wanted(symbols: list[str]) -> str:
    """The parameters that supply some symbols, in words: ``psi1, activation (or mu1)``."""
    plain = [name for name in symbols if name not in HERMITE]
    for function in dict.fromkeys(HERMITE[name] for name in symbols if name in HERMITE):
        data = [name for name in symbols if HERMITE.get(name) == function]
        plain.append(f"{function} (or {', '.join(data)})")
    return ", ".join(plain)
