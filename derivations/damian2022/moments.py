"""The moment matrix of the leading gradient (damian2022, Lemma 21) with its constant, for H of any signature.

g = H w/sqrt(2 pi), w uniform on the unit sphere of R^d, H symmetric of rank r, h = 1/|H^+| its least |eigenvalue| on S*,
kappa = |H^+|/sqrt r. For T symmetric of order k on S*, M = E (H w)^{(x) 2k} and D = H^{(x) k}:

    <T, M T> = E T(H w)^2 = E (D T)(z)^2/(d (d+2) ... (d+2k-2)),   z ~ N(0, I_r),
    E S(z)^2 = k! |S|^2 + sum_j a_j |tr^j S|^2 >= k! |S|^2,   |D T|^2 >= h^(2k) |T|^2,

so that the smallest eigenvalue is at least k!/(d ... (d+2k-2)) (r kappa^2)^{-k}. Where all |h_i| are h (any signs) and r >= 2 it
is exactly this: harmonic tensors have no traces. The source has a constant there that is not given.
"""

from __future__ import annotations

from itertools import combinations_with_replacement
from math import factorial, prod

import sympy as sp

from theory.proof.means import Mean
from theory.proof.steps import Proof
from theory.proof.symbols import symbols

d, r, kappa, k, iota, eta1, C = symbols("d rank kappa_H order_k iota eta1 C")
_z = sp.Symbol("z", real=True)
_rho = sp.Symbol("rho_1", positive=True)  # |z|
_j = sp.Symbol("j", nonnegative=True)

Index = tuple[int, ...]


def _indices(order: int, variables: int) -> list[Index]:
    chosen = combinations_with_replacement(range(variables), order)
    return [tuple(one.count(i) for i in range(variables)) for one in chosen]


def _count(alpha: Index) -> int:
    """How many entries of a symmetric tensor are the one with index counts alpha."""
    return factorial(sum(alpha)) // prod(map(factorial, alpha))


def _plus(*indices: Index) -> Index:
    return tuple(map(sum, zip(*indices, strict=True)))


def _entries(order: int, variables: int) -> dict[Index, sp.Symbol]:
    return {a: sp.Symbol("T_" + "".join(map(str, a)), real=True) for a in _indices(order, variables)}


def _square(tensor: dict[Index, sp.Expr]) -> sp.Expr:
    return sp.Add(*[_count(alpha) * value**2 for alpha, value in tensor.items()])


def _trace(tensor: dict[Index, sp.Expr]) -> dict[Index, sp.Expr]:
    """Contraction of two indices."""
    order, variables = sum(next(iter(tensor))), len(next(iter(tensor)))
    twice = [tuple(2 * (i == j) for j in range(variables)) for i in range(variables)]
    return {beta: sp.Add(*[tensor[_plus(beta, two)] for two in twice]) for beta in _indices(order - 2, variables)}


def _energy(tensor: dict[Index, sp.Expr]) -> Mean:
    """E T(z)^2, T(z) = sum of T_alpha z^alpha with multiplicities, z standard normal."""
    z = sp.symbols(f"z_1:{len(next(iter(tensor))) + 1}", real=True)
    powers = {a: sp.Mul(*[one**part for one, part in zip(z, a, strict=True)]) for a in tensor}
    return Mean(sp.Add(*[_count(a) * tensor[a] * powers[a] for a in tensor]) ** 2, z)


def _pairings(order: int) -> list[int]:
    """a_j: the pairings of 2k indices that join j pairs inside each of the two groups of k."""
    return [factorial(order) ** 2 // (factorial(order - 2 * j) * (2**j * factorial(j)) ** 2) for j in range(order // 2 + 1)]


def _normalisation(proof: Proof, order: int) -> sp.Expr:
    """E |z|^{2k} = d (d+2) ... (d+2k-2), z ~ N(0, I_d)."""
    proof.step(
        sp.Derivative(_rho ** (d + 2 * _j) * sp.exp(-(_rho**2) / 2), _rho),
        ((d + 2 * _j) * _rho ** (d + 2 * _j - 1) - _rho ** (d + 2 * _j + 1)) * sp.exp(-(_rho**2) / 2),
        "|z| has a density proportional to rho_1^(d-1) exp(-rho_1^2/2), and the integral of this derivative vanishes: "
        "E |z|^(2j+2) = (d + 2j) E |z|^(2j). As z = |z| w, E w^gamma = E z^gamma/E |z|^(2k)",
    )
    return sp.Mul(*[d + 2 * i for i in range(order)])


def _isserlis(proof: Proof, order: int) -> None:
    tensor = _entries(order, order)
    terms, traced = [], tensor
    for weight in _pairings(order):
        terms.append(weight * _square(traced))
        traced = _trace(traced) if sum(next(iter(traced))) >= 2 else traced
    proof.step(
        _energy(tensor),
        sp.Add(*terms),
        f"E T(z)^2 = sum_j a_j |tr^j T|^2, a_j = {', '.join(map(str, _pairings(order)))}, here with r = {order}: the products of "
        f"two entries that count have at most {order} different indices, so this is the identity for every r",
    )
    squares = sp.symbols(f"q_0:{len(terms)}", nonnegative=True)
    proof.bound(
        factorial(order) * squares[0],
        sum(a * q for a, q in zip(_pairings(order), squares, strict=True)),
        sum((a * q for a, q in zip(_pairings(order)[1:], squares[1:], strict=True)), sp.S.Zero),
        "q_j = |tr^j T|^2 is a square",
    )


def _spread(proof: Proof, order: int) -> None:
    least, *more = sp.symbols(f"h_2 e_1:{order + 1}", nonnegative=True)
    product = sp.Mul(*[least + e for e in more])
    proof.bound(
        least**order,
        product,
        sp.expand(product - least**order),
        "|D T|^2 >= h^(2k) |T|^2: h_i^2 = h_2 + e_i with h_2 = h^2, e_i >= 0",
    )


def _harmonic(proof: Proof, order: int) -> None:
    first, second = sp.symbols("x_1 x_2", real=True)
    wave = sp.Poly(sp.re(sp.expand((first + sp.I * second) ** order)), first, second)
    tensor = {powers: value / _count(powers) for powers, value in wave.terms()}
    proof.step(
        _energy(tensor),
        factorial(order) * _square(tensor),
        f"equality: T = Re (x_1 + i x_2)^{order} is harmonic, which leaves E T(z)^2 = k! |T|^2; it needs r >= 2 (r = 1 when k = 1)",
    )


def _smallest(proof: Proof, order: int) -> None:
    normalisation = _normalisation(proof, order)
    _isserlis(proof, order)
    _spread(proof, order)
    _harmonic(proof, order)
    h = sp.Symbol("h", positive=True)
    proof.define(h, 1 / (kappa * sp.sqrt(r)))
    proof.step(
        factorial(order) * h ** (2 * order) / normalisation,
        factorial(order) / normalisation / (r * kappa**2) ** order,
        "with h = 1/|H^+| = 1/(kappa sqrt r); attained where all |h_i| = h, since D is then h^k times an orthogonal map",
    )


def smallest_1(proof: Proof) -> None:
    """The smallest eigenvalue of E (H w)^{(x) 2k} on symmetric tensors, k = 1"""
    _smallest(proof, 1)


def smallest_2(proof: Proof) -> None:
    """The smallest eigenvalue of E (H w)^{(x) 2k} on symmetric tensors, k = 2"""
    _smallest(proof, 2)


def smallest_3(proof: Proof) -> None:
    """The smallest eigenvalue of E (H w)^{(x) 2k} on symmetric tensors, k = 3"""
    _smallest(proof, 3)


def smallest_4(proof: Proof) -> None:
    """The smallest eigenvalue of E (H w)^{(x) 2k} on symmetric tensors, k = 4"""
    _smallest(proof, 4)


def largest_2(proof: Proof) -> None:
    """The other eigenvalue at k = 2 where all |h_i| are equal: along the identity"""
    normalisation = _normalisation(proof, 2)
    diagonal, others, trace = sp.symbols("q_d q_o t_1", real=True)  # sum T_ii^2, sum_{i != j} T_ij^2, sum T_ii
    fourth, mixed = sp.symbols("m_4 m_22", positive=True)
    proof.define(fourth, Mean(_z**4, (_z,)))
    proof.define(mixed, Mean(_z**2, (_z,)) ** 2)
    energy = proof.step(
        fourth * diagonal + mixed * (trace**2 - diagonal) + 4 * mixed * others / 2,
        2 * (diagonal + others) + trace**2,
        "E T(z)^2 for every r: m_4 = E z_i^4, m_22 = E z_i^2 z_j^2, and T_ij + T_ji = 2 T_ij once for each pair",
    )
    along = proof.step(
        energy.subs({diagonal: r, others: 0, trace: r}) / r,
        r + 2,
        "for T = 1, |T|^2 = tr T = r; an eigenvector, because G commutes with rotations",
    )
    h = proof.define(sp.Symbol("h", positive=True), 1 / (kappa * sp.sqrt(r)))
    proof.step(along / normalisation * h**4, (r + 2) / (d * (d + 2) * r**2 * kappa**4), "with h^2 = 1/(r kappa^2)")


def greatest_2(proof: Proof) -> None:
    """The supremum over H of the smallest eigenvalue times (r d kappa^2)^k at k = 2"""
    proof.assume(
        "the smallest eigenvalue of D G D, G = E z^{(x) 2k}, increases with each |h_i| (G^(-1/2) D^-2 G^(-1/2) decreases); as all "
        "but the least grow, it tends to h^(2k)/<e, G^-1 e>, e the tensor power of the eigenvector of the least"
    )
    normalisation = _normalisation(proof, 2)
    proof.step(
        1 / (r + 2) + r / (2 * (r + 2)),
        sp.Rational(1, 2),
        "on diagonal tensors G = 2 + 1 1^T, and G^-1 = (1 - 1 1^T/(r+2))/2: the terms with 1 1^T in their product cancel",
    )
    entry = proof.step((1 - 1 / (r + 2)) / 2, (r + 1) / (2 * (r + 2)), "<e, G^-1 e>")
    corner = proof.define(sp.Symbol("e_G", positive=True), entry)
    proof.step(
        d**2 / (corner * normalisation),
        2 * (r + 2) / (r + 1) * d / (d + 2),
        "so the ratio tends to d^2/(d (d+2) e_G), e_G = <e, G^-1 e>",
    )


def one(proof: Proof) -> None:
    """The constant is at least 1, for every order k and d >= 2"""
    more = sp.Symbol("d_2", nonnegative=True)
    proof.define(more, d - 2)
    proof.bound(
        (d + 2 * _j) / ((_j + 1) * d),
        1,
        _j * more / ((_j + 1) * d),
        "k! d^k/(d (d+2) ... (d+2k-2)) is the product over j < k of (j+1) d/(d+2j), each at least 1",
    )


def second_moment(proof: Proof) -> None:
    """E z_T^2 for the minimum-norm z_T, |T| = 1"""
    proof.assume(
        "z_T = <M_g^-1 T, g^{(x)k}>, M_g = E (P g)^{(x) 2k} and P the projection on S*, has E z_T <g, x>^k = "
        "<M_g^-1 T, M_g x^{(x)k}> = <T, x^{(x)k}> for x in S* and E z_T^2 = <T, M_g^-1 T>; another such z differs from it by "
        "what is orthogonal to every <A, (P g)^{(x)k}>"
    )
    low, more = sp.symbols("l_0 l_1", positive=True)
    proof.bound(1 / (low + more), 1 / low, more / (low * (low + more)), "so E z_T^2 is at most 1 over the smallest eigenvalue")
    one(proof)
    proof.step(
        1 / ((1 / (2 * sp.pi)) ** k / (r * d * kappa**2) ** k),
        (2 * sp.pi * r * d * kappa**2) ** k,
        "which is at least (2 pi)^-k (r d kappa^2)^-k for g = H w/sqrt(2 pi)",
    )


def rescaled(proof: Proof) -> None:
    """E z_T^2 for the neurons 2 eta_1 a g of Algorithm 1, eta_1 = C sqrt(d/iota^3): the dimension drops out"""
    second_moment(proof)
    proof.define(eta1, C * sp.sqrt(d / iota**3))
    proof.step(
        (2 * sp.pi * r * d * kappa**2 / (2 * eta1) ** 2) ** k,
        (sp.pi * r * kappa**2 * iota**3 / (2 * C**2)) ** k,
        "g is multiplied by 2 eta_1, T's coefficient in z by (2 eta_1)^-k (a^k = +-1 goes into z): r^k kappa^(2k) up to logarithms",
    )
