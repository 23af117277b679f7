"""Moments of a random matrix, exactly: the coefficients of its resolvent at infinity, solved for as a formal power series.

Where the equations do not contract at infinity, the same expansion of the polynomial P(m, z) = 0: of its one branch
m = -1/z + ...
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sympy as sp
from flint import fmpq, fmpq_poly

from pencils.dyson.equations import Equations
from pencils.dyson.values import exact_number
from pencils.elimination.eliminate import polynomial
from pencils.elimination.polynomial_system import Plain, plain_equations
from pencils.errors import ConvergenceError, InputError
from pencils.exact.rational_functions import Ring
from pencils.exact.series import Field, FormalSolution, coefficients
from pencils.language.ensembles import same
from pencils.language.tree import Expression, Identity, Inverse, Sum

MOST = 500


def moments(of: Expression | Equations, count: int, values: Mapping[sp.Symbol, Any] | None = None) -> list[sp.Expr]:
    """The limits of tr M^j, j = 1, ..., count, of a square matrix expression M, exact.

    ``of`` is M as ``expression.read`` gives it, or the equations of its resolvent (M - z)^{-1}; tr is the normalised trace. From
    tr (M - z)^{-1} = -sum_j tr M^j / z^{j+1}: the equations are solved in power series in 1/z, in exact arithmetic.
    Parameters that ``values`` does not give stay symbols, and the moments are expressions in them. Raises InputError for a
    number of moments out of range, or a law that is no resolvent. Where the equations do not contract at infinity, as for an M
    that holds inverses of random matrices, the moments follow from the polynomial of the law, if all parameters have numbers:
    ConvergenceError if not, NoPolynomialError if there is none.
    """
    if isinstance(count, bool) or not isinstance(count, int) or not 1 <= count <= MOST:
        raise InputError(f"count = {count}: the number of moments is from 1 to {MOST}")
    resolvent, spectral = _resolvent(of)
    fixed = {}
    for symbol, value in (values or {}).items():
        if symbol not in resolvent.parameters or symbol == spectral:
            raise InputError(f"{symbol} is not a parameter of the matrix")
        fixed[symbol] = exact_number(value, str(symbol))
    plain = plain_equations(resolvent, fixed)
    others = [s for s in (*plain.parameters, *plain.relations) if s != spectral]
    if any(spectral in base.free_symbols for base, _ in plain.bases.values()):
        raise InputError(f"a root of {spectral} occurs: the law is not that of a resolvent")
    ring = Ring(others)
    field = Field(Terms, ring.fraction) if others else Field(fmpq_poly, lambda q: fmpq(int(q.p), int(q.q)))
    given = {s: field.constant(ring.fraction(s)) for s in others}
    given[spectral] = field.power(-1, field.number(sp.S.One))
    try:
        _, series = FormalSolution(plain.equations, plain.definitions, given, field).solve(count + 2, plain.value)
    except ConvergenceError as error:
        free = [s for s in plain.parameters if s != spectral]
        if free:
            names = ", ".join(map(str, free))
            raise ConvergenceError(f"{error}; with numbers for {names} the moments can follow from the polynomial") from error
        return moments_of_curve(polynomial(resolvent, fixed), spectral, count)
    found = [_expression(-c, ring, plain, resolvent.dimensions) for c in coefficients(series, 0, count + 2)]
    if found[:2] != [0, 1]:
        raise InputError(f"the law is not that of a resolvent (M - {spectral})^-1: at infinity it is not -1/{spectral}")
    return found[2:]


def moments_of_curve(polynomial: sp.Poly, spectral: sp.Symbol, count: int) -> list[sp.Expr]:
    """tr M^j, j = 1, ..., count, for m(z) = -sum_j tr M^j / z^{j+1} with P(m, z) = 0, P over the rationals.

    m = -w t, w = 1/z, turns P into Q(t, w) = 0 with t = sum_j tr M^j w^j. If t = 1 is a simple root of Q(t, 0), t is one
    power series, solved for term by term. Raises ConvergenceError where it is not, so that branches meet at infinity.
    """
    curve = sp.Poly(polynomial.as_expr(), polynomial.gen, spectral)
    lowest = min(i - j for i, j in curve.monoms())
    powers: dict[int, fmpq_poly] = {}  # of t: coefficients in w
    for (i, j), c in curve.terms():
        term = fmpq_poly([0] * (i - j - lowest) + [fmpq(int(c.p), int(c.q)) * (-1) ** i])
        powers[i] = powers.get(i, fmpq_poly([])) + term
    slope = sum((i * q[0] for i, q in powers.items()), fmpq(0))
    if sum((q[0] for q in powers.values()), fmpq(0)) != 0 or slope == 0:
        raise ConvergenceError("the moments do not follow from the polynomial: at infinity its branches meet")
    t = fmpq_poly([1])
    for k in range(1, count + 1):
        value, power = fmpq_poly([]), fmpq_poly([1])
        for i in range(max(powers) + 1):
            value += powers.get(i, fmpq_poly([])) * power
            power = (power * t).truncate(k + 1)
        t += fmpq_poly([0] * k + [-value[k] / slope])
    return [sp.Rational(int(t[k].p), int(t[k].q)) for k in range(1, count + 1)]


def _expression(coefficient: Any, ring: Ring, plain: Plain, dimensions: list[sp.Symbol]) -> sp.Expr:
    """A coefficient in SymPy, with dimensions as ratios to the one that was put 1."""
    if isinstance(coefficient, fmpq):
        return sp.Rational(int(coefficient.p), int(coefficient.q))
    ratio = {s: s / plain.scale for s in plain.parameters if s in dimensions and plain.scale is not None}
    meaning = [plain.names.meaning.get(s, ratio.get(s, s)) for s in ring.symbols]

    def expr(part: Any) -> sp.Expr:
        terms = [
            int(c) * sp.Mul(*[x ** int(e) for x, e in zip(meaning, powers, strict=True)]) for powers, c in part.to_dict().items()
        ]
        return sp.expand(sp.Add(*terms))

    top, bottom = expr(coefficient.top), expr(coefficient.bottom)
    return sp.expand(top / bottom) if not isinstance(bottom, sp.Add) else top / bottom


class Terms:
    """A polynomial with coefficients in any field, as ``series.Field`` needs it."""

    def __init__(self, coefficients: list[Any]) -> None:
        self.coefficients = coefficients
        while coefficients and not coefficients[-1]:
            coefficients.pop()

    def __getitem__(self, place: int) -> Any:
        return self.coefficients[place]

    def length(self) -> int:
        """Number of coefficients."""
        return len(self.coefficients)

    def is_zero(self) -> bool:
        """Whether there are none."""
        return not self.coefficients

    def truncate(self, length: int) -> Terms:
        """The terms below eps^length."""
        return Terms(self.coefficients[:length])

    def left_shift(self, count: int) -> Terms:
        """Times eps^count."""
        return Terms([self.zero] * count + self.coefficients) if self.coefficients else self

    def right_shift(self, count: int) -> Terms:
        """Without the terms below eps^count, divided by it."""
        return Terms(self.coefficients[count:])

    @property
    def zero(self) -> Any:
        """0 of the field."""
        return self.coefficients[0] - self.coefficients[0]

    def __add__(self, other: Terms) -> Terms:
        short, long = sorted((self.coefficients, other.coefficients), key=len)
        return Terms([a + b for a, b in zip(short, long, strict=False)] + long[len(short) :])

    def __neg__(self) -> Terms:
        return Terms([-c for c in self.coefficients])

    def __sub__(self, other: Terms) -> Terms:
        return self + -other

    def mul_low(self, other: Terms, length: int) -> Terms:
        """The product below eps^length."""
        if self.is_zero() or other.is_zero():
            return Terms([])
        total = [self.zero] * min(length, self.length() + other.length() - 1)
        for i, a in enumerate(self.coefficients[:length]):
            if a:
                for j, b in enumerate(other.coefficients[: length - i]):
                    if b:
                        total[i + j] = total[i + j] + a * b
        return Terms(total)


def _resolvent(of: Expression | Equations) -> tuple[Equations, sp.Symbol]:
    """The equations of (M - z)^{-1} and z."""
    if isinstance(of, Equations):
        scalars = [s for s in of.parameters if s not in of.dimensions and not s.is_positive]
        if len(scalars) != 1:
            raise InputError("the law must have one spectral parameter, a symbol that is neither a dimension nor positive")
        return of, scalars[0]
    if of.ends is not None or not same(of.tree.rows, of.tree.cols):
        raise InputError(f"{of.source}: only a square matrix has moments")
    z, size = sp.Symbol("_z"), of.tree.rows
    tree = Inverse(size, size, Sum(size, size, ((sp.S.One, of.tree), (-z, Identity(size, size)))))
    return Equations(Expression(of.source, tree, of.ensembles)), z
