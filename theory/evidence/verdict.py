"""Kinds of evidence as records, and the verdict that they support. What is said of them stands where it is printed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from theory.register.kinds import Provenance, Verdict


class Found(StrEnum):
    """What came of a derivation, or of a comparison of two forms."""

    NOTHING = "nothing"  # no derivation; not printed
    FAILS = "fails"  # a step is false
    ELSEWHERE = "elsewhere"  # the derivation ends at another form
    MISREAD = "misread"  # the source's words give another form than the registered printed one
    NUMERICAL = "numerical"  # the last form and the registered one agree at points only
    CHECKED = "checked"  # every step checked, and the last form is the registered one
    IDENTICAL = "identical"
    AGREES = "agrees"  # at points, which proves nothing
    DIFFERS = "differs"
    UNDECIDED = "undecided"
    VACUOUS = "vacuous"  # no model satisfies the hypotheses


@dataclass(frozen=True)
class Symbolic:
    """The derivation of a claim, or the derivations of a quantity's ``chapter``: how many steps were checked, how many of them at
    random points only, from how many stated assumptions; ``detail`` is the error, or the form that it ends at."""

    found: Found
    detail: str = ""
    steps: int = 0
    numerical: int = 0
    assumptions: int = 0
    chapter: bool = False

    @property
    def supports(self) -> bool | None:
        """Whether the registered form follows; None without a derivation."""
        return None if self.found is Found.NOTHING else self.found in (Found.CHECKED, Found.NUMERICAL)


@dataclass(frozen=True)
class Routes:
    """Two routes to one number: the least number of digits agreed (None for truth values and without a second route), the models
    or samples used, the digits that were asked for, and a model at which they disagree."""

    digits: int | None = None
    models: int = 0
    asked: int = 0
    contradiction: Mapping[str, Any] = field(default_factory=dict)

    @property
    def disagree(self) -> bool:
        return bool(self.contradiction) or (self.digits is not None and self.digits < self.asked)


@dataclass(frozen=True)
class Printed:
    """The printed form against the derived one: ``how`` it was decided, ``witness`` a model at which they differ, with both
    values."""

    found: Found = Found.NOTHING
    how: str = ""
    witness: Mapping[str, Any] = field(default_factory=dict)


def verdict(provenance: Provenance, symbolic: Symbolic, routes: Routes, printed: Printed, excluded: bool) -> Verdict:
    """The verdict that the evidence supports; what the register expects has no part in it. ``excluded``: a simulation with power
    excludes the derived form."""
    if symbolic.supports is False:
        return Verdict.FAILS
    if routes.digits is not None and routes.digits < routes.asked:
        return Verdict.ROUTES
    if excluded:
        return Verdict.SIMULATION
    if routes.contradiction:
        return Verdict.ROUTES
    if symbolic.supports is None and routes.digits is None:
        return Verdict.OPEN
    match printed.found:
        case Found.VACUOUS:
            return Verdict.VACUOUS
        case Found.DIFFERS:
            return Verdict.ERRATUM if provenance == Provenance.READ else Verdict.DIFFERS
        case Found.IDENTICAL:
            return Verdict.CONFIRMED
        case Found.NOTHING:
            return Verdict.DERIVED
        case _:
            return Verdict.OPEN
