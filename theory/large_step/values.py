"""What ``gradstep eval`` prints for a large step: values with the digits that two discretisations prove between them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pencils.errors import PrecisionError
from pencils.exact.numbers import agreement, bits_for, refine, to_ball, working_precision
from theory.large_step.risk import LargeStep, Solver
from theory.quadrature.field import FLOAT_DIGITS
from theory.register.record import Computed

_COARSE, _FINE = (1.0, 16), (1.25, 20)  # nodes, values of a Gaussian b
_FLOAT_LIMIT = FLOAT_DIGITS - 4
_ROUNDING = 1e-13  # of float64, amplified by the linear solves


def setting(parameters: Mapping[str, Any], forced: bool = False) -> LargeStep:
    """The checked parameters as a setting, activation and teacher centred."""
    return LargeStep(
        psi1=parameters["psi1"],
        psi2=parameters["psi2"],
        lam=parameters["lam"],
        sigma_eps=parameters["sigma_eps"],
        activation=parameters["activation"].centred(),
        teacher=parameters["teacher"].centred(),
        etabar=parameters["etabar"],
        alpha0=parameters["alpha0"],
        readout=parameters.get("readout", "uniform"),
        rows=parameters.get("rows", "gaussian"),
        forced=forced,
    )


def compute(parameters: Mapping[str, Any], digits: int) -> Computed:
    """``risk``, ``risk_isotropic`` (H replaced by its mean), ``training_error``, ``gamma``, ``small_step_ceiling``
    and ``tau_bound`` = 10 tau*.

    Raises PrecisionError saying how many digits can be had.
    """
    step = setting(parameters)
    values = with_errors(step, digits)
    values["small_step_ceiling"] = small_step_ceiling(parameters, digits)
    values["tau_bound"] = tau_bound(parameters, digits)
    return Computed(values, {}, (*step.activation.notes(), *step.teacher.notes()))


def with_errors(step: LargeStep, digits: int) -> dict[str, Any]:
    """Balls about the values of the finer of two discretisations, with the distance to the coarser as radius."""
    working = digits if digits <= _FLOAT_LIMIT or step.continuous else max(digits + 3, FLOAT_DIGITS + 1)
    if step.continuous:
        working = min(working, FLOAT_DIGITS)  # many values of b: out of reach in balls
    coarse, fine = (_values(Solver(step, working, *grid)) for grid in (_COARSE, _FINE))
    why = "the risk after a large step" + (" with a Gaussian readout" if step.continuous else "")
    return enclosed(coarse, fine, digits, working > FLOAT_DIGITS, why)


def enclosed(coarse: Mapping[str, Any], fine: Mapping[str, Any], digits: int, balls: bool, what: str) -> dict[str, Any]:
    """Balls about the values of the finer of two discretisations, wide enough for the coarser and, in float64, for rounding.

    Raises PrecisionError, saying how many digits can be reached, where that is fewer than ``digits``.
    """
    with working_precision(bits_for(digits + 20)):
        found = {name: _ball(coarse[name], fine[name], balls) for name in fine}
        worst, name = min((agreement(to_arb(ball), to_arb(ball.mid()), digits), name) for name, ball in found.items())
    if worst < digits:
        where, size = "" if balls else "in float64 ", abs(to_arb(found[name]))
        if size < 1e-11:
            where = f"{name} is at most {size.upper().str(2, radius=False)}, and {where}"
        raise PrecisionError(f"{digits} digits of {what} were asked for; {where}{worst} can be reached")
    return found


def _values(solver: Solver) -> dict[str, Any]:
    exact, isotropic = solver.solve(), solver.solve(isotropic=True)
    return {
        "risk": exact.risk,
        "risk_isotropic": isotropic.risk,
        "training_error": exact.training_error,
        "gamma": exact.gamma,
    }


def to_arb(value: Any) -> Any:
    from flint import arb

    return value if isinstance(value, arb) else arb(float(value))


def _ball(coarse: Any, fine: Any, balls: bool) -> Any:
    from flint import arb

    low, high = to_arb(coarse), to_arb(fine)
    radius = abs(low - high) + (0 if balls else abs(high) * _ROUNDING)
    return high + arb(0, radius.abs_upper())


def small_step_ceiling(parameters: Mapping[str, Any], digits: int) -> Any:
    """R0 - mu1*^2 gamma^2 Bias, certified: the risk after a small step of unbounded learning rate with the same n0 samples."""
    # as mu1*^2 (1 - gamma^2) Bias + (mu2*^2 + sigma_eps^2) Variance + mu2*^2, so that zeros are exact
    from theory.activations.hermite import HermiteExpansion
    from theory.risk.forms import RISK

    given = {name: parameters[name] for name in ("psi1", "psi2", "lam", "activation")}
    small = RISK.values(given, digits + 5, "the ceiling of a small step", ("bias", "variance"))
    teacher = HermiteExpansion(parameters["teacher"].centred())

    def ball(bits: int) -> Any:
        linear, rest = teacher.mu1.ball(bits) ** 2, teacher.mu2_squared.ball(bits)
        noise = to_ball(parameters["sigma_eps"]) ** 2
        alpha0 = parameters["alpha0"]
        missed = 0 if alpha0 is None else (linear + rest + noise) / (to_ball(alpha0) * linear + linear + rest + noise)
        return linear * missed * small["bias"] + (rest + noise) * small["variance"] + rest

    return refine(ball, digits, "the ceiling of a small step")


def tau_bound(parameters: Mapping[str, Any], digits: int) -> Any:
    """10 tau*, the bound of Theorem 11 of ``ba2022`` as n/d -> oo."""
    from theory.tau_star.values import tau_star

    minimum = tau_star(parameters["activation"].centred(), parameters["teacher"].centred(), digits + 2).minimum
    with working_precision(bits_for(digits + 2)):
        return 10 * minimum.tau
