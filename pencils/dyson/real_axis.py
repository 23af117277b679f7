"""The physical solution of a Dyson equation at real points outside the spectrum, up to its edges, in ball arithmetic."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import sympy as sp
from flint import acb, arb, fmpq

from pencils.dyson.branch import Follower
from pencils.dyson.certified import BallSystem
from pencils.dyson.equation import Dyson
from pencils.dyson.floats import FloatSystem
from pencils.errors import ConvergenceError
from pencils.exact.balls import compile_balls
from pencils.exact.numbers import bits_for

CLOSEST = Fraction(1, 2**70)  # how near an edge is approached, in units of the width of the gap or of the first step
FIRM = 4  # points on the way to an edge that are found from the upper half plane, the others from those before them
STEP = 16  # the distance to an edge is divided by this


@dataclass(frozen=True)
class Point:
    """A real spectral parameter, exact, and the certified unknowns there."""

    x: Fraction
    g: tuple[Any, ...]


class RealBranch:
    """g(x) of ``dyson`` at fixed parameters, for real x outside the spectrum."""

    def __init__(self, dyson: Dyson, spectral: sp.Symbol, parameters: Mapping[sp.Symbol, sp.Expr]) -> None:
        self.pairs = list(dict.fromkeys([*[t.pair for t in dyson.terms], *dyson.pairs]))
        self.spectral = spectral
        self.dyson = dyson
        self.follower = Follower(Dyson(dyson.pencil, dyson.ensembles))  # the traces alone: forms are explicit in them
        self.system = BallSystem(dyson, self.pairs)
        self.floats = {s: np.array([complex(v)]) for s, v in parameters.items()}
        self.constants = {s: _constant(v) for s, v in parameters.items()}

    def at(self, x: Fraction, digits: int, start: Any = None) -> Point:
        """The certified solution nearest to ``start``; without one, the physical solution, found from the upper half plane."""
        (start,) = self._starts([x]) if start is None else (start,)
        return Point(x, tuple(self.system.polish(start, self.values(x), digits)))

    def _starts(self, xs: list[Fraction]) -> Any:
        """The physical solutions in float64, all points at once."""
        places = np.array([complex(x) for x in xs])
        floats = {s: np.broadcast_to(v, places.shape) for s, v in self.floats.items()}
        parameters = {**floats, self.spectral: places}
        traces, found = self.follower.solve(parameters)
        system = FloatSystem(self.dyson, parameters, self.pairs)
        g = np.zeros((system.batch, len(self.pairs)), complex)
        for k, pair in enumerate(traces.pairs):
            if pair in self.pairs:
                g[:, self.pairs.index(pair)] = found[:, k]
        return system.traces(system.inverses(g))

    def values(self, x: Fraction, radius: Fraction = Fraction(0)) -> dict[sp.Symbol, Any]:
        """Every parameter as a function of the bits, the spectral one a ball around x."""
        return {**self.constants, self.spectral: lambda bits: arb(_rational(x), _rational(radius))}

    def around(self, point: Point, radius: Fraction, digits: int) -> list[Any]:
        """Enclosure of g on the interval of a radius around a point, which must be small beside 10^-digits."""
        return self.system.polish(list(point.g), self.values(point.x, radius), digits)

    def slope(self, point: Point, digits: int) -> list[Any]:
        """Enclosure of dg/dx."""
        return self.slope_of(list(point.g), self.values(point.x), digits)

    def slope_of(self, g: list[Any], values: dict[sp.Symbol, Any], digits: int) -> list[Any]:
        return self.system.derivative(g, values, bits_for(digits), self.spectral)

    def approach(self, edge: Fraction, inner: Fraction, digits: int) -> Iterator[Point]:
        """Points from ``inner`` towards an edge, ever nearer, as far as the branch can be told from the others.

        The next g is predicted from the last three as the edge's power law has it: with g = a + b d^s at distance d, the
        differences have the ratio STEP^-s. At a square root, g = a +- b d^(1/2), the other branch is 2 b d^(1/2) away and the last
        point 3 b d^(1/2): what is nearer than a quarter of the latter is taken for the right one.
        """
        distances = [(inner - edge) / STEP**k for k in range(FIRM)]
        try:
            starts = self._starts([edge + d for d in distances])
        except ConvergenceError:
            return
        last: list[Point] = []
        for distance, start in zip(distances, starts, strict=True):
            last.append(self.at(edge + distance, digits, start))
            yield last[-1]
        distance = distances[-1] / STEP
        while abs(distance) > CLOSEST * abs(inner - edge):
            guess = _extrapolate(*(p.g for p in last[-3:]))
            try:
                point = self.at(edge + distance, digits, guess)
            except ConvergenceError:
                return
            if not 4 * _distance(point.g, guess) < _distance(last[-1].g, guess):
                return
            yield point
            last.append(point)
            distance /= STEP


def _extrapolate(first: Any, second: Any, third: Any) -> list[Any]:
    found = []
    for a, b, c in zip(first, second, third, strict=True):
        a, b, c = a.mid(), b.mid(), c.mid()
        ratio = (c - b) / (b - a) if abs(b - a) > 0 else acb(0)
        found.append((c + ratio * (c - b)).mid() if ratio.is_finite() and abs(ratio) < 2 * STEP else c)
    return found


def _distance(left: Any, right: Any) -> arb:
    return sum((abs(a.mid() - b.mid()) ** 2 for a, b in zip(left, right, strict=True)), arb(0)).sqrt().mid()


def _constant(value: sp.Expr) -> Any:
    compiled = compile_balls(value)
    return lambda bits: compiled()


def _rational(x: Fraction) -> arb:
    return arb(fmpq(x.numerator, x.denominator))
