"""Pictures of tau*: J(kappa) with its minimum beside the smoothed activation; without a pair, the table of all pairs."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pencils.errors import InputError
from pencils.exact.numbers import exact
from theory.pictures.canvas import canvas
from theory.pictures.files import picture_file
from theory.pictures.ranges import Range, spread
from theory.register.parameters import check_parameters
from theory.register.record import Quantity

DIGITS = 8
POINTS = 81
MAX_POINTS = 1000


def draw(entry: Quantity, given: Mapping[str, str], output: Any) -> Path:
    """J(kappa) and S(kappa* z) against sigma*(z) for an activation and a teacher; the table over pairs when neither is given.

    ``kappa`` may be a range a:b or a:b:points. Raises InputError for other ranges, unknown names or another suffix.
    """
    target = picture_file(output)
    rest = dict(given)
    grid = _grid(rest.pop("kappa", None))
    unknown = [name for name in rest if name not in (*entry.parameters, *entry.optional)]
    if unknown:
        accepted = ", ".join([*entry.parameters, *entry.optional, "kappa"])
        raise InputError(f"unknown parameter {unknown[0]!r} for the picture of {entry.key}; accepted: {accepted}")
    checked = check_parameters(rest, [*entry.parameters, *entry.optional], entry.key)
    present = [name for name in entry.parameters if name in checked]
    if len(present) == 1:
        wanted = ", ".join(entry.parameters)
        raise InputError(f"{entry.key}: give both of {wanted} for their curve, or neither for the table of all pairs")
    if not present:
        if grid is not None:
            raise InputError("kappa is a range for one pair; the table of all pairs takes none")
        from theory.tau_star.table import draw as draw_table

        return draw_table(entry, rest, output)
    _curve(target, checked["activation"], checked["teacher"], checked.get("normalize", False), grid)
    return target


def _grid(text: str | None) -> tuple[Any, Any, int] | None:
    """(low, high, points) of a range."""
    if text is None:
        return None
    span = Range.of("kappa", text, "give a range a:b or a:b:points")
    low, high = span.ends()
    points = span.points(POINTS, MAX_POINTS)
    if not low < high:
        raise InputError(f"kappa: the range {':'.join(span.parts[:2])} is empty; give a < b")
    if max(abs(low), abs(high)) > 100:
        raise InputError(f"kappa = {text}: a picture reaches from -100 to 100 at most")
    return low, high, points


def _curve(target: Path, sigma: Any, teacher: Any, normalize: bool, grid: tuple[Any, Any, int] | None) -> None:
    from theory.tau_star.values import tau_star

    found = tau_star(sigma, teacher, DIGITS, normalize)
    objective, minimum = found.objective, found.minimum
    at = None if minimum.kappa is None else float(minimum.kappa.mid())
    if grid is None:
        reach = max(3, int(2 * abs(at or 2)) + 1)
        grid = (exact(-reach), exact(reach), POINTS)
    kappas = spread(*grid)
    values = [float(objective.at(kappa, 24, 1).value.mid()) for kappa in kappas]
    with canvas(target, (10, 4), columns=2) as (figure, [[left, right]]):
        left.plot([float(kappa) for kappa in kappas], values, label=r"$J(\kappa)$")
        tau, bar = float(minimum.tau.mid()), float(found.mu2_star_squared.mid())
        left.axhline(bar, color="tab:gray", linestyle="--", label=r"$\mu_2^{*2}$, what no kernel beats")
        for place in () if at is None else (at, -at) if minimum.both_signs else (at,):
            left.plot([place], [tau], "o", color="tab:red")
        left.set_xlabel(r"$\kappa$")
        where = r"\kappa^*=" + (f"{at:.5g}" if at is not None else r"\pm\infty")
        if min(values) > 0 and max(values) > 100 * max(tau, 1e-300):
            left.set_yscale("log")
        left.set_title(rf"$\tau^*={_power(tau)}$ at ${where}$" + ("" if minimum.certified else " (not certified)"))
        left.legend()
        left.grid(alpha=0.3)
        _overlay(right, found, at)
        scale = "variance one" if normalize else "centred"
        figure.suptitle(f"activation {objective.sigma.name}, teacher {objective.teacher.name}, {scale}")


def _power(value: float) -> str:
    if value == 0:
        return "0"
    mantissa, exponent = f"{value:.4e}".split("e")
    return rf"{mantissa}\cdot 10^{{{int(exponent)}}}" if abs(int(exponent)) > 3 else f"{value:.5g}"


def _overlay(axis: Any, found: Any, at: float | None) -> None:
    """The teacher against the smoothed activation at the minimum, and the law of z."""
    from flint import arb

    from pencils.exact.balls import compile_balls
    from pencils.exact.numbers import working_precision
    from theory.functions.language import variable

    objective = found.objective
    with working_precision(64):
        c, s, c_star, s_star = objective.constants(64)
        zs = [arb(k) / 20 for k in range(-80, 81)]
        star = compile_balls(objective.g, [variable()])
        teacher = [float(((arb(star(z)) - c_star) / s_star).mid()) for z in zs]
        places = [float(z.mid()) for z in zs]
        axis.plot(places, teacher, label=r"$\sigma^*(z)$")
        if at is not None:
            smooth = objective.smoothing.at([z * arb(at) for z in zs], 1, 24)
            axis.plot(places, [float(((row[0] - c) / s).mid()) for row in smooth], "--", label=r"$E\,\sigma(\kappa^* z+\xi)$")
        sigma = compile_balls(objective.f, [variable()])
        axis.plot(places, [float(((arb(sigma(z)) - c) / s).mid()) for z in zs], ":", color="tab:gray", label=r"$\sigma(z)$")
    axis.set_xlabel("$z$")
    axis.legend()
    axis.grid(alpha=0.3)
