"""A limit beside samples at growing sizes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pencils.errors import InputError
from pencils.finite_size.sample import Sample


@dataclass(frozen=True)
class Check:
    """A sample at one size beside the limit."""

    size: int
    sample: Sample
    value: complex

    @property
    def z(self) -> float:
        """Distance in standard errors, the larger of the real and the imaginary part's."""
        gap, error = complex(self.sample.mean) - self.value, complex(self.sample.standard_error)
        parts = [(gap.real, error.real), (gap.imag, error.imag)]
        return max((abs(g) / e if e else float(abs(g) > 1e-12) * float("inf") for g, e in parts if g or e), default=0.0)


def beside(limit: Any, size: int, sample: Sample) -> Check:
    """The check of a sample. Raises InputError where the limit is a boundary value, which no finite matrix has."""
    if complex(limit).imag and not isinstance(sample.mean, complex):
        raise InputError(
            "at a real point inside the spectrum the limit is the boundary value x + i0, and samples have poles there "
            "and no mean: take a point with an imaginary part"
        )
    return Check(size, sample, complex(limit))


class Checks(list[Check]):
    """Checks at several sizes; printed, they are a table."""

    def __str__(self) -> str:
        return table(self)

    __repr__ = __str__


def table(checks: Sequence[Check]) -> str:
    """One line a size: the rounded dimensions, mean, standard error, limit and distance in standard errors."""
    heads = ["size", "dimensions", "mean", "standard error", "limit", "distance/s.e."]
    rows = [heads]
    for check in checks:
        sample, dimensions = check.sample, check.sample.dimensions
        value = check.value if isinstance(sample.mean, complex) or check.value.imag else check.value.real
        sides = ", ".join(f"{symbol}={length}" for symbol, length in dimensions.items())
        rows.append(
            [str(check.size), sides, f"{sample.mean:.8g}", f"{sample.standard_error:.2g}", f"{value:.8g}", f"{check.z:.2f}"]
        )
    widths = [max(len(row[k]) for row in rows) for k in range(len(heads))]
    return "\n".join("  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in rows)
