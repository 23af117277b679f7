"""What every picture is drawn on: a figure without a window, its axes, and the file it is saved to."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

DPI = 130


@contextmanager
def canvas(target: Path, size: tuple[float, float], rows: int = 1, columns: int = 1) -> Iterator[tuple[Any, Any]]:
    """(figure, its axes as ``rows`` of ``columns``) of a size in inches; saved to ``target`` at the end of the block.

    Nothing is saved when the block raises; the figure is closed in any case. One axis is read as ``(figure, [[axis]])``.
    """
    import matplotlib

    matplotlib.use("Agg")  # no window, no display
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(rows, columns, figsize=size, squeeze=False, layout="constrained")
    try:
        yield figure, axes
        figure.savefig(target, dpi=DPI)
    finally:
        plt.close(figure)
