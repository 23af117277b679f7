"""Sizes from ratios."""

from __future__ import annotations

import pytest

from pencils.errors import InputError
from theory.trial.sizes import Sizes, sizes_for


def test_sizes_are_rounded_and_say_so():
    sizes = sizes_for(1000, "1/3", 1.5)
    assert (sizes.n, sizes.N) == (333, 1500)
    assert (str(sizes.psi1), str(sizes.psi2)) == ("333/1000", "3/2")


@pytest.mark.parametrize(
    "make",
    [
        lambda: sizes_for(100, -1, 1),
        lambda: sizes_for(100, "1/1000", 1),
        lambda: sizes_for("100", 1, 1),
        lambda: Sizes(1, 5, 5),
        lambda: Sizes(5, 5.0, 5),  # type: ignore[arg-type]
    ],
)
def test_bad_sizes_are_refused(make):
    with pytest.raises(InputError, match="give"):
        make()
