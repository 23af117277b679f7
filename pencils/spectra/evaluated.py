"""A spectrum at exact values of its parameters: the numbers behind ``spectral_law.Spectrum``.

Values come from the descent in height, edges and atoms from the polynomial, or from the folds of the equations where there is
none.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import sympy as sp
from flint import acb, fmpq_poly

from pencils.dyson.equations import Equations
from pencils.elimination.eliminate import polynomial
from pencils.elimination.evaluation import evaluate
from pencils.errors import ConvergenceError, NoPolynomialError
from pencils.exact.numbers import as_float, bits_for, refine, working_precision
from pencils.exact.puiseux import ball_of
from pencils.spectra.density import Descent
from pencils.spectra.fold_edges import Folds
from pencils.spectra.polynomial_edges import Curve, Point


class Solved:
    """``of`` are the equations of tr (M - z)^{-1}, with z their spectral symbol; ``exact`` gives all other parameters."""

    def __init__(self, of: Equations, exact: Mapping[sp.Symbol, sp.Expr]) -> None:
        assert of.spectral is not None
        self.of, self.z, self.exact = of, of.spectral, dict(exact)

    @cached_property
    def descent(self) -> Descent:
        return Descent(self.of, self.exact, self.z)

    @cached_property
    def curve(self) -> Curve | None:
        """P(m, z) = 0, None where elimination does not find it or its coefficients are not rational."""
        try:
            return Curve(polynomial(self.of, self.exact), self.z, self.descent)
        except NoPolynomialError:
            return None

    @cached_property
    def folds(self) -> Folds:
        return Folds(self.descent)

    @property
    def points(self) -> list[Any]:
        """Singular points from the polynomial, or folds of the equations, from left to right."""
        return list(self.folds.points if self.curve is None else self.curve.points)

    def check_atoms(self) -> None:
        """Raise NoPolynomialError where there are atoms that only a polynomial would tell."""
        if self.curve is None and self.folds.has_atoms:
            raise NoPolynomialError(
                f"the density has mass {self.folds.mass:.6g}, the rest is in atoms, which are found from the "
                "polynomial, and that is out of reach; density, edges and stieltjes need none"
            )

    @property
    def edge_points(self) -> list[Any]:
        return [point for point in self.points if point.behaviour.exponent]

    def stieltjes(self, z: npt.NDArray[Any]) -> npt.NDArray[np.complex128]:
        flat = np.asarray(z, complex).reshape(-1)
        below = flat.imag < 0
        m, found = self.descent.stieltjes(np.where(below, flat.conj(), flat))
        for k in np.flatnonzero(~found):
            value = evaluate(self.of, {**self.exact, self.z: complex(flat[k])}, 15)
            m[k] = complex(value) if not below[k] else complex(value).conjugate()
        return np.where(below, m.conj(), m).reshape(np.shape(z))

    def density(self, xs: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        flat = xs.reshape(-1)
        rho, found = self.descent.density(flat)
        for k in np.flatnonzero(~found):
            rho[k] = self._one(float(flat[k]))
        return rho.reshape(xs.shape)

    def _one(self, x: float) -> float:
        """The density at a point where float64 does not reach: at a singular point, or too near to one."""
        place = sp.Rational(x)
        curve = self.curve
        if curve is None:
            # an average over a density costs many nodes for every digit
            digits = 9 if self.descent.is_adaptive else 15
            return float(sp.im(evaluate(self.of, {**self.exact, self.z: place}, digits))) / np.pi
        for point in curve.points:
            if point.rational == place:
                exponent = point.behaviour.exponent
                if exponent == 0:
                    raise ConvergenceError(f"at {place} an atom is inside the continuous part: the density was not computed there")
                return 0.0 if exponent is None or exponent > 0 else np.inf
        return max(0.0, float(curve.value(place).imag.mid()) / np.pi)

    def edges(self, digits: int) -> list[sp.Expr]:
        return [position(point, digits) for point in self.edge_points]

    def support(self, digits: int) -> list[tuple[sp.Expr, sp.Expr]]:
        self.check_atoms()
        points = self.points
        found: list[tuple[sp.Expr, sp.Expr]] = []
        start: sp.Expr | None = -sp.oo if points and points[0].left else None
        for point in points:
            if point.left and not point.right:
                found.append((start, position(point, digits)))
            elif point.right and not point.left:
                start = position(point, digits)
            elif not point.left:
                found.append((position(point, digits),) * 2)
        if points and points[-1].right:
            found.append((start, sp.oo))
        return found

    def measured(self) -> list[float]:
        """The exponent at every edge, from the density at two points beside it."""
        points = self.edge_points
        places = [float(point.ball(64).mid()) for point in points]
        if not places:
            return []
        gaps = [min((abs(a - b) for b in places if b != a), default=1.0) for a in places]
        signs = [1.0 if point.right else -1.0 for point in points]
        xs = [p + sign * gap * step for p, gap, sign in zip(places, gaps, signs, strict=True) for step in (1e-6, 1e-5)]
        rho = self.density(np.array(xs)).reshape(-1, 2)
        return [float(np.log10(b / a)) for a, b in rho]


def position(point: Point, digits: int) -> sp.Expr:
    if point.rational is not None:
        return point.rational
    return as_float(refine(point.ball, digits, "an edge"), digits)


def mass(point: Point, digits: int) -> sp.Expr:
    residue = point.behaviour.residue
    if isinstance(residue, fmpq_poly) and residue.degree() < 1:
        return -sp.Rational(int(residue[0].p), int(residue[0].q))
    if isinstance(residue, acb):
        with working_precision(bits_for(digits)):
            return as_float(-residue.real, digits)
    return as_float(refine(lambda bits: -ball_of(residue, point.ball(bits)).real, digits, "the mass of an atom"), digits)


def kind(point: Point) -> str:
    exponent = point.behaviour.exponent
    if exponent is not None and exponent < 0:
        return "inverse power"
    if point.left and point.right:
        return "cusp"
    return "square root" if exponent == Fraction(1, 2) else "power"
