"""The population gradient of a ReLU neuron for a polynomial teacher, exactly, at any d. Source: ``damian2022``, Lemma 13.

g(w) = E[(f(x) - alpha - b.x) x sigma'(<w, x>)], |w| = 1, x ~ N(0, I_d). With sigma = sum c_k He_k/k! and
P_k(w) = C_k(w, ..., w)/k!, Stein's lemma (``derivations.damian2022.gradient``) gives, with f - alpha - b.x in place of f where the
teacher is preprocessed,
    g(w) = sum_k [ c_{k+1} grad P_{k+1}(w) + c_{k+2} P_k(w) w ],
a finite sum: P_k = 0 above the degree of f. The k-th bracket is of order d^{-k/2} for w uniform on the sphere and few directions;
the bracket of k = 1 is H w/sqrt(2 pi).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import mpmath as mp
import sympy as sp
from flint import arb, arb_mat

from pencils.errors import InputError
from pencils.exact.balls import enclose
from pencils.exact.numbers import refine
from theory.activations.polynomial import PolynomialTeacher
from theory.hessian.monomials import relu_coefficient
from theory.register.record import Computed


def unit(w: Sequence[sp.Expr]) -> tuple[list[sp.Expr], bool]:
    """(w/|w|, whether |w| was 1). InputError where |w|^2 is no rational, which would need roots of roots."""
    square = sp.expand(sum(part**2 for part in w))
    if not square.is_Rational or square == 0:
        raise InputError(f"w: |w|^2 = {square}; give w of rational length squared, not 0, so that w/|w| is exact")
    return [sp.expand(part / sp.sqrt(square)) for part in w], square == 1


def brackets(teacher: PolynomialTeacher, w: Sequence[sp.Expr], preprocess: bool = True) -> list[list[sp.Expr]]:
    """The terms k = 0, 1, ... of the series at a unit vector w, each a vector of shape d = len(w); their sum is g(w)."""
    found = []
    for k in range(teacher.degree + 1):
        # taking off alpha and b.x leaves C_k for k > 1 and removes C_0 and C_1
        slope = [sp.S.Zero] * len(w) if preprocess and k == 0 else teacher.contracted_gradient(k + 1, w)
        value = sp.S.Zero if preprocess and k <= 1 else teacher.contracted(k, w)
        first, second = relu_coefficient(k + 1), relu_coefficient(k + 2)
        found.append([sp.expand(first * part + second * value * own) for part, own in zip(slope, w, strict=True)])
    return found


def compute(parameters: Mapping[str, Any], digits: int) -> Computed:
    """g(w), its terms by order in d, what preprocessing takes off, and the teacher's energy, rank and condition number."""
    teacher: PolynomialTeacher = parameters["teacher"]
    preprocess = parameters.get("preprocess", True)
    d = len(parameters["w"])
    if d < teacher.smallest_d:
        raise InputError(f"w has {d} coordinates and the teacher uses x{teacher.smallest_d}: d is the length of w")
    w, was_unit = unit(parameters["w"])
    orders = brackets(teacher, w, preprocess)
    gradient = [sp.expand(sum(parts)) for parts in zip(*orders, strict=True)]
    leading = [sp.expand(part) for part in teacher.hessian(d) * sp.Matrix(w) / sp.sqrt(2 * sp.pi)]
    slope = teacher.slope(d)
    satisfied = teacher.hessian_rank == teacher.directions > 0
    values: dict[str, Any] = {
        "gradient": _balls(gradient, digits),
        "leading": _balls(leading, digits),
        **{f"order_{k}": _balls(term, digits) for k, term in enumerate(orders)},
        "along_w": _ball(sum(part * own for part, own in zip(gradient, w, strict=True)), digits),
        "alpha": _ball(teacher.mean if preprocess else sp.S.Zero, digits),
        "b": _balls(slope if preprocess else [sp.S.Zero] * d, digits),
        "energy": _ball(teacher.energy, digits),
        "r": arb(teacher.directions),
        "rank_H": arb(teacher.hessian_rank),
        "kappa": condition(teacher, digits) if satisfied else "infinite",
    }
    notes = [f"|w| is not 1: g is taken at w/|w| = ({', '.join(map(str, w))})"] if not was_unit else []
    if not preprocess and (any(slope) or teacher.mean != 0):
        notes.append("without preprocessing order_0 = C_1/2 + C_0 w/sqrt(2 pi) is of order one: C_1/2 moves all neurons one way")
    if not satisfied:
        notes.append(
            f"Assumption 2 fails: H has rank {teacher.hessian_rank}, the teacher depends on r = {teacher.directions} directions; "
            "kappa is infinite"
            + "; but rank H are left when the linear part is taken off"
            * (0 < teacher.hessian_rank == teacher.curved_directions)
        )
    hypotheses = {"Assumption 2: rank H = r": satisfied, "E f*^2 = 1": teacher.energy == 1}
    return Computed(values, hypotheses, tuple(notes))


def condition(teacher: PolynomialTeacher, digits: int) -> arb:
    """kappa = |H^+|_op / sqrt(r), r the number of directions; for H of rank at least 1."""
    return refine(
        lambda bits: 1 / (_least_eigenvalue(teacher.core(), teacher.hessian_rank, bits) * arb(teacher.directions).sqrt()),
        digits,
        "kappa",
    )


def _least_eigenvalue(hessian: sp.Matrix, rank: int, bits: int) -> arb:
    """The least modulus of the eigenvalues of H that are not 0, which are as many as its rank, eigenvalues repeated or not.

    Approximate eigenvectors V and eigenvalues D are certified: with E = V^T H V - D and F = V^T V - I, H is orthogonally similar to
    S (D + E) S, S = (I + F)^{-1/2}, and |S - I| <= |F| =: f for f <= 1/2; so by Weyl's inequality the moduli, in order, are off by
    at most (1 + f)^2 |E| + (2 f + f^2) |D|.
    """
    exact = arb_mat([[enclose(entry, {}) for entry in row] for row in hessian.tolist()])
    size = hessian.rows
    with mp.workprec(bits):
        values, vectors = mp.eigsy(mp.matrix([[_midpoint(exact[i, j]) for j in range(size)] for i in range(size)]))
        moduli = [abs(_ball_of(value)) for value in values]
        diagonal = arb_mat([[_ball_of(values[i]) if i == j else arb(0) for j in range(size)] for i in range(size)])
        approximate = arb_mat([[_ball_of(vectors[i, j]) for j in range(size)] for i in range(size)])
    residual = _norm(approximate.transpose() * exact * approximate - diagonal)
    skew = _norm(approximate.transpose() * approximate - arb_mat([[int(i == j) for j in range(size)] for i in range(size)]))
    if not skew < 0.5:
        return arb("nan")
    off = (1 + skew) ** 2 * residual + (2 * skew + skew**2) * _norm(diagonal)
    least = sorted(moduli, key=lambda value: float(value.mid()))[size - rank]
    return least + arb(0, off.abs_upper())


def _norm(matrix: arb_mat) -> arb:
    """A bound on the operator norm: the sum of the moduli of the entries."""
    return sum((abs(entry) for entry in matrix.entries()), arb(0)).abs_upper()


def _midpoint(ball: arb) -> Any:
    mantissa, exponent = ball.mid().man_exp()
    return mp.ldexp(mp.mpf(int(mantissa)), int(exponent))


def _ball_of(value: Any) -> arb:
    """The ball of radius 0 at a binary number of mpmath."""
    sign, mantissa, exponent, _ = value._mpf_
    return arb((-1) ** sign * int(mantissa)) * arb(2) ** int(exponent)


def _balls(vector: Sequence[sp.Expr], digits: int) -> list[arb]:
    return [_ball(part, digits) for part in vector]


def _ball(value: sp.Expr, digits: int) -> arb:
    expanded = sp.expand(value)
    return arb(0) if expanded == 0 else refine(lambda bits: arb(enclose(expanded, {})), digits)
