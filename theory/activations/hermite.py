"""Hermite coefficients of an activation: exact where a closed form is known, enclosed otherwise.

c_k = E sigma(z) He_k(z), z ~ N(0, 1), with He_k monic (E He_k^2 = k!): sigma = sum c_k He_k / k!, E sigma^2 = sum c_k^2/k!.
"""

from __future__ import annotations

from functools import cached_property

import sympy as sp

from theory.activations.activation import Activation, activation
from theory.activations.moments import (
    Moment,
    base_coefficient,
    base_deviation,
    base_energy,
    base_mean_derivative,
    base_variance,
    combine,
    derivative,
    moment,
    root,
)
from theory.functions.hermite_polynomials import check_order


class HermiteExpansion:
    """c_k = E sigma(z) He_k(z), mu0 = c_0, mu1 = c_1, mu2^2 = E sigma^2 - mu0^2 - mu1^2 of an activation.

    Centring makes mu0 exactly 0 and normalising the energy exactly 1, whether or not the constants have closed forms.
    Errors: those of ``Activation.base``; InputError for an order outside 0..200.
    """

    def __init__(self, sigma: Activation | str | sp.Expr) -> None:
        self.activation = activation(sigma)
        self._base = self.activation.base

    def _scaled(self, name: str, part: Moment, degree: int = 1) -> Moment:
        named = combine(name, lambda value: value, part)
        if not self.activation.is_normalised:
            return named
        return combine(name, lambda value, scale: value / scale**degree, part, base_deviation(self._base))

    def coefficient(self, k: int) -> Moment:
        """c_k = E sigma(z) He_k(z), not divided by k!; k at most 200."""
        k = check_order(k)
        name = f"c_{k} of {self.activation.label}"
        if k == 0 and self.activation.is_centred:
            return moment(name, sp.S.Zero)
        return self._scaled(name, base_coefficient(self._base, k))

    @property
    def mu0(self) -> Moment:
        """E sigma(z)."""
        return self.coefficient(0)

    @property
    def mu1(self) -> Moment:
        """E z sigma(z)."""
        return self.coefficient(1)

    @cached_property
    def energy(self) -> Moment:
        """E sigma(z)^2."""
        name = f"E sigma^2 of {self.activation.label}"
        if self.activation.is_normalised:
            return moment(name, sp.S.One)
        return self._scaled(name, (base_variance if self.activation.is_centred else base_energy)(self._base))

    @cached_property
    def mu2_squared(self) -> Moment:
        """E sigma^2 - mu0^2 - mu1^2, the energy beyond the linear part."""
        return combine(
            f"mu2^2 of {self.activation.label}",
            lambda energy, mu0, mu1: energy - mu0**2 - mu1**2,
            self.energy,
            self.mu0,
            self.mu1,
        )

    @cached_property
    def mu2(self) -> Moment:
        """sqrt(E sigma^2 - mu0^2 - mu1^2) >= 0; exactly 0 for a linear function."""
        return root(f"mu2 of {self.activation.label}", self.mu2_squared)

    @cached_property
    def mean_derivative(self) -> Moment:
        """E sigma'(z), computed from the derivative; equal to mu1 by Stein's lemma. Raises InputError for a function with a
        jump, MomentError where E |sigma'(z)| could not be shown to be finite."""
        return self._scaled(f"E sigma' of {self.activation.label}", base_mean_derivative(self._base))

    @cached_property
    def slope_energy(self) -> Moment:
        """E sigma'(z)^2. Raises InputError for a function with a jump, MomentError where it could not be shown to be finite."""
        return self._scaled(f"E sigma'^2 of {self.activation.label}", base_energy(derivative(self._base)), 2)

    @property
    def mean_second_derivative(self) -> Moment:
        """E sigma''(z) in the sense of E sigma(z) He_2(z) = c_2, which kinked functions have too."""
        return self.coefficient(2)


def coefficients(sigma: Activation | str | sp.Expr, order: int, digits: int = 30) -> list[sp.Expr]:
    """[c_0, ..., c_order] to ``digits`` proven digits, exact zeros as 0; order at most 200."""
    expansion = HermiteExpansion(sigma)
    return [expansion.coefficient(k).value(digits) for k in range(check_order(order) + 1)]
