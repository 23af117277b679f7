"""A system of explicit equations, unknown = expression, in as few unknowns as cut its cycles.

What is linear is solved; what is explicit in others is substituted; a smallest set of unknowns that cuts every cycle is left, with
as many equations.
"""

from __future__ import annotations

from itertools import combinations, product

import sympy as sp
from sympy.utilities.iterables import strongly_connected_components

from pencils.exact.sparse_inverse import Quotient, RationalField
from pencils.language.densities import integrals, is_nested, pointwise

SHORT = 400  # operations in a core that is worth the search for linear relations


def cut_cycles(right: dict[sp.Symbol, sp.Expr], wanted: list[sp.Symbol]) -> tuple[list[sp.Equality], list[sp.Equality]]:
    """Core equations and explicit definitions, by strongly connected parts in solving order."""
    uses = {name: expr.free_symbols & right.keys() for name, expr in right.items()}
    reachable: set[sp.Symbol] = set()
    ahead = list(wanted)
    while ahead:
        name = ahead.pop()
        if name not in reachable:
            reachable.add(name)
            ahead += uses[name]
    names = sorted(reachable, key=_number)
    equations: list[sp.Equality] = []
    definitions: list[sp.Equality] = []
    # a part comes after those that it uses
    for part in strongly_connected_components((names, [(s, t) for s in names for t in sorted(uses[s], key=_number)])):
        members = sorted(part, key=_number)
        if len(members) == 1 and members[0] not in uses[members[0]]:
            definitions.append(sp.Eq(members[0], right[members[0]], evaluate=False))
            continue
        core, explicit = _cut(members, right, uses)
        if all(_affine(right[s], members) for s in members):
            definitions += [sp.Eq(s, expr, evaluate=False) for s, expr in _solve_affine(core).items()]
        else:
            core, linear = _solve_linear(core)
            equations += [sp.Eq(s, expr, evaluate=False) for s, expr in core.items()]
            definitions += [sp.Eq(s, expr, evaluate=False) for s, expr in linear.items()]
        definitions += [sp.Eq(s, expr, evaluate=False) for s, expr in explicit.items()]
    return equations, definitions


def _number(symbol: sp.Symbol) -> int:
    return int(symbol.name.rpartition("_")[2])


def _affine(expr: sp.Expr, members: list[sp.Symbol]) -> bool:
    """Whether a rational expression is affine in all the members together."""
    expr = pointwise(expr)
    field = RationalField([expr])
    element = field.element(expr)
    return field.degree(element.denom, members) == 0 and field.degree(element.numer, members) <= 1


def _solve_affine(core: dict[sp.Symbol, sp.Expr]) -> dict[sp.Symbol, sp.Expr]:
    """x = F(x) for F affine in x: F(0) and the slopes F(e_j) - F(0), solved by elimination without expanding anything."""
    names = list(core)
    zero = dict.fromkeys(names, sp.S.Zero)
    constant = [core[s].xreplace(zero) for s in names]
    matrix = [
        [(1 if i == j else 0) - (core[s].xreplace({**zero, t: sp.S.One}) - constant[i]) for j, t in enumerate(names)]
        for i, s in enumerate(names)
    ]
    size = len(names)
    for k in range(size):
        for i in range(k + 1, size):
            factor = matrix[i][k] / matrix[k][k]
            matrix[i] = [a - factor * b for a, b in zip(matrix[i], matrix[k], strict=True)]
            constant[i] = constant[i] - factor * constant[k]
    solved: dict[sp.Symbol, sp.Expr] = {}
    for k in reversed(range(size)):
        rest = sum((matrix[k][j] * names[j] for j in range(k + 1, size)), sp.S.Zero)
        solved[names[k]] = (constant[k] - rest) / matrix[k][k]
    return solved


def _solve_linear(core: dict[sp.Symbol, sp.Expr]) -> tuple[dict[sp.Symbol, sp.Expr], dict[sp.Symbol, sp.Expr]]:
    """The core without unknowns in which an equation is linear, as long as it does not grow; and what they are, in solving
    order."""
    solved: dict[sp.Symbol, sp.Expr] = {}
    while len(core) > 1 and sum(map(sp.count_ops, core.values())) < SHORT:
        for s, t in product(core, core):
            found = _linear(core, s, t)
            if found is None:
                continue
            left = {u: _rational(expr.xreplace({t: found})) for u, expr in core.items() if u != t}
            if any(map(is_nested, left.values())):
                continue
            if sum(map(sp.count_ops, left.values())) <= sum(map(sp.count_ops, core.values())):
                core, solved = left, {t: found, **solved}
                break
        else:
            break
    return core, solved


def _linear(core: dict[sp.Symbol, sp.Expr], s: sp.Symbol, t: sp.Symbol) -> sp.Expr | None:
    """t from its own equation if that is linear in t (s = t), or from s/t = F_s/F_t, where a shared denominator is gone."""
    if any(t in integral.free_symbols for expr in (core[s], core[t]) for integral in integrals(expr)):
        return None  # an average is not rational in what it holds
    field = RationalField([s, t, core[s], core[t]])
    if s == t:
        gap = field.element(t) - field.element(core[t])
    else:
        gap = field.element(s) * field.element(core[t]) - field.element(t) * field.element(core[s])
    if field.degree(gap.numer, [t]) != 1:
        return None
    numer = field.expr(Quotient(field, gap.numer, field.one.denom))
    constant = numer.xreplace({t: sp.S.Zero})
    return _rational(-constant / (numer.xreplace({t: sp.S.One}) - constant))


def _rational(expr: sp.Expr) -> sp.Expr:
    """Over one denominator, without common factors."""
    field = RationalField([expr])
    return field.expr(field.element(expr))


def _cut(
    members: list[sp.Symbol], right: dict[sp.Symbol, sp.Expr], uses: dict[sp.Symbol, set[sp.Symbol]]
) -> tuple[dict[sp.Symbol, sp.Expr], dict[sp.Symbol, sp.Expr]]:
    """A smallest set of unknowns without which the part has no cycle, and no average is inside another; the others substituted
    into its equations."""
    for count in range(1, len(members) + 1):
        for chosen in combinations(members, count):
            order = _order([s for s in members if s not in chosen], uses)
            if order is not None:
                explicit: dict[sp.Symbol, sp.Expr] = {}
                for s in order:
                    explicit[s] = right[s].xreplace(explicit)
                core = {s: right[s].xreplace(explicit) for s in chosen}
                if not any(map(is_nested, [*core.values(), *explicit.values()])):
                    return core, {s: right[s] for s in order}
    raise AssertionError("a set of all unknowns has no cycle left")


def _order(names: list[sp.Symbol], uses: dict[sp.Symbol, set[sp.Symbol]]) -> list[sp.Symbol] | None:
    """The names, each after those that it uses; None if there is a cycle."""
    order: list[sp.Symbol] = []
    left = set(names)
    while left:
        ready = [s for s in names if s in left and not uses[s] & left]
        if not ready:
            return None
        order += ready
        left -= set(ready)
    return order
