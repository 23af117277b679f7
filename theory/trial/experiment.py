"""A statement on trial: draws of the step at several sizes, each claim's observable extrapolated and judged.

What is measured is a formula of a claim in the names that the observation returns, d, n, N, and the model's symbols; it is
evaluated draw by draw. Limits are judged by ``theory.trial.trend.judge``; rates by a fitted exponent.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from pencils.errors import GradstepError, SimulationError
from pencils.language.parse import names, parse, to_sympy
from theory.activations.floats import nonlinearity
from theory.load import load
from theory.proof.symbols import read_form
from theory.register.evaluate import evaluate, value_of
from theory.register.forms import reading
from theory.register.model import Model
from theory.register.record import COLUMNS, Claim, Quantity, Statement
from theory.trial.judgements import AnyJudgement, BoundJudgement, DrawsJudgement, judge_as_drawn, judge_rate
from theory.trial.plan import Plan
from theory.trial.sizes import Sizes
from theory.trial.step import Observe, Samples, draws, sampled
from theory.trial.trend import Trend, fit_trend, judge

_JUDGED = 6  # digits of a value that draws are held against


@dataclass(frozen=True)
class Report:
    """Draws and judgements; ``trends`` holds the fits behind the judgements of limits."""

    plan: Plan
    samples: tuple[Samples, ...]
    observed: Mapping[str, tuple[tuple[float, ...], ...]]
    trends: Mapping[str, Trend]
    judgements: Mapping[str, AnyJudgement]

    def text(self) -> str:
        """Means with standard errors at each size, then each claim's extrapolation and verdict."""
        plan = self.plan
        lines = [
            f"{plan.statement.key}: {plan.draws} draws a size, seed {plan.seed}",
            "  " + ", ".join(f"{name}={value}" for name, value in plan.model.given.items()),
            *[f"  note: {note}" for note in plan.model.notes],
        ]
        for claim, columns in self.observed.items():
            lines.append(f"{claim}")
            for sizes, column in zip(plan.sizes, columns, strict=True):
                mean, error = float(np.mean(column)), float(np.std(column, ddof=1)) / len(column) ** 0.5
                top = f"   largest {max(column):.5f}" if isinstance(self.judgements[claim], DrawsJudgement) else ""
                lines.append(f"  d {sizes.d:>6}  n {sizes.n:>6}  N {sizes.N:>6}   {mean:.5f} +- {error:.5f}{top}")
            if claim in self.trends:
                trend = self.trends[claim]
                lines.append(
                    f"  fit limit + c d^-{trend.power:g}: c = {trend.slope:.3g} +- {trend.slope_standard_error:.2g}, "
                    f"p = {trend.lack_of_fit_p:.3g}"
                )
            lines.append(f"  {self.judgements[claim].sentence()}")
        return "\n".join(lines)

    def as_dict(self) -> dict[str, Any]:
        """Everything as plain types, for JSON."""
        return {
            "key": self.plan.statement.key,
            "parameters": dict(self.plan.model.given),
            "notes": self.plan.model.notes,
            "seed": self.plan.seed,
            "samples": [sample.as_dict() for sample in self.samples],
            "claims": {
                name: {
                    "trend": self.trends[name].as_dict() if name in self.trends else None,
                    "judgement": judgement.as_dict(),
                }
                for name, judgement in self.judgements.items()
            },
        }


def parameters(prepared: Plan) -> dict[str, float]:
    """What the experiment's observation takes by name."""
    assert prepared.statement.experiment is not None
    return {name: _float(prepared.model, name) for name in prepared.statement.experiment.parameters}


def sample(prepared: Plan, progress: Callable[[str], None] | None = None, observe: Observe | None = None) -> list[Samples]:
    """The draws of a plan, seen by its statement's observation or another one. The same seed gives the same numbers,
    whatever ``jobs`` is."""
    statement, model = prepared.statement, prepared.model
    assert isinstance(statement, Statement) and statement.experiment is not None
    if statement.experiment.from_scratch:
        return _from_scratch(prepared, progress)
    if observe is None:
        observe = load(statement.experiment.observe)
        if statement.experiment.parameters:
            observe = partial(observe, **parameters(prepared))
    functions = {name: _numeric(model, name) for name in ("activation", "teacher")}
    return draws(
        observe,
        prepared.sizes,
        eta=model.values["eta"],
        sigma_eps=model.values["sigma_eps"],
        sigma=functions["activation"],
        sigma_star=functions["teacher"],
        parts=statement.experiment.parts,
        mu1=_signed_mu1(model),
        draws=prepared.draws,
        seed=prepared.seed,
        jobs=prepared.jobs,
        progress=None if progress is None else lambda done, total: progress(f"draw {done} of {total}"),
    )


def run(prepared: Plan, progress: Callable[[str], None] | None = None) -> Report:
    """Simulate and judge. The same seed gives the same numbers, whatever ``jobs`` is."""
    if isinstance(prepared.statement, Quantity):
        return _run_quantity(prepared, prepared.statement, progress)
    statement, model = prepared.statement, prepared.model
    samples = sample(prepared, progress)
    observed: dict[str, tuple[tuple[float, ...], ...]] = {}
    trends: dict[str, Trend] = {}
    judgements: dict[str, AnyJudgement] = {}
    for claim in statement.claims:
        if claim.observable is None:
            continue
        columns = [measured(claim.observable, sample, model) for sample in samples]
        observed[claim.name] = tuple(tuple(column) for column in columns)
        if claim.kind == "rate":
            judgements[claim.name] = judge_rate(claim, samples, columns)
            continue
        if claim.seen != "limit":
            judgements[claim.name] = judge_as_drawn(claim, samples, columns)
            continue
        trends[claim.name] = fit_trend([sample.sizes.d for sample in samples], columns, *claim.trend)
        if claim.kind == "inequality":
            judgements[claim.name] = BoundJudgement(float(read_form(claim.derived)), trends[claim.name])
        else:
            judgements[claim.name] = judge(trends[claim.name], _forms(statement, claim, model))
    return Report(prepared, tuple(samples), observed, trends, judgements)


def _run_quantity(prepared: Plan, quantity: Quantity, progress: Callable[[str], None] | None) -> Report:
    """The draws of a quantity's own experiment, and the values that claim the limit of each thing it observes."""
    model = prepared.model
    values = evaluate(quantity, model.given, _JUDGED).forms[""]  # first: what cannot be computed is not simulated either
    samples = _from_scratch(prepared, progress)
    observed = {name: tuple(sample.values[name] for sample in samples) for name in quantity.judged}
    sizes = [sample.sizes.d for sample in samples]
    trends = {name: fit_trend(sizes, columns, *quantity.trend) for name, columns in observed.items()}
    judgements: dict[str, AnyJudgement] = {
        name: judge(trends[name], {form: float(values[form]) for form in forms}) for name, forms in quantity.judged.items()
    }
    return Report(prepared, tuple(samples), observed, trends, judgements)


def _from_scratch(prepared: Plan, progress: Callable[[str], None] | None) -> list[Samples]:
    """The draws of an experiment that makes its own step from the parameters."""
    assert prepared.statement.experiment is not None
    return sampled(
        partial(_one_line, load(prepared.statement.experiment.observe), prepared.statement.key, prepared.model),
        prepared.sizes,
        prepared.draws,
        prepared.seed,
        prepared.jobs,
        None if progress is None else lambda done, total: progress(f"draw {done} of {total}"),
    )


def _one_line(
    observe: Callable[..., Mapping[str, float]], key: str, model: Model, sizes: Sizes, rng: np.random.Generator
) -> Mapping[str, float]:
    """``observe`` at the model's parameters. What it raises, other than on purpose, is the cause of a SimulationError of one line
    that says where; the observation itself, called by hand, raises it as it is."""
    try:
        return observe(model.values, sizes, rng)
    except GradstepError:
        raise
    except Exception as error:
        given = ", ".join(f"{name}={value}" for name, value in model.given.items())
        what = " ".join(f"{type(error).__name__}: {error}".split())
        raise SimulationError(f"{key} at d = {sizes.d}, n = {sizes.n}, N = {sizes.N} with {given}: {what}") from error


def _numeric(model: Model, name: str) -> Any:
    from theory.activations.activation import variable

    return nonlinearity(model.values[name].centred().numeric(20), variable(), differentiable=name == "activation")


def _signed_mu1(model: Model) -> float:
    from pencils.exact.numbers import working_precision

    with working_precision(80):
        return float(model.moment("mu1").ball(80).mid())


def _float(model: Model, name: str) -> float:
    """A parameter for the simulation, whose activation is not turned round."""
    if name == "mu1":
        return _signed_mu1(model)
    return float(model.values[name] if name in model.values else model.ball(name, 80))


def _forms(statement: Statement, claim: Claim, model: Model) -> dict[str, float]:
    return {
        column: float(value_of(reading(statement).forms(column)[claim.name], model, 15))
        for column in COLUMNS
        if getattr(claim, column) is not None
    }


def measured(formula: str, sample: Samples, model: Model) -> list[float]:
    """The observable of every draw at one size."""
    import sympy as sp

    seen: dict[str, Any] = {name: np.array(values) for name, values in sample.values.items()}
    seen |= {"d": sample.sizes.d, "n": sample.sizes.n, "N": sample.sizes.N}
    tree = parse(formula, "observable")
    used = sorted(names(tree))
    symbols = {name: sp.Symbol(name) for name in used}
    expression = to_sympy(tree, symbols, {"sqrt": sp.sqrt}, "observable")
    values = [seen[name] if name in seen else float(model.ball(name, 80)) for name in used]
    result = sp.lambdify([symbols[name] for name in used], expression, "numpy")(*values)
    return [float(value) for value in np.broadcast_to(result, (sample.draws,))]
