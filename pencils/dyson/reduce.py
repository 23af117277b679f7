"""From the Dyson equation to few equations in named unknowns.

Unknowns that vanish or are proportional are found at random parameters and proved to be: with them put so, their
own equations hold identically, and the solution is unique; those of which this is not so stay apart. What is linear is
solved; what is explicit in others is substituted; a smallest set of unknowns that cuts every cycle is left, with as many
equations.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations, product
from typing import Any

import numpy as np
import sympy as sp
from sympy.utilities.iterables import strongly_connected_components

from pencils.dyson.branch import Follower
from pencils.dyson.equation import Dyson, Fiber, Pair
from pencils.dyson.floats import values_of
from pencils.errors import ConvergenceError
from pencils.exact.sparse_inverse import Quotient, RationalField, inverse_entries
from pencils.language.densities import integrals, parts
from pencils.linear.finite_field import scalars

SHORT = 400  # operations in a core that is worth the search for linear relations
NODES = 9  # of a law with a density, where unknowns are compared


@dataclass(frozen=True)
class Reduced:
    """``equations`` in the core unknowns, ``definitions`` of the other unknowns in solving order, ``value`` of the answer,
    ``pairs`` what each unknown is."""

    equations: tuple[sp.Equality, ...]
    definitions: tuple[sp.Equality, ...]
    value: sp.Expr
    pairs: dict[sp.Symbol, Pair]

    @property
    def unknowns(self) -> tuple[sp.Symbol, ...]:
        return tuple(equation.lhs for equation in self.equations)


def reduce(dyson: Dyson, parameters: list[sp.Symbol], dimensions: list[sp.Symbol]) -> Reduced:
    """The reduced system of a Dyson equation whose deterministic matrices have laws."""
    names, factors = _representatives(dyson, parameters, dimensions)
    right = right_hand_sides(dyson, names, factors)
    while apart := _unproved_merges(names, factors, right):
        for pair in apart:
            names[pair], factors[pair] = sp.Symbol(f"g_{len(set(names.values()) - {None}) + 1}"), sp.S.One
        right = right_hand_sides(dyson, names, factors)
    chosen: dict[sp.Symbol, sp.Expr] = {}
    pairs: dict[sp.Symbol, Pair] = {}
    for pair, name in names.items():
        if name is not None and name not in chosen and factors[pair] == 1:
            chosen[name], pairs[name] = right[pair], pair
    value = sum((c * factors[p] * names[p] for p, c in dyson.output.items() if names[p] is not None), sp.S.Zero)
    equations, definitions = _eliminate(chosen, [s for s in value.free_symbols if s in chosen])
    return Reduced(tuple(equations), tuple(definitions), value, pairs)


def _representatives(
    dyson: Dyson, parameters: list[sp.Symbol], dimensions: list[sp.Symbol]
) -> tuple[dict[Pair, Any], dict[Pair, sp.Expr]]:
    """A symbol and a factor for every pair: the same symbol for pairs that are proportional at random parameters, up to sign
    and a coefficient of the pencil; None for those that vanish."""
    # what holds for every law holds at few nodes; what the law itself brings about is no identity, and is not looked for
    follower, rng, seed = Follower(dyson.at_nodes(NODES, 20) if dyson.is_continuous else dyson), random.Random(1), 0
    found: list[tuple[list[Pair], Any]] = []
    candidates = [sign * scalar for scalar in scalars(dyson.pencil) for sign in (1, -1)]
    sizes = []
    while len(found) < 2:
        seed += 1
        if seed > 12:
            raise ConvergenceError("no random parameters were found at which the equation can be solved")
        point = {}
        for s in parameters:
            value = complex(Fraction(rng.randint(600, 1800), 1000))
            point[s] = np.array([value if s.is_positive or s in dimensions else value * (-1 + 0.7j)])
        try:
            system, g = follower.solve(point)
        except ConvergenceError:
            continue
        found.append((system.pairs, g[0]))
        sizes.append(values_of(candidates, point, 1)[0])
    pairs = list(dict.fromkeys([*[t.pair for t in dyson.terms], *dyson.output]))
    signature = {p: np.array([g[all_pairs.index(p)] for all_pairs, g in found]) for p in pairs}
    table = np.array(sizes)
    names: dict[Pair, Any] = {}
    factors: dict[Pair, sp.Expr] = {}
    leaders: list[tuple[Pair, sp.Symbol]] = []
    for p in pairs:
        names[p], factors[p] = None, sp.S.One
        if np.all(np.abs(signature[p]) < 1e-9):
            continue
        for leader, name in leaders:
            if dyson.pencil.states[p[0]] != dyson.pencil.states[leader[0]] or p[2] != leader[2]:
                continue
            gaps = np.abs(table * signature[leader][:, None] - signature[p][:, None])
            close = np.flatnonzero(np.all(gaps <= 1e-8 * np.abs(signature[p])[:, None] + 1e-10, axis=0))
            if len(close):
                names[p], factors[p] = name, candidates[close[0]]
                break
        if names[p] is None:
            name = sp.Symbol(f"g_{len(leaders) + 1}")
            leaders.append((p, name))
            names[p] = name
    return names, factors


def right_hand_sides(dyson: Dyson, names: dict[Pair, Any], factors: dict[Pair, sp.Expr]) -> dict[Pair, sp.Expr]:
    """F for every pair, in the representatives."""
    pencil = dyson.pencil
    right: dict[Pair, sp.Expr] = dict.fromkeys(names, sp.S.Zero)
    for component in dyson.components:
        for fiber in component.fibers or ():
            fiber, variable = _with_own_variable(fiber, dyson)
            rows = [i for i in component.rows if pencil.equations[i] in fiber.spaces]
            columns = [j for j in component.columns if pencil.states[j] in fiber.spaces]
            cells: dict[tuple[int, int], sp.Expr] = {}
            for (i, j), entry in pencil.entries.items():
                if i in rows and j in columns:
                    value = sum((c * (1 if key is None else fiber.values.get(key[0], 0)) for key, c in entry.items()), sp.S.Zero)
                    cells[rows.index(i), columns.index(j)] = value
            for term in dyson.terms:
                if term.row in rows and term.column in columns and names[term.pair] is not None:
                    place = rows.index(term.row), columns.index(term.column)
                    cells[place] = cells.get(place, sp.S.Zero) - term.coefficient * factors[term.pair] * names[term.pair]
            mine = [pair for pair in names if pair[0] in columns and pair[1] in rows]
            wanted = {pair: (columns.index(pair[0]), rows.index(pair[1])) for pair in mine}
            field = RationalField(list(cells.values()))
            entries = inverse_entries(len(rows), {p: field.element(v) for p, v in cells.items()}, wanted.values(), field)
            for pair, place in wanted.items():
                entry = field.expr(entries[place])
                if fiber.measure is not None:
                    entry = fiber.measure.average(entry, variable)
                right[pair] += dyson.weight(pair, fiber) * entry
    return right


def _with_own_variable(fiber: Fiber, dyson: Dyson) -> tuple[Fiber, sp.Symbol]:
    """The fiber of a density with a variable that is not called like a parameter, nor like an unknown."""
    if fiber.measure is None:
        return fiber, None
    coefficients = [*(t.coefficient for t in dyson.terms), *(c for e in dyson.pencil.entries.values() for c in e.values())]
    taken = {s.name for c in coefficients for s in c.free_symbols}
    name = fiber.measure.variable.name
    while name in taken or name.startswith("g_"):
        name = f"{name}'" if name in taken else "t"
    variable = sp.Symbol(name, real=True)
    values = {m: sp.sympify(v).xreplace({fiber.measure.variable: variable}) for m, v in fiber.values.items()}
    return replace(fiber, values=values), variable


def _pointwise(expr: sp.Expr) -> sp.Expr:
    """A symbol times the integrand in place of every average: a rational identity, or a relation that is affine, before averaging
    is one after it."""
    points = {}
    for integral in integrals(expr):
        inner, measure = parts(integral)
        points[integral] = sp.Symbol(f"average over {measure}") * inner
    return sp.sympify(expr).xreplace(points)


def _nested(expr: sp.Expr) -> bool:
    """Whether an average is inside another."""
    return any(inner.function.has(sp.Integral) for inner in integrals(expr))


def _unproved_merges(names: dict[Pair, Any], factors: dict[Pair, sp.Expr], right: dict[Pair, sp.Expr]) -> list[Pair]:
    """Pairs that vanish, or agree with another, at random points, while their equations do not say so identically."""
    leaders: dict[sp.Symbol, sp.Expr] = {}
    found = []
    for pair, name in names.items():
        other = sp.S.Zero if name is None else leaders.setdefault(name, right[pair])
        gap = _pointwise(right[pair] - factors[pair] * other)
        if gap == 0:
            continue
        if RationalField([gap]).element(gap):
            found.append(pair)
    return found


def _eliminate(right: dict[sp.Symbol, sp.Expr], wanted: list[sp.Symbol]) -> tuple[list[sp.Equality], list[sp.Equality]]:
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
    expr = _pointwise(expr)
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
            if any(map(_nested, left.values())):
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
                if not any(map(_nested, [*core.values(), *explicit.values()])):
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
