"""Rows of verdicts in words."""

from dataclasses import replace

from theory import entries
from theory.book.verdicts import agreed, verdict_table, witness_lines
from theory.evidence.verify import Row, verify

ROW = Row(
    "ba2022.theorem-3",
    "theta1",
    "proved (6 steps)",
    30,
    6,
    "differs",
    "not run",
    "differs, as reported",
    "differs, as reported",
    {"model": {"psi1": "2"}, "printed": "1.5", "derived": "2.5"},
)


def test_verdict_table_and_witnesses():
    table = verdict_table([ROW])
    assert "longtable" in table and "differs, as reported" in table and r"\_" not in table.replace(r"\_\allow", "")
    assert witness_lines([ROW]) == ["ba2022.theorem-3.theta1 at psi1=2: printed 1.5, derived 2.5"]
    assert witness_lines(verify([entries()["marchenko-pastur.law"]], 15)) == []


def test_how_far_two_routes_agree():
    assert [agreed(replace(ROW, digits=digits, points=points)) for digits, points in ((30, 6), (None, 6), (None, 0))] == [
        "30 at 6",
        "same at 6",
        "-",
    ]
