"""Deterministic matrices whose eigenvalue law has a density.

Expected values: the Marchenko-Pastur-Silverstein equation with the integral in closed form, solved here by mpmath; free sums of
semicircles; a Wishart matrix in place of the law that it has.
"""

import mpmath as mp
import numpy as np
import pytest
import sympy as sp

from pencils import Deterministic, Gaussian, Vector, Wigner, commuting, expected_trace, spectrum
from pencils.errors import InputError, NoPolynomialError
from pencils.language.matrix_text import read

n, d, m, lam = sp.symbols("n d m lambda", positive=True)
t, z = sp.symbols("t z")
X, Y, S, W = sp.MatrixSymbol("X", n, d), sp.MatrixSymbol("Y", d, m), sp.MatrixSymbol("S", d, d), sp.MatrixSymbol("W", d, d)
A, u = sp.MatrixSymbol("A", d, d), sp.MatrixSymbol("u", d, 1)
one, d_one = sp.Identity(n), {d: 1}
UNIFORM = Deterministic(density=("1/2", t, 1, 3))
SEMICIRCLE = Deterministic(density=(sp.sqrt(4 - t**2) / (2 * sp.pi), t, -2, 2))


def silverstein(ratio: int, shift: str, digits: int = 60) -> mp.mpf:
    """g = tr (X S X^T/n + lam)^-1, S uniform on [1, 3]: 1/g = lam + (d/n) int t/(1 + t g) dt/2, in closed form."""
    with mp.workdps(digits):
        low = mp.mpf(shift)

        def gap(g: mp.mpf) -> mp.mpf:
            return 1 / g - low - ratio * (1 - mp.log((1 + 3 * g) / (1 + g)) / (2 * g)) / g

        return +mp.findroot(gap, (mp.mpf("0.2"), mp.mpf("0.3")))


def close(value: sp.Expr, expected: mp.mpf, digits: int) -> bool:
    with mp.workdps(digits + 10):
        return abs(mp.mpf(str(value)) - expected) < mp.mpf(10) ** (1 - digits) * abs(expected)


def test_uniform_covariance_against_silversteins_equation():
    law = expected_trace((X * S * X.T / n + lam * one).inverse(), {X: Gaussian(), S: UNIFORM})
    values = {n: 1, d: 2, lam: "1/10"}
    expected = silverstein(2, "0.1")
    for digits in (25, 50):
        assert close(law.evaluate(values, digits), expected, digits)
    with mp.workdps(50):
        change = (silverstein(2, "0.1000000000000000000000001") - silverstein(2, "0.0999999999999999999999999")) / mp.mpf("2e-25")
    assert close(law.diff(lam).evaluate(values, 20), change, 20)
    shifts = np.array([0.1, 0.1, 0.1])
    assert np.allclose(law.evaluate({**values, lam: shifts}), float(expected), rtol=1e-12)
    assert np.allclose(law.diff(lam).evaluate({**values, lam: shifts}), float(change), rtol=1e-9)


def test_equations_hold_an_integral():
    """Putting the solution into the printed equation, integrated by mpmath."""
    law = expected_trace((X * S * X.T / n + lam * one).inverse(), {X: Gaussian(), S: UNIFORM})
    (equation,) = law.equations
    (integral,) = equation.rhs.atoms(sp.Integral)
    assert r"\int\limits_{1}^{3}" in law.latex()
    with mp.workdps(30):
        at = {equation.lhs: sp.Float(str(silverstein(2, "0.1")), 40), n: 1, d: 2, lam: sp.Rational(1, 10)}
        (variable, low, high), inner = integral.limits[0], integral.function.doit().xreplace(at)
        number = mp.quad(sp.lambdify(variable, inner, "mpmath"), [int(low), int(high)])
        right = equation.rhs.xreplace({integral: sp.Float(str(number), 40)}).xreplace(at)
        assert abs(right - at[equation.lhs]) < 1e-25
    with pytest.raises(NoPolynomialError, match="density"):
        law.polynomial()


def test_a_parameter_called_like_the_variable():
    scalar = sp.Symbol("t", positive=True)
    laws = [expected_trace((X * S * X.T / n + s * one).inverse(), {X: Gaussian(), S: UNIFORM}) for s in (lam, scalar)]
    assert laws[0].evaluate({n: 1, d: 2, lam: 1}, 20) == laws[1].evaluate({n: 1, d: 2, scalar: 1}, 20)
    assert scalar not in laws[0].equations[0].free_symbols and scalar in laws[1].equations[0].free_symbols


def test_semicircles_add_up():
    """Variances 1 and 3: a semicircle on [-4, 4], m = (-z + sqrt(z^2 - 16))/8, moments 4 and 2 4^2 and 5 4^3."""
    law = spectrum(W + S, {W: Wigner(3 / d, "complex"), S: SEMICIRCLE})
    with mp.workdps(40):
        for point in (mp.mpc(1, 1), mp.mpf(5)):
            expected = (-point + mp.sqrt(point - 4) * mp.sqrt(point + 4)) / 8
            found = law.stieltjes(sp.Integer(5) if point == 5 else 1 + sp.I, d_one, 25)
            assert abs(mp.mpmathify(complex(found - sp.sympify(expected)))) < 1e-24
        inside = law.stieltjes("1/2", d_one, 25)
        assert abs(sp.im(inside) - sp.sqrt(sp.Rational(63, 4)).evalf(40) / 8) < 1e-24
        assert abs(sp.re(inside) + sp.Rational(1, 16)) < 1e-24
    xs = np.linspace(-4.5, 4.5, 61)
    assert np.allclose(law.density(xs, d_one), np.sqrt(np.maximum(16 - xs**2, 0)) / (8 * np.pi), atol=1e-10)
    moments = law.moments(6, d_one)
    assert all(abs(a - b) < 1e-24 for a, b in zip(moments, [0, 4, 0, 32, 0, 320], strict=True))


@pytest.mark.slow
def test_edges_of_the_sum_of_semicircles():
    law = spectrum(W + S, {W: Wigner(3 / d), S: SEMICIRCLE})
    low, high = law.edges(d_one, 25)
    assert abs(low + 4) < 1e-24 and abs(high - 4) < 1e-24


def test_a_wishart_matrix_and_its_law():
    """Y Y^T/m with m = 2 d has the Marchenko-Pastur law of ratio 1/2."""
    low, high = 1 + sp.Rational(1, 2) - sp.sqrt(2), 1 + sp.Rational(1, 2) + sp.sqrt(2)
    density = sp.sqrt((high - t) * (t - low)) / (sp.pi * t)
    wishart = Deterministic(density=(density, t, low, high))
    law = expected_trace((X * S * X.T / n + lam * one).inverse(), {X: Gaussian(), S: wishart})
    other = expected_trace((X * Y * Y.T * X.T / (m * n) + lam * one).inverse(), {X: Gaussian(), Y: Gaussian()})
    values = {n: 1, d: 3, lam: "1/3"}
    assert abs(law.evaluate(values, 25) - other.evaluate({**values, m: 6}, 25)) < 1e-23


def test_joint_laws_and_atoms_against_samples():
    """Quantiles on the diagonal; S = sqrt t and A = t^2 together; a law with an atom of mass 1/4."""
    pair = commuting({S: sp.sqrt(t), A: t**2}, density=("1/2", t, 1, 3))
    law = expected_trace((S * X.T * X * S / n + lam * sp.Identity(d)).inverse() * A, {X: Gaussian(), **pair})
    mixed = Deterministic(law=[(5, "1/4")], density=(sp.Rational(3, 8), t, 1, 3))
    with_atom = expected_trace((W + S - z * sp.Identity(d)).inverse(), {W: Wigner(1 / d), S: mixed})
    for one_law, values in ((law, {n: 2, d: 1, lam: 1}), (with_atom, {d: 1, z: 2 + sp.I})):
        value, sample = complex(one_law.evaluate(values, 15)), one_law.sample(values, 150, 10)
        assert abs(value - sample.mean) < 5 * abs(sample.standard_error) + 0.005 * abs(value)
    trace = expected_trace(A, {A: pair[A]})
    assert abs(trace.sample({d: 1}, 400, 2).mean - 13 / 3) < 1e-4  # the integral of t^2/2 on [1, 3]
    assert abs(trace.evaluate({d: 1}, 25) - sp.Rational(13, 3)) < 1e-24


def test_moments_of_a_polynomial_density_are_exact():
    """tr M = c E t and tr M^2 = c E t^2 + (c E t)^2 for M = X S X^T/n, with c = d/n: E t = 2, E t^2 = 13/3."""
    found = spectrum(X * S * X.T / n, {X: Gaussian(), S: UNIFORM}).moments(2)
    assert found == [2 * d / n, sp.expand(sp.Rational(13, 3) * d / n + 4 * d**2 / n**2)]


@pytest.mark.parametrize(
    ("density", "message"),
    [
        (("1/3", t, 1, 3), "mass 0.666"),
        ((sp.Rational(1, 2) + t, t, -1, 1), "negative"),
        ((sp.exp(-t), t, 0, sp.oo), "finite interval"),
        ((lam * t, t, 0, 1), "lambda is unknown"),
        ((sp.sqrt(t), t, -1, 1), "no real number"),
        (("1/2", t, 3, 1), "empty"),
        (("1/2", 1, 3), r"\(rho, t, low, high\)"),
        ((sp.zeta(t), t, 0, 1), "zeta"),
    ],
)
def test_mistakes(density, message):
    with pytest.raises(InputError, match=message) as caught:
        Deterministic(density=density)
    assert "\n" not in str(caught.value)


def test_what_is_not_accepted_says_so():
    with pytest.raises(InputError, match="weights for lists"):
        commuting({S: t})
    with pytest.raises(InputError, match="meets a law with a density"):
        expected_trace(u.T * (S + sp.Identity(d)).inverse() * u, {S: UNIFORM, u: Vector()})
    with pytest.raises(InputError, match="declared in Python"):
        read("inv(S + lam*I)", [("deterministic", "S: d, density 1/2")], {})
    with pytest.raises(InputError, match="meets a law with a density"):
        spectrum(W + S + 3 * u * u.T, {W: Wigner(1 / d), S: UNIFORM, u: Vector()})


@pytest.mark.slow
def test_a_spike_beside_a_continuous_law():
    """X^T S X/n + theta v v^T, v beside the law's space: m = -1/theta at the outlier, where m is that of X^T S X/n, so that
    x = theta + (p/n) E t/(1 - t/theta) and the overlap is dx/dm/theta^2, dx/dm = theta^2 - (p/n) E t^2/(1 - t/theta)^2."""
    v, rows = sp.MatrixSymbol("v", n, 1), sp.MatrixSymbol("Z", d, n)
    law = spectrum(rows.T * S * rows / n + 20 * v * v.T, {rows: Gaussian(), S: UNIFORM, v: Vector()})
    (outlier,) = law.outliers({n: 1, d: 2}, 20)
    with mp.workdps(30):
        place = 20 + mp.quad(lambda x: x / (1 - x / 20), [1, 3])
        overlap = 1 - mp.quad(lambda x: (x / (1 - x / 20)) ** 2, [1, 3]) / 400
        assert abs(mp.mpf(str(outlier.position)) - place) < 1e-17
        assert abs(mp.mpf(str(outlier.overlaps[v])) - overlap) < 1e-18
    assert not outlier.certified
