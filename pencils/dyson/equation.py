"""The operator-valued Dyson equation of a pencil, space by space.

L = A + N, with A deterministic and N linear in independent Gaussian matrices. G = E L^{-1} solves G = (A - Sigma(G))^{-1},
Sigma(G) = E[N G N]: an entry c1 X in row i, column k and an entry c2 X^T in row l, column j give
Sigma_ij += c1 c2 Var(X) dim g_kl, dim the dimension that X's columns and X^T's rows share, g_kl the normalised trace of the block
of G from equation l to state k, whose two spaces are that one. (E[X D X] = Var D^T for a square real X is smaller by 1/N.)

A - Sigma(G) multiplies by scalars in every joint eigendirection of the deterministic matrices. A *fiber* is such a direction:
the spaces it runs through, the values of the matrices on it, and how many directions there are of it. For a law with a density
the values are formulas, and what is per direction is averaged over a measure; numbers take a discrete law in its place, that of
the nodes of a quadrature (``Dyson.at_nodes``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product
from typing import TYPE_CHECKING

import sympy as sp

from pencils.errors import InputError
from pencils.language.ensembles import Deterministic, Ensemble, Gaussian, Wigner
from pencils.language.tree import Space
from pencils.linear.linearize import Pencil

if TYPE_CHECKING:
    from pencils.language.densities import Continuous

# (state k, equation l, form): the unknown g_kl, a normalised trace (form 0) or the bilinear form asked for (form 1)
Pair = tuple[int, int, int]


@dataclass(frozen=True)
class Fiber:
    """Directions on which all deterministic matrices of a component are the scalars ``values``; ``count`` of them, in each
    of ``spaces``. With a ``measure`` they are formulas in its variable, and ``count`` is for a unit of the measure."""

    spaces: frozenset[Space]
    values: Mapping[sp.MatrixSymbol, sp.Expr]
    count: sp.Expr
    index: int = 0
    measure: Continuous | None = None


@dataclass(frozen=True)
class Component:
    """Spaces that deterministic matrices connect, and the part of the pencil on them. ``fibers`` is None where they
    are symbols without a law: then the part is a matrix of matrices."""

    spaces: frozenset[Space]
    rows: tuple[int, ...]
    columns: tuple[int, ...]
    fibers: tuple[Fiber, ...] | None


@dataclass(frozen=True)
class Term:
    """Sigma[row, column] += coefficient * g[pair]."""

    row: int
    column: int
    coefficient: sp.Expr
    pair: Pair


class Dyson:
    """The Dyson equation of a pencil: ``terms`` is Sigma, ``components`` split the deterministic part."""

    def __init__(
        self, pencil: Pencil, ensembles: Mapping[sp.MatrixSymbol, Ensemble], form: Sequence[sp.Expr] | None = None
    ) -> None:
        """``form`` holds the inner products <u, v> of a bilinear form on each fiber of its space; None for a trace."""
        self.pencil = pencil
        self.ensembles = ensembles
        self.form = form

    @cached_property
    def is_continuous(self) -> bool:
        """Whether some deterministic matrix has a law with a density."""
        used = [self.ensembles[atom] for atom in self.pencil.atoms()]
        return any(isinstance(ensemble, Deterministic) and ensemble.density is not None for ensemble in used)

    def at_nodes(self, count: int, digits: int) -> Dyson:
        """The equation with laws at about ``count`` nodes of ``digits`` digits in place of those with a density."""
        discrete = {m: e.at_nodes(count, digits) if isinstance(e, Deterministic) else e for m, e in self.ensembles.items()}
        return Dyson(self.pencil, discrete, self.form)

    def weight(self, pair: Pair, fiber: Fiber) -> sp.Expr:
        """What a unit of a pair's block on a fiber counts for in its unknown: the share of directions, or <u, v> there."""
        if pair[2] == 0:
            return _share(fiber.count, self.pencil.states[pair[0]])
        assert self.form is not None
        if fiber.index >= len(self.form):
            raise InputError("a vector meets a rectangular matrix with singular values: its components there are not declared")
        return self.form[fiber.index]

    @cached_property
    def terms(self) -> tuple[Term, ...]:
        noise = [
            (row, column, key, coefficient)
            for (row, column), entry in self.pencil.entries.items()
            for key, coefficient in entry.items()
            if key is not None and isinstance(self.ensembles[key[0]], (Gaussian, Wigner))
        ]
        found = []
        for (row, k, left, c1), (l, column, right, c2) in product(noise, noise):
            if left[0] != right[0]:
                continue
            ensemble = self.ensembles[left[0]]
            if isinstance(ensemble, Gaussian) and left[1] == right[1]:
                continue
            rows, cols = left[0].shape
            inner = rows if left[1] else cols
            found.append(Term(row, column, c1 * c2 * ensemble.variance * inner, (k, l, 0)))  # type: ignore[union-attr]
        return tuple(found)

    @cached_property
    def components(self) -> tuple[Component, ...]:
        spaces = list(dict.fromkeys(self.pencil.states))
        groups = [{space} for space in spaces]
        matrices = sorted((a for a in self.pencil.atoms() if isinstance(self.ensembles[a], Deterministic)), key=str)
        for matrix in matrices:
            ends = {sp.expand(side) for side in matrix.shape}
            joined = [group for group in groups if group & ends]
            groups = [group for group in groups if group not in joined] + [set().union(*joined)]
        return tuple(self._component(frozenset(group), matrices) for group in groups)

    def _component(self, spaces: frozenset[Space], matrices: list[sp.MatrixSymbol]) -> Component:
        mine = [m for m in matrices if sp.expand(m.shape[0]) in spaces]
        rows = tuple(i for i, space in enumerate(self.pencil.equations) if space in spaces)
        columns = tuple(j for j, space in enumerate(self.pencil.states) if space in spaces)
        return Component(spaces, rows, columns, self._fibers(spaces, mine))

    def _fibers(self, spaces: frozenset[Space], matrices: list[sp.MatrixSymbol]) -> tuple[Fiber, ...] | None:
        laws = {m: self.ensembles[m] for m in matrices}
        if not matrices:
            (space,) = spaces
            return (Fiber(spaces, {}, space),)
        free = [m for m, e in laws.items() if e.law is None and e.singular_values is None]  # type: ignore[union-attr]
        if free:
            if len(free) < len(matrices):
                other = next(m for m in matrices if m not in free)
                raise InputError(
                    f"{free[0]} is a symbol and {other} has a law, and they meet in one space: their product has "
                    "no law; give arrays for both, or declare them with commuting(...)"
                )
            return None
        if len({e.joint or m for m, e in laws.items()}) > 1:  # type: ignore[union-attr]
            raise InputError(
                f"{matrices[0]} and {matrices[1]} have laws of their own and meet in one space, where only a joint "
                "law is enough: declare them with commuting(...), or give arrays"
            )
        first = laws[matrices[0]]
        if first.law is not None:  # type: ignore[union-attr]
            (space,) = spaces
            columns = [laws[m].law for m in matrices]  # type: ignore[union-attr]
            atoms = len(columns[0]) - (first.density is not None)  # type: ignore[union-attr]
            return tuple(
                Fiber(
                    spaces,
                    {m: column[k][0] for m, column in zip(matrices, columns, strict=True)},
                    columns[0][k][1] * space if k < atoms else space,
                    k,
                    None if k < atoms else first.density,  # type: ignore[union-attr]
                )
                for k in range(len(columns[0]))
            )
        (matrix,) = matrices
        rows, cols = (sp.expand(side) for side in matrix.shape)
        shared = sp.Min(rows, cols)
        law = first.singular_values  # type: ignore[union-attr]
        fibers = [Fiber(spaces, {matrix: value}, weight * shared, k) for k, (value, weight) in enumerate(law)]
        sides = (rows, cols) if rows != cols else ()
        fibers += [Fiber(frozenset({side}), {matrix: sp.S.Zero}, side - shared, len(law)) for side in sides]
        return tuple(fibers)

    @cached_property
    def pairs(self) -> tuple[Pair, ...]:
        """The unknowns: pairs that occur in Sigma, and those that the normalised trace of the output needs."""
        found = dict.fromkeys(term.pair for term in self.terms)
        found.update(dict.fromkeys(self.output))
        return tuple(sorted(found))

    @cached_property
    def output(self) -> dict[Pair, sp.Expr]:
        """The answer as a combination of unknowns: normalised trace, or bilinear form, of C L^{-1} B."""
        return {
            (state, row, 0 if self.form is None else 1): c * b
            for state, c in self.pencil.output.items()
            for row, b in self.pencil.source.items()
            if self.pencil.states[state] == self.pencil.equations[row]
        }


@lru_cache(maxsize=20000)
def _share(count: sp.Expr, space: Space) -> sp.Expr:
    return count / space


class Conjugate(sp.Function):  # type: ignore[misc]
    """The conjugate of a parameter, kept as it is: one that is declared real is conjugated as well, for x + i0 is reached
    from above."""


def _conjugated(coefficient: sp.Expr) -> sp.Expr:
    names = {s: sp.Dummy(positive=True) for s in coefficient.free_symbols if not s.is_positive}
    return sp.conjugate(coefficient.xreplace(names)).xreplace({name: Conjugate(s) for s, name in names.items()})


def hermitize(pencil: Pencil) -> Pencil:
    """[[0, L], [L^*, 0]]: rows and columns are L's equations, then its states. Its inverse holds L^{-1} in the lower left
    block."""
    size = pencil.size
    spaces = [*pencil.equations, *pencil.states]
    entries = {}
    for (row, column), entry in pencil.entries.items():
        entries[row, size + column] = dict(entry)
        entries[size + column, row] = {
            (None if key is None else (key[0], not key[1])): _conjugated(coefficient) for key, coefficient in entry.items()
        }
    return Pencil(spaces, list(spaces), entries)
