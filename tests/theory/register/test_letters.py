"""A source's own letters: a statement brings them, and everything that reads it knows them, with no edit anywhere else."""

import sys
from dataclasses import replace
from fractions import Fraction
from types import ModuleType

import pytest
import sympy as sp

from pencils.errors import InputError, ParseError
from theory.book.export import statement_latex
from theory.commands.show import text
from theory.entries import entry
from theory.evidence.compare import compare
from theory.evidence.verify import verify_statement
from theory.hessian.letters import LETTERS as DAMIAN
from theory.proof.domains import Among, Whole
from theory.proof.inputs import OneOf
from theory.proof.steps import Proof, derive
from theory.proof.symbols import Alphabet, symbol
from theory.proof.table import Symbol
from theory.register.evaluate import evaluate
from theory.register.forms import reading
from theory.register.model import Model
from theory.register.plain import plain
from theory.register.record import Claim, Quantity, Root, Statement
from theory.register.sampler import models

LETTERS = {
    "p": Symbol("P", "degree in a source of its own, a whole number, 2 or more", Whole(2)),
    "nu": Symbol(r"\nu_0", "mass of a source, > 0"),
    "side": Symbol(r"\epsilon_\pm", "a sign", Among(-1, 1)),
}
TOY = Statement(
    key="toy.mass",
    title="A theorem in its own letters",
    source="toy, Theorem 1",
    provenance="read",
    letters=LETTERS,
    hypotheses={"p > 2": "p > 2"},
    where={"derived": {"mubar": "nu*psi1"}, "printed": {"mubar": "nu"}},
    claims=(
        # (-1)^(2p) = 1 at whole numbers alone
        Claim("mass", "the mass", "side**2*(-1)**(2*p)*mubar/p", "mubar/p", kind="equality", proof="toy_chapter:mass"),
        Claim("parity", "p(p+1) is even", "(-1)**(p*(p+1))", "1", kind="identity"),
    ),
)


def mass(proof):
    """The mass."""
    letters = proof.write_in(LETTERS)
    p, nu, side = letters.symbols("p nu side")
    mubar = proof.define(symbol("mubar"), nu * symbol("psi1"))
    proof.step(side**2 * mubar / p, mubar / p, "a sign has square 1")


@pytest.fixture
def chapter(monkeypatch):
    module = ModuleType("toy_chapter")
    module.mass = mass
    monkeypatch.setitem(sys.modules, "toy_chapter", module)


def test_it_is_read_and_evaluated():
    assert reading(TOY).needs == ["psi1", "p", "nu", "side"]
    form = reading(TOY).forms("derived")["mass"]
    p, nu, side = Alphabet.of(LETTERS).symbols("p nu side")
    assert form == side**2 * nu * symbol("psi1") / p and p != symbol("p") and p.is_integer
    result = evaluate(TOY, {"psi1": 2, "p": 4, "nu": "1/3", "side": -1})
    assert float(result.forms["derived"]["mass"]) == pytest.approx(1 / 6)
    assert float(result.forms["printed"]["mass"]) == pytest.approx(1 / 12)
    assert result.hypotheses == {"p > 2": True}


def test_its_parameters_are_checked_by_their_domains():
    given = {"psi1": 2, "p": 4, "nu": "1/3", "side": -1}
    for wrong, words in (
        ({"p": "5/2"}, "p = 5/2: p must be a whole number, 0 or more"),
        ({"p": 1}, "p = 1: p must be 2 or more"),
        ({"side": 0}, "side = 0: side is one of -1, 1"),
        ({"nu": 0}, "nu = 0: nu must be greater than 0"),
        ({"mu": 1}, "unknown parameter 'mu' for toy.mass; accepted: psi1, p, nu, side"),
    ):
        with pytest.raises(InputError) as refused:
            evaluate(TOY, {**given, **wrong})
        assert str(refused.value) == words


def test_models_are_drawn_in_their_domains():
    found = list(models(TOY, 12))
    assert len(found) == 12
    assert {model.values["p"] for model in found} <= {3, 4, 5, 6}  # 2 is no model by the hypothesis
    assert {model.values["side"] for model in found} == {-1, 1}
    assert all(model.values["nu"] >= Fraction(1, 4) for model in found)


def test_it_is_shown_in_its_letters():
    shown = text(TOY)
    for name, entry_ in LETTERS.items():
        assert f"    {name}: {entry_.meaning}" in shown
    assert plain(TOY)["letters"]["p"] == LETTERS["p"].meaning and "letters" not in plain(entry("hermite"))
    assert plain(entry("damian2022.zero-hessian"))["letters"] == {"p": DAMIAN["p"].meaning}
    latex = statement_latex(TOY)
    assert r"\bar\mu = \nu_0 \psi_1" in latex and r"\nu_0" in latex and "P" in latex
    model = next(models(TOY, 1))
    assert r"\nu_0 = " in model._repr_latex_() and r"P = " in model._repr_latex_()


def test_its_chapter_writes_in_the_same_letters(chapter):
    proof = derive("toy_chapter:mass")
    assert proof.rigorous is False  # a sign's square is equal at both signs, and no algebra says so
    assert r"\epsilon_\pm" in proof.latex() and r"\frac{\nu_0" not in proof.latex()
    row = verify_statement(replace(TOY, claims=TOY.claims[:1]))[0]
    assert row.symbolic.found == "numerical" and "at 18 random exact points" in row.symbolic.detail
    assert row.verdict == "erratum" and row.witness["model"]["p"]


def test_a_chapter_in_other_letters_does_not_prove_it(monkeypatch):
    def wrong(proof):
        p, nu, psi1 = symbol("p"), sp.Symbol("nu", positive=True), symbol("psi1")
        proof.step(2 * nu * psi1 / p - nu * psi1 / p, nu * psi1 / p, "p of the table")

    module = ModuleType("toy_chapter_wrong")
    module.mass = wrong
    monkeypatch.setitem(sys.modules, "toy_chapter_wrong", module)
    claim = replace(TOY.claims[0], proof="toy_chapter_wrong:mass")
    row = verify_statement(replace(TOY, claims=(claim,)))[0]
    assert row.verdict == "derivation fails"


def test_a_reader_compares_in_its_letters():
    claim = TOY.claims[0]
    assert compare(TOY, claim, "nu*psi1/p").verdict == "agrees"
    different = compare(TOY, claim, "nu*psi1/p**2")
    assert different.verdict == "different" and different.witness["p"].isdigit()
    with pytest.raises(ParseError, match="unknown word 'chi0'"):
        compare(TOY, claim, "chi0")
    assert compare(TOY, TOY.claims[1], "1").verdict in ("identical", "agrees")


def test_a_root_may_be_a_letter():
    letters = {"nu": LETTERS["nu"], "b": Symbol("b", "the square root of nu")}
    root = Root("b**2 - nu", "0", "1 + nu", "toy_chapter:mass")
    statement = replace(
        TOY, letters=letters, hypotheses={}, where={}, bindings={"b": root}, claims=(Claim("b2", "b^2", "b", kind="equality"),)
    )
    assert float(evaluate(statement, {"nu": 9}).forms["derived"]["b2"]) == pytest.approx(3)


def test_letters_that_a_formula_reads_otherwise_are_refused():
    for name in ("sqrt", "pi", "2p", "True"):
        with pytest.raises(InputError, match="cannot be a letter"):
            Alphabet.of({name: LETTERS["nu"]})
    with pytest.raises(InputError, match="Hermite data"):
        replace(TOY, letters={"c2": LETTERS["nu"]})
    with pytest.raises(InputError, match="ranges over numbers"):
        Symbol("r", "a word", OneOf("a", "b"))


def test_damian_reads_p_as_a_degree_and_others_as_the_risks():
    found = entry("damian2022.zero-hessian")
    assert isinstance(found, Quantity) and found.alphabet.entry("p") is DAMIAN["p"]
    assert found.alphabet.symbol("p").is_integer and symbol("p").is_integer is None
    with pytest.raises(InputError, match="p = 1: p must be 2 or more"):
        evaluate(found, {"p": 1, "d": 10})
    assert "w" not in found.alphabet or found.alphabet.entry("w") is not DAMIAN["w"]
    teacher = entry("damian2022.population-gradient").alphabet.entry("teacher").domain.check("teacher", "x1*x2")
    assert teacher.degree == 2


def test_names_without_a_letter_are_shown_too():
    """The one table says what omega is, which no reader gives by itself."""
    assert "    omega: 1/omega = (1/d) tr" in text(entry("ba2022.theorem-7-signs"))


def test_a_model_without_letters_has_the_tables():
    assert Model.build({"psi2": 2}, ["psi2"], "test")._repr_latex_() == r"$\psi_2 = 2$"
    assert Proof().alphabet == Alphabet.of({})
