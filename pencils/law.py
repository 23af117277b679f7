"""The limit of a normalised trace or bilinear form: equations, values, derivatives, samples and LaTeX of one expression."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import sympy as sp

from pencils.dyson.equation import Dyson
from pencils.dyson.equations import Equations
from pencils.dyson.printing import aligned, turns_in_latex, unknown_in_latex, unknown_in_words
from pencils.dyson.reduce import Reduced
from pencils.elimination.eliminate import polynomial
from pencils.elimination.evaluation import evaluate
from pencils.errors import InputError
from pencils.finite_size.check import Check, Checks, beside
from pencils.finite_size.sample import Sample, sample
from pencils.language.declarations import short
from pencils.language.ensembles import Ensemble, same
from pencils.language.expression import read
from pencils.language.orders import check_limit
from pencils.language.tree import Expression, Node, text
from pencils.linear.linearize import Pencil
from pencils.linear.meaning import meaning

__all__ = ["Check", "Derivative", "Law", "expected_trace"]


def expected_trace(expr: Any, ensembles: Mapping[sp.MatrixSymbol, Ensemble]) -> Law:
    """The limit of the normalised trace (1/dim) E Tr of a square matrix expression, or of a sum of bilinear forms u^T E v.

    ``ensembles`` says what each matrix symbol is. Raises InputError naming what is wrong in shapes, sizes or declarations.
    """
    expression = read(expr, ensembles)
    if not same(expression.tree.rows, expression.tree.cols):
        raise InputError(f"{expr} is {expression.tree.rows} x {expression.tree.cols}: only a square matrix has a trace")
    check_limit(expression)
    return Law(expression)


class Law:
    """See ``expected_trace``. Parameters are given as a mapping from SymPy symbols; dimensions up to a common factor.

    ``system`` holds the equations and what solves them; the spectral symbol z of a resolvent (M - z)^{-1} may be named.
    """

    def __init__(self, expression: Expression, spectral: sp.Symbol | None = None) -> None:
        self.expression = expression
        self.system = Equations(expression, spectral)

    def __repr__(self) -> str:
        what = "normalised trace" if self.expression.ends is None else "bilinear form"
        given = ", ".join(map(str, self.parameters)) or "none"
        return f"Law: limit of the {what} {short(text(self.expression.tree))}; parameters: {given}"

    # -- equations --------------------------------------------------------------------------------------------------

    @property
    def pencil(self) -> Pencil:
        """L, B and C with expression = C L^{-1} B; of a sum of bilinear forms, as ``pencils.linear.bilinear`` says."""
        return self.system.pencil

    @property
    def dyson(self) -> Dyson:
        """The operator-valued Dyson equation of the pencil."""
        return self.system.dyson

    @property
    def reduced(self) -> Reduced:
        """The Dyson equation in as few unknowns as cut its cycles."""
        return self.system.reduced

    @property
    def equations(self) -> list[sp.Equality]:
        """The self-consistent equations, ``unknown = expression``; as many as there are unknowns."""
        return list(self.reduced.equations)

    @property
    def definitions(self) -> list[sp.Equality]:
        """What ``value`` uses beside the unknowns, each explicit in the unknowns and in those before it."""
        return list(self.reduced.definitions)

    @property
    def value(self) -> sp.Expr:
        """The answer in terms of the unknowns and definitions."""
        return self.reduced.value

    @property
    def unknowns(self) -> dict[sp.Symbol, str]:
        """What each symbol of the equations is, in words: the normalised trace, or bilinear form, of a matrix expression that
        was checked against the pencil; of a block of L^{-1} where no short expression is known."""
        return {
            symbol: unknown_in_words(self.pencil, self.reduced.pairs[symbol], node, self.system.form)
            for symbol, node in self.meanings.items()
        }

    @cached_property
    def meanings(self) -> dict[sp.Symbol, Node | None]:
        """The matrix expression that each symbol of the equations is the trace, or form, of; None where no short one is known."""
        shown = {s for equation in [*self.equations, *self.definitions] for s in equation.free_symbols}
        shown |= self.value.free_symbols
        return {
            symbol: meaning(self.pencil, self.system.symmetric, state, equation)
            for symbol, (state, equation, _) in self.reduced.pairs.items()
            if symbol in shown
        }

    def latex(self) -> str:
        """The pencil as a block matrix, the equations and what the unknowns are, ready to paste."""
        form = self.system.form
        rows = [rf"L &= {sp.latex(self.pencil.matrix())}"]
        rows += [rf"{sp.latex(e.lhs)} &= {sp.latex(e.rhs)}" for e in [*self.equations, *self.definitions]]
        rows += [rf"\text{{value}} &= {sp.latex(self.value)}"]
        rows += [
            rf"{sp.latex(symbol)} &:= {unknown_in_latex(self.pencil, self.reduced.pairs[symbol], node, form)}"
            for symbol, node in self.meanings.items()
        ]
        rows += turns_in_latex(form)
        return aligned(rows)

    def _repr_latex_(self) -> str:
        return f"$$ {self.latex()} $$"

    # -- values -----------------------------------------------------------------------------------------------------

    @property
    def parameters(self) -> list[sp.Symbol]:
        """The scalar symbols that ``evaluate`` needs."""
        return self.expression.parameters

    def evaluate(self, values: Mapping[Any, Any], digits: int | None = None) -> Any:
        """The value at exact parameters as ``sympy.Float`` with ``digits`` proven digits (``a + I*b`` when complex), or, when a
        value is a NumPy array, a float64 array over the broadcast values.

        A real spectral parameter inside the spectrum means the boundary value x + i0. Raises InputError for a missing or
        unknown parameter, ConvergenceError where no certified solution was found.
        """
        return evaluate(self.system, values, digits)

    def polynomial(self, values: Mapping[sp.Symbol, Any] | None = None) -> sp.Poly:
        """The irreducible polynomial of the value over the parameters; see ``pencils.elimination.eliminate.polynomial``."""
        return polynomial(self.system, values)

    def diff(self, symbol: sp.Symbol) -> Derivative:
        """The derivative in a parameter, by implicit differentiation of the equations."""
        if symbol not in self.parameters:
            raise InputError(f"{symbol} is not a parameter; they are {', '.join(map(str, self.parameters))}")
        return Derivative(self, symbol)

    # -- finite size ------------------------------------------------------------------------------------------------

    def sample(self, values: Mapping[Any, Any], size: int = 400, draws: int = 20, seed: int = 0) -> Sample:
        """The same expression with random matrices of finite size, without the pencil: mean and standard error.

        ``size`` multiplies the ratios given for the dimensions; the rounded dimensions are reported.
        """
        return sample(self.expression, values, size, draws, seed)

    def check(self, values: Mapping[Any, Any], sizes: Sequence[int] = (100, 200, 400), draws: int = 20, seed: int = 0) -> Checks:
        """The value beside samples at growing sizes, printed as a table; a check's ``z`` is its distance in standard errors,
        to which the finite size adds a bias of order 1/size."""
        limit = self.evaluate(values, digits=15)
        return Checks(beside(limit, size, self.sample(values, size, draws, seed + k)) for k, size in enumerate(sizes))


class Derivative:
    """The derivative of a law in one parameter."""

    def __init__(self, law: Law, symbol: sp.Symbol) -> None:
        self.law, self.symbol = law, symbol

    def __repr__(self) -> str:
        return f"d/d{self.symbol} of {self.law!r}"

    def evaluate(self, values: Mapping[Any, Any], digits: int | None = None) -> Any:
        """The derivative at exact parameters or arrays; digits and errors as in ``Law.evaluate``."""
        if bare := self.law.system.symbols_without_law:
            raise InputError(f"{bare[0]} is a matrix without a law: the derivative is computed for matrices that have one")
        return evaluate(self.law.system, values, digits, self.symbol)
