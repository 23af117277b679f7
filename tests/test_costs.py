"""The file of costs names what exists; what it does not know is run."""

import json

from costs import FILE, LIMITS, by_cost, costs

from theory.entries import entries
from theory.register.record import Statement


def derivations():
    """Every derivation that the register refers to."""
    found = entries().values()
    statements = [entry for entry in found if isinstance(entry, Statement)]
    return {
        *(proof for entry in statements for claim in entry.claims for proof in (claim.proof, claim.printed_proof)),
        *(binding.proof for entry in statements for binding in entry.bindings.values()),
        *(dotted for entry in found for dotted in getattr(entry, "chapter", ())),
    } - {None}


def test_only_what_exists_has_a_cost():
    known = costs()
    assert known.keys() == LIMITS.keys()
    assert known["entries"].keys() <= entries().keys()
    assert known["derivations"].keys() <= derivations()
    assert all(cost >= 0 for part in known.values() for cost in part.values())
    assert FILE.read_text() == json.dumps(known, indent=1, sort_keys=True) + "\n"


def test_a_new_entry_is_run():
    assert by_cost("entries", ["a.new-one"]) == ["a.new-one"]


def test_the_dear_ones_are_slow_and_the_cheap_ones_are_not():
    for kind, part in costs().items():
        marked = {one.values[0] for one in by_cost(kind, part) if not isinstance(one, str)}
        assert marked == {name for name, cost in part.items() if cost > LIMITS[kind]}
        assert marked < part.keys()
