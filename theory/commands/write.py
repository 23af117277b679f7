"""Commands that write files: a picture, the book."""

from __future__ import annotations

import click

from theory.commands.options import DIGITS, chosen_entries, given_parameters, output_option


@click.command()
@click.argument("key")
@click.argument("parameters", nargs=-1)
@output_option("Picture to write (.png, .pdf or .svg).")
def plot(key: str, parameters: tuple[str, ...], output: str) -> None:
    """Draw a statement's forms against one parameter: gradstep plot KEY name=value ... eta=0:5 -o FILE

    One parameter may be a range a:b or a:b:points; without one the statement's own is drawn. KEY may also be a figure of the
    register (risk, delta, ...), which has simulated dots: their size and number of runs are d= and draws=.
    """
    given = given_parameters(parameters)
    from theory.book.figures import draw_named
    from theory.commands.show import progress
    from theory.register.progress import told_to

    with told_to(progress):
        path = draw_named(key, given, output)
    click.echo(str(path))


@click.command()
@click.argument("keys", nargs=-1)
@output_option("Book to write (.tex or .md).")
@click.option("--figures/--no-figures", default=True, show_default=True, help="Draw the entries' figures beside the book.")
@DIGITS
def export(keys: tuple[str, ...], output: str, figures: bool, digits: str) -> None:
    """Write statements, derivations, the table of verdicts and the figures as LaTeX or Markdown."""
    from pencils.exact.numbers import check_digits

    number = check_digits(digits)
    chosen = chosen_entries(keys)
    from theory.pictures.files import book_file

    book_file(output)
    from theory.book.export import write
    from theory.book.figures import draw_figures
    from theory.commands.show import progress
    from theory.evidence.verify import verify as verify_entries

    with progress(len(chosen), "verifying") as advance:
        rows = verify_entries(chosen, number, False, advance, min(2, len(chosen)))
    click.echo(str(write(output, chosen, rows, draw_figures(output, chosen) if figures else None)))
