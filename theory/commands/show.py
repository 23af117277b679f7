"""What the command line prints: plain text for entries and values, a table of verdicts, a progress bar."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from theory.register.record import COLUMNS, Entry, Statement

if TYPE_CHECKING:
    from theory.evidence.verify import Row
    from theory.register.evaluate import Evaluation


def envelope(result: Evaluation) -> dict[str, Any]:
    """The values of an entry as decimal strings, with what they belong to: for JSON."""
    from theory.version import version

    return {
        **result.texts(),
        "key": result.entry.key,
        "parameters": dict(result.given),
        "provenance": result.entry.provenance,
        "hypotheses": dict(result.hypotheses),
        "digits": result.digits,
        "version": version(),
        "notes": list(result.notes),
        **({"reported": [dict(one) for one in result.reported]} if result.reported else {}),
    }


def text(entry: Entry) -> str:
    """An entry in plain text."""
    lines = [f"{entry.key}: {entry.title}", f"  source: {entry.source} ({entry.provenance})"]
    lines += [f"  note: {note}" for note in entry.notes]
    if not isinstance(entry, Statement):
        words = [f"{verb} {', '.join(names)}" for verb, names in (("needs", entry.parameters), ("takes", entry.optional)) if names]
        return "\n".join([*lines, f"  {' and '.join(words)}"] if words else lines)
    from theory.register.forms import reading
    from theory.register.parameters import accepted_parameters

    needs = reading(entry).needs
    if needs:
        lines.append("  parameters:")
        lines += [f"    {name}: {entry.alphabet.entry(name).meaning}" for name in accepted_parameters(needs)]
    lines += [f"  hypothesis: {name}" for name in entry.hypotheses]
    for column in COLUMNS:
        lines += [f"  {column}: {name} = {form}" for name, form in entry.definitions(column).items()]
    for name, root in entry.bindings.items():
        lines.append(f"  bound: {name} is the zero of {root.equation} between {root.low} and {root.high}")
    for claim in entry.claims:
        lines.append(f"  {claim.name} ({claim.kind}): {claim.says}")
        lines += [f"    {column}: {getattr(claim, column)}" for column in COLUMNS if getattr(claim, column) is not None]
        lines.append(f"    expected verdict: {claim.expected}")
    return "\n".join(lines)


def evaluation(result: Evaluation) -> str:
    """Values of an entry in plain text, one line a value, both columns beside each other."""
    data = envelope(result)
    given = ", ".join(f"{name}={value}" for name, value in data["parameters"].items())
    lines = [f"{data['key']} at {given}" if given else data["key"]]
    columns = [column for column in result.forms if column]
    if columns:
        names = list(dict.fromkeys(name for column in columns for name in data[column]))
        for name in names:
            lines.append(f"  {name}")
            lines += [f"    {column:<8} {_plain(data[column][name])}" for column in columns if name in data[column]]
    else:
        lines += [f"  {name}: {_plain(data[name])}" for name in result.forms[""]]
    lines += [f"  hypothesis {name}: {'holds' if holds else 'DOES NOT HOLD'}" for name, holds in data["hypotheses"].items()]
    for one in data.get("reported", ()):
        lines.append(f"  reported {one['value']}: {one['printed']}: {one['verdict']}")
        if "factor" in one:
            lines.append(f"    {one['factor']} times the computed value is {one['times_factor']}: {one['why']}")
    lines += [f"  note: {note}" for note in data["notes"]]
    return "\n".join(lines)


def _plain(value: Any) -> str:
    if isinstance(value, dict):
        return "".join(f"\n      [{name}] {_inline(part)}" for name, part in value.items())
    if isinstance(value, list):
        return "".join(f"\n      [{place}] {_plain(part)}" for place, part in enumerate(value))
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else "-" if value is None else str(value)


def _inline(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {_inline(part)}" for name, part in value.items())
    return " or ".join(map(_inline, value)) if isinstance(value, list) else _plain(value)


def verdicts(rows: Sequence[Row]) -> None:
    """Print the table of verdicts, the witnesses, and what is not as expected."""
    from rich.console import Console
    from rich.table import Table

    from theory.book.verdicts import agreed, printed, simulated, symbolic, witness_lines

    console = Console(width=None if sys.stdout.isatty() else 160, highlight=False)
    table = Table(show_lines=False)
    for heading in ("statement", "claim", "symbolic", "digits", "printed form", "simulation", "verdict"):
        table.add_column(heading, overflow="fold")
    for row in rows:
        mark = "" if row.as_expected else f" (expected: {row.expected})"
        words = (symbolic(row.symbolic), agreed(row), printed(row.printed), simulated(row))
        table.add_row(row.statement, row.claim, *words, row.verdict + mark)
    console.print(table)
    for line in witness_lines(rows):
        console.print(line, soft_wrap=True)
    unexpected = [row for row in rows if not row.as_expected]
    for row in unexpected:
        console.print(
            f"NOT AS EXPECTED: {row.statement}.{row.claim}: {row.verdict}, expected {row.expected}; "
            f"{symbolic(row.symbolic)}; {dict(row.witness)}",
            soft_wrap=True,
        )
    console.print(f"{len(rows)} claims, {len(unexpected)} not as expected")


@contextmanager
def progress(total: int, words: str, quiet: bool = False) -> Iterator[Callable[[str], None]]:
    """A progress bar on standard error; yields the function that advances it and names what was done."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    bar = Progress(*columns, console=Console(stderr=True), transient=True, disable=quiet or not sys.stderr.isatty())
    with bar:
        task = bar.add_task(words, total=total)
        yield lambda name: bar.update(task, advance=1, description=f"{words} {name}")
