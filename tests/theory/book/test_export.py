"""The book: LaTeX that a TeX engine accepts, Markdown, the papers' symbols, prose with mathematics."""

import re
import shutil
import subprocess

import pytest

from pencils.errors import InputError
from theory import entries, statement
from theory.book.export import book, write
from theory.book.verdicts import verdict_table, witness_lines
from theory.evidence.verify import Row, verify
from theory.pictures.files import BOOKS, writable
from theory.proof.prose import breakable, escape, prose
from theory.register.latex import statement_latex

ROW = Row(
    "ba2022.theorem-3",
    "theta1",
    "proved (6 steps)",
    30,
    6,
    "differs",
    "not run",
    "differs, as reported",
    "differs, as reported",
    {"model": {"psi1": "2"}, "printed": "1.5", "derived": "2.5"},
)


QUICK = ("ba2022.theorem-3", "ba2022.proposition-2", "ba2022.tau-star", "ba2022.theorem-7-signs", "hermite", "marchenko-pastur.law")


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no TeX engine is installed")
@pytest.mark.parametrize("keys", [QUICK, pytest.param(tuple(entries()), marks=pytest.mark.simulation)], ids=["some", "all"])
def test_the_book_compiles(tmp_path, keys):
    chosen = [entries()[key] for key in keys]
    path = write(tmp_path / "book.tex", chosen, [ROW])
    done = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", path.name],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:]
    assert (tmp_path / "book.pdf").stat().st_size > 20_000
    assert "undefined" not in done.stdout.lower()


def test_symbols_are_those_of_the_papers():
    text = statement_latex(statement("ba2022.theorem-3"))
    for symbol in (r"\theta_1", r"\psi_1", r"\bar\mu", r"\mu_1^{*}", r"\sigma_\varepsilon", r"\sqrt[4]{\psi_2}"):
        assert symbol in text
    formulas = re.findall(r"\\\[.*?\\\]", text)
    assert formulas and not any(re.search(r"theta1|psi2|mu1_star|sigma_eps|mubar", formula) for formula in formulas)
    assert "printed" in text and "derived" in text and "reported" in text


def test_a_derivation_is_told_once():
    spike, again = statement("ba2022.theorem-3"), statement("wang2024.proposition-36")
    text = book([spike, again], [])
    assert text.count("Sylvester") == book([spike], []).count("Sylvester")
    assert "as for" in text


def test_markdown(tmp_path):
    path = write(tmp_path / "book.md", [statement("ba2022.theorem-3-bulk")], [ROW])
    text = path.read_text()
    assert text.startswith("# gradstep") and "| ba2022.theorem-3 | theta1 |" in text and "$$" in text
    assert "printed 1.5, derived 2.5" in text


def test_verdict_table_and_witnesses():
    table = verdict_table([ROW])
    assert "longtable" in table and "differs, as reported" in table and r"\_" not in table.replace(r"\_\allow", "")
    assert witness_lines([ROW]) == ["ba2022.theorem-3.theta1 at psi1=2: printed 1.5, derived 2.5"]
    assert witness_lines(verify([entries()["marchenko-pastur.law"]], 15)) == []


@pytest.mark.parametrize("path", ["book.doc", "book", "/nowhere/book.tex"])
def test_bad_targets(path):
    with pytest.raises(InputError, match=r"\.tex or \.md|does not exist"):
        writable(path, BOOKS, "the book")


@pytest.mark.parametrize(
    ("text", "latex"),
    [
        ("theta1 > psi2^(1/4)", r"$\theta_{1}$ $>$ $\psi_{2}^{1/4}$"),
        ("mu1*^2 + sigma_eps^2", r"${\mu_{1}^{*}}^{2}$ + $\sigma_{\varepsilon}^{2}$"),
        ("<u1, beta>^2", r"$\langle u_{1}$, $\beta \rangle^{2}$"),
        ("|y|_inf <= 1", r"$|$y$|_{\infty}$ $\le$ 1"),
        ("W0^T W0 -> m~", r"$W_{0}^{T}$ $W_{0}$ $\to$ $\tilde m$"),
        ("it's Stein's 100% & a_b", r"it's Stein's 100\% \& $a_{b}$"),
        ("1/sqrt n", r"1/$\sqrt{n}$"),
    ],
)
def test_prose(text, latex):
    assert prose(text) == latex


def test_escape_leaves_nothing_for_tex_to_read():
    assert escape(r"\input{x}_^&%#$~") == r"\textbackslash{}input\{x\}\_\^{}\&\%\#\$\~{}"
    assert breakable("a_b.c-d") == r"a\_\allowbreak{}b.\allowbreak{}c-\allowbreak{}d"


def test_notebook_displays():
    found = statement("ba2022.theorem-3")
    for text in (found._repr_latex_(), next(iter(found.derive().values()))._repr_latex_()):
        assert "$$\\begin{aligned}" in text and text.endswith("\\end{aligned}$$")
    assert "ba2022.theorem-3" in found._repr_latex_() and "reported" in found._repr_latex_()
