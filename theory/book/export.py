"""The book as LaTeX or Markdown: statements with both forms, their derivations, the table of verdicts, the figures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from theory.book.verdicts import cells, verdict_table, witness_lines
from theory.load import label
from theory.pictures.files import book_file
from theory.proof.prose import breakable, escape, markdown, prose
from theory.proof.steps import Proof, derive
from theory.register.latex import definitions_latex, form_latex, statement_latex
from theory.register.record import COLUMNS, Claim, Entry, Figure, Statement

if TYPE_CHECKING:
    from theory.evidence.verify import Row

_PREAMBLE = r"""\documentclass{article}
\usepackage{amsmath,amssymb,graphicx,longtable}
\usepackage[margin=2cm]{geometry}
\setlength{\parindent}{0pt}
\allowdisplaybreaks
\sloppy
\begin{document}
"""


def book(
    entries: Sequence[Entry], rows: Sequence[Row], as_markdown: bool = False, pictures: Mapping[str, str] | None = None
) -> str:
    """The book of the given entries: statements, derivations (each once, where it is first needed), verdicts, and the files of
    ``pictures`` (by figure name) with the entries whose figures they are."""
    told: dict[str, str] = {}
    parts = []
    for entry in entries:
        parts.append((_markdown_entry if as_markdown else _latex_entry)(entry, told))
        shown = [figure for figure in entry.figures if pictures and figure.name in pictures]
        parts += [_included(figure, pictures[figure.name], as_markdown) for figure in shown if pictures]
    witnesses = witness_lines(rows)
    if as_markdown:
        table = ["| statement | claim | symbolic | digits | simulation | verdict |", "|---|---|---|---|---|---|"]
        table += ["| " + " | ".join(markdown(cell) for cell in cells(row)) + " |" for row in rows]
        listing = ["- " + markdown(line) for line in witnesses]
        return "\n\n".join(["# gradstep", *parts, "## Verdicts", "\n".join(table), *listing]) + "\n"
    listing = [r"\par " + escape(line) for line in witnesses]
    body = "\n\n".join([*parts, r"\subsection*{Verdicts}", verdict_table(rows), *listing])
    return _PREAMBLE + body + "\n\\end{document}\n"


def _chapters(statement: Statement, told: dict[str, str]) -> Iterator[tuple[Claim, Proof | str]]:
    """The derivation of each claim, or the claim under which the same derivation was told before."""
    for claim in statement.claims:
        if claim.proof is None:
            continue
        name = label(claim.proof)
        if name in told:
            yield claim, told[name]
            continue
        told[name] = f"{statement.key}.{claim.name}"
        yield claim, derive(claim.proof)


def _latex_entry(entry: Entry, told: dict[str, str]) -> str:
    if not isinstance(entry, Statement):
        return rf"\subsection*{{{prose(entry.title)}}}" + "\n" + prose(" ".join(entry.notes))
    lines = [statement_latex(entry)]
    for claim, proof in _chapters(entry, told):
        if isinstance(proof, str):
            lines.append(rf"Derivation of {breakable(claim.name)}: as for \texttt{{{breakable(proof)}}}.\par")
        else:
            lines.append(rf"\subsubsection*{{Derivation: {prose(proof.title)}}}" + "\n" + proof.latex())
    return "\n\n".join(lines)


def _markdown_entry(entry: Entry, told: dict[str, str]) -> str:
    notes = [prose(note, markdown) for note in entry.notes]
    lines = [f"## {prose(entry.title, markdown)}", f"`{entry.key}` ({entry.source}; {entry.provenance})", *notes]
    if not isinstance(entry, Statement):
        return "\n\n".join(lines)
    for column in COLUMNS:
        lines += [f"$${line}$$ ({column})" for line in definitions_latex(entry, column)]
    for claim in entry.claims:
        lines.append(f"**{markdown(claim.name)}**: {prose(claim.says, markdown)}")
        lines += [
            f"{column}: $${form_latex(getattr(claim, column), claim, entry.alphabet)}$$"
            for column in COLUMNS
            if getattr(claim, column) is not None
        ]
    for claim, proof in _chapters(entry, told):
        if isinstance(proof, str):
            lines.append(f"Derivation of {markdown(claim.name)}: as for `{proof}`.")
            continue
        lines.append(f"### Derivation: {prose(proof.title, markdown)}")
        lines += [f"Assumed: {prose(words, markdown)}" for words in proof.assumptions]
        lines += [
            f"{number}. {prose(step.why, markdown)} ({step.checked})\n\n$${step.latex()}$$"
            for number, step in enumerate(proof.steps, 1)
        ]
    return "\n\n".join(lines)


def _included(figure: Figure, file: str, as_markdown: bool) -> str:
    """A picture in the book, with its title and the size of its simulation."""
    words = f"{figure.title}; dots: {figure.draws} runs at d = {figure.d}, one standard error each way"
    if as_markdown:
        return f"![{figure.name}]({file})\n\n{prose(words, markdown)}"
    picture = rf"\includegraphics[width=0.75\textwidth]{{{file}}}"
    return rf"\begin{{center}}{picture}\\ {prose(words)}\end{{center}}"


def write(path: Any, entries: Sequence[Entry], rows: Sequence[Row], pictures: Mapping[str, str] | None = None) -> Path:
    """Write the book to ``path`` as LaTeX or Markdown, by its suffix, with the ``pictures`` that ``draw_figures`` made."""
    target = book_file(path)
    target.write_text(book(entries, rows, target.suffix == ".md", pictures), encoding="utf-8")
    return target
