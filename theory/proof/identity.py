"""Are two expressions the same function? Decided by exact algebra, refuted by a witness, or left undecided and said so.

A difference that exact algebra (``theory.proof.algebra``) reduces to zero proves the identity; anything else proves nothing, so
the verdict "different" always carries a point at which two ball enclosures are disjoint.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import sympy as sp
from flint import acb

from pencils.errors import GradstepError
from pencils.exact.balls import compile_balls, enclose
from pencils.exact.numbers import to_ball, working_precision
from theory.proof.algebra import same_condition, same_gap, vanishes
from theory.proof.points import Point, far_points, midpoint, random_points
from theory.proof.symbols import COMMON, Alphabet


@dataclass(frozen=True)
class Decision:
    """``verdict`` is "identical" (proved), "different" (a witness), "agrees" (equal at every point tried, not proved) or
    "undecided"; ``how`` says what decided it; ``rigorous`` whether it is a proof."""

    verdict: str
    how: str
    rigorous: bool
    witness: Point = field(default_factory=dict)
    values: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return self.verdict == "identical"

    @property
    def supports(self) -> bool:
        """True when the two sides were found equal, by proof or numerically."""
        return self.verdict in ("identical", "agrees")


def identity(
    left: sp.Basic,
    right: sp.Basic,
    points: Iterable[Point] | None = None,
    count: int = 6,
    seed: int = 0,
    alphabet: Alphabet = COMMON,
) -> Decision:
    """Compare two scalar expressions, Piecewise expressions or comparisons.

    ``points`` overrides the random exact points drawn in the domains of the ``alphabet``. Points can refute; only exact
    algebra can prove, and comparisons are never called equal because they agreed at points.
    """
    if left == right:
        return Decision("identical", "the same expression", True)
    symbols = sorted(left.free_symbols | right.free_symbols, key=lambda s: s.name)  # type: ignore[attr-defined]
    chosen: list[Point] = (
        list(points)
        if points is not None
        else [*random_points(symbols, count, seed, alphabet), *far_points(symbols, 2 * count, seed, alphabet)]
    )
    tried, refuted = _refute(left, right, chosen, 240)
    if refuted is not None:
        return refuted
    reason = _proved(left, right)
    if reason is not None:
        return Decision("identical", reason, True)
    conditions = list(zip(_conditions(left), _conditions(right), strict=False))
    for one, other in conditions:
        witness = _border_witness(one, other, symbols, seed, alphabet)
        if witness is not None:
            return witness
    if conditions:
        return Decision(
            "undecided",
            "the conditions could not be proved equivalent, and no point was found at which they differ",
            False,
        )
    _, refuted = _refute(left, right, chosen, 1200)
    if refuted is not None:
        return refuted
    if tried >= 3:
        return Decision("agrees", f"equal to 300 digits at {tried} random exact points, not proved", False)
    return Decision("undecided", "neither proved, nor refuted at a point where both sides are defined", False)


def _refute(left: sp.Basic, right: sp.Basic, points: list[Point], bits: int) -> tuple[int, Decision | None]:
    """(points at which both sides were defined, a refutation if one was found)."""
    tried = 0
    for point in points:
        values = [_at(side, point, bits) for side in (left, right)]
        if None in values:
            continue
        if values.count(UNDEFINED) == 1:
            shown = tuple("undefined" if v is UNDEFINED else _shown(v, v)[0] for v in values)
            return tried, Decision("different", "only one side is defined at a point", True, dict(point), shown)
        if UNDEFINED in values:
            continue
        tried += 1
        if _disjoint(*values):
            return tried, Decision("different", "disjoint enclosures at a point", True, dict(point), _shown(*values))
    return tried, None


def _conditions(side: sp.Basic) -> list[sp.Basic]:
    """The comparisons that a side makes."""
    if isinstance(side, sp.core.relational.Relational):
        return [side]
    return [condition for piece in side.atoms(sp.Piecewise) for _, condition in piece.args if condition != sp.true]


def _border_witness(one: sp.Basic, other: sp.Basic, symbols: list[sp.Symbol], seed: int, alphabet: Alphabet) -> Decision | None:
    """A point between the borders of two comparisons: bisect along segments that cross one border, ask the other there."""
    if same_gap(one, other):
        return Decision("different", "the same but for the border, where only one of them holds", True)
    found = [*random_points(symbols, 12, seed + 1, alphabet), *far_points(symbols, 12, seed + 1, alphabet)]
    for first, second in ((one, other), (other, one)):
        sides: dict[bool, list[Point]] = {True: [], False: []}
        for point in found:
            answer = _at(first, point)
            if isinstance(answer, bool):
                sides[answer].append(point)
        for inside in sides[True][:4]:
            for outside in sides[False][:4]:
                low, high = dict(inside), dict(outside)
                for _ in range(24):
                    middle = midpoint(low, high, alphabet)
                    if _at(first, middle) is True:
                        low = middle
                    else:
                        high = middle
                answers = [_at(second, point) for point in (low, high)]
                for point, holds, answer in ((low, True, answers[0]), (high, False, answers[1])):
                    if isinstance(answer, bool) and answer is not holds:
                        values = (str(holds), str(answer)) if first is one else (str(answer), str(holds))
                        return Decision("different", "the conditions differ at a point", True, point, values)
    return None


class _Undefined:
    """The value of a side where it is not defined."""


UNDEFINED = _Undefined()


def _ball(value: Any) -> Any:
    return to_ball(value) if isinstance(value, Fraction) else compile_balls(value)()


def _at(side: sp.Basic, point: Point, bits: int = 240) -> Any:
    """Ball (or truth value) of one side at a point; UNDEFINED where it is not defined, None where that is not known."""
    with working_precision(bits):
        balls = {symbol: _ball(value) for symbol, value in point.items()}
        try:
            if isinstance(side, (sp.core.relational.Relational, sp.logic.boolalg.BooleanAtom)):
                return truth(side, balls)
            value = enclose(select_branches(side, balls), balls)
        except ZeroDivisionError:
            return UNDEFINED
        except GradstepError:
            return None
        return value if value.is_finite() else UNDEFINED


def truth(relation: sp.Basic, balls: Mapping[sp.Symbol, Any]) -> bool | None:
    """Truth of a comparison at balls; None where the enclosures overlap and so cannot decide."""
    if relation in (sp.true, sp.false):
        return bool(relation)
    gap = enclose(relation.lhs - relation.rhs, balls)  # type: ignore[attr-defined]
    if isinstance(gap, acb):
        if not gap.imag.contains(0):
            return None  # complex numbers are not ordered
        gap = gap.real
    if gap > 0:
        return isinstance(relation, (sp.Gt, sp.Ge, sp.Ne))
    if gap < 0:
        return isinstance(relation, (sp.Lt, sp.Le, sp.Ne))
    if gap.is_zero():
        return isinstance(relation, (sp.Ge, sp.Le, sp.Eq))
    return None


def select_branches(expr: sp.Basic, balls: Mapping[sp.Symbol, Any], decide: Any = None) -> sp.Basic:
    """``expr`` with every Piecewise replaced by the branch that holds at the balls, so that the others, which may be
    undefined there, are never evaluated. ``decide(relation)`` answers what the enclosures leave open; without it an
    open comparison raises GradstepError."""
    if isinstance(expr, sp.Piecewise):
        for value, condition in expr.args:
            holds = truth(condition, balls)
            if holds is None:
                if decide is None:
                    raise GradstepError(f"{condition} cannot be decided at this precision")
                holds = decide(condition)
            if holds:
                return select_branches(value, balls, decide)
        raise GradstepError("no branch of the Piecewise holds")
    if not expr.args or not expr.has(sp.Piecewise):
        return expr
    return expr.func(*[select_branches(arg, balls, decide) for arg in expr.args])


def _disjoint(left: Any, right: Any) -> bool:
    if isinstance(left, bool) or isinstance(right, bool):
        return bool(left != right)
    return not acb(left).overlaps(acb(right))


def _shown(left: Any, right: Any) -> tuple[str, str]:
    """Both values with as many digits as it takes to see that they differ."""
    for digits in (20, 40, 65):
        texts = tuple(str(value) if isinstance(value, bool) else value.str(digits, radius=False) for value in (left, right))
        if texts[0] != texts[1]:
            break
    return texts[0], texts[1]


def _proved(left: sp.Basic, right: sp.Basic) -> str | None:
    """How the identity was proved, or None."""
    if isinstance(left, sp.Piecewise) or isinstance(right, sp.Piecewise):
        return _proved_by_branches(left, right)
    if isinstance(left, sp.core.relational.Relational) and isinstance(right, sp.core.relational.Relational):
        return "equivalent comparisons: the two gaps have a positive ratio" if same_condition(left, right) else None
    if not isinstance(left, sp.Expr) or not isinstance(right, sp.Expr):
        return None
    if vanishes(left - right):
        return "exact algebra: the difference reduces to 0"
    if sp.count_ops(left - right) < 200 and sp.simplify(left - right) == 0:
        return "simplification reduces the difference to 0"
    return None


def _proved_by_branches(left: sp.Basic, right: sp.Basic) -> str | None:
    if not (isinstance(left, sp.Piecewise) and isinstance(right, sp.Piecewise)) or len(left.args) != len(right.args):
        return None
    for (value, condition), (other, other_condition) in zip(left.args, right.args, strict=True):
        same = condition == other_condition or same_condition(condition, other_condition)
        if not same or _proved_or_equal(value, other) is None:
            return None
    return "exact algebra on every branch, equivalent conditions"


def _proved_or_equal(left: sp.Basic, right: sp.Basic) -> str | None:
    return "the same expression" if left == right else _proved(left, right)
