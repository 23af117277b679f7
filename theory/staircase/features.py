"""The features before the step in balls: effective ridge, traces of their resolvent, and the two coefficients of their risk.

F0 = sigma(X~ W0^T), rows of W0 on the unit sphere, activation centred; c_1 = mu1, c_{>1} = mu2. With Sigma0 = c_1^2 W0 W0^T +
c_{>1}^2 the deterministic equivalent of ridge regression puts kappa = s for n lambda/(1 - df1), and
1/omega = (1/d) tr (c_1^2 W0^T W0 + c_{>1}^2 + s)^-1. Source: statements.md, sections 2 and 3.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pencils.errors import InputError
from pencils.exact.numbers import to_ball
from theory.activations.activation import Activation
from theory.register.model import Model
from theory.risk.forms import FEATURES, OMEGA

MAX_ELL = 40
OWNER = "a step with eta ~ n^alpha"
NEEDS = ("psi1", "psi2", "lam", "sigma_eps", "mu1", "mu2", "mu1_star", "mu2_star")
SHARED = ("lam", "sigma_eps", "activation", "teacher")


def model(parameters: Mapping[str, Any]) -> Model:
    """The model of section 2 in the letters of ``moniri2024``: psi1 = 1/phi, psi2 = 1/psi; its lambda is the same number.

    Raises InputError where c_1 = 0: no power of beta_hat then enters the features.
    """
    given = {name: parameters[name] for name in SHARED}
    found = Model.build({"psi1": 1 / parameters["phi"], "psi2": 1 / parameters["psi"], **given}, NEEDS, OWNER, {"omega": OMEGA})
    if found.moment("mu1").sign() == 0:
        raise InputError(
            f"{found.values['activation'].label}: c_1 = E z sigma(z) = 0; the spikes have the strengths c_1^k c_k eta^k, so that "
            "c_1 must differ from 0"
        )
    return found


def check_ell(parameters: Mapping[str, Any]) -> int:
    """``ell``, or InputError beyond MAX_ELL."""
    ell: int = parameters["ell"]
    if ell > MAX_ELL:
        raise InputError(f"ell = {ell}: at most {MAX_ELL} spikes are computed")
    return ell


def kept_teacher(parameters: Mapping[str, Any]) -> Activation:
    """The teacher, centred unless ``centre=false``."""
    teacher: Activation = parameters["teacher"]
    return teacher.centred() if parameters.get("centre", True) else teacher


def powers(activation: Activation, ell: int) -> list[int]:
    """The degrees k <= ell of the spikes that exist: those with c_k != 0."""
    from theory.activations.hermite import HermiteExpansion

    expansion = HermiteExpansion(activation)
    return [k for k in range(1, ell + 1) if expansion.coefficient(k).sign() != 0]


def remarks(parameters: Mapping[str, Any], present: Sequence[int]) -> tuple[dict[str, bool], tuple[str, ...]]:
    """(hypotheses, notes): which spikes are absent, what was centred."""
    missing = [k for k in range(1, parameters["ell"] + 1) if k not in present]
    notes = (
        *(f"c_{k} = 0 for this activation: there is no spike of degree {k}, and none is counted" for k in missing),
        *parameters["activation"].centred().notes(),
        *kept_teacher(parameters).notes(),
    )
    return {"c_k != 0 for every k <= ell": not missing}, notes


@dataclass(frozen=True)
class Features:
    """Numbers at one model and working precision; every property is a ball."""

    model: Model
    bits: int

    def symbol(self, name: str) -> Any:
        return self.model.ball(name, self.bits)

    def form(self, name: str) -> Any:
        """The value of a form of ``theory.risk.forms.FEATURES``."""
        from pencils.exact.balls import enclose

        form = FEATURES.expanded[name]
        return enclose(form, {one: self.symbol(one.name) for one in form.free_symbols})

    @cached_property
    def s(self) -> Any:
        return self.form("s")

    @cached_property
    def m1(self) -> Any:
        """(1/n) tr K^-1, K = F0 F0^T/N + (lambda psi/phi) I."""
        return self.form("m1")

    @cached_property
    def m2(self) -> Any:
        """(1/(n d)) tr X~^T K^-1 X~."""
        return self.form("m2")

    @cached_property
    def bias(self) -> Any:
        return self.form("bias")

    @cached_property
    def variance(self) -> Any:
        return self.form("variance")

    @cached_property
    def slack(self) -> Any:
        """1 - df2."""
        return 1 - self.form("df2")

    @cached_property
    def noise(self) -> Any:
        """mu2*^2 + sigma_eps^2 of the centred teacher."""
        return self.symbol("mu2_star") ** 2 + to_ball(self.model.values["sigma_eps"]) ** 2

    def direction(self, mean: Any = 0) -> Any:
        """|b|^2 = c_{*,1}^2 + phi E y^2, the limit of |X^T y/n|^2, for a teacher with that mean."""
        linear = self.symbol("mu1_star") ** 2
        return linear + (linear + self.noise + mean**2) / self.symbol("psi1")
