"""The command ``gradstep spectrum`` as a person types it: answers against closed forms, modes, mistakes in one line."""

import json

import mpmath
import pytest

WISHART = ["X*X.T/n", "--gaussian", "X: p x n"]
WIGNER = ["W", "--wigner", "W: n, variance 1/n"]
SPIKED = ["W + theta*u*u.T", *WIGNER[1:], "--vector", "u: n", "n=1", "theta=2"]


@pytest.fixture
def spectrum(gradstep):
    """The command: words -> (exit status, standard output, standard error)."""
    return lambda *words: gradstep("spectrum", *words)


def test_summary_of_a_wishart_matrix(spectrum):
    """c = 2: half of the mass at 0, the rest on [(1 - sqrt 2)^2, (1 + sqrt 2)^2]."""
    code, out, err = spectrum(*WISHART, "p=2", "n=1", "--digits", "20")
    with mpmath.workdps(40):
        low, high = (mpmath.nstr((1 + sign * mpmath.sqrt(2)) ** 2, 20, strip_zeros=False) for sign in (-1, 1))
    assert (code, err) == (0, "")
    assert out.splitlines() == [
        f"support: {{0}} + [{low}, {high}]",
        "atom: 1/2 at 0",
        "edges:",
        f"  {low}  begins, square root, exponent 1/2",
        f"  {high}  ends, square root, exponent 1/2",
    ]


def test_edges(spectrum):
    assert spectrum(*WISHART, "p=1", "n=4", "--edges")[1] == "1/4\n9/4\n"
    data = json.loads(spectrum(*WISHART, "p=1", "n=4", "--edges", "--json")[1])
    assert data["edges"] == ["1/4", "9/4"] and data["digits"] == 30
    assert data["parameters"] == {"p": "1", "n": "4"} and {"expression", "version"} <= set(data)


def test_one_dimension_needs_no_value(spectrum):
    code, out, _ = spectrum(*WIGNER)
    assert code == 0 and out.splitlines()[0] == "support: [-2, 2]"


def test_density(spectrum):
    """sqrt(4 - x^2)/(2 pi)."""
    lines = spectrum(*WIGNER, "--density", "-2:3:6")[1].splitlines()
    points = [[float(word) for word in line.split()] for line in lines]
    assert [x for x, _ in points] == [-2, -1, 0, 1, 2, 3]
    for x, rho in points:
        assert rho == pytest.approx(float(mpmath.sqrt(max(4 - x * x, 0)) / (2 * mpmath.pi)), abs=1e-13)
    data = json.loads(spectrum("X*X.T", "--gaussian", "X: n x n, variance 1/n", "--density", "0:4:3", "--json")[1])
    assert data["density"][0] == ["0.0", "inf"] and data["density"][2] == ["4.0", "0.0"]


def test_moments_and_polynomial(spectrum):
    """Marchenko-Pastur at c = 1/2: 1, 1 + c, 1 + 3 c + c^2."""
    assert spectrum(*WISHART, "p=1", "n=2", "--moments", "3")[1].split() == ["1", "3/2", "11/4"]
    data = json.loads(spectrum(*WIGNER, "--polynomial", "--json")[1])
    assert (data["polynomial"], data["unknown"], data["spectral"]) == ("m**2 + m*z + 1", "m", "z")
    code, out, _ = spectrum(*WISHART, "--polynomial")
    assert code == 0 and "p" in out and "n" in out


def test_outliers(spectrum):
    """theta + 1/theta = 5/2, overlap 1 - 1/theta^2 = 3/4."""
    data = json.loads(spectrum(*SPIKED, "--outliers", "--json")[1])
    (found,) = data["outliers"]
    assert float(found["position"]) == 2.5 and float(found["overlaps"]["u"]) == 0.75
    assert spectrum(*WIGNER, "--outliers")[1] == "no outliers\n"


def test_plot(spectrum, tmp_path):
    file = tmp_path / "w.png"
    code, out, err = spectrum(*WIGNER, "--plot", str(file), "--size", "60", "--draws", "2")
    assert (code, out, err) == (0, f"{file}\n", "") and file.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["X*Y", "--gaussian", "X Y: n"], "singular values"),
        (["X", "--gaussian", "X: p x n", "p=1", "n=1"], "only a square matrix"),
        (["X*X.T", "--gaussian", "X: p x n", "p=1", "n=1"], "divide it by n"),
        ([*WISHART, "p=1"], "missing n: give n=VALUE"),
        ([*WISHART, "p=1", "n=1", "q=1"], "unknown parameter q"),
        ([*WISHART, "p=0", "n=1"], "must be positive"),
        ([*WIGNER, "--density", "1:2"], "write a:b:n"),
        ([*WIGNER, "--density", "2:1:5"], "a < b"),
        ([*WIGNER, "--density", "1:2:x"], "--density = 'x': not a number"),
        ([*WIGNER, "--density", "1:2:1000000"], "2 to 100000"),
        ([*WIGNER, "--moments", "0"], "from 1 to 200"),
        ([*WIGNER, "--moments", "many"], "not a number"),
        ([*WIGNER, "--edges", "--moments", "2"], "--edges and --moments exclude each other"),
        ([*WIGNER, "--plot", "w.gif"], "written as .png"),
        ([*WIGNER, "--plot", "/nowhere/w.png"], "does not exist"),
        ([*WIGNER, "--digits", "0"], "from 1 to 1000"),
        (["W +", *WIGNER[1:]], "expression"),
        (["V", *WIGNER[1:]], "V is a scalar"),
    ],
)
def test_mistakes_are_one_line(spectrum, words, said):
    code, out, err = spectrum(*words)
    assert (code, out) == (2, "") and said in err
    assert err.startswith("gradstep: ") and err.count("\n") == 1
