"""A teacher that is a polynomial in x1, x2, ...: its text, exact coefficients, Hermite coefficients and directions.

f = sum_a h_a He_a(x) with He_a = prod_i He_{a_i}(x_i), x ~ N(0, I): E f^2 = sum_a a! h_a^2, and C_k = E grad^k f is the
symmetric tensor whose entry at indices with counts a (|a| = k) is a! h_a. So C_k(w, ..., w)/k! = P_k(w), the homogeneous
polynomial P_k(w) = sum_{|a| = k} h_a w^a, and C_k(w, ..., w, .)/(k-1)! = grad P_k(w). Source: ``damian2022``, section 5.1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import factorial, prod
from typing import TYPE_CHECKING, Any

from pencils.errors import InputError
from pencils.exact.numbers import exact
from pencils.language.parse import Node, names, parse
from theory.activations.polynomial_text import expand
from theory.activations.polynomial_text import shape as check

if TYPE_CHECKING:
    import numpy as np
    import sympy as sp

    from theory.activations.polynomial_text import Terms

MAX_TENSOR = 20_000


@dataclass(frozen=True)
class PolynomialTeacher:
    """A polynomial f(x1, ..., xd), any d that its variables allow. ``variables`` are the indices that occur, in order."""

    text: str
    tree: Node
    variables: tuple[int, ...]

    def __str__(self) -> str:
        return self.text

    @cached_property
    def terms(self) -> Terms:
        """Coefficients of the monomials; InputError for more than MAX_TERMS of them."""
        return expand(self.tree, self.variables)

    @cached_property
    def hermite(self) -> Terms:
        """The coefficients h_a of He_a, from x^n = sum_m n!/(2^m m! (n-2m)!) He_{n-2m}."""
        import sympy as sp

        found: dict[tuple[int, ...], sp.Expr] = {}
        for powers, coefficient in self.terms.items():
            for halves in product(*(range(power // 2 + 1) for power in powers)):
                index = tuple(power - 2 * half for power, half in zip(powers, halves, strict=True))
                weight = prod(
                    Fraction(factorial(power), 2**half * factorial(half) * factorial(power - 2 * half))
                    for power, half in zip(powers, halves, strict=True)
                )
                found[index] = found.get(index, sp.S.Zero) + coefficient * sp.Rational(weight.numerator, weight.denominator)
        return {index: value for index, value in found.items() if value != 0}

    @cached_property
    def degree(self) -> int:
        """The largest |a| of a term that is not 0."""
        return max((sum(index) for index in self.terms), default=0)

    @property
    def smallest_d(self) -> int:
        """The least dimension of x that has all the variables."""
        return max(self.variables, default=1)

    @cached_property
    def energy(self) -> sp.Expr:
        """E f^2."""
        import sympy as sp

        return sp.expand(sum((_factorials(index) * value**2 for index, value in self.hermite.items()), sp.S.Zero))

    @property
    def mean(self) -> sp.Expr:
        """C_0 = E f, the alpha of Algorithm 1 at n = infinity."""
        import sympy as sp

        return self.hermite.get((0,) * len(self.variables), sp.S.Zero)

    def slope(self, d: int) -> list[sp.Expr]:
        """C_1 = E grad f = E f x, the b of Algorithm 1 at n = infinity; shape d."""
        return [self.entry([place]) for place in range(1, self._wide(d) + 1)]

    def hessian(self, d: int) -> sp.Matrix:
        """H = C_2 = E grad^2 f; d x d."""
        import sympy as sp

        indices = range(1, self._wide(d) + 1)
        return sp.Matrix(d, d, lambda i, j: self.entry([indices[i], indices[j]]))

    def entry(self, indices: Sequence[int]) -> sp.Expr:
        """The entry of C_k at k coordinates, each counted from 1: E of that partial derivative of f."""
        import sympy as sp

        if any(index not in self.variables for index in indices):
            return sp.S.Zero
        counts = tuple(list(indices).count(variable) for variable in self.variables)
        return _factorials(counts) * self.hermite.get(counts, sp.S.Zero)

    def tensor(self, k: int, d: int) -> sp.ImmutableDenseNDimArray:
        """C_k = E grad^k f as an array of shape (d,)*k; InputError where it has more than MAX_TENSOR entries."""
        import sympy as sp

        if self._wide(d) ** k > MAX_TENSOR:
            raise InputError(f"C_{k} at d = {d} has {d**k} entries; at most {MAX_TENSOR} are written out; see entry()")
        entries = [self.entry([place + 1 for place in places]) for places in product(range(d), repeat=k)]
        return sp.ImmutableDenseNDimArray(entries, (d,) * k)

    def contracted(self, k: int, w: Sequence[Any]) -> Any:
        """P_k(w) = C_k(w, ..., w)/k!."""
        return sum((value * self._monomial(index, w) for index, value in self._part(k)), 0 * w[0])

    def contracted_gradient(self, k: int, w: Sequence[Any]) -> list[Any]:
        """grad P_k(w) = C_k(w, ..., w, .)/(k-1)!, shape d = len(w)."""
        found = [0 * part for part in w]
        for index, value in self._part(k):
            for place, power in enumerate(index):
                if power:
                    less = (*index[:place], power - 1, *index[place + 1 :])
                    found[self.variables[place] - 1] += power * value * self._monomial(less, w)
        return found

    @cached_property
    def directions(self) -> int:
        """r: the dimension of the span of the directions that f depends on."""
        return self._directions(1)

    @cached_property
    def curved_directions(self) -> int:
        """The same of f - C_0 - C_1.x, what is left when the linear part is taken off."""
        return self._directions(2)

    def _directions(self, least: int) -> int:
        """The rank of the partial derivatives as polynomials: v . grad f = 0 exactly for the v that f does not see. In terms of
        He_a, whose derivative in x_i is a_i He_{a - e_i}, over |a| >= least."""
        import sympy as sp

        rows: list[dict[tuple[int, ...], sp.Expr]] = [{} for _ in self.variables]
        for index, value in self.hermite.items():
            for place, power in enumerate(index):
                if power and sum(index) >= least:
                    rows[place][*index[:place], power - 1, *index[place + 1 :]] = power * value
        columns = sorted({index for row in rows for index in row})
        return _rank(sp.Matrix([[row.get(index, sp.S.Zero) for index in columns] for row in rows])) if columns else 0

    def core(self) -> sp.Matrix:
        """H on the variables that occur; all its other entries are 0."""
        import sympy as sp

        return sp.Matrix([[self.entry([first, second]) for second in self.variables] for first in self.variables])

    @cached_property
    def hessian_rank(self) -> int:
        """Rank of H."""
        return _rank(self.core())

    def at(self, x: np.ndarray) -> np.ndarray:
        """f at the rows of x, of shape (n, d), in floating point."""
        import numpy as np

        self._wide(x.shape[1])
        values = np.zeros(len(x))
        for powers, coefficient in self.terms.items():
            term = np.full(len(x), float(coefficient))
            for variable, power in zip(self.variables, powers, strict=True):
                if power:
                    term *= x[:, variable - 1] ** power
            values += term
        return values

    def _part(self, k: int) -> list[tuple[tuple[int, ...], sp.Expr]]:
        return [(index, value) for index, value in self.hermite.items() if sum(index) == k]

    def _monomial(self, index: tuple[int, ...], w: Sequence[Any]) -> Any:
        return prod((w[variable - 1] ** power for variable, power in zip(self.variables, index, strict=True) if power), start=1)

    def _wide(self, d: int) -> int:
        if d < self.smallest_d:
            raise InputError(f"teacher = {self.text}: it uses x{self.smallest_d}, and the dimension is d = {d}")
        return d


def polynomial(value: Any, name: str = "teacher") -> PolynomialTeacher:
    """The polynomial that a text denotes, or a SymPy expression or Poly in symbols x1, x2, ... . Raises InputError for one that is
    none: a function, a variable in an exponent or under a fraction, a name other than x1, x2, ... ."""
    if isinstance(value, PolynomialTeacher):
        return value
    if not isinstance(value, str):
        value = _text(value, name)
    tree = parse(value, name)
    shape = check(tree, f"{name} = {value if len(value) < 60 else value[:57] + '...'}")
    return PolynomialTeacher(value, tree, tuple(sorted(shape.variables)))


def _text(value: Any, name: str) -> str:
    """The text of a SymPy expression or Poly, which is then read like any other."""
    import sympy as sp

    if isinstance(value, sp.Poly):
        value = value.as_expr()
    if not isinstance(value, sp.Expr):
        raise InputError(f"{name} = {value}: a polynomial is text, such as x1*x2 + (x1**2 - 1)/2, or a SymPy one in x1, x2, ...")
    return sp.sstr(value)


def number(value: Any, name: str) -> sp.Expr:
    """The exact number that a text or number denotes: a rational, or sums of square roots of rationals such as sqrt(2)/2."""
    text = value if isinstance(value, str) else str(exact(value, name))
    tree = parse(text, name)
    if names(tree):
        raise InputError(f"{name} = {text}: give an exact number, a rational or with square roots such as sqrt(2)/2")
    check(tree, f"{name} = {text}")
    import sympy as sp

    return expand(tree, ()).get((), sp.S.Zero)


def _factorials(index: Sequence[int]) -> int:
    return prod(factorial(part) for part in index)


def _rank(matrix: sp.Matrix) -> int:
    import sympy as sp

    return int(matrix.rank(iszerofunc=lambda entry: sp.radsimp(sp.expand(entry)) == 0))
