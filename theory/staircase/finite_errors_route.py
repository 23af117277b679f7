"""Second route to the errors with spikes: Woodbury's identity on the pencils' traces, and the test error from the loss.

With U = [u_k], V = [v_k], T = diag(t_k), R = (F0 F0^T + lambda n)^-1 and M = U^T R U, g = U^T R y, C = U^T R F0 V,
P = lambda n V^T (F0^T F0 + lambda n)^-1 V the loss is lambda y^T R y - lambda g^T (M + (T^-1 + C) P^-1 (T^-1 + C)^T)^-1 g.
The penalty's share is lambda times the loss's derivative, and the residual of ridge regression is (lambda/kappa)^2 times the test
error of a noisy label: both errors follow from the loss. The closed forms of theory.staircase.finite_errors, omega and the
Marchenko-Pastur transform do not enter; |b|^2 and varsigma are those of chapter
staircase_spikes here too, which simulation tries (``moniri2024.spikes``). Source: statements.md, section 3 (``moniri2024``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import comb, factorial
from typing import Any

from pencils.exact.numbers import Number
from theory.activations.route import Z, as_mpmath
from theory.proof.symbols import COMMON
from theory.quadrature.mp import context, gaussian_means, number
from theory.register.model import Model
from theory.risk.route import Traces

_GUARD = 20


@lru_cache(maxsize=64)
def quadrature(expr: Any, powers: int, digits: int) -> tuple[Any, ...]:
    """E f, E z f, ..., E z^powers f, then E f^2 and E (z f)^2."""
    ctx, function = context(digits + 20), as_mpmath(expr)

    def integrand(z: Any) -> list[Any]:
        f = function(ctx, z)
        return [*(f * z**power for power in range(powers + 1)), f * f, (z * f) ** 2]

    return tuple(gaussian_means(ctx, integrand, set(), digits))


def hermite_moments(moments: Sequence[Any], order: int) -> list[Any]:
    """E f He_k, k <= order, from E f z^j, by the recurrence of He_k."""
    rows = [[1], [0, 1]]
    for k in range(1, order):
        above, below = [0, *rows[k]], [*rows[k - 1], 0, 0]
        rows.append([one - k * other for one, other in zip(above, below, strict=True)])
    return [sum(c * m for c, m in zip(row, moments, strict=False)) for row in rows[: order + 1]]


def present(activation: Any, ell: int) -> list[int]:
    """The k <= ell with E sigma(z) He_k(z) != 0, by quadrature to 20 digits."""
    found = hermite_moments(quadrature(activation, ell, 25), ell)
    return [k for k in range(1, ell + 1) if abs(found[k]) > 1e-20]


def checked_parameters(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters as text, checked and read."""
    return {name: COMMON.entry(name).domain.check(name, value) for name, value in parameters.items()}


class Loss:
    """The loss as a function of lambda, with the spikes of given degrees; ``strong`` puts T^-1 = 0."""

    def __init__(self, parameters: Mapping[str, Any], degrees: Sequence[int], strong: bool, digits: int) -> None:
        self.given, self.degrees, self.strong = parameters, degrees, strong
        self.digits = 2 * digits + _GUARD  # half of them for the derivative
        self.ctx = ctx = context(self.digits + _GUARD)
        size = max(degrees, default=2)
        teacher = parameters["teacher"].base
        *moments, square, _ = (ctx.convert(one) for one in quadrature(teacher, max(size, 4), self.digits))
        if parameters.get("centre", True):
            square -= moments[0] ** 2
            moments = [one - moments[0] * self.moment(power) for power, one in enumerate(moments)]
        sigma = parameters["activation"].base
        *raw, energy, _ = (ctx.convert(one) for one in quadrature(sigma, max(size, 4), self.digits))
        self.c = [one / factorial(k) for k, one in enumerate(hermite_moments(raw, max(size, 2)))]
        energy -= raw[0] ** 2
        self.curved = energy - self.c[1] ** 2
        slopes = ctx.convert(quadrature(sigma.diff(Z), 0, self.digits)[1])
        noise = self.number(parameters["sigma_eps"]) ** 2
        self.phi, self.psi = (self.number(parameters[name]) for name in ("phi", "psi"))
        self.signal, self.label_energy = moments[1], square + noise
        length2, own, self.tau = self.signal**2 + self.phi * self.label_energy, ctx.zero, ctx.zero
        spikes, output = parameters.get("spikes", "step"), ctx.zero
        if spikes == "step":
            output = energy
            length2 += self.c[1] ** 2 + self.phi * energy
        if spikes != "source":
            own = self.phi * (self.label_energy + output) * (slopes - self.c[1] ** 2) / (self.c[1] ** 2 * length2)
        if spikes == "step":
            self.tau = -abs(self.c[1]) / ctx.sqrt(length2)
        self.length = ctx.sqrt(length2)
        self.rho = self.signal / self.length
        rest = ctx.sqrt(1 - self.rho**2)
        with_label = [
            sum(comb(k, i) * self.rho**i * rest ** (k - i) * moments[i] * self.moment(k - i) for i in range(k + 1))
            for k in range(size + 1)
        ]
        # E_g (z + sqrt(own) g)^k, by powers of z
        heat = {
            k: [comb(k, j) * self.moment(k - j) * ctx.sqrt(own) ** (k - j) if (k - j) % 2 == 0 else ctx.zero for j in range(k + 1)]
            for k in degrees
        }
        self.h = [sum(one * self.moment(j + 1) for j, one in enumerate(heat[k])) for k in degrees]
        self.D = [
            [
                sum(a * b * self.moment(i + j) for i, a in enumerate(heat[k]) for j, b in enumerate(heat[m])) - hk * hm
                for m, hm in zip(degrees, self.h, strict=True)
            ]
            for k, hk in zip(degrees, self.h, strict=True)
        ]
        label = [sum(one * with_label[j] for j, one in enumerate(heat[k])) for k in degrees]
        self.r = [one - h * self.signal * self.rho for one, h in zip(label, self.h, strict=True)]

    def number(self, value: Any) -> Any:
        return number(self.ctx, value)

    def moment(self, power: int) -> Any:
        """E z^power."""
        return self.ctx.zero if power % 2 else self.ctx.mpf(factorial(power)) / (2 ** (power // 2) * factorial(power // 2))

    def eta(self) -> Any:
        """c n^alpha."""
        given = self.given
        return self.number(given.get("c", 1)) * self.ctx.power(self.number(given["n"]), self.number(given["alpha"]))

    def inverse_strengths(self) -> list[Any]:
        """1/(sqrt(N) t_k)."""
        if self.strong:
            return [self.ctx.zero for _ in self.degrees]
        ctx, given = self.ctx, self.given
        width = self.number(given["n"]) * self.phi / self.psi
        shift = self.c[1] * self.eta() * self.length / ctx.sqrt(width)
        return [1 / (self.c[k] * shift**k * ctx.sqrt(width)) for k in self.degrees]

    def at(self, lam: Fraction) -> tuple[Any, Any]:
        """(loss, kappa)."""
        ctx = self.ctx
        needs = {"psi1": 1 / self.given["phi"], "psi2": 1 / self.given["psi"], "lam": lam, "activation": self.given["activation"]}
        traces = Traces(Model(needs, {name: str(value) for name, value in needs.items()}), self.digits)
        m1, plain = (ctx.convert(traces.limit(name)) for name in ("M1", "T"))
        ratio = self.phi**-1 * self.psi  # n/N
        w = ctx.convert(traces.limit("M2")) / ratio / m1
        penalty = self.number(lam)
        kappa = 1 / (ratio * m1)
        q = penalty * ratio * plain  # lambda (n/N) (1/N) tr of the resolvent of F0^T F0/N: kappa (1/N) tr (Sigma0 + kappa)^-1
        along = q / (1 + 2 * self.c[2] ** 2 * q / (self.psi * kappa))  # on the vector 1
        before = penalty * ratio * m1 * (self.signal**2 * (w - 1) + self.label_energy)
        if not self.degrees:
            return before, kappa
        rest = self.curved + kappa  # c_{>1}^2 + kappa
        seen = (1 - self.tau**2) * w + self.tau**2 * self.psi * (1 - w) * rest / self.c[1] ** 2
        size = len(self.degrees)
        M, P, cross = ctx.matrix(size, size), ctx.matrix(size, size), ctx.matrix(size, size)
        for i, j in enumerate(self.degrees):
            for k, m in enumerate(self.degrees):
                M[i, k] = ratio * m1 * (self.D[i][k] + self.h[i] * self.h[k] * seen)
                constant = self.moment(j) * self.moment(m)
                P[i, k] = q * (self.moment(j + m) - constant) + along * constant
                cross[i, k] = self.h[i] * self.tau * self.moment(m + 1) * self.psi * (1 - w) / abs(self.c[1])
        for i, one in enumerate(self.inverse_strengths()):
            cross[i, i] += one
        g = ctx.matrix([ratio * m1 * (r + w * h * self.signal * self.rho) for r, h in zip(self.r, self.h, strict=True)])
        solved = ctx.lu_solve(M + cross * ctx.inverse(P) * cross.T, g)
        return before - penalty * (g.T * solved)[0, 0], kappa

    def errors(self) -> tuple[Any, Any]:
        """(training loss, test error against the teacher without noise)."""
        lam = Fraction(self.given["lam"])
        step = lam / 10 ** (self.digits // 4)
        value, kappa = self.at(lam)
        slope = (self.at(lam + step)[0] - self.at(lam - step)[0]) / (2 * self.number(step))
        penalty = self.number(lam)
        return value, (kappa / penalty) ** 2 * (value - penalty * slope) - self.number(self.given["sigma_eps"]) ** 2


def written(given: Mapping[str, Any], digits: int, name: str, degrees: Sequence[int]) -> dict[str, Number]:
    """The drops with the spikes of the step as it is written."""
    place, step = ("delta", "lambda").index(name), {**given, "spikes": "step"}
    before = Loss(step, [], True, digits)
    start, found = before.errors()[place], {}
    for ell in range(1, given["ell"] + 1):
        after = Loss(step, [k for k in degrees if k <= ell], True, digits).errors()[place]
        found[f"step_{name}_{ell}"] = start - after
    return found


def finite_step(parameters: Mapping[str, Any], digits: int) -> dict[str, Number]:
    """The values of ``moniri2024.finite-step``, ``eta`` and ``strengths`` included."""
    given = checked_parameters(parameters)
    degrees = present(given["activation"].base, given["ell"])
    values: dict[str, Any] = {}
    for suffix, kept, strong in (("", degrees, False), ("_before", [], False), ("_limit", degrees, True)):
        loss = Loss(given, kept, strong, digits)
        values[f"training_loss{suffix}"], values[f"test_error{suffix}"] = loss.errors()
    weak = Loss(given, degrees, False, digits)
    values["eta"] = weak.eta()
    for place, one in enumerate(weak.inverse_strengths()):
        values[f"strengths[{place}]"] = 1 / one
    return values


def _step_delta(ell: int) -> Callable[[Model, int], Number]:
    def route(model: Model, digits: int) -> Number:
        values = model.values
        given = {**values, "phi": 1 / values["psi1"], "psi": 1 / values["psi2"], "spikes": "step"}
        before, after = Loss(given, [], True, digits), Loss(given, range(1, ell + 1), True, digits)
        return before.errors()[0] - after.errors()[0]

    return route


step_delta_1, step_delta_2 = _step_delta(1), _step_delta(2)
