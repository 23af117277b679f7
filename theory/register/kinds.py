"""The words a record may use: kinds of claims, how a source is known, verdicts, against what simulation holds an inequality."""

from __future__ import annotations

from enum import StrEnum


class Kind(StrEnum):
    """What a claim asserts."""

    EQUALITY = "equality"
    LIMIT = "limit"
    THRESHOLD = "threshold"
    IDENTITY = "identity"
    INEQUALITY = "inequality"
    RATE = "rate"


class Provenance(StrEnum):
    """How what a source prints is known here."""

    READ = "read"
    SECOND_HAND = "second-hand"
    REPORTED = "reported"
    RECALLED = "recalled"
    DERIVED = "derived"


class Verdict(StrEnum):
    """What the evidence says of a claim. A record may expect the first five; the others are never wanted."""

    CONFIRMED = "confirmed"
    ERRATUM = "erratum"
    DIFFERS = "differs, as reported"
    DERIVED = "derived"
    OPEN = "open"
    VACUOUS = "vacuous"
    FAILS = "derivation fails"
    ROUTES = "routes disagree"
    SIMULATION = "simulation disagrees"
    UNEXPLAINED = "differs, not explained"


EXPECTED = (Verdict.CONFIRMED, Verdict.ERRATUM, Verdict.DIFFERS, Verdict.DERIVED, Verdict.OPEN)


class Seen(StrEnum):
    """What simulation holds an inequality against: the extrapolated limit of means, every single draw (an exact statement, which
    may fail at none), or the mean at the largest size."""

    LIMIT = "limit"
    DRAWS = "every draw"
    LARGEST = "largest size"
