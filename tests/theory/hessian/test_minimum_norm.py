"""z_T of least norm (statements.md, section 4)."""

import math
from fractions import Fraction

import pytest

from theory.entries import statement
from theory.hessian import minimum_norm
from theory.proof.symbols import read_form, symbol
from theory.register.model import Model


def test_the_reading_printed_of_corollary_22_by_the_moment_matrix():
    """E z_T (g.x)^4 at k = 2 as registered and by exact solution, at kappa = 3/2 and <u, x> = 2/5."""
    model = Model({"kappa_H": Fraction(3, 2), "overlap": Fraction(2, 5)})
    solved = minimum_norm.MinimumNorm.solve(2, (1 / model.values["kappa_H"],), 6, {(2,): Fraction(1)})
    fourth = float(solved.against((model.values["overlap"],), 4)) / (2 * math.pi)
    printed = read_form(statement("damian2022.misprint-corollary-22").claim("corollary_22").printed)
    value = printed.subs({symbol("kappa_H"): 1.5, symbol("overlap"): 0.4})
    assert fourth == pytest.approx(float(value), rel=1e-13)
    assert float(minimum_norm.second_power(model, 15)) == pytest.approx(0.16)
