"""The printed equations hold at the certified solution, and the answer is what they say it is."""

import random

import pytest
import sympy as sp
from benchmark_models import e1, e2, e3, e6, p2, p3, p5, p7, p9, p12, p14, p15, p18, z
from equations_hold import check
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from random_models import Draw, G, H, S, declared, lam, mu, n, p, q, w

from pencils import Gaussian, expected_trace

MODELS = {
    "E1": e1(),
    "E2": e2(),
    "E3": e3(),
    "E6": e6("transposed"),
    "P2": p2(),
    "P3": p3(),
    "P5": p5(),
    "P7": p7(),
    "P9": p9(3),
    "P12 t1": p12("t1"),
    "P12 t2": p12("t2"),
    "P14 bias": p14("bias"),
    "P14 var": p14("var"),
    "P15": p15(),
    "P18": p18(),
}


def near(values, rng):
    """Parameters within 20 per cent of the given ones, exact."""
    return {s: sp.nsimplify(v) * sp.Rational(rng.randint(80, 120), 100) for s, v in values.items()}


@pytest.mark.parametrize("name", [pytest.param(m, marks=pytest.mark.slow) if m == "E6" else m for m in MODELS])
def test_equations_of_the_benchmarks(name, seed):
    model = MODELS[name]
    law = expected_trace(model.expr, model.ensembles)
    check(law, near(model.values, random.Random(seed)))
    known = set(law.parameters) | {e.lhs for e in law.equations}
    for definition in law.definitions:  # in solving order
        assert definition.rhs.free_symbols <= known
        known.add(definition.lhs)
    assert law.value.free_symbols.union(*[e.rhs.free_symbols for e in law.equations]) <= known
    assert {e.lhs for e in law.equations} <= set(law.unknowns)
    if name == "E6":  # as many as for E6 itself: unknowns that differ by the factor -(n1 + n2) are one
        assert len(law.equations) == 3


@given(st.integers(0, 2**32))
@settings(max_examples=8)
def test_equations_of_random_expressions(seed):
    expr = Draw(seed).resolvents(most=2)
    law = expected_trace(expr, declared(expr))
    assume(law.pencil.size <= 9)
    values = near({p: 2, n: 3, q: 1, lam: 1, mu: 1, z: sp.Rational(1, 2) + sp.I, w: sp.I - 1}, random.Random(seed))
    check(law, {s: v for s, v in values.items() if s in law.parameters})


def test_a_trace_that_vanishes_is_exactly_zero():
    """E tr of a word that is odd in a Gaussian matrix."""
    law = expected_trace((G * G.T + lam * sp.Identity(p)).inverse() * G, {G: Gaussian(1 / p)})
    assert law.evaluate({p: 1, lam: 1}) == 0 and law.value == 0


def test_linear_unknowns_are_solved():
    """P18 in one unknown: g = v/eta solves v^3 + 2 eta v^2 + (eta^2 + w^2 - 1) v - eta = 0 (benchmark sheet)."""
    model = p18()
    law = expected_trace(model.expr, model.ensembles)
    (equation,) = law.equations
    v, eta, w = sp.Symbol("v"), *(next(s for s in law.parameters if str(s) == name) for name in ("eta", "w"))
    numerator = sp.numer(sp.together((equation.lhs - equation.rhs).subs(equation.lhs, v / eta)))
    assert sp.cancel(numerator / (v**3 + 2 * eta * v**2 + (eta**2 + w**2 - 1) * v - eta)).free_symbols <= {eta}


@given(st.integers(0, 2**32))
@settings(max_examples=6)
def test_equations_with_complex_coefficients(seed):
    """Coefficients a + b i, radicals and parameters, far from the spectrum."""
    draw = Draw(seed)
    a, b = (draw.rng.choice([sp.I, 1 - 2 * sp.I, sp.sqrt(-2), sp.sqrt(mu), lam * sp.I, 1 / (2 + sp.I)]) for _ in range(2))
    expr = (a * draw.hermitian() + b * draw.rng.choice([H, G, S]) - 40 * z * sp.Identity(p)).inverse()
    law = expected_trace(expr, declared(expr))
    assume(law.pencil.size <= 4)
    values = near({p: 2, n: 3, q: 1, lam: 1, mu: 1, z: 1 + sp.I}, random.Random(seed))
    check(law, {s: v for s, v in values.items() if s in law.parameters})
