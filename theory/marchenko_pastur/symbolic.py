"""The Marchenko-Pastur law of the weights at initialisation, in closed form, with psi2 a symbol.

W0 is d x N with independent N(0, 1/d) entries and N/d -> psi2. The *d x d law* is the limit law of W0 W0^T, the
*companion law* that of W0^T W0 (N x N). m(z) = normalised trace of (M - z)^{-1}: 1/d for the first, 1/N for the second.
Both transforms are roots of one form of quadratic,

    a z m^2 + (z + b) m + 1 = 0,    (a, b) = (1, 1 - psi2) for d x d,  (psi2, psi2 - 1) for the companion,

of discriminant D(z) = (z + b)^2 - 4 a z = (z - lambda_-)(z - lambda_+), lambda_-+ = (1 -+ sqrt psi2)^2, so that
m = (s - z - b)/(2 a z) with s^2 = D. Source: Theorem 7 and Theorem 3 of ``ba2022`` use both (statements.md, section 2).
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import sympy as sp

from pencils.errors import InputError
from pencils.exact.numbers import exact
from theory.proof.symbols import symbols

Z, M, M_COMPANION, PSI2, W = symbols("z m m_tilde psi2 w")

MAX_ORDER = 100
MAX_MOMENT = 1000


def companion_identity(m: sp.Expr = M, m_companion: sp.Expr = M_COMPANION, z: sp.Expr = Z, psi2: sp.Expr = PSI2) -> sp.Eq:
    """The identity between the two transforms, m~(z) = m(z)/psi2 - (1 - 1/psi2)/z.

    W0 W0^T and W0^T W0 share their nonzero eigenvalues: at size d x N, N m~ = d m - (N - d)/z.
    """
    return sp.Eq(m_companion, m / psi2 - (1 - 1 / psi2) / z, evaluate=False)


@lru_cache(maxsize=2)
def _quadratic(companion: bool) -> sp.Expr:
    """The quadratic in M, from the self-consistent equation 1/m = -z + psi2/(1 + m) and the companion identity."""
    equation = sp.numer(sp.together(Z + 1 / M - PSI2 / (1 + M)))
    if companion:
        (m,) = sp.solve(companion_identity(m_companion=M_COMPANION), M)
        equation = sp.numer(sp.together(equation.subs(M, m).subs(M_COMPANION, M)))
    # Clearing denominators leaves factors (a power of psi2 or z) that do not involve m.
    (polynomial,) = [factor for factor, _ in sp.factor_list(equation)[1] if factor.has(M)]
    return sp.collect(sp.expand(polynomial), M)


def equation(m: sp.Expr = M, z: sp.Expr = Z, psi2: sp.Expr = PSI2, companion: bool = False) -> sp.Eq:
    """The quadratic that the Stieltjes transform m(z) satisfies, derived from 1/m = -z + psi2/(1 + m)."""
    return sp.Eq(_quadratic(companion).subs({M: m, Z: z, PSI2: psi2}, simultaneous=True), 0, evaluate=False)


def edges_symbolic(psi2: sp.Expr = PSI2) -> tuple[sp.Expr, sp.Expr]:
    """The edges lambda_-+ = (1 -+ sqrt psi2)^2 of the bulk, the same for both laws."""
    return (1 - sp.sqrt(psi2)) ** 2, (1 + sp.sqrt(psi2)) ** 2


def stieltjes_symbolic(z: sp.Expr = Z, psi2: sp.Expr = PSI2, companion: bool = False) -> sp.Expr:
    """The closed form (sqrt(z - lambda_-) sqrt(z - lambda_+) - z - b)/(2 a z) of m(z).

    Both roots are principal. On the real line inside the bulk it is the boundary value m(x + i0).
    """
    # Why a product of two roots and not the root of the product: for Im z > 0 the arguments of z - lambda_-+ lie in
    # (0, pi), half their sum too, so s = sqrt(z - lambda_-) sqrt(z - lambda_+) has Im s > 0 and is analytic there. At
    # infinity s = z - (1 + psi2) + O(1/z), which makes m ~ -1/z; -s would make m -> -1/a. The transform is analytic
    # on the upper half plane, where D has no zero, so it is one of the two branches throughout: this one.
    a, b = coefficients(psi2, companion)
    lower, upper = edges_symbolic(psi2)
    return (sp.sqrt(z - lower) * sp.sqrt(z - upper) - z - b) / (2 * a * z)


def stieltjes_derivative_symbolic(
    order: int = 1, m: sp.Expr = M, z: sp.Expr = Z, psi2: sp.Expr = PSI2, companion: bool = False
) -> sp.Expr:
    """d^order m/dz^order as a rational function of m and z, by implicit differentiation of the quadratic."""
    polynomial = _quadratic(companion)
    first = result = sp.factor(-sp.diff(polynomial, Z) / sp.diff(polynomial, M))
    for _ in range(whole(order, "order", 1, MAX_ORDER) - 1):
        result = sp.factor(sp.diff(result, Z) + first * sp.diff(result, M))
    return result.subs({M: m, Z: z, PSI2: psi2}, simultaneous=True)


def moment_polynomial(k: int, psi2: sp.Expr = PSI2, companion: bool = False) -> sp.Expr:
    """m_k as a polynomial in psi2, sum over r of the Narayana number N(k, r) times psi2^r (companion: psi2^{r-1})."""
    k = whole(k, "k", 1, MAX_MOMENT)
    shift = 1 if companion else 0
    return sp.Add(*[sp.binomial(k, r) * sp.binomial(k, r - 1) / k * psi2 ** (r - shift) for r in range(1, k + 1)])


def r_transform(w: sp.Expr = W, psi2: sp.Expr = PSI2, companion: bool = False) -> sp.Expr:
    """R(w) = z - 1/w where m(z) = -w: psi2/(1 - w) for d x d, 1/(1 - psi2 w) for the companion."""
    return _free_transforms(companion)[0].subs({W: w, PSI2: psi2}, simultaneous=True)


def s_transform(w: sp.Expr = W, psi2: sp.Expr = PSI2, companion: bool = False) -> sp.Expr:
    """S(w) = (1 + w)/w u where sum_k m_k u^k = w, k >= 1: 1/(psi2 + w) for d x d, 1/(1 + psi2 w) for the companion."""
    return _free_transforms(companion)[1].subs({W: w, PSI2: psi2}, simultaneous=True)


@lru_cache(maxsize=2)
def _free_transforms(companion: bool) -> tuple[sp.Expr, sp.Expr]:
    """R and S as functions of W, by inverting the quadratic."""
    quadratic = _quadratic(companion)
    (z,) = sp.solve(quadratic.subs(M, -W), Z)
    # sum_{k >= 1} m_k u^k = -m(1/u)/u - 1, hence m = -u (1 + w) at z = 1/u.
    u = sp.Dummy()
    solutions = sp.solve(sp.expand(quadratic.subs({Z: 1 / u, M: -u * (1 + W)})), u)
    (inverse,) = [solution for solution in solutions if solution != 0]
    return sp.factor(z - 1 / W), sp.factor((1 + W) / W * inverse)


def coefficients(psi2: Any, companion: bool) -> tuple[Any, Any]:
    """(a, b) of a z m^2 + (z + b) m + 1 = 0."""
    return (psi2, psi2 - 1) if companion else (1, 1 - psi2)


def whole(value: Any, name: str, least: int, most: int) -> int:
    """``value`` as an int from ``least`` to ``most``; InputError otherwise."""
    number = exact(value, name)
    if number.denominator != 1 or not least <= number <= most:
        raise InputError(f"{name} = {value}: give a whole number from {least} to {most}")
    return int(number)
