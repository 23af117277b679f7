"""Evidence and verdicts in words: the table of the book, the cells of the command line's, JSON, a sentence where forms differ."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from theory.evidence.verdict import Found, Printed, Symbolic
from theory.proof.prose import breakable

if TYPE_CHECKING:
    from theory.evidence.verify import Row


def symbolic(evidence: Symbolic) -> str:
    """What came of a derivation."""
    from theory.proof.steps import summary

    match evidence.found:
        case Found.NOTHING:
            return "-" if evidence.chapter else "no derivation"
        case Found.FAILS:
            return f"derivation fails: {evidence.detail}"
        case Found.ELSEWHERE:
            return f"the derivation ends at {evidence.detail}, not at the registered form"
        case Found.MISREAD:
            return f"the source's words give {evidence.detail}, not the registered printed form"
        case Found.NUMERICAL:
            return f"numerical: the derivation's last form and the registered one are {evidence.detail}"
    if evidence.chapter:
        more = f", {evidence.numerical} of them at random points" if evidence.numerical else ""
        return f"chapter: {evidence.steps} steps checked{more}"
    return summary(evidence.steps, evidence.numerical, evidence.assumptions)


def printed(evidence: Printed) -> str:
    """The printed form against the derived one."""
    if evidence.found is Found.NOTHING:
        return "not printed"
    return f"{evidence.found}: {evidence.how}" if evidence.how else str(evidence.found)


def simulated(row: Row) -> str:
    """What a simulation says, or that none was run, or that there is none."""
    if not row.seen:
        return "not run" if row.observable else "-"
    if set(row.seen) == {row.claim}:
        return row.seen[row.claim].sentence()
    return "; ".join(f"{name}: {judgement.sentence()}" for name, judgement in row.seen.items())


def as_dict(row: Row) -> dict[str, Any]:
    """A row in plain types, for JSON."""
    seen = {name: judgement.as_dict() for name, judgement in row.seen.items()}
    return {
        "statement": row.statement,
        "claim": row.claim,
        "symbolic": symbolic(row.symbolic),
        "digits": row.routes.digits,
        "points": row.routes.models,
        "printed": printed(row.printed),
        "simulated": simulated(row),
        "verdict": row.verdict,
        "expected": row.expected,
        "witness": dict(row.witness),
        "simulation": seen[row.claim] if set(seen) == {row.claim} else seen,
        "as_expected": row.as_expected,
    }


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
    digits = agreed(row) if row.routes.digits is None else str(row.routes.digits)
    return [row.statement, row.claim, symbolic(row.symbolic), digits, simulated(row), row.verdict]


def agreed(row: Row) -> str:
    """How far two routes agree: digits and the number of models, models alone for truth values, "-" without a second route."""
    if row.routes.digits is not None:
        return f"{row.routes.digits} at {row.routes.models}"
    return f"same at {row.routes.models}" if row.routes.models else "-"


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
