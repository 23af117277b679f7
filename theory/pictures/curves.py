"""Pictures: a statement's numeric forms against one parameter, printed beside derived."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pencils.errors import InputError
from pencils.exact.numbers import check_digits, exact
from theory.load import load
from theory.pictures.canvas import canvas
from theory.pictures.files import picture_file
from theory.pictures.ranges import Range, one_range, spread
from theory.register.evaluate import build_model, value_of
from theory.register.forms import reading
from theory.register.record import COLUMNS, Entry, Figure, Statement

POINTS = 81
MAX_POINTS = 2000


def draw(found: Entry, given: Mapping[str, str], output: Any) -> Path:
    """The picture of an entry: a statement's forms against one parameter, a quantity's own picture where it has one."""
    if isinstance(found, Statement):
        return draw_forms(found, given, output)
    if found.picture is None:
        own = ", ".join(figure.name for figure in found.figures)
        raise InputError(f"{found.key} is a quantity without a picture; " + (f"its figures: {own}" if own else "see eval"))
    path: Path = load(found.picture)(found, given, output)
    return path


def draw_figure(owner: Entry, figure: Figure, given: Mapping[str, str], output: Any) -> Path:
    """The picture of a figure of the register, by the function it names."""
    path: Path = load(figure.draw)(owner, figure, given, output)
    return path


def draw_forms(statement: Statement, given: Mapping[str, str], output: Any) -> Path:
    """Draw every claim that has a number, one panel each, over the one parameter given as a range ``a:b[:points]``.

    Without a range the statement's own sweep is drawn. Returns the file written. Raises InputError for two ranges, a
    malformed one, another suffix or a folder that does not exist.
    """
    target = picture_file(output)
    fixed, name, low, high, points = sweep(statement, given)
    grid = spread(low, high, points)
    names = [claim.name for claim in statement.claims if claim.numeric and claim.kind != "threshold"]
    curves = forms_along(statement, names, fixed, name, grid)

    with canvas(target, (4 * len(names), 3.4), columns=len(names)) as (figure, axes):
        says = {claim.name: claim.says for claim in statement.claims}
        for axis, part in zip(axes[0], names, strict=True):
            for column, style in (("derived", "-"), ("printed", "--")):
                if (column, part) in curves:
                    axis.plot([float(place) for place in grid], curves[column, part], style, label=column)
            axis.set_xlabel(f"${statement.alphabet.latex_name(name)}$")
            axis.set_title(f"{part}\n{says[part][:60]}", fontsize=9)
            axis.grid(alpha=0.3)
        axes[0][0].legend()
        figure.suptitle(f"{statement.key}   " + "  ".join(f"{key}={value}" for key, value in fixed.items()), fontsize=10)
    return target


def forms_along(
    statement: Statement,
    names: Sequence[str],
    fixed: Mapping[str, Any],
    swept: str,
    grid: Sequence[Any],
    columns: Sequence[str] = COLUMNS,
) -> dict[tuple[str, str], list[float]]:
    """{(column, claim): values over the grid} of the named claims, to 8 digits; a form that is not printed is left out."""
    forms = {column: reading(statement).forms(column) for column in columns}
    curves: dict[tuple[str, str], list[float]] = {
        (column, part): [] for column in columns for part in names if part in forms[column]
    }
    for place in grid:
        model = build_model(statement, {**fixed, swept: place})
        for column, part in curves:
            curves[column, part].append(float(value_of(forms[column][part], model, check_digits(8))))
    return curves


def sweep(statement: Statement, given: Mapping[str, str]) -> tuple[dict[str, Any], str, Any, Any, int]:
    """(fixed parameters, the swept one, its ends, number of points)."""
    swept, others = one_range(given)
    fixed: dict[str, Any] = dict(others)
    if swept is not None:
        span, name = Range.of(*swept), swept[0]
        count = span.points(POINTS, MAX_POINTS)
        low, high = span.ends()
    elif statement.sweep is not None:
        name, start, end = statement.sweep
        if name in fixed:
            raise InputError(f"nothing is left to draw against: give one parameter as a range, for instance {name}={start}:{end}")
        low, high, count = exact(start), exact(end), POINTS
    else:
        raise InputError(f"{statement.key}: give one parameter as a range, for instance eta=0:5")
    if not low < high:
        raise InputError(f"{name}: the range {low}:{high} is empty; give a < b")
    if statement.experiment is not None:
        from theory.register.forms import reading
        from theory.register.parameters import HERMITE

        needs = reading(statement).needs
        wanted = {*needs, *[HERMITE[part] for part in needs if part in HERMITE]}
        defaults = {key: value for key, value in statement.experiment.setting.items() if key in wanted}
        covered = {HERMITE[part] for part in fixed if part in HERMITE}
        fixed = {**{key: value for key, value in defaults.items() if key != name and key not in covered}, **fixed}
    return fixed, name, low, high, count
