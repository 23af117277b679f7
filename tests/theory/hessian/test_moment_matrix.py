"""theory.hessian.moment_matrix: the moment matrix of Lemma 21 of damian2022, its spectrum and the minimum-norm z_T."""

import math
from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
import sympy as sp
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from pencils.errors import InputError
from theory.commands.main import main
from theory.entries import entry
from theory.evidence.verify import verify_quantity, verify_statement
from theory.handles import handle
from theory.hessian import minimum_norm, moment_matrix
from theory.hessian import moment_matrix_route as moment_route
from theory.hessian.moment_matrix import blocks, greatest_ratio, least_ratio, spectrum, sphere
from theory.proof.symbols import read_form, symbol
from theory.register.evaluate import evaluate

F = Fraction
LEMMA = entry("damian2022.lemma-21")


def numbers(**given):
    return evaluate(LEMMA, given, 15).forms[""]


def on_the_circle(h, k, nodes=64):
    """d = r = 2: values of (H w)^(x)k as vectors of length 2^k, w equally spaced on the circle; the trapezoid rule is exact."""
    angles = 2 * np.pi * np.arange(nodes) / nodes
    seen = np.stack([h[0] * np.cos(angles), h[1] * np.sin(angles)])
    return np.array([np.prod(seen[list(places)], axis=0) for places in product(range(2), repeat=k)])


@pytest.mark.parametrize("k, h", [(1, (1, -0.5)), (2, (1, -0.5)), (2, (0.75, 0.75)), (3, (0.5, -2)), (4, (-1, 0.25))])
def test_spectrum_against_integration_on_the_circle(k, h):
    tensors = on_the_circle(h, k)
    found = np.sort(np.linalg.eigvalsh(tensors @ tensors.T / tensors.shape[1]))[-(k + 1) :]  # 2^k - (k+1) are 0
    values = numbers(k=k, H=",".join(map(str, h)), d=2)
    expected = [float(v.mid()) for v, m in zip(values["eigenvalues"], values["multiplicities"], strict=True) for _ in range(int(m))]
    assert np.allclose(found, expected, rtol=1e-10, atol=1e-14)


@pytest.mark.parametrize(
    "h, text, tensor",
    [
        ((1, -0.5), "x1**2 - x1*x2/3 + 2*x2**2", lambda x: x[0] ** 2 - x[0] * x[1] / 3 + 2 * x[1] ** 2),
        ((0.5, 0.8), "x1**3 - 2*x1*x2**2", lambda x: x[0] ** 3 - 2 * x[0] * x[1] ** 2),
    ],
)
def test_z_reproduces_the_tensor_and_has_the_second_moment(h, text, tensor):
    k = 2 if "**3" not in text else 3
    gradient = on_the_circle(h, k) / (2 * np.pi) ** (k / 2)
    rng = np.random.default_rng(1)
    points = rng.standard_normal((12, 2))
    powers = np.array([[np.prod(x[list(p)]) for p in product(range(2), repeat=k)] for x in points])
    values = np.array([tensor(x) for x in points])
    # the z of least norm with mean z <g, x>^k = T(x) at these points, among all functions on the nodes of the circle
    z = np.linalg.lstsq(powers @ gradient / gradient.shape[1], values, rcond=1e-11)[0]
    assert np.allclose(powers @ gradient @ z / len(z), values)
    found = numbers(k=k, H=",".join(map(str, h)), d=2, tensor=text)
    assert float(found["second_moment"].mid()) == pytest.approx(np.mean(z**2), rel=1e-8)
    assert found["second_moment"] <= found["second_moment_bound"]


def harmonics(r, degree):
    """Dimension of the harmonic polynomials of a degree in r variables."""
    return math.comb(r + degree - 1, degree) - (math.comb(r + degree - 3, degree - 2) if degree > 1 else 0)


@pytest.mark.parametrize("k, r", [(1, 1), (1, 3), (2, 1), (2, 2), (2, 4), (3, 3), (4, 2), (4, 3), (5, 2), (6, 3)])
def test_equal_sizes_by_representation_theory(k, r):
    """|x|^(2j) Y, Y harmonic of degree k - 2j: E T(z)^2/|T|^2 = k! prod_{i <= j} (r+2k-2i)/(2i), from E |z|^(2m) and
    Delta |x|^(2j) Y = 2j (r + 2k - 2j - 2) |x|^(2j-2) Y. The signs of H do not matter."""
    expected = {}
    for j in range(k // 2 + 1):
        value = math.factorial(k) * math.prod((F(r + 2 * k - 2 * i, 2 * i) for i in range(1, j + 1)), start=F(1))
        if harmonics(r, k - 2 * j):
            expected[value] = harmonics(r, k - 2 * j)
    signs = tuple(F((-1) ** i) for i in range(r))
    for h in ((F(1),) * r, signs):
        found = [(float(value), count) for value, count in spectrum(k, h, 80)]
        assert found == [(float(value), count) for value, count in sorted(expected.items())]
    assert float(least_ratio(k, r, None)) == float(min(expected))


@pytest.mark.parametrize("k", [1, 2, 3, 4, 5, 6])
@pytest.mark.parametrize("r", [1, 2, 3, 4])
def test_the_supremum_over_spectra(k, r):
    """k! prod_{i <= k/2} (r+2k-2i)/(r+2i-1): (2k-1)!! at r = 1, 2(r+2)/(r+1) at k = 2 (derivations.damian2022.moments:greatest_2),
    6(r+4)/(r+1) at k = 3 by hand: (1 - 3/(r+2))/6 + 3/(r+2)/(3(r+4)) is the entry of the inverse. Found for k > 3, not proved."""
    expected = math.factorial(k) * math.prod((F(r + 2 * k - 2 * i, r + 2 * i - 1) for i in range(1, k // 2 + 1)), start=F(1))
    assert greatest_ratio(k, r, None) == expected
    far = (F(1),) + (F(10**4),) * (r - 1)
    assert float(spectrum(k, far, 200)[0][0].mid()) == pytest.approx(float(expected), rel=1e-6)


@settings(derandomize=True, deadline=None, max_examples=25)
@given(st.integers(1, 4), st.lists(st.sampled_from([F(i, 4) for i in range(-8, 9) if i]), min_size=1, max_size=3))
def test_ratio_between_its_bounds(k, h):
    values = numbers(k=k, H=h, d=10)
    assert values["least_ratio"] >= 1  # derivations.damian2022.moments:one
    low, ratio, high = (float(values[name].mid()) for name in ("least_ratio", "ratio", "greatest_ratio"))
    assert low * (1 - 1e-12) <= ratio <= high * (1 + 1e-12)
    least = [abs(one) for one in h].count(min(abs(one) for one in h))
    assert (abs(ratio / low - 1) < 1e-12) is (k == 1 or len(h) == 1 or least > 1)


def test_equality_needs_two_least_directions():
    assert float(numbers(k=2, H="1/2,-1/2,1", d=7)["ratio"].mid()) == pytest.approx(2 * 7 / 9)
    assert float(numbers(k=2, H="1/2,-1,1", d=7)["ratio"].mid()) > 1.01 * 2 * 7 / 9


def test_registered_forms_are_the_computed_numbers():
    statement, d, r = entry("damian2022.moment-matrix"), 9, 3
    point = {symbol("d"): d, symbol("rank"): r, symbol("kappa_H"): 1 / (sp.Rational(2, 3) * sp.sqrt(r))}
    for k in (1, 2, 3, 4):
        form = read_form(statement.claim(f"smallest_{k}").derived).subs(point)
        assert float(form) == pytest.approx(float(numbers(k=k, H="2/3,-2/3,2/3", d=d)["smallest"].mid()), rel=1e-13)
    form = read_form(statement.claim("largest_2").derived).subs(point)
    assert float(form) == pytest.approx(float(numbers(k=2, H="2/3,-2/3,2/3", d=d)["largest"].mid()), rel=1e-13)
    form = read_form(statement.claim("greatest_2").derived).subs(point)
    assert float(form) == pytest.approx(float(greatest_ratio(2, r, d)))


def test_moments_of_the_sphere():
    # E w_1^4 = 3/(d(d+2)), by Archimedes at d = 3: w_1 is uniform, E w_1^4 = 1/5
    assert sphere(2, 3) / 9 * 3 == F(1, 5)
    assert sphere(3, None) == 1 and sphere(1, 12) == 1
    assert blocks(2, 2) == (((2, 0), (0, 2)), ((1, 1),))


def test_a_singular_hessian():
    run = CliRunner().invoke(main, ["eval", "damian2022.lemma-21", "k=2", "H=1,0", "d=4", "--json"])
    assert run.exit_code == 0 and '"kappa": "infinite"' in run.output
    assert '"rank H = r (Assumption 2)": false' in run.output and '"smallest": "0"' in run.output
    assert "second_moment" in numbers(k=2, H="1,0", tensor="x1**2")  # T within the range of H


@pytest.mark.parametrize(
    "given, says",
    [
        ({"k": "0", "H": "1"}, "1 to 8"),
        ({"k": "9", "H": "1"}, "1 to 8"),
        ({"k": "2", "H": "1,2,3", "d": "2"}, "at least that"),
        ({"k": "2", "H": "1,b"}, "not a number"),
        ({"k": "2"}, "missing H"),
        ({"k": "2", "H": "1,0", "tensor": "x2**2"}, "Assumption 2 fails"),
        ({"k": "3", "H": "1,1", "tensor": "x1**2"}, "k = 3 takes a"),
        ({"k": "2", "H": "1", "tensor": "x2**2"}, "it uses x2"),
        ({"k": "2", "H": "1", "tensor": "x1**2-x1**2"}, "tensor is 0"),
        ({"k": "2", "H": "1", "tensor": "sin(x1)"}, "because of 'sin'"),
        ({"k": "8", "H": "1,1,1,1,1,1"}, "computed exactly"),
    ],
)
def test_bad_input_is_one_line(given, says):
    with pytest.raises(InputError, match=says) as error:
        evaluate(LEMMA, given)
    assert "\n" not in str(error.value)


def test_two_routes_and_a_wrong_matrix(monkeypatch):
    one = replace(LEMMA, samples=({"k": "2", "H": "1,-1/2", "d": "5", "tensor": "x1*x2"},), chapter=())
    (row,) = verify_quantity(one, 25)
    assert row.as_expected and row.routes.digits == 25
    monkeypatch.setattr(moment_matrix, "sphere", lambda k, d: F(1))  # E w^gamma without the d + 2
    assert verify_quantity(one, 25)[0].verdict == "routes disagree"


def test_kappa_and_bound_of_the_second_route_come_from_the_matrix(monkeypatch):
    given = {"k": "2", "H": "1/2,-1/3", "d": "6"}
    plain = {name: float(moment_route.values(given, 15)[name]) for name in ("kappa", "bound")}
    assert plain["kappa"] == pytest.approx(3 / math.sqrt(2)) and plain["bound"] == pytest.approx((1 / 9 / 6) ** 2)
    moment = moment_route.Sphere._moment
    monkeypatch.setattr(moment_route.Sphere, "_moment", lambda self, powers: 4 * moment(self, powers))
    changed = {name: float(moment_route.values(given, 15)[name]) for name in ("kappa", "bound")}
    assert changed["kappa"] == pytest.approx(plain["kappa"] / 2) and changed["bound"] == pytest.approx(16 * plain["bound"])


@pytest.mark.parametrize(
    "k, h, d",
    [
        (1, (F(1), F(-1, 2)), 4),
        (2, (F(1, 3), F(-2)), 5),
        (3, (F(-1), F(1, 2)), 3),
        (4, (F(2, 3),), 6),
    ],
)
def test_z_of_least_norm(k, h, d):
    """E z (Hw.x)^k = T(x) at points, and E z^2 = <T, M^-1 T>, by the blocks of theory.hessian.moment_matrix."""
    tensor = {alpha: F(2 * place + 1, 3) for place, alpha in enumerate(minimum_norm.indices(k, len(h)))}
    z = minimum_norm.MinimumNorm.solve(k, h, d, tensor)
    for x in ((F(1), F(2)), (F(-1, 3), F(5, 7))):
        at = sum(value * math.prod(one**part for one, part in zip(x, alpha, strict=False)) for alpha, value in tensor.items())
        assert z.against(x[: len(h)], k) == at
    assert z.second_moment == moment_matrix.inverse_form(k, h, tensor) / sphere(k, d) * d**k
    assert minimum_norm.degree_in_dimension(k, h, tensor) == k


def test_the_range_of_z_has_kappa_to_the_order():
    """T = x_2^k: a ten times smaller h_2 makes z_T 10^k times larger everywhere, for |M^-1| |g|^k of order kappa^(2k)."""
    for k in (1, 2, 3):
        small, large = (minimum_norm.MinimumNorm.solve(k, (F(1), h), 5, {(0, k): F(1)}) for h in (F(1, 2), F(1, 20)))
        assert all(large.values[alpha] == 10**k * value for alpha, value in small.values.items())


@pytest.mark.slow
def test_a_wrong_constant_is_found():
    statement = entry("damian2022.moment-matrix")
    assert all(row.as_expected for row in verify_statement(statement))
    wrong = replace(statement, claims=(replace(statement.claim("smallest_2"), derived="1/(1 + 2/d)/(rank*d*kappa_H**2)**2"),))
    assert verify_statement(wrong)[0].verdict == "derivation fails"


@pytest.mark.simulation
def test_simulation_tells_the_exact_values_from_the_bounds():
    judged = handle(LEMMA).simulate().judgements
    assert judged["smallest"].excluded == ("floor",)
    assert judged["second_moment"].excluded == ("second_moment_bound",)
    assert judged["largest"].excluded == ()
