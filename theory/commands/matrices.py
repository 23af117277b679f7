"""What the commands on random matrices share: options that declare matrices, the problem read from its text, what is missing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import click

from pencils.errors import InputError
from theory.commands.options import dump

if TYPE_CHECKING:
    import sympy as sp

EXAMPLES = {
    "gaussian": '"X: n x d, variance 1/n": independent N(0, variance) entries (variance 1 if left out).',
    "wigner": '"A: d, variance 1/d, complex": GOE, or GUE with the word complex; variance of an entry off the diagonal.',
    "deterministic": '"S: d, law 1:1/2 3:1/2": eigenvalue:weight; rectangular: "A: p x n, singular 1/2:1/2 3/2:1/2".',
    "commuting": '"S T: d, law 1:2:1/2 3:1/2:1/2": one eigenbasis; eigenvalue of S:eigenvalue of T:weight.',
    "vector": '"u: d, norm 2, overlap v 1/2": norm 1 and overlaps 0 if left out; beside a law, "u: d, components 1 1/2", '
    "one for each entry of the law, and as many numbers for an overlap.",
}


class Facade(Protocol):
    """A law or a spectrum: made from an expression, with the parameters that it needs values of."""

    @property
    def parameters(self) -> list[sp.Symbol]: ...


Found = TypeVar("Found", bound=Facade)
Values = dict[Any, Any]


def declarations(command: Callable[..., None]) -> Callable[..., None]:
    """One option a kind of matrix, each to be given as often as wanted."""
    for kind in reversed(EXAMPLES):
        command = click.option(f"--{kind}", multiple=True, metavar="TEXT", help=EXAMPLES[kind])(command)
    return command


def declared_problem(
    make: Callable[..., Found], expression: str, declared: Mapping[str, tuple[str, ...]], given: Mapping[str, str]
) -> tuple[Found, Values]:
    """(what ``make`` makes of the expression and its ensembles, the values given). InputError for a parameter it has not."""
    from pencils.language.declarations import DeclarationError
    from pencils.language.matrix_text import read

    try:
        problem = read(expression, [(kind, text) for kind in EXAMPLES for text in declared[kind]], given)
        found = make(problem.expr, problem.ensembles)
    except DeclarationError as error:
        raise error.for_command() from error
    unknown = [symbol for symbol in problem.values if symbol not in found.parameters]
    if unknown:
        raise InputError(f"unknown parameter {unknown[0]}; this expression has {', '.join(map(str, found.parameters))}")
    return found, dict(problem.values)


def complete(found: Facade, values: Values) -> Values:
    """The values; InputError where one is missing."""
    missing = [symbol for symbol in found.parameters if symbol not in values]
    if missing:
        names = ", ".join(map(str, missing))
        raise InputError(f"missing {names}: give {missing[0]}=VALUE (a name that no option declares is a scalar)")
    return values


def dump_answer(expression: str, answer: Mapping[str, Any], given: Mapping[str, str]) -> None:
    """Print an answer as JSON, between the expression and what it was asked with."""
    from theory.version import version

    dump({"expression": expression, **answer, "parameters": dict(given), "version": version()})


def typed(expr: sp.Expr) -> str:
    """As one would type it: i is the imaginary unit, I is the identity."""
    import sympy as sp

    return str(expr.xreplace({sp.I: sp.Symbol("i")}))
