"""What the commands share: options, parameters as typed, JSON out, an error in one line."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

import click

from pencils.errors import InputError
from theory.entries import entries, entry
from theory.register.record import Entry

DIGITS = click.option("--digits", default="30", metavar="D", help="Digits to prove (1 to 1000).")
JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


def output_option(words: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """The option ``-o FILE``, which must be given."""
    return click.option("-o", "--output", required=True, metavar="FILE", help=words)


def given_parameters(words: Sequence[str]) -> dict[str, str]:
    """``name=value`` words as a dictionary, values as typed; InputError for another word or a name given twice."""
    given: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or not name or not value:
            raise InputError(f"{word!r}: parameters are written name=value, for instance psi1=4 or eta=5/2")
        if name in given:
            raise InputError(f"{name} is given twice: {given[name]} and {value}")
        given[name] = value
    return given


def chosen_entries(keys: Sequence[str]) -> list[Entry]:
    """The entries of the keys, each once; all entries where no key is given."""
    return [entry(key) for key in dict.fromkeys(keys)] or list(entries().values())


def dump(data: Any) -> None:
    """Print JSON."""
    click.echo(json.dumps(data, indent=2, ensure_ascii=False))


def fail(message: str, code: int) -> NoReturn:
    """End with ``message`` as one line on standard error."""
    click.echo("gradstep: " + " ".join(message.split()), err=True)
    sys.exit(code)
