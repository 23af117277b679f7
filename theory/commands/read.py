"""Commands that read the register: what is in it, what an entry says, its values, its derivations."""

from __future__ import annotations

import click

from pencils.errors import InputError
from theory.commands.options import DIGITS, JSON, dump, given_parameters
from theory.entries import entries, entry
from theory.register.record import Quantity


@click.command("list")
@JSON
def list_(as_json: bool) -> None:
    """List the entries of the register."""
    known = entries().values()
    if as_json:
        dump([{"key": e.key, "title": e.title, "source": e.source, "provenance": e.provenance} for e in known])
        return
    width = max(len(e.key) for e in known)
    for e in known:
        click.echo(f"{e.key:<{width}}  {e.title} [{e.provenance}]")


@click.command()
@click.argument("key")
@JSON
def show(key: str, as_json: bool) -> None:
    """Show an entry: hypotheses, definitions, claims in both forms."""
    from theory.commands.show import text
    from theory.register.plain import plain

    found = entry(key)
    if as_json:
        dump(plain(found))
        return
    click.echo(text(found))


@click.command("eval")
@click.argument("key")
@click.argument("parameters", nargs=-1)
@DIGITS
@JSON
def eval_(key: str, parameters: tuple[str, ...], digits: str, as_json: bool) -> None:
    """Evaluate an entry: gradstep eval KEY name=value ..."""
    from theory.commands.show import envelope, evaluation, progress
    from theory.register.evaluate import evaluate
    from theory.register.progress import told_to

    with told_to(progress):
        result = evaluate(entry(key), given_parameters(parameters), digits)
    if as_json:
        dump(envelope(result))
        return
    click.echo(evaluation(result))


@click.command()
@click.argument("key")
@click.option("--latex", is_flag=True, help="Print LaTeX.")
def derive(key: str, latex: bool) -> None:
    """Print the derivations of an entry, each step checked as it is written."""
    found = entry(key)
    if not found.derivations:
        what = "is a quantity without" if isinstance(found, Quantity) else "has no"
        raise InputError(f"{key} {what} derivation")
    from theory.proof.steps import derive as run

    # all of them before the first is printed: an entry with a false step prints none
    for name, proof in {name: run(reference) for name, reference in found.derivations.items()}.items():
        click.echo(proof.latex() if latex else f"{found.key}.{name}: {proof.text()}\n  {proof.summary()}\n")
