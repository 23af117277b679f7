"""Targets without a Hessian (statements.md, section 4)."""

import math

import numpy as np
import pytest
from numpy.polynomial.hermite_e import hermeval

from theory.hessian import lower_bound_route as csq_route
from theory.hessian import lower_bound_trial as csq_trial
from theory.hessian import zero_hessian
from theory.hessian.monomials import relu_multiple


# targets without a Hessian
def test_relu_coefficients():
    """c_k = E He_k(z) max(z, 0) by the sheet's series: (-1)^(j-1) (2j)!/(j! 2^j (2j-1)) at k = 2j, 0 at odd k >= 3."""
    for j in range(1, 6):
        sheet = (-1) ** (j - 1) * math.factorial(2 * j) // (math.factorial(j) * 2**j * (2 * j - 1))
        assert relu_multiple(2 * j) == sheet
        assert relu_multiple(2 * j + 1) == 0


def test_mean_square_at_degree_four():
    """E|g|^2 = 5/(pi d (d+2)(d+4)) (1 - 105/(16(d+6))): A^2 = 1/(3 pi), 2AB + B^2 = -5/(16 pi), worked out by hand."""
    for d in (3, 10, 77):
        by_hand = 5 / (math.pi * d * (d + 2) * (d + 4)) * (1 - 105 / (16 * (d + 6)))
        assert float(zero_hessian.mean_square(4, d)) / (2 * math.pi) == pytest.approx(by_hand, rel=1e-13)


@pytest.mark.parametrize("p", [2, 3, 4, 5, 6])
def test_gradients_by_a_gauss_rule_in_the_half_plane(p):
    d, nodes = 6, 400
    s, weight = np.polynomial.legendre.leggauss(nodes)
    density = weight * (1 - s**2) ** ((d - 3) / 2)
    mean = density @ csq_trial.gradients(s, p) ** 2 / density.sum()
    exact = float(zero_hessian.mean_square(p, d)) / (2 * math.pi)
    # (1 - s^2)^(3/2) has no exact Gauss-Legendre rule
    assert mean == pytest.approx(exact, rel=1e-6, abs=1e-20)
    assert (exact == 0) is (p % 2 == 1)


def test_an_odd_target_is_not_seen_and_an_even_one_is():
    """The empirical gradient of one neuron, n = 400 000 samples in d = 3: zero within noise at p = 3, not at p = 4."""
    rng = np.random.default_rng(1)
    x = rng.standard_normal((400_000, 3))
    w = np.array([0.8, 0.6, 0.0])
    for p, seen in ((3, False), (4, True)):
        target = hermeval(x[:, 0], [0] * p + [1]) / math.sqrt(math.factorial(p))
        each = x * (target * (x @ w > 0))[:, None]
        z = each.mean(0) / (each.std(0) / math.sqrt(len(x)))
        largest = float(np.abs(z).max())
        assert largest > 6 if seen else largest < 4


def test_the_exponent_is_reached():
    for p in (4, 6, 8):
        ratio = float(zero_hessian.mean_square(p, 2 * 10**6) / zero_hessian.mean_square(p, 10**6))
        assert math.log2(ratio) == pytest.approx(-(p - 1), abs=1e-4)


def test_exponents_without_a_hessian_come_from_computed_values(monkeypatch):
    found = csq_route.zero_hessian({"p": "4", "d": "50"}, 15)
    assert float(found["information_exponent"]) == 4 and float(found["exponent"]) == -1.5
    monkeypatch.setattr(csq_route, "_correlations", lambda ctx, p, orders, rho: [ctx.mpf(k == 2) for k in orders])
    monkeypatch.setattr(csq_route, "_mean_square", lambda ctx, p, d, **effort: ctx.mpf(d) ** -7)
    found = csq_route.zero_hessian({"p": "4", "d": "50"}, 15)
    assert float(found["information_exponent"]) == 2 and float(found["exponent"]) == -3.5
