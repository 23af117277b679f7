"""Files that commands write: checked before the work is done."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pencils.errors import InputError

BOOKS = (".tex", ".md")
PICTURES = (".png", ".pdf", ".svg")


def picture_file(path: Any) -> Path:
    """``path`` if a picture can be written there; InputError otherwise."""
    return writable(path, PICTURES, "a picture")


def book_file(path: Any) -> Path:
    """``path`` if a book can be written there; InputError otherwise."""
    return writable(path, BOOKS, "the book")


def writable(path: Any, suffixes: tuple[str, ...], what: str) -> Path:
    """``path`` if it has one of the suffixes and its folder exists; InputError otherwise."""
    target = Path(path)
    if target.suffix not in suffixes:
        raise InputError(f"{path}: {what} is written as {' or '.join(suffixes)}")
    if not target.parent.is_dir():
        raise InputError(f"{path}: the folder {target.parent} does not exist")
    return target
