"""The moment matrix of the leading gradient: E (H w)^{(x) 2k} on symmetric tensors, its exact spectrum, and z_T.

w is uniform on the unit sphere of R^d and H symmetric with eigenvalues h_1..h_r on S*, of any sign. Along the eigenvectors
of H, symmetric tensors of order k are homogeneous polynomials T(x) = <T, x^(x)k> of degree k in x_1..x_r; the monomials
sqrt(k!/alpha!) x^alpha are orthonormal for the Frobenius product, and by Isserlis' formula

    <T, M T> = E T(H w)^2,   E w^gamma = prod_i (gamma_i - 1)!! / (d (d+2) ... (d+2k-2)),   |gamma| = 2k, all gamma_i even.

So M splits into blocks by the parities of alpha, and a diagonal similarity makes each block rational: its eigenvalues are
the zeros of exact polynomials. Source: ``damian2022``, Lemma 21, at the leading term g = H w/sqrt(2 pi).
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache, lru_cache
from itertools import combinations_with_replacement, pairwise
from math import comb, factorial, prod
from typing import TYPE_CHECKING, Any

from pencils.errors import InputError
from pencils.exact.numbers import refine, to_ball, working_precision
from theory.register.record import Computed

if TYPE_CHECKING:
    import numpy as np
    from flint import arb, fmpq_mat, fmpz_poly

    from theory.activations.polynomial import PolynomialTeacher
    from theory.trial.sizes import Sizes

Index = tuple[int, ...]
Numbers = tuple[Fraction, ...]

MAX_ORDER = 8
MAX_DIMENSION = 1000  # of the space of symmetric tensors
MAX_BLOCK = 40


@cache
def blocks(k: int, r: int) -> tuple[tuple[Index, ...], ...]:
    """The exponents alpha of degree k in r variables, sorted into classes of equal parities."""
    found: dict[Index, list[Index]] = {}
    for chosen in combinations_with_replacement(range(r), k):
        alpha = tuple(chosen.count(i) for i in range(r))
        found.setdefault(tuple(part % 2 for part in alpha), []).append(alpha)
    return tuple(tuple(block) for block in found.values())


def _weight(alpha: Index) -> int:
    """k!/alpha!: the squared length of x^alpha is one over it."""
    return factorial(sum(alpha)) // prod(map(factorial, alpha))


def _block(h: Numbers, block: tuple[Index, ...]) -> fmpq_mat:
    """C G for one block, G the matrix of E (h z)^(alpha + beta), z ~ N(0, I_r), and C = diag(k!/alpha!).

    It is similar to C^(1/2) G C^(1/2), the matrix in the orthonormal basis.
    """
    from flint import fmpq, fmpq_mat

    def entry(alpha: Index, beta: Index) -> Any:
        total = Fraction(_weight(alpha))
        for one, a, b in zip(h, alpha, beta, strict=True):
            total *= one ** (a + b) * prod(range(1, a + b, 2))
        return fmpq(total.numerator, total.denominator)

    return fmpq_mat([[entry(alpha, beta) for beta in block] for alpha in block])


@lru_cache(maxsize=64)
def _factors(k: int, h: Numbers) -> tuple[tuple[fmpz_poly, int], ...]:
    """Irreducible factors of the characteristic polynomial of E (h z)^{(x) 2k} on symmetric tensors, with multiplicities."""
    found: dict[str, tuple[fmpz_poly, int]] = {}
    for block in blocks(k, len(h)):
        for factor, count in _block(h, block).charpoly().numer().factor()[1]:
            found[str(factor)] = (factor, count + found.get(str(factor), (factor, 0))[1])
    return tuple(found.values())


@lru_cache(maxsize=64)
def spectrum(k: int, h: Numbers, bits: int) -> tuple[tuple[arb, int], ...]:
    """Distinct eigenvalues of E (h z)^{(x) 2k}, z ~ N(0, I_r), in increasing order with multiplicities, at ``bits`` or as many
    more as it takes to tell them apart."""
    from flint import arb, fmpq

    while True:
        roots: list[tuple[arb, int]] = []
        with working_precision(bits):
            for factor, count in _factors(k, h):
                if factor.degree() == 1:
                    roots.append((arb(fmpq(-factor[0], factor[1])), count))
                else:
                    roots += [(root.real, count) for root, _ in factor.complex_roots()]  # symmetric matrix: all are real
            roots.sort(key=lambda root: root[0].mid())
            if all(left[0] < right[0] for left, right in pairwise(roots)):
                return tuple(roots)
        bits *= 2  # zeros of different irreducible polynomials differ


def inverse_form(k: int, h: Numbers, tensor: Mapping[Index, Fraction]) -> Fraction:
    """<T, M^{-1} T> for M = E (h z)^{(x) 2k} and T(x) = sum c_alpha x^alpha; InputError where T is not in the range of M."""
    from flint import fmpq, fmpq_mat

    total = fmpq(0)
    for block in blocks(k, len(h)):
        coefficients = [tensor.get(alpha, Fraction(0)) for alpha in block]
        if not any(coefficients):
            continue
        kept = [place for place, alpha in enumerate(block) if all(one or not part for one, part in zip(h, alpha, strict=True))]
        if any(value and place not in kept for place, value in enumerate(coefficients)):
            raise InputError("no z_T exists: T uses a direction in which H vanishes (Assumption 2 fails, kappa is infinite)")
        rows = tuple(block[place] for place in kept)
        right = fmpq_mat([[fmpq(coefficients[place].numerator, coefficients[place].denominator)] for place in kept])
        solved = _block(h, rows).solve(right)
        total += sum((right[i, 0] * solved[i, 0] / _weight(alpha) for i, alpha in enumerate(rows)), fmpq(0))
    return Fraction(int(total.p), int(total.q))


def sphere(k: int, d: int | None) -> Fraction:
    """E w^gamma on the unit sphere over that of N(0, I_d), times d^k: d^k/(d (d+2) ... (d+2k-2)), and 1 at d = infinity."""
    return Fraction(1) if d is None else prod((Fraction(d, d + 2 * i) for i in range(k)), start=Fraction(1))


def least_ratio(k: int, r: int, d: int | None) -> Fraction:
    """The least of smallest eigenvalue times (r d kappa^2)^k over all H of rank r: k! d^k/(d ... (d+2k-2)) for r >= 2, where
    all |h_i| are equal (E T(z)^2 >= k! |T|^2, with equality for harmonic T); (2k-1)!! for k! at r = 1."""
    return sphere(k, d) * (factorial(k) if r > 1 else prod(range(1, 2 * k, 2)))


def greatest_ratio(k: int, r: int, d: int | None) -> Fraction:
    """Its supremum, approached as all |h_i| but the least grow: 1/<e^(x)k, M^{-1} e^(x)k> for h = 1, e a unit vector.

    The smallest eigenvalue of D M D increases with each |h_i|, and in the limit only T_{1..1} is held.
    """
    unit = (k,) + (0,) * (r - 1)
    return sphere(k, d) / inverse_form(k, (Fraction(1),) * r, {unit: Fraction(1)})


def compute(parameters: Mapping[str, Any], digits: int) -> Computed:
    """Spectrum of the moment matrix against (r d kappa^2)^{-k}; without ``d``, of d^k times the matrix as d -> infinity.

    ``tensor`` adds the second moment of the minimum-norm z_T. Raises InputError for k out of range, d < r, a matrix that is too
    large, and a tensor that is not of degree k or has no z_T.
    """
    from flint import arb

    k, h, d = parameters["k"], parameters["H"], parameters.get("d")
    _check(k, h, d)
    r, low = len(h), min(abs(one) for one in h)
    scale = sphere(k, d) / (1 if d is None else d**k)
    bound = low ** (2 * k) / (1 if d is None else Fraction(d) ** k)

    def ball(value: Fraction) -> arb:
        return refine(lambda bits: to_ball(value), digits)

    def eigenvalue(place: int, factor: Fraction, turns: int = 0) -> arb:
        def enclosure(bits: int) -> arb:
            return spectrum(k, h, bits)[place][0] * to_ball(factor) / (2 * arb.pi()) ** turns

        return refine(enclosure, digits, "eigenvalue")

    counts = [count for _, count in spectrum(k, h, 64)]
    eigenvalues = [eigenvalue(place, scale) for place in range(len(counts))]
    found: dict[str, Any] = {
        "kappa": refine(lambda bits: 1 / (to_ball(low) * arb(r).sqrt()), digits) if low else "infinite",
        "eigenvalues": eigenvalues,
        "multiplicities": [str(count) for count in counts],
        "smallest": eigenvalues[0],
        "largest": eigenvalues[-1],
        "bound": ball(bound),
        "ratio": eigenvalue(0, scale / bound) if low else None,
        "least_ratio": ball(least_ratio(k, r, d)),
        "greatest_ratio": ball(greatest_ratio(k, r, d)),
        "floor": ball(least_ratio(k, r, d) * bound),
        "gradient_smallest": eigenvalue(0, scale, k),
    }
    if "tensor" in parameters:
        tensor = _tensor(parameters["tensor"], k, r)
        moment = inverse_form(k, h, tensor) / scale
        square = sum((value**2 / _weight(alpha) for alpha, value in tensor.items()), Fraction(0))
        found |= {
            "tensor_square": ball(square),
            "second_moment": refine(lambda bits: to_ball(moment) * (2 * arb.pi()) ** k, digits),
            "second_moment_bound": refine(
                lambda bits: to_ball(square / (least_ratio(k, r, d) * bound)) * (2 * arb.pi()) ** k, digits
            )
            if low
            else "infinite",
        }
    energy = sum(one**2 for one in h)
    hypotheses = {"rank H = r (Assumption 2)": low > 0, "|H|_F^2 <= 2, as E f*^2 = 1 asks": energy <= 2}
    notes = () if low else ("H has lower rank than S*: Assumption 2 fails, kappa is infinite and the matrix singular",)
    return Computed(found, hypotheses, notes)


def _check(k: int, h: Numbers, d: int | None) -> None:
    r = len(h)
    if not 1 <= k <= MAX_ORDER:
        raise InputError(f"k = {k}: the order of the tensors is 1 to {MAX_ORDER}")
    if d is not None and d < r:
        raise InputError(f"d = {d}: S* has dimension r = {r}, one for each eigenvalue of H, and d is at least that")
    dimension, block = comb(r + k - 1, k), comb(r + k // 2 - 1, k // 2)  # the largest block has even alpha, or one odd
    if dimension > MAX_DIMENSION or block > MAX_BLOCK:
        raise InputError(
            f"k = {k}, r = {r}: symmetric tensors have dimension {dimension}, in blocks of up to {block}; at most "
            f"{MAX_DIMENSION} and {MAX_BLOCK} are computed exactly"
        )


def _tensor(polynomial: PolynomialTeacher, k: int, r: int) -> dict[Index, Fraction]:
    """The coefficients c_alpha of a homogeneous polynomial of degree k in x1..xr."""
    found: dict[Index, Fraction] = {}
    if polynomial.smallest_d > r:
        raise InputError(f"tensor = {polynomial}: it uses x{polynomial.smallest_d}, and S* has {r} directions, x1 to x{r}")
    for powers, coefficient in polynomial.terms.items():
        if sum(powers) != k or not coefficient.is_Rational:
            raise InputError(
                f"k = {k} takes a tensor of order {k}: give tensor, a homogeneous polynomial of degree {k} with rational "
                f"coefficients; not {polynomial}"
            )
        alpha = [0] * r
        for variable, power in zip(polynomial.variables, powers, strict=True):
            alpha[variable - 1] = power
        found[tuple(alpha)] = Fraction(int(coefficient.p), int(coefficient.q))
    if not found:
        raise InputError(f"tensor = {polynomial}: the tensor is 0")
    return found


def observe(parameters: Mapping[str, Any], sizes: Sizes, rng: np.random.Generator) -> dict[str, float]:
    """Extreme eigenvalues of d^k times the empirical moment matrix of n directions on the sphere, and the least second moment
    of a z on these directions with mean of z <g, x>^k equal to <T, x^(x)k> on S*. InputError for more eigenvalues than d, and for
    one that is 0."""
    import numpy as np

    k, r = parameters["k"], len(parameters["H"])
    _check(k, parameters["H"], sizes.d)
    if not all(parameters["H"]):
        raise InputError(
            f"H = {','.join(map(str, parameters['H']))}: an eigenvalue is 0, so that Assumption 2 fails (kappa is infinite) and "
            "the moment matrix is singular; its exact spectrum is given by eval"
        )
    h = np.array([float(one) for one in parameters["H"]])
    w = rng.standard_normal((sizes.n, sizes.d))
    w /= np.linalg.norm(w, axis=1, keepdims=True)
    seen = np.sqrt(sizes.d) * w[:, :r] * h
    powers = [alpha for block in blocks(k, r) for alpha in block]
    features = np.stack([np.sqrt(_weight(alpha)) * np.prod(seen ** np.array(alpha), axis=1) for alpha in powers], axis=1)
    matrix = features.T @ features / sizes.n
    eigenvalues = np.linalg.eigvalsh(matrix)
    tensor = _tensor(parameters["tensor"], k, r)
    target = np.array([float(tensor.get(alpha, 0)) / np.sqrt(_weight(alpha)) for alpha in powers])
    return {
        "smallest": float(eigenvalues[0]),
        "largest": float(eigenvalues[-1]),
        "second_moment": float((2 * np.pi) ** k * target @ np.linalg.solve(matrix, target)),
    }
