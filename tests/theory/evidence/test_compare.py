"""A reader's formula against the register."""

import pytest

from pencils.errors import ParseError
from theory.entries import statement
from theory.evidence.compare import compare

SPIKE = statement("ba2022.theorem-3")


def ask(claim, formula, owner=SPIKE):
    return compare(owner, owner.claim(claim), formula)


@pytest.mark.parametrize(
    ("claim", "formula"),
    [
        ("singular_value", "sqrt((1+theta1**2)*(psi2+theta1**2))/theta1"),
        ("singular_value", "sqrt(1 + psi2 + theta1**2 + psi2/theta1**2)"),
        (
            "singular_value",
            "Piecewise((sqrt((1+theta1**2)*(psi2/theta1**2+1)), theta1**4 > psi2), (1+sqrt(psi2), True))",
        ),
        ("theta1", "mu1*eta*sqrt(mu1_star**2 + (mu1_star**2 + mu2_star**2 + sigma_eps**2)/psi1)"),
        ("theta1", "eta*mu1*sqrt(mubar**2/psi1 + mu1_star**2)"),
        ("theta2", "mu1*mu1_star*eta"),
        ("outlier", "theta1**4 > psi2"),
        ("overlap", "theta2**2*(theta1**4 - psi2)/(theta1**4*(1 + theta1**2))"),
    ],
)
def test_identical(claim, formula):
    result = ask(claim, formula)
    assert result.verdict == "identical", result.sentence()
    assert result.how and "random" not in result.how


@pytest.mark.parametrize(
    ("claim", "formula"),
    [
        ("singular_value", "sqrt((1+theta1**2)*(psi2+theta1**2))"),
        ("singular_value", "sqrt((1+theta1**2)*(psi2+theta1**2))/theta1 + 1/10**30"),
        ("theta1", "eta*mu1*sqrt((mu1_star**2 + mu2_star**2)/psi1 + mu1_star**2)"),
        ("outlier", "theta1 > psi2"),
        ("outlier", "theta1 > 1"),
        (
            "singular_value",
            "Piecewise((sqrt((1+theta1**2)*(psi2+theta1**2))/theta1, theta1 > 1), (1+sqrt(psi2), True))",
        ),
        ("overlap", "theta2**2/theta1**2"),
    ],
)
def test_different_with_a_witness(claim, formula):
    result = ask(claim, formula)
    assert result.verdict == "different" and result.witness and result.values[0] != result.values[1]


def test_the_printed_form_is_recognised_as_printed():
    result = ask("theta1", "eta*mu1*sqrt((mu1_star**2 + mu2_star**2)/psi1 + mu1_star**2)")
    assert result.printed == "identical to" and "identical to the printed form" in result.sentence()
    assert ask("theta1", "eta").printed == "different from"


def test_the_branch_is_named():
    below = ask("singular_value", "1 + sqrt(psi2)")
    assert below.where == "theta1 <= psi2**(1/4)" and below.verdict == "identical on a branch" and not below
    assert ask("singular_value", "sqrt((1+theta1**2)*(psi2+theta1**2))/theta1").where == "theta1 > psi2**(1/4)"


def test_words_outside_the_grammar():
    with pytest.raises(ParseError, match="'open'"):
        ask("theta1", "open('x')")
