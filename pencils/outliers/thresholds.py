"""Thresholds: the value of a parameter of the finite-rank terms at which an outlier leaves an edge of the spectrum.

At the edge det D = 0. The edge and the unknowns there do not depend on the parameter: what is left is an equation in it alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import sympy as sp
from flint import acb, acb_poly, arb

from pencils.dyson.equation import Dyson
from pencils.dyson.real_axis import RealBranch
from pencils.errors import ConvergenceError, InputError
from pencils.exact.balls import compile_balls
from pencils.exact.numbers import DEFAULT_DIGITS, as_float, bits_for, check_digits, to_ball, working_precision
from pencils.outliers.determinant import Outliers
from pencils.outliers.search import shown
from pencils.spectra.fold_edges import FoldSystem


@dataclass(frozen=True)
class Threshold:
    """``value`` of ``parameter``, at which an outlier leaves the edge at ``edge``, both to the digits asked for.

    ``equation`` holds there, in the parameters alone, and ``solution`` solves it; each is None where it is not found.
    """

    parameter: sp.Symbol
    edge: sp.Expr
    value: sp.Expr
    equation: sp.Equality | None
    solution: sp.Expr | None


def thresholds(
    problem: Outliers,
    parameter: sp.Symbol,
    values: Mapping[Any, Any],
    digits: int = DEFAULT_DIGITS,
) -> list[Threshold]:
    """All real thresholds of a parameter (positive ones, if it is so declared), edge by edge; ``values`` gives the others.

    An edge at which the unknowns diverge has none: any perturbation that points beyond it makes an outlier. Raises InputError
    for a parameter that is not one of the finite-rank terms alone, and beside a law with a density.
    """
    digits = check_digits(digits)
    core = problem.equations
    if parameter not in problem.finite.given.parameters:
        names = ", ".join(map(str, problem.finite.given.parameters))
        raise InputError(f"{parameter} is not a parameter of the expression; they are {names}")
    if parameter in problem.unperturbed_parameters:
        raise InputError(f"{parameter} occurs in the model without finite-rank terms: the edges move with it")
    if problem.is_continuous:
        raise InputError("thresholds beside a law with a density are not computed: give a law of finitely many values")
    given = problem.exact({**values, parameter: sp.S.One})
    given.pop(parameter)
    found, elimination = [], _Elimination(problem, parameter)
    folds = FoldSystem(problem.reduced, problem.spectral, given)
    for edge, inner in problem.edges(given):
        try:
            point = _at_edge(problem, folds, edge, inner, digits)
        except ConvergenceError:
            continue
        place = point[problem.spectral]
        unknown = shown(point[core[0].lhs].real, digits, arb(1)) if len(core) == 1 else sp.S.Zero
        for value in _roots(problem, elimination, given, point, digits):
            numbers = {**given, parameter: value}
            equation = elimination.equation(numbers, unknown)
            solution = None if equation is None else _solution(equation, parameter, numbers)
            found.append(Threshold(parameter, shown(place, digits, to_ball(abs(inner - edge))), value, equation, solution))
    return found


def _at_edge(problem: Outliers, folds: FoldSystem, edge: Any, inner: Any, digits: int) -> dict[sp.Symbol, Any]:
    """x and the unknowns at the edge near ``edge``, enclosed from the last point to which the branch could be followed there."""
    finite = problem.finite
    branch = RealBranch(Dyson(finite.large, finite.ensembles), finite.spectral, folds.exact)
    last = None
    for point in branch.approach(edge, inner, 30):
        last = point
        if abs(point.x - edge) < abs(inner - edge) / 10**4:
            break
    if last is None:
        raise ConvergenceError(f"no solution was found beside the edge {float(edge):.6g}")
    places = [branch.pairs.index(problem.reduced.pairs[symbol]) for symbol in folds.core]
    slope, bits = branch.slope(last, 30), 2 * bits_for(digits) + 80
    with working_precision(bits):
        x = acb(to_ball(last.x)).mid()
        start = folds.start([_real(last.g[k]).mid() for k in places], x, [_real(slope[k]).mid() for k in places])
    found = folds.enclose(start, bits)
    count = len(folds.core)
    return {**dict(zip(folds.core, map(_real, found[:count]), strict=True)), finite.spectral: found[count].real}


def _real(value: acb) -> acb:
    """Without an imaginary part that may be 0: the equations of a symmetric matrix are real, and the one root in a box is its own
    conjugate."""
    return acb(value.real) if value.imag.contains(0) else value


def _roots(
    problem: Outliers,
    elimination: _Elimination,
    given: Mapping[sp.Symbol, sp.Expr],
    point: Mapping[sp.Symbol, Any],
    digits: int,
) -> list[sp.Expr]:
    """The real zeros of det D in the parameter, with balls for the unknowns at the edge."""
    parameter, order, poly = elimination.parameter, elimination.order, elimination.poly
    with working_precision(2 * bits_for(digits) + 80):
        symbols = list(point)
        coefficients = [acb(compile_balls(c.xreplace(dict(given)), symbols)(*point.values())) for c in reversed(poly.all_coeffs())]
        while coefficients and coefficients[-1].contains(0):
            coefficients.pop()
        found = []
        for zero in acb_poly([c.mid() for c in coefficients]).roots(tol=arb(10) ** -(digits + 20), maxprec=10**5):
            if not zero.imag.contains(0) or (order > 1 and not zero.real > 0):
                continue
            value = as_float(arb((zero.real**order).mid()), digits) if not zero.contains(0) else sp.S.Zero
            if value == 0 or (parameter.is_positive and value < 0) or problem.degenerate({**given, parameter: value}):
                continue
            found.append(value)
    return sorted(set(found))


def _polynomial(problem: Outliers, parameter: sp.Symbol) -> tuple[sp.Symbol, int, sp.Poly]:
    """The numerator of det D as a square-free polynomial in root = parameter^(1/order)."""
    powers = {p.exp for p in problem.determinant.atoms(sp.Pow) if p.base == parameter and p.exp.is_Rational}
    order = int(sp.ilcm(1, 1, *(p.q for p in powers)))
    root = parameter if order == 1 else sp.Dummy("r", positive=True)
    numerator = sp.fraction(sp.together(problem.determinant.subs(parameter, root**order)))[0]
    _, factors = sp.factor_list(numerator)
    product = sp.prod([f for f, _ in factors if f.has(root) and f != root])
    return root, order, sp.Poly(product, root)


class _Elimination:
    """x and the unknown g eliminated from g = F(g, x), dF/dg = 1 and det D = 0: for one unknown, of degrees that allow it."""

    def __init__(self, problem: Outliers, parameter: sp.Symbol) -> None:
        self.parameter, self.z = parameter, problem.spectral
        self.root, self.order, self.poly = _polynomial(problem, parameter)
        self.unknown, self.curve = None, None
        self.common: dict[tuple[sp.Expr, sp.Expr], list[sp.Expr]] = {}
        if len(problem.equations) == 1:
            (core,) = problem.equations
            curve = sp.fraction(sp.together(core.lhs - core.rhs))[0]
            if sp.degree(curve, self.z) <= 3 and sp.degree(curve, core.lhs) <= 6:
                self.unknown, self.curve = core.lhs, curve

    @cached_property
    def edges(self) -> list[sp.Expr]:
        """What g obeys at an edge: irreducible polynomials in g and the parameters."""
        return _factors(sp.resultant(self.curve, sp.diff(self.curve, self.unknown), self.z))

    @cached_property
    def outliers(self) -> list[sp.Expr]:
        """What g obeys at an outlier: irreducible polynomials in g and the parameters, those of the finite-rank terms too."""
        return _factors(sp.resultant(self.curve, self.poly.as_expr(), self.z))

    def equation(self, numbers: Mapping[sp.Symbol, sp.Expr], unknown: sp.Expr) -> sp.Equality | None:
        """The irreducible equation in the parameters alone that holds at a threshold, where g is ``unknown``."""
        if self.unknown is None:
            return None
        at = {**numbers, self.unknown: unknown, self.root: numbers[self.parameter] ** sp.Rational(1, self.order)}
        edge, outlier = _vanishing(self.edges, at), _vanishing(self.outliers, at)
        if edge is None or outlier is None:
            return None
        if outlier.has(self.unknown):
            if (edge, outlier) not in self.common:
                self.common[edge, outlier] = _factors(sp.resultant(edge, outlier, self.unknown))
            outlier = _vanishing(self.common[edge, outlier], at)
        if outlier is None:
            return None
        return sp.Eq(sp.expand(outlier.subs(self.root, self.parameter ** sp.Rational(1, self.order))), 0, evaluate=False)


def _factors(expr: sp.Expr) -> list[sp.Expr]:
    return [factor for factor, _ in sp.factor_list(expr)[1]]


def _vanishing(factors: list[sp.Expr], at: Mapping[sp.Symbol, sp.Expr]) -> sp.Expr | None:
    """The factor that vanishes at a point known to some 30 digits."""
    for factor in factors:
        terms = [abs(sp.N(term.subs(at), 30)) for term in sp.Add.make_args(sp.expand(factor))]
        if abs(sp.N(factor.subs(at), 30)) < sp.Float(10) ** -12 * max(terms):
            return factor
    return None


def _solution(equation: sp.Equality, parameter: sp.Symbol, numbers: Mapping[sp.Symbol, sp.Expr]) -> sp.Expr | None:
    """The solution of an equation of degree 2, or a pure power, that is the threshold."""
    left = sp.factor(equation.lhs)
    if not left.is_polynomial(parameter):
        return None
    poly = sp.Poly(left, parameter)
    if poly.degree() > 2 and len(poly.monoms()) > 2:
        return None
    for solution in sp.roots(poly, parameter) if poly.degree() > 2 else sp.solve(left, parameter):
        gap = sp.N((solution - parameter).subs(numbers), 30)
        if abs(gap) < sp.Float(10) ** -12 * abs(numbers[parameter]):
            return solution
    return None
