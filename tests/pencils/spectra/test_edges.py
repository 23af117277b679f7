"""Edges by two routes that share only the equations and the scan: discriminants of the polynomial, folds of the equations.

Closed forms: 2 pi for the semicircle stretched by pi; the benchmark sheet (P3). Expansions against series worked out here.
"""

from fractions import Fraction

import mpmath as mp
import numpy as np
import pytest
import sympy as sp
from flint import acb, arb, fmpq_poly

from pencils import Deterministic, Gaussian, Wigner, spectrum
from pencils.errors import ConvergenceError, NoPolynomialError
from pencils.exact.numbers import working_precision
from pencils.exact.puiseux import Expansion

n, p, a = sp.symbols("n p a", positive=True)
X, S, W, D = sp.MatrixSymbol("X", p, n), sp.MatrixSymbol("S", p, p), sp.MatrixSymbol("W", n, n), sp.MatrixSymbol("D", n, n)


def test_both_routes_have_the_same_edges():
    """P3: 60 digits of each of the four edges, the gap of 0.019 included."""
    S_law = Deterministic(law=[(1, "1/2"), (sp.sqrt(3), "1/2")])
    at = spectrum(S * X * X.T * S / n, {X: Gaussian(), S: S_law})._at({p: 1, n: 4})
    assert at.curve is not None
    pairs = list(zip(at.folds.points, at.curve.points, strict=True))
    assert len(pairs) == 4
    with working_precision(260):
        for fold, point in pairs:
            assert abs(fold.ball(220) - point.ball(220)) < arb(10) ** -60
            assert fold.ball(220).overlaps(point.ball(260)) and (fold.left, fold.right) == (point.left, point.right)
    assert abs(at.folds.mass - 1) < 1e-9


def test_a_coefficient_that_is_not_rational():
    """a W with a = pi: +-2 pi, from the equations; no atoms."""
    law = spectrum(a * W, {W: Wigner(1 / n)})
    values = {n: 1, a: sp.pi}
    for digits in (15, 60):
        low, high = law.edges(values, digits)
        with mp.workdps(digits + 10):
            assert abs(mp.mpf(str(high)) - 2 * mp.pi) < mp.mpf(10) ** (2 - digits) and low == -high
    assert law.atoms(values) == [] and law.support(values) == [tuple(law.edges(values))]
    assert [edge.exponent for edge in law.behaviour(values)] == [sp.Rational(1, 2)] * 2
    assert law.density(np.array([0.0]), values)[0] == pytest.approx(1 / np.pi**2, rel=1e-13)


def test_what_needs_a_polynomial_says_so():
    """a X X^T/n with a = pi: at c = 2 half of the mass is an atom; at c = 1 the edge at 0 is a pole of the density."""
    law = spectrum(a * X * X.T / n, {X: Gaussian()})
    values = {p: 2, n: 1, a: sp.pi}
    low, high = law.edges(values, 20)
    assert abs(low - sp.pi * (sp.sqrt(2) - 1) ** 2) < 1e-18 and abs(high - sp.pi * (sp.sqrt(2) + 1) ** 2) < 1e-18
    for ask in (law.atoms, law.support):
        with pytest.raises(NoPolynomialError, match=r"mass 0\.5, the rest is in atoms"):
            ask(values)
    with pytest.raises(ConvergenceError):
        law.edges({p: 1, n: 1, a: sp.pi})


def expansion(rows, field, x0, branch):
    """Behaviour at x0 of the branch t -> m(t), for P given by rows of coefficients in z, lowest power of m first."""
    with working_precision(400):
        heights = [acb(0, arb(2) ** -k) for k in range(20, 60)]
        near = [(t, branch(t)) for t in heights]
        return Expansion([fmpq_poly(row) for row in rows], fmpq_poly(field)).behaviour(acb(x0()), near)


def test_expansions_by_hand():
    """m^2 = z: exponent 1/2 at 0, a power series at 1. (m - 1 - z)^2 = z^3: exponent 3/2 after 1 + z. z m = -1/3 + z^2 i ...:
    a pole with a residue. m^2 = z^2 - 2 at the place sqrt 2, a number of degree 2."""
    found = expansion([[0, -1], [0], [1]], [0, 1], lambda: acb(0), lambda t: t.sqrt())
    assert (found.exponent, found.residue) == (Fraction(1, 2), None)
    found = expansion([[0, -1], [0], [1]], [-1, 1], lambda: acb(1), lambda t: (1 + t).sqrt())
    assert (found.exponent, found.residue) == (None, None)
    # (m - 1 - z)^2 - z^3 = m^2 - 2 (1 + z) m + (1 + z)^2 - z^3
    rows = [[1, 2, 1, -1], [-2, -2], [1]]
    found = expansion(rows, [0, 1], lambda: acb(0), lambda t: 1 + t + t * t.sqrt())
    assert (found.exponent, found.residue) == (Fraction(3, 2), None)
    # m = -1/(3 z) + sqrt z: (z m + 1/3)^2 = z^3
    found = expansion([[1, 0, 0, -9], [0, 6], [0, 0, 9]], [0, 1], lambda: acb(0), lambda t: -1 / (3 * t) + t.sqrt())
    assert found.exponent == Fraction(1, 2) and found.residue == fmpq_poly([-1]) / 3
    root = lambda: acb(arb(2).sqrt())  # noqa: E731
    found = expansion([[2, 0, -1], [0], [1]], [-2, 0, 1], root, lambda t: (t * (t + 2 * acb(arb(2).sqrt()))).sqrt())
    assert (found.exponent, found.residue) == (Fraction(1, 2), None)


def test_two_branches_through_one_point_are_told_apart():
    """(m - z)(m + z)(m^2 - z) at 0: slopes 1 and 1/2; the values of the branch choose."""
    # (m^2 - z^2)(m^2 - z) = m^4 - (z + z^2) m^2 + z^3
    rows = [[0, 0, 0, 1], [0], [0, -1, -1], [0], [1]]
    assert expansion(rows, [0, 1], lambda: acb(0), lambda t: -t).exponent is None
    assert expansion(rows, [0, 1], lambda: acb(0), lambda t: -t.sqrt()).exponent == Fraction(1, 2)
    with pytest.raises(ConvergenceError):
        expansion(rows, [0, 1], lambda: acb(0), lambda t: t.sqrt() * t.sqrt().sqrt())  # slope 3/4: no branch


def test_spurious_roots_of_the_discriminant_are_rejected():
    """P15: the discriminant, by SymPy, has real roots besides the four edges: 0 (of other branches) and more."""
    A = sp.MatrixSymbol("A", p, n)
    Y = A + sp.Rational(4, 5) * X
    singular = [(sp.Rational(1, 2), "1/2"), (sp.Rational(3, 2), "1/2")]
    law = spectrum(Y * Y.T, {A: Deterministic(singular_values=singular), X: Gaussian(1 / n)})
    values = {p: 1, n: 2}
    poly = law.polynomial(values)
    discriminant = sp.Poly(sp.discriminant(poly.as_expr(), *poly.gens), law.z)
    roots = [root.n(40) for root in dict.fromkeys(discriminant.real_roots())]
    edges = law.edges(values)
    assert len(edges) == 4 < len(roots)
    assert all(min(abs(edge - root) for root in roots) < 1e-28 for edge in edges)
