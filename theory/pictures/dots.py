"""Pictures of claims over one parameter with simulated dots: the forms as curves, means of finite-size runs with error bars."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from pencils.errors import InputError
from theory.pictures.canvas import canvas
from theory.pictures.curves import forms_along, sweep
from theory.pictures.files import picture_file
from theory.pictures.ranges import size_and_draws, spread
from theory.register.record import Entry, Figure, Statement
from theory.trial.plan import RATIOS, at_one_size


def draw(statement: Entry, figure: Figure, given: Mapping[str, str], output: Any) -> Path:
    """Draw the derived forms of a figure's claims; ``given`` overrides its setting, its range (a:b or a:b:points), d and draws.

    A dot is the mean of ``draws`` runs at size d, its bar one standard error of the mean on each side. A parameter that is a
    ratio of dimensions is drawn at the value after rounding. Raises InputError as ``draw_forms`` and ``plan`` do.
    """
    target = picture_file(output)
    if not isinstance(statement, Statement) or statement.experiment is None:
        raise InputError(f"{statement.key} has no experiment; a figure of this kind has simulated dots")
    d, runs, rest = size_and_draws(figure, given)
    at_setting = replace(statement, experiment=replace(statement.experiment, setting=figure.setting), sweep=figure.sweep)
    fixed, name, low, high, points = sweep(at_setting, rest)
    places = spread(low, high, figure.dots + 2)[1:-1]
    # a seed a place, so that the dots are independent
    dots = [_dots(at_setting, figure.claims, {**fixed, name: place}, name, d, runs, seed) for seed, place in enumerate(places)]
    grid = spread(low, high, points)
    if low == 0 and name in (*RATIOS, "lam"):
        grid = grid[1:]  # a ratio or a penalty of 0 is no model
    curves = forms_along(at_setting, figure.claims, fixed, name, grid, ["derived"])

    with canvas(target, (6.4, 4.4)) as (_, [[axis]]):
        for index, part in enumerate(figure.claims):
            color = f"C{index}"
            axis.plot(
                [float(x) for x in grid],
                curves["derived", part],
                color=color,
                label=f"${statement.alphabet.latex_name(part)}$, derived",
            )
            at, mean, error = zip(*(found[part] for found in dots), strict=True)
            axis.errorbar(at, mean, yerr=error, fmt="o", color=color, markersize=4, capsize=2)
        axis.plot([], [], "ko", markersize=4, label=f"simulated, d = {d}, {runs} runs")
        axis.set_xlabel(f"${statement.alphabet.latex_name(name)}$")
        axis.set_title(f"{figure.title}\n" + ", ".join(f"{key} = {value}" for key, value in fixed.items()), fontsize=9)
        axis.legend(fontsize=8)
        axis.grid(alpha=0.3)
    return target


def _dots(
    statement: Statement, claims: Sequence[str], given: Mapping[str, Any], swept: str, d: Any, runs: Any, seed: int
) -> dict[str, tuple[float, float, float]]:
    """{claim: (abscissa, mean, standard error)} at one place of the swept parameter."""
    from theory.trial.experiment import measured, sample

    prepared = at_one_size(statement, given, d, runs, seed)
    (found,) = sample(prepared)
    at = float(getattr(found.sizes, swept) if swept in RATIOS else prepared.model.values[swept])
    values = {}
    for part in claims:
        observable = statement.claim(part).observable
        assert observable is not None, f"{part} is not simulated"
        column = np.array(measured(observable, found, prepared.model))
        values[part] = (at, float(column.mean()), float(column.std(ddof=1)) / len(column) ** 0.5)
    return values
