"""A derivation is checked as it is written: false steps, uncheckable steps and vacuous ones are refused."""

import pytest
import sympy as sp
from costs import by_cost

from pencils.errors import DerivationError
from theory.entries import entries
from theory.load import label, load
from theory.proof.steps import Proof, derive

x, y = sp.symbols("x y", positive=True)
PROOFS = {label(reference): reference for entry in entries().values() for reference in entry.derivations.values()}
# Chapters in which a step may show a thing equal to itself, the computation having been done before it is written.
TERSE = {
    f"derivations.{name}"
    for name in (
        "ba2022.equivalence",
        "ba2022.gram",
        "large_step",
        "ba2022.large_step_bound",
        "mei",
        "ba2022.rank_one",
        "ba2022.risk",
        "ba2022.risk_limits",
        "moniri2024.drops",
        "moniri2024.spikes",
        "moniri2024.step",
    )
}
DOUBLED = set()  # steps that were seen to fail


class Doubling(Proof):
    """A derivation in which every step is stated once more with its right-hand side doubled, and must fail."""

    def step(self, left, right, why):
        return self._twice(super().step, left, right, why)

    def equivalence(self, left, right, why):
        return self._twice(super().equivalence, left, right, why)

    def bound(self, smaller, larger, remainder, why):
        return self._twice(super().bound, smaller, larger, remainder, why)

    def _twice(self, state, *words):
        found = state(*words)
        kept = self.steps.pop()
        same = (kept.left, kept.relation, kept.right, kept.why, frozenset(self.definitions.items()))
        if same not in DOUBLED:  # several derivations begin alike
            self.tamper = len(self.steps)
            with pytest.raises(DerivationError, match=f"step {self.tamper + 1} "):
                state(*words)
            self.tamper = None
            DOUBLED.add(same)
        self.steps.append(kept)
        return found


@pytest.mark.parametrize("name", by_cost("derivations", sorted(PROOFS)))
def test_every_step_of_every_derivation_can_fail(name):
    """Doubling the right-hand side of any one step makes the derivation fail there (design, idea 7)."""
    proof = Doubling(name)
    load(PROOFS[name])(proof)
    assert proof.steps and proof.rigorous, [step.checked for step in proof.steps if not step.rigorous]
    assert proof.latex() and proof.text()
    if name.partition(":")[0] not in TERSE:
        assert not [step for step in proof.steps if step.relation == "=" and step.left == step.right]


def test_a_tampered_derivation_fails_at_its_step():
    whole = derive("derivations.ba2022.spike:outlier")
    for number in range(len(whole.steps)):
        with pytest.raises(DerivationError, match=f"step {number + 1} "):
            derive("derivations.ba2022.spike:outlier", tamper=number)


def test_a_true_step_is_recorded_with_how_it_was_checked():
    proof = Proof("t")
    assert proof.step((x + y) ** 2, x**2 + 2 * x * y + y**2, "expand") == x**2 + 2 * x * y + y**2
    assert proof.steps[0].rigorous and "exact algebra" in proof.steps[0].checked
    assert proof.conclusion == x**2 + 2 * x * y + y**2
    assert proof.summary() == "proved (1 steps)"


def test_a_false_step_names_a_witness():
    with pytest.raises(DerivationError, match=r"step 1 \(wrong\).*different at x = "):
        Proof("t").step(x**2, x, "wrong")


def test_unevaluated_left_sides_are_evaluated():
    proof = Proof("t")
    proof.step(sp.Limit((1 + 1 / x) ** 2, x, sp.oo), 1, "limit")
    proof.step(sp.Integral(x, (x, 0, y)), y**2 / 2, "integral")
    proof.step(sp.Determinant(sp.ImmutableMatrix([[x, 1], [1, x]])), x**2 - 1, "determinant")
    assert len(proof.steps) == 3


def test_zero_on_the_right_is_refused():
    with pytest.raises(DerivationError, match="unchanged by doubling"):
        Proof("t").step(x - x, 0, "vacuous")


def test_matrices_are_compared_entry_by_entry():
    symbols = sp.MatrixSymbol("A", 2, 2)
    Proof("t").step((symbols + symbols.T).T, symbols + symbols.T, "symmetric")
    with pytest.raises(DerivationError):
        Proof("t").step(symbols.T, symbols, "not symmetric")


def test_bounds_need_a_non_negative_remainder():
    Proof("t").bound(2 * x * y, x**2 + y**2, sp.Abs(x - y) ** 2, "square")
    with pytest.raises(DerivationError, match="not shown to be non-negative"):
        Proof("t").bound(x, x**2, x**2 - x, "false below 1")
    with pytest.raises(DerivationError):
        Proof("t").bound(x, x + 2 * y, y, "wrong remainder")


def test_definitions_are_used_in_checks():
    proof = Proof("t")
    area = proof.define(sp.Symbol("A", positive=True), x * y)
    proof.step(x**2 * y, x * area, "by the definition of A")
    with pytest.raises(DerivationError):
        Proof("t").step(x**2 * y, x * area, "A unknown")


def test_a_numerical_step_is_labelled():
    proof = Proof("t")
    proof.step(sp.gamma(x + 1), x * sp.gamma(x), "functional equation")
    step = proof.steps[0]
    assert step.rigorous or "random exact points" in step.checked


def test_latex_of_a_derivation():
    proof = derive("derivations.ba2022.noise_term:second_moment")
    assert r"\mathbb{E}" in proof.latex() and r"\mu_1^{*}" in proof.latex() and "Derivative" not in proof.latex()
    assert proof._repr_latex_().startswith("$$")
