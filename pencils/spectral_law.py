"""The limiting spectrum of a symmetric matrix expression: Stieltjes transform, density, edges, atoms, moments, support.

m(z) is the normalised trace of (M - z)^{-1} throughout; the density is Im m(x + i0)/pi, without the atoms.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import sympy as sp

from pencils.dyson.values import exact_values
from pencils.elimination.continuous_moments import continuous_moments
from pencils.elimination.moments import moments
from pencils.errors import InputError
from pencils.exact.numbers import DEFAULT_DIGITS, check_digits
from pencils.finite_size.given import Drawn
from pencils.finite_size.sample import eigenvalues
from pencils.language.declarations import check_mapping
from pencils.language.ensembles import Deterministic, Ensemble, Vector, same
from pencils.language.expression import read
from pencils.language.tree import Expression, is_symmetric
from pencils.law import Law, expected_trace
from pencils.outliers.determinant import Outliers
from pencils.outliers.finite_rank import FiniteRank
from pencils.outliers.search import Outlier
from pencils.outliers.thresholds import Threshold, thresholds
from pencils.spectra.evaluated import Solved, kind, mass, position
from pencils.spectra.picture import Picture, check_picture, draw

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Values = Mapping[Any, Any] | None
NAMES = ("z", "zeta", "z_0", "z_1")


def spectrum(expr: Any, ensembles: Mapping[sp.MatrixSymbol, Ensemble]) -> Spectrum:
    """The limiting spectrum of a symmetric matrix expression M, with ``ensembles`` as in ``expected_trace``.

    Finite-rank terms (``theta*u*u.T``) do not change it; they make the ``outliers``. Raises InputError naming what is wrong in
    shapes, sizes or declarations, and for an expression that is not equal to its adjoint.
    """
    check_mapping(ensembles)
    for symbol, ensemble in ensembles.items():
        if isinstance(ensemble, Deterministic) and ensemble.is_array:
            raise InputError(
                f"{symbol} is a matrix without a law: a spectrum needs the law of its eigenvalues, "
                "Deterministic(law=[...]), or Deterministic(singular_values=[...])"
            )
    if any(isinstance(ensemble, Vector) for ensemble in ensembles.values()):
        finite = FiniteRank(expr, ensembles)
        return Spectrum(expr, ensembles, finite.given, *finite.unperturbed, finite)
    given = read(expr, ensembles)
    if given.ends is not None or not same(given.tree.rows, given.tree.cols):
        raise InputError(f"{expr} is {given.tree.rows} x {given.tree.cols}: only a square matrix has a spectrum")
    if not is_symmetric(given):
        raise InputError(
            f"{expr} is not equal to its adjoint as it is written: the eigenvalues of a matrix that is not symmetric "
            "are complex, and m(z) on the real axis does not determine them; ask for its singular values, "
            "spectrum(M*M.T, ...), or for the hermitisation, spectrum((M - w*I)*(M - w*I).T, ...)"
        )
    return Spectrum(expr, ensembles, given, expr, ensembles)


@dataclass(frozen=True)
class Edge:
    """A point where the density begins, ends, or touches 0 or infinity: it is like |x - position|^exponent there.

    ``side``: "begins" (density on the right only), "ends" or "inside"; ``kind``: "square root", "cusp", "inverse power" or
    "power"; ``measured``: the exponent as two values of the density show it; ``polynomial``: irreducible, with the root
    ``position``, None where the edge was found from the equations.
    """

    position: sp.Expr
    exponent: sp.Rational
    side: str
    kind: str
    measured: float
    polynomial: sp.Poly | None


class Spectrum:
    """See ``spectrum``. ``values`` gives every parameter a number as in ``Law.evaluate``, dimensions up to a common factor; it may
    be left out where the only parameter is one dimension. m(z) is the normalised trace of (M - z)^{-1}."""

    def __init__(
        self,
        expr: Any,
        ensembles: Mapping[sp.MatrixSymbol, Ensemble],
        given: Expression,
        body: Any,
        remaining: Mapping[sp.MatrixSymbol, Ensemble],
        finite: FiniteRank | None = None,
    ) -> None:
        """``given`` is the checked expression; ``body`` and ``remaining`` are what is left without the ``finite``-rank terms."""
        self.expr, self.ensembles, self.given, self._finite = expr, ensembles, given, finite
        taken = {symbol.name for symbol in given.parameters}
        self.z = sp.Symbol(next(name for name in NAMES if name not in taken))
        resolvent = (body - self.z * sp.Identity(expr.rows)).inverse()
        self.law = Law(expected_trace(resolvent, remaining).expression, self.z)
        self._solved: dict[Any, Solved] = {}

    def __repr__(self) -> str:
        return f"Spectrum of {self.expr}; parameters: {', '.join(map(str, self.parameters)) or 'none'}"

    @property
    def parameters(self) -> list[sp.Symbol]:
        """The scalar symbols that ``values`` must give numbers to."""
        return self.given.parameters

    # -- values of m and of the density -------------------------------------------------------------------------------

    def stieltjes(self, z: Any, values: Values = None, digits: int = DEFAULT_DIGITS) -> Any:
        """m(z), the normalised trace of (M - z)^{-1}, with ``digits`` certified digits; float64 for an array of z.

        A real z inside the spectrum means x + i0. Raises ConvergenceError at an edge or an atom.
        """
        at = self.at(values)
        if isinstance(z, np.ndarray):
            return at.stieltjes(z)
        return self.law.evaluate({**at.exact, self.z: z}, check_digits(digits))

    def density(self, xs: Any, values: Values = None) -> npt.NDArray[np.float64]:
        """The density of the continuous part, Im m(x + i0)/pi with m(z) the normalised trace of (M - z)^{-1}, at an array of
        x, in float64.

        0 outside the spectrum and at an edge where it vanishes, infinite where it has a pole or an inverse power; the mass of an
        atom is not in it. Raises ConvergenceError for a point to which no branch could be followed.
        """
        points = np.asarray(xs)
        if points.dtype.kind not in "iuf" or not np.isfinite(points).all():
            raise InputError("density: an array of finite real numbers is wanted")
        return self.at(values).density(points.astype(float))

    # -- edges, atoms, support ----------------------------------------------------------------------------------------

    def edges(self, values: Values = None, digits: int = DEFAULT_DIGITS) -> list[sp.Expr]:
        """The points where the density (of m(z), the normalised trace of (M - z)^{-1}) begins, ends, or touches 0 or infinity, in
        increasing order; rational ones exact, the others with ``digits`` certified digits.

        From the polynomial, and then all of them; where there is none (see ``pencils.spectra.fold_edges``) from the equations:
        then points inside the support are not found, and a gap or a bulk narrower than the scan's step may be missed.
        """
        digits = check_digits(digits)
        return self.at(values).edges(digits)

    def behaviour(self, values: Values = None, digits: int = DEFAULT_DIGITS) -> list[Edge]:
        """The edges with the exponent of the density at each, exact from the polynomial of m(z), the normalised trace of
        (M - z)^{-1}."""
        at = self.at(values)
        measured = at.measured()
        return [
            Edge(
                position(point, check_digits(digits)),
                sp.Rational(str(point.behaviour.exponent)),
                "inside" if point.left and point.right else "begins" if point.right else "ends",
                kind(point),
                slope,
                None if point.factor is None else sp.Poly([int(c) for c in reversed(point.factor.coeffs())], sp.Symbol("x")),
            )
            for point, slope in zip(at.edge_points, measured, strict=True)
        ]

    def atoms(self, values: Values = None, digits: int = DEFAULT_DIGITS) -> list[tuple[sp.Expr, sp.Expr]]:
        """(location, mass) of every eigenvalue of positive share, mass = lim -ih m(x + ih) with m(z) the normalised trace of
        (M - z)^{-1}: rational numbers exact, others with ``digits`` certified digits."""
        digits = check_digits(digits)
        at = self.at(values)
        at.check_atoms()
        return [(position(point, digits), mass(point, digits)) for point in at.points if point.behaviour.residue is not None]

    def support(self, values: Values = None, digits: int = DEFAULT_DIGITS) -> list[tuple[sp.Expr, sp.Expr]]:
        """The support of the spectrum (of m(z), the normalised trace of (M - z)^{-1}) as disjoint closed intervals (a, b) in
        increasing order, an isolated atom as (a, a)."""
        digits = check_digits(digits)
        return self.at(values).support(digits)

    def moments(self, k: int, values: Values = None) -> list[sp.Expr]:
        """The moments tr M, tr M^2, ..., tr M^k (normalised traces; m(z), that of (M - z)^{-1}, is -1/z - tr M/z^2 - ...), exact.
        Parameters without a value stay symbols. Where a law has a density, exact if it and all that is averaged are
        polynomials; else to 25 digits (see ``pencils.elimination.continuous_moments``)."""
        if self.law.dyson.is_continuous:
            return continuous_moments(self.law.system, self.given, k, self._some(values))
        return moments(self.law.system, k, self._some(values))

    def polynomial(self, values: Values = None) -> sp.Poly:
        """P(m, z) = 0 for m(z), the normalised trace of (M - z)^{-1}. Parameters without a value stay symbols."""
        return self.law.polynomial(self._some(values))

    def _some(self, values: Values) -> dict[sp.Symbol, Any]:
        """The values that the law of the resolvent has a parameter for."""
        unknown = [s for s in values or {} if s not in self.parameters]
        if unknown:
            names = ", ".join(map(str, self.parameters)) or "none"
            raise InputError(f"unknown parameter {unknown[0]}; this expression has {names}")
        return {s: v for s, v in (values or {}).items() if s in self.law.parameters}

    def outliers(self, values: Values = None, digits: int = DEFAULT_DIGITS) -> list[Outlier]:
        """The eigenvalues that finite-rank terms put outside the support, with the overlaps of their eigenvectors; see
        ``pencils.outliers.determinant``. m(z) is the normalised trace of (M - z)^{-1}."""
        exact = self._exact(values)
        return [] if self._finite is None else self.finite_rank_terms.find(exact, check_digits(digits))

    def thresholds(self, parameter: sp.Symbol, values: Values = None, digits: int = DEFAULT_DIGITS) -> list[Threshold]:
        """Where in a parameter of the finite-rank terms an outlier leaves an edge of the support of m(z), the normalised trace of
        (M - z)^{-1}; see ``pencils.outliers.thresholds``."""
        return thresholds(self.finite_rank_terms, parameter, values or {}, digits)

    @cached_property
    def finite_rank_terms(self) -> Outliers:
        """The matrix D(x) that is singular at an outlier, over the m(z) (the normalised trace of (M - z)^{-1}) of what is left
        without finite-rank terms. Raises InputError where no vector is declared."""
        if self._finite is None:
            raise InputError(f"{self.expr}: no vector is declared, and there are no finite-rank terms")
        return Outliers(self._finite, lambda given, digits: self._solve(given).support(digits))

    # -- picture ------------------------------------------------------------------------------------------------------

    def plot(
        self,
        values: Values = None,
        file: Any = None,
        *,
        size: int = 600,
        draws: int = 4,
        seed: int = 0,
        bins: int = 80,
        title: str | None = None,
    ) -> Figure:
        """Draw density (of m(z), the normalised trace of (M - z)^{-1}), edges, atoms and outliers over the histogram of ``draws``
        draws, dimensions their values times ``size``; see ``pencils.spectra.picture.draw``. Raises InputError for a bad file name,
        SimulationError for a singular draw."""
        check_picture(file, bins, draws)
        given = dict.fromkeys(self.parameters, 1) if values is None else values
        support = self.support(values, 12)
        atoms = [(float(place), float(share)) for place, share in self.atoms(values, 12)]
        found = [float(outlier.position) for outlier in self.outliers(values, 12)]
        drawn = Drawn(self.expr, self.ensembles, self.given.parameters, self.given.dimensions)
        sample = eigenvalues(drawn, given, size, draws, seed)
        edges = [float(edge) for edge in self.edges(values, 12)]
        picture = Picture(self.expr, given, support, edges, atoms, found, lambda xs: self.density(xs, values), sample)
        return draw(picture, file, bins, title)

    # -- parameters ---------------------------------------------------------------------------------------------------

    def at(self, values: Values = None) -> Solved:
        """The spectrum at these parameters: what the methods above read their answers from."""
        return self._solve(self._exact(values))

    def _solve(self, exact: Mapping[sp.Symbol, sp.Expr]) -> Solved:
        """The spectrum without finite-rank terms, which may have parameters of their own."""
        mine = {s: v for s, v in exact.items() if s in self.law.parameters}
        key = tuple(mine.items())
        if key not in self._solved:
            self._solved[key] = Solved(self.law.system, mine)
        return self._solved[key]

    def _exact(self, values: Values) -> dict[sp.Symbol, sp.Expr]:
        if values is None:
            if len(self.parameters) > 1 or self.parameters != self.given.dimensions:
                raise InputError(f"give values for {', '.join(map(str, self.parameters))}, as in {{n: 2, d: 1}}")
            values = dict.fromkeys(self.parameters, 1)
        exact = exact_values(self.given, values)
        for symbol, value in exact.items():
            if not value.is_real:
                raise InputError(f"{symbol} = {value}: the parameters of a symmetric matrix are real")
        return exact
