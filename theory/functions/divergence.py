"""Proofs that E |f(z)|^power is infinite: by a lower bound, by a real pole, by exact growth of one dominating term."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

import sympy as sp

from theory.functions.bounds import bounds
from theory.functions.language import variable
from theory.functions.quadratics import Quadratic, UnknownError


def divergence(f: sp.Expr, log_low: Quadratic | None, power: int) -> str | None:
    """Why E |f(z)|^power is infinite, z ~ N(0, 1); None when that could not be shown. ``log_low`` is a proven lower
    bound of log |f(x)| in |x|, if there is one."""
    if log_low is not None:
        excess = power * log_low[2] - Fraction(1, 2)
        if excess > 0 or (excess == 0 and log_low[1] >= 0):
            return "it grows at least like the inverse of the Gaussian density"
    x = variable()
    if _has_pole(f):
        return "it has a pole on the line"
    for side, direction in (("+", f), ("-", f.subs(x, -x))):
        try:
            if _beats_gaussian(_leading(sp.expand(direction)), power):
                return f"its growth towards {side}infinity beats the Gaussian density"
        except UnknownError:
            continue
    return None


def _has_pole(f: sp.Expr) -> bool:
    """One summand has a pole where every other one is bounded; no power of a pole, from 1 on, is integrable."""
    x = variable()
    terms = sp.Add.make_args(f)
    rational = sp.Add(*[term for term in terms if term.is_rational_function(x)])
    others = [term for term in terms if not term.is_rational_function(x)]
    wild = [term for term in others if not _locally_bounded(term)]
    if not wild:
        return _pole_of(rational)
    if len(wild) > 1 or _pole_of(rational):
        return False
    factors = sp.Mul.make_args(wild[0])
    smooth = [factor for factor in factors if _nowhere_zero(factor)]
    return _pole_of(sp.Mul(*[factor for factor in factors if factor not in smooth]))


def _locally_bounded(e: sp.Expr) -> bool:
    try:
        return bounds(e).log_high is not None
    except UnknownError:
        return False


def _nowhere_zero(e: sp.Expr) -> bool:
    return _locally_bounded(e) and bounds(e).log_low is not None


def _pole_of(e: sp.Expr) -> bool:
    """A real pole: of a rational function with rational coefficients, or of tan of a polynomial."""
    x = variable()
    if e.func is sp.tan:
        # A polynomial that is not constant takes the value pi/2 + k pi for infinitely many k.
        return bool(e.args[0].is_polynomial(x) and sp.degree(e.args[0], x) >= 1)
    if not e.is_rational_function(x):
        return False
    denominator = sp.fraction(sp.cancel(e))[1]
    if not denominator.has(x):
        return False
    poly = sp.Poly(denominator, x)
    return all(c.is_Rational for c in poly.coeffs()) and poly.count_roots() > 0


@dataclass(frozen=True)
class _Leading:
    """e(x) / (x^power exp(exponent)) -> limit != 0 as x -> +oo, exponent a polynomial without constant term; when
    ``explosive``, |e| grows faster than the exponential of any polynomial and limit holds its sign."""

    limit: sp.Expr
    power: sp.Rational = sp.S.Zero
    exponent: sp.Expr = sp.S.Zero
    explosive: bool = False

    def tends_to(self) -> int:
        """1 for |e| -> oo, 0 for a finite limit that is not 0, -1 for e -> 0."""
        if self.explosive:
            return 1
        return _direction(self.exponent) or (1 if self.power > 0 else -1 if self.power < 0 else 0)


def _direction(polynomial: sp.Expr) -> int:
    """Sign of a polynomial without constant term at +oo; 0 for the zero polynomial."""
    leading = sp.LC(polynomial, variable())
    if leading == 0:
        return 0
    if not (leading.is_positive or leading.is_negative):
        raise UnknownError(f"the sign of {leading} is not known")
    return 1 if leading.is_positive else -1


def _beats_gaussian(leading: _Leading | None, power: int) -> bool:
    if leading is None:
        return False
    if leading.explosive:
        return True
    direction = _direction(sp.expand(power * leading.exponent - variable() ** 2 / 2))
    return direction > 0 or (direction == 0 and power * leading.power >= -1)


def _leading(e: sp.Expr) -> _Leading | None:
    """Leading growth at +oo; None when no rule gives it."""
    x = variable()
    if not e.has(x):
        return _Leading(e) if e.is_zero is False and e.is_real else None
    if e == x:
        return _Leading(sp.S.One, sp.S.One)
    if isinstance(e, sp.Add):
        return _leading_sum(e)
    if isinstance(e, sp.Mul):
        found = _Leading(sp.S.One)
        for factor in e.args:
            part = _leading(factor)
            if part is None:
                return None
            found = _Leading(
                found.limit * part.limit,
                found.power + part.power,
                sp.expand(found.exponent + part.exponent),
                found.explosive or part.explosive,
            )
        return found
    if isinstance(e, sp.exp):
        return _leading_exp(sp.expand(e.exp))
    if isinstance(e, sp.Pow) and e.exp.is_Rational:
        base = _leading(e.base)
        if base is None or (base.explosive and e.exp < 0) or (not e.exp.is_Integer and not base.limit.is_positive):
            return None
        return _Leading(base.limit**e.exp, base.power * e.exp, sp.expand(base.exponent * e.exp), base.explosive)
    if isinstance(e, (sp.sinh, sp.cosh)):
        return _leading(sp.expand(e.rewrite(sp.exp)))
    if isinstance(e, (sp.tanh, sp.erf, sp.atan, sp.Abs)):
        arg = _leading(e.args[0])
        if arg is None or not (arg.limit.is_positive or arg.limit.is_negative):
            return None
        if isinstance(e, sp.Abs):
            return replace(arg, limit=abs(arg.limit))
        sign = 1 if arg.limit.is_positive else -1
        return _Leading(sign * (sp.pi / 2 if isinstance(e, sp.atan) else sp.S.One)) if arg.tends_to() == 1 else None
    return None


def _leading_sum(e: sp.Add) -> _Leading | None:
    leadings, bounded = [], False
    for term in e.args:
        part = _leading(term)
        if part is not None:
            leadings.append(part)
        elif _bounded(term):
            bounded = True
        else:
            return None
    if not leadings:
        return None
    if any(part.explosive for part in leadings):
        # Two of them could cancel, so only a single one is understood.
        explosive = [part for part in leadings if part.explosive]
        return explosive[0] if len(explosive) == 1 else None
    top = leadings[0]
    for part in leadings[1:]:
        order = _direction(sp.expand(part.exponent - top.exponent)) or sp.sign(part.power - top.power)
        if order > 0:
            top = part
        elif order == 0:
            limit = top.limit + part.limit
            # The sum of the limits must be shown not to vanish; what cancels could hide anything.
            if not (limit.is_positive or limit.is_negative):
                return None
            top = replace(top, limit=limit)
    return None if bounded and top.tends_to() != 1 else top


def _bounded(e: sp.Expr) -> bool:
    try:
        log_high = bounds(e).log_high
    except UnknownError:
        return False
    return log_high is not None and log_high[1] <= 0 and log_high[2] <= 0


def _leading_exp(g: sp.Expr) -> _Leading | None:
    x = variable()
    polynomial = sp.Add(*[term for term in sp.Add.make_args(g) if term.is_polynomial(x)])
    rest = g - polynomial
    constant = polynomial.subs(x, 0)
    found = _Leading(sp.exp(constant), exponent=sp.expand(polynomial - constant))
    if rest == 0:
        return found
    part = _leading(rest)
    if part is None:
        return None
    tendency = part.tends_to()
    if tendency == -1:
        return found
    if tendency == 0:
        return replace(found, limit=found.limit * sp.exp(part.limit))
    # exp(q) beats every polynomial; a power of x alone need not.
    grows = part.explosive or _direction(part.exponent) > 0
    return replace(found, explosive=True) if grows and part.limit.is_positive else None
