"""A theorem is a statement file and a chapter, in letters of its own: both are written into an empty folder, nothing else changed.

The theorem: a step of the labels' direction taken ``steps`` times has the squared length t^2 (mu1*^2 + E y^2/psi1).
"""

import sys
from dataclasses import replace
from importlib import import_module

import pytest

from theory.book.export import book
from theory.commands.show import text
from theory.evidence.verify import verify_statement
from theory.handles import handle
from theory.load import load
from theory.register.plain import references
from theory.trial.experiment import run
from theory.trial.plan import plan

STATEMENT = '''
"""The direction of the labels, several times."""

from theory.proof.domains import Positive
from theory.proof.table import Symbol
from theory.register.record import SAME, Claim, Experiment, Statement

LETTERS = {"t_steps": Symbol("t", "number of times that the direction is taken", Positive(), points=("1", "4"))}
FORM = "t_steps**2*(mu1_star**2 + mubar**2/psi1)"
NOISE = {"mubar": "sqrt(mu1_star**2 + mu2_star**2 + sigma_eps**2)"}

ENTRIES = (
    Statement(
        "new2026.theorem-1",
        "The direction of the labels, several times",
        "new2026, Theorem 1",
        "reported",
        claims=(
            Claim("length2", "the limit of |t X^T y/n|^2", FORM, SAME, "differs, as reported"),
        ),
        where={"printed": {"mubar": "sqrt(mu1_star**2 + mu2_star**2)"}, "derived": NOISE},
        experiment=Experiment(
            "new2026_chapter:observe",
            {"activation": "erf", "teacher": "tanh", "eta": "1", "psi1": "2", "psi2": "1", "sigma_eps": "3/2", "t_steps": "2"},
            (60, 90, 135, 200),
            16,
            parameters=("t_steps",),
            measures=("length2",),
        ),
        letters=LETTERS,
        chapter="new2026_chapter",
        routes="new2026_route",
    ),
)
'''
CHAPTER = '''
"""The derivation, and what an experiment of its own observes."""

from derivations.ba2022 import noise_term
from new2026_statement import FORM, LETTERS, NOISE
from theory.proof.steps import Proof
from theory.proof.symbols import Alphabet

_letters = Alphabet.of(LETTERS)


def length2(proof: Proof) -> None:
    """The squared length of t times the labels' direction"""
    proof.write_in(LETTERS)
    noise_term.theta1(proof)
    t, eta, mu1, mubar = _letters.symbols("t_steps eta mu1 mubar")
    proof.define(mubar, _letters.read_form(NOISE["mubar"]))
    proof.step((t * proof.conclusion / (eta * mu1)) ** 2, _letters.read_form(FORM), "t times the vector")


def observe(step, t_steps: float) -> dict[str, float]:
    return {"length2": t_steps**2 * float(step.xty @ step.xty) / step.sizes.n**2}
'''
ROUTE = '''
"""A second way: quadrature of the teacher, and the finite-size second moment."""

from theory.spike.route import second_moment


def length2(model, digits):
    t = model.values["t_steps"]
    return second_moment(model, digits + 5) * t.numerator**2 / t.denominator**2
'''


@pytest.fixture
def found(tmp_path, monkeypatch):
    """The statement of the folder, read from there."""
    for name, source in (("statement", STATEMENT), ("chapter", CHAPTER), ("route", ROUTE)):
        (tmp_path / f"new2026_{name}.py").write_text(source)
    monkeypatch.syspath_prepend(tmp_path)
    (entry,) = import_module("new2026_statement").ENTRIES
    yield entry
    for name in ("statement", "chapter", "route"):
        sys.modules.pop(f"new2026_{name}", None)


def test_everything_is_found_by_its_name(found):
    assert [kind for kind, _ in references(found)] == ["derivation", "route", "observe"]
    assert all(callable(load(reference)) for _, reference in references(found))


def test_it_is_read_valued_and_shown(found):
    given = {"psi1": 2, "teacher": "He1", "sigma_eps": 1, "t_steps": 3}
    values = handle(found).evaluate(20, **given)
    assert float(values["derived"]["length2"]) == 18 and values["printed"]["length2"] == pytest.approx(
        13.5
    )  # 9 (1 + 2/2), 9 (1 + 1/2)
    assert "t_steps: number of times that the direction is taken" in text(found)
    assert "t^{2}" in handle(found).latex() and r"\psi_1" in handle(found).latex()


def test_it_is_verified_by_its_chapter_and_its_route(found):
    (row,) = verify_statement(found)
    assert row.verdict == "differs, as reported" and row.symbolic.steps and row.routes.digits == 30
    (claim,) = found.claims
    (wrong,) = verify_statement(replace(found, claims=(replace(claim, derived=f"2*({claim.derived})"),)))
    assert wrong.verdict == "derivation fails"


def test_it_is_written_into_a_book(found):
    page = book([found], verify_statement(found))
    assert "several times" in page and "t times the vector" in page and "new2026.theorem-1" in page


def test_it_is_simulated(found):
    judgement = run(plan(found, {"d": 200, "draws": 16}, jobs=1)).judgements["length2"]  # other processes do not know the folder
    assert "derived" not in judgement.excluded and "printed" in judgement.excluded
