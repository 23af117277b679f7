"""Edges as real folds of the self-consistent equations: g = F(g, x) with I - dF/dg singular. One method for all who ask for one.

``FoldSystem`` encloses the fold near a start: the solution (g, x, v) of F - g = 0, (dF/dg - I) v = 0, <l, v> = 1, found by Newton's
iteration and proved by Krawczyk's test in balls: the enclosed root is a simple one, so that the edge is a square root.

``Folds`` finds the starts where there is no polynomial. The density is scanned over the whole axis; between a point where it is
positive and a neighbour where it is 0 an edge lies. What the scan can miss is a gap or a bulk that falls between its points. With a
law that has a density this is done at the nodes of a quadrature, doubled until the edge stays.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
import sympy as sp
from flint import acb, acb_mat, arb

from pencils.dyson.reduce import Reduced
from pencils.errors import ConvergenceError
from pencils.exact.numbers import working_precision
from pencils.exact.puiseux import Behaviour
from pencils.language.densities import compile_averages, settle
from pencils.spectra.density import Descent

SCAN = 1500
COARSE = 100
REFINED = 40  # points between two neighbours where an edge is, or where the density has a minimum
ROUNDS = 3
SLACK = 1e-6  # what the mass of the continuous part may lack before there must be an atom

Compiled = tuple[list[Any], list[Any]]  # values and derivatives of the system


class FoldSystem:
    """The fold of reduced equations in the spectral parameter x = ``spectral``, all others fixed: 2 k + 1 equations in the unknowns
    g, x and v, k the number of g."""

    def __init__(self, reduced: Reduced, spectral: sp.Symbol, exact: Mapping[sp.Symbol, sp.Expr]) -> None:
        self.reduced, self.spectral, self.exact = reduced, spectral, dict(exact)
        self.core = list(reduced.unknowns)
        self.by_nodes: dict[tuple[int, int], Compiled] = {}

    def start(self, g: Sequence[complex], x: complex, direction: Sequence[complex]) -> list[complex]:
        """A start next to an edge: g and x, and the direction in which g moves fastest there, whose largest part is made 1."""
        largest = max(direction, key=abs)
        return [*g, x, *(part / largest for part in direction)]

    @cached_property
    def _exprs(self) -> tuple[list[sp.Symbol], list[sp.Expr], list[sp.Expr]]:
        """(unknowns g, x, v; the equations but the last; their derivatives, row by row)."""
        known: dict[Any, Any] = {}
        for definition in self.reduced.definitions:
            known[definition.lhs] = definition.rhs.xreplace(known)
        rows = [(e.rhs - e.lhs).xreplace(known).xreplace(self.exact) for e in self.reduced.equations]
        vector = [sp.Dummy("v") for _ in self.core]
        lines = [sum((sp.diff(row, g) * v for g, v in zip(self.core, vector, strict=True)), sp.S.Zero) for row in rows]
        unknowns = [*self.core, self.spectral, *vector]
        return unknowns, [*rows, *lines], [sp.diff(e, s) for e in [*rows, *lines] for s in unknowns]

    def _compiled(self, count: int, digits: int) -> Compiled:
        if (count, digits) not in self.by_nodes:
            unknowns, exprs, slopes = self._exprs
            values, derivatives = ([compile_averages(e, unknowns, count, digits) for e in part] for part in (exprs, slopes))
            self.by_nodes[count, digits] = values, derivatives
        return self.by_nodes[count, digits]

    @staticmethod
    def _linear(at: Sequence[Any], pivot: int, compiled: Compiled) -> tuple[Any, Any]:
        """Residual and derivative of the system, with the condition v_pivot = 1."""
        size = len(at)
        values, slopes = compiled
        residual = [acb(f(*at)) for f in values] + [at[pivot] - 1]
        matrix = acb_mat(size, size, [acb(f(*at)) for f in slopes] + [acb(int(k == pivot)) for k in range(size)])
        return acb_mat([[r] for r in residual]), matrix

    def enclose(self, start: Sequence[Any], bits: int, nodes: int = 0, digits: int = 0) -> list[Any]:
        """Balls of g, x and v at the fold near a start, radii below 2^-bits; averages over densities are sums at ``nodes`` nodes of
        so many ``digits``. Raises ConvergenceError where Newton's iteration or Krawczyk's test fails."""
        compiled, count = self._compiled(nodes, digits), len(self.core)
        pivot = count + 1 + max(range(count), key=lambda k: abs(start[count + 1 + k]))
        with working_precision(bits + 60):
            at = [acb(value.real, value.imag).mid() for value in start]
            for _ in range(100):
                residual, matrix = self._linear(at, pivot, compiled)
                try:
                    step = matrix.solve(residual)
                except ZeroDivisionError as error:
                    raise ConvergenceError(f"the edge near {float(start[count].real):.6g} is no fold: a cusp, or a pole") from error
                at = [acb((x - step[k, 0]).real.mid(), (x - step[k, 0]).imag.mid()) for k, x in enumerate(at)]
                size = max(float(abs(step[k, 0]).abs_upper()) for k in range(len(at)))
                if size < 2.0 ** -min(bits + 30, 1000):
                    break
            else:
                raise ConvergenceError(f"Newton's iteration for the edge near {float(start[count].real):.6g} does not converge")
            return self._krawczyk(at, pivot, bits, compiled)

    def _krawczyk(self, at: list[Any], pivot: int, bits: int, compiled: Compiled) -> list[Any]:
        residual, matrix = self._linear(at, pivot, compiled)
        inverse = matrix.mid().inv().mid()
        radius = arb(2) ** -(bits + 10)
        box = [acb(arb(x.real.mid(), radius), arb(x.imag.mid(), radius)) for x in at]
        _, wide = self._linear(box, pivot, compiled)
        size = len(at)
        one = acb_mat(size, size, [int(i == j) for i in range(size) for j in range(size)])
        move = (one - inverse * wide) * acb_mat([[b - x] for b, x in zip(box, at, strict=True)]) - inverse * residual
        image = [x + move[k, 0] for k, x in enumerate(at)]
        if not all(b.contains(k) and k.real.rad() < b.real.rad() for b, k in zip(box, image, strict=True)):
            raise ConvergenceError("an edge could not be certified at this precision")
        return image


@dataclass(frozen=True)
class Fold:
    """A square-root edge; see ``polynomial_edges.Point``, whose attributes it has."""

    folds: Folds
    start: tuple[complex, ...]
    left: bool
    right: bool
    rational: None = None
    factor: None = None

    @property
    def behaviour(self) -> Behaviour:
        return Behaviour(Fraction(1, 2), None)

    def ball(self, bits: int) -> Any:
        """Enclosure with about ``bits`` bits."""
        return self.folds.enclose(self.start, bits)


class Folds:
    """The edges of a law at fixed parameters, from its equations."""

    def __init__(self, descent: Descent) -> None:
        self.descent = descent
        self.system = FoldSystem(descent.of.reduced, descent.z, descent.exact)

    @cached_property
    def points(self) -> list[Fold]:
        """The edges from left to right. Raises ConvergenceError where one is no fold."""
        xs, bulk = self._scan()
        places = [k for k in range(len(xs) - 1) if bulk[k] != bulk[k + 1]]
        return [Fold(self, self._start(xs[k], xs[k + 1], bool(bulk[k])), bool(bulk[k]), bool(bulk[k + 1])) for k in places]

    @cached_property
    def mass(self) -> float:
        """The mass of the continuous part: Gauss-Chebyshev nodes between square-root edges."""
        ends = [float(point.ball(64).mid()) for point in self.points]
        angles = (2 * np.arange(1, 401) - 1) * np.pi / 800
        total = 0.0
        for a, b in zip(ends[::2], ends[1::2], strict=False):
            rho, _ = self.descent.density((a + b) / 2 + (b - a) / 2 * np.cos(angles))
            total += float(np.nansum(rho * np.sin(angles))) * np.pi / 400 * (b - a) / 2
        return total

    @property
    def has_atoms(self) -> bool:
        """Whether mass is missing from the continuous part."""
        return bool(self.mass < 1 - SLACK)

    @cached_property
    def _scanner(self) -> Descent:
        """The solver of the scan; for a law with a density that at the number of nodes that points of a coarse one need."""
        if self.descent.is_adaptive:
            self.descent.density(self._axis(COARSE))
        return self.descent.finest

    def _axis(self, count: int) -> np.ndarray[Any, Any]:
        """Points on the whole axis, x = mean + deviation tan(angle)."""
        height = 1.0
        m = complex(self.descent.stieltjes(np.array([1j * height]))[0][0])
        height = 300 * max(height, 1 / abs(m))
        m = complex(self.descent.stieltjes(np.array([1j * height]))[0][0])
        # m(ih) = i/h + mean/h^2 - i (second moment)/h^3 + ...
        mean = m.real * height**2
        spread = np.sqrt(max(height**2 * (1 - height * m.imag) - mean**2, 1e-12 * height**2 * abs(m)))
        return np.asarray(mean + spread * np.tan(np.linspace(-1.55, 1.55, count)))

    def _scan(self) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        """Points, finer where an edge or a minimum of the density lies, and whether the density is positive there."""
        xs = self._axis(SCAN)
        rho, found = self._scanner.density(xs)
        for _ in range(ROUNDS):
            rho = np.where(found, rho, 0)
            low = np.flatnonzero((rho[1:-1] <= rho[:-2]) & (rho[1:-1] <= rho[2:]) & (rho[1:-1] > 0)) + 1
            jumps = np.flatnonzero((rho[1:] > 0) != (rho[:-1] > 0))
            cells = sorted({*jumps, *low, *(low - 1)})
            extra = [np.linspace(xs[k], xs[k + 1], REFINED + 2)[1:-1] for k in cells]
            more = np.concatenate([xs[:0], *extra])
            rho, found = (np.concatenate(pair) for pair in zip((rho, found), self._scanner.density(more), strict=True))
            xs, order = np.unique(np.concatenate([xs, more]), return_index=True)
            rho, found = rho[order], found[order]
        # a point too close to an edge to be computed is on neither side: it takes its neighbour's
        known = np.flatnonzero(found)
        return xs, (rho[known] > 0)[np.searchsorted(known, np.arange(len(xs)), side="left").clip(0, len(known) - 1)]

    def _start(self, a: float, b: float, left: bool) -> tuple[complex, ...]:
        """g, x and v in float64 next to the edge between a and b."""
        inside, outside = (a, b) if left else (b, a)
        descent = self._scanner
        g, _ = descent.unknowns(np.array([inside + 0j]))
        x = inside + 0.5 * (outside - inside)
        _, jacobian, _ = descent.linear(g.real.astype(complex), np.array([x + 0j]))
        v = np.linalg.svd(jacobian[0])[2][-1].conj()
        found = self.system.start(list(g[:, 0].real), x, list(v))
        return tuple(complex(value.real) for value in found)

    def enclose(self, start: Sequence[complex], bits: int) -> Any:
        """The edge as a ball. Raises ConvergenceError where Newton's iteration or Krawczyk's test fails."""
        place = len(self.system.core)
        if not self.descent.is_adaptive:
            return self.system.enclose(start, bits)[place].real
        digits = int(bits * 0.30103)
        return settle(lambda count: self.system.enclose(start, bits, count, digits)[place].real, digits - 8, "an edge")
