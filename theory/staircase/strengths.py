"""How strong the spikes of the feature matrix are: their exponents in n, and their sizes at n samples, exactly.

At eta ~ n^alpha the k-th spike grows like n^(k alpha - (k - 1)/2) over the bulk: there are l spikes where
(l - 1)/(2 l) < alpha < l/(2 l + 2).

Row j of eta G is eta a_j (c_1 b + q_j): b = X^T (y - f0)/n the direction all neurons share, q_j a vector of each neuron's own,
|q_j|^2 -> v. On fresh data the preactivation moves by eta a_j (c_1 <x, b> + <x, q_j>), and the mean over <x, q_j> of its k-th
power is eta^k a_j^k h_k(<x, b>) with h_k(p) = E_g (c_1 p + sqrt(v) g)^k: the k-th spike is c_k eta^k h_k(X b) (a^{ok})^T.
Source: statements.md, section 3 (``moniri2024``), where f0 and q_j are missing; chapter derivations.moniri2024.spikes.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import factorial
from typing import Any

from pencils.errors import InputError
from pencils.exact.numbers import to_ball
from theory.activations.hermite import HermiteExpansion
from theory.staircase.gram import heat_power, power_moment


def growth(k: int, alpha: Fraction) -> Fraction:
    """The exponent of n in the k-th spike's strength: k alpha - (k - 1)/2."""
    return k * alpha - Fraction(k - 1, 2)


def rung(ell: int) -> tuple[Fraction, Fraction]:
    """The ends of the range of alpha with ell spikes: where the ell-th and the next one's growth vanish."""
    return Fraction(ell - 1, 2 * ell), Fraction(ell, 2 * ell + 2)


def level(alpha: Fraction) -> int | None:
    """The number of spikes at 0 <= alpha < 1/2; None on a border of the ladder, alpha = 0 among them."""
    ell = 0
    while growth(ell + 1, alpha) > 0:
        ell += 1
    return None if growth(ell + 1, alpha) == 0 else ell


def shifted_power(k: int, c1: Any, v: Any) -> dict[int, Any]:
    """The coefficients of h_k(p) = E_g (c_1 p + sqrt(v) g)^k, by power of p."""
    return {j: factor * c1**j for j, factor in heat_power(k, v).items()}


class Spikes:
    """The constants of a step at the checked ``activation``, ``teacher``, ``sigma_eps``, ``phi``, ``psi``; numbers are balls.

    ``output=False`` is a network whose output before the step is small: f0 = 0. Raises InputError when c_1 = 0: the gradient has
    no common direction and there is no first spike.
    """

    def __init__(self, parameters: Mapping[str, Any], output: bool = True) -> None:
        self.parameters, self.output = parameters, output
        self.sigma = HermiteExpansion(parameters["activation"].centred())
        self.teacher = HermiteExpansion(parameters["teacher"].centred())
        if self.sigma.mu1.exact is not None and self.sigma.mu1.exact.is_zero:
            label = self.sigma.activation.label
            raise InputError(f"{label}: c_1 = E z sigma(z) = 0, so the step has no rank-one part and no spike")

    def c(self, k: int, bits: int) -> Any:
        """c_k = E[sigma He_k]/k!."""
        return self.sigma.coefficient(k).ball(bits) / factorial(k)

    def vanishes(self, k: int) -> bool:
        """Whether c_k is exactly 0."""
        exact = self.sigma.coefficient(k).exact
        return exact is not None and bool(exact.is_zero)

    def residual(self, bits: int) -> Any:
        """E (y - f0)^2 = c_*^2 + sigma_eps^2 + c_sigma^2: f0 = a^T sigma(W0 x) has the variance of sigma."""
        labels = self.teacher.energy.ball(bits) + to_ball(self.parameters["sigma_eps"]) ** 2
        return labels + self.sigma.energy.ball(bits) if self.output else labels

    def length_squared(self, bits: int) -> Any:
        """lim |b|^2 = c_{*,1}^2 + c_1^2 + phi E (y - f0)^2: E b = c_{*,1} beta - c_1 W0^T a."""
        first = self.teacher.mu1.ball(bits) ** 2
        if self.output:
            first += self.sigma.mu1.ball(bits) ** 2
        return first + to_ball(self.parameters["phi"]) * self.residual(bits)

    def own_squared(self, bits: int) -> Any:
        """v = lim |q_j|^2 = phi E (y - f0)^2 (E sigma'^2 - c_1^2)."""
        rest = self.sigma.slope_energy.ball(bits) - self.sigma.mu1.ball(bits) ** 2
        return to_ball(self.parameters["phi"]) * self.residual(bits) * rest

    def strength(self, k: int, n: Any, eta: Any, bits: int) -> Any:
        """|c_k| eta^k |h_k(X b)| |a^{ok}|/sqrt n at n samples, the two norms by their means of squares."""
        b2 = self.length_squared(bits)
        powers = shifted_power(k, self.sigma.mu1.ball(bits), self.own_squared(bits))
        square = sum(
            first * second * power_moment(i + j) * b2 ** ((i + j) // 2)
            for i, first in powers.items()
            for j, second in powers.items()
        )
        width = n * to_ball(self.parameters["phi"]) / to_ball(self.parameters["psi"])
        return (self.c(k, bits) ** 2 * eta ** (2 * k) * square * power_moment(2 * k) * width ** (1 - k)).sqrt()
