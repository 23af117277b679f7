"""The file of costs names what exists; what it does not know is run."""

import json

from costs import FILE, LIMITS, by_cost, costs

from theory.entries import entries
from theory.load import label


def derivations():
    """Every derivation that the register refers to."""
    return {label(reference) for entry in entries().values() for reference in entry.derivations.values()}


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
