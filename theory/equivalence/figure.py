"""Where Gaussian equivalence breaks: risks with the activation, with phi_GE and in the limit, over many steps or one long one."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from pencils.errors import InputError
from theory.equivalence.steps import after_longer_steps, after_steps
from theory.pictures.canvas import canvas
from theory.pictures.files import picture_file
from theory.pictures.ranges import Range, size_and_draws
from theory.register.record import Entry, Figure, Statement
from theory.trial.plan import at_one_size

TIMES = (1, 2, 3, 5, 8, 12, 17, 23, 30, 40, 55)
LENGTHS = 12


def draw(statement: Entry, figure: Figure, given: Mapping[str, str], output: Any) -> Path:
    """Left: risks after 1 to 55 steps. Right: after one step of growing eta; ``eta=a:b`` sets that range.

    Both panels have the mean over ``draws`` runs at size d with one standard error, the limit R1 at t eta (at eta), and
    mu2*^2, which phi_GE cannot beat. Raises InputError for another range or another suffix.
    """
    target = picture_file(output)
    d, runs, rest = size_and_draws(figure, given)
    span = ":".join(figure.sweep[1:])
    for name, value in list(rest.items()):
        if ":" in value:
            if name != "eta" or value.count(":") != 1:
                raise InputError(f"{name} = {value}: only eta may be a range a:b in this picture, the right panel's")
            span = rest.pop(name)
    assert isinstance(statement, Statement)
    prepared = at_one_size(statement, {**figure.setting, **rest}, d, runs)
    start, end = map(float, Range.of("eta", span).ends())
    if not 0 <= start < end:
        raise InputError(f"eta = {span}: give a range a:b with 0 <= a < b")
    eta = float(prepared.model.values["eta"])
    if eta == 0:
        raise InputError("eta = 0: the weights do not move; give eta > 0")
    lengths = np.linspace(start, end, LENGTHS)
    along = [
        ("number of steps t", r"$t\eta$", np.array(TIMES), TIMES, partial(after_steps, times=TIMES), eta),
        (r"$\eta$ of one step", r"$\eta$", lengths, range(LENGTHS), partial(after_longer_steps, factors=tuple(lengths / eta)), 1),
    ]
    from theory.trial.experiment import parameters, sample

    with canvas(target, (10, 4.2), columns=2) as (chart, [axes]):
        for axis, (words, where, places, names, observe, scale) in zip(axes, along, strict=True):
            found = sample(prepared, observe=partial(observe, **parameters(prepared)))[0]
            for kind, label in (("CK", r"$\sigma$"), ("GE", r"$\phi_{GE}$")):
                means = [found.mean(f"{kind}_{name}") for name in names]
                errors = [found.standard_error(f"{kind}_{name}") for name in names]
                axis.errorbar(places, means, yerr=errors, fmt="o-", markersize=4, capsize=2, linewidth=0.8, label=label)
            fine, limit, floor = _limit(prepared, places, scale)
            axis.plot(fine, limit, "k-", label=f"limit, $R_1$ at {where}")
            axis.axhline(floor, color="tab:gray", linestyle="--", label=r"$\mu_2^{*2}$")
            axis.axvline(prepared.sizes[0].N ** 0.5, color="tab:red", linestyle=":", linewidth=0.8)
            axis.set_xlabel(words)
            axis.grid(alpha=0.3)
            axis.legend(fontsize=8)
        chart.suptitle(
            f"{figure.title} (dotted: sqrt N); d = {d}, {runs} runs\n"
            + ", ".join(f"{key} = {value}" for key, value in prepared.model.given.items()),
            fontsize=9,
        )
    return target


def _limit(prepared: Any, places: Any, scale: float) -> tuple[Any, Any, float]:
    """(abscissae, R1 there, mu2*^2) in double precision."""
    from theory.risk.floats import grid

    model = prepared.model
    numbers = {name: float(model.values[name]) for name in ("psi1", "psi2", "lam", "sigma_eps")}
    hermite = {name: float(model.ball(name, 80)) for name in ("mu1", "mu2", "mu1_star", "mu2_star")}
    fine = np.linspace(places[0], places[-1], 200)
    return fine, grid(eta=scale * fine, **numbers, **hermite)["R1"], hermite["mu2_star"] ** 2
