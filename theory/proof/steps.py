"""Derivations that execute: a step is checked while it is written down, and its LaTeX is a by-product.

A derivation is a function of one ``Proof``; each ``step`` states an equality, each ``equivalence`` an equivalence of two
conditions, each ``bound`` an inequality with the non-negative remainder that certifies it. A step that is false, or that
cannot be checked, raises DerivationError. What decided a step is recorded: exact algebra, or equality at random exact
points, which is labelled so and never called a proof.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import sympy as sp

from pencils.errors import DerivationError, GradstepError
from theory.load import Reference, called, load
from theory.proof.identity import Decision, identity
from theory.proof.symbols import COMMON, Alphabet
from theory.proof.table import Symbol


@dataclass(frozen=True)
class Step:
    """One checked line: ``relation`` is '=', '<=' or '<=>'; ``checked`` says how; ``rigorous`` whether that is a proof."""

    left: sp.Basic
    relation: str
    right: sp.Basic
    why: str
    checked: str
    rigorous: bool
    alphabet: Alphabet = COMMON

    def latex(self) -> str:
        sign = {"=": "=", "<=": r"\le", "<=>": r"\iff"}[self.relation]
        return f"{self.alphabet.latex(self.left)} {sign} {self.alphabet.latex(self.right)}"


def summary(steps: int, numerical: int, assumptions: int) -> str:
    """What the checks of a derivation found, in a few words: its steps, those checked at points only, what it assumes."""
    count = f"{steps} steps"
    if assumptions:
        count += f" from {assumptions} stated assumption" + "s" * (assumptions > 1)
    return f"proved ({count})" if not numerical else f"{count}, {numerical} of them numerical"


class Proof:
    """A sequence of checked steps. ``tamper=k`` doubles the right-hand side of step k and checks that step only, which must
    make the derivation fail: that is how a test knows that every check can fail."""

    def __init__(self, title: str = "", tamper: int | None = None) -> None:
        self.title = title
        self.tamper = tamper
        self.steps: list[Step] = []
        self.assumptions: list[str] = []
        self.definitions: dict[sp.Symbol, sp.Expr] = {}
        self.alphabet = COMMON

    def write_in(self, letters: Mapping[str, Symbol]) -> Alphabet:
        """Write in a source's own letters from here on: they are what its symbols print as and where their random points lie.
        Returns the alphabet, whose ``symbol`` gives those of the source's statements."""
        self.alphabet = Alphabet.of(letters)
        return self.alphabet

    def define(self, symbol: sp.Symbol, meaning: sp.Expr) -> sp.Symbol:
        """Give a symbol its meaning: every later check replaces the symbol by it on both sides."""
        self.definitions[symbol] = sp.sympify(meaning)
        return symbol

    def assume(self, words: str) -> None:
        """Record in words what the derivation takes from elsewhere (a concentration, a law of large numbers)."""
        if words not in self.assumptions:
            self.assumptions.append(words)

    def step(self, left: Any, right: Any, why: str) -> Any:
        """State left = right; ``left`` may be unevaluated (Limit, Integral, Expect, a determinant). Returns ``right``."""
        left, right = sp.sympify(left), sp.sympify(right)
        claimed = self._claimed(right)
        if self._skipped:
            return self._append(left, "=", right, why)
        decision = _compare(self._evaluated(left), self._evaluated(claimed), self.alphabet)
        if decision.supports and left != claimed and decision.how == "the same expression":
            decision = replace(decision, how="both sides evaluate to the same normal form")
        self._record(left, "=", right, why, decision)
        return right

    def equivalence(self, left: Any, right: Any, why: str) -> Any:
        """State that two strict comparisons hold at the same points. Returns the second."""
        claimed = right.func(right.lhs, self._claimed(right.rhs))
        if self._skipped:
            return self._append(left, "<=>", right, why)
        self._record(left, "<=>", right, why, identity(left, claimed, alphabet=self.alphabet))
        return right

    def bound(self, smaller: Any, larger: Any, remainder: Any, why: str) -> Any:
        """State smaller <= larger because larger - smaller equals ``remainder``, which SymPy's assumptions show to be
        non-negative. Returns ``larger``."""
        smaller, larger, remainder = sp.sympify(smaller), sp.sympify(larger), sp.sympify(remainder)
        if not remainder.is_nonnegative:
            raise DerivationError(f"{self.title}: {remainder} is not shown to be non-negative ({why})")
        claimed = self._claimed(larger)
        if self._skipped:
            return self._append(smaller, "<=", larger, why)
        gap = self._evaluated(claimed) - self._evaluated(smaller)
        self._record(smaller, "<=", larger, why, _compare(gap, self._evaluated(remainder), self.alphabet))
        return larger

    @property
    def _skipped(self) -> bool:
        """True for the steps that a tampered derivation takes over unchecked."""
        return self.tamper is not None and self.tamper != len(self.steps)

    def _append(self, left: sp.Basic, relation: str, right: sp.Basic, why: str) -> sp.Basic:
        self.steps.append(Step(left, relation, right, why, "not checked in a tampered derivation", False, self.alphabet))
        return right

    def _evaluated(self, side: sp.Basic) -> sp.Basic:
        for symbol, meaning in reversed(self.definitions.items()):
            side = side.subs(symbol, meaning)
        if isinstance(side, sp.MatrixExpr):
            side = side.subs({leaf: leaf.as_explicit() for leaf in side.atoms(sp.MatrixSymbol)})
        return side.doit()

    def _claimed(self, right: sp.Basic) -> sp.Basic:
        if getattr(right, "is_zero", False) or right in (sp.oo, -sp.oo):
            raise DerivationError(
                f"{self.title}: the right-hand side {right} is unchanged by doubling, so its step "
                "could not be shown to fail; write the equality the other way"
            )
        return _doubled(right) if self.tamper == len(self.steps) else right

    def _record(self, left: sp.Basic, relation: str, right: sp.Basic, why: str, decision: Decision) -> None:
        if not decision.supports:
            witness = ", ".join(f"{symbol} = {value}" for symbol, value in decision.witness.items())
            found = f" at {witness}: {' against '.join(decision.values)}" if witness else f" ({decision.how})"
            raise DerivationError(
                f"{self.title}, step {len(self.steps) + 1} ({why}): {left} {relation} {right} is {decision.verdict}{found}"
            )
        self.steps.append(Step(left, relation, right, why, decision.how, decision.rigorous, self.alphabet))

    @property
    def conclusion(self) -> sp.Basic:
        """The last right-hand side."""
        if not self.steps:
            raise DerivationError(f"{self.title}: a derivation without steps concludes nothing")
        return self.steps[-1].right

    @property
    def rigorous(self) -> bool:
        return all(step.rigorous for step in self.steps)

    def summary(self) -> str:
        """What the checks found, in a few words."""
        return summary(len(self.steps), sum(not step.rigorous for step in self.steps), len(self.assumptions))

    def latex(self) -> str:
        """The derivation as LaTeX (paragraphs and displayed equations)."""
        from theory.proof.prose import prose

        latex = self.alphabet.latex
        lines = [prose("Taken from elsewhere: " + words) + "\n" for words in self.assumptions]
        lines += [rf"\[ {latex(symbol)} := {latex(meaning)} \]" for symbol, meaning in self.definitions.items()]
        for number, step in enumerate(self.steps, 1):
            lines.append(f"{number}. {prose(step.why)} \\emph{{({prose(step.checked)})}}")
            lines.append(rf"\[ {step.latex()} \]")
        return "\n".join(lines)

    def text(self) -> str:
        """The derivation as plain text."""
        lines = [self.title, *("  assumed: " + words for words in self.assumptions)]
        lines += [f"  where {symbol} = {meaning}" for symbol, meaning in self.definitions.items()]
        for number, step in enumerate(self.steps, 1):
            lines.append(f"  {number}. {step.why}")
            lines.append(f"       {step.left} {step.relation} {step.right}")
            lines.append(f"       checked: {step.checked}")
        return "\n".join(lines)

    def _repr_latex_(self) -> str:
        rows = [rf"{step.latex()} && \text{{{step.why}}}" for step in self.steps]
        return "$$\\begin{aligned}" + r" \\ ".join(rows) + "\\end{aligned}$$"


def _doubled(right: sp.Basic) -> sp.Basic:
    if isinstance(right, sp.Piecewise):
        return sp.Piecewise(*[(2 * value, condition) for value, condition in right.args])
    if isinstance(right, (sp.Eq, sp.Gt, sp.Lt, sp.Ge, sp.Le)):
        return right.func(right.lhs, 2 * right.rhs)
    return 2 * right


def _compare(left: sp.Basic, right: sp.Basic, alphabet: Alphabet) -> Decision:
    if isinstance(left, sp.MatrixBase) or isinstance(right, sp.MatrixBase):
        if left.shape != right.shape:
            return Decision("different", "shapes differ", True)
        entries = [identity(a, b, alphabet=alphabet) for a, b in zip(sp.flatten(left), sp.flatten(right), strict=True)]
        false = [entry for entry in entries if not entry.supports]
        return (
            false[0]
            if false
            else Decision(
                "identical",
                f"exact algebra on every entry of a {left.shape[0]} x {left.shape[1]} instance",
                all(e.rigorous for e in entries),
            )
        )
    return _compare_opaque(left, right, alphabet)


def _compare_opaque(left: sp.Basic, right: sp.Basic, alphabet: Alphabet) -> Decision:
    """Expectations and undefined functions have no values at a point: they are compared in normal form, as generators."""
    from theory.proof.stein import Expect

    opaque = sorted(
        (
            atom
            for side in (left, right)
            for atom in side.atoms(Expect, sp.core.function.AppliedUndef, sp.Indexed, sp.KroneckerDelta)
        ),
        key=sp.default_sort_key,
    )
    outer = [atom for atom in opaque if not any(atom is not other and other.has(atom) for other in opaque)]
    names = {atom: sp.Dummy(f"e{k}", real=True) for k, atom in enumerate(dict.fromkeys(outer))}
    return identity(left.xreplace(names), right.xreplace(names), alphabet=alphabet)


Derivation = Callable[[Proof], None]


def title_of(reference: Reference, derivation: Derivation) -> str:
    """The first line of the docstring, with the reference's arguments put in: ``{ell}`` as it is, ``{ell:words}`` as a word
    (1 to 4), ``{ell:s}`` the s of a plural, ``{alpha:decimal}`` a fraction as .29."""
    arguments = {} if isinstance(reference, str) else reference[1]
    title: str = (getattr(derivation, "func", derivation).__doc__ or called(reference)).strip().splitlines()[0]
    written: dict[str | None, Callable[[Any], str]] = {
        None: str,
        "words": lambda value: ("one", "two", "three", "four")[value - 1],
        "s": lambda value: "" if value == 1 else "s",
        "decimal": lambda value: f"{float(Fraction(value)):.2f}".removeprefix("0"),
    }

    def put_in(found: re.Match[str]) -> str:
        return written[found[2]](arguments[found[1]]) if found[1] in arguments else found[0]

    return re.sub(r"\{(\w+)(?::(\w+))?\}", put_in, title)


def derive(reference: Reference, tamper: int | None = None) -> Proof:
    """Run the derivation of that name and return its Proof, its title the first line of the docstring with the arguments put in;
    DerivationError if a step fails."""
    derivation: Derivation = load(reference)
    title = title_of(reference, derivation)
    proof = Proof(title, tamper)
    try:
        derivation(proof)
    except DerivationError:
        raise
    except GradstepError as error:
        raise DerivationError(f"{title}: {error}") from error
    return proof
