"""Numbers of a law: exact parameters in, proven digits or float64 arrays out.

The float64 solution chooses the branch; digits come from Newton's iteration in ball arithmetic, arrays from batches of points.
Where a law has a density, this is done for the equations at the nodes of a quadrature, whose number is doubled until the answer
stays: the equations at the nodes are solved with certified digits, the error of the quadrature is estimated and not proved.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import copy
from functools import cached_property
from typing import Any

import numpy as np
import sympy as sp
from flint import acb, arb

from pencils.dyson.branch import INSIDE, LOWEST, Follower
from pencils.dyson.certified import BallSystem
from pencils.dyson.derivative import slopes
from pencils.dyson.equation import Dyson, Pair
from pencils.dyson.floats import Array, FloatSystem, values_of
from pencils.errors import ConvergenceError, InputError
from pencils.exact.balls import compile_balls
from pencils.exact.numbers import refine
from pencils.language.densities import COUNTS, FLOAT_DIGITS, settle
from pencils.language.scalars import number
from pencils.language.tree import Expression

GUARD = 6  # digits beyond those asked for, at the nodes
CLOSE = 1e-8  # relative change on doubling the nodes after which Newton's iteration starts from the values at fewer nodes
SETTLED = 1e-11  # the same for a float64 answer
BATCH = 1000  # points solved at once: the steps of a batch are as short as its worst point needs


def check_parameters(expression: Expression, values: Any) -> None:
    """Raise InputError unless ``values`` maps every parameter, and no symbol that is none."""
    if not isinstance(values, Mapping):
        raise InputError(f"values: give a mapping such as {{n: 2, d: 1}}, not {type(values).__name__}")
    names = ", ".join(map(str, expression.parameters)) or "none"
    unknown = [s for s in values if s not in expression.parameters and s not in expression.ensembles]
    if unknown:
        alike = any(str(s) == str(unknown[0]) for s in expression.parameters)
        hint = " (a symbol with other assumptions is another symbol)" if alike else ""
        raise InputError(f"unknown parameter {unknown[0]}; this expression has {names}{hint}")
    missing = [s for s in expression.parameters if s not in values]
    if missing:
        raise InputError(f"missing {', '.join(map(str, missing))}; the parameters are {names}")


def exact_values(expression: Expression, values: Mapping[Any, Any]) -> dict[sp.Symbol, sp.Expr]:
    """Every parameter as an exact SymPy number. Raises InputError for missing, unknown and unfit ones."""
    check_parameters(expression, values)
    found = {s: exact_number(values[s], str(s)) for s in expression.parameters}
    for s in expression.dimensions:
        if not found[s].is_positive:
            raise InputError(f"{s} = {values[s]}: a dimension must be positive")
    for s, value in found.items():
        if s.is_real and not value.is_real:
            raise InputError(f"{s} = {values[s]}: {s} is declared real")
    return found


def exact_number(value: Any, name: str) -> sp.Expr:
    """Exact SymPy value of a parameter, complex ones too."""
    if isinstance(value, complex):
        return number(value.real, name) + sp.I * number(value.imag, name)
    if isinstance(value, sp.Expr) and value.is_number and not value.is_real:
        real, imag = value.as_real_imag()
        return number(real, name) + sp.I * number(imag, name)
    return number(value, name)


def float_values(expression: Expression, values: Mapping[Any, Any]) -> dict[sp.Symbol, Any]:
    """Every parameter as a number or an array of numbers, all finite, dimensions positive."""
    check_parameters(expression, values)
    found: dict[sp.Symbol, Any] = {}
    for s in expression.parameters:
        value = values[s]
        found[s] = np.asarray(value) if isinstance(value, np.ndarray) else complex(exact_number(value, str(s)))
        if np.asarray(found[s]).dtype.kind not in "iufc":
            raise InputError(f"{s}: an array of numbers is wanted, not one of type {value.dtype}")
        finite = np.isfinite(found[s])
        if not np.all(finite):
            raise InputError(f"{s}: the array must be finite, and its entry {_first(~finite)} is not")
        wrong = (np.real(found[s]) <= 0) | (np.imag(found[s]) != 0)
        if s in expression.dimensions and np.any(wrong):
            raise InputError(
                f"{s}: a dimension must be positive, and entry {_first(wrong)} of its array is not"
                if np.ndim(value)
                else f"{s} = {value}: a dimension must be positive"
            )
        if s.is_real and np.any(np.imag(found[s])):
            raise InputError(f"{s}: {s} is declared real, and the values given are complex")
    try:
        np.broadcast_shapes(*[np.shape(v) for v in found.values()])
    except ValueError as error:
        shapes = " and ".join(f"{s} {v.shape}" for s, v in found.items() if np.ndim(v))
        raise InputError(f"arrays of shapes {shapes} cannot be broadcast together") from error
    return found


def _first(wrong: Any) -> str:
    return str([int(k) for k in np.argwhere(wrong)[0]])


class Evaluator:
    """Values of the answer of a Dyson equation, and of its derivatives."""

    def __init__(self, expression: Expression, dyson: Dyson, spectral: sp.Symbol | None = None) -> None:
        """``spectral`` is the parameter that x + i0 is meant of, where it is known."""
        self.expression, self.dyson, self.spectral = expression, dyson, spectral
        self.pairs: list[Pair] = list(dict.fromkeys([*[t.pair for t in dyson.terms], *dyson.pairs]))
        self.by_nodes: dict[tuple[int, int], Evaluator] = {}
        self.count = 0  # of nodes

    @cached_property
    def follower(self) -> Follower:
        """Solver in float64."""
        return Follower(self.dyson)

    def at_nodes(self, count: int, digits: int = FLOAT_DIGITS) -> Evaluator:
        """The values with discrete laws at about ``count`` nodes in place of those with a density."""
        if (count, digits) not in self.by_nodes:
            other = copy(self)
            for cached in ("balls", "follower"):
                other.__dict__.pop(cached, None)
            other.dyson, other.by_nodes, other.count = self.dyson.at_nodes(count, digits), {}, count
            self.by_nodes[count, digits] = other
        return self.by_nodes[count, digits]

    @cached_property
    def balls(self) -> BallSystem:
        """The equation in ball arithmetic."""
        return BallSystem(self.dyson, self.pairs)

    # -- branch -----------------------------------------------------------------------------------------------------

    def start(self, parameters: Mapping[sp.Symbol, Array]) -> Array:
        """The physical float64 solution at every point; as a boundary value where a real spectral parameter is inside the
        spectrum."""
        spectral = self._spectral(parameters)
        if spectral is None:
            return self.follower.solve(parameters)[1]
        on_axis = parameters[spectral].imag == 0
        if on_axis.any() and not on_axis.all():
            g = np.empty((len(on_axis), len(self.pairs)), complex)
            for side in (on_axis, ~on_axis):
                g[side] = self.start({s: v[side] for s, v in parameters.items()})
            return g
        try:
            return self.follower.solve(parameters, INSIDE if on_axis.any() else LOWEST)[1]
        except ConvergenceError:
            return self.follower.boundary(parameters, spectral)[1]

    def settled(self, parameters: Mapping[sp.Symbol, Array], tolerance: float) -> tuple[Evaluator, Array]:
        """The physical float64 solution at every point, each solved for anew at twice as many nodes until that changes none of
        them by more than ``tolerance``; and the evaluator at that many. Raises ConvergenceError."""
        if not self.dyson.is_continuous:
            return self, self.start(parameters)
        size = max((len(v) for v in parameters.values()), default=1)
        g, known = np.zeros((size, len(self.pairs)), complex), np.zeros(size, bool)
        active, change = np.arange(size), np.inf
        for count in COUNTS:
            inner = self.at_nodes(count)
            try:
                found = inner.start({s: v[active] for s, v in parameters.items()})
            except ConvergenceError:
                if count == COUNTS[-1]:
                    raise
                known[active] = False
                continue
            moved = np.max(np.abs(found - g[active]), axis=1, initial=0.0) / np.max(np.abs(found), axis=1, initial=1e-300)
            moved[~known[active]] = np.inf
            g[active], known[active], change = found, True, float(np.max(moved))
            active = active[moved > tolerance]
            if not len(active):
                return inner, g
        raise ConvergenceError(
            f"{COUNTS[-1]} nodes for the continuous law are not enough: the last doubling changed the solution by {change:.2g}"
        )

    def _spectral(self, parameters: Mapping[sp.Symbol, Array]) -> sp.Symbol | None:
        """The parameter that x + i0 is meant of: the one known, or the only one that is neither a dimension nor declared
        positive."""
        if self.spectral is not None:
            return self.spectral
        free = [s for s in parameters if s not in self.expression.dimensions and not s.is_positive]
        return free[0] if len(free) == 1 else None

    # -- digits -----------------------------------------------------------------------------------------------------

    def solved(
        self, exact: Mapping[sp.Symbol, sp.Expr], digits: int, start: Array | None = None
    ) -> tuple[list[Any], dict[sp.Symbol, Callable[[int], Any]]]:
        """Certified balls of every unknown, and the parameters as balls at any precision."""
        g = self.start({s: np.array([complex(v)]) for s, v in exact.items()}) if start is None else start
        values = {s: _ignoring_bits(compile_balls(v)) for s, v in exact.items()}
        return self.balls.polish([complex(x) for x in g[0]], values, digits), values

    def ball(
        self,
        exact: Mapping[sp.Symbol, sp.Expr],
        digits: int,
        symbol: sp.Symbol | None,
        vanishes: Callable[[], bool],
        start: Array | None = None,
    ) -> Any:
        """Certified ball of the answer, or of its derivative in ``symbol``; ``vanishes`` says whether the answer is 0
        identically, which no ball can tell. With a density: see the head of this file."""
        if self.dyson.is_continuous:
            near, g = self.settled({s: np.array([complex(v)]) for s, v in exact.items()}, CLOSE)
            least = near.count
            return settle(
                lambda count: self.at_nodes(count, digits + GUARD).ball(exact, digits + GUARD, symbol, vanishes, g),
                digits,
                "the value",
                [count for count in COUNTS if 2 * count >= least],
            )

        def compute(bits: int) -> Any:
            asked = max(digits, int(bits * 0.30103) - 10)
            g, values = self.solved(exact, asked, start)
            balls = {s: values[s](bits) for s in exact}

            def number_of(expr: sp.Expr) -> Any:
                return compile_balls(expr, list(balls))(*balls.values())

            output = [(self.pairs.index(pair), coefficient) for pair, coefficient in self.dyson.output.items()]
            if symbol is None:
                total = sum((acb(number_of(c)) * g[index] for index, c in output), acb(0))
            else:
                slope = self.balls.derivative(g, values, bits, symbol)
                total = sum(
                    (number_of(c) * slope[index] + number_of(sp.diff(c, symbol)) * g[index] for index, c in output),
                    acb(0),
                )
            if total.contains(0) and vanishes():
                return arb(0)
            # Real parameters make real equations, and the certified box holds one root: its conjugate is itself.
            real = all(v.is_real for v in exact.values())
            return total.real if real and total.imag.contains(0) else total

        return refine(compute, digits, "the value", growth=3)

    # -- arrays -----------------------------------------------------------------------------------------------------

    def floats(self, values: Mapping[sp.Symbol, Any], symbol: sp.Symbol | None = None) -> Any:
        """The answer, or its derivative in ``symbol``, as a float64 array over the broadcast values. Raises ConvergenceError
        naming the index of a point that has none."""
        given = float_values(self.expression, values)
        shape = np.broadcast_shapes(*[np.shape(v) for v in given.values()])
        flat = {s: np.broadcast_to(np.asarray(v, complex), shape).reshape(-1) for s, v in given.items()}
        size = int(np.prod(shape))
        batch = BATCH // 10 if self.dyson.is_continuous else BATCH  # of points, each with many nodes
        parts = [slice(first, min(first + batch, size)) for first in range(0, size, batch)]
        found = [self._batch(flat, part, shape, symbol) for part in parts]
        result: Any = np.concatenate([np.zeros(0, complex), *found]).reshape(shape)
        real = all(not np.any(np.imag(v)) for v in given.values())
        return result.real if real and np.all(np.abs(result.imag) < 1e-9 * (1 + np.abs(result))) else result

    def _batch(self, flat: Mapping[sp.Symbol, Array], part: slice, shape: tuple[int, ...], symbol: Any) -> Array:
        parameters = {s: v[part] for s, v in flat.items()}
        try:
            evaluator, g = self.settled(parameters, SETTLED)
        except ConvergenceError as error:
            if part.stop - part.start == 1:
                index = ", ".join(str(int(k)) for k in np.unravel_index(part.start, shape))
                raise ConvergenceError(f"at index [{index}]: {error}") from error
            middle = (part.start + part.stop) // 2
            halves = (slice(part.start, middle), slice(middle, part.stop))
            return np.concatenate([self._batch(flat, half, shape, symbol) for half in halves])
        pairs, batch = list(self.dyson.output), part.stop - part.start
        places = [self.pairs.index(p) for p in pairs]
        weights = values_of([self.dyson.output[p] for p in pairs], parameters, batch)
        if symbol is None:
            return np.asarray((weights * g[:, places]).sum(axis=1))
        moved = slopes(evaluator.dyson, FloatSystem(evaluator.dyson, parameters, self.dyson.pairs), g, parameters, symbol)
        changes = values_of([sp.diff(self.dyson.output[p], symbol) for p in pairs], parameters, batch)
        return np.asarray((weights * moved[:, places] + changes * g[:, places]).sum(axis=1))


def _ignoring_bits(constant: Callable[[], Any]) -> Callable[[int], Any]:
    """A compiled constant as a function of the bits: it is evaluated at the working precision of the moment."""
    return lambda bits: constant()
