"""Teachers He_p(<u, x>)/sqrt(p!), p >= 3, whose mean Hessian is 0: what the population gradient of a ReLU neuron sees of them.

With s = <u, w>, |w| = 1, Lemma 13 of ``damian2022`` has two terms, g(w) = A s^(p-1) u + B s^p w, A = c_p sqrt(p!)/(p-1)!,
B = c_(p+2)/sqrt(p!), and c_k = 0 for odd k >= 3. So at odd p nothing is left: ReLU without bias is t/2 + |t|/2, its derivative
beyond 1/2 is odd, and f*(x) x is even. At even p, over the sphere,
E|g|^2 = A^2 E s^(2p-2) + (2AB + B^2) E s^(2p), which is of order d^(-(p-1)). Source: statements.md, section 4.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from pencils.errors import InputError
from pencils.exact.numbers import refine, to_ball
from theory.hessian.monomials import relu_multiple
from theory.register.record import Computed

MAX_P = 1000


def double_factorial(k: int) -> int:
    """k!! with (-1)!! = 1."""
    return math.prod(range(k, 0, -2))


def sphere_moment(k: int, d: int) -> Fraction:
    """E s^(2k) for a coordinate s of a uniform unit vector: (2k-1)!!/(d (d+2) ... (d+2k-2))."""
    return Fraction(double_factorial(2 * k - 1), math.prod(range(d, d + 2 * k, 2)))


def mean_square(p: int, d: int) -> Fraction:
    """2 pi E|g(w)|^2 over the sphere."""
    first, second = (Fraction(relu_multiple(k)) for k in (p, p + 2))
    a = first**2 * math.factorial(p) / Fraction(math.factorial(p - 1)) ** 2
    ab, b = first * second / math.factorial(p - 1), second**2 / math.factorial(p)
    return a * sphere_moment(p - 1, d) + (2 * ab + b) * sphere_moment(p, d)


def compute(parameters: Mapping[str, Any], digits: int) -> Computed:
    """The values of the entry ``damian2022.zero-hessian`` at p and d; ``limit`` is that of d^(p-1) E|g|^2."""
    from flint import arb

    p, d = parameters["p"], parameters["d"]
    if p > MAX_P:
        raise InputError(f"p = {p}: the exact fractions are made up to p = {MAX_P}")
    square, limit = mean_square(p, d), Fraction(relu_multiple(p) ** 2 * p * double_factorial(2 * p - 3), math.factorial(p - 1))
    notes = []
    if p % 2:
        notes.append("odd p: c_p = c_(p+2) = 0, and the population gradient is 0 at every w, not only of order d^(-(p-1)/2)")
    if p == 2:
        notes.append("p = 2: the Hessian is sqrt(2) u u^T, not 0, and the leading term is H w/sqrt(2 pi)")
    values = {
        "mean_square": refine(lambda bits: to_ball(square) / (2 * arb.pi()), digits),
        "root_mean_square": refine(lambda bits: (to_ball(square) / (2 * arb.pi())).sqrt(), digits),
        "limit": refine(lambda bits: to_ball(limit) / (2 * arb.pi()), digits),
        "exponent": to_ball(Fraction(1 - p, 2)) if p % 2 == 0 else None,
        "information_exponent": to_ball(p),
    }
    return Computed(values, {"H = 0": p > 2, "gradient != 0": square != 0}, tuple(notes))
