"""A statement in LaTeX: its definitions, its bound symbols and each claim in both forms, as a book and a notebook show them."""

from __future__ import annotations

from theory.proof.prose import escape, prose
from theory.proof.symbols import COMMON, Alphabet
from theory.register.record import COLUMNS, Claim, Statement


def form_latex(text: str | None, claim: Claim, alphabet: Alphabet = COMMON) -> str:
    """LaTeX of a claim's form; words where the form is not a formula of the grammar."""
    if text is None:
        return r"\text{not printed}"
    if claim.kind == "inequality":
        return rf"\le {alphabet.latex(alphabet.read_form(text))}"
    if claim.kind == "rate":
        return f"n^{{{text}}}" + r"\ \text{up to logarithms}"
    return alphabet.latex(alphabet.read_form(text))


def definitions_latex(statement: Statement, column: str) -> list[str]:
    """The definitions of a column, one equation each."""
    letters = statement.alphabet
    return [
        f"{letters.latex_name(name)} = {letters.latex(letters.read_form(text))}"
        for name, text in statement.definitions(column).items()
    ]


def bindings_latex(statement: Statement) -> list[str]:
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
    lines += [rf"\[ {line} \]" for line in bindings_latex(statement)]
    for column in COLUMNS:
        lines += [rf"\[ {line} \qquad\text{{({column})}} \]" for line in definitions_latex(statement, column)]
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
    meanings = [rf"\text{{{column}}}\colon\ & {line}" for column in COLUMNS for line in definitions_latex(statement, column)]
    rows = [head, *meanings]
    for claim in statement.claims:
        for column in COLUMNS:
            if getattr(claim, column) is not None:
                label = f"{column}, {statement.provenance}" if column == "printed" else column
                name = rf"\text{{{escape(claim.name)}}}\ \text{{({label})}}"
                rows.append(rf"{name}\colon\ & {form_latex(getattr(claim, column), claim, statement.alphabet)}")
    return "$$\\begin{aligned}" + r" \\ ".join(rows) + "\\end{aligned}$$"
