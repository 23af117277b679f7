"""A statement on trial: draws of the step at several sizes, each claim's observable extrapolated and judged.

What is measured is a formula of a claim in the names that the observation returns, d, n, N, and the model's symbols; it is
evaluated draw by draw. Limits are judged by ``theory.trend.judge``; rates by a fitted exponent.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np
from scipy import stats

from pencils.parse import names, parse, to_sympy
from theory.evaluate import expanded_forms, read_form, value_of
from theory.model import Model
from theory.nonlinearity import nonlinearity
from theory.plan import Plan
from theory.record import COLUMNS, Claim, Statement
from theory.simulate import Samples, draws
from theory.trend import Exponent, Judgement, Trend, fit_exponent, fit_trend, judge

REJECT = 3.0


@dataclass(frozen=True)
class RateJudgement:
    """A bound y <= C log(n)^logs n^bound against the fitted exponent of y / log(n)^logs, and of y itself."""

    bound: float
    logs: int
    raw: Exponent
    reduced: Exponent

    @property
    def excess(self) -> float:
        """(fitted exponent - bound) in standard errors, the logarithms divided out."""
        return (self.reduced.exponent - self.bound) / self.reduced.standard_error

    @property
    def excluded(self) -> tuple[str, ...]:
        bar = stats.t.isf(stats.norm.sf(REJECT), self.reduced.degrees_of_freedom)
        return ("derived",) if self.excess > bar else ()

    def sentence(self) -> str:
        found = f"fitted exponent {self.raw.exponent:.3f} +- {self.raw.standard_error:.2g}"
        if self.logs:
            found += f" ({self.reduced.exponent:.3f} after dividing by log^{self.logs} n)"
        answer = "exceeds the bound" if self.excluded else "within the bound"
        return f"{found}, fit p = {self.raw.lack_of_fit_p:.2g}: {answer} {self.bound:g} (fitted, not proved)"

    def as_dict(self) -> dict[str, Any]:
        return {
            "bound": self.bound,
            "logs": self.logs,
            "raw": self.raw.as_dict(),
            "reduced": self.reduced.as_dict(),
            "excluded": list(self.excluded),
            "sentence": self.sentence(),
        }


@dataclass(frozen=True)
class Report:
    """Draws and judgements; ``trends`` holds the fits behind the judgements of limits."""

    plan: Plan
    samples: tuple[Samples, ...]
    observed: Mapping[str, tuple[tuple[float, ...], ...]]
    trends: Mapping[str, Trend]
    judgements: Mapping[str, Judgement | RateJudgement]

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
                lines.append(f"  d {sizes.d:>6}  n {sizes.n:>6}  N {sizes.N:>6}   {mean:.5f} +- {error:.5f}")
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


def run(prepared: Plan, progress: Callable[[str], None] | None = None) -> Report:
    """Simulate and judge. The same seed gives the same numbers, whatever ``jobs`` is."""
    statement, model = prepared.statement, prepared.model
    assert statement.experiment is not None
    module, _, function = statement.experiment.observe.partition(":")
    functions = {name: _numeric(model, name) for name in ("activation", "teacher")}
    samples = draws(
        getattr(import_module(module), function),
        prepared.sizes,
        eta=model.values["eta"],
        sigma_eps=model.values["sigma_eps"],
        sigma=functions["activation"],
        sigma_star=functions["teacher"],
        parts=any(claim.kind == "rate" for claim in statement.claims),
        mu1=_signed_mu1(model),
        draws=prepared.draws,
        seed=prepared.seed,
        jobs=prepared.jobs,
        progress=None if progress is None else lambda done, total: progress(f"draw {done} of {total}"),
    )
    observed: dict[str, tuple[tuple[float, ...], ...]] = {}
    trends: dict[str, Trend] = {}
    judgements: dict[str, Judgement | RateJudgement] = {}
    for claim in statement.claims:
        if claim.observable is None:
            continue
        columns = [_observe(claim.observable, sample, model) for sample in samples]
        observed[claim.name] = tuple(tuple(column) for column in columns)
        if claim.kind == "rate":
            judgements[claim.name] = _judge_rate(claim, samples, columns)
        else:
            trends[claim.name] = fit_trend([sample.sizes.d for sample in samples], columns, *claim.trend)
            judgements[claim.name] = judge(trends[claim.name], _forms(statement, claim, model))
    return Report(prepared, tuple(samples), observed, trends, judgements)


def _numeric(model: Model, name: str) -> Any:
    from theory.activation import variable

    return nonlinearity(model.values[name].centred().numeric(20), variable(), differentiable=name == "activation")


def _signed_mu1(model: Model) -> float:
    from pencils.numbers import working_precision

    with working_precision(80):
        return float(model.moment("mu1").ball(80).mid())


def _forms(statement: Statement, claim: Claim, model: Model) -> dict[str, float]:
    return {
        column: float(value_of(expanded_forms(statement, column)[claim.name], model, 15))
        for column in COLUMNS
        if getattr(claim, column) is not None
    }


def _observe(formula: str, sample: Samples, model: Model) -> list[float]:
    """The observable of every draw at one size."""
    import sympy as sp

    measured: dict[str, Any] = {name: np.array(values) for name, values in sample.values.items()}
    measured |= {"d": sample.sizes.d, "n": sample.sizes.n, "N": sample.sizes.N}
    tree = parse(formula, "observable")
    used = sorted(names(tree))
    symbols = {name: sp.Symbol(name) for name in used}
    expression = to_sympy(tree, symbols, {"sqrt": sp.sqrt}, "observable")
    values = [measured[name] if name in measured else float(model.ball(name, 80)) for name in used]
    result = sp.lambdify([symbols[name] for name in used], expression, "numpy")(*values)
    return [float(value) for value in np.broadcast_to(result, (sample.draws,))]


def _judge_rate(claim: Claim, samples: list[Samples], columns: list[list[float]]) -> RateJudgement:
    sizes = [sample.sizes.n for sample in samples]
    reduced = [[value / np.log(n) ** claim.logs for value in column] for n, column in zip(sizes, columns, strict=True)]
    return RateJudgement(
        float(read_form(claim.derived)), claim.logs, fit_exponent(sizes, columns), fit_exponent(sizes, reduced)
    )
