"""Monomials from random biased ReLUs: weights v_k with E v_k(a, b) relu(a x + b) = x^k for |x| <= 1.

a is a fair sign and b uniform on [-1, 1]. With f = x^k, v_0 = 6 b and v_1 = 2 a the weight of ``damian2022``, Lemma 17, is

    v_k = 2 (1 - a) f''(b) - [f'(1) - f(1)] v_0 + f'(1) v_1 = 2 (1 - a) k (k-1) b^(k-2) - 6 (k-1) b + 2 k a,

which at k = 0 and 1 is v_0 and v_1 again. Means and second moments are exact polynomials in x. For b ~ N(0, 1)
(Corollary 18) the weight is divided by the ratio of the densities and vanishes beyond [-1, 1].

And the ReLU in Hermite polynomials, sigma = sum c_k He_k/k!, c_k = E sigma(z) He_k(z), z ~ N(0, 1), He_k monic: Stein's lemma
twice, sigma'' the unit mass at 0, leaves He_{k-2}(0) times the density at 0 (``derivations.damian2022.gradient:relu``). The same
numbers come from ``theory.activations.hermite`` for any activation; this form has no largest k and no algebra.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING, Any

from pencils.errors import InputError
from pencils.exact.numbers import refine, to_ball

if TYPE_CHECKING:
    import numpy as np
    import sympy as sp
    from flint import arb, fmpq_poly

    from theory.trial.sizes import Sizes

MAX_DEGREE = 100
SIGNS = (1, -1)


def relu_multiple(k: int) -> int:
    """sqrt(2 pi) c_k for k != 1: 1 at k = 0 and He_{k-2}(0) = (-1)^(k/2-1) (k-3)!! beyond, 0 at odd k."""
    if k == 1:
        raise ValueError("c_1 = 1/2 is no whole multiple of 1/sqrt(2 pi)")
    if k % 2:
        return 0
    return 1 if k == 0 else (-1) ** (k // 2 - 1) * prod(range(k - 3, 0, -2))


def relu_coefficient(k: int) -> sp.Expr:
    """c_k exactly: 1/sqrt(2 pi), 1/2, 1/sqrt(2 pi), 0, -1/sqrt(2 pi), ..."""
    import sympy as sp

    return sp.Rational(1, 2) if k == 1 else relu_multiple(k) / sp.sqrt(2 * sp.pi)


def weight(k: int) -> dict[int, fmpq_poly]:
    """v_k(a, b) as a polynomial in b for each sign a."""
    from flint import fmpq_poly

    curvature = fmpq_poly([0] * (k - 2) + [4 * k * (k - 1)]) if k >= 2 else fmpq_poly([0])
    return {a: fmpq_poly([2 * k * a, -6 * (k - 1)]) + (curvature if a < 0 else 0) for a in SIGNS}


def mean(k: int) -> fmpq_poly:
    """E v_k(a, b) relu(a x + b) as a polynomial in x on [-1, 1], by integration over b > -a x."""
    return sum(_above(v, a, 1) for a, v in weight(k).items()) / 4


def variance(k: int) -> fmpq_poly:
    """m times the variance of (1/m) sum_j v_k(a_j, b_j) relu(a_j x + b_j), a polynomial in x on [-1, 1]."""
    return sum(_above(v * v, a, 2) for a, v in weight(k).items()) / 4 - mean(k) ** 2


def _above(factor: fmpq_poly, a: int, power: int) -> fmpq_poly:
    """The integral over b from -a x to 1 of factor(b) (a x + b)^power, a polynomial in x."""
    from math import comb

    from flint import fmpq, fmpq_poly

    x = fmpq_poly([0, 1])
    total = fmpq_poly([0])
    for i in range(power + 1):
        primitive = (fmpq_poly([0] * i + [comb(power, i)]) * factor).integral()
        total += (a * x) ** (power - i) * (primitive(fmpq(1)) - primitive(-a * x))
    return total


def supremum(k: int) -> int:
    """sup |v_k|: 4 k^2 - 6 for even k >= 2, 4 k^2 - 8 k + 6 for odd k, and 6 at k = 0. It is attained at b = -1 with a = -1
    (derivations.damian2022.monomials:even_supremum and odd_supremum; at k = 0 and 1 the weight is monotone)."""
    if k == 0:
        return 6
    return 4 * k * k - (6 if k % 2 == 0 else 8 * k - 6)


def second_moment(k: int) -> Fraction:
    """E v_k^2."""
    from flint import fmpq

    total = fmpq(0)
    for v in weight(k).values():
        primitive = (v * v).integral()
        total += (primitive(fmpq(1)) - primitive(fmpq(-1))) / 4
    return Fraction(int(total.p), int(total.q))


def variance_maximum(k: int) -> tuple[Any, Any]:
    """(x, value) at the maximum of the variance over [-1, 1], both balls at the working precision.

    The candidates are the ends, compared exactly, and the isolated real zeros of the derivative; a tie of the ends goes to
    x = 1. Not a number where the precision does not tell the candidates apart, so that more is asked for.
    """
    from flint import arb, arb_poly, fmpq

    polynomial = variance(k)
    top, at = max((polynomial(fmpq(end)), end) for end in (-1, 1))
    place, best = arb(at), arb(top)
    for root, _ in polynomial.derivative().numer().complex_roots():
        if not root.imag.is_zero() or not abs(root.real) < 1:
            continue
        value = arb_poly(polynomial)(root.real)
        if value > best:
            place, best = root.real, value
        elif not value < best:
            return arb("nan"), arb("nan")
    return place, best


def gaussian_second_moment(k: int, x: Fraction | None = None) -> arb:
    """For b ~ N(0, 1): E v~_k^2, or E v~_k^2 relu(a x + b)^2 at a point x, at the working precision."""
    from flint import arb, fmpq, fmpq_poly

    total = arb(0)
    for a, v in weight(k).items():
        at = fmpq(-1) if x is None else -a * fmpq(x.numerator, x.denominator)
        factor = v * v if x is None else v * v * fmpq_poly([-at, 1]) ** 2
        powers = _growing(factor.degree(), at)
        total += sum((arb(c) * power for c, power in zip(factor.coeffs(), powers, strict=True)), arb(0))
    return total * arb.const_sqrt_pi() * arb(2).sqrt() / 8


def _growing(degree: int, low: Any) -> list[arb]:
    """The integrals of b^j exp(b^2/2) over low <= b <= 1, j = 0..degree, each by parts from the last but one."""
    from flint import arb

    half = arb(1) / 2
    low = arb(low)
    top, bottom = half.exp(), (low * low / 2).exp()
    root = half.sqrt()
    found = [arb.const_sqrt_pi() * root * (root.erfi() - (low * root).erfi()), top - bottom]
    for j in range(2, degree + 1):
        found.append(top - low ** (j - 1) * bottom - (j - 1) * found[j - 2])
    return found[: degree + 1]


def compute(parameters: Mapping[str, Any], digits: int) -> dict[str, Any]:
    """v_k, its size, and the variance of the finite-width average; at a point ``x`` too where one is given.

    InputError for k above MAX_DEGREE, whose polynomials are long.
    """
    from flint import arb, fmpq

    k, x = parameters["k"], parameters.get("x")
    if k > MAX_DEGREE:
        raise InputError(f"k = {k}: weights up to k = {MAX_DEGREE} are computed")
    v, sup, energy = weight(k), supremum(k), second_moment(k)
    found: dict[str, Any] = {
        "formula": formula(k),
        "at_plus": polynomial_text(v[1], "b"),
        "at_minus": polynomial_text(v[-1], "b"),
        "mean": polynomial_text(mean(k), "x"),
        "sup": to_ball(sup),
        "sup_at": "a = -1, b = -1",
        "second_moment": refine(lambda bits: to_ball(energy), digits),
        "second_moment_exact": str(energy),
        "variance": polynomial_text(variance(k), "x"),
        "variance_sup": refine(lambda bits: variance_maximum(k)[1], digits, "variance_sup"),
        "variance_sup_at": refine(lambda bits: variance_maximum(k)[0], digits, "variance_sup_at"),
        "gaussian_factor": "sqrt(pi/2)*exp(b**2/2) for |b| <= 1, 0 beyond",
        "gaussian_sup": refine(lambda bits: sup * (arb.pi() * arb(1).exp() / 2).sqrt(), digits, "gaussian_sup"),
        "gaussian_second_moment": refine(lambda bits: gaussian_second_moment(k), digits, "gaussian_second_moment"),
    }
    if x is not None:
        at = fmpq(x.numerator, x.denominator)
        found |= {
            "mean_at": refine(lambda bits: arb(mean(k)(at)), digits, "mean_at"),
            "variance_at": refine(lambda bits: arb(variance(k)(at)), digits, "variance_at"),
            "raw_at": refine(lambda bits: arb((variance(k) + mean(k) ** 2)(at)), digits, "raw_at"),
            "gaussian_variance_at": refine(
                lambda bits: gaussian_second_moment(k, x) - to_ball(x ** (2 * k)), digits, "gaussian_variance_at"
            ),
        }
    return found


def formula(k: int) -> str:
    """v_k(a, b) in the formula language, for both signs a at once."""
    bend = f"{2 * k * (k - 1)}*(1 - a)" + ("" if k == 2 else "*b" if k == 3 else f"*b**{k - 2}")
    parts = [bend if k >= 2 else "", f"{-6 * (k - 1)}*b" if k != 1 else "", f"{2 * k}*a" if k else ""]
    return " + ".join(part for part in parts if part).replace("+ -", "- ")


def polynomial_text(polynomial: fmpq_poly, variable: str) -> str:
    """A polynomial in the formula language, highest power first."""
    terms: list[str] = []
    for power, coefficient in reversed(list(enumerate(polynomial.coeffs()))):
        if coefficient == 0:
            continue
        size = str(abs(coefficient))
        name = "" if power == 0 else variable if power == 1 else f"{variable}**{power}"
        body = size if not name else name if size == "1" else f"{size}*{name}"
        sign = "-" if coefficient < 0 else "+"
        terms.append(f" {sign} {body}" if terms else body if sign == "+" else f"-{body}")
    return "".join(terms) or "0"


def observe(parameters: Mapping[str, Any], sizes: Sizes, rng: np.random.Generator) -> dict[str, float]:
    """m times the variance of the average over m = d neurons at x, biases uniform and Gaussian, and its mean, from averages of
    ``n/d`` independent networks."""
    import numpy as np

    k, x = parameters["k"], float(parameters["x"])
    networks, m = sizes.n // sizes.d, sizes.d
    found: dict[str, float] = {}
    for name in ("", "gaussian_"):
        a = rng.choice([-1.0, 1.0], (networks, m))
        b = rng.standard_normal((networks, m)) if name else rng.uniform(-1, 1, (networks, m))
        curvature = k * (k - 1) * b ** max(k - 2, 0)
        v = 2 * (1 - a) * curvature - (k - 1) * 6 * b + k * 2 * a
        if name:
            v *= np.where(abs(b) <= 1, 0.5 / (np.exp(-b * b / 2) / np.sqrt(2 * np.pi)), 0)
        averages = np.mean(v * np.maximum(a * x + b, 0), axis=1)
        found |= {f"{name}variance": float(m * np.var(averages, ddof=1)), f"{name}mean": float(np.mean(averages))}
    return found
