"""LaTeX and Markdown: statements with both forms, their derivations, and the table of verdicts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from theory.pictures.files import BOOKS, writable
from theory.proof.prose import breakable, escape, markdown, prose
from theory.proof.steps import Proof, derive
from theory.proof.symbols import COMMON, Alphabet
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


def form_latex(text: str | None, claim: Claim, alphabet: Alphabet = COMMON) -> str:
    """LaTeX of a claim's form; words where the form is not a formula of the grammar."""
    if text is None:
        return r"\text{not printed}"
    if claim.kind == "inequality":
        return rf"\le {alphabet.latex(alphabet.read_form(text))}"
    if claim.kind == "rate":
        return f"n^{{{text}}}" + r"\ \text{up to logarithms}"
    return alphabet.latex(alphabet.read_form(text))


def _definitions(statement: Statement, column: str) -> list[str]:
    letters = statement.alphabet
    return [
        f"{letters.latex_name(name)} = {letters.latex(letters.read_form(text))}"
        for name, text in statement.definitions(column).items()
    ]


def _bindings(statement: Statement) -> list[str]:
    """What each bound symbol is, as the equation of which it is a root."""
    letters = statement.alphabet

    def latex(text: str) -> str:
        return letters.latex(letters.read_form(text))

    return [
        rf"{letters.latex_name(name)}\colon\quad {latex(root.equation)} = 0,\qquad "
        rf"{latex(root.low)} < {letters.latex_name(name)} < {latex(root.high)}"
        for name, root in statement.bindings.items()
    ]


def statement_latex(statement: Statement) -> str:
    """A statement as LaTeX: title, source and provenance, definitions, each claim in both forms."""
    lines = [
        rf"\subsection*{{{prose(statement.title)}}}",
        rf"\texttt{{{escape(statement.key)}}}, {escape(statement.source)}; the printed form is "
        rf"\emph{{{escape(statement.provenance)}}}.\par",
    ]
    for note in statement.notes:
        lines.append(prose(note) + r"\par")
    lines += [rf"\[ {line} \]" for line in _bindings(statement)]
    for column in COLUMNS:
        lines += [rf"\[ {line} \qquad\text{{({column})}} \]" for line in _definitions(statement, column)]
    for claim in statement.claims:
        lines.append(rf"\textbf{{{escape(claim.name)}}}: {prose(claim.says)}.")
        if claim.printed is not None:
            lines.append(rf"\[ \text{{printed:}}\quad {form_latex(claim.printed, claim, statement.alphabet)} \]")
        lines.append(rf"\[ \text{{derived:}}\quad {form_latex(claim.derived, claim, statement.alphabet)} \]")
    return "\n".join(lines)


def statement_display(statement: Statement) -> str:
    """Key, title and provenance, then one displayed formula a claim, for notebooks."""
    about = f"({statement.key}; {statement.source}; printed forms: {statement.provenance})"
    head = rf"& \textbf{{{prose(statement.title)}}}\ \text{{{escape(about)}}}"
    meanings = [rf"\text{{{column}}}\colon\ & {line}" for column in COLUMNS for line in _definitions(statement, column)]
    rows = [head, *meanings]
    for claim in statement.claims:
        for column in COLUMNS:
            if getattr(claim, column) is not None:
                label = f"{column}, {statement.provenance}" if column == "printed" else column
                name = rf"\text{{{escape(claim.name)}}}\ \text{{({label})}}"
                rows.append(rf"{name}\colon\ & {form_latex(getattr(claim, column), claim, statement.alphabet)}")
    return "$$\\begin{aligned}" + r" \\ ".join(rows) + "\\end{aligned}$$"


def verdict_table(rows: Sequence[Row]) -> str:
    """The table of verdicts as a LaTeX longtable."""
    head = r"\textbf{statement} & \textbf{claim} & \textbf{symbolic} & \textbf{digits} & \textbf{simulation} & \textbf{verdict}"
    body = [" & ".join(breakable(cell) for cell in _cells(row)) + r" \\" for row in rows]
    return "\n".join(
        [
            r"{\small\begin{longtable}{p{3.2cm}p{2.6cm}p{2.8cm}p{1.1cm}p{2.8cm}p{3cm}}",
            head + r" \\ \hline",
            *body,
            r"\end{longtable}}",
        ]
    )


def _cells(row: Row) -> list[str]:
    digits = str(row.digits) if row.digits is not None else f"same at {row.points}" if row.points else "-"
    return [row.statement, row.claim, row.symbolic, digits, row.simulated, row.verdict]


def witness_lines(rows: Sequence[Row]) -> list[str]:
    """One sentence for every claim whose printed form differs: the model and both values."""
    lines = []
    for row in rows:
        if {"model", "printed", "derived"} <= set(row.witness):
            model = ", ".join(f"{name}={value}" for name, value in row.witness["model"].items())
            lines.append(
                f"{row.statement}.{row.claim} at {model}: printed {row.witness['printed']}, derived {row.witness['derived']}"
            )
    return lines


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
        table += ["| " + " | ".join(markdown(cell) for cell in _cells(row)) + " |" for row in rows]
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
        if claim.proof in told:
            yield claim, told[claim.proof]
            continue
        told[claim.proof] = f"{statement.key}.{claim.name}"
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
        lines += [f"$${line}$$ ({column})" for line in _definitions(entry, column)]
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


def draw_figures(path: Any, entries: Sequence[Entry]) -> dict[str, str]:
    """Draw every figure of the entries beside the book, as ``BOOK-NAME.pdf`` (.png for Markdown); file names by figure name."""
    from theory.pictures.curves import draw_named

    target = writable(path, BOOKS, "the book")
    suffix = ".png" if target.suffix == ".md" else ".pdf"
    names = [figure.name for entry in entries for figure in entry.figures]
    return {name: draw_named(name, {}, target.with_name(f"{target.stem}-{name}{suffix}")).name for name in names}


def write(path: Any, entries: Sequence[Entry], rows: Sequence[Row], pictures: Mapping[str, str] | None = None) -> Path:
    """Write the book to ``path`` as LaTeX or Markdown, by its suffix, with the ``pictures`` that ``draw_figures`` made."""
    target = writable(path, BOOKS, "the book")
    target.write_text(book(entries, rows, target.suffix == ".md", pictures), encoding="utf-8")
    return target
