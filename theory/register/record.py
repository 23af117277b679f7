"""A statement is data: what a source prints, what is derived, and where the evidence is to be found.

Forms are texts of the safe parser's grammar, so that listing the register costs no algebra. They may use the letters of the
statement, the symbol table, the definitions of their column, and earlier claims of the same column. References
(``theory.load``) name derivations, second routes and observations; they are loaded only where they run. A record knows none of
the rooms that read it: ``theory.handles`` gives it methods.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import InitVar, dataclass, field, replace
from enum import StrEnum
from typing import Any

from pencils.errors import InputError
from theory.load import Reference, called
from theory.proof.symbols import Alphabet
from theory.proof.table import Symbol
from theory.register.kinds import EXPECTED, Kind, Provenance, Seen, Verdict
from theory.register.parameters import HERMITE

COLUMNS = ("printed", "derived")
SAME = "as derived"  # a printed form that is the derived one, read with the printed column's own definitions
NONE = ""  # a reference or observable that a claim does not take over from its statement


def _one_of(words: type[StrEnum], value: str, what: str) -> StrEnum:
    try:
        return words(value)
    except ValueError:
        raise InputError(f"{what} is one of {', '.join(words)}, not {value!r}") from None


@dataclass(frozen=True)
class Claim:
    """One assertion: a value at a model (equality, limit, threshold), an identity between functions, an inequality, or a
    rate in n.

    ``derived`` and ``printed`` are forms (``printed`` None where the source states none, ``SAME`` where it is the derived one);
    ``proof`` a derivation; ``printed_proof`` one of the printed form from the source's words, where these are not yet a formula
    (a misprint in a sentence); ``route`` a second way to the number, sharing no formula with the first; ``observable`` a formula
    in what a simulation measures; ``expected`` the verdict that is known and must be reproduced. Proof, route and observable
    that are not given are those of the statement under the claim's name, if it has some; ``NONE`` is none. ``trend`` holds the
    powers of 1/d with which the observable approaches its limit and its variance falls; ``logs`` the power of log n that a rate
    allows; ``digits`` the most that ``verify`` asks of the second route and ``models`` the most models it is compared at (None: no
    such limit). ``against`` is the size (n, d or N) in which a rate is one; ``seen`` what simulation holds an inequality against.
    """

    name: str
    says: str
    derived: str
    printed: str | None = None
    expected: str = Verdict.DERIVED
    kind: str = Kind.LIMIT
    proof: Reference | None = None
    route: Reference | None = None
    observable: str | None = None
    trend: tuple[str, str] = ("1", "1")
    logs: int = 0
    digits: int | None = None
    models: int | None = None
    against: str = "n"
    seen: str = Seen.LIMIT
    printed_proof: Reference | None = None

    def __post_init__(self) -> None:
        for name, words in (("kind", Kind), ("expected", Verdict), ("seen", Seen)):
            object.__setattr__(self, name, _one_of(words, getattr(self, name), f"claim {self.name}: {name}"))
        if self.expected not in EXPECTED:
            raise InputError(f"claim {self.name}: expected is one of {', '.join(EXPECTED)}")
        if self.seen != Seen.LIMIT and self.kind != Kind.INEQUALITY:
            raise InputError(f"claim {self.name}: seen is other than limit only in an inequality")
        if self.printed == SAME:
            object.__setattr__(self, "printed", self.derived)

    @property
    def numeric(self) -> bool:
        """True when the forms have a value at a model (a number or a truth value)."""
        return self.kind in (Kind.EQUALITY, Kind.LIMIT, Kind.THRESHOLD)

    def form(self, column: str) -> str | None:
        """The form of a column, None where there is none."""
        return self.printed if column == "printed" else self.derived


@dataclass(frozen=True)
class Root:
    """A symbol that has no closed form: the zero of ``equation``, a form in the symbol and the model's, between ``low`` and
    ``high`` (forms in the model's symbols). The equation is negative just above ``low``, positive at ``high``, and
    increases in between, so that there is one zero: ``proof`` names the derivation that shows it."""

    equation: str
    low: str
    high: str
    proof: Reference


@dataclass(frozen=True)
class Experiment:
    """How a statement is seen in simulation: ``observe`` maps one simulated step to named numbers, ``setting`` are the
    model parameters at which the forms are to be told apart, ``sizes`` the dimensions d, ``draws`` the runs a size.
    ``parameters`` are those of the model that the step does not know and ``observe`` takes by name; ``variants`` are
    changes of the setting under which the whole experiment is run again; ``parts`` keeps the gradient's split.
    ``measures`` are the numbers of ``observe`` that bear the name of what they are: a claim of that name is held against it.

    With ``from_scratch`` the step is not that of ``theory.trial.step``: ``observe`` maps (parameters, sizes, rng) to named numbers,
    as it does for a quantity. ``n`` and ``N`` are forms in d and the parameters, rounded."""

    observe: Reference
    setting: Mapping[str, str]
    sizes: tuple[int, ...]
    draws: int
    parameters: tuple[str, ...] = ()
    variants: tuple[Mapping[str, str], ...] = ()
    parts: bool = False
    from_scratch: bool = False
    n: str = "psi1*d"
    N: str = "psi2*d"
    measures: tuple[str, ...] = ()


@dataclass(frozen=True)
class Figure:
    """A picture with a name of its own, for ``gradstep plot NAME`` and for the book: ``claims`` of the statement over the
    parameter and range of ``sweep``, at ``setting``. ``draw`` names the function (statement, figure, given, file) -> file;
    ``d`` and ``draws`` are the size and the runs of its simulated ``dots``."""

    name: str
    title: str
    claims: tuple[str, ...]
    setting: Mapping[str, str]
    sweep: tuple[str, str, str]
    draw: Reference = "theory.pictures.dots:draw"
    d: int = 128
    draws: int = 8
    dots: int = 8


@dataclass(frozen=True, eq=False)
class Statement:
    """A theorem of the register. ``where`` holds the definitions of each column; ``hypotheses`` map a name to a
    condition on the model; ``sweep`` is the parameter and range drawn when a plot is asked for without one; ``curve``
    expresses symbols by others where the symbols of a form are not independent (z by m on the Marchenko-Pastur curve);
    ``bindings`` say which root of which equation a symbol is that both columns use without a closed form; ``figures`` are
    the pictures that belong to it; ``letters`` are symbols of the source's own, which shadow those of the table here.

    ``chapter`` and ``routes`` are modules: a claim that names no proof or route has the function of its own name there;
    ``digits`` and ``models`` are what a claim has that does not say its own.
    Two statements are the same when they are one object."""

    key: str
    title: str
    source: str
    provenance: str
    claims: tuple[Claim, ...]
    hypotheses: Mapping[str, str] = field(default_factory=dict)
    where: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    experiment: Experiment | None = None
    sweep: tuple[str, str, str] | None = None
    curve: Mapping[str, str] = field(default_factory=dict)
    bindings: Mapping[str, Root] = field(default_factory=dict)
    figures: tuple[Figure, ...] = ()
    letters: Mapping[str, Symbol] = field(default_factory=dict)
    chapter: InitVar[str | None] = None
    routes: InitVar[str | None] = None
    digits: InitVar[int | None] = None
    models: InitVar[int | None] = None

    def __post_init__(self, chapter: str | None, routes: str | None, digits: int | None, models: int | None) -> None:
        object.__setattr__(self, "provenance", _one_of(Provenance, self.provenance, f"{self.key}: provenance"))
        if len({claim.name for claim in self.claims}) < len(self.claims):
            raise InputError(f"{self.key}: two claims have one name")
        taken = [name for name in self.letters if name in HERMITE]
        if taken:
            raise InputError(
                f"{self.key}: {', '.join(taken)}: a letter cannot be Hermite data, which come from activation and teacher"
            )
        own = [self._own(claim, chapter, routes, digits, models) for claim in self.claims]
        object.__setattr__(self, "claims", tuple(own))

    def _own(self, claim: Claim, chapter: str | None, routes: str | None, digits: int | None, models: int | None) -> Claim:
        """The claim with what it takes over from the statement, under its own name."""

        def named(given: Reference | None, module: str | None) -> Reference | None:
            return f"{module}:{claim.name}" if given is None and module else given or None

        measured = self.experiment is not None and claim.name in self.experiment.measures
        return replace(
            claim,
            proof=named(claim.proof, chapter),
            route=named(claim.route, routes if claim.numeric else None),
            observable=claim.name if claim.observable is None and measured else claim.observable or None,
            digits=claim.digits or digits,
            models=claim.models or models,
        )

    @property
    def alphabet(self) -> Alphabet:
        """The letters in which the forms are written."""
        return Alphabet.of(self.letters)

    def claim(self, name: str) -> Claim:
        """The claim of that name; InputError listing the names otherwise."""
        for claim in self.claims:
            if claim.name == name:
                return claim
        raise InputError(f"{self.key} has no claim {name!r}; its claims: {', '.join(c.name for c in self.claims)}")

    def definitions(self, column: str) -> Mapping[str, str]:
        return self.where.get(column, {})

    @property
    def numeric(self) -> bool:
        """True when a claim has a value at a model."""
        return any(claim.numeric for claim in self.claims)

    @property
    def derivations(self) -> dict[str, Reference]:
        """What ``derive`` runs, by name: the proof of each bound symbol, of each claim that has one, of each printed reading."""
        bound = {name: root.proof for name, root in self.bindings.items()}
        proofs = {claim.name: claim.proof for claim in self.claims if claim.proof}
        readings = {f"{claim.name}, as printed": claim.printed_proof for claim in self.claims if claim.printed_proof}
        return bound | proofs | readings


@dataclass(frozen=True)
class Computed:
    """What ``compute`` of a quantity returns when it has more to say than values: hypotheses that hold or not, and notes."""

    values: Mapping[str, Any]
    hypotheses: Mapping[str, bool] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Reported:
    """A number that a source gives for one value of a quantity, as text with the digits it is given with. ``factor`` is a
    constant of the formula language that, times the true value, rounds to what is given, where an error is explained;
    ``why`` says how."""

    parameters: Mapping[str, str]
    value: str
    printed: str
    expected: str
    factor: str | None = None
    why: str = ""


@dataclass(frozen=True, eq=False)
class Quantity:
    """An entry without a printed form: ``compute`` maps (parameters, digits) to named values, or to a ``Computed``.
    ``reported`` are single values that a source prints, judged as claims are. ``digits`` is the most that ``verify`` asks of
    the two routes, where more would take them long or is out of reach (``eval`` says what can be had). The ``observe`` of an
    ``experiment`` maps (parameters, sizes, rng) to named numbers, and ``judged`` each of these to the values that claim its
    limit; the first of them is the quantity's own; ``trend`` as in a claim. ``chapter`` holds the derivations of its equations.
    ``letters`` are parameters of the source's own, which shadow those of the table here."""

    key: str
    title: str
    source: str
    parameters: tuple[str, ...]
    compute: Reference
    optional: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    provenance: str = Provenance.DERIVED
    route: Reference | None = None
    samples: tuple[Mapping[str, str], ...] = ()
    reported: tuple[Reported, ...] = ()
    reported_provenance: str = Provenance.REPORTED
    picture: Reference | None = None
    figures: tuple[Figure, ...] = ()
    digits: int | None = None
    expected: str = Verdict.DERIVED
    experiment: Experiment | None = None
    judged: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    trend: tuple[str, str] = ("1", "1")
    chapter: tuple[Reference, ...] = ()
    letters: Mapping[str, Symbol] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name, words in (("provenance", Provenance), ("reported_provenance", Provenance), ("expected", Verdict)):
            object.__setattr__(self, name, _one_of(words, getattr(self, name), f"{self.key}: {name}"))

    @property
    def alphabet(self) -> Alphabet:
        """The names by which the parameters are read."""
        return Alphabet.of(self.letters)

    @property
    def derivations(self) -> dict[str, Reference]:
        """What ``derive`` runs, by name: the derivations of its chapter."""
        return {called(reference): reference for reference in self.chapter}


Entry = Statement | Quantity
