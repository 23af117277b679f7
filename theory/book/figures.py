"""Pictures by name: a figure of the register or an entry's own, drawn alone or beside the book."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pencils.errors import InputError
from theory.entries import entries, entry, figures
from theory.pictures.curves import draw, draw_figure
from theory.pictures.files import book_file
from theory.register.record import Entry


def draw_named(name: str, given: Mapping[str, str], output: Any) -> Path:
    """The picture of that name: a figure of the register, or an entry's own picture."""
    found = figures().get(name)
    if found is not None:
        return draw_figure(*found, given, output)
    if name not in entries() and "." not in name:
        raise InputError(f"unknown picture {name!r}; figures: {', '.join(figures())}; or an entry (gradstep list)")
    return draw(entry(name), given, output)


def draw_figures(path: Any, chosen: Sequence[Entry]) -> dict[str, str]:
    """Draw every figure of the entries beside the book, as ``BOOK-NAME.pdf`` (.png for Markdown); file names by figure name."""
    target = book_file(path)
    suffix = ".png" if target.suffix == ".md" else ".pdf"
    names = [figure.name for one in chosen for figure in one.figures]
    return {name: draw_named(name, {}, target.with_name(f"{target.stem}-{name}{suffix}")).name for name in names}
