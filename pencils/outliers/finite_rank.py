"""Finite-rank terms in an expression: the pencil with its vectors apart.

In a linearisation of M - x a vector u is an atom with one column, so that some states and equations have dimension 1. With
these last the pencil is [[L, U], [V, K]]: L holds no vector and belongs to M without its finite-rank terms, U and V are
vectors times scalars, K is scalars. The forms v^T L^{-1} u have deterministic limits, v^T G u with G the solution of L's
Dyson equation, and x is an eigenvalue of M outside the spectrum of L iff K - V G(x) U is singular.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import sympy as sp

from pencils.dyson.equation import Dyson, Fiber, Pair
from pencils.errors import InputError
from pencils.language.declarations import check_mapping, check_names, no_components, short
from pencils.language.ensembles import Deterministic, Gaussian, Vector, same, symmetric_atom
from pencils.language.expression import read
from pencils.language.orders import check_limit
from pencils.language.tree import Expression, is_symmetric
from pencils.linear.linearize import Entry, Pencil, linearize
from pencils.linear.minimize import minimize
from pencils.linear.symmetrize import doubled, is_symmetric_pencil, symmetrize
from pencils.outliers.bulk import Ensembles, bulk
from pencils.outliers.inner_products import InnerProducts

ONE = sp.Symbol("1", positive=True)  # the dimension of a number, as a space of the pencil


class VectorForms(Dyson):
    """A Dyson equation with bilinear forms: pair (k, l, f), f > 0, stands for <u_f, G_kl v_f>; ``form[f - 1]`` lists the
    inner products of u_f and v_f on the fibers."""

    wanted: Mapping[Pair, sp.Expr] = {}

    def weight(self, pair: Pair, fiber: Fiber) -> sp.Expr:
        if pair[2] == 0:
            return super().weight(pair, fiber)
        assert self.form is not None
        return self.form[pair[2] - 1][fiber.index]  # type: ignore[index, no-any-return]

    @cached_property
    def output(self) -> dict[Pair, sp.Expr]:
        return dict(self.wanted)


@dataclass(frozen=True)
class Given(Expression):
    """An expression whose parameters are those that a user gives: all but ONE."""

    @cached_property
    def dimensions(self) -> list[sp.Symbol]:
        return [s for s in super().dimensions if s != ONE]

    @cached_property
    def parameters(self) -> list[sp.Symbol]:
        return [s for s in super().parameters if s != ONE]


@dataclass(frozen=True)
class Cell:
    """constant - sum of coefficient * <u, G_kl v>, a term for each pair."""

    constant: sp.Expr
    terms: tuple[tuple[sp.Expr, Pair], ...]


class FiniteRank:
    """A symmetric expression with vectors inside: ``matrix`` is K - V G U, ``dyson`` the equation of G.

    ``probes`` are the vectors of M's space, in the expression or only declared: ``left[q]`` is the row q^T C G U and
    ``right[q]`` the column V G B q. Raises InputError for an expression that is not symmetric or has finite rank, and for
    vectors whose components are not known where a deterministic matrix acts.
    """

    def __init__(self, expr: Any, ensembles: Ensembles) -> None:
        check_mapping(ensembles)
        if not isinstance(expr, sp.MatrixExpr):
            raise InputError(f"a SymPy matrix expression is wanted, not {type(expr).__name__} {short(expr)}")
        check_names([*expr.atoms(sp.MatrixSymbol), *ensembles])
        self.expr, self.ensembles = expr, ensembles
        self.vectors = {s: e for s, e in ensembles.items() if isinstance(e, Vector)}
        self.columns = {u: sp.MatrixSymbol(u.name, u.rows, ONE) for u in self.vectors}
        self.symbol = {column: u for u, column in self.columns.items()}
        self.inside = [u for u in self.vectors if expr.has(u)]
        spread = {sp.expand(m.rows) for m, e in ensembles.items() if isinstance(e, Deterministic) and e.density is not None}
        for u in self.vectors:
            if sp.expand(u.rows) in spread:
                raise no_components(u)
        self.unperturbed = bulk(expr, ensembles)
        self.expression = self._read(expr)
        if not is_symmetric(self.expression):
            raise InputError(
                f"{short(expr)} is not symmetric, as it is written: outliers are those of a symmetric matrix; for a "
                "rectangular Y take Y*Y.T (left singular vectors) or Y.T*Y (right ones)"
            )
        check_limit(self.expression)
        names = {s.name for s in self.expression.parameters}
        self.spectral = sp.Symbol(next(name for name in ("z", "x", "zeta", "z_0") if name not in names))
        self.probes = [q for q in self.vectors if same(q.rows, expr.rows)]

    def _read(self, expr: Any) -> Expression:
        """The checked tree with each vector a matrix of ONE columns; its entries are of the size of a unit vector's."""
        used = {s: e for s, e in self.ensembles.items() if s not in self.vectors}
        used |= {self.columns[u]: Gaussian(1 / u.rows) for u in self.inside}
        return read(expr.xreplace(self.columns), used)

    @cached_property
    def given(self) -> Given:
        """The expression with the parameters that need values."""
        return Given(self.expression.source, self.expression.tree, self.expression.ensembles)

    @cached_property
    def pencil(self) -> Pencil:
        """The symmetric pencil of (M - x)^{-1}, vectors as atoms."""
        tree = self.expression.source - self.spectral * sp.Identity(self.expression.source.rows)
        atoms = {s: e for s, e in self.expression.ensembles.items() if tree.has(s)}
        resolvent = read(tree.inverse(), atoms)
        symmetric = {m for m, e in atoms.items() if symmetric_atom(e)}
        pencil = symmetrize(minimize(linearize(resolvent), symmetric), symmetric)
        if not self._is_monotone(pencil, symmetric):
            pencil = doubled(minimize(linearize(self.expression), symmetric), self.expression.tree.rows, self.spectral)
        return pencil

    def _is_monotone(self, pencil: Pencil, symmetric: set[sp.MatrixSymbol]) -> bool:
        """Whether the pencil is symmetric with derivative -B B^T in x: then K - V G U is symmetric and decreases."""
        slope = {
            (i, j): -sp.diff(c, self.spectral)
            for (i, j), entry in pencil.entries.items()
            for c in entry.values()
            if c.has(self.spectral)
        }
        wanted = {(i, j): b * c for i, b in pencil.source.items() for j, c in pencil.source.items()}
        return is_symmetric_pencil(pencil, symmetric) and slope == wanted and pencil.source == pencil.output

    @cached_property
    def _finite(self) -> list[int]:
        return [k for k, space in enumerate(self.pencil.states) if space == ONE]

    @property
    def size(self) -> int:
        """k, the number of rows of ``matrix``."""
        return len(self._finite)

    @cached_property
    def large(self) -> Pencil:
        """L: the pencil without the states and equations of dimension 1."""
        kept = [k for k in range(self.pencil.size) if k not in self._finite]
        place = {k: index for index, k in enumerate(kept)}
        entries = {(place[i], place[j]): entry for (i, j), entry in self.pencil.entries.items() if i in place and j in place}
        spaces = [self.pencil.states[k] for k in kept]
        ends = [{place[i]: c for i, c in end.items()} for end in (self.pencil.source, self.pencil.output)]
        return Pencil(spaces, list(spaces), entries, *ends)

    @cached_property
    def _forms(self) -> dict[tuple[sp.MatrixSymbol, sp.MatrixSymbol], int]:
        """The number f of each ordered pair of vectors."""
        everyone = list(dict.fromkeys([*self.inside, *self.probes]))
        return {pair: f for f, pair in enumerate(((u, v) for u in everyone for v in everyone), 1)}

    def _blocks(self) -> tuple[list[Any], list[Any]]:
        """U as (large equation, finite state, coefficient, vector) and V as (finite equation, large state, ...)."""
        place = {k: index for index, k in enumerate(k for k in range(self.pencil.size) if k not in self._finite)}
        order = {k: index for index, k in enumerate(self._finite)}
        right, left = [], []
        for (i, j), entry in self.pencil.entries.items():
            for key, c in entry.items():
                if key is not None and key[0] in self.symbol:
                    if j in order:
                        right.append((place[i], order[j], c, self.symbol[key[0]]))
                    else:
                        left.append((order[i], place[j], c, self.symbol[key[0]]))
        return right, left

    @cached_property
    def matrix(self) -> dict[tuple[int, int], Cell]:
        """K - V G U, all k x k cells."""
        right, left = self._blocks()
        constants: dict[tuple[int, int], Entry] = {}
        for (i, j), entry in self.pencil.entries.items():
            if i in self._finite and j in self._finite:
                constants[self._finite.index(i), self._finite.index(j)] = entry
        return {
            (a, b): Cell(
                constants.get((a, b), {}).get(None, sp.S.Zero),
                tuple(
                    (c * d, (k, l, self._forms[v, u]))
                    for row, k, c, v in left
                    if row == a
                    for l, column, d, u in right
                    if column == b and self._meets(k, l)
                ),
            )
            for a in range(self.size)
            for b in range(self.size)
        }

    @cached_property
    def left(self) -> dict[sp.MatrixSymbol, list[Cell]]:
        """q^T C G U of every probe, as sums with a minus sign."""
        right, _ = self._blocks()
        return {
            q: [
                Cell(
                    sp.S.Zero,
                    tuple(
                        (-c * d, (k, l, self._forms[q, u]))
                        for k, c in self.large.output.items()
                        for l, column, d, u in right
                        if column == b and self._meets(k, l)
                    ),
                )
                for b in range(len(self._finite))
            ]
            for q in self.probes
        }

    @cached_property
    def right(self) -> dict[sp.MatrixSymbol, list[Cell]]:
        """V G B q of every probe, as sums with a minus sign."""
        _, left = self._blocks()
        return {
            q: [
                Cell(
                    sp.S.Zero,
                    tuple(
                        (-c * d, (k, l, self._forms[v, q]))
                        for l, d in self.large.source.items()
                        for row, k, c, v in left
                        if row == a and self._meets(k, l)
                    ),
                )
                for a in range(len(self._finite))
            ]
            for q in self.probes
        }

    def _meets(self, k: int, l: int) -> bool:
        """Whether G_kl can be other than 0: its two spaces are one, or a rectangular deterministic matrix joins them."""
        pair = {self.large.states[k], self.large.states[l]}
        return any(pair <= component.spaces for component in self._components) and (
            len(pair) == 1 or any(pair <= f.spaces for c in self._components for f in c.fibers or ())
        )

    @cached_property
    def _components(self) -> Any:
        found = Dyson(self.large, self.ensembles).components
        if any(component.fibers is None for component in found):
            raise InputError("outliers beside a matrix without a law are not computed: give it a law and the vectors components")
        return found

    @cached_property
    def dyson(self) -> VectorForms:
        """The Dyson equation of L, with the forms that ``matrix``, ``left`` and ``right`` need."""
        cells = [*self.matrix.values(), *(c for group in (self.left, self.right) for row in group.values() for c in row)]
        pairs = dict.fromkeys(pair for cell in cells for _, pair in cell.terms)
        products = InnerProducts(self.vectors, self.large, self.ensembles, self._components)
        products.check(list(dict.fromkeys(u for u, _ in self._forms)))
        found = VectorForms(self.large, self.ensembles, [products.of(u, v) for u, v in self._forms])  # type: ignore[misc]
        found.wanted = {pair: sp.Dummy(f"t{index}") for index, pair in enumerate(pairs)}
        return found
