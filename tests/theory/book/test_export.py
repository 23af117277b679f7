"""The book: LaTeX that a TeX engine accepts, Markdown, each derivation once."""

import shutil
import subprocess

import pytest
from verdict_rows import ROW

from theory.book.export import book, write
from theory.entries import entries, statement

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


@pytest.mark.slow
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
