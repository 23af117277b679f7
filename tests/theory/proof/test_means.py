"""Means of polynomials, which the chapters show."""

import sympy as sp

from theory.proof.means import Mean


def test_means_of_polynomials():
    """E z^4 = 3 and E z1^2 z2^2 = 1; over z > 0, E z = 1/sqrt(2 pi), E z^2 = 1/2, E z^3 = 2/sqrt(2 pi)."""
    x, y, c = sp.symbols("x y c", real=True)
    assert Mean(c * x**4 + x * y + x**2 * y**2, (x, y)).doit() == 3 * c + 1
    root = sp.sqrt(2 * sp.pi)
    for power, value in enumerate((sp.Rational(1, 2), 1 / root, sp.Rational(1, 2), 2 / root)):
        assert sp.simplify(Mean(x**power * y**2, (x, y), True).doit() - value) == 0
    assert Mean(c * x, (x,)).free_symbols == {c}
