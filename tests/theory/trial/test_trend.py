"""The statistics on data whose truth is known: is a z-score a Student t, does a verdict need power."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from pencils.errors import InputError, SimulationError
from theory.trial.trend import FIT_LEVEL, fit_exponent, fit_trend, judge

SIZES = (200.0, 400.0, 800.0, 1600.0)
TRUTH, SLOPE = 2.5, 30.0


def sample(rng, draws=(12, 8, 6, 4), power=1.0, scatter=1.0, noise=2.0, sizes=SIZES):
    return [
        TRUTH + SLOPE * d**-power + noise * d ** (-scatter / 2) * rng.standard_normal(count)
        for d, count in zip(sizes, draws, strict=True)
    ]


def uniform_p(values):
    return stats.kstest(values, "uniform").pvalue


def test_fit_is_weighted_least_squares_over_single_draws():
    # Gauss-Markov by the normal equations, on the draws themselves instead of their means.
    samples = sample(np.random.default_rng(0), draws=(3, 5, 2, 4))
    d = np.concatenate([np.full(len(values), size) for size, values in zip(SIZES, samples, strict=True)])
    y = np.concatenate(samples)
    design, weight = np.column_stack([np.ones_like(d), 1 / d]), d
    normal = np.linalg.inv(design.T @ (weight[:, None] * design))
    limit, slope = normal @ design.T @ (weight * y)
    within = np.concatenate([values - values.mean() for values in samples])
    variance = (weight * within**2).sum() / (14 - 4)
    misfit = (weight * (y - design @ [limit, slope]) ** 2).sum() - (weight * within**2).sum()
    fit = fit_trend(SIZES, samples, power=1)
    assert (fit.limit, fit.slope) == pytest.approx((limit, slope), rel=1e-9)
    assert (fit.standard_error, fit.slope_standard_error) == pytest.approx(np.sqrt(variance * np.diag(normal)), rel=1e-9)
    assert fit.degrees_of_freedom == 10
    assert fit.lack_of_fit_p == pytest.approx(stats.f.sf(misfit / 2 / variance, 2, 10), rel=1e-8)
    assert fit.scatter_p is None  # a size has two draws only


@pytest.mark.parametrize(("power", "scatter"), [(1, 1), ("1/2", 1), ("2/3", "4/3")])
def test_z_scores_are_student_and_p_values_uniform(power, scatter):
    rng, exponents = np.random.default_rng(1), [float(Fraction(value)) for value in (power, scatter)]
    fits = [fit_trend(SIZES, sample(rng, power=exponents[0], scatter=exponents[1]), power, scatter) for _ in range(600)]
    t = np.array([(fit.limit - TRUTH) / fit.standard_error for fit in fits])
    assert stats.kstest(t, stats.t(fits[0].degrees_of_freedom).cdf).pvalue > 1e-3
    assert uniform_p([fit.lack_of_fit_p for fit in fits]) > 1e-3
    # Brown-Forsythe is approximate, and conservative with so few draws: its false alarms must not exceed their level.
    assert np.mean([fit.scatter_p < 0.05 for fit in fits]) < 0.08


def test_truth_is_rarely_excluded():
    # reject = 2 means two-sided 4.55%, with 8 draws as with many: the bar follows Student's law.
    rng, runs = np.random.default_rng(2), 1500
    wrong = TRUTH + 10.0
    verdicts = [
        judge(fit_trend(SIZES, sample(rng, draws=(2, 2, 2, 2)), 1), {"true": TRUTH, "wrong": wrong}, reject=2) for _ in range(runs)
    ]
    false_alarms = sum("true" in verdict.excluded for verdict in verdicts)
    assert stats.binomtest(false_alarms, runs, 2 * stats.norm.sf(2)).pvalue > 1e-3
    assert all(verdict.has_power for verdict in verdicts)


def test_wrong_power_shows_as_lack_of_fit_and_stops_the_verdict():
    samples = sample(np.random.default_rng(3), power=2.0, noise=0.001, draws=(8, 8, 8, 8))
    fit = fit_trend(SIZES, samples, power=1)
    assert fit.lack_of_fit_p < FIT_LEVEL
    judgement = judge(fit, {"printed": 1.0, "derived": TRUTH})
    assert "no verdict" in judgement.sentence() and "does not fit" in judgement.sentence()
    assert judgement.excluded == judgement.surviving == ()


def test_wrong_scatter_is_seen_and_stops_the_verdict():
    samples = sample(np.random.default_rng(4), scatter=3.0, draws=(30, 30, 30, 30))
    fit = fit_trend(SIZES, samples, power=1)
    assert fit.scatter_p is not None and fit.scatter_p < FIT_LEVEL
    assert "scatter" in judge(fit, {"derived": TRUTH}).verdict
    right = fit_trend(SIZES, samples, power=1, scatter=3)
    assert right.scatter_p is not None and right.scatter_p > FIT_LEVEL


@pytest.fixture
def fit():
    """Limit 1, standard error .01, a hundred degrees of freedom, nothing wrong with it."""
    made = fit_trend(SIZES, sample(np.random.default_rng(5)))
    return replace(made, limit=1.0, standard_error=0.01, degrees_of_freedom=100, lack_of_fit_p=0.5, scatter_p=0.5)


def test_power_needs_five_standard_errors(fit):
    for gap, power in ((0.049, False), (0.051, True)):
        judgement = judge(fit, {"printed": 1.0 + gap, "derived": 1.0})
        assert judgement.has_power is power and judgement.discriminates
        assert judgement.excluded == (("printed",) if power else ())
        assert ("no verdict: the forms differ by 4.9" in judgement.verdict) is not power
    # Every pair counts: a third form next to the second takes the power away.
    assert not judge(fit, {"printed": 2.0, "derived": 1.0, "other": 1.01}).has_power


def test_verdicts(fit):
    printed, derived = judge(fit, {"printed": 1.2, "derived": 1.01}), judge(fit, {"printed": 1.01, "derived": 1.2})
    assert (printed.excluded, printed.surviving) == (("printed",), ("derived",))
    assert (derived.excluded, derived.surviving) == (("derived",), ("printed",))
    assert printed.z == pytest.approx({"printed": -20.0, "derived": -1.0})
    assert printed.sentence() == (
        "limit 1 +- 0.01 against printed 1.2 (z = -20.0), derived 1.01 (z = -1.0): printed excluded; derived not"
    )
    assert judge(fit, {"printed": 1.2, "derived": 0.8}).verdict == "every form is excluded"
    neither = judge(fit, {"printed": 1.028, "derived": 0.972}).verdict
    assert neither == "no form is excluded: with 100 degrees of freedom, that takes |z| > 3.1"


def test_few_degrees_of_freedom_raise_the_bar(fit):
    forms = {"printed": 1.06, "derived": 1.0}
    assert judge(fit, forms).excluded == ("printed",)
    # Student's t with 4 degrees of freedom has 1.35e-3 above 6.62, as a normal variable above 3.
    assert judge(replace(fit, degrees_of_freedom=4), forms).excluded == ()
    assert judge(replace(fit, degrees_of_freedom=4), {"printed": 1.07, "derived": 1.0}).excluded == ("printed",)


@pytest.mark.parametrize("forms", [{"derived": 1.01}, {"printed": 1.01, "derived": 1.01 * (1 + 1e-14)}])
def test_a_single_value_tells_nothing_apart(fit, forms):
    judgement = judge(fit, forms)
    assert not judgement.discriminates and not judgement.has_power
    assert judgement.verdict.startswith("compatible (one value only")
    assert judge(fit, {name: value + 1 for name, value in forms.items()}).verdict.startswith("disagrees (one value only")


def test_records_are_plain_json(fit):
    for record in (fit, judge(fit, {"derived": 1.0, "printed": 2.0}), fit_exponent(SIZES, [[1.0, 2.0]] * 4)):
        shown = json.loads(json.dumps(record.as_dict()))
        assert shown == record.as_dict()
    assert judge(fit, {"derived": 1.0}).as_dict()["sentence"].startswith("limit 1")


def test_exponent_is_student_too():
    rng, runs = np.random.default_rng(6), 600
    fits = [fit_exponent(SIZES, [3 * n**-0.5 * np.exp(2 * n**-0.5 * rng.standard_normal(5)) for n in SIZES]) for _ in range(runs)]
    t = [(fit.exponent + 0.5) / fit.standard_error for fit in fits]
    assert stats.kstest(t, stats.t(16).cdf).pvalue > 1e-3
    assert uniform_p([fit.lack_of_fit_p for fit in fits]) > 1e-3
    assert np.median([fit.constant for fit in fits]) == pytest.approx(3, rel=0.05)


def test_exponent_sees_a_curve():
    rng = np.random.default_rng(7)
    samples = [(n**-0.5 + 0.05) * np.exp(0.1 * n**-0.5 * rng.standard_normal(6)) for n in SIZES]
    assert fit_exponent(SIZES, samples).lack_of_fit_p < FIT_LEVEL


@pytest.mark.parametrize(
    ("sizes", "samples", "message"),
    [
        ((1, 2, 3), [[1, 2]] * 3, "at least 4 different"),
        ((1, 2, 3, 3), [[1, 2]] * 4, "at least 4 different"),
        ((1, 2, 3, 4), [[1, 2]] * 3 + [[1]], "at least 2 draws"),
        ((1, 2, 3, 4), [[1, 2]] * 3, "one list of draws"),
        ((1, 2, 3, -4), [[1, 2]] * 4, "positive"),
        ((1, 2, 3, 4), [[1, math.nan]] * 4, "not finite"),
    ],
)
def test_bad_samples_are_refused(sizes, samples, message):
    for fit in (fit_trend, fit_exponent):
        with pytest.raises(InputError, match=message):
            fit(sizes, samples)


def test_other_refusals(fit):
    with pytest.raises(InputError, match="positive power"):
        fit_trend(SIZES, [[1, 2]] * 4, power=0)
    with pytest.raises(InputError, match="positive"):
        fit_exponent(SIZES, [[1, 0]] * 4)
    with pytest.raises(SimulationError, match="no scatter"):
        fit_trend(SIZES, [[1, 1]] * 4)
    for forms in ({}, {"printed": math.inf}):
        with pytest.raises(InputError, match="finite"):
            judge(fit, forms)
