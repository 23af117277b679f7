"""LaTeX and Markdown: statements with both forms, their derivations, and the table of verdicts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pencils.errors import InputError
from theory.record import COLUMNS, Claim, Entry, Statement

if TYPE_CHECKING:
    from theory.proof import Proof
    from theory.verify import Row

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "_": r"\_",
    "&": r"\&",
    "%": r"\%",
    "#": r"\#",
    "$": r"\$",
    "^": r"\^{}",
    "~": r"\~{}",
    "<": r"$<$",
    ">": r"$>$",
    "|": r"$|$",
}
_PREAMBLE = r"""\documentclass{article}
\usepackage[T1]{fontenc}
\usepackage{amsmath,amssymb,longtable}
\usepackage[margin=2cm]{geometry}
\setlength{\parindent}{0pt}
\allowdisplaybreaks
\sloppy
\begin{document}
"""


def escape(text: str) -> str:
    """Plain text as LaTeX text."""
    return "".join(_SPECIAL.get(letter, letter) for letter in text)


def form_latex(text: str | None, claim: Claim) -> str:
    """LaTeX of a claim's form; words where the form is not a formula of the grammar."""
    from theory.evaluate import read_form
    from theory.symbols import latex

    if text is None:
        return r"\text{not printed}"
    if claim.kind == "inequality":
        return r"\text{" + escape(text) + "}"
    if claim.kind == "rate":
        return f"n^{{{text}}}" + r"\ \text{up to logarithms}"
    return latex(read_form(text))


def _definitions(statement: Statement, column: str) -> list[str]:
    from theory.evaluate import read_form
    from theory.symbols import latex, symbol

    return [f"{latex(symbol(name))} = {latex(read_form(text))}" for name, text in statement.definitions(column).items()]


def statement_latex(statement: Statement) -> str:
    """A statement as LaTeX: title, source and provenance, definitions, each claim in both forms."""
    lines = [
        rf"\subsection*{{{escape(statement.title)}}}",
        rf"\texttt{{{escape(statement.key)}}}, {escape(statement.source)}; the printed form is "
        rf"\emph{{{escape(statement.provenance)}}}.\par",
    ]
    for note in statement.notes:
        lines.append(escape(note) + r"\par")
    for column in COLUMNS:
        lines += [rf"\[ {line} \qquad\text{{({column})}} \]" for line in _definitions(statement, column)]
    for claim in statement.claims:
        lines.append(rf"\textbf{{{escape(claim.name)}}}: {escape(claim.says)}.")
        if claim.printed is not None:
            lines.append(rf"\[ \text{{printed:}}\quad {form_latex(claim.printed, claim)} \]")
        lines.append(rf"\[ \text{{derived:}}\quad {form_latex(claim.derived, claim)} \]")
    return "\n".join(lines)


def statement_display(statement: Statement) -> str:
    """One displayed formula a claim, for notebooks."""
    rows = [rf"{column}\colon\ & {line}" for column in COLUMNS for line in _definitions(statement, column)]
    for claim in statement.claims:
        rows += [
            rf"\text{{{escape(claim.name)}}}\ ({column})\colon\ & {form_latex(getattr(claim, column), claim)}"
            for column in COLUMNS
            if getattr(claim, column) is not None
        ]
    return "$$\\begin{aligned}" + r" \\ ".join(rows) + "\\end{aligned}$$"


def verdict_table(rows: Sequence[Row]) -> str:
    """The table of verdicts as a LaTeX longtable."""
    head = r"\textbf{statement} & \textbf{claim} & \textbf{symbolic} & \textbf{digits} & \textbf{simulation} & \textbf{verdict}"
    body = [" & ".join(escape(cell) for cell in _cells(row)) + r" \\" for row in rows]
    return "\n".join(
        [
            r"{\small\begin{longtable}{p{3.4cm}p{2.6cm}p{2.6cm}p{1.2cm}p{3.2cm}p{2.4cm}}",
            head + r" \\ \hline",
            *body,
            r"\end{longtable}}",
        ]
    )


def _cells(row: Row) -> list[str]:
    digits = "-" if row.digits is None else str(row.digits)
    return [row.statement, row.claim, row.symbolic, digits, row.simulated, row.verdict]


def witness_lines(rows: Sequence[Row]) -> list[str]:
    """One sentence for every claim whose printed form differs: the model and both values."""
    lines = []
    for row in rows:
        if {"model", "printed", "derived"} <= set(row.witness):
            model = ", ".join(f"{name}={value}" for name, value in row.witness["model"].items())
            lines.append(
                f"{row.statement}.{row.claim} at {model}: printed {row.witness['printed']}, "
                f"derived {row.witness['derived']}"
            )
    return lines


def book(entries: Sequence[Entry], rows: Sequence[Row], markdown: bool = False) -> str:
    """The book of the given entries: statements, derivations, verdicts."""
    parts = [_markdown_entry(entry) if markdown else _latex_entry(entry) for entry in entries]
    witnesses = witness_lines(rows)
    if markdown:
        table = ["| statement | claim | symbolic | digits | simulation | verdict |", "|---|---|---|---|---|---|"]
        table += ["| " + " | ".join(cell.replace("|", r"\|") for cell in _cells(row)) + " |" for row in rows]
        return (
            "\n\n".join(["# gradstep", *parts, "## Verdicts", "\n".join(table), *["- " + line for line in witnesses]])
            + "\n"
        )
    listing = [r"\par " + escape(line) for line in witnesses]
    return (
        _PREAMBLE
        + "\n\n".join([*parts, r"\subsection*{Verdicts}", verdict_table(rows), *listing])
        + "\n\\end{document}\n"
    )


def _proofs(entry: Entry) -> dict[str, Proof]:
    return entry.derive() if isinstance(entry, Statement) else {}


def _latex_entry(entry: Entry) -> str:
    if not isinstance(entry, Statement):
        return rf"\subsection*{{{escape(entry.title)}}}" + "\n" + escape(" ".join(entry.notes))
    chapters = [
        rf"\subsubsection*{{Derivation: {escape(proof.title)}}}" + "\n" + proof.latex()
        for proof in _proofs(entry).values()
    ]
    return "\n\n".join([statement_latex(entry), *chapters])


def _markdown_entry(entry: Entry) -> str:
    lines = [f"## {entry.title}", f"`{entry.key}` — {entry.source} ({entry.provenance})", *entry.notes]
    if isinstance(entry, Statement):
        for column in COLUMNS:
            lines += [f"$${line}$$ ({column})" for line in _definitions(entry, column)]
        for claim in entry.claims:
            lines.append(f"**{claim.name}**: {_plain(claim.says)}")
            lines += [
                f"{column}: $${form_latex(getattr(claim, column), claim)}$$"
                for column in COLUMNS
                if getattr(claim, column) is not None
            ]
        for proof in _proofs(entry).values():
            lines.append(f"### Derivation: {_plain(proof.title)}")
            lines += [f"Assumed: {_plain(words)}" for words in proof.assumptions]
            for number, step in enumerate(proof.steps, 1):
                lines.append(f"{number}. {_plain(step.why)} ({step.checked})\n\n$${step.latex()}$$")
    return "\n\n".join(lines)


def _plain(text: str) -> str:
    """Text whose stars and bars Markdown must not read as its own."""
    return re.sub(r"([*_<>|])", r"\\\1", text)


def check_target(path: Any) -> Path:
    """``path`` if a book can be written there; InputError for another suffix or a folder that does not exist."""
    target = Path(path)
    if target.suffix not in (".tex", ".md"):
        raise InputError(f"{path}: the book is written as .tex or .md")
    if not target.parent.is_dir():
        raise InputError(f"{path}: the folder {target.parent} does not exist")
    return target


def write(path: Any, entries: Sequence[Entry], rows: Sequence[Row]) -> Path:
    """Write the book to ``path`` as LaTeX or Markdown, by its suffix."""
    target = check_target(path)
    target.write_text(book(entries, rows, markdown=target.suffix == ".md"), encoding="utf-8")
    return target
