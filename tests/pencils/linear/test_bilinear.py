"""Sums of bilinear forms: against their parts, closed forms and sampling."""

import pytest
import sympy as sp

from pencils import Deterministic, Gaussian, Vector, expected_trace

n, d, lam = sp.symbols("n d lambda", positive=True)
a, b = sp.symbols("a b")
X, S = sp.MatrixSymbol("X", n, d), sp.MatrixSymbol("S", d, d)
u, v, w = sp.MatrixSymbol("u", d, 1), sp.MatrixSymbol("v", d, 1), sp.MatrixSymbol("w", n, 1)
HALF = sp.Rational(1, 2)
PLAIN = (X.T * X / n + lam * sp.Identity(d)).inverse()
R = (S * X.T * X * S / n + lam * sp.Identity(d)).inverse()
Q = (X * X.T / n + lam * sp.Identity(n)).inverse()
COLOURED = {
    X: Gaussian(),
    S: Deterministic(law=[(1, HALF), (2, HALF)]),
    w: Vector(norm=3),
    u: Vector(components=[1, 2], overlaps={v: [HALF, -1]}),
    v: Vector(components=[1, 1]),
}
WHITE = {X: Gaussian(), u: Vector(norm=2, overlaps={v: HALF}), v: Vector(), w: Vector(norm=3)}
AT = {n: 2, d: 1, lam: "1/3"}


def law_of(expr, ensembles):
    return expected_trace(expr, {m: ensembles[m] for m in expr.atoms(sp.MatrixSymbol)})


def value(expr, ensembles, **more):
    law = law_of(expr, ensembles)
    return law.evaluate({s: x for s, x in {**AT, **more}.items() if s in law.parameters}, 30)


def test_white_noise_against_the_quadratic():
    """E u^T f(M) v = <u, v> tr f(M); m(lam) = tr (M + lam)^{-1} solves c lam m^2 + (1 - c + lam) m - 1 = 0 (P2), and
    tr (M + lam)^{-2} = -m'."""
    c, t = HALF, sp.Symbol("t")
    m = (-(1 - c + t) + sp.sqrt((1 - c + t) ** 2 + 4 * c * t)) / (2 * c * t)
    expected = (HALF * m + 3 * 4 * -sp.diff(m, t)).subs(t, sp.Rational(1, 3))
    law = law_of(u.T * PLAIN * v + 3 * u.T * PLAIN**2 * u, WHITE)
    assert abs(law.evaluate(AT, 40) - expected.evalf(50)) < sp.Float("1e-38", 50)
    assert len(law.equations) == 1 and law.pencil.size <= 5  # the resolvent is shared


@pytest.mark.parametrize(
    ("terms", "ensembles"),
    [
        ([(1, u, R, v), (2, u, R * S * R, u)], COLOURED),
        ([(2, u, R, v), (-1, v, R, u), (3, v, S * R, v)], COLOURED),
        ([(1, u, PLAIN, v), (1, v, PLAIN, v), (-2, w, Q, w)], WHITE),
        ([(1, u, R, v), (1, w, Q, w)], COLOURED),
        ([(1, u, R, v), (5, w, X * R, u)], COLOURED),  # between two spaces nothing is left in the limit
        ([(1, v, R, u), (-1, u, R, v)], COLOURED),
    ],
    ids=["two directions", "three ends", "two spaces", "two spaces and a law", "across spaces", "cancelling"],
)
def test_sums_are_the_sums_of_their_parts(terms, ensembles):
    """The parts have pencils of their own."""
    scale = {True: sp.sqrt(n), False: 1}
    parts = [c * left.T * (E / scale[left.rows != right.rows]) * right for c, left, E, right in terms]
    whole = value(sp.MatAdd(*parts), ensembles)
    assert abs(whole - sum(value(part, ensembles) for part in parts)) < sp.Float("1e-28", 30)


@pytest.mark.parametrize("ensembles", [COLOURED, WHITE], ids=["law", "white"])
def test_symbolic_coefficients_may_vanish(ensembles):
    A = R if ensembles is COLOURED else PLAIN
    first, second = u.T * A * v, u.T * A**2 * u
    law = law_of(a * first + (a - b) * second, ensembles)
    one, two = value(first, ensembles), value(second, ensembles)
    for x, y in [(0, 0), (1, 0), (1, 1), (0, -2), (HALF, "1/3")]:
        y = sp.Rational(y)
        assert abs(law.evaluate({**AT, a: x, b: y}) - (x * one + (x - y) * two)) < sp.Float("1e-28", 30)
    assert law.evaluate({**AT, a: 0, b: 0}) == 0
    assert abs(law.diff(a).evaluate({**AT, a: 0, b: 0}) - (one + two)) < sp.Float("1e-28", 30)


def test_against_sampling_and_printed():
    law = law_of(u.T * R * v + 2 * u.T * R * S * R * u + w.T * Q * w, COLOURED)
    checks = law.check(AT, sizes=(50, 100), draws=60, seed=1)
    assert all(check.z < 5 for check in checks)
    assert str(checks).splitlines()[0].split() == ["size", "dimensions", "mean", "standard", "error", "limit", "distance/s.e."]
    assert "d=50, n=100" in str(checks)
    assert r"\mathbb{E} a^{T}" in law.latex() and r"D &:= \sum_{k} \langle P_{k} u, P_{k} v \rangle P_{k}" in law.latex()
    assert any(said.startswith("E a.T*") and "D with the inner products of u and v" in said for said in law.unknowns.values())


def test_the_equations_hold_at_the_certified_solution():
    law = law_of(u.T * R * v + 2 * u.T * R * S * R * u, COLOURED)
    exact = law.system.exact(AT)
    balls, _ = law.system.evaluator.solved(exact, 30)
    known = dict(zip(law.system.evaluator.pairs, balls, strict=True))
    point = {s: sp.Float(known[pair].real.mid().str(40, radius=False), 40) for s, pair in law.reduced.pairs.items()}
    for equation in [*law.equations, *law.definitions]:
        left, right = (sp.sympify(side).subs(exact).evalf(40, subs=point) for side in equation.args)
        assert abs(left - right) < 1e-25
