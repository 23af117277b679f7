"""What the register prints for a misprint in words is derived from them; means of polynomials, which the chapters show."""

from dataclasses import replace

import pytest
import sympy as sp

from theory.entries import entries
from theory.evidence.verify import verify_statement
from theory.proof.means import Mean

READ = [(found, claim) for found in entries().values() for claim in getattr(found, "claims", ()) if claim.printed_proof]


@pytest.mark.parametrize(("found", "claim"), READ, ids=lambda one: getattr(one, "key", None) or one.name)
def test_another_printed_text_is_not_what_the_words_give(found, claim):
    wrong = replace(claim, printed=f"{claim.printed} + 1")
    row = next(row for row in verify_statement(replace(found, claims=(wrong,)), digits=10))
    assert row.verdict == "derivation fails" and "words give" in row.symbolic


def test_means_of_polynomials():
    """E z^4 = 3 and E z1^2 z2^2 = 1; over z > 0, E z = 1/sqrt(2 pi), E z^2 = 1/2, E z^3 = 2/sqrt(2 pi)."""
    x, y, c = sp.symbols("x y c", real=True)
    assert Mean(c * x**4 + x * y + x**2 * y**2, (x, y)).doit() == 3 * c + 1
    root = sp.sqrt(2 * sp.pi)
    for power, value in enumerate((sp.Rational(1, 2), 1 / root, sp.Rational(1, 2), 2 / root)):
        assert sp.simplify(Mean(x**power * y**2, (x, y), True).doit() - value) == 0
    assert Mean(c * x, (x,)).free_symbols == {c}
