"""The command ``gradstep trace`` as a person types it: values against closed forms, modes, mistakes."""

import json
import re
import shutil
import subprocess

import mpmath
import pytest
import sympy as sp

from pencils.language.parse import parse, to_sympy

RIDGE = ["tr(inv(X.T*X/n + lam*I))", "--gaussian", "X: n x d"]
AT = ["n=2", "d=1", "lam=1/10"]
COVARIANCE = ["tr(inv(X*X.T/n - z*I))", "--gaussian", "X: p x n", "p=1", "n=2"]


@pytest.fixture
def trace(gradstep):
    """The command: words -> (exit status, standard output, standard error)."""
    return lambda *words: gradstep("trace", *words)


def companion_root(c, z, digits):
    """m of the law of X X^T/n: c z m^2 + (z + c - 1) m + 1 = 0, the root in the upper half plane (statements sheet, P2)."""
    with mpmath.workdps(digits + 10):
        c, z = mpmath.mpf(c), mpmath.mpc(*z)
        root = mpmath.sqrt((z + c - 1) ** 2 - 4 * c * z)
        return max(((1 - z - c + s * root) / (2 * c * z) for s in (1, -1)), key=lambda m: mpmath.im(m))


def test_ridge_is_the_root_of_its_quadratic(trace):
    """m = tr (M + lam)^{-1} with c = 1/2 solves c lam m^2 + (1 - c + lam) m - 1 = 0 (P2 at z = -lam), one root positive."""
    with mpmath.workdps(60):
        c, lam = mpmath.mpf(1) / 2, mpmath.mpf(1) / 10
        m = (-(1 - c + lam) + mpmath.sqrt((1 - c + lam) ** 2 + 4 * c * lam)) / (2 * c * lam)
        expected = mpmath.nstr(m, 50)
    code, out, err = trace(*RIDGE, *AT, "--digits", "50")
    assert (code, out.strip(), err) == (0, expected, "")


@pytest.mark.parametrize(("z", "parts"), [("7/10+i/2", ("0.7", "0.5")), ("1", ("1", "0"))])
def test_a_complex_value_and_a_boundary_value(trace, z, parts):
    """At z = 1, inside the spectrum, z + i0 is meant."""
    code, out, _ = trace(*COVARIANCE, f"z={z}", "--json")
    data = json.loads(out)
    m = companion_root("0.5", parts, 30)
    with mpmath.workdps(40):
        assert code == 0 and abs(mpmath.mpc(*data["value"]) - m) < mpmath.mpf(10) ** -29
    text = trace(*COVARIANCE, f"z={z}")[1]
    assert text.strip() == f"{data['value'][0]} + {data['value'][1]}*i"


@pytest.mark.parametrize(
    ("words", "value"),
    [  # pencils-benchmarks: P1, P7, P12 (t1, t2), P15, E2; the first 25 digits and the imaginary part
        (
            ["inv(W - z*I)", "z=7/10+i/2", "n=1", "--wigner", "W: n, variance 1/n"],
            "-0.260135828383912522603390921206 + 0.723691721922419150551739012195*i",
        ),
        (
            ["inv(x*y + y*x - z*I)", "z=7/10+i/2", "n=1", "--wigner", "x y: n, variance 1/n, complex"],
            "-0.228760650374020287040535291834 + 0.602454304214378890006833369121*i",
        ),
        (
            [
                "inv((A + sigma*X)*(A + sigma*X).T - z*I)",
                "p=1",
                "n=2",
                "sigma=0.8",
                "z=7/10+i/2",
                "--gaussian",
                "X: p x n, variance 1/n",
                "--deterministic",
                "A: p x n, singular 1/2:1/2 3/2:1/2",
            ],
            "0.14325090455256815468847973833 + 0.791516347854227972170965019849*i",
        ),
        (
            [
                "inv(S*Z.T*Z*S + lam*I)",
                "d=2",
                "n=3",
                "lam=0.2",
                "--gaussian",
                "Z: n x d, variance 1/n",
                "--deterministic",
                "S: d, law sqrt(1/2):1/2 sqrt(2):1/2",
            ],
            "1.47265329005578097171350252121",
        ),
        (
            [
                "X.T*X*inv(F.T*F/n1 + lam*I)/n0",
                *(
                    P12 := [
                        "n0=3/2",
                        "m=1",
                        "n1=15/8",
                        "lam=0.1",
                        "zeta=1/4",
                        "eta=1/2-1/(2*pi)",
                        "--gaussian",
                        "W: n1 x n0, variance 1/n0",
                        "--gaussian",
                        "X: n0 x m",
                        "--gaussian",
                        "Theta: n1 x m",
                    ]
                ),
            ],
            "2.57980382150769067491501940499",
        ),
        (["inv(F.T*F/n1 + lam*I)", *P12], "3.59896303862117740808632966595"),
    ],
)
def test_benchmarks(trace, words, value):
    words = [word.replace("F", "(sqrt(zeta)*W*X + sqrt(eta - zeta)*Theta)") for word in words]
    code, out, err = trace(*words)
    assert code == 0, err
    with mpmath.workdps(40):
        got, wanted = (mpmath.mpmathify(text.replace(" ", "").replace("*i", "j")) for text in (out.strip(), value))
        assert abs(got - wanted) < mpmath.mpf(10) ** -28


def test_bilinear_form_with_a_declared_overlap(trace):
    """E u^T (M + lam)^{-1} v = <u, v> tr (M + lam)^{-1}, since X is rotation invariant."""
    vectors = ["--vector", "u: d, overlap v 1/2", "--vector", "v: d, norm 2"]
    form = float(trace("u.T*inv(X.T*X/n + lam*I)*v", *RIDGE[1:], *vectors, *AT)[1])
    assert form == pytest.approx(float(trace(*RIDGE, *AT)[1]) / 2, rel=1e-14)


def test_commuting_matrices(trace):
    """E tr T S X^T X/n = tr T S = (1*2 + 3*1/2)/2, by hand."""
    joint = ["--commuting", "S T: d, law 1:2:1/2 3:1/2:1/2"]
    code, out, _ = trace("T*S*X.T*X/n", *RIDGE[1:], "n=2", "d=1", *joint)
    assert code == 0 and float(out) == 7 / 4


def test_json(trace):
    data = json.loads(trace(*RIDGE, *AT, "--json")[1])
    assert {"expression", "value", "equations", "unknowns", "parameters", "digits", "version"} <= set(data)
    assert data["parameters"] == {"n": "2", "d": "1", "lam": "1/10"} and data["digits"] == 30
    assert isinstance(data["value"], str) and len(data["value"].replace(".", "")) == 30
    assert len(data["equations"]) == 1 and set(data["unknowns"]) >= {"g_1"}


def test_the_equations_hold_at_the_value(trace):
    """The printed equation, read back as text, is satisfied by the printed value."""
    data = json.loads(trace(*RIDGE, *AT, "--json")[1])
    assert data["formula"] == "g_1"
    left, right = data["equations"][0].split(" = ")
    value = sp.Float(data["value"], 30)
    point = {"n": sp.Integer(2), "d": sp.Integer(1), "lam": sp.Rational(1, 10), "g_1": value}
    assert left == "g_1" and abs(to_sympy(parse(right), point, {}) - value) < 1e-28


def test_equations_need_no_values_and_latex_is_spelled(trace):
    code, out, _ = trace(*RIDGE, "--equations")
    assert code == 0 and out.startswith("value = g_1\nequations:\n  g_1 = ") and "unknowns:" in out
    code, out, _ = trace(*RIDGE, "--latex")
    assert code == 0 and out.startswith(r"\begin{aligned}") and r"\lambda" in out and "lam " not in out
    code, out, _ = trace("inv(W - i*I)", "--wigner", "W: n, variance 1/n", "--equations", "--json")
    data = json.loads(out)
    # semicircle: m = -1/(m + z) at z = i, which is written i as in the input
    assert code == 0 and not {"value", "digits"} & set(data) and data["equations"] == ["g_1 = -1/(g_1 + i)"]


def test_a_sum_of_bilinear_forms(trace):
    """E (u^T R v + 2 u^T R u) = (1/2 + 2) tr R for unit vectors with overlap 1/2."""
    R = RIDGE[0].removeprefix("tr(").removesuffix(")")
    words = [f"u.T*{R}*v + 2*u.T*{R}*u", *RIDGE[1:], "--vector", "u: d, overlap v 1/2", "--vector", "v: d", *AT]
    assert float(trace(*words)[1]) == pytest.approx(2.5 * float(trace(*RIDGE, *AT)[1]), rel=1e-14)


def test_unknowns_are_expressions(trace):
    code, out, _ = trace(*RIDGE, "--equations")
    assert code == 0 and "  g_1: normalised trace (1/d) E Tr of inv(X.T*X/n + lam*I)\n" in out


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")
def test_latex_compiles(trace, tmp_path):
    R = "inv(S*X.T*X*S/n + lam*I)"
    words = [
        f"u.T*{R}*v + 2*u.T*{R}**2*u",
        "--gaussian",
        "X: n x d",
        "--deterministic",
        "S: d, law 1:1/2 2:1/2",
        "--vector",
        "u: d, components 1 2",
        "--vector",
        "v: d, components 1 1",
        "--latex",
    ]
    body = [trace(*given)[1] for given in (words, [*RIDGE, "--latex"])]
    source = r"\documentclass{article}\usepackage{amsmath,amssymb}\begin{document}" + "".join(
        rf"\begin{{equation}}{part}\end{{equation}}" for part in body
    )
    (tmp_path / "t.tex").write_text(source + r"\end{document}")
    done = subprocess.run(["pdflatex", "-halt-on-error", "t.tex"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-1000:]


def test_sample_beside_the_limit(trace):
    words = [*RIDGE, *AT, "--sample", "--size", "60", "--draws", "12", "--seed", "3"]
    data = json.loads(trace(*words, "--json")[1])
    assert data["dimensions"] == {"n": 120, "d": 60} and data["draws"] == 12
    # finite-size bias is of order 1/size, beside the statistical error
    assert abs(float(data["mean"]) - float(data["limit"])) < 5 * float(data["standard_error"]) + 2 / 60
    assert trace(*words)[1].splitlines()[0] == f"mean: {data['mean']}"
    assert json.loads(trace(*words[:-1], "4", "--json")[1])["mean"] != data["mean"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["X.T*Y.T", "--gaussian", "X: n x d"], "Y is a scalar"),
        (["X*Y*X.T/n", "--gaussian", "X: n x d", "n=2", "d=1"], "missing Y: give Y=VALUE"),
        ([*RIDGE, "n=2", "d=1"], "missing lam"),
        ([*RIDGE, *AT, "q=1"], "unknown parameter q; this expression has d, lam, n"),
        ([*RIDGE, "q=1", "--equations"], "unknown parameter q"),
        ([*RIDGE, *AT, "X=1"], "X is a matrix"),
        ([*RIDGE, *AT, "lam=2"], "lam is given twice"),
        ([*RIDGE, *AT, "lam"], "name=value"),
        ([*RIDGE, "n=2", "d=1", "lam=ten"], "lam = 'ten': not a number"),
        ([*RIDGE, "n=-2", "d=1", "lam=1"], "a dimension must be positive"),
        ([*RIDGE, "n=i", "d=1", "lam=1"], "a dimension must be positive"),
        ([*RIDGE, *AT, "--digits", "0"], "from 1 to 1000"),
        ([*RIDGE, *AT, "--digits", "ten"], "from 1 to 1000"),
        ([*RIDGE, *AT, "--sample", "--latex"], "exclude each other"),
        ([*RIDGE, *AT, "--sample", "--draws", "1"], "draws = 1"),
        ([*RIDGE, *AT, "--sample", "--size", "0"], "size = 0"),
        ([*RIDGE, *AT, "--size", "big"], "'big' is not a valid integer"),
        ([*RIDGE, *AT, "--wishart", "Y: d"], "--wishart"),
        ([*RIDGE, *AT, "--wigner", "Y: d"], "Y is declared but does not occur"),
        ([*RIDGE, *AT, "--gaussian", "Y: d, law 1:1"], "after the shape may come variance"),
        (["inv(X.T*X + lam*I)", *RIDGE[1:], *AT], "divide it by n"),
        (["X.T*X", *RIDGE[1:], *AT], "divide it by n"),
        (["X", *RIDGE[1:], *AT], "only a square matrix has a trace"),
        (["inv(X.T*X/n + lam)", *RIDGE[1:], *AT], "write lam*I"),
        (["inv(X.T*X/n + u*u.T)", *RIDGE[1:], "--vector", "u: d", *AT], "the vector u is inside"),
        (["(u.T*u)*X.T*X/n", *RIDGE[1:], "--vector", "u: d", *AT], "u.T*u is 1 x 1"),
        (["inv(S*X.T*X*S/n + T)", *RIDGE[1:], "--deterministic", "S T: d, law 1:1/2 2:1/2", "n=2", "d=1"], "S and T meet"),
        (["u.T*S*u", "--vector", "u: d", "--deterministic", "S: d, law 1:1/2 2:1/2", "d=1"], "one for each value"),
        (["u.T*v", "--vector", "u v: d", "--vector", "w: d", "d=1"], "w is declared but does not occur"),
        (["inv(X.T*X/n)", *RIDGE[1:], "n=1", "d=2"], "singular"),
        (["inv(X.T*X/n)", *RIDGE[1:], "n=1", "d=1"], "singular"),
        (["tr(inv(X", *RIDGE[1:]], "ends too early"),
        (["__import__('os').system('id')", *RIDGE[1:]], "not accepted"),
        (["(" * 3000, *RIDGE[1:]], "at most 2000"),
        ([], "EXPR"),
        (["inv(X^T*X/n + lam*I)", *RIDGE[1:], *AT], "a transpose is written .T"),
        (["inv(X.T*X/n + lam*I)", "--gaussian", "X: nxd", *AT], 'write "n x d"'),
        (["inv(X.T*X/n + lam*I)", "--gaussian", "X: n by d", *AT], "a shape is written as n x d"),
        ([*RIDGE, *AT, "--gausian", "Y: d"], "No such option"),
        ([*RIDGE, "n=nan", "d=1", "lam=1"], "n = 'nan': not a number"),
        ([*COVARIANCE, "z=1", "--sample", "--size", "20"], "take a point with an imaginary part"),
        # what to do is said in words of the command line
        (["inv(S*X.T*X*S/n + T)", *RIDGE[1:], "--deterministic", "S T: d, law 1:1", "n=2", "d=1"], '--commuting "S T: d'),
        (["u.T*S*u", "--vector", "u: d", "--deterministic", "S: d, law 1:1/2 2:1/2"], '--vector "u: d, components'),
        (["u.T*X.T*X*u/n", *RIDGE[1:], "--vector", "u: d, components 1 2"], "give its norm, as in --vector"),
        (["u.T*X.T*X*u/n", *RIDGE[1:], "--gaussian", "u: d x 1"], "declare it as a vector, as in --vector"),
        (["A.T*X/n", *RIDGE[1:], "--deterministic", "A: n x d, law 1:1"], "give singular values, as in --deterministic"),
        (["S*A", "--deterministic", "S: n, law 1:1", "--deterministic", "A: n, singular 1:1"], "arrays only Python takes"),
        (["u.T*A.T*A*u", "--vector", "u: d", "--deterministic", "A: n x d, singular 1:1"], "which only Python takes"),
        (["W.T", "--wigner", "W: n, complex"], "written without .T"),
        (["u.T*X.T*X*u/n + 3", *RIDGE[1:], "--vector", "u: d"], "add it to the value"),
    ],
)
def test_mistakes_are_one_line_and_exit_status_2(trace, words, said):
    code, out, err = trace(*words)
    assert code == 2 and out == "" and said in err, err
    assert err.count("\n") == 1 and "Traceback" not in err
    assert not {"commuting(", "Deterministic(", "Vector(", "adjoint(", "mapping"} & set(re.findall(r"\w+\(|mapping", err))
