"""Words and LaTeX of what the unknowns of a law are."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

import sympy as sp

from pencils.dyson.equation import Pair
from pencils.language.tree import Atom, Identity, Inverse, Node, Product, Sum, text, walk
from pencils.linear.bilinear import Form
from pencils.linear.linearize import Pencil


def aligned(rows: Sequence[str]) -> str:
    return "\\begin{aligned}\n" + " \\\\\n".join(rows) + "\n\\end{aligned}"


def unknown_in_words(pencil: Pencil, pair: Pair, node: Node | None, form: Form | None) -> str:
    """The normalised trace, or bilinear form, of the expression; of a block of the pencil's inverse where there is none."""
    state, equation, is_form = pair
    what = f"block ({state + 1}, {equation + 1}) of L^-1" if node is None else text(node)
    if is_form:
        assert form is not None
        inner = what if isinstance(node, (Atom, Identity, Inverse, Product)) else f"({what})"
        words = f"E {form.left or 'a'}.T*{inner}*{form.right or 'a'}"
        if form.left is None:
            words += ", a of length 1 in every eigenspace"
    else:
        words = f"normalised trace (1/{_factor(pencil.states[state])}) E Tr of {what}"
    if node is None:
        return f"{words}, where L is the pencil of {pencil.size} blocks"
    used = {part.symbol for part in walk(node) if isinstance(part, Atom)}
    for matrix, (left, right) in form.turns.items() if form is not None else ():
        if matrix in used:
            words += f", {matrix} with the inner products of {left} and {right} in the eigenspaces as eigenvalues"
    return words


def unknown_in_latex(pencil: Pencil, pair: Pair, node: Node | None, form: Form | None) -> str:
    state, equation, is_form = pair
    block = rf"\left[L^{{-1}}\right]_{{{state + 1},{equation + 1}}}" if node is None else latex(node)
    inner = rf"\left({block}\right)" if isinstance(node, Sum) else block
    if is_form:
        assert form is not None
        left, right = ("a", "a") if form.left is None else (sp.latex(form.left), sp.latex(form.right))
        return rf"\mathbb{{E}} {left}^{{T}} {inner} {right}"
    return rf"\tfrac{{1}}{{{sp.latex(pencil.states[state])}}} \mathbb{{E}} \operatorname{{Tr}} {inner}"


def turns_in_latex(form: Form | None) -> list[str]:
    """The matrices D of a sum of bilinear forms: P_k projects on the k-th eigenspace, where a has length 1."""
    turns = form.turns.items() if form is not None else ()
    return [
        rf"{sp.latex(matrix)} &:= \sum_{{k}} \langle P_{{k}} {sp.latex(left)}, P_{{k}} {sp.latex(right)} \rangle P_{{k}}"
        for matrix, (left, right) in turns
    ]


def _factor(space: sp.Expr) -> str:
    return str(space) if space.is_Atom else f"({space})"


def latex(node: Node) -> str:
    """The tree as LaTeX; the identity bears its dimension."""
    if isinstance(node, Atom):
        return sp.latex(node.symbol) + ("^{T}" if node.transposed else "")
    if isinstance(node, Identity):
        return f"I_{{{sp.latex(node.rows)}}}"
    if isinstance(node, Inverse):
        inner = latex(node.arg)
        plain = isinstance(node.arg, Atom) and not node.arg.transposed
        return f"{inner}^{{-1}}" if plain else rf"\left({inner}\right)^{{-1}}"
    if isinstance(node, Product):
        return " ".join(_power(factor, len(list(run))) for factor, run in groupby(node.factors))
    assert isinstance(node, Sum)
    return " + ".join(_term(*term) for term in node.terms).replace("+ -", "- ") or "0"


def _power(node: Node, times: int) -> str:
    """Parentheses around what bears an exponent already, and around sums."""
    plain = isinstance(node, Atom) and not node.transposed
    bare = plain or (times == 1 and not isinstance(node, Sum))
    base = latex(node) if bare else rf"\left({latex(node)}\right)"
    return base if times == 1 else f"{base}^{{{times}}}"


def _term(coefficient: sp.Expr, node: Node) -> str:
    sign, size = ("-", -coefficient) if coefficient.could_extract_minus_sign() else ("", coefficient)
    front = "" if size == 1 else rf"\left({sp.latex(size)}\right) " if size.is_Add else f"{sp.latex(size)} "
    return f"{sign}{front}{latex(node)}"
