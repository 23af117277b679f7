"""What the register prints for a misprint in words is derived from them."""

from dataclasses import replace

import pytest

from theory.entries import entries
from theory.evidence.verify import verify_statement

READ = [(found, claim) for found in entries().values() for claim in getattr(found, "claims", ()) if claim.printed_proof]


@pytest.mark.parametrize(("found", "claim"), READ, ids=lambda one: getattr(one, "key", None) or one.name)
def test_another_printed_text_is_not_what_the_words_give(found, claim):
    wrong = replace(claim, printed=f"{claim.printed} + 1")
    row = next(row for row in verify_statement(replace(found, claims=(wrong,)), digits=10))
    assert row.verdict == "derivation fails" and row.symbolic.found == "misread"
