"""The quadrature route to Theorem 3 of ba2022, against closed forms that are written only here.

With t = theta1: an outlier iff t^4 > psi2, and then s1^2 = (1+t^2)(psi2+t^2)/t^2, the squared overlaps
1 - (psi2+t^2)/(t^2(1+t^2)) (left, with u/|u|), theta2^2/t^2 times that (beta), 1 - psi2(1+t^2)/(t^2(psi2+t^2)) (right).
The first and third are statements.md, section 2; the right one is P20 of pencils-benchmarks.md, transposed.
"""

from __future__ import annotations

import sys
from dataclasses import astuple
from fractions import Fraction
from pathlib import Path

import mpmath
import numpy as np
import pytest
from flint import arb
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse.linalg import svds

from pencils.errors import InputError, PrecisionError
from pencils.exact.numbers import working_precision
from theory.marchenko_pastur.law import MarchenkoPastur
from theory.spike.density import SpikeByDensity, second_moment, spike, theta_route

REPOSITORY = Path(__file__).resolve().parents[3]


def context(digits: int) -> mpmath.MPContext:
    ctx = mpmath.MPContext()
    ctx.dps = digits
    return ctx


def rational(ctx, value):
    fraction = Fraction(value)
    return ctx.mpf(fraction.numerator) / fraction.denominator


def closed_form(ctx, theta1, theta2, psi2):
    t, psi2, theta2 = rational(ctx, theta1) ** 2, rational(ctx, psi2), rational(ctx, theta2)
    left = 1 - (psi2 + t) / (t * (1 + t))
    return ctx.sqrt((1 + t) * (psi2 + t) / t), theta2**2 / t * left, left, 1 - psi2 * (1 + t) / (t * (psi2 + t))


def check(result: SpikeByDensity, theta1, theta2, psi2) -> None:
    ctx = context(result.digits + 30)
    tolerance = ctx.mpf(10) ** -(result.digits + 4)
    assert result.outlier
    for found, expected in zip(astuple(result)[1:5], closed_form(ctx, theta1, theta2, psi2), strict=True):
        assert abs(ctx.mpf(found) - expected) <= tolerance * abs(expected)


# --- the spike ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "theta1, theta2, psi2, digits",
    [
        ("3/2", "0.7", 2, 30),
        (3, 2, 1, 30),
        ("1.2", "0.9", "1/2", 30),
        ("1.1", 1, 1, 20),
        (100, 50, "1/1000", 30),
        ("1e10", 50, 3, 30),
        (40, 1, 10**6, 50),
        (2, 1, "1.0001", 100),
        ("1.5", 0, "1/2", 15),
        ("0.05", "0.01", "1e-8", 30),
        (-2, 1, 1, 30),
    ],
)
def test_spike_against_the_closed_forms(theta1, theta2, psi2, digits: int) -> None:
    check(spike(theta1, theta2, psi2, digits), theta1, theta2, psi2)


@settings(derandomize=True, deadline=None, max_examples=15)
@given(
    theta1=st.fractions(min_value=Fraction(1, 10), max_value=6, max_denominator=30),
    share=st.fractions(min_value=-1, max_value=1, max_denominator=9),
    psi2=st.fractions(min_value=Fraction(1, 20), max_value=20, max_denominator=30),
)
def test_spike_anywhere(theta1: Fraction, share: Fraction, psi2: Fraction) -> None:
    distance = theta1**4 / psi2 - 1
    if 0 < distance < Fraction(1, 5):  # slow there; the neighbourhood of the threshold has its own tests
        psi2 = theta1**4 / 2
    result = spike(theta1, share * theta1, psi2, 15)
    assert result.outlier == (theta1**4 > psi2)
    if result.outlier:
        check(result, theta1, share * theta1, psi2)


def test_benchmark_p20() -> None:
    """P20: X + t u v^T, X p x n with N(0, 1/n) entries, c = p/n = 1/2, t = 1.5; W0 = X^T has d = n, psi2 = c."""
    result = spike("3/2", 1, "1/2", 12)
    assert abs(float(result.singular_value) - 1.9930434571835665) < 1e-12
    assert abs(float(result.right_overlap) - 0.7373737) < 1e-7 and abs(float(result.left_overlap) - 0.6239316) < 1e-7


def test_outlier_solves_the_printed_equations() -> None:
    """1 + theta1^2 (1 + x m~) = 0 and 1 + theta1^2 m/(1 + m) = 0, m and m~ integrated over the density in lambda."""
    ctx = context(40)
    for theta1, psi2 in (("3/2", 2), ("6/5", "1/2"), (2, 1)):
        x = ctx.mpf(spike(theta1, 1, psi2, 30).singular_value) ** 2
        t, ratio = rational(ctx, theta1) ** 2, rational(ctx, psi2)
        low, high = (1 - ctx.sqrt(ratio)) ** 2, (1 + ctx.sqrt(ratio)) ** 2

        def integrand(lam, low=low, high=high, x=x):
            return ctx.sqrt(abs((high - lam) * (lam - low))) / (2 * ctx.pi * lam * (lam - x))

        bulk = ctx.quad(integrand, [low, (low + high) / 2, high], maxdegree=9)
        m = bulk - max(0, 1 - ratio) / x
        companion = bulk / ratio - max(0, 1 - 1 / ratio) / x
        # tanh-sinh with square-root ends (at psi2 = 1 an inverse square root) reaches about 15 digits here
        assert abs(1 + t * (1 + x * companion)) < 1e-13
        assert abs(1 + t * m / (1 + m)) < 1e-13


def test_density_has_mass_one_minus_atom() -> None:
    """h = (J - 1)/x uses total mass 1: the density on the curve plus the atom of mass 1 - psi2."""
    ctx = context(30)
    for psi2 in (ctx.mpf("0.5"), ctx.mpf(1), ctx.mpf(2)):
        mass = ctx.quad(
            lambda t, p=psi2: 2 * p * ctx.sin(t) ** 2 / (ctx.pi * (1 + p + 2 * ctx.sqrt(p) * ctx.cos(t))),
            ctx.linspace(0, ctx.pi, 9),
            method="gauss-legendre",
        )
        assert abs(mass + max(0, 1 - psi2) - 1) < 1e-25


@pytest.mark.slow
def test_below_at_and_near_the_threshold() -> None:
    below = spike("0.5", "0.1", 2, 40)
    assert (below.outlier, below.overlap, below.left_overlap, below.right_overlap) == (False, 0, 0, 0)
    ctx = context(60)
    assert abs(ctx.mpf(below.singular_value) - 1 - ctx.sqrt(2)) < ctx.mpf(10) ** -43
    assert not spike(0, 0, 2).outlier
    for theta1, psi2 in ((1, 1), (2, 16), ("1/2", "1/16"), ("0.1", "0.0001")):
        at = spike(theta1, 0, psi2, 30)
        assert not at.outlier and at.overlap == 0
    assert not spike("0.9999999999999999999999999", 0, 1).outlier
    # Above the threshold by less than the digits can tell: everything shown is 0 or the edge.
    assert not spike(ctx.root(2, 4) + ctx.mpf(10) ** -45, 0, 2, 30).outlier
    check(spike("1.01", 1, 1, 15), "1.01", 1, 1)
    with pytest.raises(PrecisionError, match="threshold"):
        spike("1.0000000001", 0, 1)


def test_digits_do_not_depend_on_how_many_are_asked() -> None:
    few, many = spike("7/5", "1/3", "3/2", 20), spike("7/5", "1/3", "3/2", 70)
    for short, long in zip(astuple(few)[1:5], astuple(many)[1:5], strict=True):
        with working_precision(53):
            assert arb(long).is_exact() and arb(long).rel_accuracy_bits() > 290  # ball arithmetic reads all of it
        with working_precision(300):
            assert abs(arb(short) - arb(long)) < arb(10) ** -24


def test_simulation() -> None:
    """W0 + u a^T sampled at d = 400: mean of 12 draws within five standard errors."""
    rng = np.random.default_rng(3)
    t1, t2, psi2, d = 2.0, 1.0, 1.5, 400
    n, rows = int(psi2 * d), []
    for _ in range(12):
        a, frame = rng.standard_normal(n), np.linalg.qr(rng.standard_normal((d, 2)))[0]
        a, beta = a / np.linalg.norm(a), frame[:, 0]
        u = t2 * beta + np.sqrt(t1**2 - t2**2) * frame[:, 1]
        left, s, right = svds(rng.standard_normal((d, n)) / np.sqrt(d) + np.outer(u, a), k=1)
        rows.append([s[0], (left[:, 0] @ beta) ** 2, (left[:, 0] @ u / t1) ** 2, (right[0] @ a) ** 2])
    mean, error = np.mean(rows, axis=0), np.std(rows, axis=0, ddof=1) / np.sqrt(12)
    expected = [float(value) for value in astuple(spike(t1, t2, psi2, 15))[1:5]]
    assert np.all(np.abs(mean - expected) < 5 * error) and np.all(error < 0.03)


# --- theta1 and theta2 ----------------------------------------------------------------------------


def erf_prime(ctx, z):
    return 2 / ctx.sqrt(ctx.pi) * ctx.exp(-z * z)


def relu(ctx, z):
    return max(z, 0) - 1 / ctx.sqrt(2 * ctx.pi)


def near(found, expected, digits: int) -> bool:
    ctx = context(digits + 20)
    return abs(ctx.mpf(found) - expected) <= ctx.mpf(10) ** -digits * abs(expected)


def test_theta_in_closed_form() -> None:
    """erf: mu1 = 2/sqrt(3 pi). Centred ReLU: E z f = 1/2, E f^2 = 1/2 - 1/(2 pi)."""
    ctx = context(60)
    theta1, theta2 = theta_route(erf_prime, relu, [0], "5/2", 4, 2, 30)
    mu1, y2 = 2 / ctx.sqrt(3 * ctx.pi), ctx.mpf(1) / 2 - 1 / (2 * ctx.pi) + 4
    assert near(theta1, mu1 * 2.5 * ctx.sqrt(y2 / 4 + ctx.mpf(1) / 4), 38)
    assert near(theta2, mu1 * 2.5 / 2, 38)


def test_theta_of_a_linear_teacher_by_wishart_moments() -> None:
    """y = <x, e>: E|X^T y/n|^2 = e^T E[(X^T X/n)^2] e = 1 + (d+1)/n, so theta1^2 -> 1 + 1/psi1 for sigma = z."""
    ctx = context(60)
    theta1, theta2 = theta_route(lambda c, z: 1, lambda c, z: z, [], 1, "3/7", 0, 30)
    assert near(theta1, ctx.sqrt(1 + ctx.mpf(7) / 3), 38) and near(theta2, ctx.one, 38)
    # At finite size, with E g^2 = 1 and E g^4 = 3.
    assert second_moment(Fraction(7), Fraction(5), 1, 1, 3) == 1 + Fraction(6, 7)


def test_theta_with_a_kink_off_the_grid() -> None:
    """|z - c|: E f^2 = 1 + c^2 and E z f = E f' = -erf(c/sqrt 2); the kink must be declared."""
    ctx = context(60)
    c = ctx.mpf(1) / 3
    theta1, theta2 = theta_route(lambda k, z: 1, lambda k, z: abs(z - k.mpf(1) / 3), ["1/3"], 1, 2, "1/2", 30)
    slope = -ctx.erf(c / ctx.sqrt(2))
    assert near(theta2, slope, 38) and near(theta1, ctx.sqrt(slope**2 + (1 + c**2 + 0.25) / 2), 38)
    with pytest.raises(PrecisionError, match="breakpoints"):
        theta_route(lambda k, z: 1, lambda k, z: abs(z - k.mpf(1) / 3), [], 1, 2, "1/2", 15)


def test_even_teacher_has_no_overlap_and_step_activation() -> None:
    theta1, theta2 = theta_route(lambda c, z: 1 if z > 0 else 0, lambda c, z: z * z - 1, [], 3, 2, 0, 30)
    assert float(theta2) == 0 and near(theta1, context(60).mpf(3) / 2, 38)  # E(z^2-1)^2 = 2, mu1 = 1/2


def test_growing_teacher_and_one_without_moments() -> None:
    """f = exp(z): E z f = sqrt e, E f^2 = e^2; the second moment of exp(z^2/3) is infinite."""
    ctx = context(60)
    theta1, theta2 = theta_route(lambda c, z: 1, lambda c, z: c.exp(z), [], 1, 1, 0, 30)
    assert near(theta2, ctx.exp(0.5), 38) and near(theta1, ctx.sqrt(ctx.e + ctx.e**2), 38)
    with pytest.raises(PrecisionError, match="negligible"):
        theta_route(lambda c, z: 1, lambda c, z: c.exp(z * z / 3), [], 1, 1, 0, 15)


def test_the_noise_term_in_the_spike() -> None:
    """statements.md, section 2, erf/tanh, eta 3, psi1 2, psi2 1: 2.934, .1835 at sigma_eps 1.5; 2.149, .349 without."""
    for noise, s1, overlap in (("3/2", 2.934, 0.1835), (0, 2.149, 0.349)):
        theta = theta_route(erf_prime, lambda c, z: c.tanh(z), [], 3, 2, noise, 15)
        result = spike(*theta, 1, 15)
        assert abs(float(result.singular_value) - s1) < 6e-4 and abs(float(result.overlap) - overlap) < 6e-4


# --- independence and input -----------------------------------------------------------------------


def files_called(run) -> set[str]:
    """Files of this repository in which some function ran, tests excluded."""
    seen: set[str] = set()
    sys.setprofile(lambda frame, event, arg: seen.add(frame.f_code.co_filename))
    try:
        run()
    finally:
        sys.setprofile(None)
    # The environment may lie inside the checkout (.venv): libraries are not ours.
    ours = (name for name in seen if name.startswith(str(REPOSITORY)) and "site-packages" not in name)
    inside = {str(Path(name).relative_to(REPOSITORY)) for name in ours}
    return {name for name in inside if not name.startswith("tests/")}


def test_the_two_routes_share_no_function() -> None:
    def by_density() -> None:
        spike("1.7", "1.1", "1.3", 25)
        theta_route(erf_prime, relu, [0], "5/2", 4, 2, 17)

    def by_formula() -> None:
        law = MarchenkoPastur("1.3")
        law.stieltjes("5.1", 25), law.stieltjes_derivative("5.1", 1, 25), law.density("1.1"), law.edges()

    shared = {"pencils/errors.py", "pencils/exact/numbers.py"}
    density, formula = files_called(by_density), files_called(by_formula)
    assert "theory/spike/density.py" in density and "theory/marchenko_pastur/law.py" in formula
    assert density & formula <= shared
    assert density <= shared | {"theory/spike/density.py", "theory/quadrature/mp.py"}


def test_global_precision_is_neither_read_nor_written() -> None:
    before, expected = mpmath.mp.dps, spike("3/2", 1, 1, 30)
    try:
        mpmath.mp.dps = 4
        assert spike("3/2", 1, 1, 30) == expected and mpmath.mp.dps == 4
        theta_route(erf_prime, relu, [0], 1, 1, 1, 18)
        assert mpmath.mp.dps == 4
    finally:
        mpmath.mp.dps = before


def test_mpf_and_text_are_the_same_number() -> None:
    ctx = context(80)
    assert spike(ctx.mpf(3) / 2, ctx.mpf(1) / 3, ctx.mpf(5) / 4, 30) == spike("3/2", "1/3", "5/4", 30)


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: spike(2, 1, 0), "positive"),
        (lambda: spike(2, 1, "-1"), "positive"),
        (lambda: spike(1, 2, 1), "at most"),
        (lambda: spike("x", 1, 1), "theta1"),
        (lambda: spike(mpmath.inf, 1, 1), "finite"),
        (lambda: spike(2, 1, 1, 0), "digits"),
        (lambda: theta_route(erf_prime, relu, [0], 1, 0, 1), "positive"),
        (lambda: theta_route(erf_prime, relu, ["a"], 1, 1, 1), "breakpoint"),
    ],
)
def test_bad_input_is_one_line(call, words: str) -> None:
    with pytest.raises(InputError, match=words) as caught:
        call()
    assert "\n" not in str(caught.value)
