"""Population gradients at teachers without a Hessian, He_p(<u, x>)/sqrt(p!) with p >= 3, for ReLU neurons without bias.

s = <u, w>; a = <w, x> and b its orthogonal partner in the plane of u and w, so that <u, x> = s a + sqrt(1 - s^2) b. Moments of
the half plane a > 0 decide what Lemma 13 says. Source: ``damian2022`` (statements.md, section 4).
"""

from __future__ import annotations

import sympy as sp

from theory.functions.hermite_polynomials import he
from theory.proof.means import Mean
from theory.proof.steps import Proof
from theory.proof.symbols import symbols

d, p, mu = symbols("d degree mu1_star")
_s, _a, _b = sp.symbols("s a b", real=True)
_r = sp.sqrt(1 - _s**2)
_u = _s * _a + _r * _b


def half_plane(polynomial: sp.Expr) -> Mean:
    """E of a polynomial in a, b over a > 0."""
    return Mean(polynomial, (_a, _b), True)


def _sphere(k: int) -> sp.Expr:
    return sp.factorial2(2 * k - 1) / sp.Mul(*[d + 2 * j for j in range(k)])


def _coefficient(k: int) -> Mean:
    """c_k = E He_k(z) max(z, 0)."""
    return Mean(sp.expand(_a * he(k, _a)), (_a,), True)


def _gradient(proof: Proof, order: int) -> tuple[sp.Expr, sp.Expr]:
    """(A, B) of g(w) = A s^(p-1) u + B s^p w, checked on its two components."""
    teacher = he(order, _u) / sp.sqrt(sp.factorial(order))
    A = _coefficient(order).doit() * sp.sqrt(sp.factorial(order)) / sp.factorial(order - 1)
    B = _coefficient(order + 2).doit() / sp.sqrt(sp.factorial(order))
    along, across = A * _s**order + B * _s**order, A * _s ** (order - 1) * _r
    proof.step(half_plane(teacher * _a), along, f"<g, w> at p = {order} over the half plane: (A + B) s^p, as Lemma 13 has it")
    proof.step(half_plane(teacher * _b), across, "<g, w'>, w' the unit vector beside w: A s^(p-1) sqrt(1 - s^2)")
    return A, B


def _mean_square(proof: Proof, order: int) -> sp.Expr:
    A, B = _gradient(proof, order)
    proof.step(
        (A + B) ** 2 * _s ** (2 * order) + A**2 * _s ** (2 * order - 2) * (1 - _s**2),
        A**2 * _s ** (2 * order - 2) + (2 * A * B + B**2) * _s ** (2 * order),
        "|g|^2",
    )
    angle = (d - 1) / 2
    for k in (order - 1, order):
        # E s^(2k) = E t^k for t = s^2 ~ Beta(1/2, (d-1)/2); the ratio of consecutive moments of a Beta law
        proof.step(
            _sphere(k) / _sphere(k - 1),
            (k - sp.Rational(1, 2)) / (k - sp.Rational(1, 2) + angle),
            f"E s^{2 * k}/E s^{2 * k - 2}: s^2 has the law Beta(1/2, (d-1)/2)",
        )
    return A**2 * _sphere(order - 1) + (2 * A * B + B**2) * _sphere(order)


def mean_square_4(proof: Proof) -> None:
    """pi E|g(w)|^2 over the sphere at p = 4"""
    whole = _mean_square(proof, 4)
    proof.step(sp.pi * whole, 5 / (d * (d + 2) * (d + 4)) * (1 - sp.Rational(105, 16) / (d + 6)), "at every d")


def _order(proof: Proof, order: int) -> None:
    whole = _mean_square(proof, order)
    limit = _coefficient(order).doit() ** 2 * order * sp.factorial2(2 * order - 3) / sp.factorial(order - 1)
    scaled = sp.cancel(sp.expand(sp.pi * d ** (order - 1) * whole))
    proof.step(sp.pi * d ** (order - 1) * whole, scaled, "pi d^(p-1) E|g|^2, rational in d")
    proof.step(sp.Limit(scaled, d, sp.oo), sp.pi * limit, "d^(p-1) E|g|^2 -> c_p^2 p (2p-3)!!/(p-1)!, which is not 0")
    power = sp.Rational(1 - order, 2)
    ratio = sp.Limit(sp.sqrt(sp.cancel(scaled / (sp.pi * limit))), d, sp.oo)
    proof.step(ratio * d**power, d**power, "so that the root mean square is a constant times this")


def gradient_4(proof: Proof) -> None:
    """|g(w)| is of order d^(-3/2) at p = 4"""
    _order(proof, 4)


def gradient_6(proof: Proof) -> None:
    """|g(w)| is of order d^(-5/2) at p = 6"""
    _order(proof, 6)


def gradient_even(proof: Proof) -> None:
    """|g(w)| is of order d^(-(p-1)/2) at even p"""
    j, rest = sp.symbols("j m", nonnegative=True)
    p2 = 2 + j + rest  # the factors d + 2j of the moment have j <= p - 2
    proof.bound(d, d + 2 * j, 2 * j, "each of the p - 1 factors of d (d+2) ... (d+2p-4) is at least d")
    proof.bound(d + 2 * j, d + 2 * p2, 2 * rest + 4, "and at most d + 2p")
    proof.step(sp.Limit((d / (d + 2 * p)) ** (p - 1), d, sp.oo), 1, "so that d^(p-1) E s^(2p-2) -> (2p-3)!!")
    proof.assume("He_(k+2)(0) = -(k+1) He_k(0), their recursion at 0: not 0 at even k, 0 at odd k")
    for order in (4, 6, 8):
        at_zero = he(order - 2, 0)
        proof.step(_coefficient(order), at_zero / sp.sqrt(2 * sp.pi), f"c_p = He_(p-2)(0)/sqrt(2 pi) of ReLU is not 0, p = {order}")
    square = proof.define(sp.Symbol("M_s", positive=True), d ** (1 - p))
    proof.step(sp.sqrt(square), d ** (-(p - 1) / 2), "the root of d^(1-p) = M_s; E s^(2p) is smaller by 1/d")


def gradient_odd(proof: Proof) -> None:
    """An odd teacher leaves C_1/2 of the gradient, which does not depend on the neuron"""
    for order in (3, 5, 7):
        teacher = mu * _u + he(order, _u) / sp.sqrt(sp.factorial(order))
        proof.step(half_plane(teacher * _a), mu * _s / 2, f"mu1* He_1 + He_{order}/sqrt({order}!): <g, w> = mu1* s/2")
        proof.step(half_plane(teacher * _b), mu * _r / 2, "and <g, w'> = mu1* sqrt(1 - s^2)/2: the vector (mu1*/2) u")
    proof.step(
        _s * (mu * _s / 2) + _r * (mu * _r / 2),
        mu / 2,
        "<g, u> at every w, which preprocessing takes to 0: f*(x) x is even, and half of E f*(x) x = C_1 is seen",
    )
