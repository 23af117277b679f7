"""Verdicts are computed from evidence, and change when the evidence does."""

import json
import sys
from dataclasses import replace
from fractions import Fraction

import pytest
from costs import by_cost

from theory.entries import entries, statement
from theory.evidence.verify import verify, verify_quantity, verify_statement
from theory.register.record import Statement
from theory.spike.forms import WITH_NOISE

SPIKE = statement("ba2022.theorem-3")
FAST = replace(SPIKE, claims=tuple(c for c in SPIKE.claims if c.name in ("theta1", "theta2", "singular_value")))


def verdicts(changed):
    return {row.claim: row.verdict for row in verify_statement(changed, 20)}


def with_claim(base, name, **changes):
    return replace(base, claims=tuple(replace(c, **changes) if c.name == name else c for c in base.claims))


@pytest.mark.parametrize("key", by_cost("entries", entries()))
def test_the_whole_register_is_as_expected(key):
    entry = entries()[key]
    rows = verify([entry])
    assert rows and all(row.as_expected for row in rows), [row for row in rows if not row.as_expected]
    assert {row.verdict for row in rows} <= {"confirmed", "derived", "differs, as reported", "erratum", "open"}
    declared = {claim.name: claim.digits or 30 for claim in entry.claims} if isinstance(entry, Statement) else {}
    for row in rows:  # 1: a reported number, as printed
        assert row.routes.digits in (None, 1, declared.get(row.claim, getattr(entry, "digits", None) or 30))
    claims = entry.claims if isinstance(entry, Statement) else ["values", *entry.reported]
    assert len(rows) == len(claims)


@pytest.mark.slow
def test_entries_verified_in_two_processes_are_the_same():
    chosen = [entries()[key] for key in ("marchenko-pastur", "ba2022.theorem-3-bulk", "ba2022.proposition-2")]
    seen = []
    assert verify(chosen, 20, progress=seen.append, jobs=2) == verify(chosen, 20)
    assert seen == [entry.key for entry in chosen]


def test_the_witness_of_the_missing_noise():
    row = next(row for row in verify_statement(FAST, 20) if row.claim == "theta1")
    assert row.verdict == "differs, as reported"
    assert set(row.witness) == {"model", "printed", "derived"} and row.witness["model"]["sigma_eps"] != "0"


def test_the_right_printed_form_makes_the_expected_erratum_fail():
    """Replacing a wrong printed form by the right one must make verify exit 1 (design, idea 2)."""
    changed = replace(FAST, where={**FAST.where, "printed": WITH_NOISE})
    rows = verify_statement(changed, 20)
    assert {row.claim: row.verdict for row in rows}["theta1"] == "confirmed"
    assert not all(row.as_expected for row in rows)


def test_a_source_that_was_read_has_errata():
    assert verdicts(replace(FAST, provenance="read"))["singular_value"] == "erratum"


@pytest.mark.parametrize(
    ("name", "changes", "verdict"),
    [
        ("theta2", {"derived": "eta*mu1*mu1_star*(1 + 1/10**25)"}, "derivation fails"),
        ("theta2", {"proof": "derivations.ba2022.noise_term:theta1"}, "derivation fails"),
        ("theta2", {"proof": None, "derived": "eta*mu1*mu1_star*(1 + 1/10**10)"}, "routes disagree"),
        ("theta2", {"proof": None, "route": None}, "open"),
        ("theta2", {"route": "theory.spike.route:theta1"}, "routes disagree"),
        ("theta2", {"printed": "2*eta*mu1*mu1_star"}, "differs, as reported"),
        ("theta2", {"printed": None}, "derived"),
        (
            "singular_value",
            {"derived": "Piecewise((1 + theta1, theta1 > 1), (1 + sqrt(psi2), True))"},
            "derivation fails",
        ),
    ],
)
def test_broken_evidence_changes_the_verdict(name, changes, verdict):
    assert verdicts(with_claim(FAST, name, **changes))[name] == verdict


def test_the_witness_of_two_routes_shows_both_numbers():
    """Routes return numbers; a witness has the second one as text, with the digits it was asked for and some more."""
    changed = with_claim(FAST, "theta2", route="theory.spike.route:theta1")
    witness = next(row for row in verify_statement(changed, 20) if row.claim == "theta2").witness
    assert set(witness) == {"model", "derived", "second route"} and len(witness["second route"].strip("0.").replace(".", "")) == 30
    json.dumps(witness)


@pytest.mark.parametrize("form", ["theta1 > 1", "theta1 > psi2**(1/3)", "theta1 >= psi2**(1/4)"])
def test_a_wrong_threshold_is_found(form):
    threshold = replace(SPIKE, claims=tuple(c for c in SPIKE.claims if c.name in ("theta1", "theta2", "outlier")))
    assert verdicts(with_claim(threshold, "outlier", derived=form))["outlier"] == "derivation fails"
    if ">=" not in form:
        assert verdicts(with_claim(threshold, "outlier", derived=form, proof=None))["outlier"] == "routes disagree"


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("rate_B", {"derived": "-1"}),
        ("rate_B", {"logs": 1}),
        ("rate_C", {"proof": "derivations.marchenko_pastur:companion"}),
        ("hadamard", {"derived": "(y_inf*M_norm*v_norm)**2"}),
    ],
)
def test_rates_and_inequalities_can_fail(name, changes):
    split = statement("ba2022.proposition-2")
    only = replace(split, claims=tuple(c for c in split.claims if c.name == name))
    assert verdicts(with_claim(only, name, **changes))[name] == "derivation fails"


def test_a_broken_derivation_fails(monkeypatch):
    """A wrong rule in the calculus is not papered over: the registered form no longer comes out."""
    from theory.evidence import derivations

    monkeypatch.setattr(derivations, "RUN", {})
    monkeypatch.setattr("theory.proof.stein._stein_normal", lambda term: __import__("sympy").Integer(7))
    assert verdicts(FAST)["theta1"] == "derivation fails"


def test_hypotheses_that_are_never_met_are_vacuous():
    never = replace(FAST, hypotheses={"impossible": "mu1 < 0"})
    assert set(verdicts(with_claim(never, "theta1", route=None)).values()) >= {"vacuous"}


def test_the_expected_verdict_has_no_part_in_the_verdict():
    changed = with_claim(FAST, "theta1", expected="confirmed")
    row = next(row for row in verify_statement(changed, 20) if row.claim == "theta1")
    assert row.verdict == "differs, as reported" and not row.as_expected


def test_a_wrong_quantity_is_found(monkeypatch):
    quantity = entries()["hermite"]
    assert verify_quantity(quantity, 20)[0].verdict == "derived"
    monkeypatch.setattr("theory.activations.route.hermite", lambda sample, digits: {"energy": Fraction(1, 4)})
    assert verify_quantity(quantity, 20)[0].verdict == "routes disagree"
    monkeypatch.setattr("theory.activations.route.hermite", lambda sample, digits: {})
    assert verify_quantity(quantity, 20)[0].verdict == "routes disagree"


def _calls(function):
    """Names of this project's functions that a call runs, by module."""
    seen = set()

    def profile(frame, event, argument):
        module = frame.f_globals.get("__name__", "")
        if event == "call" and module.split(".")[0] in ("pencils", "theory", "derivations"):
            seen.add((module, frame.f_code.co_name))

    sys.setprofile(profile)
    try:
        function()
    finally:
        sys.setprofile(None)
    return seen


@pytest.mark.parametrize(
    ("name", "slope"),
    [
        ("theta1", 6),
        pytest.param("outlier", 7, marks=pytest.mark.slow),
        ("singular_value", 8),
        pytest.param("overlap", 9, marks=pytest.mark.slow),
    ],
)
def test_the_two_routes_share_nothing_but_number_types(name, slope):
    """Design, idea 3: traced calls. Models and the register are the question, not the answer."""
    from theory.register.evaluate import build_model, value_of
    from theory.register.forms import reading
    from theory.spike import route as routes

    # functions of their own for each test, so that no value comes from a cache and goes untraced
    functions = {"activation": f"tanh({slope}*x/10)", "teacher": f"softplus({slope}*x/10)"}
    parameters = {"psi1": 2, "psi2": 1, "eta": 9, "sigma_eps": "3/2", **functions}
    form = reading(SPIKE).forms("derived")[name]
    first = _calls(lambda: value_of(form, build_model(SPIKE, parameters), 22))
    routes._thetas.cache_clear()
    routes._spike.cache_clear()
    second_model = build_model(SPIKE, parameters)
    second = _calls(lambda: getattr(routes, name)(second_model, 22))
    question = (
        "pencils.exact.numbers",
        "pencils.errors",
        "pencils.language.formula",
        "pencils.language.parse",
        "theory.proof.domains",
        "theory.proof.inputs",
        "theory.register.model",
        "theory.register.parameters",
        "theory.activations.activation",
        "theory.functions.language",
    )
    answer = {
        (module, function)
        for module, function in first & second
        if module not in question and not module.startswith("theory.functions.growth")
    }
    # the finiteness check of a function is part of reading it
    finiteness = {
        "theory.functions.growth",
        "theory.functions.bounds",
        "theory.functions.normal_form",
        "theory.functions.divergence",
        "theory.functions.quadratics",
        "theory.proof.symbols",
    }
    assert {call for call in answer if call[0] not in finiteness} == set()
    assert any(module == "theory.quadrature.half_line" for module, _ in first)
    assert any(module == "theory.spike.density" for module, _ in second)


@pytest.mark.slow
@pytest.mark.parametrize(("key", "wrong"), [("ba2022.large-ridge", "1 + 1/10**8"), ("ba2022.proposition-9", "1 + 1/10**8")])
def test_a_wrong_limit_is_found_by_the_pencils(key, wrong):
    """The second route of a limit extrapolates traces of pencils, and shares no formula with it: its digits are few, and real."""
    base = statement(key)
    claim = base.claims[-1]
    changed = with_claim(base, claim.name, derived=f"({claim.derived})*({wrong})", proof=None, models=1)
    assert verdicts(replace(changed, claims=changed.claims[-1:]))[claim.name] == "routes disagree"
