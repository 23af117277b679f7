"""Rational functions with radicals and the imaginary unit, and entries of inverses over them: identities, and SymPy's numbers."""

import pytest
import sympy as sp

from pencils.exact.sparse_inverse import RationalField, inverse_entries

mu, lam = sp.symbols("mu lambda", positive=True)
z = sp.Symbol("z")
I, sqrt = sp.I, sp.sqrt
POINT = {mu: sp.Rational(13, 10), lam: sp.Rational(7, 10), z: sp.Rational(1, 3) + I}


@pytest.mark.parametrize(
    "zero",
    [
        (1 + I) * (1 - I) / 2 - 1,
        (lam + I * z) / (lam**2 + z**2) - 1 / (lam - I * z),
        sqrt(2) * sqrt(3) * mu / sqrt(6) - mu,
        sqrt(sp.Rational(2, 3)) - sqrt(6) / 3,
        (sqrt(mu) + sqrt(lam)) * (sqrt(mu) - sqrt(lam)) - mu + lam,
        1 / (sqrt(lam + 1) - 1) - (sqrt(lam + 1) + 1) / lam,
        sqrt(lam / (lam + mu)) ** 3 * (lam + mu) - lam * sqrt(lam / (lam + mu)),
        (sqrt(2 + sqrt(2)) ** 2 - 2) ** 2 - 2,
        mu ** sp.Rational(1, 2) * mu ** sp.Rational(1, 3) - mu ** sp.Rational(5, 6),
        sp.Rational(4, 3) ** sp.Rational(1, 3) * 3 - 6 ** sp.Rational(2, 3),
    ],
)
def test_identities_of_radicals(zero):
    """Each is 0 by r^m = base, and 1 + each is not."""
    field = RationalField([zero])
    assert not field.element(zero) and field.element(zero) + field.one


@pytest.mark.parametrize(
    "expr",
    [
        sqrt(mu) * sqrt(6) * I + 1 / (sqrt(2) * sqrt(3) + lam),
        sqrt(sqrt(2) + lam / (1 + sqrt(mu))) / (z + I),
        sqrt(-sqrt(2) - 3) ** 3 + sqrt(lam + I),
        sp.pi * sp.Min(mu, lam) + mu ** sp.Rational(2, 3) / (sqrt(mu) - z),
        (-1) ** sp.Rational(1, 4) * I + lam,
        sp.Rational(-3, 4),
    ],
)
def test_there_and_back(expr):
    """The element stands for the number that SymPy finds for the expression, to 50 digits."""
    field = RationalField([expr])
    assert abs(sp.N((field.expr(field.element(expr)) - expr).subs(POINT), 50)) < sp.Float("1e-45", 50)


def test_inverses_with_an_imaginary_unit():
    """Against SymPy's inverse of numbers; and a matrix that is singular because I^2 = -1."""
    matrix = sp.Matrix([[1, I, 0], [I * z, lam, sqrt(2)], [0, sqrt(2), z + I]])
    field = RationalField(list(matrix))
    cells = {(i, j): field.element(matrix[i, j]) for i in range(3) for j in range(3)}
    places = [(i, j) for i in range(3) for j in range(3)]
    found = inverse_entries(3, cells, places, field)
    known = matrix.subs(POINT).inv()
    for i, j in places:
        assert abs(sp.N(field.expr(found[i, j]).subs(POINT) - known[i, j], 40)) < sp.Float("1e-35", 40)
    singular = {(0, 0): field.one, (0, 1): field.element(I), (1, 0): field.element(I), (1, 1): -field.one}
    with pytest.raises(ZeroDivisionError):
        inverse_entries(2, singular, [(0, 0)], field)
