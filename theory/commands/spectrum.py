"""The command ``gradstep spectrum``: edges, density, atoms, moments, outliers of a symmetric matrix, from its text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from pencils.errors import InputError
from theory.commands.matrices import Values, complete, declarations, declared_problem, dump_answer, typed
from theory.commands.options import DIGITS, JSON, given_parameters

if TYPE_CHECKING:
    from pencils.spectral_law import Spectrum

MOST_POINTS = 100_000


@click.command()
@click.argument("expression", metavar="EXPR")
@click.argument("parameters", nargs=-1)
@declarations
@DIGITS
@click.option("--density", metavar="A:B:N", help="Print the density at N points from A to B.")
@click.option("--edges", is_flag=True, help="Print the edges alone, one a line.")
@click.option("--moments", metavar="K", help="Print the first K moments.")
@click.option("--polynomial", is_flag=True, help="Print P(m, z), which is 0 at m(z), the trace of (M - z)^{-1}.")
@click.option("--outliers", is_flag=True, help="Print the outliers, with the squared overlaps of their eigenvectors.")
@click.option("--plot", metavar="FILE", help="Draw the spectrum over a sample (.png, .pdf or .svg).")
@click.option("--size", default=600, show_default=True, help="Plot: dimensions of the sample are their values times this.")
@click.option("--draws", default=4, show_default=True, help="Plot: number of draws.")
@click.option("--seed", default=0, show_default=True, help="Plot: seed of the random streams.")
@JSON
def spectrum(
    expression: str,
    parameters: tuple[str, ...],
    digits: str,
    density: str | None,
    edges: bool,
    moments: str | None,
    polynomial: bool,
    outliers: bool,
    plot: str | None,
    size: int,
    draws: int,
    seed: int,
    as_json: bool,
    **declared: tuple[str, ...],
) -> None:
    """Spectrum of a symmetric matrix: gradstep spectrum EXPR name=value ...

    \b
    gradstep spectrum "X*X.T/n" p=1 n=2 --gaussian "X: p x n"

    EXPR and declarations are written as for `gradstep trace`; a vector inside, as in W + theta*u*u.T, makes outliers. Without
    an option: support, atoms, and the edges with the power of the density at each. The one dimension of a matrix without
    other parameters needs no value. The singular values of a matrix M that is not symmetric are the roots of the
    spectrum of M*M.T.
    """
    from pencils.exact.numbers import check_digits
    from pencils.language.parse import parse

    given = given_parameters(parameters)
    wanted = check_digits(digits)
    chosen = [
        name
        for name, on in (
            ("density", density is not None),
            ("edges", edges),
            ("moments", moments is not None),
            ("polynomial", polynomial),
            ("outliers", outliers),
            ("plot", plot is not None),
        )
        if on
    ]
    if len(chosen) > 1:
        raise InputError(f"--{chosen[0]} and --{chosen[1]} exclude each other")
    grid = None if density is None else _grid(density)
    count = None if moments is None else _count(moments)
    if plot is not None:
        from theory.pictures.files import picture_file

        picture_file(plot)
    parse(expression, "expression", transpose=True)  # a mistake in the grammar is answered before SymPy is loaded
    from pencils.spectral_law import spectrum as spectrum_of

    law, values = declared_problem(spectrum_of, expression, declared, given)
    if not polynomial and count is None:
        values = _complete(law, values)
    if grid is not None:
        found: dict[str, Any] = _density(law, values, *grid)
    elif count is not None:
        found = {"moments": [typed(moment) for moment in law.moments(count, values)]}
    elif polynomial:
        unknown, poly = _polynomial(law, values)
        found = {"polynomial": poly, "unknown": unknown, "spectral": str(law.z)}
    elif outliers:
        found = {
            "outliers": [
                {
                    "position": str(o.position),
                    "multiplicity": o.multiplicity,
                    "overlaps": {str(q): str(v) for q, v in o.overlaps.items()},
                }
                for o in law.outliers(values, wanted)
            ],
            "digits": wanted,
        }
    elif plot is not None:
        law.plot(values, plot, size=size, draws=draws, seed=seed)
        found = {"plot": plot}
    elif edges:
        found = {"edges": [str(edge) for edge in law.edges(values, wanted)], "digits": wanted}
    else:
        found = _summary(law, values, wanted)
    if as_json:
        dump_answer(expression, found, given)
    else:
        click.echo("\n".join(_lines(found)))


def _complete(law: Spectrum, values: Values) -> Values:
    """The values; the one dimension of a matrix without other parameters is 1 where it is left out."""
    if not values and law.parameters == law.given.dimensions and len(law.parameters) == 1:
        return {law.parameters[0]: 1}
    return complete(law, values)


def _grid(text: str) -> tuple[Any, Any, int]:
    from pencils.exact.numbers import exact

    parts = text.split(":")
    if len(parts) != 3:
        raise InputError(f"--density {text}: write a:b:n, n points from a to b")
    low, high, count = (exact(part, "--density") for part in parts)
    if not low < high or count.denominator != 1 or not 2 <= count <= MOST_POINTS:
        raise InputError(f"--density {text}: wanted are a < b and a whole number of points from 2 to {MOST_POINTS}")
    return low, high, int(count)


def _count(text: str) -> int:
    from pencils.exact.numbers import exact

    count = exact(text, "--moments")
    if count.denominator != 1 or not 1 <= count <= 200:
        raise InputError(f"--moments {text}: give a whole number from 1 to 200")
    return int(count)


def _density(law: Spectrum, values: Any, low: Any, high: Any, count: int) -> dict[str, Any]:
    import numpy as np

    xs = np.array([float(low + (high - low) * k / (count - 1)) for k in range(count)])
    rho = law.density(xs, values)
    return {"density": [[repr(float(x)), repr(float(r)) if np.isfinite(r) else "inf"] for x, r in zip(xs, rho, strict=True)]}


def _polynomial(law: Spectrum, values: Any) -> tuple[str, str]:
    poly = law.polynomial(values)
    (unknown,) = poly.gens
    return str(unknown), typed(poly.as_expr())


def _summary(law: Spectrum, values: Any, digits: int) -> dict[str, Any]:
    found = law.behaviour(values, digits)
    return {
        "support": [[str(a), str(b)] for a, b in law.support(values, digits)],
        "atoms": [{"location": str(place), "mass": str(mass)} for place, mass in law.atoms(values, digits)],
        "edges": [{"position": str(e.position), "side": e.side, "kind": e.kind, "exponent": str(e.exponent)} for e in found],
        "digits": digits,
    }


def _lines(found: Mapping[str, Any]) -> list[str]:
    if "support" in found:
        edges = [f"  {e['position']}  {e['side']}, {e['kind']}, exponent {e['exponent']}" for e in found["edges"]]
        return [
            "support: " + " + ".join(_interval(*pair) for pair in found["support"]),
            *(f"atom: {atom['mass']} at {atom['location']}" for atom in found["atoms"]),
            "edges:" if edges else "edges: none",
            *edges,
        ]
    if "density" in found:
        return [f"{x} {rho}" for x, rho in found["density"]]
    if "outliers" in found:
        lines = [f"{o['position']}" + "".join(f"  overlap {q} {v}" for q, v in o["overlaps"].items()) for o in found["outliers"]]
        return lines or ["no outliers"]
    for name in ("edges", "moments"):
        if name in found:
            return list(found[name])
    return [str(found.get("polynomial", found.get("plot")))]


def _interval(low: str, high: str) -> str:
    if low == high:
        return f"{{{low}}}"
    left, right = ("(" if low == "-oo" else "["), (")" if high == "oo" else "]")
    return f"{left}{low}, {high}{right}"
