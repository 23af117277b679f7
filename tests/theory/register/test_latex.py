"""Statements in LaTeX: the symbols of the papers, displays for notebooks."""

import re

from theory.entries import statement
from theory.handles import handle
from theory.proof.symbols import COMMON
from theory.register.latex import statement_latex


def test_symbols_are_those_of_the_papers():
    text = statement_latex(statement("ba2022.theorem-3"))
    for symbol in (r"\theta_1", r"\psi_1", r"\bar\mu", r"\mu_1^{*}", r"\sigma_\varepsilon", r"\sqrt[4]{\psi_2}"):
        assert symbol in text
    formulas = re.findall(r"\\\[.*?\\\]", text)
    assert formulas and not any(re.search(r"theta1|psi2|mu1_star|sigma_eps|mubar", formula) for formula in formulas)
    assert "printed" in text and "derived" in text and "reported" in text


def test_notebook_displays():
    found = statement("ba2022.theorem-3")
    for text in (handle(found)._repr_latex_(), next(iter(handle(found).derive().values()))._repr_latex_()):
        assert "$$\\begin{aligned}" in text and text.endswith("\\end{aligned}$$")
    assert "ba2022.theorem-3" in handle(found)._repr_latex_() and "reported" in handle(found)._repr_latex_()


def test_names_are_those_of_the_papers():
    assert COMMON.latex_name("psi1") == r"\psi_1" and COMMON.latex_name("no symbol") == "no symbol"
