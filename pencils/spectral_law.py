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

from pencils.dyson.reduce import Reduced, reduce
from pencils.dyson.values import Evaluator, exact_values
from pencils.errors import InputError
from pencils.exact.numbers import DEFAULT_DIGITS, check_digits
from pencils.language.declarations import check_mapping
from pencils.language.ensembles import Deterministic, Ensemble, Vector, same
from pencils.language.expression import Expression, is_symmetric, read
from pencils.law import Law, expected_trace
from pencils.spectra.evaluated import Solved, kind, mass, position

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from pencils.outliers.determinant import Outlier  # type: ignore[attr-defined]

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
        from pencils.outliers.finite_rank import FiniteRank

        finite = FiniteRank(expr, ensembles)
        return Spectrum(expr, ensembles, finite.given, *finite.unperturbed)
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


class _Numbers(Evaluator):
    """Numbers of a resolvent, whose spectral parameter is known."""

    def __init__(self, expression: Expression, dyson: Any, z: sp.Symbol) -> None:
        super().__init__(expression, dyson)
        self.z = z

    def _spectral(self, parameters: Mapping[sp.Symbol, Any]) -> sp.Symbol | None:
        return self.z


class Resolvent(Law):
    """The law of tr (M - z)^{-1}."""

    def __init__(self, expression: Expression, z: sp.Symbol) -> None:
        super().__init__(expression)
        self.z = z

    @cached_property
    def reduced(self) -> Reduced:
        """As of any law; the numbers that it tries for the parameters other than z are real, as they must be here."""
        return reduce(self.dyson, self.parameters, [s for s in self.parameters if s != self.z])

    @cached_property
    def _numbers(self) -> Evaluator:
        return _Numbers(self.expression, self.dyson, self.z)


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
    ) -> None:
        """``given`` is the checked expression; ``body`` and ``remaining`` are what is left without finite-rank terms."""
        self.expr, self.ensembles, self.given = expr, ensembles, given
        taken = {symbol.name for symbol in given.parameters}
        self.z = sp.Symbol(next(name for name in NAMES if name not in taken))
        resolvent = (body - self.z * sp.Identity(expr.rows)).inverse()
        self.law = Resolvent(expected_trace(resolvent, remaining).expression, self.z)
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
        at = self._at(values)
        if isinstance(z, np.ndarray):
            return at.stieltjes(z)
        return self.law.evaluate({**at.resolvent, self.z: z}, check_digits(digits))

    def density(self, xs: Any, values: Values = None) -> npt.NDArray[np.float64]:
        """The density of the continuous part, Im m(x + i0)/pi with m(z) the normalised trace of (M - z)^{-1}, at an array of
        x, in float64.

        0 outside the spectrum and at an edge where it vanishes, infinite where it has a pole or an inverse power; the mass of an
        atom is not in it. Raises ConvergenceError for a point to which no branch could be followed.
        """
        points = np.asarray(xs)
        if points.dtype.kind not in "iuf" or not np.isfinite(points).all():
            raise InputError("density: an array of finite real numbers is wanted")
        return self._at(values).density(points.astype(float))

    # -- edges, atoms, support ----------------------------------------------------------------------------------------

    def edges(self, values: Values = None, digits: int = DEFAULT_DIGITS) -> list[sp.Expr]:
        """The points where the density (of m(z), the normalised trace of (M - z)^{-1}) begins, ends, or touches 0 or infinity, in
        increasing order; rational ones exact, the others with ``digits`` certified digits.

        From the polynomial, and then all of them; where there is none (see ``pencils.spectra.fold_edges``) from the equations:
        then points inside the support are not found, and a gap or a bulk narrower than the scan's step may be missed.
        """
        digits = check_digits(digits)
        return self._at(values).edges(digits)

    def behaviour(self, values: Values = None, digits: int = DEFAULT_DIGITS) -> list[Edge]:
        """The edges with the exponent of the density at each, exact from the polynomial of m(z), the normalised trace of
        (M - z)^{-1}."""
        at = self._at(values)
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
        at = self._at(values)
        at.check_atoms()
        return [(position(point, digits), mass(point, digits)) for point in at.points if point.behaviour.residue is not None]

    def support(self, values: Values = None, digits: int = DEFAULT_DIGITS) -> list[tuple[sp.Expr, sp.Expr]]:
        """The support of the spectrum (of m(z), the normalised trace of (M - z)^{-1}) as disjoint closed intervals (a, b) in
        increasing order, an isolated atom as (a, a)."""
        digits = check_digits(digits)
        return self._at(values).support(digits)

    def moments(self, k: int, values: Values = None) -> list[sp.Expr]:
        """The moments tr M, tr M^2, ..., tr M^k (normalised traces; m(z), that of (M - z)^{-1}, is -1/z - tr M/z^2 - ...), exact.
        Parameters without a value stay symbols. Where a law has a density, exact if it and all that is averaged are
        polynomials; else to 25 digits (see ``pencils.elimination.continuous_moments``)."""
        from pencils.elimination.moments import moments

        if self.law.dyson.is_continuous:
            from pencils.elimination.continuous_moments import continuous_moments

            return continuous_moments(self.law, self.given, k, self._some(values))
        return moments(self.law, k, self._some(values))

    def polynomial(self, values: Values = None) -> sp.Poly:
        """P(m, z) = 0 for m(z), the normalised trace of (M - z)^{-1}. Parameters without a value stay symbols."""
        from pencils.elimination.eliminate import polynomial

        return polynomial(self.law, self._some(values))

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
        if not any(isinstance(ensemble, Vector) for ensemble in self.ensembles.values()):
            self._at(values)
            return []
        from pencils.outliers.determinant import outliers

        at = self._at(values)
        return outliers(self.expr, self.ensembles, at.exact, check_digits(digits))

    def plot(self, values: Values = None, file: Any = None, **options: Any) -> Figure:
        """Draw density, edges, atoms and outliers over the histogram of a sample; see ``pencils.spectra.picture.draw``."""
        from pencils.spectra.picture import draw

        return draw(self, values, file, **options)

    def _at(self, values: Values) -> Solved:
        if values is None:
            if len(self.parameters) > 1 or self.parameters != self.given.dimensions:
                raise InputError(f"give values for {', '.join(map(str, self.parameters))}, as in {{n: 2, d: 1}}")
            values = dict.fromkeys(self.parameters, 1)
        exact = exact_values(self.given, values)
        for symbol, value in exact.items():
            if not value.is_real:
                raise InputError(f"{symbol} = {value}: the parameters of a symmetric matrix are real")
        key = tuple(exact.values())
        if key not in self._solved:
            self._solved[key] = Solved(self.law, exact)
        return self._solved[key]
