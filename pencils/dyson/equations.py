"""The equations of one expression: pencil, Dyson equation, few equations in named unknowns, and what solves them.

An expression goes in; everything that is computed from the equations alone takes this record: elimination, moments, densities.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from functools import cached_property
from typing import Any

import sympy as sp

from pencils.dyson.equation import Dyson, Pair
from pencils.dyson.matrix_equations import block_equations
from pencils.dyson.reduce import Reduced, reduce
from pencils.dyson.values import Evaluator, exact_values
from pencils.language.ensembles import Deterministic, Ensemble, symmetric_atom
from pencils.language.tree import Expression, is_symmetric
from pencils.linear.bilinear import Form, bilinear
from pencils.linear.linearize import Pencil, linearize
from pencils.linear.minimize import minimize
from pencils.linear.symmetrize import symmetrize


class Equations:
    """The self-consistent equations of the normalised trace, or the bilinear form, that an expression stands for.

    With a ``spectral`` symbol z the expression is a resolvent (M - z)^{-1} of a symmetric M, whose other parameters are real: a
    real z means z + i0. Without one, that is meant of the only parameter that is neither a dimension nor declared positive.
    """

    def __init__(self, expression: Expression, spectral: sp.Symbol | None = None) -> None:
        self.expression, self.spectral = expression, spectral

    # -- from the expression to the pencil ----------------------------------------------------------------------------

    @property
    def parameters(self) -> list[sp.Symbol]:
        """The scalar symbols that need values."""
        return self.expression.parameters

    @property
    def dimensions(self) -> list[sp.Symbol]:
        """Those of them that are dimensions."""
        return self.expression.dimensions

    def exact(self, values: Mapping[Any, Any]) -> dict[sp.Symbol, sp.Expr]:
        """Every parameter as an exact number. Raises InputError for a missing, unknown or bad one."""
        return exact_values(self.expression, values)

    @cached_property
    def form(self) -> Form | None:
        """What a bilinear form is read off; None for a trace."""
        return None if self.expression.ends is None else bilinear(self.expression)

    @property
    def ensembles(self) -> Mapping[sp.MatrixSymbol, Ensemble]:
        """What each matrix of the pencil is."""
        return self.expression.ensembles if self.form is None else self.form.ensembles

    @property
    def symmetric(self) -> set[sp.MatrixSymbol]:
        """The matrices of the pencil that are equal to their adjoint."""
        return {m for m, e in self.ensembles.items() if symmetric_atom(e)}

    @property
    def symbols_without_law(self) -> list[sp.MatrixSymbol]:
        """Deterministic matrices that stay symbols, and that numbers need arrays for."""
        return [m for m, e in self.expression.ensembles.items() if isinstance(e, Deterministic) and e.is_array]

    @cached_property
    def pencil(self) -> Pencil:
        """L, B and C with expression = C L^{-1} B; of a sum of bilinear forms, as ``pencils.linear.bilinear`` says."""
        if self.form is not None:
            return self.form.pencil
        pencil = minimize(linearize(self.expression), self.symmetric)
        return symmetrize(pencil, self.symmetric) if is_symmetric(self.expression) else pencil

    # -- from the pencil to the equations -----------------------------------------------------------------------------

    @cached_property
    def dyson(self) -> Dyson:
        """The operator-valued Dyson equation of the pencil."""
        return Dyson(self.pencil, self.ensembles, None if self.form is None else self.form.weights)

    @cached_property
    def reduced(self) -> Reduced:
        """The Dyson equation in as few unknowns as cut its cycles. Unknowns are compared at random parameters, which are real
        where they must be: dimensions, and all but z of a resolvent."""
        if self.symbols_without_law:
            return block_equations(self.dyson, None if self.form is None else (self.form.left, self.form.right))
        real = self.dimensions if self.spectral is None else [s for s in self.parameters if s != self.spectral]
        return reduce(self.dyson, self.parameters, real)

    @property
    def value(self) -> sp.Expr:
        """The answer in terms of the unknowns and definitions."""
        return self.reduced.value

    @property
    def pairs(self) -> dict[sp.Symbol, Pair]:
        """The block of L^{-1} that each unknown is the trace, or the form, of."""
        return self.reduced.pairs

    @cached_property
    def evaluator(self) -> Evaluator:
        """Solver for numbers."""
        return Evaluator(self.expression, self.dyson, self.spectral)

    # -- others of the same kind --------------------------------------------------------------------------------------

    def reduced_to(self, reduced: Reduced) -> Equations:
        """The same with other reduced equations, such as sums in place of averages over a density."""
        other = copy(self)
        other.__dict__["reduced"] = reduced
        return other
