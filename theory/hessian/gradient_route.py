"""The population gradient without Stein's lemma or Hermite coefficients: exact integration in rotated coordinates.

With t = <w, x> and an orthonormal basis of the rest, x = t w + sum_j z_j q_j and the region <w, x> > 0 is t > 0: the integrand is a
polynomial in independent standard variables, whose moments are E z^{2m} = (2m-1)!! and int_0^inf t^m phi(t) dt =
2^{m/2-1} Gamma((m+1)/2)/sqrt(pi). The terms by order in d come from Mehler's formula: the part of f of Hermite degree m is the
coefficient of rho^m in E_z f(rho x + sqrt(1 - rho^2) z). Ranks and kappa come from floating-point singular values.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import product
from math import comb
from typing import TYPE_CHECKING, Any

from flint import arb

from pencils.exact.balls import enclose
from pencils.exact.numbers import as_ball, bits_for, to_ball, working_precision
from theory.activations.polynomial import number, polynomial
from theory.quadrature.mp import context, midpoint

if TYPE_CHECKING:
    from theory.register.model import Model

Poly = dict[tuple[int, ...], Any]  # exponents of all the coordinates -> coefficient


def gradient(sample: Mapping[str, str], digits: int) -> dict[str, Any]:
    """The values of ``theory.hessian.gradient.compute`` that are numbers, each by another way."""
    teacher = polynomial(sample["teacher"])
    preprocess = sample.get("preprocess", "true") == "true"
    with working_precision(bits_for(digits) + 80):
        w = [arb(enclose(number(part.strip(), "w"), {})) for part in sample["w"].split(",")]
        length = sum((part * part for part in w), arb(0)).sqrt()
        w = [part / length for part in w]
        d = len(w)
        f: Poly = {}
        for powers, value in teacher.terms.items():
            exponents = [0] * d
            for variable, power in zip(teacher.variables, powers, strict=True):
                exponents[variable - 1] = power
            f[tuple(exponents)] = arb(enclose(value, {}))
        units = [tuple(int(i == j) for j in range(d)) for i in range(d)]
        alpha = _mean(f)
        b = [_mean(_times(f, {one: arb(1)})) for one in units]
        energy = _mean(_times(f, f))
        degree = max((sum(powers) for powers in f), default=0)
        slopes, second = _slopes(f, d), _second_moments(f, d)
        rank, inverse = _spectrum(second, digits)
        r, _ = _spectrum([[_mean(_times(p, q)) for q in slopes] for p in slopes], digits)
        if preprocess:
            f = _plus(f, {(0,) * d: -alpha}, *({one: -part} for one, part in zip(units, b, strict=True)))
        rows = _rotation(w)
        half = _mean_times(_substituted(f, rows), rows)
        orders = _orders(f, rows, w, degree)
        found = {
            "gradient": half,
            "leading": orders[1] if degree else [arb(0)] * d,
            **{f"order_{k}": term for k, term in enumerate(orders)},
            "along_w": sum((part * own for part, own in zip(half, w, strict=True)), arb(0)),
            "alpha": alpha if preprocess else arb(0),
            "b": b if preprocess else [arb(0)] * d,
            "energy": energy,
            "r": arb(r),
            "rank_H": arb(rank),
        }
        return found | ({"kappa": inverse / arb(r).sqrt()} if r == rank and r else {})


def along_u(model: Model, digits: int) -> arb:
    """The component along u = e_1 of g(w) for f = He_3(<u, x>) + He_4(<u, x>), <u, w> the model's overlap."""
    with working_precision(bits_for(digits) + 80):
        overlap = to_ball(model.values["overlap"])
        rows = _rotation([overlap, (1 - overlap * overlap).sqrt()])
        f: Poly = {(4, 0): arb(1), (3, 0): arb(1), (2, 0): arb(-6), (1, 0): arb(-3), (0, 0): arb(3)}
        return _mean_times(_substituted(f, rows), rows)[0]


def paired(model: Model, digits: int) -> arb:
    """How many of six neurons, as Algorithm 1's simulator draws them, have a partner with the same w and the opposite a."""
    import numpy as np

    from theory.hessian.algorithm import initialise

    W, a = initialise(6, 3, np.random.default_rng(0))
    return arb(sum(any(k != j and a[k] == -a[j] and (W[k] == W[j]).all() for k in range(6)) for j in range(6)))


def _times(first: Poly, second: Poly) -> Poly:
    found: Poly = defaultdict(lambda: arb(0))
    for left, value in first.items():
        for right, other in second.items():
            found[tuple(i + j for i, j in zip(left, right, strict=True))] += value * other
    return dict(found)


def _plus(*parts: Poly) -> Poly:
    found: Poly = defaultdict(lambda: arb(0))
    for part in parts:
        for powers, value in part.items():
            found[powers] += value
    return dict(found)


def _full_moment(power: int) -> int:
    found = 1 - power % 2
    for odd in range(1, power, 2):
        found *= odd
    return found


def _half_moment(power: int) -> arb:
    """int_0^inf t^power phi(t) dt."""
    return (arb(2) ** (arb(power) / 2 - 1)) * (arb(power + 1) / 2).gamma() / arb.pi().sqrt()


def _mean(f: Poly, half: bool = False) -> arb:
    """E f over standard variables; with ``half`` the first of them is positive."""
    total = arb(0)
    for powers, value in f.items():
        moment = _half_moment(powers[0]) if half else arb(_full_moment(powers[0]))
        for power in powers[1:]:
            moment *= _full_moment(power)
        total += value * moment
    return total


def _derivative(f: Poly, place: int) -> Poly:
    return {
        (*powers[:place], powers[place] - 1, *powers[place + 1 :]): powers[place] * value
        for powers, value in f.items()
        if powers[place]
    }


def _slopes(f: Poly, d: int) -> list[Poly]:
    return [_derivative(f, place) for place in range(d)]


def _second_moments(f: Poly, d: int) -> list[list[arb]]:
    """E of the second derivatives."""
    return [[_mean(_derivative(slope, place)) for place in range(d)] for slope in _slopes(f, d)]


def _rotation(w: Sequence[arb]) -> list[Poly]:
    """Each x_i as a linear form in (t, z_2, ..., z_d): the reflection that takes the first axis to w or -w, that axis turned."""
    d = len(w)
    sign = 1 if w[0] > 0 else -1
    axis = [w[0] + sign, *w[1:]]
    square = sum((part * part for part in axis), arb(0))
    rows = []
    for i in range(d):
        row = [w[i], *((1 if i == j else 0) - 2 * axis[i] * axis[j] / square for j in range(1, d))]
        rows.append({tuple(int(j == k) for k in range(d)): value for j, value in enumerate(row)})
    return rows


def _substituted(f: Poly, rows: Sequence[Poly]) -> Poly:
    d = len(rows)
    powers_of: list[list[Poly]] = [[{(0,) * d: arb(1)}] for _ in rows]
    parts = []
    for powers, value in f.items():
        term: Poly = {(0,) * d: value}
        for place, power in enumerate(powers):
            while len(powers_of[place]) <= power:
                powers_of[place].append(_times(powers_of[place][-1], rows[place]))
            if power:
                term = _times(term, powers_of[place][power])
        parts.append(term)
    return _plus(*parts)


def _mean_times(rotated: Poly, rows: Sequence[Poly]) -> list[arb]:
    """E[f x_i; t > 0] for each i."""
    return [_mean(_times(rotated, row), half=True) for row in rows]


def _mehler(power: int) -> dict[tuple[int, int], int]:
    """E_z (rho x + sqrt(1 - rho^2) z)^power as coefficients of x^i rho^m."""
    found: dict[tuple[int, int], int] = defaultdict(int)
    for pairs in range(power // 2 + 1):
        left = power - 2 * pairs
        for j in range(pairs + 1):  # (1 - rho^2)^pairs
            found[left, left + 2 * j] += comb(power, 2 * pairs) * _full_moment(2 * pairs) * comb(pairs, j) * (-1) ** j
    return found


def _orders(f: Poly, rows: Sequence[Poly], w: Sequence[arb], degree: int) -> list[list[arb]]:
    """Terms of order d^{-k/2}: E[grad F; t > 0], F the part of Hermite degree k + 1, and w E[F | t = 0]/sqrt(2 pi) for degree k."""
    d = len(w)
    parts: list[Poly] = [defaultdict(lambda: arb(0)) for _ in range(degree + 2)]
    for powers, value in f.items():
        for choice in product(*(_mehler(power).items() for power in powers)):
            weight = 1
            for _, coefficient in choice:
                weight *= coefficient
            parts[sum(m for (_, m), _ in choice)][tuple(i for (i, _), _ in choice)] += value * weight
    density = 1 / (2 * arb.pi()).sqrt()
    found = []
    for k in range(degree + 1):
        slopes = [_mean(_substituted(slope, rows), half=True) for slope in _slopes(parts[k + 1], d)]
        on_plane = _mean({powers: value for powers, value in _substituted(parts[k], rows).items() if powers[0] == 0})
        found.append([slope + density * on_plane * own for slope, own in zip(slopes, w, strict=True)])
    return found


def _spectrum(matrix: Sequence[Sequence[arb]], digits: int) -> tuple[int, arb]:
    """(rank, 1/least singular value that is not 0) of a matrix, from floating-point singular values."""
    ctx = context(digits + 30)
    values = ctx.svd_r(ctx.matrix([[midpoint(ctx, entry) for entry in row] for row in matrix]), compute_uv=False)
    nonzero = [value for value in values if value > ctx.mpf(10) ** (-digits // 2)]
    return len(nonzero), as_ball(1 / min(nonzero)) if nonzero else arb(0)
