"""The staircase in a picture: both errors against log eta/log n, with spikes of finite strength, in the limit, and simulated."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from pencils.errors import InputError
from pencils.exact.numbers import exact
from theory.pictures.canvas import canvas
from theory.pictures.files import picture_file
from theory.pictures.ranges import Range, size_and_draws, whole
from theory.register.parameters import check_parameters
from theory.register.record import Entry, Figure
from theory.staircase.errors_trial import observe
from theory.staircase.features import powers
from theory.staircase.finite_errors import Numbers, Step
from theory.staircase.moved import Moved
from theory.staircase.strengths import rung
from theory.trial.sizes import Sizes

BITS = 80
SPIKES = 4  # those beyond are weak at any n that is simulated
POINTS = 41
COUNTS = (2, 2000)  # of dimensions, and of runs a dot
TEACHERS = ("He1", "He1 + He2/sqrt(2)")
ERRORS = ("training_loss", "test_error")


def draw_figure(found: Entry, figure: Figure, given: Mapping[str, str], output: Any) -> Path:
    """Training loss (above) and test error (below) for the two teachers of the reported figure, or the one that is given.

    ``alpha=a:b`` sets the range, ``d`` the dimension of the dots (n = d/phi, N = d/psi), ``draws`` the runs a dot. Raises
    InputError for another range, a name the picture does not know, or an alpha outside 0 <= alpha < 1/2.
    """
    target = picture_file(output)
    if "spikes" in given:
        raise InputError("spikes: the picture shows those of the step and those reported beside each other; leave it out")
    asked, runs, rest = size_and_draws(figure, {**figure.setting, **given})
    d, draws = whole("d", asked, *COUNTS), whole("draws", runs, *COUNTS)
    low, high = exponents(rest.pop("alpha", ":".join(figure.sweep[1:])), closed=False)
    teachers = (rest.pop("teacher"),) if "teacher" in rest else TEACHERS
    checked = [
        check_parameters({**rest, "teacher": teacher, "spikes": "step"}, [*figure.setting, "teacher", "spikes"], found.key)
        for teacher in teachers
    ]
    sizes = Sizes(d, round(d / checked[0]["phi"]), round(d / checked[0]["psi"]))

    import numpy as np

    with canvas(target, (5.2 * len(teachers), 7.2), 2, len(teachers)) as (chart, axes):
        grid = np.linspace(low, high, POINTS)
        places = np.linspace(low, high, figure.dots)
        for column, (teacher, parameters) in enumerate(zip(teachers, checked, strict=True)):
            simulated = [_dot(parameters, place, sizes, draws, seed) for seed, place in enumerate(places)]
            for row, name in enumerate(ERRORS):
                axis = axes[row][column]
                for spikes, style, label in (("step", "C0-", "spikes of the step"), ("source", "C1--", "spikes as reported")):
                    values = [_curve({**parameters, "spikes": spikes}, alpha, sizes.n, name) for alpha in grid]
                    axis.plot(grid, values, style, linewidth=1, label=f"{label}, n = {sizes.n}")
                moved = [Moved(parameters, sizes.n, sizes.n**alpha).errors()[row] for alpha in grid]
                axis.plot(grid, moved, "C2-", linewidth=2, label=f"and the bulk that the step moves, n = {sizes.n}")
                for ell, ends in ladder(low, high).items():
                    level = limit(parameters, ell, name)
                    axis.plot(ends, [level, level], "k:", linewidth=1.2, label="limit, spikes of the step" if ell == 1 else None)
                mean, error = zip(*(one[name] for one in simulated), strict=True)
                axis.errorbar(places, mean, yerr=error, fmt="ko", markersize=4, capsize=2, label=f"simulated, {draws} runs")
                axis.set_xlabel(r"$\log\eta/\log n$")
                axis.set_ylabel(name.replace("_", " "))
                axis.set_title(f"teacher {teacher}", fontsize=9)
                axis.grid(alpha=0.3)
            axes[0][column].legend(fontsize=8)
        shown = ", ".join(f"{name} = {value}" for name, value in rest.items())
        chart.suptitle(f"{figure.title}\nn = {sizes.n}, N = {sizes.N}, d = {sizes.d}; {shown}", fontsize=9)
    return target


def _curve(parameters: Mapping[str, Any], alpha: float, n: int, name: str) -> float:
    given = {**parameters, "n": n, "alpha": exact(repr(float(alpha)), "alpha")}
    return float(getattr(Numbers(Step(given, tuple(powers(given["activation"], SPIKES))), BITS), name))


def limit(parameters: Mapping[str, Any], ell: int, name: str) -> float:
    """An error with the first ``ell`` spikes without bound."""
    step = Step(parameters, tuple(powers(parameters["activation"], ell)), bounded=False)
    return float(getattr(Numbers(step, BITS), name))


def ladder(low: float, high: float) -> dict[int, tuple[float, float]]:
    """{ell: where [low, high] meets (ell - 1)/(2 ell) < alpha < ell/(2 ell + 2)}, ell at most 4."""
    ends = {ell: rung(ell) for ell in range(1, SPIKES + 1)}
    steps = {ell: (max(float(left), low), min(float(right), high)) for ell, (left, right) in ends.items()}
    return {ell: ends for ell, ends in steps.items() if ends[0] < ends[1]}


def _dot(parameters: Mapping[str, Any], alpha: float, sizes: Sizes, draws: int, seed: int) -> dict[str, tuple[float, float]]:
    """{error: (mean, standard error)} of simulated steps at one alpha."""
    from theory.trial.step import sampled

    (samples,) = sampled(partial(observe, {**parameters, "alpha": alpha}), [sizes], draws, seed, jobs=2)
    return {name: (samples.mean(name), samples.standard_error(name)) for name in ERRORS}


def exponents(text: str, closed: bool) -> tuple[float, float]:
    """The ends of a range of alpha in [0, 1/2), or in [0, 1/2] when ``closed``; InputError for another text."""
    low, high = Range.of("alpha", text, "give a range a:b", 2).ends()
    if not 0 <= low < high or 2 * high > 1 or (2 * high == 1 and not closed):
        raise InputError(f"alpha = {text}: give a range a:b with 0 <= a < b {'<=' if closed else '<'} 1/2")
    return float(low), float(high)
