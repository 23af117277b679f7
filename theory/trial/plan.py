"""What a simulation will run, checked before anything heavy is imported."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

from pencils.errors import InputError
from pencils.exact.numbers import exact
from theory.register.model import Model
from theory.register.parameters import HERMITE, check_parameters
from theory.register.record import Entry, Quantity, Statement
from theory.trial.sizes import Sizes, sizes_by

RATIOS = ("psi1", "psi2")  # limits of ratios of dimensions: d is chosen so that they are met exactly
MIN_D, MAX_D, MAX_DRAWS, MAX_ENTRIES = 60, 20_000, 10_000, 1_000_000_000
SPREAD = (Fraction(8, 27), Fraction(4, 9), Fraction(2, 3), Fraction(1))  # four sizes up to the d that is asked for


@dataclass(frozen=True)
class Plan:
    """What will be run: checked, and nothing simulated yet."""

    statement: Entry
    model: Model
    sizes: tuple[Sizes, ...]
    draws: int
    seed: int
    jobs: int

    @property
    def total(self) -> int:
        """Number of simulated steps."""
        return self.draws * len(self.sizes)


def plan(statement: Entry, given: Mapping[str, Any], seed: int = 0, jobs: int = 2) -> Plan:
    """Check ``given`` (model parameters, and d and draws) against a statement's experiment; its setting fills the rest.

    Raises InputError for a statement without an experiment, a d or number of draws out of range, or Hermite data given
    in place of functions, which cannot be simulated.
    """
    if statement.experiment is None:
        raise InputError(f"{statement.key} has no experiment; see verify or derive")
    rest = dict(given)
    trial = statement.experiment
    top = _whole("d", rest.pop("d"), min(MIN_D, *trial.sizes), MAX_D) if "d" in rest else None
    count = _whole("draws", rest.pop("draws", trial.draws), 2, MAX_DRAWS)
    seed, jobs = _whole("seed", seed, 0, 2**63), _whole("jobs", jobs, 1, 256)
    model = _model(statement, rest)
    unit = lcm(*(model.values[name].denominator for name in RATIOS if name in model.values))
    wanted = trial.sizes if top is None else [int(top * part) for part in SPREAD]
    at = [max(unit, round(d / unit) * unit) if unit <= 20 else d for d in wanted]
    sizes = [sizes_by(d, trial.n, trial.N, model.values) for d in at]
    if len({size.d for size in sizes}) < len(sizes):
        raise InputError(f"d = {top}: too small for four different sizes with n = {trial.n}, N = {trial.N}")
    _affordable(sizes)
    return Plan(statement, model, tuple(sizes), count, seed, jobs)


def at_one_size(statement: Statement, given: Mapping[str, Any], d: Any, draws: Any, seed: int = 0, jobs: int = 2) -> Plan:
    """A plan at the single size d, for a picture: means and their errors, and no limit to extrapolate to."""
    model = _model(statement, given)
    assert statement.experiment is not None
    size = sizes_by(_whole("d", d, MIN_D, MAX_D), statement.experiment.n, statement.experiment.N, model.values)
    _affordable([size])
    return Plan(statement, model, (size,), _whole("draws", draws, 2, MAX_DRAWS), seed, jobs)


def plans(statement: Entry, given: Mapping[str, Any], seed: int = 0, jobs: int = 2) -> list[Plan]:
    """The plan of ``plan``, then one for each variant of the experiment that ``given`` leaves open."""
    first = plan(statement, given, seed, jobs)
    assert statement.experiment is not None
    variants = [variant for variant in statement.experiment.variants if not set(variant) & set(given)]
    return [first, *(plan(statement, {**given, **variant}, seed, jobs) for variant in variants)]


# A simulated step needs the whole model, whatever the forms use of it.
SIMULATED = ("psi1", "psi2", "eta", "sigma_eps", "mu1", "mu1_star", "mu2_star")


def _model(statement: Entry, given: Mapping[str, Any]) -> Model:
    assert statement.experiment is not None
    if isinstance(statement, Quantity):
        chosen = {**statement.experiment.setting, **given}
        accepted = [*statement.parameters, *statement.optional]
        checked = check_parameters(chosen, accepted, statement.key, statement.alphabet)
        return Model(checked, {name: str(value) for name, value in chosen.items()}, alphabet=statement.alphabet)
    if statement.experiment.from_scratch:
        chosen = {**statement.experiment.setting, **given}
        checked = check_parameters(chosen, statement.experiment.setting, statement.key, statement.alphabet)
        texts = {name: str(value) for name, value in chosen.items()}
        return Model(checked, texts, statement.bindings, alphabet=statement.alphabet)
    numbers = [name for name in given if name in HERMITE]
    if numbers:
        raise InputError(f"{', '.join(numbers)}: a simulation needs activation= and teacher=, not their Hermite data")
    needs = (*SIMULATED, *statement.experiment.parameters)
    return Model.build({**statement.experiment.setting, **given}, needs, statement.key, statement.bindings, statement.alphabet)


def _affordable(sizes: list[Sizes]) -> None:
    largest = max(size.n * size.d + 4 * size.d * size.N for size in sizes)
    if largest > MAX_ENTRIES:
        raise InputError(
            f"n = {sizes[-1].n}, N = {sizes[-1].N} at d = {sizes[-1].d}: matrices of {largest:.1e} entries in all; "
            f"at most {MAX_ENTRIES:.1e} are simulated (8 bytes each)"
        )


def _whole(name: str, value: Any, low: int, high: int) -> int:
    number = exact(value, name)
    if number.denominator != 1 or not low <= number <= high:
        raise InputError(f"{name} = {value}: give a whole number from {low} to {high}")
    return int(number)
