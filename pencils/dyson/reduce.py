"""From the Dyson equation to few equations in named unknowns.

Unknowns that vanish or are proportional are found at random parameters and proved to be: with them put so, their
own equations hold identically, and the solution is unique; those of which this is not so stay apart. What is left is solved as
far as it goes (``cycles``).
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
import sympy as sp

from pencils.dyson.branch import Follower
from pencils.dyson.cycles import cut_cycles
from pencils.dyson.equation import Dyson, Fiber, Pair
from pencils.dyson.floats import values_of
from pencils.errors import ConvergenceError
from pencils.exact.sparse_inverse import RationalField, inverse_entries
from pencils.language.densities import pointwise
from pencils.linear.finite_field import scalars

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
    equations, definitions = cut_cycles(chosen, [s for s in value.free_symbols if s in chosen])
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


def _unproved_merges(names: dict[Pair, Any], factors: dict[Pair, sp.Expr], right: dict[Pair, sp.Expr]) -> list[Pair]:
    """Pairs that vanish, or agree with another, at random points, while their equations do not say so identically."""
    leaders: dict[sp.Symbol, sp.Expr] = {}
    found = []
    for pair, name in names.items():
        other = sp.S.Zero if name is None else leaders.setdefault(name, right[pair])
        gap = pointwise(right[pair] - factors[pair] * other)
        if gap == 0:
            continue
        if RationalField([gap]).element(gap):
            found.append(pair)
    return found
