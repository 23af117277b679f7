"""The transform of mu_H and the forms of H's resolvent against `pencils`, from the expression of H itself.

With X0 = g beta^T + X (X of the directions beside beta), Y = diag(y), c = d/n0^2 and K(z) = (c Y X X^T Y - z)^{-1}: Schur's
complement gives (beta, beta) = 1/(-z + (1/alpha0) lim g^T Y (-z) K Y g/n0), xi_f = lim f^T (-z) K g/n0, and the part of (v_f, v_f)
beside beta is lim f^T X (c X^T Y^2 X - z)^{-1} X^T f/n0^2. Source: section 5a of the sheet, its equation for 1/m and its forms.
"""

import numpy as np
import pytest
import sympy as sp

from pencils import Deterministic, Gaussian, Vector, expected_trace
from theory.large_step.label_law import LabelLaw, _forms, direction, stieltjes
from theory.quadrature.field import Field

ALPHA0, Z = 0.5, 0.3 + 0.7j
LABELS, WEIGHTS = (sp.Rational(1, 2), sp.Integer(1), sp.Integer(2)), (sp.Rational(1, 4), sp.Rational(1, 2), sp.Rational(1, 4))
SQUARES = (sp.Rational(1, 8), sp.Rational(1, 2), sp.Rational(3, 8))  # p E[g^2 | y], and p E[g | y] the root of p times it

n, d = sp.symbols("n d", positive=True)
z = sp.Symbol("z")
X, Y, f, g = (sp.MatrixSymbol(name, *shape) for name, shape in [("X", (n, d)), ("Y", (n, n)), ("f", (n, 1)), ("g", (n, 1))])
VALUES = {n: "1/2", d: 1, z: sp.Rational(3, 10) + sp.I * sp.Rational(7, 10)}
C = d / n**2


def limit(expr, **vectors):
    laws = {X: Gaussian(), Y: Deterministic(law=list(zip(LABELS, WEIGHTS, strict=True)))}
    laws |= {sp.MatrixSymbol(name, n, 1): vector for name, vector in vectors.items()}
    return complex(expected_trace(expr, {m: laws[m] for m in expr.atoms(sp.MatrixSymbol)}).evaluate(VALUES, 20))


@pytest.fixture(scope="module")
def law():
    y, p, pgg = (np.array([float(v) for v in values]) for values in (LABELS, WEIGHTS, SQUARES))
    return LabelLaw(y, p, np.sqrt(p * pgg), pgg)  # g a function of y: then (E g|y)^2 = E g^2|y


def test_the_law_of_h(law):
    found = stieltjes(Field(13), law, ALPHA0, np.array([Z]))[0]
    assert found == pytest.approx(limit((C * X.T * Y * Y * X - z * sp.Identity(d)).inverse()), rel=1e-12)


def test_the_forms_of_its_resolvent(law):
    field, points = Field(13), np.array([Z])
    where = direction(field, law, ALPHA0)
    forms = _forms(field, law, ALPHA0, where, points, stieltjes(field, law, ALPHA0, points))[0][0]
    overlap = [sp.sqrt(p * s) * y for p, s, y in zip(WEIGHTS, SQUARES, LABELS, strict=True)]  # f = y
    along = Vector(components=[sp.sqrt(s) for s in SQUARES], overlaps={f: overlap})
    label = Vector(components=[sp.sqrt(p) * y for p, y in zip(WEIGHTS, LABELS, strict=True)])
    kernel = (C * Y * X * X.T * Y - z * sp.Identity(n)).inverse()
    beta = 1 / (-Z - Z / ALPHA0 * limit(g.T * Y * kernel * Y * g, g=along))
    xi = -Z * limit(f.T * kernel * g, f=label, g=along)
    # E over n of f^T X (...) X^T f/n0^2, the vectors having norms of order one here and sqrt(n0) there
    beside = limit(f.T * X * (C * X.T * Y * Y * X - z * sp.Identity(d)).inverse() * X.T * f / n, f=label)
    (p, gamma), rest = (where.p, where.gamma), np.sqrt(1 - where.gamma**2)
    known_bb = gamma**2 * forms[0, 0] + 2 * gamma * rest * forms[0, 1] + rest**2 * forms[1, 1]
    assert known_bb == pytest.approx(beta, rel=1e-12)
    assert p * (gamma * forms[0, 0] + rest * forms[0, 1]) == pytest.approx(beta * xi, rel=1e-12)
    assert p**2 * forms[0, 0] == pytest.approx(beta * xi**2 + beside, rel=1e-12)
