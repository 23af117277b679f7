"""Between the scales: one step with eta = N^alpha from alpha = 0 (small) to alpha = 1/2 (large), in every theory of this book.

Normalisation and initial weights are those of ``ba2022``, whose network has no output of order one before the step: its spikes are
those called silent. Source: ``ba2022``, Figure 3 (c); statements.md, sections 2, 3 and 5a.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pencils.exact.numbers import exact
from theory.pictures.canvas import canvas
from theory.pictures.files import picture_file
from theory.pictures.ranges import size_and_draws, whole
from theory.register.parameters import check_parameters
from theory.register.record import Entry, Figure
from theory.staircase.features import powers
from theory.staircase.figure import BITS, COUNTS, SPIKES, exponents, ladder, limit
from theory.staircase.finite_errors import Numbers, Step
from theory.trial.sizes import sizes_for

POINTS = 31
NODES, ATOMS = 0.6, 10  # of the exact large step: a picture needs three digits


def draw_figure(found: Entry, figure: Figure, given: Mapping[str, str], output: Any) -> Path:
    """The risk against alpha: the small-step limit of Theorem 7, the staircase in the limit and at this N, the exact large
    step with etabar = N^(alpha - 1/2), and simulated steps.

    ``alpha=a:b`` sets the range within [0, 1/2], ``d`` and ``draws`` those of the dots. sigma must be odd, as the exact large step
    needs it. Raises InputError otherwise, or for a name the picture does not know.
    """
    target = picture_file(output)
    asked, runs, rest = size_and_draws(figure, {**figure.setting, **given})
    d, draws = whole("d", asked, *COUNTS), whole("draws", runs, *COUNTS)
    low, high = exponents(rest.pop("alpha", ":".join(figure.sweep[1:])), closed=True)
    checked = check_parameters(rest, figure.setting, found.key)
    sizes = sizes_for(d, checked["psi1"], checked["psi2"])

    import numpy as np

    grid, places = np.linspace(low, high, POINTS), np.linspace(low, high, figure.dots)
    # first: a sigma that is not odd is refused before anything is simulated
    large = [_large(checked, sizes.N, alpha) for alpha in grid]
    small = _small(checked, sizes.N ** np.array(grid))
    inside = [alpha for alpha in grid if alpha < 0.49]
    spiked = {**checked, "phi": 1 / checked["psi1"], "psi": 1 / checked["psi2"], "spikes": "silent"}
    stairs = [_spiked(spiked, alpha, sizes) for alpha in inside]
    dots = [_simulated(checked, float(sizes.N**alpha), sizes, draws, seed) for seed, alpha in enumerate(places)]

    with canvas(target, (7.2, 5)) as (_, [[axis]]):
        axis.plot(grid, small, "C2-", label="small step (Theorem 7 of ba2022)")
        axis.plot(inside, stairs, "C0-", label=f"spikes of finite strength, N = {sizes.N}")
        for ell, ends in ladder(low, high).items():
            level = limit(spiked, ell, "test_error")
            axis.plot(ends, [level, level], "k:", linewidth=1.2, label="staircase, limit" if ell == 1 else None)
        axis.plot(grid, large, "C3-", label=r"large step, exact at $\bar\eta = N^{\alpha - 1/2}$")
        mean, error = zip(*dots, strict=True)
        axis.errorbar(places, mean, yerr=error, fmt="ko", markersize=4, capsize=2, label=f"simulated, {draws} runs")
        axis.set_xlabel(r"$\alpha$, $\eta = N^\alpha$")
        axis.set_ylabel("risk")
        axis.grid(alpha=0.3)
        axis.legend(fontsize=8)
        shown = ", ".join(f"{name} = {value}" for name, value in rest.items())
        axis.set_title(f"{figure.title}\nn = {sizes.n}, N = {sizes.N}, d = {sizes.d}\n{shown}", fontsize=9)
    return target


def _large(checked: Mapping[str, Any], N: int, alpha: float) -> float:
    from theory.large_step.risk import Solver
    from theory.large_step.values import setting

    etabar = exact(repr(float(N ** (alpha - 0.5))), "etabar")
    step = setting({**checked, "etabar": etabar, "alpha0": checked["psi1"], "readout": "gaussian"})
    return float(Solver(step, refine=NODES, atoms=ATOMS).solve().risk)


def _small(checked: Mapping[str, Any], eta: Any) -> Any:
    from theory.activations.hermite import HermiteExpansion
    from theory.risk.floats import grid

    sigma, teacher = (HermiteExpansion(checked[name].centred()) for name in ("activation", "teacher"))
    numbers = {name: float(checked[name]) for name in ("psi1", "psi2", "lam", "sigma_eps")}
    data = {"mu1": sigma.mu1, "mu2": sigma.mu2, "mu1_star": teacher.mu1, "mu2_star": teacher.mu2}
    return grid(eta=eta, **numbers, **{name: abs(float(moment.ball(BITS))) for name, moment in data.items()})["R1"]


def _spiked(parameters: Mapping[str, Any], alpha: float, sizes: Any) -> float:
    # eta = N^alpha, as c n^alpha
    ratio = exact(repr(float((sizes.N / sizes.n) ** alpha)), "c")
    given = {**parameters, "n": sizes.n, "alpha": exact(repr(float(alpha)), "alpha"), "c": ratio}
    return float(Numbers(Step(given, tuple(powers(given["activation"], 2 * SPIKES))), BITS).test_error)


def _simulated(checked: Mapping[str, Any], eta: float, sizes: Any, draws: int, seed: int) -> tuple[float, float]:
    """(mean, standard error) of the risk after a step as ``theory.trial.step`` makes it."""
    from functools import partial

    from theory.large_step.draw import numeric
    from theory.trial.ridge import risk_observables
    from theory.trial.step import draws as steps

    (found,) = steps(
        partial(risk_observables, lam=float(checked["lam"])),
        [sizes],
        eta=eta,
        sigma_eps=checked["sigma_eps"],
        sigma=numeric(checked["activation"], True),
        sigma_star=numeric(checked["teacher"], False),
        draws=draws,
        seed=seed,
        jobs=2,
    )
    return found.mean("R1"), found.standard_error("R1")
