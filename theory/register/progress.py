"""Who is told how far a long computation is: nobody, until a caller hands in what shows it (the command line: a bar)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar

Advance = Callable[[str], None]  # one more is done; its name
Show = Callable[[int, str], AbstractContextManager[Advance]]  # (how many there are, words before their names)


@contextmanager
def _silent(total: int, words: str) -> Iterator[Advance]:
    yield lambda name: None


_SHOW: ContextVar[Show] = ContextVar("progress", default=_silent)


def tell(show: Show) -> None:
    """From now on ``show`` is told of every long computation of this thread."""
    _SHOW.set(show)


def progress(total: int, words: str) -> AbstractContextManager[Advance]:
    """A block that does ``total`` things; it yields the function to call after each of them."""
    return _SHOW.get()(total, words)
