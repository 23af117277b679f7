"""The risk and the gain at lambda = 0."""

from __future__ import annotations

from derivations.ba2022 import risk
from derivations.ba2022.risk_branch import omega_root
from theory.proof.steps import Proof
from theory.proof.symbols import read_form, symbols
from theory.risk.forms import DF1, FULL_RANK, RIDGE, ZERO_RIDGE

(omega,) = symbols("omega")


def _omega(proof: Proof) -> None:
    """omega at lambda = 0"""
    omega_root(proof)
    proof.step(
        read_form(RIDGE).subs(omega, read_form(ZERO_RIDGE)) + omega,
        omega,
        "s = 0 at the one end of the bracket of omega",
    )
    proof.step(read_form(DF1).subs(omega, read_form(FULL_RANK)), 1, "df_1 = 1 at the other")
    proof.assume(
        "lambda(omega) is continuous and increasing, so that omega tends to the larger of the two as lambda -> 0; the forms are "
        "continuous there if df_2 < 1, that is unless both vanish together, at psi_1 = psi_2"
    )


def bias(proof: Proof) -> None:
    """The ridgeless bias"""
    _omega(proof)
    risk.bias(proof)


def variance(proof: Proof) -> None:
    """The ridgeless variance"""
    _omega(proof)
    risk.variance(proof)


def R0(proof: Proof) -> None:
    """The ridgeless risk"""
    _omega(proof)
    risk.r0(proof)


def delta(proof: Proof) -> None:
    """The ridgeless gain"""
    _omega(proof)
    risk.delta(proof)
