"""The one table of symbols: name in formulas and on the command line, LaTeX as in the papers, meaning, domain.

A symbol without LaTeX is a parameter alone: no formula may use it. Where a whole number is read but formulas hold for more
(n in a form that is analytic in it), ``formulas`` is the wider domain in which SymPy and the random points take it. Meanings and
domains of a single source are its letters (``theory.proof.symbols.Alphabet``), not here. Importing this room is cheap.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from pencils.errors import InputError
from theory.proof.domains import Complex, Domain, Negative, NonNegative, Number, Positive, Real, Whole
from theory.proof.inputs import DiscreteLaw, Function, Numbers, OneOf, Polynomial, PositiveOrInfinite, Truth

_POSITIVE = Positive()


@dataclass(frozen=True)
class Symbol:
    """``domain`` is what a given value may be. ``points`` is the range of the random numbers at which forms are compared, where
    that is not the domain's own; ``formulas`` the domain of the symbol in formulas, where that is not ``domain``.

    Raises InputError for a symbol of formulas that is no number."""

    latex: str | None
    meaning: str
    domain: Domain = _POSITIVE
    points: tuple[str, str] | None = None
    formulas: Number | None = None

    def __post_init__(self) -> None:
        if self.latex is not None and not isinstance(self.formulas or self.domain, Number):
            raise InputError(f"{self.latex}: a symbol of formulas ranges over numbers, not over {self.domain}")

    @property
    def number(self) -> Number:
        """The domain of the symbol in formulas; InputError for a parameter that no formula may use."""
        found = self.formulas or self.domain
        if self.latex is None or not isinstance(found, Number):
            raise InputError(f"{self.meaning}: no symbol of formulas")
        return found

    def span(self, domain: Number) -> tuple[Fraction, Fraction]:
        """The range of random numbers of one of the symbol's two domains."""
        return (Fraction(self.points[0]), Fraction(self.points[1])) if self.points else domain.span()


_SMALL = ("1/4", "2")

TABLE: dict[str, Symbol] = {
    # What a reader may give, in the order in which an entry asks for it; then what forms and derivations define by these.
    # the model (ba2022, section 1 of the sheet)
    "psi1": Symbol(r"\psi_1", "limit of n/d, > 0"),
    "psi2": Symbol(r"\psi_2", "limit of N/d, > 0"),
    "eta": Symbol(r"\eta", "learning rate, >= 0", NonNegative()),
    "lam": Symbol(
        r"\lambda",
        "ridge penalty lambda, > 0",
        Positive("; at 0+ the risks tend to those of ba2022.ridgeless, which are finite unless psi1 = psi2"),
    ),
    "sigma_eps": Symbol(r"\sigma_\varepsilon", "standard deviation of the label noise, >= 0", NonNegative(), _SMALL),
    "activation": Symbol(None, "activation: a name or a formula in x", Function()),
    "teacher": Symbol(None, "teacher's link function: a name or a formula in x", Function()),
    # Hermite data of activation and teacher, both centred; mu1 is oriented to be >= 0
    "mu1": Symbol(r"\mu_1", "E[z sigma(z)], in place of the activation", Real(), _SMALL, NonNegative()),
    "mu2": Symbol(r"\mu_2", "nonlinear part of the activation, >= 0, in place of the activation", NonNegative(), _SMALL),
    "slope_energy": Symbol(r"\overline{\sigma'^2}", "E sigma'^2 >= mu1^2, in place of the activation", NonNegative(), _SMALL),
    "mu1_star": Symbol(r"\mu_1^{*}", "E[z sigma*(z)], in place of the teacher", Real(), _SMALL),
    "mu2_star": Symbol(r"\mu_2^{*}", "nonlinear part of the teacher, >= 0, in place of the teacher", NonNegative(), _SMALL),
    # the large step
    "alpha0": Symbol(None, "limit of n0/d, samples of the step, > 0 or inf", PositiveOrInfinite()),
    "etabar": Symbol(r"\bar\eta", "learning rate over sqrt(N), > 0"),
    "readout": Symbol(None, "law of sqrt(N) a: uniform, gaussian, or a list value:weight", DiscreteLaw()),
    # the staircase (moniri2024); alpha is also sqrt(N) a_j of a neuron after a large step, of either sign
    "phi": Symbol(r"\phi", "limit of d/n, > 0"),
    "psi": Symbol(r"\psi", "limit of d/N, > 0"),
    "alpha": Symbol(r"\alpha", "exponent of the learning rate, eta = n^alpha, >= 0", NonNegative(), formulas=Real()),
    "centre": Symbol(None, "false: the teacher keeps its mean (true)", Truth()),
    "n": Symbol("n", "number of samples, a whole number, 2 or more", Whole(2), formulas=Positive()),
    "spikes": Symbol(
        None,
        "source: those moniri2024 is reported to have; step: those of the step as written; silent: the step of a network with "
        "no output before it",
        OneOf("source", "step", "silent"),
    ),
    "c": Symbol(None, "factor of the learning rate, eta = c n^alpha, > 0"),
    "ell": Symbol(r"\ell", "number of spikes, a whole number, 1 or more", Whole(1), formulas=Positive()),
    "rows": Symbol(None, "rows of W0: gaussian or sphere", OneOf("gaussian", "sphere")),
    "c0_star": Symbol("c_{*,0}", "mean of the teacher, in place of the teacher", Real(), _SMALL),
    **{f"c{k}": Symbol(f"c_{k}", f"E[He_{k}(z) sigma(z)]/{k}!, in place of the activation", Real(), _SMALL) for k in (2, 3, 4)},
    **{
        f"c{k}_star": Symbol(rf"c_{{*,{k}}}", f"E[He_{k}(z) sigma*(z)]/{k}!, in place of the teacher", Real(), _SMALL)
        for k in (2, 3, 4)
    },
    "order": Symbol(None, "highest Hermite index, a whole number", Whole()),
    "normalize": Symbol(None, "true: activation and teacher scaled to variance one (false)", Truth()),
    # polynomial teachers, their Hessian, monomials, packings and bounds in the rank (damian2022)
    "polynomial": Symbol(None, "a teacher that is a polynomial in x1, x2, ..., such as (x1**2-1)/2 + x1*x2", Polynomial()),
    "preprocess": Symbol(None, "true: mean and linear part of the teacher are taken off first (true)", Truth()),
    "k": Symbol(None, "degree, a whole number", Whole()),
    "H": Symbol(None, "eigenvalues of H = E grad^2 f* on S*, such as 1,-1/2", Numbers()),
    "tensor": Symbol(None, "a symmetric tensor as its polynomial in x1, x2, ..., along the eigenvectors of H", Polynomial()),
    "d": Symbol("d", "input dimension, a whole number, 2 or more", Whole(2), formulas=Positive()),
    "size": Symbol(None, "number of vectors of a packing, a whole number, 2 or more", Whole(2)),
    "seed": Symbol(None, "seed of random vectors, a whole number", Whole()),
    "construction": Symbol(None, "how a packing is made: signs, bent or legendre", OneOf("signs", "bent", "legendre")),
    "degree": Symbol("p", "degree p in a bound, > 0"),
    "order_k": Symbol("k", "order k of a monomial in a bound, > 0"),
    "rank": Symbol("r", "rank r of H in a bound, > 0"),
    "kappa_H": Symbol(r"\kappa", "|H^+|/sqrt r in a bound, > 0"),
    "iota": Symbol(r"\iota", "a logarithm in a bound, > 0"),
    "width": Symbol("m", "width m in a bound, > 0"),
    "eta1": Symbol(r"\eta_1", "learning rate of the first step, > 0"),
    "overlap": Symbol(r"\rho", "<v, w> of two unit vectors", Real(), ("1/4", "3/4")),
    "target": Symbol(None, "link function of a second task on the same direction", Function()),
    "power": Symbol(None, "n = d^power, > 0"),
    "z": Symbol("z", "spectral parameter, a real or complex number such as 7/10 + i/2", Complex()),
    # sizes, and norms in Proposition 2
    "N": Symbol("N", "width"),
    "log_n": Symbol(r"\log n", "logarithm of the number of samples"),
    "y_inf": Symbol(r"|y|_\infty", "largest |y_i|", NonNegative()),
    "a_inf": Symbol(r"|a|_\infty", "largest |a_j|", NonNegative()),
    "M_norm": Symbol("|M|", "operator norm of a matrix M", NonNegative()),
    "v_norm": Symbol("|v|", "length of a vector v", NonNegative()),
    "mubar": Symbol(r"\bar\mu", "square root of E y^2", NonNegative()),
    # the spike
    "theta1": Symbol(r"\theta_1", "limit of |u|, u the rank-one update's left vector"),
    "theta2": Symbol(r"\theta_2", "limit of <u, beta>", Real()),
    # the risk of ridge regression on the features, after the step and before
    "omega": Symbol(r"\omega", "1/omega = (1/d) tr (mu1^2 W0 W0^T + mu2^2 + s)^-1, s the effective ridge"),
    "s": Symbol("s", "effective ridge"),
    "a1": Symbol("a_1", "mu1^2/omega, which is m(z) at z = -(mu2^2 + s)/mu1^2", NonNegative()),
    "a2": Symbol("a_2", "mu2^2/omega", NonNegative()),
    "p": Symbol("p", "1 + (1 - psi2) a1"),
    "q": Symbol("q", "(1 + a1)^2 - psi2 a1^2"),
    "r": Symbol("r", "s/omega"),
    "df1": Symbol(r"\mathrm{df}_1", "(1/n) tr of Sigma/(Sigma + s/N), Sigma the covariance of the features"),
    "df2": Symbol(r"\mathrm{df}_2", "(1/n) tr of the square of Sigma/(Sigma + s/N)"),
    "bias": Symbol(r"\mathcal{B}", "coefficient of mu1*^2 in the risk", NonNegative()),
    "variance": Symbol(r"\mathcal{V}", "coefficient of the noise in the risk", NonNegative()),
    "R0": Symbol("R_0", "risk before the step", NonNegative()),
    "R1": Symbol("R_1", "risk after the step", NonNegative()),
    "delta": Symbol(r"\delta", "R0 - R1", NonNegative()),
    "ceiling": Symbol(r"\delta_\infty", "limit of delta as eta -> infinity", NonNegative()),
    "chi": Symbol(r"\chi", "nu1 nu2 of mei2019", Negative()),
    "length2": Symbol("|b|^2", "squared length of the direction of a step"),
    "varsigma": Symbol(r"\varsigma", "square of a neuron's own part of the step over (c_1 |b|)^2", NonNegative()),
    "seen": Symbol("m_2'", "what the first spike weighs in place of m2"),
    "rho": Symbol(r"\rho", "cosine of the angle between X^T y and beta", Real(), ("1/4", "1")),
    "m1": Symbol("m_1", "(1/n) tr K^-1, K = Phi0 Phi0^T + lambda (n/N) I"),
    "m2": Symbol("m_2", "(1/(n d)) tr X~^T K^-1 X~"),
    # the large step
    "kappa": Symbol(r"\kappa", "width that neurons share after a large step", Real()),
    "tau_star": Symbol(r"\tau^{*}", "least distance of the teacher to a neuron average", NonNegative()),
    "B1": Symbol("B_1", "mean square of one of two errors"),
    "B2": Symbol("B_2", "mean square of the other"),
    "C": Symbol("C", "a constant that is not given"),
    # queries and packings, a neuron's first step (damian2022)
    "queries": Symbol("q", "number of queries", points=("1", "100")),
    "tau_query": Symbol(r"\tau", "tolerance of a query", points=("3/4", "1")),
    "eps_pack": Symbol(r"\epsilon", "largest |<v, w>| in a packing of unit vectors", points=("1/4", "3/4")),
    "packing": Symbol("n", "number of functions in a packing", points=("3", "100")),
    "a_j": Symbol("a_j", "readout of neuron j at initialisation", Real()),
    "g_n": Symbol("g_n", "a component of g_n(w_j) = (1/n) sum_i yhat_i x_i sigma'(w_j.x_i)", Real()),
    "sigma_j": Symbol(r"\sigma_j", "sigma(<w_j, x>) at initialisation", NonNegative()),
    # Marchenko-Pastur
    "x": Symbol("x", "real spectral parameter outside the bulk", Real()),
    "m": Symbol("m", "Stieltjes transform of the d x d law", Complex()),
    "m_tilde": Symbol(r"\tilde m", "Stieltjes transform of the companion law", Complex()),
    "w": Symbol("w", "argument of the R- and S-transform", Complex()),
}
