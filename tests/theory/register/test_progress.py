"""Long computations say how far they are to whoever asked, and to nobody else."""

from contextlib import contextmanager

import pytest

from theory.register.progress import progress, told_to
from theory.tau_star import table


def test_nothing_is_told_without_a_bar():
    with progress(2, "counting") as advance:
        advance("one")


def test_a_bar_is_told_and_taken_down():
    told = []

    @contextmanager
    def bar(total, words):
        told.append((total, words))
        yield told.append

    with pytest.raises(ZeroDivisionError), told_to(bar), progress(2, "counting") as advance:
        advance("one")
        raise ZeroDivisionError
    with progress(3, "again") as advance:
        advance("two")
    assert told == [(2, "counting"), "one"]


def test_the_table_of_tau_star_tells_each_pair(monkeypatch):
    told = []

    @contextmanager
    def bar(total, words):
        told.append((total, words))
        yield told.append

    monkeypatch.setattr(table, "NAMES", ("erf", "tanh"))
    monkeypatch.setattr(table, "tau_star", lambda *given: None)
    with told_to(bar):
        assert len(list(table.pairs(6, False))) == 4
    assert told == [(4, "tau* of"), "erf, erf", "erf, tanh", "tanh, erf", "tanh, tanh"]
