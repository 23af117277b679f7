"""Edges, their exponents, atoms, support and moments against closed forms; what is refused, and what a picture holds.

Sources: the benchmark sheet P1-P5, P7, P9, P15 (30-digit edges), Marchenko-Pastur edges (1 +- sqrt c)^2, Fuss-Catalan numbers,
rank counts for atoms.
"""

import math
import time

import mpmath as mp
import numpy as np
import pytest
import sympy as sp

from pencils import Deterministic, Gaussian, Vector, Wigner, commuting, spectrum
from pencils.errors import ConvergenceError, GradstepError, InputError

n, p, q = sp.symbols("n p q", positive=True)
X, S, W, D = sp.MatrixSymbol("X", p, n), sp.MatrixSymbol("S", p, p), sp.MatrixSymbol("W", n, n), sp.MatrixSymbol("D", n, n)
HALF = sp.Rational(1, 2)
SEMICIRCLE = Wigner(1 / n)


def wishart():
    return spectrum(X * X.T / n, {X: Gaussian()})


def covariance():
    """P3: eigenvalues 1 and 3."""
    return spectrum(S * X * X.T * S / n, {X: Gaussian(), S: Deterministic(law=[(1, HALF), (sp.sqrt(3), HALF)])})


def two_points(scale):
    """P5."""
    return spectrum(D + scale * W, {W: SEMICIRCLE, D: Deterministic(law=[(1, HALF), (-1, HALF)])})


def product(count):
    """P9."""
    factors = [sp.MatrixSymbol(f"X{k}", n, n) for k in range(count)]
    whole = sp.MatMul(*factors)
    return spectrum(whole * whole.T, {F: Gaussian(1 / n) for F in factors})


def signal():
    """P15."""
    A = sp.MatrixSymbol("A", p, n)
    Y = A + sp.Rational(4, 5) * X
    return spectrum(Y * Y.T, {A: Deterministic(singular_values=[(HALF, HALF), ("3/2", HALF)]), X: Gaussian(1 / n)})


def anticommutator():
    x, y = sp.MatrixSymbol("x", n, n), sp.MatrixSymbol("y", n, n)
    return spectrum(x * y + y * x, {x: Wigner(1 / n, "complex"), y: Wigner(1 / n, "complex")})


@pytest.mark.parametrize("c", ["1/2", "2", "1/100"])
def test_marchenko_pastur_edges_to_any_digits(c):
    """(1 +- sqrt c)^2."""
    for digits in (10, 30, 200):
        low, high = wishart().edges({p: c, n: 1}, digits)
        with mp.workdps(digits + 10):
            root = mp.sqrt(mp.mpf(sp.Rational(c).p) / sp.Rational(c).q)
            assert abs(mp.mpf(str(low)) / (1 - root) ** 2 - 1) < mp.mpf(10) ** (1 - digits)
            assert abs(mp.mpf(str(high)) / (1 + root) ** 2 - 1) < mp.mpf(10) ** (1 - digits)


def test_rational_edges_are_rational():
    """c = 1/4: exactly 1/4 and 9/4. The semicircle: exactly -2 and 2."""
    assert wishart().edges({p: 1, n: 4}) == [sp.Rational(1, 4), sp.Rational(9, 4)]
    assert spectrum(W, {W: SEMICIRCLE}).edges() == [-2, 2]


def test_the_four_edges_of_p3():
    """The sheet: a gap of width 0.019, 3/2 exactly. Its discriminant has the root 0 besides, which is no edge."""
    law = covariance()
    low, middle, gap, high = law.edges({p: 1, n: 4})
    assert middle == sp.Rational(3, 2) and middle.is_Rational
    for found, known in ((low, "0.31881657608267735436"), (gap, "1.5190695292579235318"), (high, "5.6621138946593991139")):
        assert abs(found - sp.Float(known, 25)) < sp.Float("1e-19", 25) * 6
    # they are the roots of 256 z^3 - 1920 z^2 + 2788 z - 702, the discriminant over z^4 (2 z - 3), to all digits
    t = sp.Symbol("t")
    quotient = sp.div(sp.Poly(256 * t**4 - 2304 * t**3 + 5668 * t**2 - 4884 * t + 1053, t), sp.Poly(2 * t - 3, t))[0]
    with mp.workdps(60):
        for edge in law.edges({p: 1, n: 4}, 50)[::3]:
            assert abs(mp.polyval([int(c) for c in quotient.all_coeffs()], mp.mpf(str(edge)))) < mp.mpf(10) ** -46
    assert law.support({p: 1, n: 4}) == [(low, middle), (gap, high)]


def test_edges_of_p3_in_time():
    law = covariance()
    _ = law.law.equations
    start = time.process_time()
    law.edges({p: 1, n: 4})
    assert time.process_time() - start < 1


def test_p5_from_two_bulks_to_one():
    """s = 1/2: four edges. s = 1: a cusp of exponent 1/3 at 0, edges +-3 sqrt 3/2. s = 2: one bulk, two edges."""
    known = ["-2.0997975768176755773", "-0.16837498742573919761", "0.16837498742573919761", "2.0997975768176755773"]
    found = two_points(sp.sqrt(HALF)).edges()
    assert all(abs(a - sp.Float(b, 25)) < 1e-18 for a, b in zip(found, known, strict=True))
    left, cusp, right = two_points(1).behaviour(digits=40)
    assert abs(right.position**2 - sp.Rational(27, 4)) < sp.Float("1e-37", 45) and left.position == -right.position
    assert (cusp.position, cusp.exponent, cusp.side, cusp.kind) == (0, sp.Rational(1, 3), "inside", "cusp")
    assert two_points(1).support(digits=40) == [(left.position, right.position)]
    assert len(two_points(sp.sqrt(2)).edges()) == 2


@pytest.mark.parametrize("count", [2, 3, 5])
def test_fuss_catalan(count):
    """P9: 0 and (p+1)^{p+1}/p^p only, exactly; exponents -p/(p+1) and 1/2; moments binom((p+1) k, k)/(p k + 1)."""
    law = product(count)
    zero, edge = law.behaviour()
    assert zero.position == 0 and edge.position == sp.Rational((count + 1) ** (count + 1), count**count)
    assert (zero.exponent, zero.kind, zero.side) == (sp.Rational(-count, count + 1), "inverse power", "begins")
    assert (edge.exponent, edge.kind, edge.side) == (HALF, "square root", "ends")
    assert abs(zero.measured - float(zero.exponent)) < 2e-2 and abs(edge.measured - 0.5) < 1e-3
    assert law.moments(6, {n: 1}) == [sp.Rational(math.comb((count + 1) * k, k), count * k + 1) for k in range(1, 7)]


def test_the_anticommutator_has_two_edges():
    """P7: +-sqrt((11 + 5 sqrt 5)/2); the point 0 of the polynomial's leading coefficient is none. Moments 2, 10, 66, 498."""
    law = anticommutator()
    low, high = law.edges()
    assert abs(high**2 - (11 + 5 * sp.sqrt(5)) / 2) < sp.Float("1e-28", 40) and low == -high
    assert law.moments(8) == [0, 2, 0, 10, 0, 66, 0, 498]


def test_a_point_where_other_branches_meet_is_no_edge():
    """P15 from its equation: m = mean of 1/(t^2/(1 + u) - (1 + u) z + v), u = s2 c m; z(m) real-analytic, dz/dm = 0."""
    edges = signal().edges({p: 1, n: 2})
    assert len(edges) == 4
    with mp.workdps(40):
        s2, c = mp.mpf(16) / 25, mp.mpf(1) / 2

        def gap(m, x):
            u, squares = s2 * c * m, (mp.mpf(1) / 4, mp.mpf(9) / 4)
            return m - sum(1 / (t / (1 + u) - (1 + u) * x + s2 * (1 - c)) for t in squares) / 2

        for edge in edges:
            x = mp.mpf(str(edge))
            m = mp.findroot(lambda m, x=x: mp.diff(lambda y: gap(y, x), m), _inside(gap, x))
            assert abs(gap(m, x)) < mp.mpf(10) ** -24


def _inside(gap, x):
    """A start for the double root: the real part of the root next to the edge, by following from above the axis."""
    m, height = -1 / mp.mpc(x, 100), mp.mpf(100)
    while height > 1e-10:
        height *= mp.mpf("0.8")
        m = mp.findroot(lambda y, h=height: gap(y, mp.mpc(x, h)), m, tol=1e-20, maxsteps=60)
    return mp.re(m)


@pytest.mark.parametrize(("sides", "mass"), [((2, 1), HALF), ((3, 1), sp.Rational(2, 3)), ((1, 1), None), ((1, 2), None)])
def test_atoms_of_a_wishart_matrix(sides, mass):
    """Rank: X X^T/n has p - n zeros out of p. At c = 1 the density is x^{-1/2} and no atom."""
    law, values = wishart(), {p: sides[0], n: sides[1]}
    assert law.atoms(values) == ([] if mass is None else [(0, mass)])
    assert (law.support(values)[0] == (0, 0)) == (mass is not None)
    if sides == (1, 1):
        zero, four = law.behaviour(values)
        assert (zero.position, zero.exponent, four.position) == (0, -HALF, 4)
    # lim -ih m(x + ih), in numbers
    h = 1e-7
    assert abs(law.stieltjes(np.array([1j * h]), values)[0] * -1j * h - float(mass or 0)) < 1e-3


def test_atoms_of_deterministic_parts():
    """A deterministic matrix is all atoms; the projection D = {0: 1/3, 1: 2/3} times a Wishart keeps 1/3 at 0."""
    law = spectrum(D, {D: Deterministic(law=[(-2, "2/3"), (1, "1/3")])})
    assert law.atoms() == [(-2, sp.Rational(2, 3)), (1, sp.Rational(1, 3))] and law.edges() == []
    assert law.support() == [(-2, -2), (1, 1)] and law.density(np.array([0.5])) == [0]
    P = sp.MatrixSymbol("P", p, p)
    law = spectrum(P * X * X.T * P / n, {X: Gaussian(), P: Deterministic(law=[(0, "1/3"), (1, "2/3")])})
    assert law.atoms({p: 1, n: 1}) == [(0, sp.Rational(1, 3))]
    # the rest is Marchenko-Pastur with ratio 2/3
    low, high = law.edges({p: 1, n: 1})
    assert abs(low - (1 - sp.sqrt(sp.Rational(2, 3))) ** 2) < 1e-28 and abs(high - (1 + sp.sqrt(sp.Rational(2, 3))) ** 2) < 1e-28


def test_an_atom_at_a_place_that_is_not_rational():
    """S^2 with eigenvalue sqrt 2 on half of the space, 0 noise there: D = diag(sqrt 2, 0) is atoms at sqrt 2 and 0."""
    law = spectrum(D, {D: Deterministic(law=[(sp.sqrt(2), HALF), (0, HALF)])})
    (zero, a), (root, b) = law.atoms(digits=40)
    assert (zero, a, b) == (0, HALF, HALF) and abs(root - sp.sqrt(2)) < sp.Float("1e-38", 50)


def test_a_support_without_end():
    """The inverse of a square Wishart matrix: 1/4 to infinity, as 1/x of (0, 4]."""
    law = spectrum((X * X.T / n).inverse(), {X: Gaussian()})
    assert law.support({p: 1, n: 1}) == [(sp.Rational(1, 4), sp.oo)]
    xs = np.array([0.3, 1.0, 50.0])
    assert np.allclose(law.density(xs, {p: 1, n: 1}), np.sqrt(4 * xs - 1) / (2 * np.pi * xs**2), rtol=1e-10)


def test_commuting_matrices():
    """tr over one eigenbasis: A + B with (1, 2) and (3, 5) half each is atoms at 3 and 8."""
    A, B = sp.MatrixSymbol("A", n, n), sp.MatrixSymbol("B", n, n)
    law = spectrum(A + B, commuting({A: [1, 3], B: [2, 5]}, [HALF, HALF]))
    assert law.atoms() == [(3, HALF), (8, HALF)]


def test_stieltjes_is_the_resolvents_trace():
    """P2: m(-1) = (-3 + sqrt 17)/2; the array route and the digits route agree; x + i0 inside."""
    law, values = wishart(), {p: 1, n: 2}
    assert abs(law.stieltjes(-1, values, 40) - (sp.sqrt(17) - 3) / 2) < sp.Float("1e-38", 50)
    inside = law.stieltjes(1, values, 20)
    assert abs(law.stieltjes(np.array([1.0]), values)[0] - complex(inside)) < 1e-14
    assert abs(inside - (-1 + sp.I * sp.sqrt(7)) / 2) < 1e-18  # m^2/2 + m/2 + 1 = 0 at z = 1
    with pytest.raises(ConvergenceError):
        law.stieltjes(sp.Rational(1, 4), {p: 1, n: 4})  # an edge


def test_another_parameter_may_be_called_z():
    """The shift z I moves the edges; a parameter of any sign is a parameter."""
    z = sp.Symbol("z", real=True)
    law = spectrum(W + z * sp.Identity(n), {W: SEMICIRCLE})
    assert law.edges({n: 1, z: -3}) == [-5, -1] and law.z.name == "zeta"
    assert abs(law.stieltjes(-3, {n: 1, z: -3}) - sp.I) < 1e-28


def test_finite_rank_terms_do_not_change_the_spectrum():
    """W + theta u u^T: edges of the semicircle; P20: outlier theta + 1/theta = 5/2, overlap 1 - 1/theta^2 = 3/4."""
    u, theta = sp.MatrixSymbol("u", n, 1), sp.Symbol("theta", positive=True)
    law = spectrum(W + theta * u * u.T, {W: SEMICIRCLE, u: Vector()})
    values = {n: 1, theta: 2}
    assert law.edges(values) == [-2, 2]
    (found,) = law.outliers(values)
    assert abs(found.position - sp.Rational(5, 2)) < 1e-28 and abs(found.overlaps[u] - sp.Rational(3, 4)) < 1e-28
    assert law.outliers({n: 1, theta: HALF}) == [] and spectrum(W, {W: SEMICIRCLE}).outliers() == []


def test_moments_and_polynomial_keep_symbols():
    """Marchenko-Pastur: 1, 1 + c, 1 + 3 c + c^2; c z m^2 + (z + c - 1) m + 1."""
    law = wishart()
    c = p / n
    assert [sp.simplify(a - b) for a, b in zip(law.moments(3), [1, 1 + c, 1 + 3 * c + c**2], strict=True)] == [0, 0, 0]
    poly = law.polynomial()
    (m,) = poly.gens
    assert sp.expand(poly.as_expr() / n - (c * law.z * m**2 + (law.z + c - 1) * m + 1)) == 0


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: spectrum(D * W, {W: SEMICIRCLE, D: Deterministic(law=[(1, 1)])}), r"adjoint.*complex.*M\*M\.T"),
        (lambda: spectrum(X, {X: Gaussian()}), "only a square matrix"),
        (lambda: spectrum(X * X.T, {X: Gaussian()}), "divide it by n"),
        (lambda: spectrum(S + X * X.T / n, {X: Gaussian(), S: Deterministic(symmetric=True)}), "S is a matrix without a law"),
        (lambda: spectrum(W, []), "ensembles: give a mapping"),
        (lambda: wishart().edges(), "give values for n, p"),
        (lambda: wishart().edges({n: 1}), "missing p"),
        (lambda: wishart().edges({n: 1, p: 1, q: 1}), "unknown parameter q"),
        (lambda: wishart().moments(2, {q: 1}), "unknown parameter q"),
        (lambda: wishart().edges({n: 1, p: -1}), "must be positive"),
        (lambda: wishart().edges({n: 1, p: 1}, 0), "from 1 to 1000"),
        (lambda: wishart().moments(0, {n: 1, p: 1}), "number of moments"),
        (lambda: wishart().plot({n: 1, p: 1}, "x.gif"), "written as .png"),
        (lambda: wishart().plot({n: 1, p: 1}, "/nowhere/x.png"), "does not exist"),
        (lambda: wishart().plot({n: 1, p: 1}, bins=0), "bins = 0"),
    ],
)
def test_mistakes(make, said):
    with pytest.raises(InputError, match=said) as error:
        make()
    assert "\n" not in str(error.value) and isinstance(error.value, GradstepError)


def test_plot(tmp_path):
    """Density, edges, atom, outlier and histogram are there, and the histogram follows the density."""
    u = sp.MatrixSymbol("u", p, 1)
    theta = sp.Symbol("theta", positive=True)
    law = spectrum(X * X.T / n + theta * u * u.T, {X: Gaussian(), u: Vector()})
    file = tmp_path / "x.png"
    figure = law.plot({p: 2, n: 1, theta: 9}, file, size=150, draws=3, bins=30)
    assert file.read_bytes().startswith(b"\x89PNG")
    axis = figure.axes[0]
    labels = {artist.get_label() for artist in [*axis.lines, *axis.patches]}
    assert {"density of the limit", "edges", "atom", "outliers"} <= labels
    (bars,) = [patch for patch in axis.patches if str(patch.get_label()).startswith("sample")]
    heights, sides, _ = bars.get_data()
    middles = (sides[1:] + sides[:-1]) / 2
    inside = (middles > 0.5) & (middles < 5)
    rho = law.density(middles[inside], {p: 2, n: 1, theta: 9})
    count = 900 * rho * np.diff(sides)[inside]
    assert np.all(np.abs(heights[inside] - rho) < 5 * rho / np.sqrt(count) + 0.02)
    assert abs(np.sum(heights * np.diff(sides)) - 0.5) < 0.01  # half of the eigenvalues are the atom's


@pytest.mark.parametrize(
    ("f", "edges"),
    [([1, 0, 0, 0], [-8, 0, 8]), ([2, 1, 0], [-HALF / 4, 10]), ([1, 1, 0], [-HALF / 2, 6])],
    ids=["W^3", "2W^2 + W", "W^2 + W"],
)
def test_polynomials_of_one_wigner_matrix(f, edges):
    """The spectrum of f(W) is f([-2, 2]), its density the sum of that of W over |f'| at the roots of f(w) = x."""
    law = spectrum(sum((c * W**k for k, c in enumerate(reversed(f)) if c), sp.ZeroMatrix(n, n)), {W: SEMICIRCLE})
    assert law.edges({n: 1}) == edges
    for x in (float(edges[0]) * 0.9 + 0.05, 0.7, float(edges[-1]) * 0.9):
        roots = [w.real for w in np.roots([*f[:-1], f[-1] - x]) if abs(w.imag) < 1e-9 and abs(w) < 2]
        known = sum(np.sqrt(4 - w * w) / (2 * np.pi) / abs(np.polyval(np.polyder(f), w)) for w in roots)
        assert law.density(np.array([x]), {n: 1})[0] == pytest.approx(known, rel=1e-7)


def test_a_transform_that_vanishes_by_symmetry():
    """m(0) = 0 inside the gap of diag(+-1) + W/10: exact, as its minimal polynomial says; and no density there."""
    law = spectrum(D + W / 10, {D: Deterministic(law=[(1, HALF), (-1, HALF)]), W: SEMICIRCLE})
    assert law.stieltjes(0, {n: 1}) == 0
    assert law.density(np.array([0.0]), {n: 1})[0] == pytest.approx(0, abs=1e-12)
