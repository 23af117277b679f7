"""Verdicts: for each claim, what its derivation proves, how far two routes agree, what was printed, what was seen.

Kinds of evidence stay apart. ``symbolic``: the derivation ran, and its last right-hand side is the registered form.
``digits``: the registered form against a second route, at models that satisfy the hypotheses. ``printed``: the printed
form against the derived one, with a witness where they differ. ``simulated``: a z-score with power, where asked for.
A verdict is computed from these; the register only says which verdict is expected.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import asdict, dataclass, field
from functools import cache
from importlib import import_module
from typing import Any

import sympy as sp

from pencils.errors import DerivationError, PrecisionError
from pencils.exact.numbers import MAX_DIGITS, check_digits, decimal
from theory.evidence.routes import QuantityRoute, Route, agreed_digits, written
from theory.proof.identity import identity
from theory.proof.steps import Proof, derive
from theory.register.evaluate import evaluate, expanded_forms, read_definitions, value_of
from theory.register.model import Model
from theory.register.record import Claim, Entry, Quantity, Statement
from theory.register.sampler import border_models, experiment_model, models

MODELS = 6  # models a claim is evaluated at by both routes
Progress = Callable[[str], None]


@dataclass(frozen=True)
class Row:
    """One claim's evidence and verdict. ``digits`` is the least agreement of the two routes over ``points`` models
    (None: no second route). ``witness`` is a model at which printed and derived differ, with both values."""

    statement: str
    claim: str
    symbolic: str
    digits: int | None
    points: int
    printed: str
    simulated: str
    verdict: str
    expected: str
    witness: Mapping[str, Any] = field(default_factory=dict)
    simulation: Mapping[str, Any] = field(default_factory=dict)

    @property
    def as_expected(self) -> bool:
        return self.verdict == self.expected

    def as_dict(self) -> dict[str, Any]:
        return {**asdict(self), "as_expected": self.as_expected}


def verify(
    entries: list[Entry], digits: Any = 30, simulate: bool = False, progress: Progress | None = None, jobs: int = 1
) -> list[Row]:
    """Rows for several entries, ``jobs`` entries at a time; ``progress(name)`` is called after each entry."""
    import joblib

    rows = []
    with joblib.parallel_config("loky", inner_max_num_threads=1) if jobs > 1 else nullcontext():
        runs = joblib.Parallel(n_jobs=jobs, return_as="generator")(
            joblib.delayed(_entry_rows)(entry, digits, simulate) for entry in entries
        )
        for entry, found in zip(entries, runs, strict=True):
            rows += found
            if progress is not None:
                progress(entry.key)
    return rows


def _entry_rows(entry: Entry, digits: Any, simulate: bool) -> list[Row]:
    chosen = verify_quantity if isinstance(entry, Quantity) else verify_statement
    return chosen(entry, digits, simulate)  # type: ignore[arg-type]


def verify_statement(statement: Statement, digits: Any = 30, simulate: bool = False) -> list[Row]:
    """One row a claim of the statement."""
    digits = check_digits(digits)
    points = list(models(statement, MODELS)) if any(claim.numeric for claim in statement.claims) else []
    simulated = experiment_model(statement)
    if points and simulated is not None:
        points = [simulated, *points[:-1]]  # the witness, where the forms differ there, is the point that is simulated
    simulations = _simulations(statement, simulate)
    return [_row(statement, claim, points, digits, simulations) for claim in statement.claims]


def _simulations(entry: Entry, simulate: bool) -> dict[str, Any]:
    """The judgement of each thing an experiment observes: of its variants the last that excludes the entry's own form."""
    found: dict[str, Any] = {}
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


def _row(statement: Statement, claim: Claim, points: list[Model], digits: int, simulations: Mapping[str, Any]) -> Row:
    symbolic, proved = _symbolic(statement, claim)
    digits = min(digits, claim.digits or digits)
    agreed, used, contradiction = _two_routes(statement, claim, points, digits)
    printed, witness = _printed(statement, claim, points)
    judgement = simulations.get(claim.name)
    verdict = _verdict(statement, proved, agreed, bool(contradiction), digits, printed, judgement)
    if contradiction and not witness:
        witness = contradiction
    return Row(
        statement.key,
        claim.name,
        symbolic,
        agreed,
        used,
        printed,
        judgement.sentence() if judgement else "not run" if claim.observable else "-",
        verdict,
        claim.expected,
        witness,
        judgement.as_dict() if judgement else {},
    )


@cache
def _derived(dotted: str) -> Proof:
    return derive(dotted)


def _symbolic(statement: Statement, claim: Claim) -> tuple[str, bool | None]:
    """(what the derivation found, whether it supports the registered form; None without a derivation)."""
    if claim.proof is None:
        return "no derivation", None
    try:
        for binding in statement.bindings.values():
            _derived(binding.proof)
        proof = _derived(claim.proof)
        reading = _derived(claim.printed_proof) if claim.printed_proof else None
    except DerivationError as error:
        return f"derivation fails: {error}", False
    meanings = read_definitions(statement, "derived")
    decision = identity(
        proof.conclusion.xreplace(meanings), _target(statement, claim).xreplace(meanings), alphabet=statement.alphabet
    )
    if not decision.supports:
        return f"the derivation ends at {proof.conclusion}, not at the registered form", False
    if reading is not None and claim.printed is not None:
        meanings = read_definitions(statement, "printed")
        printed = statement.alphabet.read_form(claim.printed, claim.name).xreplace(meanings)
        if not identity(reading.conclusion.xreplace(meanings), printed, alphabet=statement.alphabet).supports:
            return f"the source's words give {reading.conclusion}, not the registered printed form", False
    if not decision.rigorous:
        return f"numerical: the derivation's last form and the registered one are {decision.how}", True
    return proof.summary(), True


def _target(statement: Statement, claim: Claim) -> sp.Basic:
    """What a claim's derivation must end with: its form, or the order n^exponent log(n)^logs of a rate."""
    letters = statement.alphabet
    form = letters.read_form(claim.derived, claim.name)
    if claim.kind != "rate":
        return form
    return letters.symbol(claim.against) ** form * letters.symbol("log_n") ** claim.logs


def _two_routes(statement: Statement, claim: Claim, points: list[Model], digits: int) -> tuple[int | None, int, dict[str, Any]]:
    """(least number of digits agreed, models used, a model at which the routes disagree).

    Truth values have no digits: they agree or not, at the models and at models on both sides of the border. A model at
    which a route cannot decide at this precision is not counted.
    """
    if claim.route is None or not claim.numeric:
        return None, 0, {}
    module, _, function = claim.route.partition(":")
    route: Route = getattr(import_module(module), function)
    form = expanded_forms(statement, "derived")[claim.name]
    if claim.kind == "threshold":
        points = [*points, *border_models(statement, form, points)]
        digits = min(digits, 10)  # enough to tell the sides of a border apart
    least, used, worst = digits, 0, {}
    for model in points:
        if used == claim.models:
            break
        try:
            first, second = value_of(form, model, digits + 5, claim.name), route(model, digits + 5)
        except PrecisionError:
            continue
        used += 1
        agreed = agreed_digits(first, second, digits)
        if agreed < digits:
            worst = {
                "model": dict(model.given),
                "derived": _show(first),
                "second route": _show(second) if hasattr(second, "mid") else written(second, digits + 10),
            }
        least = min(least, agreed)
    if claim.kind == "threshold" and not worst:
        return None, used, {}
    return (least if used else None), used, worst


def _printed(statement: Statement, claim: Claim, points: list[Model]) -> tuple[str, dict[str, Any]]:
    """("identical: how" | "differs" | "undecided" | "not printed" | "vacuous", the witness model and both values)."""
    if claim.printed is None:
        return "not printed", {}
    if not claim.numeric:
        letters = statement.alphabet
        decision = identity(letters.read_form(claim.printed), letters.read_form(claim.derived), alphabet=letters)
        return (f"identical: {decision.how}" if decision else "differs"), {}
    printed, derived = (expanded_forms(statement, column)[claim.name] for column in ("printed", "derived"))
    for model in points:
        try:
            values = [value_of(form, model, 20, claim.name) for form in (printed, derived)]
        except PrecisionError:
            continue
        if _differ(*values):
            return "differs", {"model": dict(model.given), "printed": _show(values[0]), "derived": _show(values[1])}
    if not points:
        return "vacuous", {}
    letters = statement.alphabet
    curve = {letters.symbol(name): letters.read_form(text) for name, text in statement.curve.items()}
    decision = identity(printed.xreplace(curve), derived.xreplace(curve), alphabet=letters)
    if decision.verdict == "different":
        point = {str(name): str(value) for name, value in decision.witness.items()}
        return "differs", {
            "model": point,
            "printed": decision.values[0],
            "derived": decision.values[1],
        } if point else {}
    return f"{decision.verdict}: {decision.how}", {}


def _differ(first: Any, second: Any) -> bool:
    if isinstance(first, bool) or isinstance(second, bool):
        return first is not second
    return not first.overlaps(second)


def _verdict(
    statement: Statement,
    proved: bool | None,
    agreed: int | None,
    contradicted: bool,
    digits: int,
    printed: str,
    judgement: Any,
) -> str:
    """The verdict that the evidence supports; ``expected`` has no part in it."""
    if proved is False:
        return "derivation fails"
    if agreed is not None and agreed < digits:
        return "routes disagree"
    if judgement is not None and "derived" in judgement.excluded:
        return "simulation disagrees"
    if contradicted:
        return "routes disagree"
    if proved is None and agreed is None:
        return "open"
    if printed.startswith("vacuous"):
        return "vacuous"
    if printed == "differs":
        return "erratum" if statement.provenance == "read" else "differs, as reported"
    if printed.startswith("identical"):
        return "confirmed"
    return "derived" if printed == "not printed" else "open"


def _show(value: Any, digits: int = 15) -> Any:
    return value if isinstance(value, (bool, str)) else decimal(value, min(digits, 15))


def verify_quantity(quantity: Quantity, digits: Any = 30, simulate: bool = False) -> list[Row]:
    """One row: the least agreement of the two routes over the quantity's sample parameters, as far as it is asked for."""
    digits = min(check_digits(digits), quantity.digits or MAX_DIGITS)
    simulations = _simulations(quantity, simulate)
    seen = "; ".join(f"{name}: {judgement.sentence()}" for name, judgement in simulations.items()) or (
        "not run" if quantity.experiment else "-"
    )
    data = {name: judgement.as_dict() for name, judgement in simulations.items()}
    symbolic = _chapter(quantity)
    if quantity.route is None:
        return [Row(quantity.key, "values", symbolic, None, 0, "not printed", seen, "open", quantity.expected, {}, data)]
    module, _, function = quantity.route.partition(":")
    route: QuantityRoute = getattr(import_module(module), function)
    least, worst = digits, {}
    guard = 5 if quantity.digits is None else 1  # where digits are scarce none is spent that need not be
    for sample in quantity.samples:
        first = _numbers(_flatten(evaluate(quantity, sample, digits + guard).forms[""]))
        second = _flatten(route(sample, digits + guard))
        for name in first.keys() | second.keys():
            if name not in first or name not in second:
                least, worst = 0, {"model": dict(sample), "value": name, "missing in": "one route"}
                continue
            agreed = agreed_digits(first[name], second[name], digits)
            if agreed < digits:
                shown = {"first": _show(first[name], digits), "second route": written(second[name], digits + guard + 5)}
                worst = {"model": dict(sample), "value": name, **shown}
            least = min(least, agreed)
    verdict = "derived" if least == digits else "routes disagree"
    if any(_own(quantity, name) in judgement.excluded for name, judgement in simulations.items()):
        verdict = "simulation disagrees"
    if symbolic.startswith("derivation fails"):
        verdict = "derivation fails"
    count = len(quantity.samples)
    values = Row(quantity.key, "values", symbolic, least, count, "not printed", seen, verdict, quantity.expected, worst, data)
    return [values, *_reported_rows(quantity)]


def _chapter(quantity: Quantity) -> str:
    """What came of the derivations of a quantity's equations."""
    try:
        proofs = [_derived(dotted) for dotted in quantity.chapter]
    except DerivationError as error:
        return f"derivation fails: {error}"
    steps = [step for proof in proofs for step in proof.steps]
    numerical = sum(not step.rigorous for step in steps)
    more = f", {numerical} of them at random points" if numerical else ""
    return f"chapter: {len(steps)} steps checked{more}" if steps else "-"


def _reported_rows(quantity: Quantity) -> list[Row]:
    """One row a number that a source prints for a quantity. A difference whose stated explanation fails has no verdict."""
    from theory.register.reported import judge

    rows = []
    for one in quantity.reported:
        value = evaluate(quantity, one.parameters, min(20, quantity.digits or 20)).forms[""][one.value]
        found = judge(one, value, quantity.reported_provenance)
        verdict = found["verdict"] if found.get("explained", True) else "differs, not explained"
        printed = "identical: the computed value rounds to it" if found["verdict"] == "confirmed" else "differs"
        witness = {"model": dict(one.parameters), "printed": one.printed, "derived": _show(value, quantity.digits or 15)}
        if one.factor is not None:
            witness |= {"times": one.factor, "gives": found["times_factor"]}
        name = f"{one.value}({', '.join(one.parameters.values())})"
        rows.append(
            Row(quantity.key, name, "-", None, 1, printed, "-", verdict, one.expected, witness if printed == "differs" else {})
        )
    return rows


def _numbers(values: Mapping[str, Any]) -> dict[str, Any]:
    """What two routes can be compared on: words and truth values are not numbers."""
    return {name: value for name, value in values.items() if value is not None and not isinstance(value, (bool, str))}


def _flatten(values: Mapping[str, Any]) -> dict[str, Any]:
    flat = {}
    for name, value in values.items():
        if isinstance(value, list):
            flat.update({f"{name}[{place}]": part for place, part in enumerate(value)})
        else:
            flat[name] = value
    return flat
