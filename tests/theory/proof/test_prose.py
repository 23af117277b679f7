"""Prose with mathematics, for TeX."""

import pytest

from theory.proof.prose import breakable, escape, prose


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
