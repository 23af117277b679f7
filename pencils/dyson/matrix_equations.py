"""Dyson equations in which deterministic matrices without a law stay symbols, in their places and order.

Nothing commutes and nothing is averaged: each component with such symbols is one block matrix of SymPy matrix expressions,
M its inverse, and an unknown the normalised trace of one of M's blocks.
"""

from __future__ import annotations

import sympy as sp

from pencils.dyson.equation import Component, Dyson, Pair
from pencils.dyson.reduce import Reduced, right_hand_sides
from pencils.language.ensembles import Deterministic


def block_equations(dyson: Dyson, ends: tuple[sp.MatrixSymbol | None, sp.MatrixSymbol | None] | None = None) -> Reduced:
    """One equation for every unknown; ``definitions`` give the block matrices M as inverses. The vectors ``ends`` of a
    bilinear form u^T E v stand in a trace, of E v u^T."""
    pairs: list[Pair] = list(dict.fromkeys([*[t.pair for t in dyson.terms], *dyson.output]))
    names = {pair: sp.Symbol(f"g_{index + 1}") for index, pair in enumerate(pairs)}
    right = right_hand_sides(dyson, names, dict.fromkeys(pairs, sp.S.One))
    definitions = []
    for number, component in enumerate(c for c in dyson.components if c.fibers is None):
        blocks = _unknown_blocks(dyson, component, number)
        definitions.append(
            sp.Eq(sp.BlockMatrix(blocks), sp.Inverse(sp.BlockMatrix(_blocks(dyson, component, names))), evaluate=False)
        )
        for pair in pairs:
            if pair[0] in component.columns and pair[1] in component.rows:
                block = blocks[component.columns.index(pair[0])][component.rows.index(pair[1])]
                if pair[2]:
                    assert ends is not None
                    right[pair] = sp.Trace(block * ends[1] * sp.Transpose(ends[0]))
                else:
                    right[pair] = sp.Trace(block) / dyson.pencil.states[pair[0]]
    equations = tuple(sp.Eq(names[pair], right[pair], evaluate=False) for pair in pairs)
    value = sum((c * names[p] for p, c in dyson.output.items()), sp.S.Zero)
    return Reduced(equations, tuple(definitions), value, {name: pair for pair, name in names.items()})


def _unknown_blocks(dyson: Dyson, component: Component, number: int) -> list[list[sp.MatrixExpr]]:
    name = "M" if number == 0 else f"M{number + 1}"
    return [
        [sp.MatrixSymbol(f"{name}_{k + 1}_{l + 1}", dyson.pencil.states[k], dyson.pencil.equations[l]) for l in component.rows]
        for k in component.columns
    ]


def _blocks(dyson: Dyson, component: Component, names: dict[Pair, sp.Symbol]) -> list[list[sp.MatrixExpr]]:
    """A - Sigma on the component's rows and columns."""
    pencil = dyson.pencil
    table = []
    for i in component.rows:
        row = []
        for j in component.columns:
            shape = pencil.equations[i], pencil.states[j]
            block: sp.MatrixExpr = sp.ZeroMatrix(*shape)
            for key, coefficient in pencil.entries.get((i, j), {}).items():
                if key is None:
                    block += coefficient * sp.Identity(shape[0])
                elif isinstance(dyson.ensembles[key[0]], Deterministic):
                    block += coefficient * (key[0].T if key[1] else key[0])
            for term in dyson.terms:
                if (term.row, term.column) == (i, j):
                    block -= term.coefficient * names[term.pair] * sp.Identity(shape[0])
            row.append(block)
        table.append(row)
    return table
