"""The one table of symbols: name in formulas, LaTeX as in the papers, sign, meaning, range for random points.

Importing this room is cheap; SymPy is loaded when ``symbol`` is first called.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from pencils.errors import InputError

if TYPE_CHECKING:
    import sympy as sp


@dataclass(frozen=True)
class Entry:
    """``sign`` is a SymPy assumption; ``low`` and ``high`` bound the random exact points at which forms are compared."""

    latex: str
    meaning: str
    sign: str = "positive"
    low: str = "1/4"
    high: str = "4"


TABLE: dict[str, Entry] = {
    # parameters of the model (ba2022, section 1 of the sheet)
    "psi1": Entry(r"\psi_1", "limit of n/d"),
    "psi2": Entry(r"\psi_2", "limit of N/d"),
    "phi": Entry(r"\phi", "limit of d/n"),
    "psi": Entry(r"\psi", "limit of d/N"),
    "eta": Entry(r"\eta", "learning rate of the step", "nonnegative"),
    "lam": Entry(r"\lambda", "ridge penalty"),
    "ell": Entry(r"\ell", "number of spikes, or the degree of one"),
    "sigma_eps": Entry(r"\sigma_\varepsilon", "standard deviation of the label noise", "nonnegative", "1/4", "2"),
    "n": Entry("n", "number of samples"),
    "d": Entry("d", "input dimension"),
    "N": Entry("N", "width"),
    "log_n": Entry(r"\log n", "logarithm of the number of samples"),
    # norms in Proposition 2
    "y_inf": Entry(r"|y|_\infty", "largest |y_i|", "nonnegative"),
    "a_inf": Entry(r"|a|_\infty", "largest |a_j|", "nonnegative"),
    "M_norm": Entry("|M|", "operator norm of a matrix M", "nonnegative"),
    "v_norm": Entry("|v|", "length of a vector v", "nonnegative"),
    # Hermite data of activation and teacher, both centred
    "mu1": Entry(r"\mu_1", "E[z sigma(z)], oriented to be >= 0", "nonnegative", "1/4", "2"),
    "mu2": Entry(r"\mu_2", "square root of E sigma^2 - mu0^2 - mu1^2", "nonnegative", "1/4", "2"),
    "slope_energy": Entry(r"\overline{\sigma'^2}", "E sigma'^2 of the activation", "nonnegative", "1/4", "2"),
    "mu1_star": Entry(r"\mu_1^{*}", "E[z sigma*(z)] of the teacher", "real", "1/4", "2"),
    "mu2_star": Entry(r"\mu_2^{*}", "nonlinear part of the teacher", "nonnegative", "1/4", "2"),
    **{f"c{k}": Entry(f"c_{k}", f"E[He_{k}(z) sigma(z)]/{k}!", "real", "1/4", "2") for k in (2, 3, 4)},
    **{f"c{k}_star": Entry(rf"c_{{*,{k}}}", f"E[He_{k}(z) sigma*(z)]/{k}!", "real", "1/4", "2") for k in (0, 2, 3, 4)},
    "mubar": Entry(r"\bar\mu", "square root of E y^2", "nonnegative"),
    # the spike
    "theta1": Entry(r"\theta_1", "limit of |u|, u the rank-one update's left vector"),
    "theta2": Entry(r"\theta_2", "limit of <u, beta>", "real"),
    # the risk of ridge regression on the features, after the step and before
    "omega": Entry(r"\omega", "1/omega = (1/d) tr (mu1^2 W0 W0^T + mu2^2 + s)^-1, s the effective ridge"),
    "s": Entry("s", "effective ridge"),
    "a1": Entry("a_1", "mu1^2/omega, which is m(z) at z = -(mu2^2 + s)/mu1^2", "nonnegative"),
    "a2": Entry("a_2", "mu2^2/omega", "nonnegative"),
    "p": Entry("p", "1 + (1 - psi2) a1", "positive"),
    "q": Entry("q", "(1 + a1)^2 - psi2 a1^2", "positive"),
    "r": Entry("r", "s/omega", "positive"),
    "df1": Entry(r"\mathrm{df}_1", "(1/n) tr of Sigma/(Sigma + s/N), Sigma the covariance of the features"),
    "df2": Entry(r"\mathrm{df}_2", "(1/n) tr of the square of Sigma/(Sigma + s/N)"),
    "bias": Entry(r"\mathcal{B}", "coefficient of mu1*^2 in the risk", "nonnegative"),
    "variance": Entry(r"\mathcal{V}", "coefficient of the noise in the risk", "nonnegative"),
    "R0": Entry("R_0", "risk before the step", "nonnegative"),
    "R1": Entry("R_1", "risk after the step", "nonnegative"),
    "delta": Entry(r"\delta", "R0 - R1", "nonnegative"),
    "ceiling": Entry(r"\delta_\infty", "limit of delta as eta -> infinity", "nonnegative"),
    "chi": Entry(r"\chi", "nu1 nu2 of mei2019", "negative", "-4", "-1/4"),
    "length2": Entry("|b|^2", "squared length of the direction of a step"),
    "varsigma": Entry(r"\varsigma", "square of a neuron's own part of the step over (c_1 |b|)^2", "nonnegative"),
    "seen": Entry("m_2'", "what the first spike weighs in place of m2"),
    "rho": Entry(r"\rho", "cosine of the angle between X^T y and beta", "real", "1/4", "1"),
    "m1": Entry("m_1", "(1/n) tr K^-1, K = Phi0 Phi0^T + lambda (n/N) I"),
    "m2": Entry("m_2", "(1/(n d)) tr X~^T K^-1 X~"),
    # the large step
    "etabar": Entry(r"\bar\eta", "eta/sqrt(N) of a large step"),
    "alpha": Entry(r"\alpha", "sqrt(N) a_j of a neuron; in moniri2024 the exponent of eta = n^alpha", "real"),
    "kappa": Entry(r"\kappa", "width that neurons share after a large step", "real"),
    "tau_star": Entry(r"\tau^{*}", "least distance of the teacher to a neuron average", "nonnegative"),
    "B1": Entry("B_1", "mean square of one of two errors"),
    "B2": Entry("B_2", "mean square of the other"),
    "C": Entry("C", "a constant that is not given"),
    # queries and packings, bounds in the rank (damian2022)
    "degree": Entry("p", "degree of the teacher"),
    "order_k": Entry("k", "order of a monomial, at most the degree"),
    "queries": Entry("q", "number of queries", "positive", "1", "100"),
    "tau_query": Entry(r"\tau", "tolerance of a query", "positive", "3/4", "1"),
    "eps_pack": Entry(r"\epsilon", "largest |<v, w>| in a packing of unit vectors", "positive", "1/4", "3/4"),
    "packing": Entry("n", "number of functions in a packing", "positive", "3", "100"),
    "overlap": Entry(r"\rho", "<v, w> of two unit vectors", "real", "1/4", "3/4"),
    "rank": Entry("r", "rank of H = E grad^2 f*"),
    "kappa_H": Entry(r"\kappa", "|H^+|/sqrt r"),
    "iota": Entry(r"\iota", "a logarithm of n, m and d"),
    "width": Entry("m", "width in damian2022"),
    "eta1": Entry(r"\eta_1", "learning rate of the first step in damian2022"),
    "a_j": Entry("a_j", "readout of neuron j at initialisation", "real"),
    "g_n": Entry("g_n", "a component of g_n(w_j) = (1/n) sum_i yhat_i x_i sigma'(w_j.x_i)", "real"),
    "sigma_j": Entry(r"\sigma_j", "sigma(<w_j, x>) at initialisation", "nonnegative"),
    # Marchenko-Pastur
    "z": Entry("z", "spectral parameter", "complex"),
    "x": Entry("x", "real spectral parameter outside the bulk", "real"),
    "m": Entry("m", "Stieltjes transform of the d x d law", "complex"),
    "m_tilde": Entry(r"\tilde m", "Stieltjes transform of the companion law", "complex"),
    "w": Entry("w", "argument of the R- and S-transform", "complex"),
}


@cache
def symbol(name: str) -> sp.Symbol:
    """The SymPy symbol of a name in the table; InputError for any other name."""
    import sympy as sp

    if name not in TABLE:
        raise InputError(f"unknown symbol {name!r}; known: {', '.join(TABLE)}")
    sign = TABLE[name].sign
    return sp.Symbol(name, **({} if sign == "complex" else {sign: True}))


def symbols(names: str) -> tuple[sp.Symbol, ...]:
    """Several symbols of the table, names separated by blanks."""
    return tuple(symbol(name) for name in names.split())


def latex(expr: sp.Basic) -> str:
    """LaTeX of an expression with the papers' symbols."""
    import sympy as sp

    names = {s: TABLE[s.name].latex for s in expr.free_symbols if isinstance(s, sp.Symbol) and s.name in TABLE}
    return str(sp.latex(expr, symbol_names=names, fold_short_frac=False))
