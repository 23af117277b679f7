"""A statement is data: what a source prints, what is derived, and where the evidence is to be found.

Forms are texts of the safe parser's grammar, so that listing the register costs no algebra. They may use the
letters of the statement, the symbol table, the definitions of their column, and earlier claims of the same column. Dotted strings
``"package.module:function"`` name derivations, second routes and observables; they are loaded only where they run.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pencils.errors import InputError
from theory.proof.symbols import Alphabet
from theory.proof.table import Symbol
from theory.register.parameters import HERMITE

if TYPE_CHECKING:
    from theory.proof.steps import Proof

KINDS = ("equality", "limit", "threshold", "identity", "inequality", "rate")
PROVENANCES = ("read", "second-hand", "reported", "recalled", "derived")
EXPECTED = ("confirmed", "erratum", "differs, as reported", "derived", "open")
COLUMNS = ("printed", "derived")
SEEN = ("limit", "every draw", "largest size")


@dataclass(frozen=True)
class Claim:
    """One assertion: a value at a model (equality, limit, threshold), an identity between functions, an inequality, or a
    rate in n.

    ``printed`` and ``derived`` are forms (``printed`` None where the source states none); ``proof`` a derivation; ``printed_proof``
    one of the printed form from the source's words, where these are not yet a formula (a misprint in a sentence);
    ``route`` a second way to the number, sharing no formula with the first; ``observable`` a formula in what a simulation
    measures; ``expected`` the verdict that is known and must be reproduced. ``trend`` holds the powers of 1/d with which
    the observable approaches its limit and its variance falls; ``logs`` the power of log n that a rate allows; ``digits`` the
    most that ``verify`` asks of the second route and ``models`` the most models it is compared at (None: no such limit).
    ``against`` is the size (n, d or N) in which a rate is one. ``seen`` says what simulation holds an inequality against: the
    extrapolated limit of means, every single draw (an exact statement, which may fail at none), or the mean at the largest size.
    """

    name: str
    kind: str
    says: str
    derived: str
    printed: str | None = None
    proof: str | None = None
    route: str | None = None
    observable: str | None = None
    expected: str = "derived"
    trend: tuple[str, str] = ("1", "1")
    logs: int = 0
    digits: int | None = None
    models: int | None = None
    against: str = "n"
    seen: str = "limit"
    printed_proof: str | None = None

    def __post_init__(self) -> None:
        if self.kind not in KINDS or self.expected not in EXPECTED:
            raise InputError(f"claim {self.name}: kind is one of {KINDS}, expected one of {EXPECTED}")
        if self.seen not in SEEN or (self.seen != "limit" and self.kind != "inequality"):
            raise InputError(f"claim {self.name}: seen is one of {SEEN}, and other than limit only in an inequality")

    @property
    def numeric(self) -> bool:
        """True when the forms have a value at a model (a number or a truth value)."""
        return self.kind in ("equality", "limit", "threshold")


@dataclass(frozen=True)
class Root:
    """A symbol that has no closed form: the zero of ``equation``, a form in the symbol and the model's, between ``low`` and
    ``high`` (forms in the model's symbols). The equation is negative just above ``low``, positive at ``high``, and
    increases in between, so that there is one zero: ``proof`` names the derivation that shows it."""

    equation: str
    low: str
    high: str
    proof: str


@dataclass(frozen=True)
class Experiment:
    """How a statement is seen in simulation: ``observe`` maps one simulated step to named numbers, ``setting`` are the
    model parameters at which the forms are to be told apart, ``sizes`` the dimensions d, ``draws`` the runs a size.
    ``parameters`` are those of the model that the step does not know and ``observe`` takes by name; ``variants`` are
    changes of the setting under which the whole experiment is run again; ``parts`` keeps the gradient's split.

    With ``from_scratch`` the step is not that of ``theory.trial.step``: ``observe`` maps (parameters, sizes, rng) to named numbers,
    as it does for a quantity. ``n`` and ``N`` are forms in d and the parameters, rounded."""

    observe: str
    setting: Mapping[str, str]
    sizes: tuple[int, ...]
    draws: int
    parameters: tuple[str, ...] = ()
    variants: tuple[Mapping[str, str], ...] = ()
    parts: bool = False
    from_scratch: bool = False
    n: str = "psi1*d"
    N: str = "psi2*d"


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
    draw: str = "theory.pictures.dots:draw"
    d: int = 128
    draws: int = 8
    dots: int = 8


@dataclass(frozen=True)
class Statement:
    """A theorem of the register. ``where`` holds the definitions of each column; ``hypotheses`` map a name to a
    condition on the model; ``sweep`` is the parameter and range drawn when a plot is asked for without one; ``curve``
    expresses symbols by others where the symbols of a form are not independent (z by m on the Marchenko-Pastur curve);
    ``bindings`` say which root of which equation a symbol is that both columns use without a closed form; ``figures`` are
    the pictures that belong to it; ``letters`` are symbols of the source's own, which shadow those of the table here."""

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

    def __post_init__(self) -> None:
        if self.provenance not in PROVENANCES:
            raise InputError(f"{self.key}: provenance is one of {PROVENANCES}")
        if len({claim.name for claim in self.claims}) < len(self.claims):
            raise InputError(f"{self.key}: two claims have one name")
        _no_hermite_data(self.key, self.letters)

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

    # The command line in Python: each method loads its room when it is called.

    def evaluate(self, digits: int = 30, **parameters: Any) -> dict[str, Any]:
        """Both columns at a model: ``{"printed": {...}, "derived": {...}}`` of ``sympy.Float`` and truth values."""
        from theory.register.evaluate import evaluate

        return evaluate(self, parameters, digits).values()

    def verify(self, digits: int = 30, simulate: bool = False) -> list[Any]:
        """One ``theory.evidence.verify.Row`` a claim."""
        from theory.evidence.verify import verify_statement

        return verify_statement(self, digits, simulate)

    def compare(self, claim: str, formula: str) -> Any:
        """Is a reader's formula the derived one? A ``theory.evidence.compare.Comparison``."""
        from theory.evidence.compare import compare

        return compare(self, self.claim(claim), formula)

    def simulate(self, d: int | None = None, draws: int | None = None, seed: int = 0, **parameters: Any) -> Any:
        """Judge the forms by simulation at sizes up to d; a ``theory.trial.experiment.Report``."""
        return _simulated(self, parameters, d, draws, seed)

    def derive(self) -> dict[str, Proof]:
        """The derivation of each claim that has one, and of each bound symbol, executed now."""
        from theory.proof.steps import derive

        bound = {name: derive(root.proof) for name, root in self.bindings.items()}
        readings = {f"{claim.name}, as printed": derive(claim.printed_proof) for claim in self.claims if claim.printed_proof}
        return bound | {claim.name: derive(claim.proof) for claim in self.claims if claim.proof} | readings

    def latex(self) -> str:
        """The statement, both forms, as LaTeX."""
        from theory.register.latex import statement_latex

        return statement_latex(self)

    def _repr_latex_(self) -> str:
        from theory.register.latex import statement_display

        return statement_display(self)


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


@dataclass(frozen=True)
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
    compute: str
    optional: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    provenance: str = "derived"
    route: str | None = None
    samples: tuple[Mapping[str, str], ...] = ()
    reported: tuple[Reported, ...] = ()
    reported_provenance: str = "reported"
    picture: str | None = None
    figures: tuple[Figure, ...] = ()
    digits: int | None = None
    expected: str = "derived"
    experiment: Experiment | None = None
    judged: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    trend: tuple[str, str] = ("1", "1")
    chapter: tuple[str, ...] = ()
    letters: Mapping[str, Symbol] = field(default_factory=dict)

    @property
    def alphabet(self) -> Alphabet:
        """The names by which the parameters are read."""
        return Alphabet.of(self.letters)

    def evaluate(self, digits: int = 30, **parameters: Any) -> dict[str, Any]:
        """The named values at the parameters, as ``sympy.Float`` or lists of them."""
        from theory.register.evaluate import evaluate

        return evaluate(self, parameters, digits).values()

    def verify(self, digits: int = 30, simulate: bool = False) -> list[Any]:
        """One row: the digits to which two routes agree."""
        from theory.evidence.verify import verify_quantity

        return verify_quantity(self, digits, simulate)

    def simulate(self, d: int | None = None, draws: int | None = None, seed: int = 0, **parameters: Any) -> Any:
        """Judge the values by simulation at sizes up to d; a ``theory.trial.experiment.Report``."""
        return _simulated(self, parameters, d, draws, seed)

    def derive(self) -> dict[str, Proof]:
        """The derivations of its chapter, executed now."""
        from theory.proof.steps import derive

        return {dotted.partition(":")[2]: derive(dotted) for dotted in self.chapter}


Entry = Statement | Quantity


def _no_hermite_data(key: str, letters: Mapping[str, Symbol]) -> None:
    taken = [name for name in letters if name in HERMITE]
    if taken:
        raise InputError(f"{key}: {', '.join(taken)}: a letter cannot be Hermite data, which come from activation and teacher")


def _simulated(entry: Entry, parameters: Mapping[str, Any], d: int | None, draws: int | None, seed: int) -> Any:
    from theory.trial.experiment import run
    from theory.trial.plan import plan

    sizes = {name: value for name, value in (("d", d), ("draws", draws)) if value is not None}
    return run(plan(entry, {**parameters, **sizes}, seed))
