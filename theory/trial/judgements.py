"""What draws say of a claim that is not a limit: rates, upper bounds on limits, and bounds on draws at finite size."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats

from theory.proof.symbols import read_form
from theory.register.record import Claim
from theory.trial.step import Samples
from theory.trial.trend import Exponent, Judgement, Trend, fit_exponent

REJECT = 3.0  # standard deviations of a normal variable, as improbable as what excludes a bound


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
            found += f" ({self.reduced.exponent:.3f} after dividing by log^{self.logs})"
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
class BoundJudgement:
    """An upper bound on the limit of what a trend extrapolates."""

    bound: float
    trend: Trend

    @property
    def excess(self) -> float:
        """(limit - bound) in standard errors."""
        return (self.trend.limit - self.bound) / self.trend.standard_error

    @property
    def excluded(self) -> tuple[str, ...]:
        bar = stats.t.isf(stats.norm.sf(REJECT), self.trend.degrees_of_freedom)
        return ("derived",) if self.excess > bar else ()

    def sentence(self) -> str:
        answer = "exceeds the bound" if self.excluded else "within the bound"
        return f"limit {self.trend.limit:.6g} +- {self.trend.standard_error:.2g}: {answer} {self.bound:g} (z = {self.excess:+.1f})"

    def as_dict(self) -> dict[str, Any]:
        return {"bound": self.bound, "z": self.excess, "excluded": list(self.excluded), "sentence": self.sentence()}


@dataclass(frozen=True)
class DrawsJudgement:
    """An upper bound on every draw at every size: ``worst`` is the largest of ``draws`` values, seen at d = ``at``."""

    bound: float
    worst: float
    at: int
    draws: int

    @property
    def excluded(self) -> tuple[str, ...]:
        return ("derived",) if self.worst > self.bound else ()

    def sentence(self) -> str:
        answer = "exceeds the bound" if self.excluded else "every one within the bound"
        return f"the largest of {self.draws} draws is {self.worst:.6g} (d = {self.at}): {answer} {self.bound:g}"

    def as_dict(self) -> dict[str, Any]:
        found = {"bound": self.bound, "worst": self.worst, "d": self.at, "draws": self.draws}
        return {**found, "excluded": list(self.excluded), "sentence": self.sentence()}


@dataclass(frozen=True)
class MeanJudgement:
    """An upper bound on the mean at one size, d = ``at``, by Student's t over ``draws`` draws."""

    bound: float
    mean: float
    standard_error: float
    at: int
    draws: int

    @property
    def excluded(self) -> tuple[str, ...]:
        """On equal draws, which have no scatter, the mean itself is held against the bound."""
        bar = stats.t.isf(stats.norm.sf(REJECT), self.draws - 1)
        return ("derived",) if self.mean - self.bound > bar * self.standard_error else ()

    def sentence(self) -> str:
        inside = "within the bound" if self.mean <= self.bound else "not told from the bound"
        answer = "exceeds the bound" if self.excluded else inside
        return f"mean {self.mean:.6g} +- {self.standard_error:.2g} at the largest size, d = {self.at}: {answer} {self.bound:g}"

    def as_dict(self) -> dict[str, Any]:
        found = {"bound": self.bound, "mean": self.mean, "standard_error": self.standard_error, "d": self.at, "draws": self.draws}
        return {**found, "excluded": list(self.excluded), "sentence": self.sentence()}


AnyJudgement = Judgement | RateJudgement | BoundJudgement | DrawsJudgement | MeanJudgement


def judge_rate(claim: Claim, samples: list[Samples], columns: list[list[float]]) -> RateJudgement:
    """The fitted exponent of a rate claim in the size that it is a rate in."""
    sizes = [getattr(sample.sizes, claim.against) for sample in samples]
    reduced = [[value / np.log(size) ** claim.logs for value in column] for size, column in zip(sizes, columns, strict=True)]
    return RateJudgement(float(read_form(claim.derived)), claim.logs, fit_exponent(sizes, columns), fit_exponent(sizes, reduced))


def judge_as_drawn(claim: Claim, samples: list[Samples], columns: list[list[float]]) -> DrawsJudgement | MeanJudgement:
    """An inequality that every draw obeys, or the mean at the largest size."""
    bound = float(read_form(claim.derived))
    if claim.seen == "every draw":
        worst, at = max((max(column), sample.sizes.d) for sample, column in zip(samples, columns, strict=True))
        return DrawsJudgement(bound, worst, at, sum(map(len, columns)))
    place = max(range(len(samples)), key=lambda index: samples[index].sizes.d)
    mean, error = float(np.mean(columns[place])), float(np.std(columns[place], ddof=1)) / len(columns[place]) ** 0.5
    return MeanJudgement(bound, mean, error, samples[place].sizes.d, len(columns[place]))
