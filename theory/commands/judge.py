"""Commands that judge: verdicts, a reader's own formula, simulation."""

from __future__ import annotations

import sys

import click

from theory.commands.options import DIGITS, JSON, chosen_entries, dump, given_parameters
from theory.entries import entry, split_claim


@click.command()
@click.argument("keys", nargs=-1)
@DIGITS
@click.option("--simulate", is_flag=True, help="Judge by simulation too (minutes).")
@click.option("--jobs", default=2, show_default=True, type=click.IntRange(1, 256), help="Processes.")
@JSON
def verify(keys: tuple[str, ...], digits: str, simulate: bool, jobs: int, as_json: bool) -> None:
    """Verify entries (all by default): one row a claim; exit status 0 when every verdict is the expected one."""
    from pencils.exact.numbers import check_digits

    number = check_digits(digits)
    chosen = chosen_entries(keys)
    from theory.book.verdicts import as_dict
    from theory.commands.show import progress, verdicts
    from theory.evidence.verify import verify as verify_entries

    with progress(len(chosen), "verifying", quiet=as_json) as advance:
        rows = verify_entries(chosen, number, simulate, advance, min(jobs, len(chosen)))
    if as_json:
        dump([as_dict(row) for row in rows])
    else:
        verdicts(rows)
    sys.exit(0 if all(row.as_expected for row in rows) else 1)


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("claim", metavar="KEY.CLAIM")
@click.argument("formula")
@JSON
def compare(claim: str, formula: str, as_json: bool) -> None:
    """Test your own FORMULA against a claim's derived form; exit status 0 when they are identical."""
    found, part = split_claim(claim)
    found.alphabet.check_form(formula, "formula")
    from theory.evidence.compare import compare as compare_forms

    result = compare_forms(found, part, formula)
    if as_json:
        dump(result.as_dict())
    else:
        click.echo(result.sentence())
    sys.exit(0 if result else 1)


@click.command()
@click.argument("key")
@click.argument("parameters", nargs=-1)
@click.option("--seed", default=0, show_default=True, help="Seed of the random streams.")
@click.option("--jobs", default=2, show_default=True, help="Processes, one BLAS thread each.")
@JSON
def simulate(key: str, parameters: tuple[str, ...], seed: int, jobs: int, as_json: bool) -> None:
    """Judge an entry by simulation: gradstep simulate KEY name=value ... d=1000 draws=8

    Four sizes up to d are run; parameters that are not given take the entry's own setting, and its variants follow.
    """
    given = given_parameters(parameters)
    found = entry(key)
    from theory.trial.plan import plans

    runs = plans(found, given, seed=seed, jobs=jobs)
    from theory.commands.show import progress
    from theory.trial.experiment import run

    with progress(sum(one.total for one in runs), "simulating", quiet=as_json) as advance:
        first, *rest = [run(one, advance) for one in runs]
    if as_json:
        dump(first.as_dict() | ({"variants": [report.as_dict() for report in rest]} if rest else {}))
    else:
        click.echo("\n".join(report.text() for report in (first, *rest)))
