"""A row of evidence as ``verify`` makes it, for what prints rows."""

from theory.evidence.verdict import Found, Printed, Routes, Symbolic
from theory.evidence.verify import Row
from theory.register.kinds import Verdict

ROW = Row(
    "ba2022.theorem-3",
    "theta1",
    Symbolic(Found.CHECKED, steps=6),
    Routes(30, 6, 30),
    Printed(Found.DIFFERS, "", {"model": {"psi1": "2"}, "printed": "1.5", "derived": "2.5"}),
    Verdict.DIFFERS,
    Verdict.DIFFERS,
    observable=True,
)
