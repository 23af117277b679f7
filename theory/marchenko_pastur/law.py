"""The Marchenko-Pastur law of the weights at initialisation at an exact ratio: proven digits and enclosures.

Its equations and closed forms with psi2 a symbol are those of ``theory.marchenko_pastur.symbolic``, where notation and
normalisation are said.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

import sympy as sp
from flint import acb, arb

from pencils.errors import InputError
from pencils.exact.balls import enclose
from pencils.exact.numbers import as_float, check_digits, exact, refine, to_ball, working_precision
from theory.marchenko_pastur.branch import Point, branch_root, exact_point, gaussian_parts, gaussian_rational, meet
from theory.marchenko_pastur.symbolic import (
    M_COMPANION,
    MAX_MOMENT,
    MAX_ORDER,
    PSI2,
    M,
    W,
    Z,
    coefficients,
    edges_symbolic,
    equation,
    moment_polynomial,
    r_transform,
    s_transform,
    stieltjes_symbolic,
    whole,
)
from theory.proof.symbols import latex

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True)
class MarchenkoPastur:
    """The d x d law of W0 W0^T, or with ``companion=True`` that of W0^T W0, at an exact ratio psi2 = N/d > 0.

    m(z) = normalised trace of (M - z)^{-1}. Points z are exact: int, text ("7/10", "7/10 + I/2"), Fraction, Decimal,
    float (the decimal of its repr), complex, SymPy numbers; the ``_ball`` methods also take ``flint`` balls. A real z
    inside the bulk means z + i0. Raises InputError for psi2 <= 0. Source: statements.md, section 2 (``ba2022``).
    """

    psi2: Fraction
    companion: bool = False

    def __post_init__(self) -> None:
        value = exact(self.psi2, "psi2")
        if value <= 0:
            raise InputError(f"psi2 = {value}: the ratio N/d of width to dimension must be positive")
        object.__setattr__(self, "psi2", value)

    @cached_property
    def _ratio(self) -> sp.Rational:
        return sp.Rational(self.psi2.numerator, self.psi2.denominator)

    def equation(self, m: sp.Expr = M, z: sp.Expr = Z) -> sp.Eq:
        """The quadratic satisfied by m(z), as ``sympy.Eq``."""
        return equation(m, z, self._ratio, self.companion)

    def stieltjes_symbolic(self, z: sp.Expr = Z) -> sp.Expr:
        """The closed form of m(z) with explicit principal roots."""
        return stieltjes_symbolic(z, self._ratio, self.companion)

    def edges_symbolic(self) -> tuple[sp.Expr, sp.Expr]:
        """The exact edges (1 -+ sqrt psi2)^2 of the bulk."""
        lower, upper = edges_symbolic(self._ratio)
        return sp.expand(lower), sp.expand(upper)

    def edges(self, digits: int = 30) -> tuple[sp.Expr, sp.Expr]:
        """The edges of the bulk to ``digits`` digits; the lower one is 0 at psi2 = 1."""
        # (1 - psi2)^2/lambda_+ has no cancellation when psi2 is near 1.
        lower = _float(lambda bits: to_ball((1 - self.psi2) ** 2) / self._upper_edge(), digits, "the lower edge")
        return lower, _float(lambda bits: self._upper_edge(), digits, "the upper edge")

    def _upper_edge(self) -> Any:
        return (1 + to_ball(self.psi2).sqrt()) ** 2

    def atoms(self) -> list[tuple[sp.Rational, sp.Rational]]:
        """The atoms, exact pairs (location, mass): mass 1 - psi2 (companion 1 - 1/psi2) at 0 where that is positive."""
        mass = 1 - 1 / self._ratio if self.companion else 1 - self._ratio
        return [(sp.Integer(0), mass)] if mass > 0 else []

    def support(self) -> sp.Set:
        """The support as an exact SymPy set: the bulk and, if there is an atom, the point 0."""
        return sp.Union(sp.Interval(*self.edges_symbolic()), sp.FiniteSet(*[place for place, _ in self.atoms()]))

    def moments(self, k: int) -> list[sp.Rational]:
        """The exact moments [m_1, ..., m_k]."""
        last = whole(k, "k", 1, MAX_MOMENT)
        return [moment_polynomial(j, self._ratio, self.companion) for j in range(1, last + 1)]

    def r_transform(self, w: sp.Expr = W) -> sp.Expr:
        """R(w) = z - 1/w where m(z) = -w."""
        return r_transform(w, self._ratio, self.companion)

    def s_transform(self, w: sp.Expr = W) -> sp.Expr:
        """S(w) = (1 + w)/w u where sum_k m_k u^k = w."""
        return s_transform(w, self._ratio, self.companion)

    def stieltjes(self, z: Any, digits: int = 30) -> sp.Expr:
        """m(z) to ``digits`` digits in each component, for any z but a pole; m(x + i0) for real x inside the bulk.

        An edge of the bulk may be given exactly, as ``edges_symbolic`` returns it. Raises InputError at z = 0 where
        the law has an atom there, or psi2 = 1.
        """
        return _float(lambda bits: self.stieltjes_ball(z, bits), digits, "the Stieltjes transform")

    def stieltjes_ball(self, z: Any, bits: int) -> Any:
        """Enclosure of m(z) computed with ``bits`` bits: an arb for real z outside the bulk, else an acb."""
        with working_precision(bits):
            edge = self._irrational_edge(z)
            if edge is not None:
                a, b = coefficients(self._ratio, self.companion)
                return enclose(-(edge + b) / (2 * a * edge), {})
            return self._point(z).taylor(0)

    def stieltjes_derivative(self, z: Any, order: int = 1, digits: int = 30) -> sp.Expr:
        """d^order m/dz^order to ``digits`` digits in each component; of the boundary value inside the bulk.

        Raises InputError where m has a pole, and at an edge, where m behaves like a square root.
        """
        return _float(lambda bits: self.stieltjes_derivative_ball(z, order, bits), digits, "the derivative of m")

    def stieltjes_derivative_ball(self, z: Any, order: int, bits: int) -> Any:
        """Enclosure of d^order m/dz^order computed with ``bits`` bits; z may be a ball."""
        order = whole(order, "order", 1, MAX_ORDER)
        with working_precision(bits):
            point = None if self._irrational_edge(z) is not None else self._point(z)
            if point is None or point.at_edge:
                raise InputError(
                    f"z = {z}: an edge of the bulk, where m has a square-root branch point and its "
                    "derivatives diverge; give another z"
                )
            return point.taylor(order) * arb(sp.factorial(order).p)

    def density(self, x: Any, digits: int = 30) -> sp.Expr:
        """Density of the continuous part at real x: sqrt((lambda_+ - x)(x - lambda_-))/(2 pi a x), 0 off the bulk.

        Raises InputError at x = 0 if psi2 = 1, where it diverges.
        """
        return _float(lambda bits: self.density_ball(x, bits), digits, "the density")

    def density_ball(self, x: Any, bits: int) -> Any:
        """Enclosure of the density Im m(x + i0)/pi at real x, which may be a ball."""
        if not isinstance(x, (arb, acb)) and self._irrational_edge(x) is None:
            real, imag = gaussian_parts(x)
            if imag:
                raise InputError(f"x = {x}: a density is taken at a real point")
            if real == 0 and self.atoms():  # m has a pole at the atom; the continuous part is 0 there
                return arb(0)
        with working_precision(bits):
            return acb(self.stieltjes_ball(x, bits)).imag / arb.pi()

    def density_array(self, xs: Any) -> np.ndarray:
        """The density of the continuous part at an array of real points, in double precision; inf where it diverges."""
        import numpy as np

        xs = np.asarray(xs, dtype=float)
        a = float(coefficients(self.psi2, self.companion)[0])
        root = np.sqrt(float(self.psi2))
        inside = np.sqrt(np.maximum(((1 + root) ** 2 - xs) * (xs - (1 - root) ** 2), 0))
        with np.errstate(divide="ignore", invalid="ignore"):
            values = np.where(inside > 0, inside / (2 * np.pi * a * xs), 0.0)
        return np.where((xs == 0) & (self.psi2 == 1), np.inf, values)

    def _repr_latex_(self) -> str:
        symbol = M_COMPANION if self.companion else M
        ratio = latex(sp.Eq(PSI2, self._ratio, evaluate=False))
        return rf"$\displaystyle {latex(self.equation(symbol))}, \quad {ratio}$"

    def _irrational_edge(self, z: Any) -> sp.Expr | None:
        """z, when it is an edge of the bulk given exactly and irrational."""
        if isinstance(z, sp.Expr) and not z.is_Rational:
            return next((edge for edge in self.edges_symbolic() if sp.expand(z - edge) == 0), None)
        return None

    def _point(self, z: Any) -> Point:
        a, b = coefficients(self.psi2, self.companion)
        if isinstance(z, (arb, acb)):
            ball = acb(z)
            offset = ball - to_ball(1 + self.psi2)
            disc = offset**2 - to_ball(4 * self.psi2)
            root = branch_root(offset, disc)
            point: Any = ball.real if ball.imag.is_zero() else ball
            # The roots multiply to 1/(a z): this makes two forms of m, and at most one of them cancels.
            m = meet((root - point - to_ball(b)) / (2 * to_ball(a) * point), -2 / (root + point + to_ball(b)))
            return Point(to_ball(a), point, root, m, lambda value: value, bool(disc.is_zero()))
        real, imag = gaussian_parts(z)
        if real == 0 and imag == 0 and (self.psi2 == 1 or self.atoms()):
            why = (
                "the density diverges there when psi2 = 1"
                if self.psi2 == 1
                else f"the law has an atom of mass {self.atoms()[0][1]} there"
            )
            raise InputError(f"z = 0: m(z) is infinite, because {why}; give another z")
        return exact_point(self.psi2, Fraction(a), b, gaussian_rational(real, imag))


def _float(compute: Callable[[int], Any], digits: int, what: str) -> sp.Expr:
    """``sympy.Float`` of what ``compute(bits)`` encloses; each component is proven to ``digits`` digits of its own."""
    digits = check_digits(digits)
    compute = lru_cache(maxsize=None)(compute)

    def part(name: str) -> sp.Expr:
        return as_float(refine(lambda bits: getattr(acb(compute(bits)), name), digits, what), digits)

    return part("real") + sp.I * part("imag")
