"""Complex coefficients, traces of which nothing or only a part is random, and high powers: closed forms worked out here.

m(z) of a Wigner matrix solves m^2 + z m + 1 = 0, of X X^T with p/n = c it solves c z m^2 + (z + c - 1) m + 1 = 0
(benchmark sheet, P1 and P2); partial fractions lead from polynomials to them.
"""

import time

import mpmath as mp
import pytest
import sympy as sp
from equations_hold import check
from random_models import HALF, G, H, S, T, X, declared, lam, mu, n, p, z

from pencils import expected_trace
from pencils.errors import ConvergenceError

I, ONE = sp.I, sp.Identity(p)


def semicircle(w):
    """m(w), Im m > 0 for Im w > 0: the root inside the unit disc."""
    return min(mp.polyroots([1, w, 1], extraprec=200), key=abs)


def marchenko_pastur(w):
    """m(w) for c = 1/2 and w < 0: the positive root."""
    b, a = w - mp.mpf(1) / 2, w / 2
    return (-b - mp.sqrt(b * b - 4 * a)) / (2 * a)


def value(expr, values, digits=30):
    law = expected_trace(expr, declared(expr))
    found = law.evaluate({s: v for s, v in {p: 1, n: 2, **values}.items() if s in law.parameters}, digits)
    return mp.mpc(*[mp.mpf(str(part)) for part in found.as_real_imag()])


def partial_fractions(coefficients, stieltjes):
    """Trace of the inverse of a polynomial with simple roots r: sum of m(r)/p'(r)."""
    roots = mp.polyroots(coefficients, maxsteps=200, extraprec=200)
    degree = len(coefficients) - 1
    slope = [c * (degree - k) for k, c in enumerate(coefficients[:-1])]
    return sum(stieltjes(r) / mp.polyval(slope, r) for r in roots)


@pytest.mark.parametrize(
    ("expr", "coefficients"),
    [
        (H + I * ONE, lambda: [1, 1j]),
        ((1 + 2 * I) * H - 5 * ONE, lambda: [1 + 2j, -5]),
        (H * H + I * H - (3 + 2 * I) * ONE, lambda: [1, 1j, -3 - 2j]),
        ((H - I * ONE) * (H + I * ONE), lambda: [1, 0, 1]),
        (H**3 + (1 + I) / (2 - I) * H - 2 * I * ONE, lambda: [1, 0, mp.mpc(1, 3) / 5, -2j]),
        (sp.sqrt(-2) * H * H + 3 * sp.sqrt(2) * I**3 * ONE, lambda: [1j * mp.sqrt(2), 0, -3j * mp.sqrt(2)]),
        (H**6 + ONE, lambda: [1, 0, 0, 0, 0, 0, 1]),
    ],
)
def test_complex_coefficients(expr, coefficients):
    """Where the roots lie off the spectrum [-2, 2] the value, at which the printed equations hold; else an error."""
    with mp.workdps(45):
        roots = mp.polyroots(coefficients(), extraprec=200)
        known = partial_fractions(coefficients(), semicircle)
        if all(abs(mp.im(r)) > 1e-3 or abs(mp.re(r)) > 2 for r in roots):
            assert abs(value(expr.inverse(), {}) - known) < mp.mpf(10) ** -28
            check(expected_trace(expr.inverse(), {H: declared(expr)[H]}), {p: 1})
        else:
            with pytest.raises(ConvergenceError):
                value(expr.inverse(), {})


def test_complex_coefficients_beside_others():
    """tr S (X X^T + i lam)^{-1} = (3/2) m(-i lam), S free of X; derivative in lam -i (3/2) m'(-i lam)."""
    expr = S * (X * X.T + I * lam * ONE).inverse()
    law = expected_trace(expr, declared(expr))
    check(law, {p: 1, n: 2, lam: 2})
    with mp.workdps(45):

        def m(w):
            return next(r for r in mp.polyroots([w / 2, w - HALF, 1], extraprec=200) if r.imag < 0 and (r * w).real < 0)

        w = mp.mpc(0, -2)
        assert abs(value(expr, {lam: 2}) - 1.5 * m(w)) < mp.mpf(10) ** -28
        root = m(w)  # implicit: (w m + w + c - 1) m' + (m^2/2 + m) = 0
        slope = -(root**2 / 2 + root) / (w * root + w - mp.mpf(1) / 2)
        found = law.diff(lam).evaluate({p: 1, n: 2, lam: 2}, 30)
        found = mp.mpc(*[mp.mpf(str(part)) for part in found.as_real_imag()])
        assert abs(found + 1.5j * slope) < mp.mpf(10) ** -28


@pytest.mark.parametrize(
    ("expr", "values", "known"),
    [  # S = diag(1, 2), T = diag(3, 1/2), half each
        (T, {}, sp.Rational(7, 4)),
        (T * S, {}, 2),
        (T * (S + ONE).inverse(), {}, sp.Rational(5, 6)),
        (sp.sqrt(10**25 + 3) * T, {}, sp.sqrt(10**25 + 3) * sp.Rational(7, 4)),
        (sp.Rational(1, 10**30) * T * S, {}, sp.Rational(2, 10**30)),
        ((S - z * ONE).inverse(), {z: 1 + I / 10**9}, (10**9 * I + 1 / (1 - I / 10**9)) / 2),
        ((S - z * ONE).inverse(), {z: sp.Rational(3, 2)}, 0),
        (I * T * (S + I * ONE).inverse(), {}, (3 * I / (1 + I) + I / 2 / (2 + I)) / 2),
        (T + H * H, {}, sp.Rational(11, 4)),
        (10**8 * T + H * H, {}, sp.Rational(7, 4) * 10**8 + 1),
        (T * (S + ONE).inverse() * X * X.T, {}, sp.Rational(5, 6)),
        (sp.sqrt(mu) * T * S + G + H, {mu: 2}, 2 * sp.sqrt(2)),
    ],
)
def test_deterministic_traces(expr, values, known):
    with mp.workdps(60):
        wanted = mp.mpc(*[mp.mpf(str(part)) for part in sp.N(known, 50).as_real_imag()])
        assert abs(value(expr, values, 40) - wanted) <= mp.mpf(10) ** -38 * abs(wanted)
    law = expected_trace(expr, declared(expr))
    assert law.equations == []


def test_a_singular_deterministic_matrix_is_an_error():
    with pytest.raises(ConvergenceError):
        value((S - z * ONE).inverse(), {z: 1})


@pytest.mark.slow
def test_high_powers_in_time():
    """tr (X X^T + 1)^{-12} = m^(11)(-1)/11!, 24 blocks and 288 unknowns."""
    with mp.workdps(60):
        start = time.process_time()
        found = value(((X * X.T + ONE) ** 12).inverse(), {})
        assert time.process_time() - start < 10
        known = mp.taylor(marchenko_pastur, mp.mpf(-1), 11)[11]
        assert abs(found - known) < mp.mpf(10) ** -28 * known
