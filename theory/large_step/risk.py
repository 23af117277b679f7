"""Test and training error of ridge regression after a large gradient step, eta = etabar sqrt(N), exactly in the limit.

Setup of ``ba2022`` (section 1 of the sheet) with n0 samples in the step, n0/d -> alpha0 (None: the population gradient),
n fresh samples in the regression, n/d -> psi1, N/d -> psi2, sigma odd. With the fixed point of ``fluctuations``, the fit of
``signal`` and J(s, s') = -d nu(s)/dw(s'), the test error at s is r_u^2 + r_beta^2 + rest + V,

    V(s) = q0(s) + E_s' J(s, s') w(s')^2 [r_u^2 + r_beta^2 + rest + sigma_eps^2 + V](s'),

and the training error (1/n)|y - f|^2 is E_s w^2 [r_u^2 + r_beta^2 + rest + sigma_eps^2 + V]: a sample's residual is what it
would be left out, times w = 1/(1 + nu). Source: section 5a of the sheet, with the corrections named in
``theory.large_step.neurons``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from pencils.errors import InputError
from theory.activations.activation import Activation
from theory.large_step.fluctuations import Kernel, solve_kernel
from theory.large_step.label_law import (
    Direction,
    LabelLaw,
    SpectralRule,
    direction,
    isotropic_rule,
    label_law,
    spectral_rule,
)
from theory.large_step.neurons import (
    Chance,
    Moments,
    Neurons,
    TeacherGivenS,
    moments,
    neurons,
    s_nodes,
    slope_of,
    teacher_given_s,
)
from theory.large_step.signal import Signal, fit_signal
from theory.quadrature.field import Array, Field
from theory.quadrature.gauss import Function

Readout = str | Sequence[tuple[Fraction, Fraction]]


@dataclass(frozen=True)
class LargeStep:
    """A setting: exact numbers, centred activation and teacher.

    ``readout`` is the law of sqrt(N) a: ``uniform`` (all 1), ``gaussian``, or pairs (value, weight); ``rows`` of W0 are
    ``gaussian`` or on the ``sphere``. ``kappa`` replaces the step by given weights kappa of the rows along beta (pairs
    (value, weight)): the spiked random features of ``cui2024``. ``size``: a finite d, for the penalty on alpha only.
    ``forced`` admits an activation that is not odd, for ``theory.large_step.general`` alone.
    Raises InputError where the activation is not odd, or a weight is not positive.
    """

    psi1: Fraction
    psi2: Fraction
    lam: Fraction
    sigma_eps: Fraction
    activation: Activation
    teacher: Activation
    etabar: Fraction = Fraction(1)
    alpha0: Fraction | None = None
    readout: Readout = "uniform"
    rows: str = "gaussian"
    kappa: Sequence[tuple[Fraction, Fraction]] | None = None
    size: int | None = None
    forced: bool = False

    def __post_init__(self) -> None:
        from theory.functions.normal_form import canonical, even_odd

        if not self.forced and even_odd(canonical(self.activation.base))[0] != 0:
            raise InputError(
                f"{self.activation.label}: the risk after a large step is derived for odd activations, and this one is not "
                "shown to be odd; for a general sigma it is open"
            )

    @property
    def continuous(self) -> bool:
        return self.kappa is None and self.readout == "gaussian"


@dataclass(frozen=True)
class Errors:
    """The result: test error, training error, gamma = <u, beta>, and what they were computed from."""

    risk: Any
    training_error: Any
    objective: Any
    gamma: Any
    kernel: Kernel = field(repr=False)
    signal: Signal = field(repr=False)
    test: Array = field(repr=False)


class Solver:
    """One setting at one precision and one discretisation: ``refine`` multiplies the nodes, ``atoms`` is the number of
    values that stand for a Gaussian b."""

    half = True  # functions of s are odd or even, and b and -b make the same ones

    def __init__(self, step: LargeStep, digits: int = 12, refine: float = 1.0, atoms: int = 14) -> None:
        self.step, self.field, self.refine, self.atoms = step, Field(digits), refine, atoms

    def _number(self, value: Fraction) -> Any:
        return self.field.number(value)

    def _function(self, function: Activation) -> Function:
        return Function(function.numeric(self.field.digits + 20), self.field, self.refine)

    @cached_property
    def teacher(self) -> Function:
        return self._function(self.step.teacher)

    @cached_property
    def law(self) -> LabelLaw:
        return label_law(self.teacher, self._number(self.step.sigma_eps))

    @cached_property
    def alpha0(self) -> Any | None:
        return None if self.step.alpha0 is None or self.step.kappa is not None else self._number(self.step.alpha0)

    @cached_property
    def direction(self) -> Direction:
        from theory.activations.hermite import HermiteExpansion

        exact = HermiteExpansion(self.step.teacher).mu1.exact
        return direction(self.field, self.law, self.alpha0, aligned=exact is None or not exact.is_zero)

    @cached_property
    def sigma(self) -> Function:
        return self._function(self.step.activation)

    @cached_property
    def moments(self) -> Moments:
        slope = Function(slope_of(self.sigma.expr), self.field, self.refine)
        return moments(self.sigma, slope)

    @property
    def _slope(self) -> Any:
        return abs(self.moments.mu1) if self.half else self.moments.mu1

    def readout(self) -> tuple[Array, Array]:
        """(|b|, weights) for the step, (|kappa|/(mu1 p), weights) where kappa is given."""
        step, field = self.step, self.field
        if step.kappa is not None:
            b, weights = _merged(step.kappa, field)
            return b / (abs(self.moments.mu1) * self.direction.p), weights
        if step.readout == "uniform":
            return self._number(step.etabar) * field.array([1]), field.array([1])
        if step.readout == "gaussian":
            x, w = self._gaussian_readout()
            return self._number(step.etabar) * x, w
        b, weights = _merged(step.readout, field)  # type: ignore[arg-type]
        return self._number(step.etabar) * b, weights

    def _gaussian_readout(self) -> tuple[Array, Array]:
        """Nodes and weights for |z|, z ~ N(0, 1): the trapezoid rule in tau, z = scale sinh tau.

        Functions of b have singularities at b^2 = -1/(hc h) for every eigenvalue h of H, up to ten times the mean: at a
        distance ``scale`` of 0 or more, which sinh spreads out.
        """
        field, mean = self.field, 0.0
        if self.alpha0 is not None:
            mean = float(self.law.mean(self.law.y**2) / self.alpha0 * self.moments.hc)
        slope = float(abs(self.moments.mu1) * self.direction.p)
        scale = 1 / (float(self.step.etabar) * math.sqrt(slope**2 + 10 * mean))
        step = math.asinh(7.5 / scale) / self.atoms
        tau = (field.array(np.arange(self.atoms)) + field.number(0.5)) * field.number(step)
        up, down = np.exp(tau), np.exp(-tau)
        z = field.number(scale) * (up - down) / 2
        w = np.exp(-z * z / 2) * (up + down)
        return z, w / w.sum()

    def _chance(self, b: Array) -> Chance:
        gaussian = self.step.rows == "gaussian"
        if self.step.kappa is not None:
            return Chance.kappa_given(b) if gaussian else Chance.none(b)
        return Chance.of_step(b, self.moments, self.law, self.direction, self.alpha0, gaussian)

    @cached_property
    def mean(self) -> Any:
        """E y^2/alpha0, the mean eigenvalue of H."""
        return self.field.number(0) if self.alpha0 is None else self.law.mean(self.law.y * self.law.y) / self.alpha0

    @cached_property
    def neurons(self) -> Neurons:
        b, weights = self.readout()
        hc = self.field.number(0) if self.alpha0 is None else self.moments.hc
        kappa = b * self._slope * self.direction.p
        c = 1 + self.field.floats(b * b * hc) * float(self.mean)
        steep = float(np.max(np.abs(self.field.floats(kappa)) / np.sqrt(c)))
        nodes = s_nodes(self.field, steep, float(self.direction.gamma), self.refine, self.half)
        return neurons(self.sigma, nodes, b, weights, kappa, hc, self.mean)

    @cached_property
    def target(self) -> TeacherGivenS:
        return teacher_given_s(self.teacher, self.neurons.s, self.direction.gamma)

    def rule(self, isotropic: bool) -> SpectralRule:
        """The spectral measures of H, or of its mean."""
        widest = float(np.max(self.field.floats(self.neurons.spread)))
        if isotropic or self.alpha0 is None or widest == 0:
            return isotropic_rule(self.field, self.law, self.alpha0, self.direction)
        return spectral_rule(self.field, self.law, self.alpha0, self.direction, 1 / widest, self.refine)

    def solve(self, isotropic: bool = False) -> Errors:
        """Test and training error; ``isotropic`` replaces H by its mean. Raises ConvergenceError where an iteration does not
        converge."""
        step = self.step
        with self.field.precision():
            self._refuse_no_step()
            c = self.neurons
            ratios = self._number(step.psi1), self._number(step.psi2), self._number(step.lam)
            kernel = solve_kernel(c, self.rule(isotropic), *ratios)
            signal = fit_signal(kernel, self._chance(c.b), self.target, step.continuous, step.size)
            return self._errors(kernel, signal, self.target)

    def span(self) -> float:
        """inf over alpha in span{A_kappa} of E(sigma* - alpha)^2: what fits by the neurons' means leave, in float64."""
        c, target = self.neurons, self.target
        root = np.sqrt(c.ds)
        left = 0 * target.g0
        if not self.step.continuous:  # then the span is every odd function
            A = root[:, None] * c.A
            left = root * target.g0 - A @ np.linalg.lstsq(A, root * target.g0, rcond=1e-12)[0]
        return float(left @ left + c.ds @ (target.g1 * target.g1 + target.rest))

    def _refuse_no_step(self) -> None:
        if abs(float(self.moments.mu1)) < 1e-12:
            raise InputError(f"{self.step.activation.label}: mu1 = 0, so that the step moves no neuron along the data's direction")
        if self.alpha0 is None and abs(float(self.direction.p)) < 1e-12:
            raise InputError(f"{self.step.teacher.label}: mu1* = 0, so that the population gradient has no direction; give alpha0")

    def _errors(self, kernel: Kernel, signal: Signal, target: TeacherGivenS) -> Errors:
        field, c, w = self.field, kernel.neurons, kernel.w
        noise = self._number(self.step.sigma_eps) ** 2
        # products: a ball about 0 has no power in FLINT
        bias = signal.along_u * signal.along_u + signal.along_beta * signal.along_beta + target.rest
        _, J = kernel.response()
        flow = J * (c.ds * w * w)
        variance = field.solve(field.eye(len(c.s)) - flow, signal.q0 + flow @ (bias + noise))
        test = bias + variance
        fitted = target.g0 * signal.along_u + target.g1 * signal.along_beta + target.rest + noise
        return Errors(
            (c.ds * test).sum(),
            (c.ds * w * w * (test + noise)).sum(),
            (c.ds * w * fitted).sum(),
            self.direction.gamma,
            kernel,
            signal,
            test,
        )


def _merged(pairs: Sequence[tuple[Fraction, Fraction]], field: Field) -> tuple[Array, Array]:
    """Absolute values and their weights, scaled to sum 1: b and -b make the same functions up to sign."""
    total: dict[Fraction, Fraction] = {}
    for value, weight in pairs:
        if weight <= 0:
            raise InputError(f"readout weight {weight} of the value {value}: weights must be positive")
        total[abs(value)] = total.get(abs(value), Fraction(0)) + weight
    norm = sum(total.values())
    return field.array(list(total)), field.array([weight / norm for weight in total.values()])
