"""E of a polynomial in independent standard normal variables, unevaluated, so that a step of a chapter shows what it computes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy as sp


def normal_moment(power: int) -> sp.Integer:
    """E z^power: (power - 1)!!, and 0 at odd powers."""
    return sp.Integer(0) if power % 2 else sp.factorial2(power - 1)


def half_moment(power: int) -> sp.Expr:
    """E z^power over z > 0: 2^(power/2) Gamma((power + 1)/2)/(2 sqrt(pi))."""
    return sp.sqrt(2) ** power * sp.gamma(sp.Rational(power + 1, 2)) / (2 * sp.sqrt(sp.pi))


class Mean(sp.Expr):  # type: ignore[misc]
    """E of a polynomial in the independent standard ``variables``; with ``half`` over the half space on which the first of them
    is positive. ``doit`` integrates monomial by monomial."""

    is_commutative = True

    def __new__(cls, integrand: Any, variables: Sequence[sp.Symbol], half: bool = False) -> Mean:
        return sp.Expr.__new__(cls, sp.sympify(integrand), sp.Tuple(*variables), sp.sympify(half))

    @property
    def free_symbols(self) -> set[sp.Basic]:
        return self.args[0].free_symbols - set(self.args[1])

    def doit(self, **hints: Any) -> sp.Expr:
        integrand, variables, half = self.args
        terms = sp.Poly(sp.expand(integrand.doit()), *variables).terms()
        first = half_moment if half else normal_moment
        return sp.expand(
            sp.Add(*[value * first(powers[0]) * sp.prod([normal_moment(power) for power in powers[1:]]) for powers, value in terms])
        )

    # SymPy's printers print in brackets what binds less than a level: at level 0 nothing does

    def _latex(self, printer: Any, exp: Any = None) -> str:
        where = rf"; {printer.parenthesize(self.args[1][0], 0)} > 0" if self.args[2] else ""
        body = r"\mathbb{E}\left[" + printer.parenthesize(self.args[0], 0) + where + r"\right]"
        return body if exp is None else rf"\left({body}\right)^{{{exp}}}"

    def _sympystr(self, printer: Any) -> str:
        where = f"; {self.args[1][0]} > 0" if self.args[2] else ""
        return f"E[{printer.parenthesize(self.args[0], 0)}{where}]"
