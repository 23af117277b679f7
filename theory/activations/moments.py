"""Moments of a function under N(0, 1): exact where a closed form is known, enclosed otherwise.

A function is a SymPy expression in ``theory.functions.language.variable()``, used as it is given: centring and normalising
belong to ``theory.activations.activation``. c_k = E f(z) He_k(z) with He_k monic, E He_k(z)^2 = k!.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from typing import Any

import sympy as sp
from flint import arb

from pencils.errors import InputError, PrecisionError
from pencils.exact.balls import enclose
from pencils.exact.numbers import as_float, bits_for, check_digits, refine, working_precision
from theory.functions.closed_means import closed_form, hermite_closed_form
from theory.functions.growth import Growth, growth_bound
from theory.functions.language import variable
from theory.functions.normal_form import canonical, even_odd, expanded, pieces
from theory.quadrature.half_line import half_line_ball

# Refinement doubles the bits this often; a moment that vanishes without a proof then ends in PrecisionError.
_DOUBLINGS = 4
_EXACT_DOUBLINGS = 9
_GUARD = 20


@dataclass(frozen=True, eq=False)
class Moment:
    """One real number: ``exact`` (SymPy, or None where no closed form is known) and enclosures to any precision.

    Moments are compared by identity: whether two numbers are equal is a question for their enclosures.
    """

    name: str
    exact: sp.Expr | None
    quadrature: Callable[[int], arb] | None = field(default=None, repr=False)

    def ball(self, bits: int) -> arb:
        """Enclosure with an error near 2^-bits, relative to the natural size of the quantity."""
        with working_precision(bits + _GUARD):
            if self.exact is not None:
                return arb(enclose(self.exact, {}))
            assert self.quadrature is not None
            return self.quadrature(bits)

    def value(self, digits: int = 30) -> sp.Expr:
        """``sympy.Float`` of ``digits`` proven digits; 0 when exactly 0. Raises PrecisionError when they cannot be proven,
        which is what happens to a number that vanishes without an exact proof."""
        digits = check_digits(digits)
        doublings = _DOUBLINGS if self.exact is None else _EXACT_DOUBLINGS
        return as_float(refine(self.ball, digits, self.name, doublings), digits)

    def sign(self, digits: int = 30) -> int:
        """Sign of the number: by enclosures of more and more bits, and exactly where it has a closed form that vanishes.

        Raises PrecisionError where neither decides.
        """
        if self.exact is not None and self.exact.is_zero:
            return 0
        bits = bits_for(digits)
        for _ in range(5):
            with working_precision(bits):
                ball = self.ball(bits)
            if ball > 0:
                return 1
            if ball < 0:
                return -1
            if ball.is_zero():
                return 0
            bits *= 2
        if self.exact is not None and self.exact.equals(0):
            return 0
        raise PrecisionError(f"the sign of a number enclosed by {ball} could not be decided")


def moment(name: str, exact: sp.Expr | None, quadrature: Callable[[int], arb] | None = None) -> Moment:
    """A Moment, its exact value replaced by 0 where it is shown to vanish."""
    return Moment(name, None if exact is None else _settled(exact), quadrature)


def combine(name: str, rule: Callable[..., Any], *moments: Moment) -> Moment:
    """The moment ``rule(*moments)``, exact when all of them are; ``rule`` acts on SymPy numbers and on balls alike."""
    exacts = [part.exact for part in moments]
    exact = None if any(part is None for part in exacts) else sp.expand(rule(*exacts))
    return moment(name, exact, lambda bits: rule(*(part.ball(bits) for part in moments)))


def root(name: str, square: Moment) -> Moment:
    """The square root of a moment that is >= 0; the enclosure is not finite while the ball meets negative numbers."""
    exact = None if square.exact is None else sp.sqrt(square.exact)
    return moment(name, exact, lambda bits: square.ball(bits).sqrt())


def _settled(exact: sp.Expr) -> sp.Expr:
    for bits in (256, 4096):  # most numbers are settled by the first; simplify is slow
        with working_precision(bits):
            if not arb(enclose(exact, {})).contains(0):
                return exact
    return sp.S.Zero if sp.simplify(exact) == 0 else exact


# --- moments of a function as given, before centring -------------------------------------------------------------------


@lru_cache(maxsize=4096)
def base_coefficient(base: sp.Expr, k: int) -> Moment:
    """c_k = E base(z) He_k(z): only the part with the parity of k counts."""
    part = even_odd(base)[k % 2]
    return moment(
        f"E[f(z) He_{k}(z)]",
        hermite_closed_form(part, k),
        lambda bits: half_line_ball(part, growth_bound(base), bits, k),
    )


@lru_cache(maxsize=256)
def base_energy(base: sp.Expr) -> Moment:
    """E base(z)^2, as the sum of its even and odd halves: their product is odd."""
    even, odd = (_energy_of_part(part, growth_bound(base)) for part in even_odd(base))
    return combine("E f(z)^2", lambda a, b: a + b, even, odd)


def _energy_of_part(part: sp.Expr, growth: Growth) -> Moment:
    square = expanded(part**2)
    return moment("E f(z)^2", hermite_closed_form(square, 0), lambda bits: half_line_ball(square, growth.squared(), bits))


@lru_cache(maxsize=256)
def base_variance(base: sp.Expr) -> Moment:
    """Var base(z) = E base(z)^2 - (E base(z))^2."""
    return combine("Var f(z)", lambda energy, mean: energy - mean**2, base_energy(base), base_coefficient(base, 0))


@lru_cache(maxsize=256)
def base_deviation(base: sp.Expr) -> Moment:
    """The standard deviation of base(z)."""
    return root("standard deviation of f(z)", base_variance(base))


@lru_cache(maxsize=256)
def base_mean_derivative(base: sp.Expr) -> Moment:
    """E base'(z) by differentiating, not by Stein's lemma. Raises InputError where base has a jump or could not be shown
    to have none, MomentError where E |base'(z)| could not be shown to be finite."""
    slope = derivative(base)
    even = even_odd(slope)[0]
    return moment("E f'(z)", closed_form(slope), lambda bits: half_line_ball(even, growth_bound(slope, "derivative", 1), bits))


def derivative(f: sp.Expr) -> sp.Expr:
    """f' almost everywhere, for f continuous and piecewise smooth (then absolutely continuous). Raises InputError where f
    has a jump, or where that could not be excluded."""
    x = variable()
    f = canonical(f)
    branches = pieces(f, -sp.oo, sp.oo)
    if branches is None:
        if f.atoms(sp.sign, sp.Piecewise):
            raise InputError(f"E f'(z) of {f}: its breakpoints are not known exactly, so a jump could not be excluded")
        return sp.diff(f, x)
    for (_, end, left), (_, _, right) in pairwise(branches):
        if _settled((left - right).subs(x, end)) != 0:
            raise InputError(f"E f'(z) of {f}: the function has a jump at {end}, so E f' does not determine E z f(z)")
    slopes = [(sp.diff(branch, x), x < end) for _, end, branch in branches[:-1]]
    return sp.Piecewise(*slopes, (sp.diff(branches[-1][2], x), True))
