"""A picture of a spectrum: the histogram of a sample, the density over it, edges, atoms and outliers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import sympy as sp

from pencils.errors import InputError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

POINTS = 400  # in each interval of the support
HIGHEST = 6.0  # the density is drawn up to this multiple of its mean height: it may have a pole
WIDEST = 12.0  # a support without end is drawn up to this multiple of the sample's quartile range
BLUE, GREY, RED, GREEN = "#1f4e9c", "#c9d3e6", "#b3261e", "#2e7d32"


@dataclass(frozen=True)
class Picture:
    """What is drawn of the spectrum of ``matrix`` at ``values``: intervals of the ``support`` (an atom is one of length 0),
    ``edges``, ``atoms`` with their masses, ``outliers``, the ``density`` as a function of points, and the eigenvalues of a
    ``sample``, (draw, eigenvalue)."""

    matrix: sp.Expr
    values: Mapping[Any, Any]
    support: list[tuple[Any, Any]]
    edges: list[float]
    atoms: list[tuple[float, float]]
    outliers: list[float]
    density: Callable[[npt.NDArray[np.float64]], npt.NDArray[np.float64]]
    sample: npt.NDArray[np.float64]


def check_picture(file: Any, bins: int, draws: int) -> None:
    """Raise InputError for a bad file name, or numbers of bins and draws that are none: before anything is computed."""
    if file is not None:
        _writable(file)
    if not isinstance(bins, int) or bins < 1 or not isinstance(draws, int) or draws < 1:
        raise InputError(f"bins = {bins}, draws = {draws}: whole numbers, 1 or more, are wanted")


def draw(picture: Picture, file: Any = None, bins: int = 80, title: str | None = None) -> Figure:
    """Draw a spectrum, and write it to ``file`` (.png, .pdf or .svg) if one is given.

    The area of the histogram is the share of eigenvalues away from atoms, so that it and the density of the limit can be
    compared. An atom is a stem with its mass, an outlier a triangle. Raises InputError for a bad file name.
    """
    target = None if file is None else _writable(file)
    intervals, edges, atoms, draws = picture.support, picture.edges, picture.atoms, len(picture.sample)
    sample = picture.sample.reshape(-1)
    low, high = _window(intervals, [place for place, _ in atoms], picture.outliers, sample)

    import matplotlib

    if target is not None:
        matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(8, 4.6), layout="constrained")
    body = sample[np.min(np.abs(sample[:, None] - np.array([p for p, _ in atoms] or [np.inf])), axis=1) > 1e-6 * (high - low)]
    heights, sides = np.histogram(body, bins=bins, range=(low, high))
    heights = heights / (len(sample) * np.diff(sides))
    axis.stairs(heights, sides, fill=True, color=GREY, label=f"sample: {draws} x {len(sample) // draws} eigenvalues")
    tops = [_curve(axis, picture, a, b, low, high, k == 0) for k, (a, b) in enumerate(_pieces(intervals, edges))]
    top = 1.08 * max([*heights, *tops, 1e-300])
    _marks(axis, edges, atoms, picture.outliers, top)
    axis.set_xlim(low, high)
    axis.set_ylim(0, top)
    axis.set_xlabel("$x$")
    axis.set_ylabel("density")
    axis.set_title(title if title is not None else _caption(picture), fontsize=10)
    for side in ("top", "right"):
        axis.spines[side].set_visible(False)
    figure.legend(loc="outside lower center", ncols=5, frameon=False, fontsize=9)
    if target is not None:
        figure.savefig(target, dpi=160)
        plt.close(figure)
    return figure


def _pieces(intervals: list[tuple[Any, Any]], edges: list[float]) -> list[tuple[float, float]]:
    """The intervals without atoms, cut at the edges inside."""
    found: list[tuple[float, float]] = []
    for a, b in intervals:
        cuts = [float(a), *(edge for edge in edges if float(a) < edge < float(b)), float(b)]
        found += pairwise(cuts) if a != b else []
    return found


def _window(intervals: list[tuple[Any, Any]], atoms: list[float], outliers: list[float], sample: Any) -> tuple[float, float]:
    """Everything finite, with a margin; of a support without end, what the bulk of the sample fills."""
    middle, spread = np.median(sample), np.subtract(*np.quantile(sample, [0.75, 0.25])) + 1e-12
    ends = [float(end) for pair in intervals for end in pair if end.is_finite]
    ends += [middle + sign * WIDEST * spread for sign, end in ((-1, intervals[0][0]), (1, intervals[-1][1])) if not end.is_finite]
    ends += [*atoms, *outliers]
    margin = 0.06 * (max(ends) - min(ends)) or 1.0
    return min(ends) - margin, max(ends) + margin


def _curve(axis: Any, picture: Picture, a: float, b: float, low: float, high: float, first: bool) -> float:
    """Draws the density of one interval; the highest value that is to be seen."""
    left, right = max(a, low), min(b, high)
    # points crowd at the ends, where the density may be steep
    xs = left + (right - left) * (1 - np.cos(np.pi * (np.arange(POINTS) + 0.5) / POINTS)) / 2
    rho = picture.density(xs)
    # at an end the density is 0, or it has a pole: then it is the highest there, and drawn up to a bound
    poles = [left == a and rho.argmax() == 0, right == b and rho.argmax() == len(rho) - 1]
    ends = [float(rho[k]) if pole or end not in (a, b) else 0.0 for k, end, pole in zip((0, -1), (left, right), poles, strict=True)]
    axis.plot(
        [left, *xs, right], [ends[0], *rho, ends[1]], color=BLUE, linewidth=1.8, label="density of the limit" if first else None
    )
    return float(min(rho.max(), HIGHEST * np.trapezoid(rho, xs) / (right - left)) if any(poles) else rho.max())


def _marks(axis: Any, edges: list[float], atoms: list[tuple[float, float]], outliers: list[float], top: float) -> None:
    if edges:
        axis.plot(
            edges,
            [0.0] * len(edges),
            "|",
            color=BLUE,
            markersize=16,
            markeredgewidth=1.8,
            clip_on=False,
            label="edges",
            linestyle="none",
        )
    for k, (place, mass) in enumerate(atoms):
        axis.plot([place, place], [0, 0.9 * top], color=RED, linewidth=2.2, label="atom" if k == 0 else None)
        axis.annotate(f"{mass:.4g}", (place, 0.9 * top), xytext=(4, -2), textcoords="offset points", color=RED, fontsize=9)
    if outliers:
        axis.plot(outliers, [0.03 * top] * len(outliers), "v", color=GREEN, markersize=8, label="outliers", linestyle="none")
        for place in outliers:
            axis.annotate(
                f"{place:.4g}", (place, 0.03 * top), xytext=(0, 9), textcoords="offset points", color=GREEN, fontsize=9, ha="center"
            )


def _caption(picture: Picture) -> str:
    matrix = sp.latex(picture.matrix)
    matrix = matrix if len(matrix) <= 90 else "M"
    return f"${matrix}$   " + ", ".join(f"${sp.latex(s)} = {sp.latex(sp.sympify(v))}$" for s, v in picture.values.items())


def _writable(file: Any) -> Path:
    target = Path(file)
    if target.suffix not in (".png", ".pdf", ".svg"):
        raise InputError(f"{file}: a picture is written as .png or .pdf or .svg")
    if not target.parent.is_dir():
        raise InputError(f"{file}: the folder {target.parent} does not exist")
    return target
