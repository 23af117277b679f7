"""Rows of evidence: for each claim what its derivation proves, how far two routes agree, what was printed, what was seen.

Kinds of evidence stay apart. ``symbolic``: the derivation ran, and its last right-hand side is the registered form.
``routes``: the registered form against a second route, at models that satisfy the hypotheses. ``printed``: the printed
form against the derived one, with a witness where they differ. ``seen``: judgements of a simulation, where asked for.
A verdict is computed from these; the register only says which verdict is expected.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import Any

from pencils.exact.numbers import MAX_DIGITS, check_digits
from theory.evidence.derivations import chapter, symbolic
from theory.evidence.printed import printed, shown
from theory.evidence.routes import sample_routes, two_routes
from theory.evidence.verdict import Found, Printed, Routes, Symbolic, verdict
from theory.register.evaluate import evaluate
from theory.register.kinds import Provenance, Verdict
from theory.register.model import Model
from theory.register.record import Claim, Entry, Quantity, Statement
from theory.register.reported import judge
from theory.register.sampler import experiment_model, models
from theory.trial.judgements import AnyJudgement

MODELS = 6  # models a claim is evaluated at by both routes
Progress = Callable[[str], None]


@dataclass(frozen=True)
class Row:
    """One claim's evidence and verdict. ``observable``: a simulation can see it; ``seen`` are its judgements by what they judge."""

    statement: str
    claim: str
    symbolic: Symbolic
    routes: Routes
    printed: Printed
    verdict: Verdict
    expected: Verdict
    observable: bool = False
    seen: Mapping[str, AnyJudgement] = field(default_factory=dict)

    @property
    def as_expected(self) -> bool:
        return self.verdict == self.expected

    @property
    def witness(self) -> Mapping[str, Any]:
        """A model at which printed and derived differ, or else one at which the two routes do, with both values."""
        return self.printed.witness or self.routes.contradiction


def verify(
    entries: list[Entry], digits: Any = 30, simulate: bool = False, progress: Progress | None = None, jobs: int = 1
) -> list[Row]:
    """Rows for several entries, ``jobs`` entries at a time; ``progress(name)`` is called after each entry."""
    import joblib

    rows = []
    with joblib.parallel_config("loky", inner_max_num_threads=1) if jobs > 1 else nullcontext():
        runs = joblib.Parallel(n_jobs=jobs, return_as="generator")(
            joblib.delayed(verify_entry)(entry, digits, simulate) for entry in entries
        )
        for entry, found in zip(entries, runs, strict=True):
            rows += found
            if progress is not None:
                progress(entry.key)
    return rows


def verify_entry(entry: Entry, digits: Any = 30, simulate: bool = False) -> list[Row]:
    """The rows of one entry."""
    if isinstance(entry, Quantity):
        return verify_quantity(entry, digits, simulate)
    return verify_statement(entry, digits, simulate)


def verify_statement(statement: Statement, digits: Any = 30, simulate: bool = False) -> list[Row]:
    """One row a claim of the statement."""
    digits = check_digits(digits)
    points = list(models(statement, MODELS)) if statement.numeric else []
    simulated = experiment_model(statement)
    if points and simulated is not None:
        points = [simulated, *points[:-1]]  # the witness, where the forms differ there, is the point that is simulated
    simulations = _simulations(statement, simulate)
    return [_row(statement, claim, points, digits, simulations) for claim in statement.claims]


def _row(statement: Statement, claim: Claim, points: list[Model], digits: int, simulations: Mapping[str, AnyJudgement]) -> Row:
    proof = symbolic(statement, claim)
    routes = two_routes(statement, claim, points, min(digits, claim.digits or digits))
    against = printed(statement, claim, points)
    seen = {name: judgement for name, judgement in simulations.items() if name == claim.name}
    excluded = any("derived" in judgement.excluded for judgement in seen.values())
    found = verdict(Provenance(statement.provenance), proof, routes, against, excluded)
    expected = Verdict(claim.expected)
    return Row(statement.key, claim.name, proof, routes, against, found, expected, claim.observable is not None, seen)


def _simulations(entry: Entry, simulate: bool) -> dict[str, AnyJudgement]:
    """The judgement of each thing an experiment observes: of its variants the last that excludes the entry's own form."""
    found: dict[str, AnyJudgement] = {}
    if simulate and entry.experiment is not None:
        from theory.trial.experiment import run
        from theory.trial.plan import plans

        for one in plans(entry, {}):
            for name, judgement in run(one).judgements.items():
                if name not in found or _own(entry, name) in judgement.excluded:
                    found[name] = judgement
    return found


def _own(entry: Entry, observed: str) -> str:
    return entry.judged[observed][0] if isinstance(entry, Quantity) else "derived"


def verify_quantity(quantity: Quantity, digits: Any = 30, simulate: bool = False) -> list[Row]:
    """One row, the least agreement of the two routes over the quantity's samples, and one a number that a source prints."""
    digits = min(check_digits(digits), quantity.digits or MAX_DIGITS)
    seen = _simulations(quantity, simulate)
    proof, routes = chapter(quantity), sample_routes(quantity, digits)
    excluded = any(_own(quantity, name) in judgement.excluded for name, judgement in seen.items())
    found = verdict(Provenance(quantity.provenance), proof, routes, Printed(), excluded)
    if quantity.route is None:
        found = Verdict.OPEN  # a chapter alone does not check values
    expected, observable = Verdict(quantity.expected), quantity.experiment is not None
    values = Row(quantity.key, "values", proof, routes, Printed(), found, expected, observable, seen)
    return [values, *(_reported_rows(quantity) if quantity.route is not None else [])]


def _reported_rows(quantity: Quantity) -> list[Row]:
    """One row a number that a source prints for a quantity. A difference whose stated explanation fails has no verdict."""
    rows = []
    for one in quantity.reported:
        value = evaluate(quantity, one.parameters, min(20, quantity.digits or 20)).forms[""][one.value]
        found = judge(one, value, quantity.reported_provenance)
        witness = {"model": dict(one.parameters), "printed": one.printed, "derived": shown(value, quantity.digits or 15)}
        if one.factor is not None:
            witness |= {"times": one.factor, "gives": found["times_factor"]}
        agrees = found["verdict"] == Verdict.CONFIRMED
        against = Printed(Found.IDENTICAL, "the computed value rounds to it") if agrees else Printed(Found.DIFFERS, "", witness)
        name = f"{one.value}({', '.join(one.parameters.values())})"
        reached = Verdict(found["verdict"]) if found.get("explained", True) else Verdict.UNEXPLAINED
        nothing = Symbolic(Found.NOTHING, chapter=True)
        rows.append(Row(quantity.key, name, nothing, Routes(None, 1), against, reached, Verdict(one.expected)))
    return rows
