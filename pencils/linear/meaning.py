"""What a block of L^{-1} is as a matrix expression.

L x = e_l is solved for x_k by elimination over expressions that do not commute, pivots that are numbers first; so is the
transposed pencil, from the other side. The shortest expression that comes out is evaluated beside the block itself at random
matrices over a finite field, and given only if the two are equal.
"""

from __future__ import annotations

import random
from dataclasses import replace
from typing import TypeAlias

import sympy as sp
from flint import fmpz, nmod_mat

from pencils.language.tree import Atom, Identity, Inverse, Node, Product, Space, Sum, text
from pencils.linear.finite_field import PRIME, RandomPoint, random_states
from pencils.linear.linearize import Pencil

LONGEST = 160  # characters of an expression that still says something
SHORT = 30  # and of one that needs no better
TRIES = 8  # orders of elimination: products multiplied out or not, denominators cleared or not, pivots by chance
POINTS = 12  # random points at which an expression may show that it is the block

Word: TypeAlias = tuple[Node, ...]  # a product of atoms and inverses
Poly: TypeAlias = dict[Word, sp.Expr]


class TooLong(Exception):
    """The elimination has grown beyond what can be shown."""


def meaning(pencil: Pencil, symmetric: set[sp.MatrixSymbol], state: int, equation: int) -> Node | None:
    """Block (state, equation) of L^{-1} as a checked matrix expression; None where no short one is found."""
    found: dict[str, Node] = {}
    for seed in range(TRIES):
        if found and min(map(len, found)) <= SHORT:
            break
        for flipped in (False, True):
            try:
                node = BlockElimination(pencil, symmetric, flipped, seed).block(state, equation)
            except TooLong:
                continue
            if node is not None and len(text(node)) <= LONGEST:
                found[text(node)] = node
    for _, node in sorted(found.items(), key=lambda item: (len(item[0]), item[0])):
        if _is_block(node, pencil, symmetric, state, equation):
            return node
    return None


class _Point(RandomPoint):
    """A random point at which a square root is a root of its radicand, where that has one modulo the prime."""

    def scalar(self, expr: sp.Expr) -> int:
        if isinstance(expr, sp.Pow) and expr.exp.is_Rational and expr.exp.q == 2 and expr not in self.generators:
            square = self.scalar(expr.base)
            root = pow(square, (PRIME + 1) // 4, PRIME)  # the prime is 3 modulo 4
            if root**2 % PRIME == square:
                return pow(root, int(expr.exp.p), PRIME)
        return super().scalar(expr)


def _is_block(node: Node, pencil: Pencil, symmetric: set[sp.MatrixSymbol], state: int, equation: int) -> bool:
    """Whether the expression is the block at a random point: a false one passes with probability below 1e-15. Where
    radicands have no roots modulo the prime, other points are tried."""
    for seed in range(11, 11 + POINTS):
        point = _Point(symmetric, seed)
        blocks = random_states(replace(pencil, source={equation: sp.S.One}), point)
        try:
            claimed = _value(node, point)
        except ZeroDivisionError:
            continue
        if blocks is not None and [[int(x) for x in row] for row in claimed.table()] == blocks[state]:
            return True
    return False


def _value(node: Node, point: RandomPoint) -> nmod_mat:
    """A matrix expression at random matrices; ZeroDivisionError where an inverse does not exist."""
    rows, cols = point.size(sp.expand(node.rows)), point.size(sp.expand(node.cols))
    if isinstance(node, Atom):
        return _matrix(point.matrix(node.symbol, node.transposed))
    if isinstance(node, Identity):
        return _matrix([[int(i == j) for j in range(cols)] for i in range(rows)])
    if isinstance(node, Inverse):
        return _value(node.arg, point).inv()
    if isinstance(node, Product):
        first, *others = (_value(factor, point) for factor in node.factors)
        for other in others:
            first = first * other
        return first
    assert isinstance(node, Sum)
    total = _matrix([[0] * cols for _ in range(rows)])
    for coefficient, term in node.terms:
        total = total + _value(term, point) * fmpz(point.scalar(coefficient))
    return total


def _matrix(rows: list[list[int]]) -> nmod_mat:
    return nmod_mat(len(rows), len(rows[0]), [fmpz(v) for row in rows for v in row], PRIME)


class BlockElimination:
    """L over polynomials in atoms and inverses; transposed, with products read backwards, when ``flipped``."""

    def __init__(self, pencil: Pencil, symmetric: set[sp.MatrixSymbol], flipped: bool, seed: int) -> None:
        self.flipped, self.symmetric, self.rng = flipped, symmetric, random.Random(seed)
        self.point = RandomPoint(symmetric)
        self.expand, self.back, self.clear = seed % 2 == 0, seed % 4 >= 2, seed % 3 == 2
        self.heights, self.widths = pencil.equations, pencil.states
        if flipped:
            self.heights, self.widths = self.widths, self.heights
        self.rows: list[dict[int, Poly]] = [{} for _ in self.heights]
        for (i, j), entry in pencil.entries.items():
            poly: Poly = {}
            for key, coefficient in entry.items():
                word: Word = () if key is None else (self._atom(*key),)
                poly[word] = coefficient
            row, column = (j, i) if flipped else (i, j)
            self.rows[row][column] = poly

    def _atom(self, symbol: sp.MatrixSymbol, transposed: bool) -> Atom:
        rows, cols = symbol.shape[::-1] if transposed else symbol.shape
        return Atom(rows, cols, symbol, transposed and symbol not in self.symmetric)

    def block(self, state: int, equation: int) -> Node | None:
        """x_k of L x = e_l; None where no pivot is left. With ``back`` any unknown may be the last, and x_k follows from it."""
        wanted, given = (equation, state) if self.flipped else (state, equation)
        right: list[Poly] = [{(): sp.S.One} if i == given else {} for i in range(len(self.rows))]
        rows, live = [dict(row) for row in self.rows], set(range(len(self.rows)))
        solved: list[tuple[int, int, Poly]] = []  # row, its unknown, the inverse of the pivot
        while len(live) > 1:
            choice = self._pivot(rows, live, None if self.back else wanted)
            if choice is None:
                return None
            row, column = choice
            inverse = self._inverse(rows[row][column], self.heights[row])
            live.remove(row)
            solved.append((row, column, inverse))
            for other in [i for i in live if column in rows[i]]:
                factor = self._times(rows[other].pop(column), inverse)
                for j, poly in rows[row].items():
                    if j != column:
                        rows[other][j] = _minus(rows[other].get(j, {}), self._times(factor, poly))
                        if not rows[other][j]:
                            del rows[other][j]
                right[other] = _minus(right[other], self._times(factor, right[row]))
        (last,) = live
        if len(rows[last]) != 1:
            return None
        ((column, poly),) = rows[last].items()
        if not self._invertible(poly, self.heights[last], self.widths[column]):
            return None
        solved.append((last, column, self._inverse(poly, self.heights[last])))
        values: dict[int, Poly] = {}
        while wanted not in values:
            row, column, inverse = solved.pop()
            total = right[row]
            for j, value in values.items():
                if j in rows[row]:
                    total = _minus(total, self._times(rows[row][j], value))
            values[column] = self._times(inverse, total)
        space, end = self.widths[wanted], self.heights[given]
        return _node(values[wanted], end, space) if self.flipped else _node(values[wanted], space, end)

    def _pivot(self, rows: list[dict[int, Poly]], live: set[int], last: int | None) -> tuple[int, int] | None:
        """Numbers before matrices, then the least fill-in, then chance. Matrices with an identity in them only: others, such
        as W*W.T, may be singular at the true dimensions (the last one is not, since L is not)."""
        found = []
        for i in sorted(live):
            for j, poly in rows[i].items():
                if j != last and () in poly:
                    column = sum(j in rows[r] for r in live)
                    found.append(((len(poly) > 1, (len(rows[i]) - 1) * (column - 1), _length(poly), self.rng.random()), i, j))
        for _, i, j in sorted(found):
            if self._invertible(rows[i][j], self.heights[i], self.widths[j]):
                return i, j
        return None

    def _invertible(self, poly: Poly, rows: Space, cols: Space) -> bool:
        if rows != cols:
            return False
        if list(poly) == [()]:
            return True
        try:
            return bool(_value(_node(poly, rows, cols), self.point).det() != 0)
        except ZeroDivisionError:
            return False

    def _inverse(self, poly: Poly, space: Space) -> Poly:
        if len(poly) == 1:
            ((word, coefficient),) = poly.items()
            if all(letter.rows == letter.cols for letter in word):
                inverted = tuple(
                    letter.arg
                    if isinstance(letter, Inverse) and isinstance(letter.arg, Atom)
                    else Inverse(letter.rows, letter.rows, letter)
                    for letter in reversed(word)
                )
                return {inverted: 1 / coefficient}
        # a sign, and denominators, go in front: inv(-X - Y/n) is -n*inv(n*X + Y)
        common = sp.S.NegativeOne if all(c.could_extract_minus_sign() for c in poly.values()) else sp.S.One
        if self.clear:
            common /= sp.lcm([sp.denom(sp.together(c)) for c in poly.values()])
        inner = _node({word: sp.cancel(c / common) for word, c in poly.items()}, space, space)
        return {(Inverse(space, space, inner),): 1 / common}

    def _times(self, left: Poly, right: Poly) -> Poly:
        if not self.expand:
            left, right = _one_letter(left, right), _one_letter(right, left)
        total: Poly = {}
        for (a, x), (b, y) in ((s, t) for s in left.items() for t in right.items()):
            _accumulate(total, _joined(b, a) if self.flipped else _joined(a, b), x * y)
        if _length(total) > LONGEST:
            raise TooLong
        return total


def _one_letter(poly: Poly, other: Poly) -> Poly:
    """A sum as a letter of its own, beside a factor that is no number."""
    if len(poly) < 2 or list(other) in ([], [()]):
        return poly
    word = max(poly, key=len)
    sign = sp.S.NegativeOne if next(iter(poly.values())).could_extract_minus_sign() else sp.S.One
    return {(_node({w: sign * c for w, c in poly.items()}, word[0].rows, word[-1].cols),): sign}


def _accumulate(total: Poly, word: Word, coefficient: sp.Expr) -> None:
    summed = sp.cancel(total[word] + coefficient) if word in total else coefficient
    if summed == 0:
        total.pop(word, None)
    else:
        total[word] = summed


def _joined(left: Word, right: Word) -> Word:
    """The product, without X * inv(X)."""
    while left and right and (_undoes(left[-1], right[0]) or _undoes(right[0], left[-1])):
        left, right = left[:-1], right[1:]
    return left + right


def _undoes(one: Node, other: Node) -> bool:
    return isinstance(one, Inverse) and one.arg == other


def _minus(left: Poly, right: Poly) -> Poly:
    total = dict(left)
    for word, coefficient in right.items():
        _accumulate(total, word, -coefficient)
    return total


def _length(poly: Poly) -> int:
    return sum(1 + sum(_letters(letter) for letter in word) for word in poly)


def _letters(node: Node) -> int:
    if isinstance(node, Inverse):
        return 1 + _letters(node.arg)
    if isinstance(node, Product):
        return sum(_letters(factor) for factor in node.factors)
    return sum(_letters(term) for _, term in node.terms) if isinstance(node, Sum) else 1


def _node(poly: Poly, rows: Space, cols: Space) -> Node:
    """The polynomial as a tree, longer products first and the identity last."""
    terms = []
    for word, coefficient in poly.items():
        node: Node = Identity(rows, cols) if not word else word[0] if len(word) == 1 else Product(rows, cols, word)
        terms.append((coefficient, node))
    terms.sort(key=lambda term: (isinstance(term[1], Identity), term[0].could_extract_minus_sign(), text(term[1])))
    return terms[0][1] if [c for c, _ in terms] == [1] else Sum(rows, cols, tuple(terms))
