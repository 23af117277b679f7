"""How far a long computation is. Who waits for it hands in what is told; without that, nothing is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar

Advance = Callable[[str], None]  # names what was just done
Bar = Callable[[int, str], AbstractContextManager[Advance]]  # (how many things there are to do, words for them)


def _silent(total: int, words: str) -> AbstractContextManager[Advance]:
    return nullcontext(lambda name: None)


_BAR: ContextVar[Bar] = ContextVar("bar", default=_silent)


@contextmanager
def told_to(bar: Bar) -> Iterator[None]:
    """Inside this block ``progress`` is told to ``bar``: a computation of values takes parameters and digits, no bar."""
    before = _BAR.set(bar)
    try:
        yield
    finally:
        _BAR.reset(before)


def progress(total: int, words: str) -> AbstractContextManager[Advance]:
    """For a computation of ``total`` parts: gives the function that it calls after each, with that part's name."""
    return _BAR.get()(total, words)
