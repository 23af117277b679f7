"""What a matrix symbol may stand for: Gaussian, Wigner and deterministic matrices, vectors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

import sympy as sp

from pencils.errors import InputError
from pencils.language.scalars import number, numbers, scalar, typed_decimal

if TYPE_CHECKING:
    from pencils.language.densities import Continuous

Law = tuple[tuple[sp.Expr, sp.Expr], ...]  # (value, weight), weights positive and adding up to 1


def _variance(value: Any) -> sp.Expr:
    variance = scalar(value, "variance") if isinstance(value, sp.Expr) else number(value, "variance")
    if variance.is_positive is False or variance.is_real is False:
        raise InputError(f"variance = {variance}: the variance of an entry must be positive")
    return variance


@dataclass(frozen=True)
class Gaussian:
    """Independent N(0, variance) entries; ``variance`` may hold dimensions, such as 1/n."""

    variance: Any = 1

    def __post_init__(self) -> None:
        object.__setattr__(self, "variance", _variance(self.variance))


@dataclass(frozen=True)
class Wigner:
    """GOE (``field="real"``) or GUE (``"complex"``); ``variance`` is that of an off-diagonal entry, E |w_ij|^2.

    A diagonal entry is real with variance 2 ``variance`` (GOE) or ``variance`` (GUE). Both are equal to their adjoint,
    and ``W.T`` is read as the adjoint for both.
    """

    variance: Any = 1
    field: str = "real"

    def __post_init__(self) -> None:
        if self.field not in ("real", "complex"):
            raise InputError(f"field = {self.field!r}: a Wigner matrix is 'real' or 'complex'")
        object.__setattr__(self, "variance", _variance(self.variance))


@dataclass(frozen=True)
class Deterministic:
    """A deterministic matrix: symmetric with a ``law`` of eigenvalues, rectangular with a law of ``singular_values``
    (weights in the smaller dimension), or, with neither, a symbol that ``evaluate`` replaces by an array.

    ``density=(rho, t, low, high)`` gives the eigenvalues the density rho(t) on the finite interval [low, high], beside the
    atoms of a ``law`` if there is one: then the weights and the mass of rho add up to 1. Numbers come from a quadrature
    (``pencils.language.densities``). ``symmetric=True`` promises that the array is equal to its transpose. ``joint`` names the
    group of matrices that share one eigenbasis; ``commuting`` makes such groups.
    """

    law: Any = None
    singular_values: Any = None
    symmetric: bool = False
    joint: Any = None
    density: Any = None

    def __post_init__(self) -> None:
        if self.density is not None:
            return self._continuous()
        if self.law is not None and self.singular_values is not None:
            raise InputError("a deterministic matrix has a law of eigenvalues or of singular values, not both")
        for name in ("law", "singular_values"):
            given = getattr(self, name)
            if given is not None:
                object.__setattr__(self, name, _law(given, name))
        if self.singular_values is not None and any(value.is_negative for value, _ in self.singular_values):
            raise InputError("singular values cannot be negative")
        return None

    def _continuous(self) -> None:
        """``law`` holds the atoms, and in the end (the eigenvalue as a function of the variable, the mass of the density)."""
        from pencils.language.densities import Continuous

        if isinstance(self.density, Continuous):  # its law is complete
            return
        if self.singular_values is not None:
            raise InputError("density: a density of singular values is not accepted; give one of eigenvalues, or a list")
        atoms = () if self.law is None else _pairs(self.law, "law")
        measure = _measure(self.density, 1 - sum((weight for _, weight in atoms), sp.S.Zero))
        law = (*atoms, (measure.variable, measure.mass))
        _check_weights([weight for _, weight in law], "law")
        measure.check()
        object.__setattr__(self, "law", law)
        object.__setattr__(self, "density", measure)

    def at_nodes(self, count: int, digits: int) -> Deterministic:
        """The discrete law at about ``count`` nodes of a density; itself where there is none."""
        if self.density is None:
            return self
        from pencils.language.densities import values_at

        (value, _), nodes = self.law[-1], self.density.nodes(count, digits)
        values = values_at(value, self.density.variable, nodes, digits)
        pairs = [*self.law[:-1], *zip(values, [weight for _, weight in nodes], strict=True)]
        return Deterministic(law=pairs, joint=self.joint)

    @property
    def is_array(self) -> bool:
        """True for a matrix without a law: it stays a symbol in the equations, and a number needs its array."""
        return self.law is None and self.singular_values is None


@dataclass(frozen=True)
class Vector:
    """A deterministic vector of the given norm; ``overlaps`` are its inner products with other vector symbols (0 if not
    given).

    Where a deterministic law acts in its space, give ``components`` in place of the norm: the norm of its projection on
    the eigenspace of each value of the law, in order; an overlap is then a list as well, of the inner products of the
    projections.
    """

    norm: Any = None
    overlaps: Any = None
    components: Any = None

    def __post_init__(self) -> None:
        if self.components is not None:
            if self.norm is not None:
                raise InputError("a vector has a norm or components, not both: the norm follows from the components")
            parts = numbers(self.components, "components")
            object.__setattr__(self, "components", parts)
            object.__setattr__(self, "norm", sp.sqrt(sum(part**2 for part in parts)))
        else:
            parts = (number(1 if self.norm is None else self.norm, "norm"),)
            object.__setattr__(self, "norm", parts[0])
        if not parts or any(part.is_negative for part in parts):
            raise InputError("norm and components of a vector: positive numbers, which are lengths")
        overlaps = []
        for symbol, given in dict(self.overlaps or {}).items():
            what = f"overlap with {symbol}"
            inner = numbers(given, what) if self.components is not None else (number(given, what),)
            if len(inner) != len(parts):
                raise InputError(f"{what}: {len(inner)} numbers for {len(parts)} components")
            overlaps.append((symbol, inner))
        object.__setattr__(self, "overlaps", tuple(overlaps))

    @property
    def lengths(self) -> tuple[sp.Expr, ...]:
        """The components, or the norm alone."""
        return self.components if self.components is not None else (self.norm,)


Ensemble = Gaussian | Wigner | Deterministic | Vector


def _law(pairs: Any, name: str) -> Law:
    law = _pairs(pairs, name)
    _check_weights([weight for _, weight in law], name)
    return law


def _pairs(pairs: Any, name: str) -> Law:
    try:
        return tuple((number(value, name), number(weight, f"{name}, weight")) for value, weight in pairs)
    except (TypeError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"{name}: give a list of pairs (value, weight)") from error


def _measure(given: Any, mass: sp.Expr) -> Continuous:
    """The measure that (rho, t, low, high) says."""
    from pencils.language.densities import Continuous

    if not isinstance(given, tuple) or len(given) != 4 or not isinstance(given[1], sp.Symbol):
        raise InputError("density: give (rho, t, low, high), a formula in the symbol t and the ends of its interval")
    rho, variable, low, high = given
    for end in (low, high):
        if end in (sp.oo, -sp.oo, float("inf"), -float("inf")):
            raise InputError(
                f"density on [{low}, {high}]: only a finite interval is accepted; cut a law without end where little "
                "mass is left, and divide by the mass that remains"
            )
    low, high = number(low, "density, low"), number(high, "density, high")
    if not (high - low).is_positive:
        raise InputError(f"density on [{low}, {high}]: the interval is empty")
    return Continuous(_function(rho, variable, "density"), variable, low, high, mass)


def _function(value: Any, variable: sp.Symbol, what: str) -> sp.Expr:
    """A formula in the variable of a density, floats made exact."""
    from pencils.exact.balls import compile_balls

    if not isinstance(value, sp.Expr) or value.is_number:
        return number(value, what)
    others = sorted(map(str, value.free_symbols - {variable}))
    if others:
        raise InputError(f"{what} {value}: {others[0]} is unknown; a law is a formula in {variable} and numbers alone")
    value = value.xreplace({part: typed_decimal(part, what) for part in value.atoms(sp.Float)})
    compile_balls(value, [variable])  # names a function that has no arithmetic
    return value


def _check_weights(weights: Sequence[sp.Expr], name: str) -> None:
    if not weights or any(not weight.is_positive for weight in weights) or sp.simplify(sum(weights) - 1) != 0:
        raise InputError(f"{name}: weights must be positive and add up to 1, not {', '.join(map(str, weights)) or 'none'}")


def commuting(
    values: Mapping[sp.MatrixSymbol, Any], weights: Sequence[Any] | None = None, density: Any = None
) -> dict[sp.MatrixSymbol, Deterministic]:
    """Symmetric matrices with one eigenbasis. Returns the entries for the mapping of ensembles.

    With ``weights`` the k-th entries of the lists are their eigenvalues on a share weights[k] of the directions; with
    ``density=(rho, t, low, high)`` every matrix has a formula f(t), its eigenvalue on directions whose t has the density rho:
    ``commuting({S: sp.sqrt(t), Theta: t**2}, density=(rho, t, low, high))``.
    """
    if (weights is None) == (density is None):
        raise InputError("commuting: give weights for lists of eigenvalues, or a density for formulas")
    measure = None if density is None else _measure(density, sp.S.One)
    if measure is not None:
        measure.check()
    shares = numbers(weights, "weights") if measure is None else (sp.S.One,)
    _check_weights(shares, "weights")
    if not values or any(not isinstance(symbol, sp.MatrixSymbol) for symbol in values):
        raise InputError("commuting: give a mapping from matrix symbols to lists of eigenvalues")
    first = next(iter(values))
    group = tuple(str(symbol) for symbol in values)
    found = {}
    for symbol, given in values.items():
        column = numbers(given, str(symbol)) if measure is None else (_eigenvalue(given, measure, str(symbol)),)
        if len(column) != len(shares):
            raise InputError(f"{symbol}: {len(column)} values for {len(shares)} weights")
        if not same(symbol.rows, first.rows):
            raise InputError(f"{symbol} has {symbol.rows} rows and {first} has {first.rows}: matrices commute in one space")
        law = tuple(zip(column, shares, strict=True))
        found[symbol] = Deterministic(law=law, joint=group, density=measure)
    return found


def _eigenvalue(value: Any, measure: Continuous, name: str) -> sp.Expr:
    """f(t), real at nodes."""
    from pencils.language.densities import values_at

    found = _function(value, measure.variable, name)
    values_at(found, measure.variable, measure.nodes(24, 15), 15)
    return found


def same(left: sp.Expr, right: sp.Expr) -> bool:
    """Whether two dimensions are one: equal as expressions."""
    return left == right or sp.expand(left - right) == 0


def symmetric_atom(ensemble: Ensemble) -> bool:
    """Matrices equal to their adjoint: Wigner, and deterministic ones with eigenvalues or declared so."""
    return isinstance(ensemble, Wigner) or (
        isinstance(ensemble, Deterministic) and (ensemble.law is not None or ensemble.symmetric)
    )


def gram(vectors: Mapping[sp.MatrixSymbol, Vector]) -> list[sp.Matrix]:
    """Gram matrices of vectors of one space: one for each component of the law that acts there, or a single one.

    Raises InputError when two declared overlaps contradict each other, or when no such vectors exist.
    """
    names = ", ".join(map(str, vectors))
    sizes = {len(vector.lengths) for vector in vectors.values()}
    if len(sizes) != 1:
        raise InputError(f"{names}: vectors of one space need the same number of components")
    matrices = []
    for k in range(sizes.pop()):
        matrix = sp.diag(*[vector.lengths[k] ** 2 for vector in vectors.values()])
        for (i, a), (j, b) in combinations(enumerate(vectors), 2):
            given = {dict(vectors[c].overlaps)[d][k] for c, d in ((a, b), (b, a)) if d in dict(vectors[c].overlaps)}
            if len(given) > 1:
                raise InputError(f"the overlap of {a} and {b} is declared twice, as {' and as '.join(map(str, given))}")
            matrix[i, j] = matrix[j, i] = given.pop() if given else 0
        if matrix.is_positive_semidefinite is False:
            raise InputError(f"{names}: no vectors have these norms and overlaps (their Gram matrix has a negative eigenvalue)")
        matrices.append(matrix)
    return matrices
