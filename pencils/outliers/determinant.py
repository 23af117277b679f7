"""Outliers: the eigenvalues that finite-rank terms put outside the spectrum of a random matrix, and their eigenvectors.

They are the x at which D(x) = K - V G(x) U is singular, a matrix of scalars in the unknowns of the model without finite-rank
terms: see ``finite_rank`` for the formula, ``search`` for the numbers, ``thresholds`` for where they begin.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from typing import Any

import sympy as sp

from pencils.dyson.reduce import Reduced, reduce
from pencils.dyson.values import exact_values
from pencils.errors import ConvergenceError, InputError
from pencils.exact.numbers import DEFAULT_DIGITS, check_digits
from pencils.language.densities import COUNTS
from pencils.language.ensembles import Deterministic, Vector
from pencils.outliers.bulk import without
from pencils.outliers.finite_rank import FiniteRank
from pencils.outliers.search import Outlier, Search
from pencils.spectra.intervals import Edge, gaps, intervals, scale, sides

EDGE_DIGITS = 40  # of the support
MOST_NODES, GUARD = 384, 15  # of a continuous law, and digits of the nodes beyond those asked for


# the support of the model without finite-rank terms at exact parameters, to so many digits: intervals (a, b), atoms as (a, a)
Bulk = Callable[[Mapping[sp.Symbol, sp.Expr], int], Iterable[tuple[Any, Any]]]


class Outliers:
    """det D(x) = 0 for a symmetric matrix expression M with finite-rank terms, such as W + theta*u*u.T.

    ``determinant`` is in the unknowns of ``equations``, which hold no parameter of the finite-rank terms, and in
    ``spectral``, the symbol of x. Vectors, their norms and overlaps are declared with ``Vector``; one that meets a law of
    eigenvalues, or of singular values, by its ``components``: for the longer side of a rectangular matrix one more,
    outside of its singular vectors. Raises InputError for an expression that is not symmetric, or vectors not so declared.
    ``bulk`` says where the spectrum without finite-rank terms is.
    """

    def __init__(self, finite: FiniteRank, bulk: Bulk) -> None:
        self.finite, self.bulk = finite, bulk

    @property
    def spectral(self) -> sp.Symbol:
        """The symbol of x."""
        return self.finite.spectral

    # -- formulas -------------------------------------------------------------------------------------------------

    @cached_property
    def reduced(self) -> Reduced:
        """The Dyson equation of the model without finite-rank terms, and the forms in its unknowns."""
        finite = self.finite
        return reduce(finite.dyson, [*finite.given.parameters, finite.spectral], finite.given.dimensions)

    @property
    def equations(self) -> list[sp.Equality]:
        """The self-consistent equations of the model without finite-rank terms."""
        return list(self.reduced.equations)

    @cached_property
    def matrix(self) -> sp.Matrix:
        """D = K - V G U, k x k, in the unknowns of ``equations``."""
        known: dict[sp.Symbol, sp.Expr] = {}
        for definition in self.reduced.definitions:
            known[definition.lhs] = definition.rhs.xreplace(known)
        forms = {pair: sp.diff(self.reduced.value, symbol).xreplace(known) for pair, symbol in self.finite.dyson.wanted.items()}
        size = self.finite.size

        def entry(i: int, j: int) -> sp.Expr:
            cell = self.finite.matrix[i, j]
            return _factor(cell.constant - sum((c * forms[pair] for c, pair in cell.terms), sp.S.Zero))

        return sp.Matrix(size, size, entry)

    @cached_property
    def determinant(self) -> sp.Expr:
        """det D; its zeros x outside the spectrum, with the unknowns at x, are the outliers."""
        return _factor(self.matrix.det(method="berkowitz"))

    def latex(self) -> str:
        """The equations and the determinant, ready to paste."""
        rows = [rf"{sp.latex(e.lhs)} &= {sp.latex(e.rhs)}" for e in self.equations]
        rows += [rf"0 &= \det {sp.latex(self.matrix)}", rf"&= {sp.latex(self.determinant)}"]
        return "\\begin{aligned}\n" + " \\\\\n".join(rows) + "\n\\end{aligned}"

    def _repr_latex_(self) -> str:
        return f"$$ {self.latex()} $$"

    # -- numbers --------------------------------------------------------------------------------------------------

    def find(self, values: Mapping[Any, Any], digits: int = DEFAULT_DIGITS) -> list[Outlier]:
        """The outliers at exact parameters, with ``digits`` digits, in increasing order.

        All gaps of the bulk are searched, outer ones as far as the norm of M reaches (where inverses leave it unbounded: 10^6
        times the size of the spectrum), and towards each edge up to 2^-70 of the gap, or as far as the solution can be followed.
        Beside a law with a density averages are sums at nodes, doubled until nothing moves by ``digits`` digits, and nothing is
        certified. Raises InputError for values that are missing, unknown or not real, and ConvergenceError where an edge is not
        where the bulk is said to end.
        """
        digits = check_digits(digits)
        given = self.exact(values)
        if not self.finite.inside:
            return []
        alive = self._alive(given)
        if alive is not self:
            return [] if alive is None else alive.find({s: given[s] for s in alive.finite.given.parameters}, digits)
        parts = self.support(given)
        if self.is_continuous:
            return self._settled(given, digits, parts)
        return sorted(Search(self.finite, given, digits, parts).found(), key=lambda outlier: outlier.position)

    @property
    def is_continuous(self) -> bool:
        """Whether a deterministic matrix has a law with a density."""
        return any(isinstance(e, Deterministic) and e.density is not None for e in self.finite.ensembles.values())

    def _settled(self, given: Mapping[sp.Symbol, sp.Expr], digits: int, support: list[tuple[Edge, Edge]]) -> list[Outlier]:
        """The outliers at so many nodes of the continuous laws that doubling their number does not change them."""
        last: list[Outlier] | None = None
        for count in COUNTS[: COUNTS.index(MOST_NODES) + 1]:
            discrete = {
                m: e.at_nodes(count, digits + GUARD) if isinstance(e, Deterministic) else e
                for m, e in self.finite.ensembles.items()
            }
            try:
                found = Outliers(FiniteRank(self.finite.expr, discrete), lambda _, __: support).find(given, digits)
            except ConvergenceError:
                last = None
                continue
            if (
                last is not None
                and len(last) == len(found)
                and all(
                    a.multiplicity == b.multiplicity
                    and _close(a.position, b.position, digits)
                    and all(_close(a.overlaps[q], b.overlaps[q], digits) for q in a.overlaps)
                    for a, b in zip(last, found, strict=True)
                )
            ):
                return [replace(outlier, certified=False) for outlier in found]
            last = found
        raise ConvergenceError(f"{MOST_NODES} nodes for the continuous law are not enough for {digits} digits of the outliers")

    def exact(self, values: Mapping[Any, Any]) -> dict[sp.Symbol, sp.Expr]:
        """The parameters as exact real numbers. Raises InputError for missing, unknown and complex ones."""
        given = exact_values(self.finite.given, values)
        for symbol, value in given.items():
            if not value.is_real:
                raise InputError(f"{symbol} = {value}: the outliers of a symmetric matrix need real parameters")
        return given

    def support(self, given: Mapping[sp.Symbol, sp.Expr]) -> list[tuple[Edge, Edge]]:
        """The support of the model without finite-rank terms, in order."""
        return intervals(self.bulk(given, EDGE_DIGITS))

    def edges(self, given: Mapping[sp.Symbol, sp.Expr]) -> list[tuple[Fraction, Fraction]]:
        """Each finite edge with a point in the gap beside it, atoms left out."""
        parts = self.support(given)
        atoms = {low for low, high in parts if low == high}
        return [pair for low, high in gaps(parts) for pair in sides(low, high, scale(parts)) if pair[0] not in atoms]

    @property
    def unperturbed_parameters(self) -> set[sp.Symbol]:
        """The parameters of the model without finite-rank terms."""
        pencil, ensembles = self.finite.large, self.finite.ensembles
        scalars = [c for entry in pencil.entries.values() for c in entry.values()]
        scalars += [getattr(ensembles[m], "variance", sp.S.Zero) for m in pencil.atoms()]
        return {s for c in scalars for s in c.free_symbols} - {self.spectral}

    def degenerate(self, given: Mapping[sp.Symbol, sp.Expr]) -> bool:
        """Whether a coefficient of the pencil vanishes, and a finite-rank term with it."""
        coefficients = {c for entry in self.finite.pencil.entries.values() for c in entry.values()}
        inside = [c.xreplace(dict(given)) for c in coefficients if c.free_symbols - {self.spectral}]
        return any(c.is_number and abs(sp.N(c, 30)) < sp.Float(10) ** -25 for c in inside)

    def _alive(self, given: Mapping[sp.Symbol, sp.Expr]) -> Outliers | None:
        """The problem without terms whose coefficient vanishes at the parameters; None if no vector is left."""
        finite = self.finite
        if not self.degenerate(given):
            return self
        left = without(finite.expr.subs({s: v for s, v in given.items() if s not in finite.given.dimensions}), set())
        if left == finite.expr:
            return self
        if left is None or not left.has(*finite.inside):
            return None
        joint = {getattr(e, "joint", None) for s, e in finite.ensembles.items() if left.has(s)} - {None}
        kept = {
            s: e for s, e in finite.ensembles.items() if left.has(s) or isinstance(e, Vector) or getattr(e, "joint", None) in joint
        }
        return Outliers(FiniteRank(left, kept), lambda _, digits: self.bulk(given, digits))


def _close(left: sp.Expr, right: sp.Expr, digits: int) -> bool:
    return bool(abs(left - right) <= 2 * sp.Float(10) ** (1 - digits) * abs(right))


def _factor(expr: sp.Expr) -> sp.Expr:
    """Factored over the rationals, roots of positive symbols as symbols of their own."""
    roots: dict[sp.Symbol, sp.Symbol] = {}
    for power in expr.atoms(sp.Pow):
        if power.base.is_Symbol and power.base.is_positive and power.exp.is_Rational and power.exp.q == 2:
            roots[power.base] = sp.Dummy(str(power.base), positive=True)
    factored = sp.factor(expr.subs({s: r**2 for s, r in roots.items()}))
    return factored.subs({r: sp.sqrt(s) for s, r in roots.items()})
