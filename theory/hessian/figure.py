"""The figure of ``damian2022``: test risk against log_d n of Algorithm 1, of its transfer, of random features and of the NTK."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from theory.hessian.algorithm import Link, direction, kernel_ridge, random_features, sample
from theory.hessian.rates import affordable, errors, learnt, settings, transferred
from theory.pictures.canvas import canvas
from theory.pictures.files import picture_file
from theory.pictures.ranges import size_and_draws, whole
from theory.register.parameters import check_parameters
from theory.register.record import Entry, Figure
from theory.trial.trend import Exponent, fit_exponent

WIDTHS = (100, 1000)
LOGS = tuple(np.arange(1, 4.01, 0.25))  # log_d n
FITTED = 3  # exponents are fitted from n = d^FITTED on: about n = d^2 the step begins to see a direction, which is no rate
KERNEL = 2600  # the most samples whose kernel matrix is decomposed: the cost grows as n^3
MAX_D, MAX_DRAWS = 40, 100
STYLES = (("tab:blue", "--"), ("tab:blue", "-"), ("tab:green", "--"), ("tab:green", "-"), ("tab:orange", "-"), ("tab:red", "-"))
ACCEPTED = ("teacher", "target", "sigma_eps", "eta")

Learner = Callable[[int, np.random.Generator], float]


@dataclass(frozen=True)
class Curve:
    """E delta^2 of every draw at each n."""

    label: str
    sizes: tuple[int, ...]
    draws: tuple[tuple[float, ...], ...]

    def exponent(self, least: float) -> Exponent | None:
        """The exponent in n from ``least`` samples on; None where fewer than four sizes, two draws, or a draw <= 0, leave none to
        fit."""
        kept = [(n, values) for n, values in zip(self.sizes, self.draws, strict=True) if n >= least]
        if len(kept) < 4 or len(kept[0][1]) < 3 or min(min(values) for _, values in kept) <= 0:
            return None
        return fit_exponent([n for n, _ in kept], [list(values) for _, values in kept])


def curves(parameters: Mapping[str, Any], d: int, draws: int, seed: int = 0) -> list[Curve]:
    """Algorithm 1 and transfer at both WIDTHS, random features at the larger and the NTK at infinite width, over n = d^LOGS.

    A draw is a fresh task: direction, samples, initialisation. Transfer pretrains on the largest n; its abscissa is the number of
    fresh samples. Raises InputError where the samples do not fit.
    """
    import joblib

    link, noise, eta = settings(parameters)
    second = Link.of(parameters["target"], "target")
    sizes = tuple(dict.fromkeys(round(d**power) for power in LOGS))
    affordable(sizes[-1], WIDTHS[-1])

    def beside(fit: Callable[..., Any], *more: Any) -> Learner:
        def learner(n: int, rng: np.random.Generator) -> float:
            u = direction(d, rng)
            X, y = sample(link.along(u), n, d, noise, rng)
            return errors(fit(X, y, *more, rng) if more else fit(X, y), link, u, noise, rng).square

        return learner

    def algorithm(m: int) -> Learner:
        return lambda n, rng: learnt(link, d, n, m, noise, eta, rng).square

    def moved(m: int) -> Learner:
        return lambda n, rng: transferred(link, second, d, sizes[-1], m, n, noise, eta, rng).square

    learners: list[tuple[str, Learner, Sequence[int]]] = [
        *((f"Algorithm 1, m = {m}", algorithm(m), sizes) for m in WIDTHS),
        *((f"transfer, m = {m}", moved(m), sizes) for m in WIDTHS),
        (f"random features, m = {WIDTHS[-1]}", beside(random_features, WIDTHS[-1]), sizes),
        (f"NTK, infinite width, n <= {KERNEL}", beside(kernel_ridge), [n for n in sizes if n <= KERNEL]),
    ]
    streams = np.random.SeedSequence(seed).spawn(len(learners) * len(sizes))
    tasks = [
        joblib.delayed(_draw)(learner, n, child)
        for place, (_, learner, at) in enumerate(learners)
        for index, n in enumerate(at)
        for child in streams[place * len(sizes) + index].spawn(draws)
    ]
    values = iter(joblib.Parallel(n_jobs=2, backend="loky")(tasks))
    return [Curve(label, tuple(at), tuple(tuple(next(values) for _ in range(draws)) for _ in at)) for label, _, at in learners]


def _draw(learner: Learner, n: int, stream: np.random.SeedSequence) -> float:
    from threadpoolctl import threadpool_limits

    with threadpool_limits(limits=1, user_api="blas"):
        return learner(n, np.random.default_rng(stream))


def draw_figure(owner: Entry, figure: Figure, given: Mapping[str, str], output: Any) -> Path:
    """Draw the curves with standard errors, the teacher's energy in degrees 3 and above, and the exponents fitted from n = d^3 on.

    That energy is what is left of the teacher when He_2 is learnt and nothing else; the transfer has another target. ``d`` and
    ``draws`` are taken on the command line; the published picture has d = 10 and 10 draws. Raises InputError for anything else.
    """
    target = picture_file(output)
    asked, runs, rest = size_and_draws(figure, {**figure.setting, **given})
    d, draws = whole("d", asked, 3, MAX_D), whole("draws", runs, 2, MAX_DRAWS)
    parameters = check_parameters(rest, ACCEPTED, figure.name)
    found = curves(parameters, d, draws)
    rest_energy = Link.of(parameters["teacher"]).energy(3)
    shown = {name: str(value) for name, value in rest.items()}
    moved = shown["target"] + (", our reading" if shown["target"] == figure.setting["target"] else "")
    return _save(target, found, d, draws, rest_energy, shown, moved, figure.title)


def _save(
    target: Path, found: Sequence[Curve], d: int, draws: int, rest_energy: float, shown: Mapping[str, str], moved: str, title: str
) -> Path:
    with canvas(target, (9, 5.2)) as (_, [[axis]]):
        for curve, (colour, line) in zip(found, STYLES, strict=True):
            means = np.array([np.mean(values) for values in curve.draws])
            deviations = np.array([np.std(values, ddof=1) for values in curve.draws]) / math.sqrt(draws)
            exponent = curve.exponent(d**FITTED)
            fitted = "" if exponent is None else f": $n^{{{exponent.exponent:.2f} \\pm {exponent.standard_error:.2f}}}$"
            axis.errorbar(
                np.log(curve.sizes) / math.log(d),
                means,
                deviations,
                color=colour,
                linestyle=line,
                marker="o",
                markersize=3,
                capsize=2,
                label=curve.label.replace("transfer", f"transfer to {moved}") + fitted,
            )
        line = f"the teacher's energy in degrees $\\geq 3$: {rest_energy:.3g}"
        axis.axhline(rest_energy, color="0.4", linestyle="-.", linewidth=1, label=line)
        axis.set_yscale("log")
        axis.set_xlabel(r"$\log_d n$ (for transfer: of the fresh samples)")
        axis.set_ylabel(r"$E\,(f-f^*)^2$")
        axis.grid(alpha=0.3)
        axis.legend(fontsize=8, loc="center left", bbox_to_anchor=(1.0, 0.5), title=f"exponents fitted from $n = d^{FITTED}$")
        words = "  ".join(f"{name}={value}" for name, value in shown.items())
        axis.set_title(f"{title}\nd={d}  draws={draws}  {words}", fontsize=9)
    return target
