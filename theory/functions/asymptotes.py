"""What a function is at infinity, with proven remainder, and the bound of smoothed derivatives that follows from it.

|f(t) - p_+(t)| <= d(t) for t > 0 and |f(t) - p_-(t)| <= d(t) for t < 0, polynomials p_+- and d(t) = sum C exp(-alpha |t|).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from math import comb, exp, factorial, gamma, pi, sqrt

import sympy as sp

from theory.functions.language import variable
from theory.functions.normal_form import canonical, expanded

_UP = 1 + 2**-30
Decay = tuple[tuple[float, float], ...]
Coefficients = tuple[sp.Expr, ...]  # of 1, t, t^2, ...


@dataclass(frozen=True)
class Asymptotes:
    """Polynomials on the two half-lines and the remainder's (C, alpha)."""

    left: Coefficients
    right: Coefficients
    decay: Decay

    @property
    def degree(self) -> int:
        return max(len(self.left), len(self.right)) - 1


@lru_cache(maxsize=256)
def asymptotes(f: sp.Expr) -> Asymptotes | None:
    """The asymptotes of f, or None where no rule gives them.

    Rules: sums, products and whole powers of polynomials, tanh, erf, abs, sign and log(A cosh) of linear functions, and
    exp of quadratics that fall on both sides; ReLU, SoftPlus, GELU, SiLU and the logistic function are among them.
    """
    return _of(expanded(canonical(f)))


def _of(e: sp.Expr) -> Asymptotes | None:
    x = variable()
    if e.is_polynomial(x):
        coefficients = tuple(sp.Poly(e, x).all_coeffs()[::-1])
        return Asymptotes(coefficients, coefficients, ())
    if isinstance(e, (sp.Add, sp.Mul)):
        parts = [_of(arg) for arg in e.args]
        found = parts[0]
        for part in parts[1:]:
            if found is None or part is None:
                return None
            found = _sum(found, part) if isinstance(e, sp.Add) else _product(found, part)
        return found
    if isinstance(e, sp.Pow) and e.exp.is_Integer and e.exp > 0:
        base = found = _of(e.base)
        for _ in range(int(e.exp) - 1):
            found = None if base is None or found is None else _product(found, base)
        return found
    if isinstance(e, sp.exp) and e.exp.is_polynomial(x) and sp.degree(e.exp, x) == 2:
        a, b, c = (float(v) for v in sp.Poly(e.exp, x).all_coeffs())
        zero: Coefficients = (sp.S.Zero,)
        return Asymptotes(zero, zero, ((exp(c + (abs(b) + 1) ** 2 / (4 * -a)) * _UP, 1.0),)) if a < 0 else None
    if len(e.args) == 1:
        return _function(e)
    return None


def _function(e: sp.Expr) -> Asymptotes | None:
    x = variable()
    argument = e.args[0]
    offset = sp.S.Zero
    if isinstance(e, sp.log):  # log(A cosh u) = |u| + log(A/2) + log(1 + exp(-2|u|))
        factor, hyperbolic = argument.as_independent(x, as_Add=False)
        if not isinstance(hyperbolic, sp.cosh) or not factor.is_positive:
            return None
        argument, offset = hyperbolic.args[0], sp.log(factor / 2)
    if not argument.is_polynomial(x) or sp.degree(argument, x) != 1:
        return None
    a, b = sp.Poly(argument, x).all_coeffs()
    side = sp.sign(a)
    size, shift = abs(float(a)) / _UP, abs(float(b)) * _UP
    one = ((-side,), (side,))
    line = ((-side * b, -side * a), (side * b, side * a))
    # Where |a t| < |b| the sign of the argument may differ from that of a t; there exp(|b| - |a t|) >= 1.
    if isinstance(e, sp.sign):
        return Asymptotes(*one, ((2 * exp(shift), size),) if shift else ())
    if isinstance(e, sp.tanh):
        return Asymptotes(*one, ((2 * exp(2 * shift) * _UP, 2 * size),))
    if isinstance(e, sp.erf):  # 1 - erf(u) <= exp(-u^2) <= exp(1/4 - u)
        return Asymptotes(*one, (((2 if shift else 1) * exp(0.25 + shift) * _UP, size),))
    if isinstance(e, sp.Abs):
        return Asymptotes(*line, ((2 * shift * exp(shift), size),) if shift else ())
    if isinstance(e, sp.log):
        line = ((line[0][0] + offset, line[0][1]), (line[1][0] + offset, line[1][1]))
        return Asymptotes(*line, ((exp(2 * shift) * _UP, 2 * size), *(((2 * shift * exp(shift), size),) if shift else ())))
    return None


def _padded(one: Coefficients, other: Coefficients) -> Coefficients:
    length = max(len(one), len(other))
    return tuple(sum((part[k] for part in (one, other) if k < len(part)), sp.S.Zero) for k in range(length))


def _trimmed(coefficients: Coefficients) -> Coefficients:
    found = [sp.expand(c) for c in coefficients]
    while len(found) > 1 and found[-1] == 0:
        found.pop()
    return tuple(found)


def _sum(one: Asymptotes, other: Asymptotes) -> Asymptotes:
    return Asymptotes(_trimmed(_padded(one.left, other.left)), _trimmed(_padded(one.right, other.right)), one.decay + other.decay)


def _product(one: Asymptotes, other: Asymptotes) -> Asymptotes:
    def times(p: Coefficients, q: Coefficients) -> Coefficients:
        found = [sp.S.Zero] * (len(p) + len(q) - 1)
        for (i, a), (j, b) in product(enumerate(p), enumerate(q)):
            found[i + j] += a * b
        return _trimmed(tuple(found))

    decay = [(c1 * c2 * _UP, a1 + a2) for (c1, a1), (c2, a2) in product(one.decay, other.decay)]
    for polynomial, rest in ((one, other.decay), (other, one.decay)):
        for k in range(polynomial.degree + 1):
            size = max(abs(float(side[k])) if k < len(side) else 0.0 for side in (polynomial.left, polynomial.right))
            # t^k exp(-alpha t) <= k! (2/alpha)^k exp(-alpha t/2)
            decay += [(c * size * factorial(k) * (2 / a) ** k * _UP, a / 2 if k else a) for c, a in rest if size]
    return Asymptotes(times(one.left, other.left), times(one.right, other.right), tuple(decay))


# int m^6 phi_k(m)^2 dm for phi'' = (m^2 - 1) phi, phi' = -m phi and phi: moments of exp(-m^2)/(2 pi)
_JUMPS = tuple(sqrt(value / (2 * sqrt(pi))) for value in (945 / 32 - 2 * 105 / 16 + 15 / 8, 105 / 16, 15 / 8))


@lru_cache(maxsize=256)
def third_derivative_weight(f: sp.Expr) -> float | None:
    """Upper bound of (int m^6 S'''(m)^2 dm)^(1/2), S the smoothing of f; None unless f has asymptotes of degree at most 2.

    A jump of f^(k) at 0 adds that many times phi^(2-k) to the third derivative of S. The remainder d adds
    E He_3(xi) d(m + xi), where |m|^3 <= (|t| + |xi|)^3 with t = m + xi; smoothing does not increase the norm of L^2(dm).
    """
    known = asymptotes(f)
    if known is None or known.degree > 2:
        return None
    total = 0.0
    for k, norm in enumerate(_JUMPS):
        ends = [side[k] if k < len(side) else sp.S.Zero for side in (known.left, known.right)]
        total += abs(float((ends[1] - ends[0]) * factorial(k))) * norm
    for j in range(4):
        # |He_3(xi)| <= |xi|^3 + 3|xi|
        moment, power = _absolute(3 + j) + 3 * _absolute(1 + j), 2 * (3 - j)
        square = sum(
            c1 * c2 * 2 * factorial(power) / (a1 + a2) ** (power + 1) for (c1, a1), (c2, a2) in product(known.decay, known.decay)
        )
        total += comb(3, j) * moment * sqrt(square)
    return total * _UP


def _absolute(power: int) -> float:
    """E|z|^power."""
    return 2 ** (power / 2) * gamma((power + 1) / 2) / sqrt(pi)
