"""The limit of a normalised trace or bilinear form: equations, values, derivatives, samples and LaTeX of one expression."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, cached_property
from typing import Any

import numpy as np
import sympy as sp

from pencils.dyson.arrays import evaluate_at_arrays
from pencils.dyson.equation import Dyson
from pencils.dyson.matrix_equations import block_equations
from pencils.dyson.printing import aligned, turns_in_latex, unknown_in_latex, unknown_in_words
from pencils.dyson.reduce import Reduced, reduce
from pencils.dyson.values import Evaluator, exact_values
from pencils.errors import GradstepError, InputError
from pencils.exact.numbers import DEFAULT_DIGITS, as_float, check_digits
from pencils.finite_size.check import Check, Checks, beside
from pencils.finite_size.sample import Sample, sample
from pencils.language.declarations import short
from pencils.language.ensembles import Deterministic, Ensemble, same, symmetric_atom
from pencils.language.expression import Expression, Node, is_symmetric, read, text
from pencils.language.orders import check_limit
from pencils.linear.bilinear import Form, bilinear
from pencils.linear.linearize import Pencil, linearize
from pencils.linear.meaning import meaning
from pencils.linear.minimize import minimize
from pencils.linear.symmetrize import symmetrize

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
    """See ``expected_trace``. Parameters are given as a mapping from SymPy symbols; dimensions up to a common factor."""

    def __init__(self, expression: Expression) -> None:
        self.expression = expression

    def __repr__(self) -> str:
        what = "normalised trace" if self.expression.ends is None else "bilinear form"
        given = ", ".join(map(str, self.parameters)) or "none"
        return f"Law: limit of the {what} {short(text(self.expression.tree))}; parameters: {given}"

    # -- equations --------------------------------------------------------------------------------------------------

    @cached_property
    def pencil(self) -> Pencil:
        """L, B and C with expression = C L^{-1} B; of a sum of bilinear forms, as ``pencils.linear.bilinear`` says."""
        if self._form is not None:
            return self._form.pencil
        pencil = minimize(linearize(self.expression), self._symmetric)
        return symmetrize(pencil, self._symmetric) if is_symmetric(self.expression) else pencil

    @property
    def _symmetric(self) -> set[sp.MatrixSymbol]:
        return {m for m, e in self._ensembles.items() if symmetric_atom(e)}

    @property
    def _ensembles(self) -> Mapping[sp.MatrixSymbol, Ensemble]:
        return self.expression.ensembles if self._form is None else self._form.ensembles

    @cached_property
    def _form(self) -> Form | None:
        return None if self.expression.ends is None else bilinear(self.expression)

    @cached_property
    def dyson(self) -> Dyson:
        """The operator-valued Dyson equation of the pencil."""
        return Dyson(self.pencil, self._ensembles, None if self._form is None else self._form.weights)

    @cached_property
    def reduced(self) -> Reduced:
        """The Dyson equation in as few unknowns as cut its cycles."""
        if self._symbols_without_law:
            return block_equations(self.dyson, None if self._form is None else (self._form.left, self._form.right))
        return reduce(self.dyson, self.parameters, self.expression.dimensions)

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
            symbol: unknown_in_words(self.pencil, self.reduced.pairs[symbol], node, self._form)
            for symbol, node in self._meanings.items()
        }

    @cached_property
    def _meanings(self) -> dict[sp.Symbol, Node | None]:
        shown = {s for equation in [*self.equations, *self.definitions] for s in equation.free_symbols}
        shown |= self.value.free_symbols
        return {
            symbol: meaning(self.pencil, self._symmetric, state, equation)
            for symbol, (state, equation, _) in self.reduced.pairs.items()
            if symbol in shown
        }

    def latex(self) -> str:
        """The pencil as a block matrix, the equations and what the unknowns are, ready to paste."""
        rows = [rf"L &= {sp.latex(self.pencil.matrix())}"]
        rows += [rf"{sp.latex(e.lhs)} &= {sp.latex(e.rhs)}" for e in [*self.equations, *self.definitions]]
        rows += [rf"\text{{value}} &= {sp.latex(self.value)}"]
        rows += [
            rf"{sp.latex(symbol)} &:= {unknown_in_latex(self.pencil, self.reduced.pairs[symbol], node, self._form)}"
            for symbol, node in self._meanings.items()
        ]
        rows += turns_in_latex(self._form)
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
        if self._symbols_without_law:
            digits = 12 if digits is None else check_digits(digits)
            return evaluate_at_arrays(self.dyson, self.expression, self._symbols_without_law, values, digits)
        return self._evaluate(values, digits, None)

    def polynomial(self, values: Mapping[sp.Symbol, Any] | None = None) -> sp.Poly:
        """The irreducible polynomial of the value over the parameters; see ``pencils.elimination.eliminate.polynomial``."""
        from pencils.elimination.eliminate import polynomial

        return polynomial(self, values)

    def diff(self, symbol: sp.Symbol) -> Derivative:
        """The derivative in a parameter, by implicit differentiation of the equations."""
        if symbol not in self.parameters:
            raise InputError(f"{symbol} is not a parameter; they are {', '.join(map(str, self.parameters))}")
        return Derivative(self, symbol)

    def _evaluate(self, values: Mapping[Any, Any], digits: int | None, symbol: sp.Symbol | None) -> Any:
        if isinstance(values, Mapping) and any(isinstance(values.get(s), np.ndarray) for s in self.parameters):
            return self._numbers.floats(values, symbol)
        digits = check_digits(DEFAULT_DIGITS if digits is None else digits)
        exact = self._exact(values)
        zero = cache(lambda: self.value == 0 or (symbol is None and self._is_zero_at(exact)))
        return as_float(self._numbers.ball(exact, digits, symbol, zero), digits)

    def _is_zero_at(self, exact: Mapping[sp.Symbol, sp.Expr]) -> bool:
        """Whether the value is 0 at these parameters, as by symmetry: no ball can tell, its minimal polynomial can."""
        try:
            polynomial = self.polynomial(exact)
        except GradstepError:
            return False
        return bool(polynomial.as_expr() == polynomial.gen)

    def _exact(self, values: Mapping[Any, Any]) -> dict[sp.Symbol, sp.Expr]:
        return exact_values(self.expression, values)

    @cached_property
    def _numbers(self) -> Evaluator:
        return Evaluator(self.expression, self.dyson)

    @property
    def _symbols_without_law(self) -> list[sp.MatrixSymbol]:
        return [m for m, e in self.expression.ensembles.items() if isinstance(e, Deterministic) and e.is_array]

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
        if self.law._symbols_without_law:
            raise InputError(
                f"{self.law._symbols_without_law[0]} is a matrix without a law: the derivative is computed for "
                "matrices that have one"
            )
        return self.law._evaluate(values, digits, self.symbol)
