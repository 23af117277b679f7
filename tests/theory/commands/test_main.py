"""The command line as a person types it: the issue's examples, mistakes, exit statuses, start-up time."""

import io
import json
import subprocess
import sys
import time
from contextlib import redirect_stderr, redirect_stdout

import mpmath
import pytest

from theory.commands import main as cli

SPIKE = ["psi1=4", "psi2=2", "eta=5/2", "activation=tanh", "teacher=relu", "sigma_eps=2"]


@pytest.fixture
def gradstep(monkeypatch):
    """The command, run in this process: words -> (exit status, standard output, standard error)."""

    def run(*words):
        out, err = io.StringIO(), io.StringIO()
        monkeypatch.setattr(sys, "argv", ["gradstep", *words])
        with redirect_stdout(out), redirect_stderr(err), pytest.raises(SystemExit) as stop:
            cli.run()
        return stop.value.code or 0, out.getvalue(), err.getvalue()

    return run


def test_eval_of_the_spike_theorem(gradstep):
    code, out, _ = gradstep("eval", "ba2022.theorem-3", *SPIKE, "--digits", "40", "--json")
    data = json.loads(out)
    keys = {"theta1", "theta2", "singular_value", "overlap", "outlier"}
    assert code == 0 and set(data["printed"]) == set(data["derived"]) == keys
    assert {"key", "parameters", "provenance", "hypotheses", "digits", "version"} <= set(data)
    assert data["digits"] == 40 and data["provenance"] == "reported"
    assert data["parameters"]["eta"] == "5/2" and all(value is True for value in data["hypotheses"].values())
    # by hand: mu1 = E tanh'(z) by the trapezoid rule; relu: mu1* = 1/2, E f*^2 - mean^2 = 1/2 - 1/(2 pi)
    with mpmath.workdps(60):
        h = mpmath.mpf(1) / 40
        mu1 = h * mpmath.fsum(mpmath.sech(k * h) ** 2 * mpmath.npdf(k * h) for k in range(-800, 801))
        energy = mpmath.mpf(1) / 2 - 1 / (2 * mpmath.pi)
        for column, noise in (("printed", 0), ("derived", 4)):
            theta1 = mu1 * mpmath.mpf(5) / 2 * mpmath.sqrt((energy + noise) / 4 + mpmath.mpf(1) / 4)
            theta2 = mu1 * mpmath.mpf(5) / 4
            assert mpmath.almosteq(mpmath.mpf(data[column]["theta1"]), theta1, 1e-39)
            assert mpmath.almosteq(mpmath.mpf(data[column]["theta2"]), theta2, 1e-39)
            assert data[column]["outlier"] is bool(theta1**4 > 2)
            if theta1**4 > 2:  # statements.md, Theorem 3
                s1 = mpmath.sqrt((1 + theta1**2) * (2 + theta1**2)) / theta1
                overlap = theta2**2 / theta1**2 * (1 - (2 + theta1**2) / (theta1**2 * (theta1**2 + 1)))
            else:
                s1, overlap = 1 + mpmath.sqrt(2), 0
            assert mpmath.almosteq(mpmath.mpf(data[column]["singular_value"]), s1, 1e-39)
            assert abs(mpmath.mpf(data[column]["overlap"]) - overlap) < mpmath.mpf(10) ** -39
    assert any("teacher relu(x) centred: subtracted 0.3989422804" in note for note in data["notes"])
    assert any("tanh(x) centred: its mean is exactly 0" in note for note in data["notes"])


def test_eval_hermite(gradstep):
    code, out, _ = gradstep("eval", "hermite", "activation=softplus", "order=6", "--digits", "50", "--json")
    data = json.loads(out)
    assert code == 0 and len(data["coefficients"]) == 7 and isinstance(data["energy"], str)
    assert float(data["coefficients"][0]) == pytest.approx(0.80605918, abs=1e-7)  # uncentred: E softplus(z), quad
    # softplus(x) - x/2 is even, so that c_3 = c_5 = 0 exactly
    assert data["coefficients"][3] == data["coefficients"][5] == "0"
    shown = [text.lstrip("-0.").replace(".", "").partition("e")[0] for text in data["coefficients"] if text != "0"]
    assert [len(digits) for digits in shown] == [50] * 5


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("eval ba2022.theorem-3 psi1=0 psi2=2", "psi1 must be greater than 0"),
        ("eval ba2022.theorem-3 psi1=-1/2", "psi1 must be greater than 0"),
        ("eval ba2022.theorem-3 psi1=4 psi2=2 eta=nan", "eta = 'nan': not a number"),
        ("eval ba2022.theorem-3 psi1=4 psi2=2", "missing eta, sigma_eps, activation (or mu1), teacher"),
        ("eval ba2022.theorem-3 phi=1", "unknown parameter 'phi'"),
        ("eval ba2022.theorem-3 psi=1", "did you mean psi"),
        ("eval ba2022.theorem-4", "did you mean ba2022.theorem-"),
        ("eval ba2022.theorem-3 psi1", "name=value"),
        ("eval ba2022.theorem-3 psi1=1 psi1=2", "given twice"),
        ("eval ba2022.theorem-3 mu1=1 activation=tanh psi1=1", "both given"),
        ("eval hermite activation=tanh --digits 0", "from 1 to 1000"),
        ("eval hermite activation=tanh --digits 1001", "from 1 to 1000"),
        ("eval hermite activation=tanh order=-1", "whole number"),
        ("eval hermite activation=tanh order=1000", "whole number from 0 to 200"),
        ("eval hermite activation=__import__('os')", "'__import__'"),
        ("eval hermite activation=exp(x**2)", "second moment"),
        ("eval hermite", "missing activation"),
        ("eval ba2022.proposition-2 psi1=1e9999999", "power of ten"),
        ("compare ba2022.theorem-3.singular_value theta3", "'theta3'"),
        ("compare ba2022.theorem-3 theta1", "name a claim too"),
        ("compare ba2022.theorem-3.nothing theta1", "no claim 'nothing'"),
        ("compare ba2022.proposition-2.hadamard theta1", "only claims with a value"),
        ("derive hermite", "quantity"),
        ("simulate marchenko-pastur.law", "no experiment"),
        ("simulate ba2022.theorem-3 d=3", "whole number from 60"),
        ("simulate ba2022.theorem-3 draws=1", "draws = 1"),
        ("simulate ba2022.theorem-3 mu1=1", "not their Hermite data"),
        ("plot ba2022.theorem-3 -o /nowhere/at/all.png", "does not exist"),
        ("plot ba2022.theorem-3 -o a.gif", ".png or .pdf or .svg"),
        ("plot ba2022.theorem-3 eta=1:2 psi1=1:2 -o a.png", "one parameter may be a range"),
        ("plot ba2022.theorem-3 eta=2:1 -o a.png", "empty"),
        ("export -o book.doc", ".tex or .md"),
        ("verify --digits x", "from 1 to 1000"),
        ("verify nothing", "unknown entry 'nothing'"),
        ("nonsense", "nonsense"),
        ("eval", "KEY"),
    ],
)
def test_mistakes_are_one_line_and_exit_status_2(gradstep, words, said):
    code, out, err = gradstep(*words.split(" "))
    assert code == 2 and out == "" and said in err, err
    assert err.count("\n") == 1 and "Traceback" not in err


def test_compare(gradstep):
    code, out, _ = gradstep("compare", "ba2022.theorem-3.singular_value", "sqrt((1+theta1**2)*(psi2+theta1**2))/theta1")
    assert code == 0 and out.startswith("identical") and "theta1 > psi2**(1/4)" in out
    code, out, _ = gradstep("compare", "ba2022.theorem-3.singular_value", "sqrt(1+theta1**2)", "--json")
    data = json.loads(out)
    assert code == 1 and data["verdict"] == "different" and data["witness"] and len(data["values"]) == 2


def test_derive_noise_term(gradstep):
    code, out, _ = gradstep("derive", "ba2022.noise-term")
    assert code == 0 and "sigma_eps**2" in out and "checked:" in out and "proved" in out
    code, out, _ = gradstep("derive", "ba2022.noise-term", "--latex")
    assert code == 0 and r"\sigma_\varepsilon" in out


def test_list_show_and_json(gradstep):
    code, out, _ = gradstep("list")
    assert code == 0 and "ba2022.theorem-3" in out
    code, out, _ = gradstep("list", "--json")
    assert {"key", "title", "source", "provenance"} <= set(json.loads(out)[0])
    code, out, _ = gradstep("show", "ba2022.theorem-3")
    assert code == 0 and "printed: " in out and "hypothesis" in out
    assert json.loads(gradstep("show", "ba2022.theorem-3", "--json")[1])["key"] == "ba2022.theorem-3"


def test_verify_one_entry_as_json(gradstep):
    code, out, _ = gradstep("verify", "marchenko-pastur.law", "--json")
    rows = json.loads(out)
    assert code == 0 and [row["claim"] for row in rows] == ["companion", "second_moment", "edge"]
    assert all(row["as_expected"] for row in rows)


@pytest.mark.parametrize("words", ["--help", "list", "eval ba2022.theorem-3 psi1=0", "eval hermite activation=open"])
def test_light_answers_import_nothing_heavy(words):
    """Start-up is kept short by not importing SymPy, NumPy or mpmath; wall-clock time is measured in tests/bench."""
    code = (
        "import sys; from theory.commands import main as cli\nsys.argv = ['gradstep', *sys.argv[1:]]\n"
        "try: cli.run()\nexcept SystemExit: pass\n"
        "heavy = {'sympy', 'numpy', 'mpmath', 'flint', 'matplotlib', 'scipy', 'rich'} & set(sys.modules)\n"
        "sys.exit(', '.join(heavy) or 0)"
    )
    start = time.perf_counter()
    done = subprocess.run([sys.executable, "-c", code, *words.split()], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert time.perf_counter() - start < 5


def test_plot_and_export_write_files(gradstep, tmp_path):
    picture, book = tmp_path / "p.png", tmp_path / "b.md"
    assert gradstep("plot", "ba2022.theorem-3", "eta=0:4:9", "-o", str(picture))[0] == 0
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert gradstep("export", "ba2022.theorem-3-bulk", "-o", str(book))[0] == 0
    assert r"second\_singular\_value" in book.read_text()
