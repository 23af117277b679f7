"""The Marchenko-Pastur law: each value against something that shares no formula with the module."""

from __future__ import annotations

import itertools
from collections import Counter

import mpmath
import numpy as np
import pytest
import sympy as sp
from integrals_of_laws import LAWS, integrate

from pencils.errors import InputError
from theory.marchenko_pastur import symbolic
from theory.marchenko_pastur.law import MarchenkoPastur
from theory.marchenko_pastur.symbolic import M_COMPANION, PSI2, M, Z


@pytest.fixture
def ctx() -> mpmath.MPContext:
    context = mpmath.MPContext()
    context.dps = 40
    return context


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
