"""Population gradient and concentration (statements.md, section 4)."""

import math

import numpy as np
import pytest
from scipy import integrate

from pencils.errors import InputError
from theory.entries import entry
from theory.hessian import algorithm, concentration
from theory.hessian.algorithm import Link
from theory.hessian.monomials import relu_coefficient
from theory.trial.experiment import run
from theory.trial.judgements import judge_rate
from theory.trial.plan import plan

PAPER = "He2/2 + He4/sqrt(48)"


@pytest.mark.parametrize("k", range(7))
def test_relu_coefficients_by_quadrature(k):
    """E He_k(z) relu(z), integrated."""
    he = np.polynomial.hermite_e.HermiteE.basis(k)
    value = integrate.quad(lambda z: z * he(z) * math.exp(-z * z / 2) / math.sqrt(2 * math.pi), 0, 40)[0]
    assert float(relu_coefficient(k)) == pytest.approx(value, abs=1e-9)


def test_population_gradient_by_integration():
    """Lemma 13 against E[f*(x) x sigma'(w.x)] in the plane of u and w: f* of odd and even degrees, no mean and no linear part."""
    link = Link((0.0, 0.0, 0.5, 0.2, 0.1, 0.03))
    t = 0.6
    u, w = np.array([1.0, 0.0]), np.array([t, 0.8])
    nodes, weights = np.polynomial.hermite_e.hermegauss(20)
    weights = weights / math.sqrt(2 * math.pi)
    density = np.polynomial.legendre.leggauss(80)
    # x = s w + q w', s on the half-line s > 0: Legendre on [0, 14], Hermite in q
    s, ds = 7 * (density[0] + 1), 7 * density[1] * np.exp(-((7 * (density[0] + 1)) ** 2) / 2) / math.sqrt(2 * math.pi)
    orthogonal = np.array([0.8, -t])
    x = s[:, None, None] * w + nodes[None, :, None] * orthogonal
    expected = np.einsum("i,j,ij,ijc->c", ds, weights, link.along(u)(x.reshape(-1, 2)).reshape(80, 20), x)
    assert np.allclose(concentration.population_gradient(link, u, 3 * w[None])[0], expected, atol=1e-10)


def test_leading_term_is_the_hessian():
    """g(w) -> Hw/sqrt(2 pi) when w is nearly orthogonal to u, H = E grad^2 f* = 2 c2 u u^T."""
    u, w = np.eye(50)[0], np.ones((1, 50)) / math.sqrt(50)
    found = concentration.population_gradient(Link((0.0, 0.0, 0.5)), u, w)[0]
    assert found[0] == pytest.approx(2 * 0.5 * w[0, 0] / math.sqrt(2 * math.pi), rel=0.02)


@pytest.mark.parametrize("teacher, kappa, words", [("He2", 3, "above 2"), ("He2/10 + He3/100", 1.5, "energy 0.222 in He_2")])
def test_kappa_that_the_energy_does_not_allow_is_refused(teacher, kappa, words):
    """At degree 2 there is no other degree to take the energy; 1/(2 kappa^2) = 2/9 is more than 2/100 + 6/10^4."""
    with pytest.raises(InputError, match=words):
        concentration.with_kappa(Link.of(teacher), kappa)


def test_kappa_is_changed_and_energy_kept():
    link = concentration.with_kappa(Link.of(PAPER), 3.0)
    assert link.kappa == pytest.approx(3) and link.energy() == pytest.approx(1)


def test_what_no_draw_could_fail_has_no_observable():
    """d^(1/2) too much in a quantity bounded by d log^5 d lowers the fitted exponent by less than the logarithms do: over
    d = 16 .. 54, 5 log log 54 - 5 log log 16 = 1.82 against log(54/16)/2 = 0.61."""
    claims = {claim.name: claim for claim in entry("damian2022.concentration").claims}
    for name in ("supremum", "preactivation"):
        assert claims[name].logs == 0 and claims[name].observable and claims[name].printed is None
        assert claims[name + "_printed"].observable is None and claims[name + "_printed"].expected == "open"
    assert claims["crossing"].printed == "n > d**2*kappa_H**2*rank"  # Theorem 1 of the sheet: n >~ d^2 kappa^2 r
    plateau = entry("damian2022.theorem-1").claim("plateau")
    assert plateau.printed is None and "published" not in plateau.says


def test_preactivations_of_independent_points():
    """With the gradient of one sample set and the points of another the ratio is |g|^2 times the largest of n squares, over
    its typical size: near |g|^2, here of one neuron."""
    rng = np.random.default_rng(0)
    X, yhat, W = rng.standard_normal((4000, 6)), rng.standard_normal(4000), rng.standard_normal((1, 6))
    square = float(np.sum(algorithm.empirical_gradient(W, X, yhat) ** 2))
    assert 0.5 < concentration.preactivation(W, X, yhat) / square < 2


@pytest.mark.simulation
def test_what_is_larger_by_the_root_of_d_is_excluded():
    """The rates of supremum and preactivation have power: sqrt(d) times what is observed exceeds the bound, itself it does not."""
    owner = entry("damian2022.concentration")
    report = run(plan(owner, {}))
    for name in ("supremum", "preactivation"):
        columns = report.observed[name]
        larger = [[value * sizes.d**0.5 for value in column] for sizes, column in zip(report.plan.sizes, columns, strict=True)]
        assert report.judgements[name].excluded == ()
        assert judge_rate(owner.claim(name), list(report.samples), larger).excluded == ("derived",)
