"""Plans are checked before anything runs; reports judge with power, and the same seed gives the same numbers."""

from dataclasses import replace

import pytest

from pencils.errors import InputError
from theory.entries import statement
from theory.evidence.verify import verify_statement
from theory.trial.experiment import run
from theory.trial.plan import plan

SPIKE = statement("ba2022.theorem-3")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"d": 10}, "from 60"),
        ({"d": "1e9"}, "to 20000"),
        ({"draws": 1}, "from 2"),
        ({"draws": "1.5"}, "whole number"),
        ({"mu1": 1}, "not their Hermite data"),
        ({"psi1": 0}, "greater than 0"),
        ({"foo": 1}, "unknown parameter 'foo'"),
        ({"activation": "exp(x**2)"}, "second moment"),
    ],
)
def test_bad_plans(given, said):
    with pytest.raises(InputError, match=said):
        run(plan(SPIKE, given))


def test_sizes_make_the_ratios_exact_where_they_can():
    prepared = plan(SPIKE, {"psi1": "3/2", "psi2": "2/3", "d": 200})
    assert len(prepared.sizes) == 4
    assert all(size.n / size.d == 1.5 and 2 * size.d == 3 * size.N for size in prepared.sizes)
    assert prepared.total == 4 * prepared.draws


@pytest.mark.simulation
def test_printed_form_is_excluded_with_power_and_reproducibly():
    """statements.md, Theorem 3 (erf/tanh, eta 3, psi1 2, psi2 1, sigma_eps 1.5): 2.934 with the noise, 2.149 without."""
    report = run(plan(SPIKE, {"d": 150, "draws": 24}, seed=3))
    judgement = report.judgements["singular_value"]
    assert judgement.has_power and judgement.excluded == ("printed",)
    assert report.judgements["theta1"].excluded == ("printed",)
    assert not report.judgements["theta2"].discriminates  # both columns say the same: nothing is told apart
    assert "p =" in report.text() and "excluded" in report.text()
    data = report.as_dict()
    assert data["claims"]["singular_value"]["trend"]["lack_of_fit_p"] > 0 and len(data["samples"]) == 4
    again = run(plan(SPIKE, {"d": 150, "draws": 24}, seed=3, jobs=1))
    assert again.observed == report.observed


def test_without_power_there_is_no_verdict():
    report = run(plan(SPIKE, {"d": 70, "draws": 2, "sigma_eps": "1/10"}, seed=1))
    judgement = report.judgements["singular_value"]
    assert not judgement.has_power and judgement.excluded == () and "no verdict" in judgement.verdict


def test_rates_are_fitted():
    split = statement("ba2022.proposition-2")
    report = run(plan(split, {"d": 120, "draws": 3}))
    for name in ("rate_B", "rate_C"):
        rate = report.judgements[name]
        assert rate.raw.exponent < -0.2 and rate.excluded == () and "fitted, not proved" in rate.sentence()


def test_a_statement_whose_derived_form_is_wrong_is_contradicted_by_simulation():
    small = replace(SPIKE.experiment, sizes=(60, 80, 110, 150), draws=16)
    wrong = replace(
        SPIKE,
        experiment=small,
        claims=tuple(
            replace(c, derived=f"{c.derived}*2", printed=None, proof=None, route=None) if c.name == "theta1" else c
            for c in SPIKE.claims
            if c.name == "theta1"
        ),
    )
    (row,) = verify_statement(wrong, 10, simulate=True)
    assert row.verdict == "simulation disagrees" and "z = " in row.seen[row.claim].sentence()


@pytest.mark.simulation
def test_every_experiment_of_the_register_agrees():
    """Long: the register's own settings; the derived form of no claim is excluded."""
    from theory.entries import entries
    from theory.register.record import Statement

    for found in entries().values():
        if isinstance(found, Statement) and found.experiment is not None:
            for name, judgement in run(plan(found, {})).judgements.items():
                assert "derived" not in judgement.excluded, (found.key, name, judgement.sentence())
