"""Second route to the moment matrix: the sphere integrated by Gamma functions, on all tensors of order k, in mpmath.

The matrix is r^k x r^k, indexed by tuples of coordinates; its zero eigenvalues are the tensors that are not symmetric. No
pairings, no basis of polynomials and no exact algebra are shared with ``theory.hessian.moment_matrix``; kappa and the bound
(r d kappa^2)^-k come from the least eigenvalue of the matrix of order 1, floor and least_ratio from that at H = 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import permutations, product
from typing import Any

import mpmath

from pencils.exact.numbers import Number
from pencils.language.parse import parse, to_sympy


class Sphere:
    """E (H w)^{(x) 2k} in the coordinates of H's eigenvectors, eigenvalues and eigenvectors found numerically."""

    def __init__(self, ctx: Any, k: int, h: list[Any], d: int | None) -> None:
        self.ctx, self.k, self.r, self.d = ctx, k, len(h), d
        tuples = list(product(range(self.r), repeat=k))
        matrix = ctx.matrix(len(tuples), len(tuples))
        moments: dict[tuple[int, ...], Any] = {}
        for i, left in enumerate(tuples):
            for j, right in enumerate(tuples):
                powers = tuple((left + right).count(place) for place in range(self.r))
                if powers not in moments:
                    moments[powers] = self._moment(powers)
                scale = ctx.one
                for place in left + right:
                    scale *= h[place]
                matrix[i, j] = scale * moments[powers]
        values, vectors = ctx.eigsy(matrix)
        tiny = ctx.mpf(10) ** (-ctx.dps // 2) * max(values)
        self.pairs = [(values[i], vectors[:, i]) for i in range(len(values)) if values[i] > tiny]
        self.tuples = tuples

    def _moment(self, powers: tuple[int, ...]) -> Any:
        """E w^powers on the unit sphere (or for d = infinity of sqrt(d) w): Gamma(p + 1/2) a coordinate, from the integral of
        w^powers exp(-|w|^2) in polar coordinates."""
        ctx = self.ctx
        if any(power % 2 for power in powers):
            return ctx.zero
        total = ctx.one
        for power in powers:
            total *= ctx.gamma(ctx.mpf(power + 1) / 2) / ctx.gamma(ctx.mpf(1) / 2)
        if self.d is None:
            return total * 2**self.k
        half = ctx.mpf(self.d) / 2
        return total * ctx.gamma(half) / ctx.gamma(half + self.k)

    def inverse(self, vector: Any) -> Any:
        """<v, M^+ v>."""
        return sum(((vector.T * column)[0] ** 2 / value for value, column in self.pairs), self.ctx.zero)

    def tensor(self, text: str) -> Any:
        """The symmetric tensor of a polynomial as a vector: the k-th derivatives over k!, by their definition."""
        import sympy as sp

        names = sp.symbols([f"x{place + 1}" for place in range(self.r)])
        polynomial = sp.Poly(to_sympy(parse(text), {str(name): name for name in names}, {}), *names)
        entries: dict[tuple[int, ...], Any] = dict.fromkeys(self.tuples, self.ctx.zero)
        for powers, coefficient in polynomial.terms():
            places = [place for place, power in enumerate(powers) for _ in range(power)]
            orders = set(permutations(places))
            for order in orders:
                entries[order] = self.ctx.mpf(int(coefficient.p)) / int(coefficient.q) / len(orders)
        return self.ctx.matrix([entries[place] for place in self.tuples])


def values(parameters: Mapping[str, str], digits: int) -> dict[str, Number]:
    """The numbers of ``damian2022.lemma-21``; every h_i must differ from 0."""
    ctx = mpmath.mp.clone()
    ctx.dps = 2 * digits + 20
    k = int(parameters["k"])
    exact = [Fraction(part) for part in parameters["H"].split(",")]
    d = int(parameters["d"]) if "d" in parameters else None
    h = [ctx.mpf(one.numerator) / one.denominator for one in exact]
    sphere, flat = Sphere(ctx, k, h, d), Sphere(ctx, k, [ctx.one] * len(h), d)
    distinct: list[Any] = []
    for value in sorted(value for value, _ in sphere.pairs):
        if not distinct or value > distinct[-1] * (1 + ctx.mpf(10) ** (-digits)):
            distinct.append(value)
    size = 1 if d is None else d
    # at order 1 the matrix is H^2/d: its least eigenvalue is |H^+|^-2/d = 1/(r d kappa^2)
    first = min(value for value, _ in Sphere(ctx, 1, h, d).pairs)
    kappa = ctx.sqrt(1 / (len(h) * size * first))
    bound = first**k
    corner = ctx.matrix([1 if place == (0,) * k else 0 for place in flat.tuples])
    least = min(value for value, _ in flat.pairs) * size**k
    turns = (2 * ctx.pi) ** k
    found: dict[str, Any] = {f"eigenvalues[{place}]": value for place, value in enumerate(distinct)}
    found |= {
        "kappa": kappa,
        "smallest": distinct[0],
        "largest": distinct[-1],
        "bound": bound,
        "ratio": distinct[0] / bound,
        "least_ratio": least,
        "greatest_ratio": size**k / flat.inverse(corner),
        "floor": least * bound,
        "gradient_smallest": distinct[0] / turns,
    }
    if "tensor" in parameters:
        tensor = sphere.tensor(parameters["tensor"])
        square = (tensor.T * tensor)[0]
        found |= {
            "tensor_square": square,
            "second_moment": sphere.inverse(tensor) * turns,
            "second_moment_bound": square / (least * bound) * turns,
        }
    return found
