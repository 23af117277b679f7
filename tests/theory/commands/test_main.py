"""The command line as a person types it: mistakes, exit statuses, and answers that cost no SymPy."""

import os
import subprocess
import sys

import pytest

from theory.commands.main import main


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


LIGHT = (
    "--help",
    "list",
    "list --json",
    *(f"{name} --help" for name in sorted(main.commands)),
    "nonsense",
    "show nothing",
    "eval ba2022.theorem-3 psi1=0",
    "eval ba2022.theorem-3 psi1",
    "eval hermite activation=open",
    "compare ba2022.theorem-3.nothing theta1",
    "compare ba2022.theorem-3.singular_value theta3",
    "derive nothing",
    "verify nothing",
    "verify --digits x",
    "simulate ba2022.theorem-3 d",
    "plot nothing -o a.png",
    "plot ba2022.theorem-3 -o a.gif",
    "export -o book.doc",
    "trace X n",
    "trace tr(inv(X",
    "trace X --digits 0",
    "spectrum W --density 1:2",
    "spectrum W --plot a.gif",
)


@pytest.mark.parametrize("words", LIGHT)
def test_light_answers_import_nothing_heavy(words):
    """Help, lists and mistakes import no SymPy, NumPy or mpmath and take less than half a second of a processor.

    What is measured is the user time of the child process: a busy machine does not change it much.
    """
    code = (
        "import sys; from theory.commands.main import run\nsys.argv = ['gradstep', *sys.argv[1:]]\n"
        "try: run()\nexcept SystemExit: pass\n"
        "heavy = {'sympy', 'numpy', 'mpmath', 'flint', 'matplotlib', 'scipy', 'rich', 'joblib'} & set(sys.modules)\n"
        "sys.exit(', '.join(heavy) or 0)"
    )
    before = os.times().children_user
    done = subprocess.run([sys.executable, "-c", code, *words.split()], capture_output=True, text=True, check=False)
    used = os.times().children_user - before
    assert done.returncode == 0, done.stderr
    assert used < 0.5, f"{used:.2f} s"


def test_every_command_is_known():
    names = ["compare", "derive", "eval", "export", "list", "plot", "show", "simulate", "spectrum", "trace", "verify"]
    assert sorted(main.commands) == names
