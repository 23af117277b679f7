"""The command ``gradstep trace``: the limit of a normalised trace or bilinear form, from the text of its expression."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import click

from pencils.errors import InputError
from theory.commands.matrices import Values, complete, declarations, declared_problem, dump_answer, typed
from theory.commands.options import DIGITS, JSON, given_parameters

if TYPE_CHECKING:
    from pencils.law import Law


@click.command()
@click.argument("expression", metavar="EXPR")
@click.argument("parameters", nargs=-1)
@declarations
@DIGITS
@click.option("--equations", is_flag=True, help="Print the self-consistent equations in place of the value.")
@click.option("--latex", is_flag=True, help="Print pencil and equations as LaTeX.")
@click.option("--sample", is_flag=True, help="Sample the expression at finite size, beside the limit.")
@click.option("--size", default=400, show_default=True, help="Sampling: dimensions are their values times this.")
@click.option("--draws", default=20, show_default=True, help="Sampling: number of draws.")
@click.option("--seed", default=0, show_default=True, help="Sampling: seed of the random streams.")
@JSON
def trace(
    expression: str,
    parameters: tuple[str, ...],
    digits: str,
    equations: bool,
    latex: bool,
    sample: bool,
    size: int,
    draws: int,
    seed: int,
    as_json: bool,
    **declared: tuple[str, ...],
) -> None:
    """Limit of a normalised trace: gradstep trace EXPR name=value ...

    \b
    gradstep trace "tr(inv(X.T*X/n + lam*I))" n=2 d=1 lam=1/10 --gaussian "X: n x d"

    EXPR has declared matrices, scalars, + - * / ** and .T, inv(matrix), sqrt(scalar), I the identity (its neighbours give
    its size), i the imaginary unit, pi. tr(...) around it may be left out; u.T*E*v with vectors is a bilinear form, and so is
    a sum of such terms. Matrices given as arrays, and spectra, are for Python.

    A declaration is "NAMES: SHAPE, CLAUSE, ...". NAMES are one or more, SHAPE is "n x d", or "d" for a square matrix or a
    vector; names in shapes are dimensions, and only their ratios matter. Numbers are exact: 0.1, 5/2, sqrt(2), 7/10+i/2.

    Any other name is a scalar, positive unless its value is not; of z, or of the one scalar that is not positive, a real
    value inside the spectrum means z + i0.
    """
    from pencils.exact.numbers import check_digits
    from pencils.language.parse import parse

    given = given_parameters(parameters)
    wanted = check_digits(digits)
    if equations + latex + sample > 1:
        raise InputError("--equations, --latex and --sample exclude each other")
    parse(expression, "expression", transpose=True)  # a mistake in the grammar is answered before SymPy is loaded
    from pencils.law import expected_trace

    law, values = declared_problem(expected_trace, expression, declared, given)
    if equations:
        answer = _equations(law)
    elif latex:
        answer = {"latex": _spelled(law.latex())}
    elif sample:
        answer = _sample(law, complete(law, values), size, draws, seed)
    else:
        value = law.evaluate(complete(law, values), wanted)
        answer = {"value": _number(value), **(_equations(law) if as_json else {}), "digits": wanted}
    if as_json:
        dump_answer(expression, answer, given)
    elif equations:
        click.echo("\n".join(_lines(answer)))
    elif sample:
        click.echo("\n".join(f"{name}: {_flat(part)}" for name, part in answer.items()))
    else:
        click.echo(_flat(answer["latex" if latex else "value"]))


def _equations(law: Law) -> dict[str, Any]:
    return {
        "equations": [f"{typed(e.lhs)} = {typed(e.rhs)}" for e in law.equations],
        "definitions": [f"{typed(e.lhs)} = {typed(e.rhs)}" for e in law.definitions],
        "formula": typed(law.value),
        "unknowns": {str(symbol): meaning for symbol, meaning in law.unknowns.items()},
    }


def _lines(found: dict[str, Any]) -> list[str]:
    lines = [f"value = {found['formula']}"]
    for heading in ("equations", "definitions"):
        lines += [f"{heading}:" if found[heading] else f"{heading}: none", *(f"  {line}" for line in found[heading])]
    return [*lines, "unknowns:", *(f"  {name}: {meaning}" for name, meaning in found["unknowns"].items())]


def _sample(law: Law, values: Values, size: int, draws: int, seed: int) -> dict[str, Any]:
    from pencils.finite_size.check import beside

    drawn = law.sample(values, size, draws, seed)
    limit = law.evaluate(values, 15)
    return {
        "mean": _number(drawn.mean),
        "standard_error": _number(drawn.standard_error),
        "limit": _number(limit),
        "distance": f"{beside(limit, size, drawn).z:.2f} standard errors",
        "draws": drawn.draws,
        "dimensions": {str(symbol): length for symbol, length in drawn.dimensions.items()},
    }


def _number(value: Any) -> str | list[str]:
    """A real number as text, a complex one as [real part, imaginary part]."""
    if isinstance(value, complex):
        return [str(value.real), str(value.imag)]
    if isinstance(value, float) or value.is_real:
        return str(value)
    return [str(part) for part in value.as_real_imag()]


def _flat(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name}={part}" for name, part in value.items())
    if isinstance(value, list):
        real, imaginary = value
        return f"{real} {'-' if imaginary.startswith('-') else '+'} {imaginary.lstrip('-')}*i"
    return str(value)


def _spelled(latex: str) -> str:
    """``lam`` is how lambda is typed; in LaTeX it is set as the letter."""
    return re.sub(r"(?<![\\A-Za-z])lam(?![A-Za-z])", r"\\lambda", latex)
