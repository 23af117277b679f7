"""Closed forms of E g(z), z ~ N(0, 1), by Stein's lemma.

A smooth branch is a sum of terms c x^k exp(a x^2 + b x) times at most two error functions of linear arguments (sin and
cos are exponentials with imaginary b). E z h(z) = E h'(z) lowers k; what is left at k = 0 is

    E exp(a z^2 + b z)                      = s exp(b^2 s^2/2),        s^2 = 1/(1 - 2a)
    E exp(a z^2 + b z) erf(c z + d)         = s exp(b^2 s^2/2) erf((b c s^2 + d)/sqrt(1 + 2 c^2 s^2))
    E exp(a z^2) erf(c z) erf(c' z)         = s (2/pi) asin(2 c c' s^2/sqrt((1 + 2 c^2 s^2)(1 + 2 c'^2 s^2)))

and, on an interval, error functions of its ends with the boundary terms of the integration by parts.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache
from math import comb

import sympy as sp

from theory.functions.hermite_polynomials import hermite_polynomial
from theory.functions.language import variable
from theory.functions.normal_form import MAX_TERMS, count_terms, even_odd, pieces

Interval = tuple[sp.Expr, sp.Expr]
Errors = tuple[tuple[sp.Expr, sp.Expr], ...]  # (c, d) of each factor erf(c x + d)
Weight = tuple[sp.Expr, sp.Expr, Errors]  # (a, b, errors) of exp(a x^2 + b x) erf(c x + d)...
_LINE: Interval = (-sp.oo, sp.oo)


class _NoRuleError(Exception):
    """No rule of this room applies."""


def closed_form(g: sp.Expr) -> sp.Expr | None:
    """Exact E g(z), z ~ N(0, 1), for g in ``theory.functions.language.variable()``; None where there is no rule.

    Rules: sums of c x^k exp(quadratic) {1, sin, cos}(linear) {1, erf, erfc}(linear), or two erf(c x) without offset; on
    intervals the same without erf: abs, sign, max, min, Heaviside and Piecewise with breakpoints at roots of linear or
    quadratic factors. An odd g of any kind gives 0 where exact algebra shows that it is odd. The caller has made sure
    that the expectation exists.
    """
    return hermite_closed_form(even_odd(sp.sympify(g))[0], 0)


def hermite_closed_form(part: sp.Expr, order: int) -> sp.Expr | None:
    """Exact E part(z) He_order(z) for a ``part`` in the normal form of ``theory.functions.normal_form`` with the parity of
    ``order``; None where there is no rule."""
    if part == 0:
        return sp.S.Zero
    collected = _collected(part)
    if collected is None:
        return None
    polynomial = [int(c) for c in hermite_polynomial(order)]
    total = []
    try:
        for interval, weight, coefficients in collected:
            moments = _moments(weight, interval, 1 << (max(coefficients) + order).bit_length())
            for power, coefficient in coefficients.items():
                projected = sp.Add(*[c * moments[power + i] for i, c in enumerate(polynomial) if c])
                total.append(sp.expand(coefficient * projected))
        return _real(sp.Add(*total))
    except _NoRuleError:
        return None


def _real(total: sp.Expr) -> sp.Expr:
    """The result without I: conjugate terms have cancelled, and erf(I y) = I erfi(y)."""
    total = sp.expand(total.replace(sp.erf, _erf))
    if total.has(sp.I):
        total = sp.expand(sp.expand_complex(total))
    if total.has(sp.I, sp.re, sp.im, sp.zoo, sp.nan):
        raise _NoRuleError
    return total


def _erf(argument: sp.Expr) -> sp.Expr:
    real, imaginary = argument.as_real_imag()
    real = sp.expand(real)
    if real == 0 and imaginary != 0:
        return sp.I * sp.erfi(imaginary)
    if sp.expand(imaginary) != 0:
        raise _NoRuleError
    return sp.erf(real)


@lru_cache(maxsize=1024)
def _collected(part: sp.Expr) -> list[tuple[Interval, Weight, dict[int, sp.Expr]]] | None:
    """The branches of ``part`` as polynomials times weights, {power of x: coefficient}; None where there is no rule."""
    branches = pieces(part, *_LINE)
    if branches is None:
        return None
    found = []
    try:
        for low, high, branch in branches:
            weights: dict[Weight, dict[int, sp.Expr]] = defaultdict(lambda: defaultdict(lambda: sp.S.Zero))
            for coefficient, power, weight in _terms(branch):
                weights[weight][power] += coefficient
            found += [((low, high), weight, dict(coefficients)) for weight, coefficients in weights.items()]
    except _NoRuleError:
        return None
    return found


def _terms(branch: sp.Expr) -> Iterator[tuple[sp.Expr, int, Weight]]:
    """A smooth branch as a sum of (coefficient, power of x, weight)."""
    branch = branch.replace(lambda e: isinstance(e, (sp.sinh, sp.cosh)), lambda e: e.rewrite(sp.exp))
    if count_terms(branch) > MAX_TERMS:
        raise _NoRuleError
    for term in sp.Add.make_args(sp.expand(branch)):
        coefficient, dependent = term.as_independent(variable(), as_Add=False)
        if coefficient != 0:
            yield from ((coefficient * factor, power, weight) for factor, power, weight in _weights(dependent))


def _weights(term: sp.Expr) -> list[tuple[sp.Expr, int, Weight]]:
    """A product of powers of x, exponentials, sin, cos and erf as a sum of (factor, power of x, weight)."""
    x = variable()
    found: list[tuple[sp.Expr, int, Weight]] = [(sp.S.One, 0, (sp.S.Zero, sp.S.Zero, ()))]
    for factor in sp.Mul.make_args(term):
        base, exponent = (factor.base, factor.exp) if isinstance(factor, sp.Pow) else (factor, sp.S.One)
        if not exponent.is_Integer or exponent < 0 or (exponent > 2 and isinstance(base, sp.erf)):
            raise _NoRuleError
        if base == x:
            found = [(c, k + int(exponent), weight) for c, k, weight in found]
            continue
        merged: dict[tuple[int, Weight], sp.Expr] = defaultdict(lambda: sp.S.Zero)
        for c1, (a1, b1, errors1) in _power_of(_weight_of(base), int(exponent)):
            for c, k, (a, b, errors) in found:
                weight = (a + a1, sp.expand(b + b1), tuple(sorted(errors + errors1, key=sp.default_sort_key)))
                merged[k, weight] += c * c1
        found = [(c, k, weight) for (k, weight), c in merged.items()]
    return found


def _power_of(terms: list[tuple[sp.Expr, Weight]], n: int) -> list[tuple[sp.Expr, Weight]]:
    """The n-th power of one weight, or of the two exponentials of a sine, by the binomial theorem."""
    if len(terms) == 1:
        c, (a, b, errors) = terms[0]
        return [(c**n, (n * a, n * b, errors * n))]
    (c, (_, b, _)), (c2, (_, b2, _)) = terms
    zero = sp.S.Zero
    return [(sp.expand(comb(n, j) * c ** (n - j) * c2**j), (zero, sp.expand((n - j) * b + j * b2), ())) for j in range(n + 1)]


def _weight_of(factor: sp.Expr) -> list[tuple[sp.Expr, Weight]]:
    x, zero = variable(), sp.S.Zero
    if factor == 1:
        return [(sp.S.One, (zero, zero, ()))]
    if not isinstance(factor, (sp.exp, sp.sin, sp.cos, sp.erf)) or not factor.args[0].is_polynomial(x):
        raise _NoRuleError
    poly = sp.Poly(factor.args[0], x)
    if poly.degree() > (2 if isinstance(factor, sp.exp) else 1):
        raise _NoRuleError
    a, b, c = (poly.coeff_monomial(x**k) for k in (2, 1, 0))
    if isinstance(factor, sp.exp):
        return [(sp.exp(c), (a, b, ()))]
    if isinstance(factor, sp.erf):
        return [(sp.S.One, (zero, zero, ((b, c),)))]
    # cos(bx + c) = Re, sin(bx + c) = Im of e^{ic} e^{ibx}, with e^{ic} written as cos c + i sin c.
    turn = sp.cos(c) + sp.I * sp.sin(c)
    back = sp.cos(c) - sp.I * sp.sin(c)
    if isinstance(factor, sp.sin):
        turn, back = -sp.I * turn, sp.I * back
    return [(sp.expand(turn / 2), (zero, sp.I * b, ())), (sp.expand(back / 2), (zero, -sp.I * b, ()))]


@lru_cache(maxsize=4096)
def _moments(weight: Weight, interval: Interval, count: int) -> list[sp.Expr]:
    """E z^k exp(a z^2 + b z) erf(c z + d)... 1{z in interval} for k < count.

    Stein's lemma for h = z^{k-1} times the weight: M_k (1 - 2a) = (k-1) M_{k-2} + b M_{k-1} + (error functions
    differentiated) - (boundary terms).
    """
    a, b, errors = weight
    if not (1 - 2 * a).is_positive:
        raise _NoRuleError
    variance = 1 / (1 - 2 * a)
    extra = [sp.S.Zero] * count
    for index, (c, d) in enumerate(errors):
        # d/dz erf(c z + d) = (2c/sqrt(pi)) exp(-(c z + d)^2)
        inner = (a - c**2, sp.expand(b - 2 * c * d), errors[:index] + errors[index + 1 :])
        factor = 2 * c / sp.sqrt(sp.pi) * sp.exp(-(d**2))
        extra = [old + factor * moment for old, moment in zip(extra, _moments(inner, interval, count), strict=True)]
    for end, side in zip(interval, (-1, 1), strict=True):
        if end.is_finite:
            density = sp.exp(sp.expand(a * end**2 + b * end - end**2 / 2)) / sp.sqrt(2 * sp.pi)
            extra = [old - side * end**k * density for k, old in enumerate(extra)]
    moments = [_start(a, b, variance, errors, interval)]
    for k in range(1, count):
        step = b * moments[k - 1] + extra[k - 1] + ((k - 1) * moments[k - 2] if k > 1 else 0)
        moments.append(sp.expand(variance * step))  # expanded, or the constants would nest k deep
    return moments


def _start(a: sp.Expr, b: sp.Expr, variance: sp.Expr, errors: Errors, interval: Interval) -> sp.Expr:
    """The moment of order 0, from the three formulas above or the normal distribution function on an interval."""
    front = sp.sqrt(variance) * sp.exp(sp.expand(b**2 * variance / 2))
    if interval != _LINE:
        if errors:
            raise _NoRuleError
        ends = [end if end.is_infinite else _erf(sp.expand((end - b * variance) / sp.sqrt(2 * variance))) for end in interval]
        low, high = (sp.sign(end) if end.is_infinite else end for end in ends)
        return sp.expand(front * (high - low) / 2)
    if not errors:
        return front
    if len(errors) == 1:
        c, d = errors[0]
        return front * _erf(sp.expand(b * variance * c + d) / sp.sqrt(1 + 2 * c**2 * variance))
    if len(errors) > 2 or b != 0 or any(d != 0 for _, d in errors):
        raise _NoRuleError
    (c, _), (c2, _) = errors
    spread = (1 + 2 * c**2 * variance) * (1 + 2 * c2**2 * variance)
    return front * 2 / sp.pi * sp.asin(2 * c * c2 * variance / sp.sqrt(spread))
