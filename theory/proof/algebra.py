"""Exact algebra: is an expression zero, are two comparisons the same? True is a proof; False proves nothing.

A difference is put over one denominator, every radical becomes a generator with its defining relation (radicals of positive
products are split first), every other function an opaque generator, and the numerator is reduced modulo the relations.
"""

from __future__ import annotations

import sympy as sp


def same_condition(left: sp.Basic, right: sp.Basic) -> bool:
    """True when two comparisons are proved equivalent: the same gap up to a positive factor, and the same strictness."""
    strict = [isinstance(relation, (sp.Gt, sp.Lt)) for relation in (left, right)]
    return strict[0] == strict[1] and same_gap(left, right)


def same_gap(left: sp.Basic, right: sp.Basic) -> bool:
    """True when the gaps of two comparisons have a ratio that SymPy's assumptions show positive after exact cancellation."""
    gaps = []
    for relation in (left, right):
        if isinstance(relation, (sp.Gt, sp.Ge)):
            gaps.append(relation.lhs - relation.rhs)
        elif isinstance(relation, (sp.Lt, sp.Le)):
            gaps.append(relation.rhs - relation.lhs)
        else:
            return False
    gap, _ = _without_radicals(gaps)
    try:
        ratio = sp.factor(sp.cancel(gap[0] / gap[1]))
    except sp.PolynomialError:
        return False
    return bool(ratio.is_positive)


def vanishes(expr: sp.Expr) -> bool:
    """True when exact algebra reduces ``expr`` to zero; False proves nothing."""
    if expr == 0:
        return True
    try:
        return _vanishes(expr)
    except sp.PolynomialError:
        return False  # a generator inside Max, Abs, ...: nothing is proved


def _vanishes(expr: sp.Expr) -> bool:
    (reduced,), relations = _without_radicals([expr])
    numerator = sp.expand(sp.numer(sp.together(reduced)))
    for generator, power, radicand in relations:
        top, bottom = sp.fraction(sp.together(radicand))
        polynomial = sp.Poly(sp.expand(numerator), generator)
        modulus = sp.Poly(bottom * generator**power - top, generator)
        # pseudo-remainder: multiplying by powers of ``bottom``, which is not zero, keeps the question the same
        numerator = sp.expand(sp.prem(polynomial, modulus).as_expr()) if polynomial.degree() >= power else numerator
    if numerator != 0 and not expr.free_symbols and expr.is_algebraic:
        # radicals of numbers may be related to each other (sqrt(3 + 2 sqrt 2) = 1 + sqrt 2): a minimal polynomial knows
        unknown = sp.Dummy("t")
        return bool(sp.minimal_polynomial(expr, unknown) == unknown)
    return bool(numerator == 0)


def _without_radicals(exprs: list[sp.Expr]) -> tuple[list[sp.Expr], list[tuple[sp.Symbol, int, sp.Expr]]]:
    """The expressions with radicals replaced by generators, and the relations generator^power = radicand.

    A radical of a positive symbol is removed for good by the substitution symbol = generator^power.
    """
    exprs = [_split_radicals(sp.sympify(expr)) for expr in exprs]
    relations: list[tuple[sp.Symbol, int, sp.Expr]] = []
    for _ in range(20):
        radicals = {power for expr in exprs for power in expr.atoms(sp.Pow) if power.exp.is_Rational and not power.exp.is_Integer}
        if not radicals:
            break
        # innermost first: a base without radicals of its own
        base = min((p.base for p in radicals if not _has_radical(p.base)), key=sp.default_sort_key)
        index = int(sp.ilcm(1, *[p.exp.q for p in radicals if p.base == base]))
        if isinstance(base, sp.Symbol) and base.is_nonnegative:
            root = sp.Dummy(base.name, positive=base.is_positive, nonnegative=True)
            exprs = [expr.xreplace({base: root**index}) for expr in exprs]
            # a radicand may have become a perfect power: sqrt(1 + 2 g + g^2) = 1 + g
            exprs = [_split_radicals(sp.powdenest(expr)) for expr in exprs]
            relations = [(g, k, r.xreplace({base: root**index})) for g, k, r in relations]
            continue
        root = sp.Dummy("r", positive=base.is_positive)
        replacement = {p: root ** int(p.exp * index) for p in radicals if p.base == base}
        exprs = [expr.xreplace(replacement) for expr in exprs]
        relations.append((root, index, base))
    # the last found may contain earlier generators: reduce in that order
    return exprs, relations[::-1]


def _has_radical(expr: sp.Expr) -> bool:
    return any(p.exp.is_Rational and not p.exp.is_Integer for p in expr.atoms(sp.Pow))


def _split_radicals(expr: sp.Expr) -> sp.Expr:
    """(a b)^(p/q) -> a^(p/q) b^(p/q) for factors that are known to be positive."""

    def split(base: sp.Expr, exponent: sp.Expr) -> sp.Expr:
        factored = sp.factor(sp.together(base))
        return (
            sp.Mul(*[part**exponent for part in sp.Mul.make_args(factored)])
            if all(part.is_nonnegative for part in sp.Mul.make_args(factored))
            else factored**exponent
        )

    return expr.replace(
        lambda e: isinstance(e, sp.Pow) and e.exp.is_Rational and not e.exp.is_Integer,
        lambda e: sp.powdenest(sp.expand_power_base(split(e.base, e.exp))),
    )
