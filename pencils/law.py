"""The limit of a normalised trace or bilinear form: equations, values, derivatives, samples and LaTeX of one expression."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import sympy as sp
from flint import acb, arb

from pencils.arrays import ArraySystem, sizes_from
from pencils.balls import compile_balls
from pencils.block_equations import block_equations
from pencils.dyson import Dyson, Pair
from pencils.ensembles import Deterministic, Ensemble, gram, number, same, symmetric_atom
from pencils.errors import ConvergenceError, InputError
from pencils.expression import Expression, is_symmetric, read
from pencils.limits import check_limit
from pencils.linearize import Pencil, linearize
from pencils.minimal import minimize
from pencils.numbers import DEFAULT_DIGITS, as_float, check_digits, refine
from pencils.numeric import Array, FloatSystem, values_of
from pencils.precise import BallSystem
from pencils.reduce import Reduced, reduce
from pencils.sample import Sample, sample
from pencils.solve import INSIDE, LOWEST, Follower
from pencils.symmetric import symmetrize


def expected_trace(expr: Any, ensembles: Mapping[sp.MatrixSymbol, Ensemble]) -> Law:
    """The limit of the normalised trace (1/dim) E Tr of a square matrix expression, or of a bilinear form u^T E v.

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
        if expression.ends is not None and len(expression.ends) != 1:
            raise InputError("a sum of bilinear forms: take them one by one, and add the values")
        self.expression = expression

    @cached_property
    def pencil(self) -> Pencil:
        """L, B and C with expression = C L^{-1} B."""
        ensembles = self.expression.ensembles
        node = None if self.expression.ends is None else self.expression.ends[0][2]
        symmetric = {m for m, e in ensembles.items() if symmetric_atom(e)}
        pencil = minimize(linearize(self.expression, node), symmetric)
        return symmetrize(pencil, symmetric) if node is None and is_symmetric(self.expression) else pencil

    @cached_property
    def dyson(self) -> Dyson:
        """The operator-valued Dyson equation of the pencil."""
        return Dyson(self.pencil, self.expression.ensembles, self._form)

    @property
    def _form(self) -> list[sp.Expr] | None:
        """Inner products of the two vectors of a bilinear form, times its coefficient, on each component of the law."""
        if self.expression.ends is None:
            return None
        coefficient, left, _, right = self.expression.ends[0]
        vectors = {v: self.expression.ensembles[v] for v in dict.fromkeys((left, right))}
        place = 0 if left == right else 1
        return [coefficient * matrix[0, place] for matrix in gram(vectors)]  # type: ignore[arg-type]

    @cached_property
    def reduced(self) -> Reduced:
        """The Dyson equation in as few unknowns as cut its cycles."""
        if self._symbols_without_law:
            return block_equations(self.dyson)
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
        """What each symbol of the equations is, in words."""
        return {symbol: self._meaning(pair) for symbol, pair in self.reduced.pairs.items()}

    def _meaning(self, pair: Pair) -> str:
        state, equation, form = pair
        space = self.pencil.states[state]
        what = "bilinear form" if form else f"normalised trace (1/{space}) E Tr"
        return (f"{what} of block ({state + 1}, {equation + 1}) of L^-1, where L is the pencil of {self.pencil.size} blocks; "
                f"both sides of the block have dimension {space}")  # fmt: skip

    # -- finite size ------------------------------------------------------------------------------------------------

    def sample(self, values: Mapping[Any, Any], size: int = 400, draws: int = 20, seed: int = 0) -> Sample:
        """The same expression with random matrices of finite size, without the pencil: mean and standard error.

        ``size`` multiplies the ratios given for the dimensions; the rounded dimensions are reported.
        """
        return sample(self.expression, values, size, draws, seed)

    def check(
        self, values: Mapping[Any, Any], sizes: Sequence[int] = (100, 200, 400), draws: int = 20, seed: int = 0
    ) -> list[Check]:
        """The value beside samples at growing sizes; a check's ``z`` is (sample - value) / standard error."""
        value = complex(self.evaluate(values, digits=15))
        return [Check(size, self.sample(values, size, draws, seed + k), value) for k, size in enumerate(sizes)]

    # -- LaTeX ------------------------------------------------------------------------------------------------------

    def latex(self) -> str:
        """The pencil as a block matrix, the equations and what the unknowns are, ready to paste."""
        rows = [rf"L &= {sp.latex(self.pencil.matrix())}"]
        rows += [rf"{sp.latex(e.lhs)} &= {sp.latex(e.rhs)}" for e in [*self.equations, *self.definitions]]
        rows += [rf"\text{{value}} &= {sp.latex(self.value)}"]
        for symbol, (state, equation, form) in self.reduced.pairs.items():
            block = rf"\left[L^{{-1}}\right]_{{{state + 1},{equation + 1}}}"
            space = sp.latex(self.pencil.states[state])
            meaning = (
                rf"u^{{T}} {block} v" if form else rf"\tfrac{{1}}{{{space}}} \mathbb{{E}} \operatorname{{Tr}} {block}"
            )
            rows.append(rf"{sp.latex(symbol)} &:= {meaning}")
        return "\\begin{aligned}\n" + " \\\\\n".join(rows) + "\n\\end{aligned}"

    def _repr_latex_(self) -> str:
        return f"$$ {self.latex()} $$"

    @cached_property
    def _follower(self) -> Follower:
        return Follower(self.dyson)

    @cached_property
    def _balls(self) -> BallSystem:
        return BallSystem(self.dyson, self._pairs)

    @cached_property
    def _pairs(self) -> list[Pair]:
        return list(dict.fromkeys([*[t.pair for t in self.dyson.terms], *self.dyson.pairs]))

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
            return self._evaluate_at_arrays(values, 12 if digits is None else check_digits(digits))
        arrays = {s: v for s, v in values.items() if isinstance(v, np.ndarray) and s in self.parameters}
        if arrays:
            return self._evaluate_arrays(values)
        digits = check_digits(DEFAULT_DIGITS if digits is None else digits)
        exact = self._exact(values)
        return as_float(self._ball(exact, digits, None), digits)

    def diff(self, symbol: sp.Symbol) -> Derivative:
        """The derivative in a parameter, by implicit differentiation of the equations."""
        if symbol not in self.parameters:
            raise InputError(f"{symbol} is not a parameter; they are {', '.join(map(str, self.parameters))}")
        return Derivative(self, symbol)

    # -- values -----------------------------------------------------------------------------------------------------

    def _exact(self, values: Mapping[sp.Symbol, Any]) -> dict[sp.Symbol, sp.Expr]:
        unknown = [s for s in values if s not in self.parameters and s not in self.expression.ensembles]
        if unknown:
            raise InputError(
                f"unknown parameter {unknown[0]}; this expression has {', '.join(map(str, self.parameters))}"
            )
        missing = [s for s in self.parameters if s not in values]
        if missing:
            raise InputError(
                f"missing {', '.join(map(str, missing))}; the parameters are {', '.join(map(str, self.parameters))}"
            )
        found = {s: _exact_number(values[s], str(s)) for s in self.parameters}
        for s in self.expression.dimensions:
            if not found[s].is_positive:
                raise InputError(f"{s} = {values[s]}: a dimension must be positive")
        return found

    @cached_property
    def _symbols_without_law(self) -> list[sp.MatrixSymbol]:
        return [m for m, e in self.expression.ensembles.items() if isinstance(e, Deterministic) and e.is_array]

    def _evaluate_at_arrays(self, values: Mapping[Any, Any], digits: int) -> Any:
        """The value with deterministic matrices given as NumPy arrays: float64, real where everything given is."""
        missing = [m for m in self._symbols_without_law if m not in values]
        if missing:
            raise InputError(f"{missing[0]} is a matrix without a law: give a NumPy array for it")
        if digits > 15:
            raise InputError(f"digits = {digits}: with matrices given as arrays at most 15 digits can be had (float64)")
        if self.dyson.form is not None:
            raise InputError(
                "a bilinear form beside matrices without a law is not computed here; give the matrix a law"
            )
        arrays = {m: np.asarray(values[m]) for m in self._symbols_without_law}
        exact = self._exact(values)
        ratios = {s: complex(v) for s, v in exact.items()}
        sizes, unit = sizes_from(self.dyson, {s: exact[s] for s in self.expression.dimensions}, arrays)
        system = ArraySystem(self.dyson, ratios, arrays, sizes, unit)
        g = system.solve()
        weights = values_of(list(self.dyson.output.values()), system.point, 1)[0]
        total = sum((w * g[system.pairs.index(p)] for w, p in zip(weights, self.dyson.output, strict=True)), 0j)
        real = not any(v.imag for v in ratios.values()) and not any(np.iscomplexobj(a) for a in arrays.values())
        return (
            sp.Float(total.real, digits) if real else sp.Float(total.real, digits) + sp.I * sp.Float(total.imag, digits)
        )

    def _start(self, parameters: Mapping[sp.Symbol, Array]) -> tuple[FloatSystem, Array]:
        """The physical float64 solution; as a boundary value where a real spectral parameter is inside the spectrum."""
        spectral = self._spectral(parameters)
        if spectral is None:
            return self._follower.solve(parameters)
        try:
            on_axis = not np.any(parameters[spectral].imag)
            return self._follower.solve(parameters, INSIDE if on_axis else LOWEST)
        except ConvergenceError:
            return self._follower.boundary(parameters, spectral)

    def _spectral(self, parameters: Mapping[sp.Symbol, Array]) -> sp.Symbol | None:
        """The parameter that x + i0 is meant of: the only one that is neither a dimension nor declared positive."""
        free = [s for s in parameters if s not in self.expression.dimensions and not s.is_positive]
        return free[0] if len(free) == 1 else None

    def _solved(
        self, exact: Mapping[sp.Symbol, sp.Expr], digits: int
    ) -> tuple[list[Any], dict[sp.Symbol, Callable[[int], Any]]]:
        floats = {s: np.array([complex(v)]) for s, v in exact.items()}
        _, g = self._start(floats)
        compiled = {s: compile_balls(v) for s, v in exact.items()}
        values: dict[sp.Symbol, Callable[[int], Any]] = {s: _ignoring_bits(f) for s, f in compiled.items()}
        return self._balls.polish([complex(x) for x in g[0]], values, digits), values

    def _ball(self, exact: Mapping[sp.Symbol, sp.Expr], digits: int, symbol: sp.Symbol | None) -> Any:
        """Certified ball of the value, or of its derivative in ``symbol``."""

        def compute(bits: int) -> Any:
            asked = max(digits, int(bits * 0.30103) - 10)
            g, values = self._solved(exact, asked)
            balls = {s: values[s](bits) for s in self.parameters}

            def number_of(expr: sp.Expr) -> Any:
                return compile_balls(expr, list(balls))(*balls.values())

            output = [(self._pairs.index(pair), coefficient) for pair, coefficient in self.dyson.output.items()]
            if symbol is None:
                total = sum((acb(number_of(c)) * g[index] for index, c in output), acb(0))
            else:
                slope = self._balls.derivative(g, values, bits, symbol)
                total = sum(
                    (number_of(c) * slope[index] + number_of(sp.diff(c, symbol)) * g[index] for index, c in output),
                    acb(0),
                )
            if total.contains(0) and self.value == 0:
                return arb(0)
            return self._tidy(total, exact, bits)

        return refine(compute, digits, "the value", growth=3)

    @staticmethod
    def _tidy(total: Any, exact: Mapping[sp.Symbol, sp.Expr], bits: int) -> Any:
        """A value whose imaginary part is enclosed around 0 at real parameters is real: the equations are real there, and
        the certified box holds one root, so that its conjugate is itself."""
        real = all(v.is_real for v in exact.values())
        return total.real if real and total.imag.contains(0) else total

    def _evaluate_arrays(self, values: Mapping[sp.Symbol, Any]) -> Any:
        given = {s: v if isinstance(v, np.ndarray) else complex(_exact_number(v, str(s))) for s, v in values.items()}
        missing = [s for s in self.parameters if s not in given]
        if missing:
            raise InputError(f"missing {', '.join(map(str, missing))}")
        shape = np.broadcast_shapes(*[np.shape(v) for v in given.values()])
        flat = {s: np.broadcast_to(np.asarray(given[s], complex), shape).reshape(-1) for s in self.parameters}
        system, g = self._start(flat)
        pairs = list(self.dyson.output)
        weights = values_of([self.dyson.output[p] for p in pairs], flat, system.batch)
        total = sum(
            (weights[:, k] * g[:, system.pairs.index(p)] for k, p in enumerate(pairs)), np.zeros(system.batch, complex)
        )
        result = total.reshape(shape)
        real = all(np.isrealobj(np.asarray(v)) or not np.any(np.imag(np.asarray(v))) for v in given.values())
        return result.real if real and np.all(np.abs(result.imag) < 1e-9 * (1 + np.abs(result))) else result


@dataclass(frozen=True)
class Check:
    """A sample at one size beside the limit."""

    size: int
    sample: Sample
    value: complex

    @property
    def z(self) -> float:
        """Distance in standard errors, the larger of the real and the imaginary part's."""
        gap, error = complex(self.sample.mean) - self.value, complex(self.sample.standard_error)
        parts = [(gap.real, error.real), (gap.imag, error.imag)]
        return max((abs(g) / e if e else float(abs(g) > 1e-12) * float("inf") for g, e in parts if g or e), default=0.0)


class Derivative:
    """The derivative of a law in one parameter."""

    def __init__(self, law: Law, symbol: sp.Symbol) -> None:
        self.law, self.symbol = law, symbol

    def evaluate(self, values: Mapping[Any, Any], digits: int | None = None) -> Any:
        """The derivative at exact parameters; digits and errors as in ``Law.evaluate``."""
        digits = check_digits(DEFAULT_DIGITS if digits is None else digits)
        return as_float(self.law._ball(self.law._exact(values), digits, self.symbol), digits)


def _ignoring_bits(constant: Callable[[], Any]) -> Callable[[int], Any]:
    """A compiled constant as a function of the bits: it is evaluated at the working precision of the moment."""
    return lambda bits: constant()


def _exact_number(value: Any, name: str) -> sp.Expr:
    """Exact SymPy value of a parameter, complex ones too."""
    if isinstance(value, complex):
        return number(value.real, name) + sp.I * number(value.imag, name)
    if isinstance(value, sp.Expr) and value.is_number and not value.is_real:
        real, imag = value.as_real_imag()
        return number(real, name) + sp.I * number(imag, name)
    return number(value, name)
