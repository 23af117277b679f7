"""The Marchenko-Pastur law: each value against something that shares no formula with the module."""

from __future__ import annotations

import itertools
from collections import Counter
from decimal import Decimal
from fractions import Fraction

import mpmath
import numpy as np
import pytest
import sympy as sp
from flint import acb, arb
from hypothesis import given, settings
from hypothesis import strategies as st

from pencils.errors import InputError
from pencils.exact.numbers import bits_for
from theory.marchenko_pastur import symbolic
from theory.marchenko_pastur.law import MarchenkoPastur
from theory.marchenko_pastur.symbolic import M_COMPANION, PSI2, M, Z

LAWS = [MarchenkoPastur(psi2, companion) for psi2 in ("1/2", "1", "2") for companion in (False, True)]
SPECTRAL = sp.Rational(7, 10) + sp.I / 2
ratios = st.fractions(min_value=Fraction(1, 20), max_value=20, max_denominator=40)
parts = st.fractions(min_value=-30, max_value=30, max_denominator=50)


@pytest.fixture
def ctx() -> mpmath.MPContext:
    context = mpmath.MPContext()
    context.dps = 40
    return context


def mpc(ctx, value: sp.Expr):
    real, imag = value.as_real_imag()
    return ctx.mpc(str(real), str(imag))


def integrate(ctx, law: MarchenkoPastur, f):
    """int f d(law) by Gauss-Legendre in the angle that opens both square roots of the textbook density."""
    psi2 = ctx.mpf(law.psi2.numerator) / law.psi2.denominator
    scale = psi2 if law.companion else 1
    atom = max(ctx.zero, 1 - 1 / psi2 if law.companion else 1 - psi2)

    def integrand(t):
        x = 1 + psi2 + 2 * ctx.sqrt(psi2) * ctx.cos(t)
        return f(x) * (2 * ctx.sqrt(psi2) * ctx.sin(t)) ** 2 / (2 * ctx.pi * scale * x)

    bulk = ctx.quad(integrand, ctx.linspace(0, ctx.pi, 9), method="gauss-legendre")
    return bulk + (atom * f(ctx.zero) if atom else 0)


# --- the equation --------------------------------------------------------------------------------


def test_quadratics_come_from_the_self_consistent_equations() -> None:
    # d x d: 1/m = -z + psi2/(1 + m); companion (sample covariance of d vectors in R^N): 1/m = -z + 1/(1 + psi2 m).
    for companion, other in ((False, PSI2 / (1 + M)), (True, 1 / (1 + PSI2 * M))):
        quadratic = symbolic.equation(companion=companion).lhs
        (z,) = sp.solve(quadratic, Z)
        assert sp.simplify(1 / M + z - other) == 0
        assert sp.degree(quadratic, M) == 2


@pytest.mark.parametrize("companion", [False, True])
def test_closed_form_is_a_root_with_the_right_expansion(companion: bool) -> None:
    form = symbolic.stieltjes_symbolic(companion=companion)
    assert sp.simplify(sp.expand(symbolic.equation(form, companion=companion).lhs)) == 0
    at_four = form.subs(PSI2, 4).subs(Z, 1 / Z)
    assert sp.limit(at_four / Z, Z, 0) == -1


def test_companion_identity_on_an_exact_matrix() -> None:
    # At any finite size (1/N) tr(W^T W - z)^-1 = (d/N) (1/d) tr(W W^T - z)^-1 - (1 - d/N)/z, here with d = 2, N = 3.
    w = sp.Matrix([[1, 2, -1], [0, sp.Rational(1, 3), 2]])
    z = sp.Rational(-7, 5)
    small = ((w * w.T - z * sp.eye(2)).inv()).trace() / 2
    large = ((w.T * w - z * sp.eye(3)).inv()).trace() / 3
    identity = symbolic.companion_identity().subs({M: small, M_COMPANION: large, Z: z, PSI2: sp.Rational(3, 2)})
    assert identity.doit() is sp.true


def test_transforms_against_a_sampled_matrix() -> None:
    rng = np.random.default_rng(0)
    d, n = 300, 450
    w = rng.standard_normal((d, n)) / np.sqrt(d)
    for companion, matrix in ((False, w @ w.T), (True, w.T @ w)):
        sampled = np.mean(1 / (np.linalg.eigvalsh(matrix) + 1))
        assert abs(sampled - float(MarchenkoPastur("3/2", companion).stieltjes(-1))) < 0.01


# --- values ---------------------------------------------------------------------------------------


def test_benchmark_p2() -> None:
    """pencils-benchmarks.md, P2: X X^T/n, X p x n with N(0, 1) entries, c = p/n = 1/2.

    With W0 = X/sqrt n as the transpose of an n x p matrix (d = n, N = p) it is the companion law at psi2 = c; with
    W0 = X/sqrt p (d = p, N = n) it is W0 W0^T/psi2 at psi2 = 1/c, whose transform is psi2 m(psi2 z).
    """
    expected = sp.Float("0.0650862846614446826505907254294", 30), sp.Float("1.10398981595042949258429200579", 30)
    for value in (
        MarchenkoPastur("1/2", companion=True).stieltjes(SPECTRAL, 30),
        2 * MarchenkoPastur(2).stieltjes(2 * SPECTRAL, 30),
    ):
        real, imag = value.expand().as_real_imag()
        assert abs(real - expected[0]) < sp.Float("1.5e-31") and abs(imag - expected[1]) < sp.Float("1.5e-29")
    at_minus_one = MarchenkoPastur("1/2", companion=True).stieltjes(-1, 50)
    assert str(at_minus_one) == str(((sp.sqrt(17) - 3) / 2).n(50))


@pytest.mark.parametrize("law", LAWS, ids=str)
@pytest.mark.parametrize("z", ["-3/7", "7/10 + I/2", "-2 - I", "20", "1/100 + I/5"])
def test_transform_is_the_integral_of_the_density(ctx, law: MarchenkoPastur, z: str) -> None:
    value = mpc(ctx, law.stieltjes(z, 35))
    point = mpc(ctx, sp.sympify(z))
    assert abs(value - integrate(ctx, law, lambda x: 1 / (x - point))) < 1e-28 * (1 + abs(value))


def test_between_zero_and_the_bulk(ctx) -> None:
    # psi2 = 4: edges 1 and 9. psi2 = 1/4: an atom at 0 below the edge 1/4.
    for law, z in ((MarchenkoPastur(4), "1/2"), (MarchenkoPastur(4, True), "1/2"), (MarchenkoPastur("1/4"), "1/10")):
        point = ctx.mpf(z.split("/")[0]) / int(z.split("/")[1])
        assert abs(mpc(ctx, law.stieltjes(z, 35)) - integrate(ctx, law, lambda x, p=point: 1 / (x - p))) < 1e-28
    # z = 0 where it is regular: the mean inverse eigenvalue, 1/(psi2 - 1) of a Wishart matrix.
    assert abs(MarchenkoPastur(4).stieltjes(0, 30) - sp.Rational(1, 3)) < 1e-29
    assert abs(MarchenkoPastur("1/4", companion=True).stieltjes(0, 30) - sp.Rational(4, 3)) < 1e-29


@settings(derandomize=True, deadline=None, max_examples=30)
@given(psi2=ratios, companion=st.booleans(), real=parts, imag=parts)
def test_residual_and_branch(psi2: Fraction, companion: bool, real: Fraction, imag: Fraction) -> None:
    if real == imag == 0:
        real = Fraction(1)
    law = MarchenkoPastur(psi2, companion)
    z = sp.Rational(real.numerator, real.denominator) + sp.I * sp.Rational(imag.numerator, imag.denominator)
    m = law.stieltjes(z, 40)
    terms = sp.Poly(law.equation(M, z).lhs, M).all_coeffs()
    size = sum(abs(sp.N(c * m**k, 45)) for k, c in enumerate(reversed(terms)))
    assert abs(sp.N(law.equation(m, z).lhs, 45)) < sp.Float("1e-38") * size
    im_m, im_zm = sp.im(m), sp.im(sp.expand(z * m))
    if imag:  # both are Pick functions, as the law lives on [0, oo)
        assert im_m * imag > 0 and im_zm * imag > 0
        conjugate = law.stieltjes(sp.conjugate(z), 40)
        assert conjugate == sp.conjugate(m)
    else:
        lower, upper = law.edges(20)
        inside = lower < sp.re(z) < upper
        assert (im_m > 0) if inside else im_m == 0
        if real < 0:
            assert m > 0


def test_boundary_value_is_the_limit_from_above(ctx) -> None:
    for law in LAWS:
        boundary = mpc(ctx, law.stieltjes(1, 30))
        above = mpc(ctx, law.stieltjes(1 + sp.I / 10**20, 30))
        assert boundary.imag > 0 and abs(boundary - above) < 1e-18
        assert abs(boundary.imag / ctx.pi - ctx.mpf(str(law.density(1, 30)))) < 1e-28


def test_closed_form_off_and_on_the_axis() -> None:
    for law in LAWS:
        for z in (SPECTRAL, sp.Integer(-2), sp.Integer(1), sp.Integer(11), -1 - sp.I / 3):
            assert abs(sp.N(law.stieltjes_symbolic(z), 40) - law.stieltjes(z, 30)) < sp.Float("1e-28")


def test_three_hundred_digits() -> None:
    for law in LAWS:
        for z in (SPECTRAL, sp.Integer(-1)):
            m = law.stieltjes(z, 300)
            assert abs(sp.N(law.equation(m, z).lhs, 320)) < sp.Float("1e-297", 5)


def test_no_cancellation_far_out_and_near_the_axis(ctx) -> None:
    law = MarchenkoPastur("1/3")
    far = law.stieltjes("1e60", 30)
    assert abs(far * sp.Integer(10) ** 60 + 1 + sp.Rational(1, 3) / sp.Integer(10) ** 60) < sp.Float("1e-29")
    ball = law.stieltjes_ball("1e60", bits_for(30))
    assert ball.rel_accuracy_bits() > bits_for(30) - 8  # at the first precision tried, not after refinement
    # Just off the axis outside the bulk, Im m = y m'(x) + O(y^3).
    tiny = sp.im(law.stieltjes(10 + sp.I / 10**200, 30)) * sp.Integer(10) ** 200
    assert abs(tiny / law.stieltjes_derivative(10, 1, 30) - 1) < sp.Float("1e-28")


# --- exact zeros, edges, atoms --------------------------------------------------------------------


def test_components_that_vanish_are_exactly_zero() -> None:
    # Re m(x + i0) = -(x + 1 - psi2)/(2 x) vanishes at x = psi2 - 1.
    assert sp.re(MarchenkoPastur(3).stieltjes(2)) == 0
    # z = -1/m + psi2/(1 + m) at m = i t.
    t, psi2 = sp.Rational(2, 3), sp.Rational(5, 4)
    z = sp.expand(sp.I / t + psi2 * (1 - sp.I * t) / (1 + t**2))
    value = MarchenkoPastur(psi2).stieltjes(z, 30)
    assert sp.re(value) == 0 and abs(sp.im(value) - t) < 1e-29
    assert MarchenkoPastur(psi2).stieltjes(sp.conjugate(z), 30) == sp.conjugate(value)
    # The density has its maximum at x = (1 - psi2)^2/(1 + psi2).
    mode = (1 - psi2) ** 2 / (1 + psi2)
    assert sp.im(MarchenkoPastur(psi2).stieltjes_derivative(mode)) == 0
    x = sp.Symbol("x", positive=True)
    density = sp.sqrt(4 * psi2 - (x - 1 - psi2) ** 2) / x
    assert sp.simplify(sp.diff(density, x).subs(x, mode)) == 0


def test_edges_and_values_there() -> None:
    law = MarchenkoPastur(2)
    lower, upper = law.edges_symbolic()
    assert (lower, upper) == (3 - 2 * sp.sqrt(2), 3 + 2 * sp.sqrt(2))
    assert [str(e) for e in law.edges(60)] == [str(lower.n(60)), str(upper.n(60))]
    x = sp.Symbol("x", positive=True)
    for edge, side in ((lower, "-"), (upper, "+")):
        for companion in (False, True):
            other = MarchenkoPastur(2, companion)
            limit = sp.limit(other.stieltjes_symbolic(edge + (x if side == "+" else -x)), x, 0)
            assert abs(other.stieltjes(edge, 40) - sp.N(limit, 45)) < sp.Float("1e-38")
            assert other.density(edge) == 0
            with pytest.raises(InputError, match="edge"):
                other.stieltjes_derivative(edge)
    # Rational edges: psi2 = 4 has 1 and 9, where 1/m = -9 + 4/(1 + m) has the double root m = -1/3.
    assert abs(MarchenkoPastur(4).stieltjes(9) + sp.Rational(1, 3)) < 1e-29
    with pytest.raises(InputError, match="edge"):
        MarchenkoPastur(4).stieltjes_derivative(9)
    lower, upper = MarchenkoPastur(1).edges(30)
    assert lower == 0 and abs(upper - 4) < 1e-28
    close = MarchenkoPastur("1.000000000000000001").edges(30)[0]
    assert abs(close - sp.Rational(1, 4 * 10**36)) < sp.Float("1e-53")


def test_atoms_support_and_total_mass(ctx) -> None:
    for law in LAWS:
        mass = integrate(ctx, law, lambda x: ctx.one)
        assert abs(mass - 1) < 1e-30
        # The module's own density and atoms, by the tanh-sinh rule on the interval itself.
        lower, upper = (ctx.mpf(str(e)) for e in law.edges(30))
        bulk = ctx.quad(lambda x, law=law: ctx.mpf(str(law.density(ctx.nstr(x, 25), 20))), [lower, upper], maxdegree=4)
        assert abs(bulk + sum(ctx.mpf(m.p) / m.q for _, m in law.atoms()) - 1) < 1e-6
    assert MarchenkoPastur("1/2").atoms() == [(0, sp.Rational(1, 2))] == MarchenkoPastur(2, companion=True).atoms()
    assert MarchenkoPastur(1).atoms() == MarchenkoPastur(2).atoms() == MarchenkoPastur("1/2", True).atoms() == []
    bulk = sp.Interval(sp.Rational(1, 4), sp.Rational(9, 4))
    assert MarchenkoPastur("1/4").support() == sp.Union(sp.FiniteSet(0), bulk)
    assert MarchenkoPastur(4).support() == sp.Interval(1, 9)


def test_density_array_agrees_with_the_digits() -> None:
    for law in LAWS:
        xs = np.array([-1.0, 0.125, 0.5, 1.0, 2.5, 5.75, 9.0])
        exact_values = [float(law.density(float(x))) for x in xs]
        assert np.allclose(law.density_array(xs), exact_values, rtol=1e-13, atol=0)
        assert law.density_array(xs.reshape(7, 1)).shape == (7, 1)
    assert MarchenkoPastur(1).density_array(0.0) == np.inf
    assert MarchenkoPastur("1/2").density_array(0.0) == 0 == MarchenkoPastur("1/2").density(0)


# --- derivatives ----------------------------------------------------------------------------------


@pytest.mark.parametrize("law", LAWS, ids=str)
@pytest.mark.parametrize("order", [1, 2, 5, 12])
def test_derivatives_are_integrals_of_the_density(ctx, law: MarchenkoPastur, order: int) -> None:
    for z in ("-3/2", "1/2 + I", "25"):
        point = mpc(ctx, sp.sympify(z))
        expected = ctx.factorial(order) * integrate(ctx, law, lambda x, p=point: 1 / (x - p) ** (order + 1))
        assert abs(mpc(ctx, law.stieltjes_derivative(z, order, 32)) - expected) < 1e-27 * abs(expected)


def test_derivative_inside_the_bulk_by_differences(ctx) -> None:
    ctx.dps = 60
    for law in (MarchenkoPastur("1/2"), MarchenkoPastur(3, companion=True)):

        def boundary(x, law=law):
            a, b = (law.psi2, law.psi2 - 1) if law.companion else (Fraction(1), 1 - law.psi2)
            a, b = ctx.mpf(a.numerator) / a.denominator, ctx.mpf(b.numerator) / b.denominator
            return max(ctx.polyroots([a * x, x + b, 1], extraprec=200), key=lambda root: root.imag)

        for order in (1, 2, 3):
            expected = ctx.diff(boundary, ctx.mpf("1.25"), order)
            assert abs(mpc(ctx, law.stieltjes_derivative("1.25", order, 25)) - expected) < 1e-14 * abs(expected)


def test_symbolic_derivative_agrees_with_the_recursion() -> None:
    for law in (MarchenkoPastur("2/3"), MarchenkoPastur("2/3", companion=True)):
        m = law.stieltjes(SPECTRAL, 60)
        for order in (1, 2, 3):
            form = symbolic.stieltjes_derivative_symbolic(order, m, SPECTRAL, sp.Rational(2, 3), law.companion)
            value = law.stieltjes_derivative(SPECTRAL, order, 40)
            assert abs(sp.N(form, 50) - value) < sp.Float("1e-38") * abs(value)


# --- moments and transforms -----------------------------------------------------------------------


def pairings(items: list[int]):
    if not items:
        yield []
        return
    first, rest = items[0], items[1:]
    for index, partner in enumerate(rest):
        for tail in pairings(rest[:index] + rest[index + 1 :]):
            yield [(first, partner), *tail]


def cycles(size: int, links: list[tuple[int, int]]) -> int:
    parent = list(range(size))

    def root(i: int) -> int:
        while parent[i] != i:
            i = parent[i]
        return i

    for i, j in links:
        parent[root(i)] = root(j)
    return len({root(i) for i in range(size)})


@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_narayana_against_wick_pairings_at_finite_size(k: int) -> None:
    """(1/d) E tr (W0 W0^T)^k = d^{-k-1} sum over pairings of the 2k factors of d^{row classes} N^{column classes}."""
    exact = Counter()
    for pairing in pairings(list(range(2 * k))):
        # Factor 2j is W[i_j, a_j], factor 2j+1 is W[i_{j+1}, a_j].
        rows = [((p + 1) // 2 % k, (q + 1) // 2 % k) for p, q in pairing]
        columns = [(p // 2, q // 2) for p, q in pairing]
        exact[cycles(k, rows), cycles(k, columns)] += 1
    d, psi2 = sp.symbols("d psi2", positive=True)
    finite = sum(count * d**r * (psi2 * d) ** c for (r, c), count in exact.items()) / d ** (k + 1)
    assert sp.expand(sp.limit(finite, d, sp.oo) - symbolic.moment_polynomial(k, psi2)) == 0


@pytest.mark.parametrize("law", LAWS, ids=str)
def test_moments_against_integrals_and_the_expansion_at_infinity(ctx, law: MarchenkoPastur) -> None:
    moments = law.moments(12)
    for k, moment in enumerate(moments, start=1):
        expected = integrate(ctx, law, lambda x, k=k: x**k)
        assert abs(ctx.mpf(moment.p) / moment.q - expected) < 1e-28 * expected
    z = sp.Integer(10) ** 8
    series = -sum(m / z ** (k + 1) for k, m in enumerate([sp.Integer(1), *moments]))
    # The first term left out is m_13/z^14, and m_13 <= lambda_+^13 < 6^13.
    assert abs(series - law.stieltjes(z, 110)) < sp.Integer(6) ** 14 / z**14


@pytest.mark.parametrize("law", LAWS, ids=str)
def test_r_and_s_transforms_are_the_inverses_that_define_them(law: MarchenkoPastur) -> None:
    for z in (sp.Integer(-5), sp.Integer(40), 30 + 7 * sp.I):
        m = law.stieltjes(z, 40)
        assert abs(sp.N(law.r_transform(-m) - 1 / m - z, 45)) < sp.Float("1e-36")
        w = sp.expand(-z * m - 1)  # sum of m_k u^k at u = 1/z
        assert abs(sp.N(law.s_transform(w) * w * z / (1 + w) - 1, 45)) < sp.Float("1e-34")


def test_transforms_in_closed_form() -> None:
    w = sp.Symbol("w")
    # Free Poisson of rate r and jump j: R = r j/(1 - j w), S = 1/(r j + j w). (r, j) = (psi2, 1), (1/psi2, psi2).
    pairs = itertools.product(
        (
            (symbolic.r_transform, PSI2 / (1 - w), 1 / (1 - PSI2 * w)),
            (symbolic.s_transform, 1 / (PSI2 + w), 1 / (1 + PSI2 * w)),
        ),
        (False, True),
    )
    for (transform, dxd, other), companion in pairs:
        assert sp.simplify(transform(w, companion=companion) - (other if companion else dxd)) == 0


# --- input ----------------------------------------------------------------------------------------


def test_every_exact_form_of_a_point_is_the_same_point() -> None:
    law = MarchenkoPastur(0.5)
    assert all(law == MarchenkoPastur(half) for half in ("1/2", Fraction(1, 2), Decimal("0.5"), sp.Rational(1, 2)))
    points = (-0.1, "-0.1", "-1/10", Fraction(-1, 10), Decimal("-0.1"), sp.Rational(-1, 10))
    assert len({law.stieltjes(z, 25) for z in points}) == 1
    assert len({law.stieltjes(z, 25) for z in (0.7 + 0.5j, SPECTRAL, "7/10 + I/2", "0.7+I*0.5")}) == 1


def test_balls_enclose_the_exact_path() -> None:
    for law in LAWS:
        for z, ball in (("-2", arb(-2)), ("7/10 + I/2", acb("0.7", "0.5")), ("1", arb(1)), ("-1 - I", acb(-1, -1))):
            wide = ball + (arb(0, 1e-6) if isinstance(ball, arb) else acb(arb(0, 1e-6), arb(0, 1e-6)))
            for order in (0, 1, 3):
                exact_ball, found = (
                    law.stieltjes_ball(p, 200) if order == 0 else law.stieltjes_derivative_ball(p, order, 200) for p in (z, wide)
                )
                assert acb(found).contains(acb(exact_ball)) and acb(found).rel_accuracy_bits() > 5
    crossing = MarchenkoPastur(4).stieltjes_ball(arb(9, 0.01), 100)
    for x in ("8.995", "9.005"):
        assert crossing.contains(acb(MarchenkoPastur(4).stieltjes_ball(x, 100)))
    assert not acb(MarchenkoPastur(4).stieltjes_ball(acb(5, arb(0, 0.1)), 100)).is_finite()  # either side of the cut


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: MarchenkoPastur(0), "positive"),
        (lambda: MarchenkoPastur("-1/2"), "positive"),
        (lambda: MarchenkoPastur("nan"), "not a number"),
        (lambda: MarchenkoPastur(float("inf")), "not a number"),
        (lambda: MarchenkoPastur("1/2").stieltjes(0), "atom of mass 1/2"),
        (lambda: MarchenkoPastur(4, companion=True).stieltjes(0), "atom of mass 3/4"),
        (lambda: MarchenkoPastur(1).stieltjes(0), "diverges"),
        (lambda: MarchenkoPastur(1).density(0), "diverges"),
        (lambda: MarchenkoPastur(1).stieltjes_derivative(0), "diverges"),
        (lambda: MarchenkoPastur(1).density("1+I"), "real"),
        (lambda: MarchenkoPastur(1).stieltjes("one"), "not a number"),
        (lambda: MarchenkoPastur(1).stieltjes(sp.Symbol("x")), "not a number"),
        (lambda: MarchenkoPastur(1).stieltjes(sp.pi), "not a number"),
        (lambda: MarchenkoPastur(1).stieltjes(None), "not a number"),
        (lambda: MarchenkoPastur(1).stieltjes(1, 0), "digits"),
        (lambda: MarchenkoPastur(1).stieltjes_derivative(1, 0), "order"),
        (lambda: MarchenkoPastur(1).stieltjes_derivative(1, "3/2"), "order"),
        (lambda: MarchenkoPastur(1).moments(-1), "k = -1"),
    ],
)
def test_bad_input_is_one_line(call, words: str) -> None:
    with pytest.raises(InputError, match=words) as caught:
        call()
    assert "\n" not in str(caught.value)


def test_latex() -> None:
    text = MarchenkoPastur("1/2", companion=True)._repr_latex_()
    assert r"\tilde m" in text and r"\psi_2 = \frac{1}{2}" in text and text.startswith("$") and text.endswith("$")
