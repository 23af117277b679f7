"""tau* = inf_kappa E(sigma*(z) - E sigma(kappa z + xi))^2 of ``ba2022``, Theorem 11: the least risk that a neuron average reaches.

Three answers, told apart: an exact zero, proved by algebra; a minimum certified to be global by ball arithmetic; digits of a
minimum of which less was shown. Activation and teacher are centred, as in section 1 of the sheet, and scaled to variance one
where that is asked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import sympy as sp
from flint import arb

from pencils.errors import PrecisionError
from pencils.exact.balls import enclose
from pencils.exact.numbers import bits_for, proves, working_precision
from theory.activations.activation import Activation, activation
from theory.activations.hermite import HermiteExpansion
from theory.functions.language import variable
from theory.functions.majorant import is_bounded
from theory.functions.normal_form import even_odd
from theory.proof.algebra import vanishes
from theory.register.record import Computed
from theory.tau_star.global_minimum import Minimum, minimise
from theory.tau_star.objective import Objective

_DERIVATIVES = 4
_PROBES, _PROBE_BITS = (sp.S.One, sp.Rational(-3, 2), sp.Rational(1, 3)), 120
_KINKED = (sp.Abs, sp.Max, sp.Min, sp.sign, sp.Heaviside, sp.Piecewise)


@dataclass(frozen=True)
class TauStar:
    """``minimum`` with the exact minimiser where tau* = 0 was proved symbolically, and the two functions it belongs to."""

    objective: Objective
    minimum: Minimum
    exact_kappa: sp.Expr | None
    digits: int

    @property
    def mu2_star_squared(self) -> arb:
        """E sigma*^2 - mu1*^2 of the teacher: what no kernel method, and no small step, gets below."""
        with working_precision(bits_for(self.digits) + 40):
            return arb(HermiteExpansion(self.objective.teacher).mu2_squared.ball(bits_for(self.digits)))

    @property
    def beats_kernels(self) -> bool:
        """Whether 10 tau* < mu2*^2, decided by enclosures; PrecisionError where they overlap."""
        gap = self.mu2_star_squared - 10 * self.minimum.tau
        if gap.contains(0) and not gap.is_zero():
            raise PrecisionError("10 tau* and mu2*^2 agree to all digits computed")
        return bool(gap > 0)


def tau_star(sigma: Any, teacher: Any, digits: int = 30, normalize: bool = False) -> TauStar:
    """tau* and its minimiser for an activation and a teacher, both centred, and of variance 1 with ``normalize``.

    Raises InputError for what is not an activation or a constant to be normalised, PrecisionError where J has no rule with
    proven error. Source: Theorem 11 of ``ba2022`` (statements.md, section 2).
    """
    functions = [activation(sigma, "activation"), activation(teacher, "teacher")]
    pair = [f.normalised() if normalize else f.centred() for f in functions]
    return _tau_star(pair[0], pair[1], digits)


@lru_cache(maxsize=256)
def _tau_star(sigma: Activation, teacher: Activation, digits: int) -> TauStar:
    objective = Objective(sigma, teacher)
    exact = symbolic_zero(objective)
    if exact is not None:
        with working_precision(bits_for(digits)):
            kappa = arb(enclose(exact, {}))
        how = f"proved: S(kappa x) = sigma*(x) for every x at kappa = {exact}, by exact algebra; J is nowhere negative"
        return TauStar(objective, Minimum(kappa, arb(0), 0, True, (0.0, 0.0), False, how), exact, digits)
    wanted = digits
    for _ in range(4):
        minimum = _orthogonal(objective, wanted) or minimise(objective, wanted)
        if minimum.tau.contains(0) or proves(minimum.tau, digits):
            break
        wanted *= 2
    return TauStar(objective, minimum, None, digits)


def symbolic_zero(objective: Objective) -> sp.Expr | None:
    """kappa with sigma*(x) = S(kappa x) for every x, found and proved by exact algebra; None when there is none to be found.

    Both sides are smooth, so that sigma*^(k)(0) = kappa^k S^(k)(0) for every k: the first k >= 1 with S^(k)(0) != 0
    leaves at most two real kappa, and each is tried. The larger one is returned.
    """
    x = variable()
    closed, sigma, teacher = objective.smoothing.closed, objective.sigma, objective.teacher
    constants = (sigma.subtracted, sigma.scale, teacher.subtracted, teacher.scale)
    if closed is None or None in constants or objective.g.has(*_KINKED):
        return None
    smooth, target = (closed - constants[0]) / constants[1], (objective.g - constants[2]) / constants[3]
    for k in range(1, _DERIVATIVES + 1):
        slope, wanted = (sp.simplify(sp.diff(f, x, k).subs(x, 0)) for f in (smooth, target))
        if slope == 0:
            continue
        power = sp.nsimplify(sp.simplify(wanted / slope))
        candidates = [power] if k == 1 else [s * sp.root(power, k) for s in (1, -1)] if power.is_nonnegative else []
        if k == 3:
            candidates = [sp.real_root(power, 3)]
        for kappa in candidates:
            gap = sp.expand(smooth.subs(x, kappa * x) - target)
            if _seen_nonzero(gap):
                continue  # spares the algebra below, which takes long to fail
            if gap == 0 or vanishes(gap) or sp.simplify(gap) == 0:
                return sp.simplify(kappa)
        return None
    return None


def _seen_nonzero(gap: sp.Expr) -> bool:
    """True where an enclosure at one of a few points excludes 0."""
    with working_precision(_PROBE_BITS):
        return any(not arb(enclose(gap.subs(variable(), point), {})).contains(0) for point in _PROBES)


def _orthogonal(objective: Objective, digits: int) -> Minimum | None:
    """One function odd, the other even (but for the means): J = E sigma*^2 + E S(kappa z)^2, least where S vanishes, at 0."""
    parities = {_centred_parity(f) for f in (objective.sigma, objective.teacher)}
    if parities != {1, -1} or (objective.parity == 1 and not objective.sigma.is_centred):
        return None
    with working_precision(bits_for(digits) + 40):
        energy = arb(objective.energy.ball(bits_for(digits)))
    how = "proved: one function is odd and the other even, so J = E sigma*^2 + E S(kappa z)^2, and S(0) = E sigma = 0"
    return Minimum(arb(0), energy, 0, True, (0.0, 0.0), False, how)


def _centred_parity(function: Activation) -> int:
    """1 for an even function, -1 for an odd one, perhaps after its mean is subtracted; else 0."""
    even, odd = even_odd(function.base)
    if odd == 0:
        return 1
    return -1 if even == 0 or (function.is_centred and not even.has(variable())) else 0


def shown(found: TauStar) -> tuple[Any, Any]:
    """kappa* and tau* as values of an entry: numbers, both signs in a list, or words."""
    minimum = found.minimum
    if minimum.kappa is None:
        kappa: Any = "oo" if minimum.at_infinity > 0 else "-oo"
    else:
        kappa = [minimum.kappa, -minimum.kappa] if minimum.both_signs else minimum.kappa
    if minimum.tau.contains(0) and not minimum.tau.is_zero():
        return kappa, f"at most {minimum.tau.upper().str(3, radius=False)}; 0 is neither proved nor excluded"
    return kappa, minimum.tau


def compute(parameters: Mapping[str, Any], digits: int) -> Computed:
    """The values of the entry ``ba2022.tau-star``."""
    found = tau_star(parameters["activation"], parameters["teacher"], digits, parameters.get("normalize", False))
    minimum, objective = found.minimum, found.objective
    kappa, tau = shown(found)
    values = {
        "kappa": kappa,
        "kappa_exact": None if found.exact_kappa is None else str(found.exact_kappa),
        "tau": tau,
        "mu2_star_squared": found.mu2_star_squared,
        "beats_kernels": found.beats_kernels,
        "certified": minimum.certified,
        "evidence": minimum.how,
        "smoothing": objective.smoothing.how,
    }
    bounded = is_bounded(objective.f)
    notes = [note for f in (objective.sigma, objective.teacher) for note in f.notes()]
    if not bounded:
        notes.append("the activation is not bounded (or not shown to be): tau* is computed, outside the hypotheses of Theorem 11")
    return Computed(values, {"activation bounded": bounded}, tuple(notes))
