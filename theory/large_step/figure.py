"""Pictures of what a large step attains: the exact risk against one parameter, and bounds for an activation of any parity."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from pencils.errors import GradstepError, InputError
from theory.pictures.canvas import canvas
from theory.pictures.files import picture_file
from theory.pictures.ranges import Range, one_range, spread
from theory.register.parameters import check_parameters
from theory.register.record import Figure, Quantity

POINTS, MAX_POINTS = 25, 400
_RANGES = {
    "psi1": ("1/2", "64"),
    "psi2": ("1/8", "8"),
    "alpha0": ("1/4", "64"),
    "etabar": ("1/8", "32"),
    "lam": ("1/10000", "100"),
    "sigma_eps": ("0", "2"),
}
_LATEX = {
    "psi1": r"$n/d$",
    "psi2": r"$N/d$",
    "alpha0": r"$n_0/d$",
    "etabar": r"$\bar\eta$",
    "lam": r"$\lambda$",
    "sigma_eps": r"$\sigma_\varepsilon$",
}
_DEFAULTS = {
    "psi1": "4",
    "psi2": "1",
    "alpha0": "psi1",
    "etabar": "4",
    "lam": "1/100",
    "sigma_eps": "0",
    "activation": "tanh",
    "teacher": "tanh",
}


def draw_figure(quantity: Quantity, figure: Figure, given: Mapping[str, str], output: Any) -> Path:
    """The figure ``large-step``: ``draw`` with the figure's own sweep."""
    name, low, high = figure.sweep
    swept = any(":" in value for key, value in given.items() if key in _RANGES)
    return draw(quantity, {**figure.setting, **given} if swept else {**figure.setting, name: f"{low}:{high}", **given}, output)


def draw(quantity: Quantity, given: Mapping[str, str], output: Any) -> Path:
    """The exact risk against one parameter given as a range a:b[:points] (n/d from 1/2 to 64 without one), for uniform and for
    Gaussian readouts, beside its isotropic form, the infimum over the span of {A_kappa}, R0, the ceiling of a small step, mu2*^2
    and the bound 10 tau* of Theorem 11.

    ``alpha0=psi1``, the default, gives the step as many samples as the regression. Parameters that are not given are those of
    a tanh teacher and a tanh activation. Raises InputError for two ranges, a bad one, or an activation that is not odd.
    """
    target = picture_file(output)
    if "readout" in given:
        raise InputError("readout: the picture shows the uniform and the Gaussian readout beside each other; leave it out")
    name, grid, chosen = _sweep(given, "psi1")
    points = [_parameters(quantity, {**chosen, name: value}) for value in grid]
    curves: dict[str, list[float]] = {}
    for point in points:
        for label, value in _values(point).items():
            curves.setdefault(label, []).append(value)
    levels = _levels(points[0])
    shown = {key: value for key, value in {**_DEFAULTS, **chosen}.items() if key != name}
    return _save(target, name, grid, curves, levels, quantity.key, shown, "risk")


def draw_bounds(quantity: Quantity, given: Mapping[str, str], output: Any) -> Path:
    """The bounds of ``dandi2025.bounds`` against etabar (1/8 to 32, or ``etabar=a:b[:points]``), with tau*, 10 tau* and mu2*^2.

    Raises InputError for a bad range, PrecisionError for a function with kinks that the rules do not resolve.
    """
    from theory.large_step.bounds import compute

    target = picture_file(output)
    name, grid, chosen = _sweep({"activation": "softplus", "teacher": "softplus", **given}, "etabar")
    if name != "etabar":
        raise InputError(f"{name}: this picture is drawn against etabar")
    curves: dict[str, list[float]] = {}
    for value in grid:
        checked = check_parameters({**chosen, "etabar": value}, quantity.parameters, quantity.key)
        found = compute(checked, 4)
        for key, label in (
            ("upper", r"$\inf_v E(\sigma^*-vA)^2\geq\inf_\lambda R$"),
            ("lower", r"$\inf_{v_1,v_2} E(\sigma^*-v_1A-v_2kB)^2$: equal lengths"),
            ("lower_with_lengths", r"... and $D_2$: lengths differ"),
        ):
            curves.setdefault(label, []).append(float(found[key]))
    return _save(target, name, grid, curves, _levels(checked), quantity.key, chosen, "risk at the best ridge, uniform readout")


def _sweep(given: Mapping[str, str], default: str) -> tuple[str, list[Fraction], dict[str, str]]:
    """(the swept parameter, its values, the others as given)."""
    swept, rest = one_range(given)
    if swept is None and default in rest:
        usual = ":".join(_RANGES[default])
        raise InputError(f"nothing is left to draw against: give one parameter as a range, for instance {default}={usual}")
    name, value = swept or (default, ":".join(_RANGES[default]))
    if name not in _RANGES:
        raise InputError(f"{name} = {value}: a range is given to one of {', '.join(_RANGES)}")
    span = Range.of(name, value)
    low, high = span.ends()
    count = span.points(POINTS, MAX_POINTS)
    if not low < high or low < 0 or (low == 0 and name != "sigma_eps"):
        raise InputError(f"{name} = {value}: give a range a:b with {'0 <= a' if name == 'sigma_eps' else '0 < a'} < b")
    if name == "sigma_eps":
        return name, spread(low, high, count), rest
    steps = [Fraction(k, count - 1) for k in range(count)]
    values = [Fraction(float(low) * (float(high) / float(low)) ** float(step)).limit_denominator(10**6) for step in steps]
    return name, values, rest


def _parameters(quantity: Quantity, given: Mapping[str, Any]) -> dict[str, Any]:
    chosen = {**_DEFAULTS, **given}
    if str(chosen["alpha0"]) == "psi1":
        chosen["alpha0"] = chosen["psi1"]
    return check_parameters(chosen, [*quantity.parameters, *quantity.optional], quantity.key)


def _values(parameters: Mapping[str, Any]) -> dict[str, float]:
    from theory.large_step.risk import Solver
    from theory.large_step.values import setting, small_step_ceiling
    from theory.risk.floats import risk

    found: dict[str, float] = {}
    for readout in ("uniform", "gaussian"):
        solver = Solver(setting({**parameters, "readout": readout}), 12, 1.0, 10)
        found[f"exact, {readout} readout"] = float(solver.solve().risk)
        if parameters["alpha0"] is not None:
            found[f"isotropic, {readout}"] = float(solver.solve(isotropic=True).risk)
        found[rf"inf over span $\{{A_\kappa\}}$, {readout}"] = solver.span()
    names = ("psi1", "psi2", "lam", "sigma_eps", "activation", "teacher")
    found[r"$R_0$, no step"] = float(risk(digits=6, eta=1, **{name: parameters[name] for name in names})["R0"])
    found["ceiling of a small step"] = float(small_step_ceiling(parameters, 6))
    return found


def _levels(parameters: Mapping[str, Any]) -> dict[str, float]:
    """What does not depend on the swept parameter; a level that cannot be had is left out."""
    from theory.tau_star.values import tau_star

    try:
        found = tau_star(parameters["activation"].centred(), parameters["teacher"].centred(), 6)
    except GradstepError:
        return {}
    tau = float(found.minimum.tau.mid())
    return {r"$\mu_2^{*2}$": float(found.mu2_star_squared.mid()), r"$10\,\tau^*$ (Theorem 11)": 10 * tau, r"$\tau^*$": tau}


def _save(
    target: Path,
    name: str,
    grid: Sequence[Fraction],
    curves: Mapping[str, Sequence[float]],
    levels: Mapping[str, float],
    key: str,
    chosen: Mapping[str, str],
    words: str,
) -> Path:
    with canvas(target, (8.5, 5)) as (_, [[axis]]):
        x = [float(value) for value in grid]
        colours = {"uniform": "tab:blue", "gaussian": "tab:red", "no step": "tab:green", "ceiling": "tab:orange"}
        for label, values in curves.items():
            shown = np.array(values)
            if np.all(shown < 1e-13):
                axis.plot([], [], " ", label=f"{label}: 0")
                continue
            colour = next((shade for word, shade in colours.items() if word in label), None)
            style = "--" if label.startswith("isotropic") else ":" if label.startswith("inf over") else "-"
            axis.plot(x, np.where(shown > 1e-13, shown, np.nan), style, color=colour, label=label)
        for (label, level), shade in zip(levels.items(), ("0.2", "0.5", "0.7"), strict=False):
            if level > 0:
                axis.axhline(level, color=shade, linestyle="-.", linewidth=1, label=f"{label} = {level:.3g}")
            else:
                axis.plot([], [], " ", label=f"{label} = 0")
        if name != "sigma_eps":
            axis.set_xscale("log")
        axis.set_yscale("log")
        axis.set_xlabel(_LATEX[name])
        axis.set_ylabel(words)
        axis.grid(alpha=0.3)
        axis.legend(fontsize=8, loc="center left", bbox_to_anchor=(1.0, 0.5))
        axis.set_title(f"{key}   " + "  ".join(f"{k}={v}" for k, v in chosen.items()), fontsize=9)
    return target
