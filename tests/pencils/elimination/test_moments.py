"""Moments against free probability, counting, and the polynomial of the law; formal series."""

import pytest
import sympy as sp
from benchmark_models import HALF, e1, eta, eye, matrix, n, p, p1, p2, p3, p4, p5, p7, p9, p15, s, z
from flint import fmpq, fmpq_poly
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from random_models import Draw, declared
from random_models import p as rows

from pencils import Gaussian, Wigner, expected_trace, spectrum
from pencils.elimination.moments import moments
from pencils.errors import ConvergenceError, InputError
from pencils.exact.series import EXACT, Field, Series
from pencils.language.expression import read

RATIO = sp.Symbol("c")  # p/n


def equations_of(model):
    return expected_trace(model.expr, model.ensembles).system


def from_free_cumulants(cumulants):
    """m_k = sum over j of kappa_j times the coefficient of x^(k-j) in (1 + m_1 x + m_2 x^2 + ...)^j (Speicher)."""
    x, found = sp.Symbol("x"), []
    for k in range(1, len(cumulants) + 1):
        series = 1 + sum(m * x ** (i + 1) for i, m in enumerate(found))
        total = sum(cumulants[j - 1] * sp.Poly(series**j, x).coeff_monomial(x ** (k - j)) for j in range(1, k + 1))
        found.append(sp.expand(total))
    return found


def to_free_cumulants(values):
    found = []
    for k, m in enumerate(values, start=1):
        found.append(sp.expand(m - from_free_cumulants([*found, sp.S.Zero])[k - 1]))
    return found


def agree(left, right):
    assert len(left) == len(right)
    assert all(sp.expand(a - sp.expand(b).subs(RATIO, p / n)) == 0 for a, b in zip(left, right, strict=True))


def test_sheet():
    """P7: 2, 10, 66, 498, 4066. P9: binom((p + 1) k, k)/(p k + 1). P1: Catalan numbers."""
    for form in ("anticommutator", "commutator"):
        assert moments(equations_of(p7(form)), 10) == [0, 2, 0, 10, 0, 66, 0, 498, 0, 4066]
    for count in (2, 3, 5):
        expected = [sp.binomial((count + 1) * k, k) / sp.Integer(count * k + 1) for k in range(1, 21)]
        assert moments(equations_of(p9(count)), 20) == expected
    assert moments(equations_of(p1()), 8) == [0, 1, 0, 2, 0, 5, 0, 14]


def test_symbols():
    """Narayana polynomials: tr (X X^T/n)^k = sum over j of binom(k, j) binom(k, j - 1) c^(j - 1)/k, c = p/n."""
    narayana = [sum(sp.binomial(k, j) * sp.binomial(k, j - 1) * RATIO ** (j - 1) for j in range(1, k + 1)) / k for k in range(1, 7)]
    agree(moments(equations_of(p2()), 6), narayana)


def test_free_convolutions():
    # P3: the companion X^T S^2 X/n (n x n) has free cumulants c E tau^k; the p x p moments are 1/c times its own
    companion = from_free_cumulants([RATIO * (1 + sp.Integer(3) ** k) / 2 for k in range(1, 5)])
    agree(moments(equations_of(p3()), 4), [m / RATIO for m in companion])
    # P4: semicircle (kappa_2 = 1) and Marchenko-Pastur (kappa_k = c^(k-1)) are free
    agree(moments(equations_of(p4()), 4), from_free_cumulants([RATIO ** (k - 1) + int(k == 2) for k in range(1, 5)]))
    # P5: cumulants of the two-point law, and s for the semicircle
    signs = to_free_cumulants([sp.Integer(int(k % 2 == 0)) for k in range(1, 7)])
    agree(moments(equations_of(p5()), 6), from_free_cumulants([k + s * int(i == 1) for i, k in enumerate(signs)]))


def test_information_plus_noise():
    """P15: tr (A + sigma X)(A + sigma X)^T = E t^2 + sigma^2 = 5/4 + 16/25 at n >= p."""
    values = {k: v for k, v in p15().values.items() if k != z}
    assert moments(equations_of(p15()), 1, values) == [sp.Rational(5, 4) + sp.Rational(16, 25)]


def noncrossing(points):
    """All non-crossing pairings of a list of points."""
    if not points:
        yield []
        return
    for k in range(1, len(points), 2):
        for inner in noncrossing(points[1:k]):
            for outer in noncrossing(points[k + 1 :]):
                yield [(points[0], points[k]), *inner, *outer]


def test_counting_pairings():
    """tr (x + x y x)^k of independent GUEs by counting non-crossing pairings of equal letters."""
    x, y = matrix("x", n, n), matrix("y", n, n)
    law = {x: Wigner(1 / n, "complex"), y: Wigner(1 / n, "complex")}
    found = moments(read(x + x * y * x, law), 4)
    words = [""]
    for k in range(4):
        words = [u + v for u in words for v in ("x", "xyx")]
        count = sum(
            all(u[a] == u[b] for a, b in pairing) for u in words if len(u) % 2 == 0 for pairing in noncrossing(list(range(len(u))))
        )
        assert found[k] == count


def test_roots_in_the_coefficients():
    """tr of (D + 2^{1/4} W) with D = sqrt(2): m_2 = 2 + sqrt(2)."""
    W = matrix("W", n, n)
    found = moments(read(sp.sqrt(2) * eye(n) + 2 ** sp.Rational(1, 4) * W, {W: Wigner(1 / n)}), 2)
    agree(found, [sp.sqrt(2), 2 + sp.sqrt(2)])


@given(st.integers(0, 2**32))
@settings(max_examples=3)
def test_moments_are_those_of_the_polynomial(seed):
    """P(-sum m_j z^{-j-1}, z) vanishes to the order that the moments determine, and not with a moment changed."""
    matrix_of = Draw(seed).hermitian()
    law = expected_trace((matrix_of - z * sp.Identity(rows)).inverse(), declared(matrix_of))
    assume(law.pencil.size <= 6 and len(law.equations) <= 2)
    values = {x: k + 1 for k, x in enumerate(v for v in law.parameters if v != z)}
    poly = law.polynomial(values)
    found = moments(law.system, 8, values)
    assert found == moments(read(matrix_of, declared(matrix_of)), 8, values)
    x = sp.Symbol("x")

    def order(numbers):
        series = -x - sum(m * x ** (j + 2) for j, m in enumerate(numbers))
        depth = max(sp.degree(coefficient, z) for coefficient in poly.all_coeffs())
        total = sp.Poly(sum(sp.expand(coefficient.subs(z, 1 / x) * x**depth) * series**k for (k,), coefficient in poly.terms()), x)
        return min((k for (k,), _ in total.terms()), default=10**6)

    assert order(found) > order([*found[:7], found[7] + 1]) >= 8


def test_errors():
    with pytest.raises(InputError, match="number of moments"):
        moments(equations_of(p1()), 0)
    with pytest.raises(InputError, match="not a parameter"):
        moments(equations_of(p1()), 2, {eta: 1})
    with pytest.raises(InputError, match="spectral parameter"):
        moments(equations_of(e1()), 2)
    W = matrix("W", n, n)
    with pytest.raises(InputError, match="not that of a resolvent"):
        moments(expected_trace(W**4 * (W - z * eye(n)).inverse(), {W: Wigner(1 / n)}).system, 2)
    X = matrix("X", p, n)
    with pytest.raises(ConvergenceError):
        moments(read((X * X.T / n).inverse(), {X: Gaussian()}), 2)


def test_series():
    """1/(1 - x - x^2) and sqrt(1 + x) to the order that the error terms promise."""
    field = Field(fmpq_poly, lambda q: fmpq(int(q.p), int(q.q)))
    fibonacci = Series(field, 0, fmpq_poly([1, -1, -1]), 7).inverse()
    assert fibonacci.prec == 7 and list(fibonacci.poly.coeffs()) == [1, 1, 2, 3, 5, 8, 13]
    root = Series(field, 2, fmpq_poly([1, 1]), 6).root(2, lambda value, index: fmpq(1))
    assert root.low == 1 and root.prec == 5
    assert list(root.poly.coeffs()) == [sp.binomial(HALF, k) for k in range(4)]
    shifted = field.power(-2, fmpq(3)) * field.unknown(4)
    assert shifted.poly.is_zero() and shifted.prec == 2
    assert field.constant(fmpq(0)).prec == EXACT
    with pytest.raises(ZeroDivisionError):
        field.unknown(3).inverse()


@pytest.mark.parametrize(
    ("build", "known"),
    [
        # tr W^{2k} = Catalan: tr (2 W^2 + W)^2 = 4*2 + 1, and of the cube 8*5 + 3*2*2
        (lambda W, V, X: 2 * W * W + W, [2, 9, 52]),
        # tr (i[W, V])^2 = 2 and tr W^2 = 1; odd words vanish
        pytest.param(lambda W, V, X: sp.I * (W * V - V * W) + W, [0, 3, 0], marks=pytest.mark.slow),
        # inverse Wishart, c = 1/3: tr M = 1/(1 - c), tr M^2 = 1/(1 - c)^3
        (lambda W, V, X: (X * X.T / n).inverse(), [sp.Rational(3, 2), sp.Rational(27, 8)]),
    ],
    ids=["2W^2 + W", "i[W, V] + W", "inverse Wishart"],
)
def test_moments_from_the_polynomial_where_the_equations_do_not_contract(build, known):
    W, V, X = sp.MatrixSymbol("W", n, n), sp.MatrixSymbol("V", n, n), sp.MatrixSymbol("X", p, n)
    matrix = build(W, V, X)
    laws = {W: Wigner(1 / n, "complex"), V: Wigner(1 / n, "complex"), X: Gaussian()}
    law = spectrum(matrix, {m: laws[m] for m in matrix.atoms(sp.MatrixSymbol)})
    values = {n: 3, p: 1} if matrix.has(X) else {n: 1}
    assert law.moments(len(known), values) == known
