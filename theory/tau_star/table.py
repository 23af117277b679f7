"""tau* of all pairs of built-in activations: the values, and their picture."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import log10
from pathlib import Path
from typing import Any

from theory.activations.activation import BUILTINS, activation
from theory.functions.majorant import is_bounded
from theory.pictures.canvas import canvas
from theory.pictures.files import picture_file
from theory.register.parameters import check_parameters
from theory.register.progress import progress
from theory.register.record import Computed, Quantity
from theory.tau_star.values import TauStar, shown, tau_star

DIGITS = 6  # of the picture
NAMES = tuple(BUILTINS)


def pairs(digits: int, normalize: bool) -> Iterator[tuple[str, str, TauStar]]:
    """(activation, teacher, tau*) for every pair; about half a second each, and said as it is done."""
    with progress(len(NAMES) ** 2, "tau* of") as advance:
        for sigma in NAMES:
            for teacher in NAMES:
                yield sigma, teacher, tau_star(sigma, teacher, digits, normalize)
                advance(f"{sigma}, {teacher}")


def compute(parameters: Mapping[str, Any], digits: int) -> Computed:
    """The values of the entry ``ba2022.tau-star-table``: {activation: {teacher: {kappa, tau, beats_kernels, certified}}}."""
    found: dict[str, dict[str, Any]] = {name: {} for name in NAMES}
    count = 0
    for sigma, teacher, one in pairs(digits, parameters.get("normalize", False)):
        kappa, tau = shown(one)
        count += one.minimum.certified
        found[sigma][teacher] = {"kappa": kappa, "tau": tau, "beats_kernels": one.beats_kernels, "certified": one.minimum.certified}
    unbounded = [name for name in NAMES if not is_bounded(activation(name).base)]
    notes = (
        f"{count} of {len(NAMES) ** 2} minima are certified to be global",
        f"outside the hypotheses of Theorem 11, because unbounded, as activations: {', '.join(unbounded)}",
    )
    return Computed(found, {}, notes)


def draw(entry: Quantity, given: Mapping[str, str], output: Any) -> Path:
    """log10 tau* of all pairs with kappa*, and whether 10 tau* < mu2*^2. Raises InputError for parameters but ``normalize``."""
    target = picture_file(output)
    checked = check_parameters(given, entry.optional, entry.key)
    import numpy as np

    size = np.full((len(NAMES), len(NAMES)), np.nan)
    with canvas(target, (11.5, 8.5)) as (figure, [[axis]]):
        for sigma, teacher, one in pairs(DIGITS, checked.get("normalize", False)):
            row, column = NAMES.index(sigma), NAMES.index(teacher)
            tau = 0.0 if one.minimum.tau.contains(0) else float(one.minimum.tau.mid())
            size[row, column] = log10(tau) if tau else np.nan
            axis.text(
                column,
                row,
                _cell(one, tau),
                ha="center",
                va="center",
                fontsize=7,
                color="white" if tau and tau < 5e-3 else "black",
                weight="bold" if one.beats_kernels else "normal",
            )
        image = axis.imshow(size, cmap="viridis", vmin=-6, vmax=0)
        axis.set_xticks(range(len(NAMES)), NAMES, rotation=30)
        axis.set_yticks(range(len(NAMES)), NAMES)
        axis.set_xlabel("teacher")
        axis.set_ylabel("activation")
        figure.colorbar(image, label=r"$\log_{10}\tau^*$ (blank: 0)")
        scale = "variance one" if checked.get("normalize", False) else "centred"
        marks = r"bold: $10\tau^*<\mu_2^{*2}$; ?: minimum not certified to be global"
        axis.set_title(rf"$\tau^*$ and $\kappa^*$, functions {scale}; {marks}")
    return target


def _cell(one: TauStar, tau: float) -> str:
    minimum = one.minimum
    place = r"\infty" if minimum.kappa is None else f"{float(minimum.kappa.mid()):.3g}"
    place = r"\pm" + place if minimum.both_signs else place
    return ("0" if not tau else f"{tau:.2g}") + ("" if minimum.certified else " ?") + f"\n$\\kappa^*={place}$"
