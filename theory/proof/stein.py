"""Gaussian calculus: Stein's lemma, Wick/Isserlis contraction and sums over iid samples, as symbolic operations.

Three operations suffice for second moments of gradients, at finite n, d, N:

* ``Expect(F)``: E over independent scalars, linear, with E[g h(g)] = E[h'(g)] (Stein) as its normal form;
* ``vector_moment``: E[x_a x_b ... F(<x, beta>)] for x ~ N(0, I_d), |beta| = 1, by Stein once an index, as Kronecker deltas
  and components of beta, which ``contract`` then sums over an index;
* ``iid_sums``: E of a product of sums over n iid samples, by which samples coincide.

``isserlis`` and ``wick_trace`` do the same for scalars with a covariance and for traces of words in a Gaussian matrix.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any

import sympy as sp
from sympy.utilities.iterables import multiset_partitions

from pencils.errors import InputError

# Atoms of the calculus: g = <x, beta> ~ N(0, 1), the label noise, and the teacher as a function that stays unknown.
g = sp.Symbol("g", real=True)
noise = sp.Symbol("epsilon", real=True)
teacher = sp.Function("f_*", real=True)
y = teacher(g) + noise
beta = sp.IndexedBase("beta", real=True)


class Expect(sp.Expr):  # type: ignore[misc]
    """E[integrand] over g ~ N(0, 1) and an independent noise of mean 0 and variance sigma_eps^2.

    ``doit`` gives the normal form: linear, the noise integrated out (its first two moments are all that is assumed; a
    third power raises InputError), polynomials in g by their moments, and powers of g beside an unknown function removed
    by Stein's lemma, so that two equal expectations become the same expression.
    """

    is_commutative = True
    is_real = True

    def __new__(cls, integrand: Any) -> Expect:
        return sp.Expr.__new__(cls, sp.sympify(integrand))

    @property
    def integrand(self) -> sp.Expr:
        return self.args[0]

    def doit(self, **hints: Any) -> sp.Expr:
        return normal_form(self.integrand)

    # SymPy's printers print in brackets what binds less than a level: at level 0 nothing does

    def _latex(self, printer: Any, exp: Any = None) -> str:
        inside = printer.parenthesize(self.integrand.subs(teacher(g), sp.Symbol("f_*")), 0)
        body = r"\mathbb{E}\left[" + inside + r"\right]"
        return body if exp is None else r"\left(" + body + r"\right)^{" + str(exp) + "}"

    def _sympystr(self, printer: Any) -> str:
        return f"E[{printer.parenthesize(self.integrand, 0)}]"


def normal_form(integrand: sp.Expr) -> sp.Expr:
    """E[integrand] as a combination of expectations of products of the teacher and its derivatives alone."""
    from theory.proof.symbols import symbol

    variance = symbol("sigma_eps") ** 2
    total: sp.Expr = sp.Integer(0)
    for term in sp.Add.make_args(sp.expand(integrand.doit())):
        power = sp.degree(term, noise) if term.has(noise) else 0
        if power > 2:
            raise InputError(f"the noise is known by its mean and variance only; E of its power {power} is not known")
        if power == 1:
            continue
        term = term.coeff(noise, 2) * variance if power == 2 else term
        constant, rest = term.as_independent(g)
        total += constant * _stein_normal(rest)
    return sp.expand(total)


def _stein_normal(term: sp.Expr) -> sp.Expr:
    """E[g^k h(g)] with the power of g removed: E[g^k h] = (k-1) E[g^(k-2) h] + E[g^(k-1) h'] (Stein's lemma)."""
    powers: list[sp.Expr] = []
    unknown: list[sp.Expr] = []
    for factor in sp.Mul.make_args(term):
        (powers if factor.as_base_exp()[0] == g else unknown).append(factor)
    function = sp.Mul(*unknown)
    power = int(sp.Mul(*powers).as_base_exp()[1]) if powers else 0
    if power == 0:
        return sp.Integer(1) if function == 1 else Expect(function)
    lower = (power - 1) * g ** (power - 2) * function if power >= 2 else sp.Integer(0)
    return normal_form(lower + g ** (power - 1) * sp.diff(function, g))


def stein(index_free: sp.Expr) -> sp.Equality:
    """Stein's lemma for one function h of g: E[g h(g)] = E[h'(g)], as an equation of two expectations."""
    return sp.Eq(Expect(g * index_free), Expect(sp.diff(index_free, g)), evaluate=False)


def vector_moment(indices: Sequence[sp.Symbol], function: sp.Expr) -> sp.Expr:
    """E[x_a x_b ... F(g, noise)] for x ~ N(0, I_d), g = <x, beta>, |beta| = 1, indices a, b, ... symbolic.

    Stein's lemma in the first index: E[x_a M F] = sum_b delta_ab E[(M/x_b) F] + beta_a E[M F'].
    """
    if not indices:
        return Expect(function)
    first, rest = indices[0], list(indices[1:])
    total = beta[first] * vector_moment(rest, sp.diff(function, g))
    for place, other in enumerate(rest):
        total += sp.KroneckerDelta(first, other) * vector_moment(rest[:place] + rest[place + 1 :], function)
    return sp.expand(total)


def contract(expr: sp.Expr, index: sp.Symbol, dimension: sp.Expr) -> sp.Expr:
    """Sum over ``index`` = 1..dimension of a combination of deltas and components of the unit vector beta."""
    total: sp.Expr = sp.Integer(0)
    for term in sp.Add.make_args(sp.expand(expr)):
        mine = [factor for factor in sp.Mul.make_args(term) if index in factor.free_symbols]
        rest = sp.Mul(*[factor for factor in sp.Mul.make_args(term) if index not in factor.free_symbols])
        deltas = [factor for factor in mine if isinstance(factor, sp.KroneckerDelta)]
        if deltas:
            other = next(argument for argument in deltas[0].args if argument != index)
            remaining = sp.Mul(*[factor for factor in mine if factor is not deltas[0]])
            total += rest * remaining.xreplace({index: other})
        elif not mine:
            total += dimension * rest
        elif sp.Mul(*mine) == beta[index] ** 2:
            total += rest
        else:
            raise InputError(f"the sum over {index} of {term} is not one of deltas and beta^2")
    return sp.expand(total)


def iid_sums(factors: Sequence[Any], n: sp.Expr, expectation: Callable[[Sequence[Any]], sp.Expr]) -> sp.Expr:
    """E of prod_k (sum_i F_k(sample i)) over n iid samples, exactly, at any n.

    A tuple of sample numbers is sorted by which of them coincide: sum over set partitions of the factors of the falling
    factorial n (n-1) ... (one factor a block) times the product over blocks of ``expectation(factors of the block)``.
    """
    total: sp.Expr = sp.Integer(0)
    for partition in multiset_partitions(list(range(len(factors)))):
        product: sp.Expr = sp.Integer(1)
        for place, block in enumerate(partition):
            product *= (n - place) * expectation([factors[k] for k in block])
        total += product
    return total


class GradientMoment(sp.Expr):  # type: ignore[misc]
    """E|X^T y / n|^2 at finite n and d, unevaluated; ``doit`` computes it from the definition.

    X has n iid rows x_i ~ N(0, I_d); y_i = f*(<x_i, beta>) + noise_i. The square is the sum over a of a product of two
    sums over samples of x_ia y_i; ``iid_sums`` splits it, ``vector_moment`` evaluates it, ``contract`` sums over a.
    """

    is_commutative = True

    def __new__(cls, n: Any, d: Any) -> GradientMoment:
        return sp.Expr.__new__(cls, sp.sympify(n), sp.sympify(d))

    def doit(self, **hints: Any) -> sp.Expr:
        n, d = self.args
        first, second = sp.symbols("a b", integer=True)

        def block(parts: Sequence[tuple[sp.Symbol, sp.Expr]]) -> sp.Expr:
            return vector_moment([index for index, _ in parts], sp.Mul(*[value for _, value in parts]))

        split = iid_sums([(first, y), (second, y)], n, block)
        both = (split.expand() * sp.KroneckerDelta(first, second)).expand()
        summed = contract(contract(both, second, d), first, d)
        return sp.expand(sp.expand(summed.replace(lambda e: isinstance(e, Expect), lambda e: e.doit())) / n**2)

    def _latex(self, printer: Any, exp: Any = None) -> str:
        return r"\mathbb{E}\left|\tfrac{1}{n} X^{T} y\right|^{2}"

    def _sympystr(self, printer: Any) -> str:
        return "E|X^T y/n|^2"


def isserlis(variables: Sequence[Any], covariance: Callable[[Any, Any], Any]) -> Any:
    """E of a product of centred jointly Gaussian variables: the sum over pairings of products of covariances."""
    if not variables:
        return sp.Integer(1)
    if len(variables) % 2:
        return sp.Integer(0)
    first, rest = variables[0], list(variables[1:])
    return sum(covariance(first, rest[k]) * isserlis(rest[:k] + rest[k + 1 :], covariance) for k in range(len(rest)))


@cache
def wick_trace(order: int, rows: sp.Expr, columns: sp.Expr) -> sp.Expr:
    """E Tr (W W^T)^order for W (rows x columns) with iid N(0, 1) entries, a polynomial in the two dimensions.

    Wick: a sum over pairings of the 2 x order letters; each pairing identifies indices, and every free index that is left
    contributes its dimension (row indices ``rows``, column indices ``columns``).
    """
    total: sp.Expr = sp.Integer(0)
    letters = 2 * order  # letter 2k is W with indices (i_k, j_k), letter 2k+1 is W^T seen as W with (i_{k+1}, j_k)
    for pairing in _pairings(list(range(letters))):
        row, column = list(range(order)), list(range(order))
        for left, right in pairing:
            _join(row, *(((letter + 1) // 2) % order for letter in (left, right)))
            _join(column, left // 2, right // 2)
        total += rows ** len(set(row)) * columns ** len(set(column))
    return sp.expand(total)


def _join(labels: list[int], one: int, other: int) -> None:
    old, new = labels[other], labels[one]
    labels[:] = [new if label == old else label for label in labels]


def _pairings(items: list[int]) -> Iterator[list[tuple[int, int]]]:
    if not items:
        yield []
        return
    for k in range(1, len(items)):
        for rest in _pairings(items[1:k] + items[k + 1 :]):
            yield [(items[0], items[k]), *rest]
