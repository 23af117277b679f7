"""From draws at several sizes to a verdict: extrapolation in the size, and z-scores of the forms that claim its limit.

Draws at one size scatter by themselves, so the scatter is measured there (pure error) and never from how well the model
fits: a model that does not fit shows as lack of fit, not as a larger error bar.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import stats

from pencils.errors import InputError, SimulationError
from pencils.exact.numbers import exact

Array = npt.NDArray[np.float64]

MIN_SIZES = 4
# A test of fit that fails at this level takes the standard errors, and so the verdict, with it.
FIT_LEVEL = 1e-3


@dataclass(frozen=True)
class Trend:
    """Fit of mean(d) = limit + slope d^(-power), with the variance of a draw proportional to d^(-scatter).

    ``lack_of_fit_p`` is the p-value of the F test of the model against the size means; ``scatter_p`` that of the
    Brown-Forsythe test of the variance law (None with fewer than four draws at some size). The standard errors have
    ``degrees_of_freedom``, so that (limit - truth)/standard_error is a Student t.
    """

    limit: float
    standard_error: float
    slope: float
    slope_standard_error: float
    power: float
    scatter: float
    degrees_of_freedom: int
    lack_of_fit_p: float
    scatter_p: float | None
    sizes: tuple[float, ...]
    draws: tuple[int, ...]
    means: tuple[float, ...]

    def as_dict(self) -> dict[str, Any]:
        """The fields in plain types, for JSON."""
        return _plain(asdict(self))


@dataclass(frozen=True)
class Exponent:
    """Fit of y = constant n^exponent by least squares on logarithms; the tests of fit as in :class:`Trend`."""

    exponent: float
    standard_error: float
    constant: float
    degrees_of_freedom: int
    lack_of_fit_p: float
    scatter_p: float | None
    sizes: tuple[float, ...]
    draws: tuple[int, ...]

    def as_dict(self) -> dict[str, Any]:
        """The fields in plain types, for JSON."""
        return _plain(asdict(self))


@dataclass(frozen=True)
class Judgement:
    """What a trend says about the forms that claim its limit.

    ``z`` is (limit - form)/standard_error, ``has_power`` says whether the trend can tell the forms apart,
    ``discriminates`` whether there were two different forms to tell apart. ``excluded`` and ``surviving`` are empty
    when there is no verdict.
    """

    forms: dict[str, float]
    z: dict[str, float]
    limit: float
    standard_error: float
    discriminates: bool
    has_power: bool
    verdict: str
    excluded: tuple[str, ...] = ()
    surviving: tuple[str, ...] = ()

    def sentence(self) -> str:
        """One line: the limit with its standard error, the forms with their z-scores, the verdict."""
        against = ", ".join(f"{name} {value:.6g} (z = {self.z[name]:+.1f})" for name, value in self.forms.items())
        return f"limit {self.limit:.6g} +- {self.standard_error:.2g} against {against}: {self.verdict}"

    def as_dict(self) -> dict[str, Any]:
        """The fields in plain types, for JSON."""
        return _plain(asdict(self)) | {"sentence": self.sentence()}


def fit_trend(
    d_values: Sequence[float], samples_per_size: Sequence[Sequence[float]], power: Any = "1/2", scatter: Any = 1
) -> Trend:
    """Extrapolate to d = infinity: mean(d) = limit + slope d^(-power), by least squares weighted with d^scatter.

    ``samples_per_size[j]`` holds the draws at ``d_values[j]``. The variance of one draw is v d^(-scatter), with v pooled
    from the scatter within the sizes. What the gradient adds to its rank-one part is smaller by n^(-1/2) (``ba2022``
    Proposition 2), and moves means to that order: the network's own output lowers s1(W1) by a multiple of d^(-1/2). A
    power of 1 fits such means as well, to the eye and to the F test, and misses the limit; use it only where the
    correction is known to be O(1/d). Raises InputError for fewer than four different sizes or two draws a size.
    """
    fall, spread = float(exact(power, "power")), float(exact(scatter, "scatter"))
    if fall <= 0:
        raise InputError(f"power = {power}: give a positive power of 1/d, or there is no limit to extrapolate to")
    sizes, samples = _checked(d_values, samples_per_size)
    fit = _fit(sizes**-fall, samples, sizes**spread)
    return Trend(
        limit=fit.intercept,
        standard_error=fit.intercept_error,
        slope=fit.slope,
        slope_standard_error=fit.slope_error,
        power=fall,
        scatter=spread,
        degrees_of_freedom=fit.degrees_of_freedom,
        lack_of_fit_p=fit.lack_of_fit_p,
        scatter_p=fit.scatter_p,
        sizes=tuple(sizes.tolist()),
        draws=tuple(map(len, samples)),
        means=tuple(float(sample.mean()) for sample in samples),
    )


def fit_exponent(n_values: Sequence[float], samples_per_size: Sequence[Sequence[float]], scatter: Any = 1) -> Exponent:
    """The slope of log y against log n, with its standard error; the variance of log y is proportional to n^(-scatter).

    Raises InputError for fewer than four different sizes or two draws a size, or a sample that is not positive.
    """
    sizes, samples = _checked(n_values, samples_per_size)
    if any((sample <= 0).any() for sample in samples):
        raise InputError("an exponent is fitted on logarithms: every sample must be positive")
    fit = _fit(np.log(sizes), [np.log(sample) for sample in samples], sizes ** float(exact(scatter, "scatter")))
    return Exponent(
        exponent=fit.slope,
        standard_error=fit.slope_error,
        constant=math.exp(fit.intercept),
        degrees_of_freedom=fit.degrees_of_freedom,
        lack_of_fit_p=fit.lack_of_fit_p,
        scatter_p=fit.scatter_p,
        sizes=tuple(sizes.tolist()),
        draws=tuple(map(len, samples)),
    )


def judge(trend: Trend, forms: Mapping[str, float], sigmas: float = 5.0, reject: float = 3.0) -> Judgement:
    """Which of the ``forms`` (name: claimed limit) the trend excludes.

    Power: any two different forms must lie more than ``sigmas`` standard errors of the extrapolated limit apart, or no
    verdict is given. A form is excluded when its z-score is as improbable, as a Student t, as ``reject`` standard
    deviations of a normal variable (the same thing when there are many draws). No verdict either when the trend, or
    the law of its scatter, does not fit (p < 0.001). With a single value there is nothing to tell apart: the form is
    found compatible or not, and ``discriminates`` is False. Raises InputError without a finite form.
    """
    values = {name: float(value) for name, value in forms.items()}
    if not values or not all(map(math.isfinite, values.values())):
        raise InputError(f"forms = {dict(forms)}: give at least one, each a finite number")
    error = trend.standard_error
    z = {name: (trend.limit - value) / error for name, value in values.items()}
    gaps = [
        abs(one - other) for one, other in itertools.combinations(values.values(), 2) if not math.isclose(one, other, rel_tol=1e-9)
    ]
    smallest = min(gaps, default=math.inf) / error
    discriminates, has_power = bool(gaps), bool(gaps) and smallest > sigmas
    bar = float(stats.t.isf(stats.norm.sf(reject), trend.degrees_of_freedom))
    excluded = tuple(name for name in values if abs(z[name]) > bar)
    surviving = tuple(name for name in values if name not in excluded)
    reason = _misfit(trend)
    if reason is None and discriminates and not has_power:
        reason = f"the forms differ by {smallest:.1f} standard errors, and more than {sigmas:g} are needed"
    if reason is not None:
        return Judgement(values, z, trend.limit, error, discriminates, has_power, f"no verdict: {reason}")
    if not discriminates:
        verdict = ("disagrees" if excluded else "compatible") + " (one value only: nothing is told apart)"
    elif not surviving:
        verdict = "every form is excluded"
    elif not excluded:
        verdict = f"no form is excluded: with {trend.degrees_of_freedom} degrees of freedom, that takes |z| > {bar:.1f}"
    else:
        verdict = f"{', '.join(excluded)} excluded; {', '.join(surviving)} not"
    return Judgement(values, z, trend.limit, error, discriminates, has_power, verdict, excluded, surviving)


def _misfit(trend: Trend) -> str | None:
    if trend.lack_of_fit_p < FIT_LEVEL:
        return f"the trend limit + slope d^-{trend.power:g} does not fit (p = {trend.lack_of_fit_p:.1g})"
    if trend.scatter_p is not None and trend.scatter_p < FIT_LEVEL:
        return f"the scatter does not fall as assumed, variance ~ d^-{trend.scatter:g} (p = {trend.scatter_p:.1g})"
    return None


def _checked(sizes: Sequence[float], samples: Sequence[Sequence[float]]) -> tuple[Array, list[Array]]:
    """The sizes and their samples as arrays, after checking that a line can be fitted and tested."""
    at = np.asarray(sizes, dtype=float)
    drawn = [np.asarray(sample, dtype=float) for sample in samples]
    if len(at) != len(drawn):
        raise InputError(f"{len(at)} sizes and samples for {len(drawn)}: give one list of draws for each size")
    if not (np.isfinite(at).all() and (at > 0).all()):
        raise InputError(f"sizes {at.tolist()}: give positive numbers")
    if len(set(at.tolist())) != len(at) or len(at) < MIN_SIZES:
        raise InputError(f"sizes {at.tolist()}: give at least {MIN_SIZES} different ones, or the trend cannot be tested")
    for size, sample in zip(at, drawn, strict=True):
        if sample.ndim != 1 or len(sample) < 2:
            raise InputError(f"size {size:g}: give at least 2 draws, or there is no standard error")
        if not np.isfinite(sample).all():
            raise InputError(f"size {size:g}: a draw is not finite")
    return at, drawn


@dataclass(frozen=True)
class _Line:
    intercept: float
    intercept_error: float
    slope: float
    slope_error: float
    degrees_of_freedom: int
    lack_of_fit_p: float
    scatter_p: float | None


def _fit(column: Array, samples: list[Array], weight: Array) -> _Line:
    """Weighted least squares of the size means on (1, column); the variance of a draw is v/weight, v by pure error."""
    draws = np.array([len(sample) for sample in samples])
    means = np.array([sample.mean() for sample in samples])
    freedom = int(draws.sum()) - len(samples)
    scaled = [math.sqrt(w) * (sample - sample.mean()) for w, sample in zip(weight, samples, strict=True)]
    variance = sum(float(residual @ residual) for residual in scaled) / freedom
    if variance == 0:
        raise SimulationError("all draws of a size are equal, at every size: there is no scatter to judge by")
    root = np.sqrt(draws * weight)
    design = np.column_stack([np.ones_like(column), column]) * root[:, None]
    # QR rather than normal equations: the columns 1 and d^-power are nearly parallel when the sizes are close.
    Q, R = np.linalg.qr(design)
    coefficients = np.linalg.solve(R, Q.T @ (root * means))
    inverse = np.linalg.inv(R)
    errors = np.sqrt(variance * (inverse**2).sum(axis=1))
    misfit = root * means - design @ coefficients
    extra = len(samples) - 2
    F = float(misfit @ misfit) / extra / variance
    return _Line(
        float(coefficients[0]),
        float(errors[0]),
        float(coefficients[1]),
        float(errors[1]),
        freedom,
        float(stats.f.sf(F, extra, freedom)),
        # With two or three draws the distances from the median are not free enough to be compared.
        float(stats.levene(*scaled, center="median").pvalue) if draws.min() >= 4 else None,
    )


def _plain(record: dict[str, Any]) -> dict[str, Any]:
    return {name: list(value) if isinstance(value, tuple) else value for name, value in record.items()}
