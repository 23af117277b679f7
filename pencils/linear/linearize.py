"""Linearisation: a rational matrix expression as a linear pencil L with expression = C L^{-1} B.

The expression is run as a straight-line program on an input vector e, from right to left. A *state* is an intermediate
vector; a product F1 F2 s makes a state of F2 s only when F1 is applied to it, an inverse node makes its unknown s a state and
(argument applied to s) = input its equation. So L is affine in the atoms, its blocks rectangular, and no state is made twice:
equal nodes applied to equal vectors are one state. Rows of L are equations, columns are states.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import sympy as sp

from pencils.language.tree import Atom, Expression, Identity, Inverse, Node, Product, Space, Sum

# A key of an entry: None for the identity, (symbol, transposed) for an atom.
Key = tuple[sp.MatrixSymbol, bool] | None
Entry = dict[Key, sp.Expr]
INPUT = -1  # the index of the input vector e among the states

# A vector: {(state, key): coefficient} stands for the sum of coefficient * atom * state.
Form = dict[tuple[int, Key], sp.Expr]


@dataclass
class Pencil:
    """L (equations x states), B (equations x 1) and C (1 x states), the last two constant.

    ``entries[i, j]`` maps atoms to coefficients; ``states[j]`` and ``equations[i]`` are the spaces of column j and row i.
    """

    states: list[Space] = field(default_factory=list)
    equations: list[Space] = field(default_factory=list)
    entries: dict[tuple[int, int], Entry] = field(default_factory=dict)
    source: dict[int, sp.Expr] = field(default_factory=dict)
    output: dict[int, sp.Expr] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """Number of block rows."""
        return len(self.states)

    def matrix(self) -> sp.Matrix:
        """The pencil as a matrix of scalar-like symbols, for display: identities as 1, atoms by name."""
        result = sp.zeros(self.size, self.size)
        for (row, column), entry in self.entries.items():
            for key, coefficient in entry.items():
                result[row, column] += coefficient * (1 if key is None else _letter(key))
        return result

    def atoms(self) -> set[sp.MatrixSymbol]:
        """Matrix symbols that occur."""
        return {key[0] for entry in self.entries.values() for key in entry if key is not None}


def _letter(key: tuple[sp.MatrixSymbol, bool]) -> sp.Symbol:
    name = sp.latex(key[0])
    return sp.Symbol(f"{name}^{{T}}" if key[1] else name, commutative=False)


def linearize(expression: Expression, node: Node | None = None) -> Pencil:
    """The pencil of an expression's tree (or of one of its nodes), cut down and, if it can be, symmetric."""
    tree = expression.tree if node is None else node
    builder = _Builder(sp.expand(tree.cols))
    result = builder.apply(tree, {(INPUT, None): sp.S.One})
    builder.finish(result, tree)
    return builder.pencil


class _Builder:
    def __init__(self, input_space: Space) -> None:
        self.pencil = Pencil()
        self.known: dict[Any, Form] = {}
        self.input_space = input_space

    def apply(self, node: Node, vector: Form) -> Form:
        """node * vector as a form; new states are made where a product or an inverse needs them."""
        key = (node, tuple(sorted(vector.items(), key=str)))
        if key not in self.known:
            self.known[key] = self._apply(node, vector)
        return self.known[key]

    def _apply(self, node: Node, vector: Form) -> Form:
        if not vector:
            return {}
        if isinstance(node, Identity):
            return vector
        if isinstance(node, Sum):
            total: Form = {}
            for coefficient, term in node.terms:
                _add(total, self.apply(term, vector), coefficient)
            return total
        if isinstance(node, Product):
            for factor in reversed(node.factors):
                vector = self.apply(factor, vector)
            return vector
        if isinstance(node, Atom):
            states = self._states_only(vector, node.cols)
            return {(state, (node.symbol, node.transposed)): c for (state, _), c in states.items()}
        assert isinstance(node, Inverse)
        state = self._new_state(node.rows)
        equation: Form = dict(self.apply(node.arg, {(state, None): sp.S.One}))
        _add(equation, vector, sp.S.NegativeOne)
        self._new_equation(equation, node.rows)
        return {(state, None): sp.S.One}

    def _states_only(self, vector: Form, space: Space) -> Form:
        """A vector without atoms: a new state for it if it has some, or if it holds the input beside states."""
        if all(key is None for _, key in vector) and not any(state == INPUT for state, _ in vector):
            return vector
        return {(self._state_of(vector, space), None): sp.S.One}

    def _state_of(self, vector: Form, space: Space) -> int:
        key = ("state", tuple(sorted(vector.items(), key=str)))
        if key not in self.known:
            state = self._new_state(space)
            equation: Form = {(state, None): sp.S.One}
            _add(equation, vector, sp.S.NegativeOne)
            self._new_equation(equation, space)
            self.known[key] = {(state, None): sp.S.One}
        return next(iter(self.known[key]))[0]

    def _new_state(self, space: Space) -> int:
        self.pencil.states.append(sp.expand(space))
        return len(self.pencil.states) - 1

    def _new_equation(self, form: Form, space: Space) -> None:
        row = len(self.pencil.equations)
        self.pencil.equations.append(sp.expand(space))
        # An atom at the input would make B depend on it: the input becomes a state of its own.
        if any(state == INPUT and key is not None for state, key in form):
            inner: Form = {}
            for (state, key), coefficient in form.items():
                target = self._input_state() if state == INPUT and key is not None else state
                _add(inner, {(target, key): coefficient}, sp.S.One)
            form = inner
        for (state, key), coefficient in form.items():
            if state == INPUT:
                self.pencil.source[row] = -coefficient
            else:
                entry = self.pencil.entries.setdefault((row, state), {})
                entry[key] = entry.get(key, sp.S.Zero) + coefficient

    def _input_state(self) -> int:
        if "input" not in self.known:
            state = self._new_state(self.input_space)
            row = len(self.pencil.equations)
            self.pencil.equations.append(self.input_space)
            self.pencil.entries[row, state] = {None: sp.S.One}
            self.pencil.source[row] = sp.S.One
            self.known["input"] = {(state, None): sp.S.One}
        return next(iter(self.known["input"]))[0]

    def finish(self, result: Form, tree: Node) -> None:
        """The output is read off states: what still has atoms becomes one."""
        for (state, _), coefficient in self._states_only(result, tree.rows).items():
            self.pencil.output[state] = coefficient


def _add(total: Form, other: Form, coefficient: sp.Expr) -> None:
    for key, value in other.items():
        summed = total.get(key, sp.S.Zero) + coefficient * value
        if summed == 0:
            total.pop(key, None)
        else:
            total[key] = summed
