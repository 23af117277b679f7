"""The command line ``gradstep``. Heavy imports happen inside the commands that need them."""

from __future__ import annotations

import json
import sys
from typing import Any

import click

from pencils.errors import GradstepError, InputError
from theory.entries import entries, entry, split_claim
from theory.register.record import Quantity

DIGITS = click.option("--digits", default="30", metavar="D", help="Digits to prove (1 to 1000).")
JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """A machine-checked book of the theory of one gradient step.

    KEY is an entry of the register (`gradstep list`). Parameters are name=value: decimals and fractions are exact, an
    activation or teacher is a name (tanh, relu, softplus, ...) or a formula in x.
    """


def run() -> None:
    """Entry point: every error is one line on standard error and exit status 2."""
    try:
        code = main.main(standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message())
        sys.exit(0)
    except click.exceptions.Abort:
        _fail("interrupted", 130)
    except click.ClickException as error:
        _fail(error.format_message(), 2)
    except GradstepError as error:
        _fail(str(error), 2)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(1)
    except OSError as error:
        _fail(f"{error.filename or 'file'}: {error.strerror or error}", 2)
    except (MemoryError, OverflowError, RecursionError) as error:
        _fail(f"too large for this machine: {error or type(error).__name__}", 2)
    sys.exit(code if isinstance(code, int) else 0)


def _fail(message: str, code: int) -> None:
    click.echo("gradstep: " + " ".join(message.split()), err=True)
    sys.exit(code)


def _parameters(words: tuple[str, ...]) -> dict[str, str]:
    given: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or not name or not value:
            raise InputError(f"{word!r}: parameters are written name=value, for instance psi1=4 or eta=5/2")
        if name in given:
            raise InputError(f"{name} is given twice: {given[name]} and {value}")
        given[name] = value
    return given


def _dump(data: Any) -> None:
    click.echo(json.dumps(data, indent=2, ensure_ascii=False))


@main.command("list")
@JSON
def list_(as_json: bool) -> None:
    """List the entries of the register."""
    known = entries().values()
    if as_json:
        _dump([{"key": e.key, "title": e.title, "source": e.source, "provenance": e.provenance} for e in known])
        return
    width = max(len(e.key) for e in known)
    for e in known:
        click.echo(f"{e.key:<{width}}  {e.title} [{e.provenance}]")


@main.command()
@click.argument("key")
@JSON
def show(key: str, as_json: bool) -> None:
    """Show an entry: hypotheses, definitions, claims in both forms."""
    from theory.commands.show import data, text

    found = entry(key)
    if as_json:
        _dump(data(found))
        return
    click.echo(text(found))


@main.command("eval")
@click.argument("key")
@click.argument("parameters", nargs=-1)
@DIGITS
@JSON
def eval_(key: str, parameters: tuple[str, ...], digits: str, as_json: bool) -> None:
    """Evaluate an entry: gradstep eval KEY name=value ..."""
    from theory.register.evaluate import evaluate

    result = evaluate(entry(key), _parameters(parameters), digits)
    if as_json:
        _dump(result.json())
        return
    from theory.commands.show import evaluation

    click.echo(evaluation(result))


@main.command()
@click.argument("keys", nargs=-1)
@DIGITS
@click.option("--simulate", is_flag=True, help="Judge by simulation too (minutes).")
@click.option("--jobs", default=2, show_default=True, type=click.IntRange(1, 256), help="Processes.")
@JSON
def verify(keys: tuple[str, ...], digits: str, simulate: bool, jobs: int, as_json: bool) -> None:
    """Verify entries (all by default): one row a claim; exit status 0 when every verdict is the expected one."""
    from pencils.exact.numbers import check_digits

    number = check_digits(digits)
    chosen = [entry(key) for key in dict.fromkeys(keys)] or list(entries().values())
    from theory.commands.show import progress, verdicts
    from theory.evidence.verify import verify as verify_entries

    with progress(len(chosen), "verifying", quiet=as_json) as advance:
        rows = verify_entries(chosen, number, simulate, advance, min(jobs, len(chosen)))
    if as_json:
        _dump([row.as_dict() for row in rows])
    else:
        verdicts(rows)
    sys.exit(0 if all(row.as_expected for row in rows) else 1)


@main.command(context_settings={"ignore_unknown_options": True})
@click.argument("claim", metavar="KEY.CLAIM")
@click.argument("formula")
@JSON
def compare(claim: str, formula: str, as_json: bool) -> None:
    """Test your own FORMULA against a claim's derived form; exit status 0 when they are identical."""
    found, part = split_claim(claim)
    from theory.register.evaluate import check_form

    check_form(formula, "formula", found.alphabet)
    from theory.evidence.compare import compare as compare_forms

    result = compare_forms(found, part, formula)
    if as_json:
        _dump(result.as_dict())
    else:
        click.echo(result.sentence())
    sys.exit(0 if result else 1)


@main.command()
@click.argument("key")
@click.option("--latex", is_flag=True, help="Print LaTeX.")
def derive(key: str, latex: bool) -> None:
    """Print the derivations of an entry, each step checked as it is written."""
    found = entry(key)
    proofs = found.derive()
    if not proofs:
        what = "is a quantity without" if isinstance(found, Quantity) else "has no"
        raise InputError(f"{key} {what} derivation")
    for name, proof in proofs.items():
        click.echo(proof.latex() if latex else f"{found.key}.{name}: {proof.text()}\n  {proof.summary()}\n")


@main.command()
@click.argument("key")
@click.argument("parameters", nargs=-1)
@click.option("--seed", default=0, show_default=True, help="Seed of the random streams.")
@click.option("--jobs", default=2, show_default=True, help="Processes, one BLAS thread each.")
@JSON
def simulate(key: str, parameters: tuple[str, ...], seed: int, jobs: int, as_json: bool) -> None:
    """Judge an entry by simulation: gradstep simulate KEY name=value ... d=1000 draws=8

    Four sizes up to d are run; parameters that are not given take the entry's own setting, and its variants follow.
    """
    given = _parameters(parameters)
    found = entry(key)
    from theory.trial.plan import plans

    runs = plans(found, given, seed=seed, jobs=jobs)
    from theory.commands.show import progress
    from theory.trial.experiment import run

    with progress(sum(one.total for one in runs), "simulating", quiet=as_json) as advance:
        first, *rest = [run(one, advance) for one in runs]
    if as_json:
        _dump(first.as_dict() | ({"variants": [report.as_dict() for report in rest]} if rest else {}))
    else:
        click.echo("\n".join(report.text() for report in (first, *rest)))


@main.command()
@click.argument("key")
@click.argument("parameters", nargs=-1)
@click.option("-o", "--output", required=True, metavar="FILE", help="Picture to write (.png, .pdf or .svg).")
def plot(key: str, parameters: tuple[str, ...], output: str) -> None:
    """Draw a statement's forms against one parameter: gradstep plot KEY name=value ... eta=0:5 -o FILE

    One parameter may be a range a:b or a:b:points; without one the statement's own is drawn. KEY may also be a figure of the
    register (risk, delta, ...), which has simulated dots: their size and number of runs are d= and draws=.
    """
    given = _parameters(parameters)
    from theory.pictures.curves import draw_named

    click.echo(str(draw_named(key, given, output)))


@main.command()
@click.argument("keys", nargs=-1)
@click.option("-o", "--output", required=True, metavar="FILE", help="Book to write (.tex or .md).")
@click.option("--figures/--no-figures", default=True, show_default=True, help="Draw the entries' figures beside the book.")
@DIGITS
def export(keys: tuple[str, ...], output: str, figures: bool, digits: str) -> None:
    """Write statements, derivations, the table of verdicts and the figures as LaTeX or Markdown."""
    from pencils.exact.numbers import check_digits

    number = check_digits(digits)
    chosen = [entry(key) for key in dict.fromkeys(keys)] or list(entries().values())
    from theory.pictures.files import BOOKS, writable

    writable(output, BOOKS, "the book")
    from theory.book.export import draw_figures, write
    from theory.commands.show import progress
    from theory.evidence.verify import verify as verify_entries

    with progress(len(chosen), "verifying") as advance:
        rows = verify_entries(chosen, number, False, advance, min(2, len(chosen)))
    click.echo(str(write(output, chosen, rows, draw_figures(output, chosen) if figures else None)))


import theory.commands.spectrum  # noqa: E402
import theory.commands.trace  # noqa: E402, F401 (their commands need the group above)
