"""Rows of verdicts in words."""

from dataclasses import replace

from verdict_rows import ROW

from theory.book.verdicts import agreed, verdict_table, witness_lines
from theory.entries import entries
from theory.evidence.verdict import Routes
from theory.evidence.verify import verify


def test_verdict_table_and_witnesses():
    table = verdict_table([ROW])
    assert "longtable" in table and "differs, as reported" in table and r"\_" not in table.replace(r"\_\allow", "")
    assert witness_lines([ROW]) == ["ba2022.theorem-3.theta1 at psi1=2: printed 1.5, derived 2.5"]
    assert witness_lines(verify([entries()["marchenko-pastur.law"]], 15)) == []


def test_how_far_two_routes_agree():
    assert [agreed(replace(ROW, routes=Routes(digits, models))) for digits, models in ((30, 6), (None, 6), (None, 0))] == [
        "30 at 6",
        "same at 6",
        "-",
    ]
