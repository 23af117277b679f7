"""Lemma 13 of damian2022: the population gradient of a neuron, by Stein's lemma, and what follows from its terms.

g(w) = E[f(x) x sigma'(<w, x>)], |w| = 1; sigma = sum c_k He_k/k! and C_k = E grad^k f, so that c_1 = mu1 and C_1 = E f x.
Instances have two coordinates: x enters through <w, x> and one more direction at a time.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from theory.functions.hermite_polynomials import he
from theory.proof.means import Mean, normal_moment
from theory.proof.stein import Expect
from theory.proof.stein import g as gaussian
from theory.proof.steps import Proof
from theory.proof.symbols import symbols

mu1, mu1_star, c0_star, overlap, d, width = symbols("mu1 mu1_star c0_star overlap d width")
_x, _y = sp.symbols("x_1 x_2", real=True)
_DEGREE = 4  # of the general teacher that the series is checked on
_c = sp.symbols(f"c_0:{_DEGREE + 3}", real=True)


def _mean(integrand: Any) -> Mean:
    """E over x_1 and x_2."""
    return Mean(integrand, (_x, _y))


def _teacher() -> sp.Expr:
    """A general polynomial in two variables."""
    return sum(sp.Symbol(f"f_{i}{j}", real=True) * _x**i * _y**j for i in range(_DEGREE + 1) for j in range(_DEGREE + 1 - i))


def _terms(f: sp.Expr, place: sp.Symbol) -> sp.Expr:
    """sum_k c_{k+1} C_{k+1}(w, ..., w, .)/k! + c_{k+2} w C_k(w, ..., w)/k! at w = e_1, the component along a coordinate."""
    total = sp.Integer(0)
    for k in range(_DEGREE + 1):
        along = sp.diff(f, (_x, k))
        total += _c[k + 1] * _mean(sp.diff(along, place)).doit() / sp.factorial(k)
        total += _c[k + 2] * _mean(along).doit() / sp.factorial(k) * int(place == _x)
    return total


def series(proof: Proof) -> None:
    """g(w) as a series in the C_k and the coefficients of sigma (not of sigma')"""
    f, slope = (sp.Function(name, real=True) for name in ("f", "h"))
    own, rest = sp.symbols("w_1 s", real=True)
    proof.step(
        Expect(gaussian * f(gaussian) * slope(own * gaussian + rest)),
        Expect(sp.diff(f(gaussian), gaussian) * slope(own * gaussian + rest))
        + Expect(f(gaussian) * sp.diff(slope(own * gaussian + rest), gaussian)),
        "Stein's lemma in x_1 = g, the other coordinates held, h = sigma': E[f x_1 sigma'] = E[(d_1 f) sigma'] + w_1 E[f sigma'']",
    )
    proof.assume(
        "x ~ N(0, I_d) is the same in all orthonormal coordinates: w = e_1, and x_2 stands for every coordinate orthogonal to w"
    )
    teacher = _teacher()
    for k in range(_DEGREE + 1):
        proof.step(
            _mean(teacher * he(k, _x)),
            _mean(sp.diff(teacher, (_x, k))).doit(),
            f"E[f He_{k}(<w, x>)] = C_{k}(w, ..., w), Stein's lemma {k} times; f is a general polynomial of degree {_DEGREE}",
        )
    proof.assume(
        "a polynomial of degree p is orthogonal to He_k(<w, x>) for k > p, so that of sigma' and sigma'' only the coefficients up "
        "to p count"
    )
    slopes = sum(_c[k + 1] * he(k, _x) / sp.factorial(k) for k in range(_DEGREE + 2))
    for place, where in ((_x, "along w"), (_y, "across w")):
        proof.step(
            _mean(teacher * place * slopes),
            _terms(teacher, place),
            f"so with sigma' = sum c_(k+1) He_k/k!, c_k those of sigma and general, the component of g {where} is the series",
        )


def relu(proof: Proof) -> None:
    """The coefficients c_k of the ReLU, from E sigma(z + t) = sum c_k t^k/k!"""
    z, t = sp.symbols("z t", real=True)
    density = sp.exp(-(z**2) / 2) / sp.sqrt(2 * sp.pi)
    shifted = t * (2 - sp.erfc(t / sp.sqrt(2))) / 2 + sp.exp(-(t**2) / 2) / sp.sqrt(2 * sp.pi)
    proof.step(sp.Integral((z + t) * density, (z, -t, sp.oo)), shifted, "E max(0, z + t)")
    known = {0: 1 / sp.sqrt(2 * sp.pi), 1: sp.Rational(1, 2)}
    known |= {
        2 * j: (-1) ** (j - 1) * sp.factorial(2 * j) / (sp.factorial(j) * 2**j * (2 * j - 1)) / sp.sqrt(2 * sp.pi)
        for j in range(1, 6)
    }
    for k, value in known.items():
        slope = sp.Derivative(shifted, (t, k)) if k else shifted
        proof.step(sp.Subs(slope, t, 0), value, f"c_{k}, the {k}-th derivative at t = 0")
    odd = (shifted - shifted.subs(t, -t)).rewrite(sp.erf)
    proof.step(odd, t, "the odd part of it is t/2 (doubled here): c_1 = 1/2, and c_k = 0 for every odd k > 1")


def _relu_along(f: sp.Expr) -> sp.Integral:
    """E[f(<u, x>) <u, x>; <w, x> > 0] as an integral over t = <w, x>, the mean over the rest taken."""
    t, z = sp.symbols("t z", real=True)
    inside = sp.Poly(sp.expand((f * _x).subs(_x, overlap * t + sp.sqrt(1 - overlap**2) * z)), z)
    mean = sp.expand(sum(value * normal_moment(power) for (power,), value in inside.terms()))
    return sp.Integral(mean * sp.exp(-(t**2) / 2) / sp.sqrt(2 * sp.pi), (t, 0, sp.oo))


def _along_u(first: Any) -> sp.Expr:
    """The series at f = He_3(<u, x>) + He_4(<u, x>) along u with c_k = first(k): C_j = j! u^(x)j at j = 3, 4."""
    return sp.Add(*[j * first(j) * overlap ** (j - 1) + first(j + 2) * overlap ** (j + 1) for j in (3, 4)])


def _c_of_sigma(k: int) -> sp.Expr:
    """E sigma(z) He_k(z), sigma the ReLU."""
    return Mean(he(k, _x) * _x, (_x,), True)


def _c_of_slope(k: int) -> sp.Expr:
    """E sigma'(z) He_k(z), the coefficient that the text of section 5.1 names."""
    return Mean(he(k, _x), (_x,), True)


def witness(proof: Proof) -> None:
    """The component of g along u for f = He_3(<u, x>) + He_4(<u, x>), <u, w> = overlap"""
    relu(proof)
    cubic, quartic = he(3, _x), he(4, _x)
    found = proof.step(
        _relu_along(cubic + quartic),
        (3 * overlap**5 - 4 * overlap**3) / sp.sqrt(2 * sp.pi),
        "E[f <u, x>; <w, x> > 0] from the definition: <u, x> = overlap <w, x> + sqrt(1 - overlap^2) z, an integral over <w, x> > 0",
    )
    proof.step(
        _along_u(_c_of_sigma),
        found,
        "the series with c_3, c_4, c_5, c_6 of sigma: C_j = j! u^(x)j gives j c_j overlap^(j-1) u + c_(j+2) overlap^j w",
    )


def printed_witness(proof: Proof) -> None:
    """The same read with the coefficients of sigma', as the text of section 5.1 has it"""
    proof.step(
        _along_u(_c_of_slope),
        (3 * overlap**4 - 3 * overlap**2) / sp.sqrt(2 * sp.pi),
        "the series of Lemma 13 with E sigma' He_k in place of E sigma He_k: He_3 is given a gradient, He_4 none",
    )


def aligned(proof: Proof) -> None:
    """The mean cosine between neurons after a step without preprocessing"""
    own, other = sp.symbols("w w'", real=True)
    proof.define(_c[1], sp.Rational(1, 2))
    proof.define(_c[2], 1 / sp.sqrt(2 * sp.pi))
    along = proof.step(
        _c[1] * mu1_star + _c[2] * c0_star * own,
        mu1_star / 2 + c0_star * own / sp.sqrt(2 * sp.pi),
        "Lemma 13 without preprocessing to order one, along u: C_1 = mu1* u, C_0 = E f, own = <u, w>; c_1 and c_2 of the ReLU",
    )
    proof.assume("for w, w' uniform on the sphere, d -> oo: <u, w> -> 0, <w, w'> -> 0, and the other terms of the series -> 0")
    inner = proof.step(
        sp.Limit(sp.Limit(along * along.subs(own, other), own, 0), other, 0),
        mu1_star**2 / 4,
        "<g(w), g(w')>: the parts along w and w' are orthogonal to u and to each other in the limit",
    )
    square = proof.step(
        sp.Limit(along**2 + (_c[2] * c0_star) ** 2 * (1 - own**2), own, 0),
        mu1_star**2 / 4 + c0_star**2 / (2 * sp.pi),
        "|g(w)|^2: along u, and c_2 C_0 times the part of w across u, of squared length 1 - own^2",
    )
    proof.step(inner / square, mu1_star**2 / (mu1_star**2 + 2 * c0_star**2 / sp.pi), "the cosine, the same for all pairs")


def spread(proof: Proof) -> None:
    """With preprocessing neurons point to all sides: one minus the mean cosine"""
    h = sp.symbols("h_1 h_2", nonzero=True)
    w, other = sp.symbols("w_1 w_2", positive=True), sp.symbols("v_1 v_2", positive=True)
    proof.assume("with preprocessing g(w) = H w/sqrt(2 pi) (1 + O(d^-1/2)), w and -w equally likely, neurons independent")

    def direction(at: tuple[sp.Expr, ...]) -> sp.Matrix:
        image = sp.Matrix([scale * part for scale, part in zip(h, at, strict=True)])
        return image / sp.sqrt(image.dot(image))

    cosines = [direction(at).dot(direction(other)) for at in (w, tuple(-part for part in w))]
    proof.step(
        sp.Add(1, -cosines[0] / 2, -cosines[1] / 2, evaluate=False),
        sp.Integer(1),
        "H w is odd in w: the cosines of H w and of H (-w) with H w' cancel, for every w and w' = v; on two directions",
    )


def first_term(proof: Proof) -> None:
    """The first term of the series is the gradient of ba2022: E of mu1 X^T y/n"""
    series(proof)
    f = sp.Function("f_*", real=True)
    link = f(gaussian)
    proof.define(mu1_star, Expect(gaussian * link))
    proof.step(
        Expect(gaussian * link),
        Expect(sp.diff(link, gaussian)),
        "along beta E[y <x, beta>] = E f*' = C_1, the first C_k; the noise has mean 0 and is independent",
    )
    sigma = sum(value * he(k, _x) / sp.factorial(k) for k, value in enumerate(_c))
    proof.step(
        _mean(_x * sigma),
        _c[1],
        "mu1 = E z sigma(z) is c_1 = E sigma', on a sigma with seven general coefficients",
    )
    proof.step(
        mu1 * Expect(gaussian * link),
        mu1 * mu1_star,
        "the term k = 0: c_1 C_1 = mu1 E[y x], which is E of mu1 X^T y/n, the left vector of A = (mu1/(n sqrt N)) X^T y a^T",
    )


def _order(proof: Proof, k: int) -> None:
    """Orders in d of <u, w>^k for w uniform on the sphere, by its root mean square."""
    power = 2 * k
    proof.assume("a Gaussian vector of R^d is its length times an independent uniform direction")
    r = sp.Symbol("r", positive=True)
    chi = sp.Integral(r ** (d - 1 + power) * sp.exp(-(r**2) / 2), (r, 0, sp.oo))
    norm = 2 ** (d / 2 - 1) * sp.gamma(d / 2)
    length = proof.step(
        chi / norm,
        sp.prod([d + 2 * j for j in range(k)]),
        f"E|x|^{power} for x ~ N(0, I_d)",
    )
    square = proof.step(
        _mean(_x**power) / length,
        sp.factorial2(power - 1) / sp.prod([d + 2 * j for j in range(k)]),
        f"E <u, w>^{power} = E x_1^{power} / E|x|^{power}",
    )
    constant = proof.step(
        sp.Limit(d**k * square, d, sp.oo),
        sp.factorial2(power - 1),
        f"its order is d^-{k}, and the term's square is a constant times it (a form of degree {k} in r coordinates of w)",
    )
    proof.step(
        sp.Limit(sp.sqrt(d**k * square / constant), d, sp.oo) * d ** sp.Rational(-k, 2),
        d ** sp.Rational(-k, 2),
        "so the root mean square of the term is a constant times this",
    )


def order_1(proof: Proof) -> None:
    """H w/sqrt(2 pi) is of order d^-1/2"""
    _order(proof, 1)


def order_2(proof: Proof) -> None:
    """c_4 C_2(w, w) w/2 is of order d^-1"""
    _order(proof, 2)


def order_3(proof: Proof) -> None:
    """c_4 C_4(w, w, w, .)/3! is of order d^-3/2"""
    _order(proof, 3)


def all_neurons(proof: Proof) -> None:
    """j and m + 1 - j, j = 1 ... m/2, are all the neurons"""
    j = sp.Symbol("j", integer=True, positive=True)
    proof.step(
        sp.Sum(j + (width + 1 - j), (j, 1, width / 2)),
        sp.Sum(j, (j, 1, width)).doit(),
        "the indices of the pairs (j, m + 1 - j) add up to those of all neurons; a pair has two different members, m + 1 being odd",
    )
    proof.step(sp.Sum(j, (j, 1, width)), width * (width + 1) / 2, "the sum of 1, ..., m")


def _partners(proof: Proof, total: int, right: int, why: str) -> None:
    i, j = sp.symbols("i j", integer=True)
    pair = sp.KroneckerDelta(i, total - j) * (1 - sp.KroneckerDelta(i, j))
    proof.step(sp.Sum(pair, (i, 1, 6), (j, 1, 6)), sp.Integer(right), why)


def paired(proof: Proof) -> None:
    """Of six neurons the rule of the initialisation must leave none without a partner"""
    _partners(proof, 7, 6, "pairs i + j = m + 1 of two different neurons among 1, ..., 6, counted: all six have a partner")


def printed_paired(proof: Proof) -> None:
    """How many of six neurons have a partner under the printed rule j -> m - j"""
    _partners(proof, 6, 4, "pairs i + j = m of two different neurons among 1, ..., 6, counted: 3 and 6 have none")


def printed_index_sum(proof: Proof) -> None:
    """The indices that the printed rule pairs, added up"""
    j = sp.Symbol("j", integer=True, positive=True)
    proof.step(sp.Sum(j + (width - j), (j, 1, width / 2)), width**2 / 2, "the indices of the pairs (j, m - j), j = 1 ... m/2")
