"""A sum of bilinear forms c u^T E v as one pencil and one form.

In the limit u^T E v is the sum over the eigenspaces k of <u_k, v_k> times what E is worth on them: only these inner products
count. Ends of one space whose inner products are proportional are one form of a sum of matrices, and share their resolvents.
Others are brought to one form a^T D E a: a has length 1 in every eigenspace, and D, which commutes with the matrices
of the law, is <u_k, v_k> on the k-th. Spaces are put side by side in one block-diagonal pencil.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import sympy as sp

from pencils.errors import InputError
from pencils.language.ensembles import Deterministic, Ensemble, Vector, gram, same, symmetric_atom
from pencils.language.tree import Atom, End, Expression, Product, Space, Sum
from pencils.linear.linearize import Pencil, linearize
from pencils.linear.minimize import minimize


@dataclass(frozen=True)
class Form:
    """``pencil`` and the inner products ``weights`` of the vectors ``left`` and ``right`` on every eigenspace; ``ensembles``
    has the matrices D as well, and ``turns`` says of which two vectors their eigenvalues are the inner products. ``left`` is
    None where both are the a of this module."""

    pencil: Pencil
    weights: list[sp.Expr]
    ensembles: Mapping[sp.MatrixSymbol, Ensemble]
    left: sp.MatrixSymbol | None
    right: sp.MatrixSymbol | None
    turns: Mapping[sp.MatrixSymbol, tuple[sp.MatrixSymbol, sp.MatrixSymbol]] = field(default_factory=dict)


@dataclass(frozen=True)
class _Direction:
    """Ends whose inner products are multiples of ``inner``, with the multiples in their coefficients."""

    inner: tuple[sp.Expr, ...]
    ends: list[End]


def bilinear(expression: Expression) -> Form:
    """The form of an expression with ends. Ends that are 0 whatever the matrices are leave, but for one. Raises InputError for
    a sum beside matrices without a law, where no inner products are declared."""
    assert expression.ends is not None
    without = [m for m, e in expression.ensembles.items() if isinstance(e, Deterministic) and e.is_array]
    if without and len(expression.ends) > 1:
        raise InputError(f"a sum of bilinear forms beside {without[0]}, a matrix without a law: take them one by one")
    spaces: dict[Space, list[_Direction]] = defaultdict(list)
    for end in expression.ends:
        inner = _inner(expression, end)
        if end[0] != 0 and any(inner):
            _collect(spaces[sp.expand(end[1].rows)], end, inner)
    if not spaces:
        end = expression.ends[0]
        spaces[sp.expand(end[1].rows)] = [_Direction(_inner(expression, end), [end])]
    if sum(len(directions) for directions in spaces.values()) == 1:
        ((direction,),) = spaces.values()
        left, right = direction.ends[0][1], direction.ends[0][3]
        return Form(_pencil(expression, direction.ends), list(direction.inner), expression.ensembles, left, right)
    ensembles, pencils = dict(expression.ensembles), []
    turns: dict[sp.MatrixSymbol, tuple[sp.MatrixSymbol, sp.MatrixSymbol]] = {}
    for space, directions in spaces.items():
        ends = [end for direction in directions for end in _turned(expression, direction, space, ensembles, turns)]
        pencils.append(_pencil(replace(expression, ensembles=ensembles), ends))
    most = max(len(direction.inner) for directions in spaces.values() for direction in directions)
    return Form(_side_by_side(pencils), [sp.S.One] * most, ensembles, None, None, turns)


def _inner(expression: Expression, end: End) -> tuple[sp.Expr, ...]:
    """The inner products of the two vectors on each eigenspace; none where they live in different spaces."""
    _, left, _, right = end
    if not same(left.rows, right.rows):
        return (sp.S.Zero,)
    vectors: dict[sp.MatrixSymbol, Vector] = {v: expression.ensembles[v] for v in (left, right)}  # type: ignore[misc]
    return tuple(matrix[0, 0 if left == right else 1] for matrix in gram(vectors))


def _collect(directions: list[_Direction], end: End, inner: tuple[sp.Expr, ...]) -> None:
    """Put an end to a direction that it is a multiple of, or to one of its own."""
    place = next(k for k, value in enumerate(inner) if value != 0)
    for direction in directions:
        ratio = inner[place] / direction.inner[place] if direction.inner[place] != 0 else sp.S.Zero
        if all(sp.simplify(a - ratio * b) == 0 for a, b in zip(inner, direction.inner, strict=True)):
            direction.ends.append((end[0] * ratio, *end[1:]))
            return
    directions.append(_Direction(inner, [end]))


def _turned(
    expression: Expression,
    direction: _Direction,
    space: Space,
    ensembles: dict[sp.MatrixSymbol, Ensemble],
    turns: dict[sp.MatrixSymbol, tuple[sp.MatrixSymbol, sp.MatrixSymbol]],
) -> list[End]:
    """The ends of a direction with D in front, a number where there is one eigenspace only. Declares D in ``ensembles`` and
    ``turns``."""
    if len(direction.inner) == 1:
        return [(coefficient * direction.inner[0], *rest) for coefficient, *rest in direction.ends]  # type: ignore[misc]
    laws = {m: e for m, e in ensembles.items() if isinstance(e, Deterministic) and sp.expand(m.rows) == space}
    (first, *_) = laws.values()
    joint = first.joint or ("together", str(space))
    name, used = "D", {str(symbol) for symbol in ensembles} | {str(symbol) for symbol in expression.parameters}
    while name in used:
        name += "'"
    matrix = sp.MatrixSymbol(name, space, space)
    law = [(value, weight) for value, (_, weight) in zip(direction.inner, first.law, strict=True)]
    ensembles[matrix] = Deterministic(law=law, joint=joint)
    ensembles.update({m: replace(e, joint=joint) for m, e in laws.items()})
    turns[matrix] = direction.ends[0][1], direction.ends[0][3]
    front = Atom(space, space, matrix)
    return [
        (coefficient, left, Product(space, node.cols, (front, node)), right) for coefficient, left, node, right in direction.ends
    ]


def _pencil(expression: Expression, ends: list[End]) -> Pencil:
    """The minimal pencil of the sum of coefficient * E; a coefficient that all have in common stays outside."""
    symmetric = {m for m, e in expression.ensembles.items() if symmetric_atom(e)}
    (common, _, node, _), *others = ends
    if others:
        common = sp.S.One
        node = Sum(node.rows, node.cols, tuple((coefficient, term) for coefficient, _, term, _ in ends))
    pencil = minimize(linearize(expression, node), symmetric)
    return replace(pencil, output={state: common * c for state, c in pencil.output.items()})


def _side_by_side(pencils: list[Pencil]) -> Pencil:
    total = Pencil()
    for pencil in pencils:
        start = total.size
        total.states += pencil.states
        total.equations += pencil.equations
        total.entries.update({(start + i, start + j): entry for (i, j), entry in pencil.entries.items()})
        total.source.update({start + i: b for i, b in pencil.source.items()})
        total.output.update({start + j: c for j, c in pencil.output.items()})
    return total
