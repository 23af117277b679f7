"""Verdicts in words: the table of the book, the cells of the command line's, and a sentence for every form that differs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from theory.proof.prose import breakable

if TYPE_CHECKING:
    from theory.evidence.verify import Row


def verdict_table(rows: Sequence[Row]) -> str:
    """The table of verdicts as a LaTeX longtable."""
    head = r"\textbf{statement} & \textbf{claim} & \textbf{symbolic} & \textbf{digits} & \textbf{simulation} & \textbf{verdict}"
    body = [" & ".join(breakable(cell) for cell in cells(row)) + r" \\" for row in rows]
    return "\n".join(
        [
            r"{\small\begin{longtable}{p{3.2cm}p{2.6cm}p{2.8cm}p{1.1cm}p{2.8cm}p{3cm}}",
            head + r" \\ \hline",
            *body,
            r"\end{longtable}}",
        ]
    )


def cells(row: Row) -> list[str]:
    """A row of the book's table: statement, claim, what was proved, digits of two routes, what was seen, verdict."""
    digits = agreed(row) if row.digits is None else str(row.digits)
    return [row.statement, row.claim, row.symbolic, digits, row.simulated, row.verdict]


def agreed(row: Row) -> str:
    """How far two routes agree: digits and the number of models, models alone for truth values, "-" without a second route."""
    if row.digits is not None:
        return f"{row.digits} at {row.points}"
    return f"same at {row.points}" if row.points else "-"


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
