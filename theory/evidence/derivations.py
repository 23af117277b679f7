"""What derivations prove: each runs once, and its last right-hand side is held against the registered form."""

from __future__ import annotations

import sympy as sp

from pencils.errors import DerivationError
from theory.evidence.verdict import Found, Symbolic
from theory.load import Reference, label
from theory.proof.identity import identity
from theory.proof.steps import Proof, derive
from theory.register.forms import reading
from theory.register.kinds import Kind
from theory.register.record import Claim, Quantity, Statement

RUN: dict[str, Proof] = {}  # what has been run in this process, by label


def derived(reference: Reference) -> Proof:
    """The derivation of that name, run when it is first asked for. DerivationError if a step fails."""
    name = label(reference)
    if name not in RUN:
        RUN[name] = derive(reference)
    return RUN[name]


def symbolic(statement: Statement, claim: Claim) -> Symbolic:
    """Whether the derivation of a claim runs, ends at the registered form, and the printed words at the printed one."""
    if claim.proof is None:
        return Symbolic(Found.NOTHING)
    try:
        for binding in statement.bindings.values():
            derived(binding.proof)
        proof = derived(claim.proof)
        words = derived(claim.printed_proof) if claim.printed_proof else None
    except DerivationError as error:
        return Symbolic(Found.FAILS, str(error))
    known = reading(statement)
    meanings = known.definitions("derived")
    ends = [end.xreplace(meanings) for end in (proof.conclusion, _target(statement, claim))]
    decision = identity(ends[0], ends[1], alphabet=statement.alphabet)
    if not decision.supports:
        return Symbolic(Found.ELSEWHERE, str(proof.conclusion))
    if words is not None and claim.printed is not None:
        meanings = known.definitions("printed")
        printed = known.own(claim, "printed").xreplace(meanings)
        if not identity(words.conclusion.xreplace(meanings), printed, alphabet=statement.alphabet).supports:
            return Symbolic(Found.MISREAD, str(words.conclusion))
    if not decision.rigorous:
        return Symbolic(Found.NUMERICAL, decision.how)
    return _counted([proof])


def _target(statement: Statement, claim: Claim) -> sp.Basic:
    """What a claim's derivation must end with: its form, or the order n^exponent log(n)^logs of a rate."""
    form, letters = reading(statement).own(claim, "derived"), statement.alphabet
    return letters.symbol(claim.against) ** form * letters.symbol("log_n") ** claim.logs if claim.kind == Kind.RATE else form


def chapter(quantity: Quantity) -> Symbolic:
    """What came of the derivations of a quantity's equations."""
    try:
        proofs = [derived(reference) for reference in quantity.chapter]
    except DerivationError as error:
        return Symbolic(Found.FAILS, str(error), chapter=True)
    return _counted(proofs, chapter=True) if any(proof.steps for proof in proofs) else Symbolic(Found.NOTHING, chapter=True)


def _counted(proofs: list[Proof], chapter: bool = False) -> Symbolic:
    steps = [step for proof in proofs for step in proof.steps]
    numerical = sum(not step.rigorous for step in steps)
    return Symbolic(Found.CHECKED, "", len(steps), numerical, sum(len(proof.assumptions) for proof in proofs), chapter)
