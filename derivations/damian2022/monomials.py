"""Monomials from random biased ReLUs (damian2022, Lemma 17 and Corollary 18), for every degree k at once.

a is a fair sign, b uniform on [-1, 1], |x| <= 1. v_0 = 6 b, v_1 = 2 a, and for f = x^k, k >= 2,

    v_k(a, b) = 2 (1 - a) f''(b) - [f'(1) - f(1)] v_0 + f'(1) v_1 = 2 (1 - a) k (k-1) b^(k-2) - 6 (k-1) b + 2 k a.

Beside E v_k relu(a x + b) = x^k: the exact sup |v_k| and E v_k^2, which the source leaves as constants, and what becomes of the
supremum when b is Gaussian.
"""

from __future__ import annotations

import sympy as sp

from theory.proof.steps import Proof
from theory.proof.symbols import symbols

x, k = symbols("x order_k")
_b = sp.Symbol("b", real=True, nonzero=True)  # b = 0, in powers, by continuity
_s = sp.Symbol("s_1", positive=True)
_each = sp.Rational(1, 4)  # probability 1/2 of the sign times the density 1/2 of b
_minus = 4 * k * (k - 1) * _b ** (k - 2) - 6 * (k - 1) * _b - 2 * k  # v_k(-1, b)
_plus = 2 * k - 6 * (k - 1) * _b  # v_k(1, b)

# |b| <= 1 makes these non-negative
_right = sp.Symbol("t_1", nonnegative=True)  # 1 + b
_left = sp.Symbol("t_2", nonnegative=True)  # 1 - b
_extra = sp.Symbol("j", nonnegative=True)  # k less its least value


def _zero(proof: Proof) -> sp.Expr:
    return proof.step(
        _each * (sp.Integral(6 * _b * (_b + x), (_b, -x, 1)) + sp.Integral(6 * _b * (_b - x), (_b, x, 1))),
        1,
        "E v_0 relu(a x + b): the ReLU is on for b > -a x, which is in [-1, 1] as |x| <= 1",
    )


def _first(proof: Proof) -> sp.Expr:
    return proof.step(
        _each * (sp.Integral(2 * (_b + x), (_b, -x, 1)) - sp.Integral(2 * (_b - x), (_b, x, 1))),
        x,
        "E v_1 relu(a x + b), v_1 = 2 a",
    )


def _curvature(proof: Proof) -> sp.Expr:
    power_series = sp.exp(_s * _b) * (_s * (_b - x) - 1)
    proof.step(
        sp.Derivative(power_series, _b),
        _s**2 * sp.exp(_s * _b) * (_b - x),
        "only a = -1 counts, where 2(1-a) = 4; for f = exp(s_1 x), f''(b) (b - x) has this primitive, f'(b) (b - x) - f(b)",
    )
    proof.step(
        4 * _each * (power_series.subs(_b, 1) - power_series.subs(_b, x)),
        sp.exp(_s * x) + (_s - 1) * sp.exp(_s) - _s * sp.exp(_s) * x,
        "E 2(1-a) f''(b) relu(a x + b) = f(x) + [f'(1) - f(1)] - f'(1) x; both sides are linear in f and s_1^k/k! brings f = x^k, "
        "so this holds for every polynomial f",
    )
    primitive = (k - 1) * _b**k - k * x * _b ** (k - 1)
    proof.step(
        sp.Derivative(primitive, _b),
        k * (k - 1) * _b ** (k - 2) * (_b - x),
        "for f = x^k directly, the same primitive",
    )
    return proof.step(
        4 * _each * (primitive.subs(_b, 1) - primitive.subs(_b, x)),
        x**k + (k - 1) - k * x,
        "E 2(1-a) f''(b) relu(a x + b), between b = x and b = 1",
    )


def zero(proof: Proof) -> None:
    """v_0 = 6 b gives the constant 1"""
    _zero(proof)


def first(proof: Proof) -> None:
    """v_1 = 2 a gives x"""
    _first(proof)


def curvature(proof: Proof) -> None:
    """2(1-a) f''(b) gives f up to a linear function"""
    _curvature(proof)


def monomial(proof: Proof) -> None:
    """E v_k(a, b) relu(a x + b) = x^k on [-1, 1] for every whole k >= 2"""
    names = sp.symbols("E_0 E_1 E_2", real=True)
    means = (_zero(proof), _first(proof), _curvature(proof))
    constant, linear, curved = (proof.define(name, mean) for name, mean in zip(names, means, strict=True))
    proof.step(
        curved - (k - 1) * constant + k * linear,
        x**k,
        "v_k is 2(1-a) f'' less f'(1) - f(1) = k - 1 times v_0, plus f'(1) = k times v_1; E_2, E_0, E_1 the means of the three",
    )


def _linear_side(proof: Proof, least: int) -> sp.Expr:
    """The bound of both signs of v_k(1, b), for k from ``least`` on."""
    proof.define(_extra, k - least)
    proof.define(_right, 1 + _b)
    proof.define(_left, 1 - _b)
    slope = 6 * (_extra + least - 1)
    bound = 8 * k - 6
    proof.bound(_plus, bound, slope * _right, "v_k(1, b), t_1 = 1 + b")
    proof.bound(-_plus, bound, slope * _left + 4 * k, "-v_k(1, b), t_2 = 1 - b")
    return bound


def even_supremum(proof: Proof) -> None:
    """sup |v_k| = 4 k^2 - 6 for even k >= 2, at (a, b) = (-1, -1)"""
    power = sp.Symbol("b_k", nonnegative=True)
    short = sp.Symbol("u_1", nonnegative=True)
    proof.assume("|b| <= 1 and k even make b^(k-2) and 1 - b^(k-2) non-negative")
    proof.define(power, _b ** (k - 2))
    proof.define(short, 1 - _b ** (k - 2))
    top = 4 * k**2 - 6
    small = _linear_side(proof, 2)
    proof.bound(-_minus, small, 4 * (_extra + 2) * (_extra + 1) * power + 6 * (_extra + 1) * _left, "-v_k(-1, b)")
    proof.bound(small, top, 4 * (_extra + 2) * _extra, "no more than the bound of the last side")
    proof.bound(_minus, top, 4 * (_extra + 2) * (_extra + 1) * short + 6 * (_extra + 1) * _right, "v_k(-1, b), u_1 = 1 - b^(k-2)")
    proof.step(4 * k * (k - 1) * 1 + 6 * (k - 1) - 2 * k, top, "v_k(-1, -1), where (-1)^(k-2) = 1: attained")


def odd_supremum(proof: Proof) -> None:
    """sup |v_k| = 4 k^2 - 8 k + 6 for odd k >= 3, at (a, b) = (-1, -1)"""
    size = sp.Symbol("c", positive=True)  # |b|
    rest = sp.Symbol("t_3", nonnegative=True)  # 1 - |b|
    drop = sp.Symbol("u_2", nonnegative=True)  # |b| - |b|^(k-2)
    excess = sp.Symbol("u_3", nonnegative=True)
    proof.assume("0 < c <= 1 makes 1 - c and c - c^(k-2) non-negative; b = 0 follows by continuity")
    proof.define(rest, 1 - size)
    proof.define(drop, size - size ** (k - 2))
    top = 4 * k**2 - 8 * k + 6
    small = _linear_side(proof, 3)
    proof.bound(small, top, 4 * (_extra + 2) * _extra, "no more than the bound of the other sides")
    at_positive, at_negative = (4 * k * (k - 1) * sign * size ** (k - 2) - 6 * (k - 1) * sign * size - 2 * k for sign in (1, -1))
    proof.bound(
        at_positive,
        top,
        4 * k + 4 * (_extra + 3) * (_extra + 2) * drop + (_extra + 2) * (4 * _extra + 6) * rest,
        "v_k(-1, c), t_3 = 1 - c, u_2 = c - c^(k-2)",
    )
    proof.bound(
        at_negative,
        top,
        4 * (_extra + 3) * _extra + 12 + 6 * (_extra + 2) * rest + 4 * (_extra + 3) * (_extra + 2) * size ** (k - 2),
        "v_k(-1, -c), where the power of -c is -c^(k-2)",
    )
    proof.bound((1 + size) / 2, 1 + size ** (k - 2), rest / 2 + size ** (k - 2), "(1 + b)/2 <= 1 + b^(k-2) at b = c")
    proof.bound((1 - size) / 2, 1 - size ** (k - 2), rest / 2 + drop, "and at b = -c, k odd")
    proof.define(excess, 1 + _b ** (k - 2) - (1 + _b) / 2)
    proof.bound(
        -_minus,
        top,
        4 * (_extra + 3) * (_extra + 2) * excess + 2 * _extra * (_extra + 2) * _right,
        "so -v_k(-1, b), u_3 = 1 + b^(k-2) - (1 + b)/2",
    )
    proof.step(4 * k * (k - 1) * 1 - 6 * (k - 1) + 2 * k, top, "-v_k(-1, -1), where (-1)^(k-2) = -1: attained")


def _second_moment(proof: Proof, odd: bool, conclusion: sp.Expr) -> None:
    power = sp.Symbol("i", positive=True)
    proof.step(
        sp.Derivative(_b ** (power + 1) / (power + 1), _b),
        _b**power,
        "E b^i over [-1, 1] is 1/(i + 1) for even i and vanishes for odd i",
    )
    linear = 36 * (k - 1) ** 2 * _b**2 + 24 * k * (k - 1) * _b + 4 * k**2
    proof.step(
        _minus**2,
        16 * k**2 * (k - 1) ** 2 * _b ** (2 * k - 4)
        - 48 * k * (k - 1) ** 2 * _b ** (k - 1)
        - 16 * k**2 * (k - 1) * _b ** (k - 2)
        + linear,
        "v_k(-1, b)^2",
    )
    proof.step(_plus**2, linear.subs(_b, -_b), "v_k(1, b)^2")
    names = sp.symbols("M_2k4 M_k1 M_k2 M_2 M_1", real=True)
    means = (1 / (2 * k - 3), 1 / k if odd else 0, 0 if odd else 1 / (k - 1), sp.Rational(1, 3), 0)
    fourth, middle, bend, second, first = (proof.define(name, sp.sympify(mean)) for name, mean in zip(names, means, strict=True))
    minus = 16 * k**2 * (k - 1) ** 2 * fourth - 48 * k * (k - 1) ** 2 * middle - 16 * k**2 * (k - 1) * bend
    both = [36 * (k - 1) ** 2 * second + sign * 24 * k * (k - 1) * first + 4 * k**2 for sign in (1, -1)]
    proof.step(
        (minus + both[0]) / 2 + both[1] / 2,
        conclusion,
        f"E v_k^2, half for each sign: M_2 = E b^2 = 1/3, M_1 = E b = 0, M_2k4 = E b^(2k-4) = 1/(2k-3), and of "
        f"M_k1 = E b^(k-1) and M_k2 = E b^(k-2) the one whose power is even, {'k-1' if odd else 'k-2'}",
    )


def even_second_moment(proof: Proof) -> None:
    """E v_k^2 for even k >= 2"""
    _second_moment(proof, False, 8 * k**2 * (k - 1) ** 2 / (2 * k - 3) + 12 * (k - 1) ** 2 - 4 * k**2)


def odd_second_moment(proof: Proof) -> None:
    """E v_k^2 for odd k >= 3"""
    _second_moment(proof, True, 8 * k**2 * (k - 1) ** 2 / (2 * k - 3) - 12 * (k - 1) ** 2 + 4 * k**2)


_normal = sp.exp(-(_b**2) / 2) / sp.sqrt(2 * sp.pi)
_ratio = sp.sqrt(sp.pi / 2) * sp.exp(_b**2 / 2)


def gaussian_monomial(proof: Proof) -> None:
    """With b ~ N(0, 1) and the weight sqrt(pi/2) exp(b^2/2) v_k on [-1, 1], 0 beyond, the mean is x^k again"""
    product = sp.Mul(_normal, _ratio, evaluate=False)
    proof.step(product, sp.Rational(1, 2), "the weight times the normal density is v_k times the uniform one")
    monomial(proof)


def gaussian_factor(proof: Proof) -> None:
    """The supremum is sqrt(pi e/2) times that for uniform biases"""
    short = sp.Symbol("u_4", nonnegative=True)
    proof.assume("b^2 <= 1 makes exp(1/2) - exp(b^2/2) non-negative")
    proof.define(short, sp.exp(sp.Rational(1, 2)) - sp.exp(_b**2 / 2))
    top = sp.sqrt(sp.pi * sp.E / 2)
    proof.bound(_ratio, top, sp.sqrt(sp.pi / 2) * short, "the factor of the weight, u_4 = exp(1/2) - exp(b^2/2)")
    proof.step(sp.Subs(_ratio, _b, -1), top, "attained at b = -1, where |v_k| is largest too (a = -1): the suprema are multiplied")
