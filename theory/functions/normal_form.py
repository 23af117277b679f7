"""The normal form of a function of x: its even and odd part, and its smooth branches between exact breakpoints."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from math import comb
from typing import Any

import sympy as sp
from flint import acb

from pencils.errors import InputError
from pencils.exact.balls import enclose
from pencils.exact.numbers import working_precision
from theory.functions.language import variable

Branch = tuple[sp.Expr, sp.Expr, sp.Expr]
_KINKED = (sp.Abs, sp.sign, sp.Piecewise)
_BITS = 256
MAX_TERMS = 400
_MAX_CANCELLED = 4
_MAX_PIECES = 64


class _UndecidedError(Exception):
    """A breakpoint or a sign is not known exactly."""


def canonical(g: sp.Expr) -> sp.Expr:
    """The same function with kinks as abs, sign and Piecewise only, and logistic forms as tanh and cosh, whose symmetry
    plain algebra sees: log(1 + e^u) = u/2 + log(2 cosh(u/2)), 1/(1 + e^u) = (1 - tanh(u/2))/2."""
    g = g.replace(lambda e: isinstance(e, (sp.Max, sp.Min)), lambda e: _fold_extremes(e))
    g = g.replace(sp.Heaviside, lambda u, at_zero=None: (1 + sp.sign(u)) / 2)
    g = g.replace(sp.erfc, lambda u: 1 - sp.erf(u))
    g = g.replace(
        lambda e: isinstance(e, sp.Pow) and not e.base.has(variable()) and e.exp.has(variable()),
        lambda e: sp.exp(e.exp * sp.log(e.base)),
    )

    def softplus(e: sp.Expr) -> sp.Expr:
        u = (e.args[0] - 1).args[0]
        return u / 2 + sp.log(2 * sp.cosh(u / 2))

    def logistic(e: sp.Pow) -> sp.Expr:
        u = (e.base - 1).args[0]
        return ((1 - sp.tanh(u / 2)) / 2) ** (-e.exp)

    g = g.replace(lambda e: isinstance(e, sp.log) and isinstance(e.args[0] - 1, sp.exp), softplus)
    return g.replace(
        lambda e: isinstance(e, sp.Pow) and e.exp.is_Integer and e.exp < 0 and isinstance(e.base - 1, sp.exp), logistic
    )


def _fold_extremes(e: sp.Expr) -> sp.Expr:
    """max(a, b) = (a + b + |a - b|)/2, min with a minus."""
    side = 1 if isinstance(e, sp.Max) else -1
    args = sorted(e.args, key=sp.default_sort_key)
    folded = args[0]
    for arg in args[1:]:
        folded = (folded + arg + side * sp.Abs(folded - arg)) / 2
    return folded


@lru_cache(maxsize=1024)
def even_odd(g: sp.Expr) -> tuple[sp.Expr, sp.Expr]:
    """(even part, odd part) of g in normal form; a part that exact algebra shows to vanish is 0."""
    g = expanded(canonical(g))
    mirrored = expanded(g.subs(variable(), -variable()))
    return _cancelled(expanded((g + mirrored) / 2)), _cancelled(expanded((g - mirrored) / 2))


def expanded(e: sp.Expr) -> sp.Expr:
    """``e`` multiplied out, unless that makes too many terms to work with."""
    return sp.expand(e) if count_terms(e) <= MAX_TERMS else e


def _cancelled(part: sp.Expr) -> sp.Expr:
    """A rational function of exponentials may be simpler than it looks, as e^x/(1 + e^x) + e^-x/(1 + e^-x) = 1."""
    x = variable()
    powers = [e for e in part.atoms(sp.Pow) if e.base.has(x)]
    quotient = part.has(sp.tanh) or any(e.exp.is_negative for e in powers)
    if not quotient or any(abs(e.exp) > _MAX_CANCELLED for e in powers if e.exp.is_number and e.base != x):
        return part
    functions = part.atoms(sp.Function)
    if {type(e) for e in functions} - {sp.exp, sp.tanh, sp.sinh, sp.cosh}:
        return part
    # Rational functions of e^x alone: a function within a function, or many, would take for ever to cancel.
    if len(functions) > 6 or any(inner.atoms(sp.Function) for e in functions for inner in e.args):
        return part
    shorter = sp.cancel(sp.together(part.rewrite(sp.exp)))
    return sp.expand(shorter) if shorter.count_ops() < part.count_ops() else part


def count_terms(e: sp.Basic) -> int:
    """How many terms ``expand`` would make, roughly and from above."""
    x = variable()
    if e.is_Atom:
        return 1
    if isinstance(e, sp.Expr) and e.is_polynomial(x):
        return 1 + max(0, sp.degree(e, x))
    if isinstance(e, sp.Add):
        return sum(count_terms(arg) for arg in e.args)
    if isinstance(e, sp.Mul):
        count = 1
        for arg in e.args:
            count *= count_terms(arg)
        return count
    if isinstance(e, sp.Pow) and e.exp.is_Integer and e.exp > 0:
        width = count_terms(e.base)
        return comb(int(e.exp) + width - 1, width - 1)
    return max((count_terms(arg) for arg in e.args), default=1)


def pieces(g: sp.Expr, low: sp.Expr, high: sp.Expr) -> list[Branch] | None:
    """[(a, b, smooth expression on (a, b)), ...] covering (low, high), with exact ends, for g in normal form; None when
    a kink is not at the root of a linear or quadratic factor of a polynomial."""
    try:
        found = _split(g, low, high)
    except _UndecidedError:
        return None
    return found if len(found) <= _MAX_PIECES else None


def _split(g: sp.Expr, low: sp.Expr, high: sp.Expr) -> list[Branch]:
    kinks = [atom for atom in g.atoms(*_KINKED) if atom.has(variable())]
    if not kinks:
        return [(low, high, g)]
    # The smallest has none nested inside it; sorted so that the answer does not depend on hashing.
    kink = min(kinks, key=lambda atom: (atom.count_ops(), sp.default_sort_key(atom)))
    if isinstance(kink, sp.Piecewise):
        switches = [_gap(condition) for _, condition in kink.args if condition != True]  # noqa: E712 - SymPy's true
    else:
        switches = [kink.args[0]]
    cuts: list[sp.Expr] = []
    for root in (root for switch in switches for root in _real_roots(switch)):
        if all(_sign(root - cut) for cut in cuts) and _order(low, root) and _order(root, high):
            cuts.append(root)
    ends = [low, *sorted(cuts, key=_Ordered), high]
    found = []
    for left, right in pairwise(ends):
        branch = _branch(kink, _between(left, right))
        found += _split(g.xreplace({kink: branch}), left, right)
        if len(found) > _MAX_PIECES:
            raise _UndecidedError
    return found


def _gap(condition: Any) -> sp.Expr:
    """A function of x that is positive where the comparison holds and negative where it fails."""
    if isinstance(condition, (sp.Gt, sp.Ge)):
        return condition.lhs - condition.rhs
    if isinstance(condition, (sp.Lt, sp.Le)):
        return condition.rhs - condition.lhs
    raise _UndecidedError


def _branch(kink: sp.Expr, point: sp.Rational) -> sp.Expr:
    x = variable()
    if isinstance(kink, sp.Piecewise):
        for value, condition in kink.args:
            if condition == True or _sign(_gap(condition).subs(x, point)) > 0:  # noqa: E712 - SymPy's true
                return value
        raise _UndecidedError
    side = _sign(kink.args[0].subs(x, point))
    return sp.Integer(side) * (kink.args[0] if isinstance(kink, sp.Abs) else 1)


def _real_roots(switch: sp.Expr) -> list[sp.Expr]:
    x = variable()
    if not switch.is_polynomial(x):
        raise _UndecidedError
    roots: list[sp.Expr] = []
    poly = sp.Poly(switch, x)
    factors = [poly] if poly.degree() <= 2 else [factor for factor, _ in poly.factor_list()[1]]
    for factor in factors:
        if factor.degree() == 1:
            a, b = factor.all_coeffs()
            roots.append(-b / a)
        elif factor.degree() == 2:
            a, b, c = factor.all_coeffs()
            discriminant = sp.expand(b**2 - 4 * a * c)
            side = _sign(discriminant)
            roots += [(-b + s * sp.sqrt(discriminant)) / (2 * a) for s in (-1, 1) if side > 0 or (side == 0 and s == 1)]
        elif factor.degree() > 2:
            raise _UndecidedError
    return roots


def _sign(constant: sp.Expr) -> int:
    """Sign of a real constant, proven; _UndecidedError when it is not decided."""
    if constant.is_zero:
        return 0
    try:
        with working_precision(_BITS):
            ball = acb(enclose(constant, {}))
    except InputError as error:
        raise _UndecidedError from error
    if ball.imag.contains(0) and not ball.real.contains(0):
        return 1 if ball.real > 0 else -1
    if sp.simplify(constant) == 0:
        return 0
    raise _UndecidedError


def _order(left: sp.Expr, right: sp.Expr) -> bool:
    return left is -sp.oo or right is sp.oo or _sign(right - left) > 0


class _Ordered:
    """Sort key that compares constants by proof."""

    def __init__(self, value: sp.Expr) -> None:
        self.value = value

    def __lt__(self, other: _Ordered) -> bool:
        return _sign(other.value - self.value) > 0


def _between(left: sp.Expr, right: sp.Expr) -> sp.Rational:
    """A rational strictly between."""
    if left is -sp.oo:
        return sp.S.Zero if right is sp.oo else sp.floor(right) - 1
    if right is sp.oo:
        return sp.floor(left) + 2
    scale = 1
    while True:
        point = (sp.floor((left + right) / 2 * scale) + sp.Rational(1, 2)) / scale
        if _sign(point - left) > 0 and _sign(right - point) > 0:
            return point
        scale *= 2
