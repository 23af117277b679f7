"""Training loss and test error with spikes of finite strength: what F_ell = F0 + sum_k t_k u_k v_k^T gives, exactly in the limit.

v_k = (sqrt(N) a)^{ok}, t_k = c_k (c_1 eta |b|/sqrt N)^k, z = X~ b/|b|, and
    spikes = source   b = X^T y/n, u_k = z^{ok}: the spikes that ``moniri2024`` is reported to have;
    spikes = silent   b = X^T y/n, u_k = E_g (z + sqrt(varsigma) g)^k: a network whose output is small before the step, as with
                      symmetric weights, or with N^(-1/2) a for a (``ba2022``);
    spikes = step     b = X^T (y - f0)/n, u_k = E_g (z + sqrt(varsigma) g)^k: those of the step as it is written. The network's own
                      output f0 is of order one, so that b contains -c_1 W0^T a, which W0 and a know.
A neuron's own part of the gradient, |a_i| sqrt(phi E (y - f0)^2 (E sigma'^2 - c_1^2)) long, has a square that does not average
out: varsigma is its size over (c_1 |b|)^2.
A row of F_ell has the second moment Sigma = A A^T + c_{>1}^2 I + (2 c_2^2/d) 1 1^T + V T D T V^T, A = c_1 W0 + V T h b^T/|b|, and
the moment A c_{*,1} beta + V T r with the label; h_k = E z u_k, D_jk = E u_j u_k - h_j h_k, r_k = E u_k y less its linear part.
With kappa the effective ridge, which a finite rank does not move, and H = c^T (Sigma + kappa)^-1 c for that moment c,

    loss -> (lambda/kappa)(E y^2 - H),   test error -> (E y^2 - H + kappa H')/(1 - df2) - sigma_eps^2.

The vector 1 is there because <w_i, w_j>^2 has the mean 1/d: it counts beside even spikes, whose v_k have a mean. What F_ell leaves
out is of relative order eta^2/N. Source: statements.md, section 3; a test error is E (f* - f_hat)^2.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from math import factorial
from typing import Any

from pencils.errors import InputError
from pencils.exact.numbers import refine, to_ball
from theory.register.record import Computed
from theory.staircase.bulk import traces
from theory.staircase.features import Features, check_ell, kept_teacher, model, powers, remarks
from theory.staircase.gram import heat_power, hermite_in_power, power_moment
from theory.staircase.strengths import Spikes


@dataclass(frozen=True)
class Step:
    """What does not depend on the working precision: the checked parameters, the spikes' degrees, eta (None: no bound on the
    strengths) and the samples n."""

    parameters: Mapping[str, Any]
    degrees: tuple[int, ...]
    bounded: bool = True

    @cached_property
    def spikes(self) -> str:
        """Whose spikes: see above."""
        return str(self.parameters.get("spikes", "step"))

    @cached_property
    def model(self) -> Any:
        return model(self.parameters)

    @cached_property
    def sigma(self) -> Any:
        from theory.activations.hermite import HermiteExpansion

        return HermiteExpansion(self.parameters["activation"].centred())

    @cached_property
    def teacher(self) -> Any:
        from theory.activations.hermite import HermiteExpansion

        return HermiteExpansion(kept_teacher(self.parameters))

    def eta(self) -> Any:
        """c n^alpha."""
        return to_ball(self.parameters.get("c", 1)) * to_ball(self.parameters["n"]) ** to_ball(self.parameters["alpha"])


class Numbers:
    """The two errors at one working precision, all balls."""

    def __init__(self, step: Step, bits: int) -> None:
        from flint import arb

        self.step, given = step, step.parameters
        self.at = at = Features(step.model, bits)
        self.zero = arb(0)
        self.psi = to_ball(given["psi"])
        self.c1, self.s = at.symbol("mu1"), at.s
        self.signal = step.teacher.coefficient(1).ball(bits)
        mean = step.teacher.coefficient(0).ball(bits)
        self.energy = self.signal**2 + at.noise + mean**2  # E y^2
        if step.spikes == "source":
            squared, own = at.direction(mean), self.zero
        else:
            found = Spikes(given, output=step.spikes == "step")
            squared, own = found.length_squared(bits), found.own_squared(bits)
        self.length = squared.sqrt()
        self.rho = self.signal / self.length
        self.tau = -self.c1 / self.length if step.spikes == "step" else self.zero  # cos(b, W0^T a)
        self.heat = {k: heat_power(k, own / (self.c1**2 * squared)) for k in step.degrees}
        size = max(step.degrees, default=0)
        coefficients = [step.teacher.coefficient(k).ball(bits) / factorial(k) * self.rho**k for k in range(size + 1)]
        with_label = [sum((coefficients[j] * hermite_in_power(k, j) for j in range(k + 1)), self.zero) for k in range(size + 1)]
        self.label = [sum((c * with_label[j] for j, c in self.heat[k].items()), self.zero) for k in step.degrees]
        self.even = step.sigma.coefficient(2).ball(bits) / 2 if size else self.zero  # c_2
        self.bits = bits

    def strengths(self) -> list[Any]:
        """sqrt(N) t_k; N = n phi/psi."""
        given = self.step.parameters
        width = to_ball(given["n"] * given["phi"] / given["psi"])
        sign = -1 if self.step.sigma.coefficient(1).ball(self.bits) < 0 else 1  # mu1 >= 0 is the oriented c_1
        shift = sign * self.c1 * self.step.eta() * self.length / width.sqrt()
        return [self.step.sigma.coefficient(k).ball(self.bits) / factorial(k) * shift**k * width.sqrt() for k in self.step.degrees]

    def moment(self, left: Mapping[int, Any], right: Mapping[int, Any]) -> Any:
        """E of a product of two polynomials in z."""
        return sum((a * b * power_moment(i + j) for i, a in left.items() for j, b in right.items()), self.zero)

    def _forms(self, which: int) -> list[list[Any]]:
        """b_i^T S b_j (which = 0), or with S^2 for S (which = 1), S = (Sigma0 + kappa)^-1, of the basis W0 beta, W0 b/|b|,
        v_k/sqrt N, 1/sqrt N."""
        rest = self.at.symbol("mu2") ** 2 + self.s
        w1, plain, once, twice = (pair[which] for pair in traces(self.c1**2, rest, self.at.symbol("omega"), self.psi))
        degrees, tau, rho = self.step.degrees, self.tau, self.rho
        ends = [
            [w1, rho * w1, *(self.zero for _ in degrees), self.zero],
            [rho * w1, (1 - tau**2) * w1 + tau**2 * twice, *(tau * once * power_moment(k + 1) for k in degrees), self.zero],
        ]
        middle = [
            [self.zero, tau * once * power_moment(j + 1), *(plain * power_moment(j + k) for k in degrees), plain * power_moment(j)]
            for j in degrees
        ]
        return [*ends, *middle, [self.zero, self.zero, *(plain * power_moment(k) for k in degrees), plain]]

    def _solved(self) -> tuple[Any, Any]:
        """(H, -H') at kappa."""
        from flint import arb_mat

        degrees, size = self.step.degrees, len(self.step.degrees) + 3
        # beside spikes without bound the last step divides by their strengths: they are 1 here, and 1/strength 0
        t = self.strengths() if self.step.bounded and degrees else [self.zero + 1] * len(degrees)
        scale = [1, 1, *(1 if self.step.bounded else 0 for _ in degrees), 1]
        moved = [[self.zero] * size for _ in range(size)]
        for i, j in enumerate(degrees, start=2):
            moved[1][i] = moved[i][1] = self.c1 * t[i - 2] * self.moment({1: 1}, self.heat[j])
            for k, other in enumerate(degrees, start=2):
                moved[i][k] = t[i - 2] * t[k - 2] * self.moment(self.heat[j], self.heat[other])
        moved[-1][-1] = 2 * self.even**2 / self.psi
        seen = [self.c1 * self.signal, self.zero, *(one * r for one, r in zip(t, self.label, strict=True)), self.zero]
        inverse = arb_mat(self._forms(0)).inv()
        scaled = arb_mat([[inverse[i, j] * scale[i] * scale[j] for j in range(size)] for i in range(size)])
        column = (scaled + arb_mat(moved)).solve(arb_mat([[one] for one in seen]))
        weights = inverse * arb_mat([[column[i, 0] * scale[i]] for i in range(size)])
        value = sum((one * column[i, 0] for i, one in enumerate(seen)), self.zero)
        square = (weights.transpose() * arb_mat(self._forms(1)) * weights)[0, 0]
        return value, square

    @cached_property
    def _errors(self) -> tuple[Any, Any]:
        lam, noise = (to_ball(self.step.parameters[name]) for name in ("lam", "sigma_eps"))
        value, square = self._solved()
        left = self.energy - value
        return lam / self.s * left, (left - self.s * square) / self.at.slack - noise**2

    @property
    def training_loss(self) -> Any:
        return self._errors[0]

    @property
    def test_error(self) -> Any:
        return self._errors[1]


def compute(parameters: Mapping[str, Any], digits: int) -> Computed:
    """``training_loss`` and ``test_error`` at eta = c n^alpha with ``ell`` spikes, the same before the step (``_before``) and with
    spikes of unbounded strength (``_limit``), ``eta``, and ``strengths`` sqrt(N) t_k."""
    if parameters["alpha"] * 2 >= 1:
        raise InputError(f"alpha = {parameters['alpha']}: at alpha >= 1/2 the step is large (see large-step.risk)")
    present = powers(parameters["activation"], check_ell(parameters))
    with_mean = not parameters.get("centre", True) and parameters.get("spikes", "step") != "source"
    if with_mean and Step(parameters, ()).teacher.coefficient(0).sign() != 0:
        raise InputError(
            f"{parameters['teacher'].label} has a mean and centre=false: the step then stretches its rows by 2 c_2 c_{{*,0}} "
            "w_i, a spike that is not in this model; it is known for spikes=source, or for a centred teacher"
        )
    step = Step(parameters, tuple(present))
    values: dict[str, Any] = {}
    for suffix, one in _cases(step):
        for name in ("training_loss", "test_error"):
            values[f"{name}{suffix}"] = refine(partial(_number, one, name), digits, name)
    values["eta"] = refine(lambda bits: step.eta(), digits, "eta")
    values["strengths"] = [refine(partial(_strength, step, place), digits, "a spike's strength") for place in range(len(present))]
    return Computed(values, *remarks(parameters, present))


def _cases(step: Step) -> Sequence[tuple[str, Step]]:
    return (
        ("", step),
        ("_before", Step(step.parameters, ())),
        ("_limit", Step(step.parameters, step.degrees, bounded=False)),
    )


def _number(step: Step, name: str, bits: int) -> Any:
    return getattr(Numbers(step, bits), name)


def _strength(step: Step, place: int, bits: int) -> Any:
    return Numbers(step, bits).strengths()[place]
