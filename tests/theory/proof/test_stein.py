"""Stein, Wick and iid sums against brute force: every Gaussian variable written out, every monomial integrated."""

import itertools

import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

from pencils.errors import InputError
from theory.proof.stein import (
    Expect,
    GradientMoment,
    beta,
    contract,
    g,
    iid_sums,
    isserlis,
    noise,
    normal_form,
    stein,
    teacher,
    vector_moment,
    wick_trace,
    y,
)
from theory.proof.symbols import symbol

sigma_eps = symbol("sigma_eps")


def gaussian_mean(polynomial, variables, variances=None):
    """E of a polynomial in independent centred Gaussians from E z^2k = (2k-1)!!, term by term."""
    variances = variances or {}
    total = sp.Integer(0)
    for powers, coefficient in sp.Poly(polynomial, *variables).terms():
        factor = coefficient
        for variable, power in zip(variables, powers, strict=True):
            factor *= 0 if power % 2 else sp.factorial2(power - 1) * variances.get(variable, 1) ** (power // 2)
        total += factor
    return sp.expand(total)


def with_teacher(expr, polynomial):
    """The calculus' expectations evaluated for a concrete polynomial teacher."""

    def value(atom):
        integrand = atom.integrand.subs(teacher(g), polynomial).doit()
        return gaussian_mean(sp.expand(integrand), [g, noise], {noise: sigma_eps**2})

    return sp.expand(expr.replace(lambda e: isinstance(e, Expect), value))


@pytest.mark.parametrize("n, d", [(1, 1), (1, 2), (2, 1), (2, 2), (3, 2)])
@pytest.mark.parametrize("polynomial", [g, g**2 - 1, 2 * g**3 - g + sp.Rational(1, 2)])
def test_second_moment_of_the_gradient_by_brute_force(n, d, polynomial):
    """All n d inputs and n noises written out, beta = (3/5, 4/5, 0...): no formula of the calculus is used."""
    inputs = sp.Matrix(n, d, lambda i, a: sp.Symbol(f"x{i}{a}"))
    noises = sp.symbols(f"e0:{n}")
    direction = sp.Matrix([1]) if d == 1 else sp.Matrix([sp.Rational(3, 5), sp.Rational(4, 5)])
    labels = sp.Matrix([polynomial.subs(g, (inputs[i, :] * direction)[0]) + noises[i] for i in range(n)])
    gradient = inputs.T * labels / n
    brute = gaussian_mean(sp.expand(gradient.dot(gradient)), [*inputs, *noises], dict.fromkeys(noises, sigma_eps**2))
    assert sp.expand(with_teacher(GradientMoment(n, d).doit(), polynomial) - brute) == 0


def test_the_formula_of_the_sheet():
    """statements.md, Theorem 3: (1 - 1/n)|E y x|^2 + (1/n) E y^2 |x|^2, with |x|^2 = g^2 + (d - 1) others."""
    n, d = sp.symbols("n d", positive=True)
    sheet = (1 - 1 / n) * Expect(g * y) ** 2 + (Expect(y**2 * g**2) + (d - 1) * Expect(y**2)) / n
    by_definition = GradientMoment(n, d).doit()
    assert sp.expand(by_definition - sheet.replace(lambda e: isinstance(e, Expect), lambda e: e.doit())) == 0


@given(st.lists(st.integers(-3, 3), min_size=1, max_size=5), st.integers(0, 4))
def test_stein_normal_form_agrees_with_moments(coefficients, power):
    polynomial = sum(c * g**k for k, c in enumerate(coefficients))
    reduced = with_teacher(normal_form(g**power * teacher(g) ** 2), sp.sympify(polynomial))
    assert sp.expand(reduced - gaussian_mean(sp.expand(g**power * polynomial**2), [g])) == 0


def test_steins_lemma_as_an_equation():
    equation = stein(teacher(g))
    assert equation.lhs.doit() == equation.rhs.doit() == Expect(sp.diff(teacher(g), g))


def test_third_moment_of_the_noise_is_refused():
    with pytest.raises(InputError, match="power 3"):
        Expect(y**3).doit()


@pytest.mark.parametrize("order", [1, 2, 3, 4])
def test_vector_moment_by_brute_force(order):
    """E[x_a ... F(<x, beta>)] for d = 2 and every choice of indices, F = g^3."""
    letters = sp.symbols(f"i0:{order}", integer=True)
    inputs = sp.symbols("x0 x1")
    direction = (sp.Rational(3, 5), sp.Rational(4, 5))
    general = vector_moment(letters, teacher(g))
    for choice in itertools.product(range(2), repeat=order):
        brute = gaussian_mean(
            sp.expand(sp.Mul(*[inputs[k] for k in choice]) * sum(b * v for b, v in zip(direction, inputs, strict=True)) ** 3),
            inputs,
        )
        mine = with_teacher(general, g**3).subs(dict(zip(letters, choice, strict=True)), simultaneous=True)
        mine = mine.subs({beta[k]: direction[k] for k in range(2)})
        assert sp.simplify(mine - brute) == 0


def test_contract():
    a, b = sp.symbols("a b", integer=True)
    d = sp.Symbol("d", positive=True)
    assert contract(sp.KroneckerDelta(a, b) * beta[a] * beta[b], b, d) == beta[a] ** 2
    assert contract(beta[a] ** 2 + 3, a, d) == 1 + 3 * d
    with pytest.raises(InputError, match="not one of deltas"):
        contract(beta[a], a, d)


@given(st.integers(1, 4), st.integers(1, 3))
def test_iid_sums_by_enumeration(n, factors):
    """Samples uniform on {1, 2, 4}: all 3^n outcomes are counted."""
    values = (1, 2, 4)
    powers = list(range(1, factors + 1))

    def mean(parts):
        return sp.Rational(sum(v ** sum(parts) for v in values), len(values))

    outcomes = list(itertools.product(values, repeat=n))
    brute = sp.Rational(sum(sp.prod([sum(v**p for v in outcome) for p in powers]) for outcome in outcomes), len(outcomes))
    assert iid_sums(powers, sp.Integer(n), mean) == brute


def test_isserlis():
    """E of (2k)!-type moments: E z^6 = 15, and E x^2 y^2 = 1 + 2 rho^2 (Isserlis 1918)."""
    rho = sp.Symbol("rho")
    covariance = lambda u, v: 1 if u == v else rho  # noqa: E731
    assert isserlis(["x"] * 6, covariance) == 15
    assert sp.expand(isserlis(["x", "x", "y", "y"], covariance)) == 1 + 2 * rho**2
    assert isserlis(["x", "y", "y"], covariance) == 0


@pytest.mark.parametrize("rows, columns", [(1, 1), (1, 2), (2, 1), (2, 2)])
@pytest.mark.parametrize("order", [1, 2, 3])
def test_wick_trace_by_brute_force(order, rows, columns):
    matrix = sp.Matrix(rows, columns, lambda i, j: sp.Symbol(f"w{i}{j}"))
    brute = gaussian_mean(sp.expand(((matrix * matrix.T) ** order).trace()), list(matrix))
    p, q = sp.symbols("p q")
    assert wick_trace(order, p, q).subs({p: rows, q: columns}) == brute


def test_wick_trace_is_narayana_at_leading_order():
    """(1/d) E tr (W W^T)^k with entries N(0, 1/d), N = psi d: sum_r N(k, r) psi^r (Narayana numbers)."""
    d, psi = sp.symbols("d psi", positive=True)
    for k in range(1, 5):
        trace = sp.expand(wick_trace(k, d, psi * d) / d ** (k + 1))
        narayana = sum(sp.binomial(k, r) * sp.binomial(k, r - 1) * psi**r / k for r in range(1, k + 1))
        assert sp.expand(sp.limit(trace, d, sp.oo) - narayana) == 0
