"""Theorem 3 of ``ba2022`` by quadrature of the density: a second route to the spike, and one to theta1 and theta2.

W1 = W0 + u a^T with W0 d x N, entries N(0, 1/d), N/d -> psi2, |a| -> 1, |u| -> theta1, <u, beta> -> theta2. Nothing
here is a solved equation: no closed form of a Stieltjes transform, no quadratic, no reduced outlier equation. Used are

* the density of the law of W0 W0^T, on the curve lambda(t) = 1 + psi2 + 2 sqrt(psi2) cos t, 0 <= t <= pi, where
  rho(lambda) d lambda = (2 psi2/pi) sin^2 t / lambda(t) dt; the point x above the bulk is lambda(i a), a > 0;
* the limits of bilinear forms in Q0(x) = (W0 W0^T - x)^{-1}: for a unit vector v independent of W0, v^T Q0 v -> h,
  (W0 a)^T Q0 W0 a -> J/psi2 and v^T Q0 W0 a -> 0, with h = int rho/(lambda - x) and J = int lambda rho/(lambda - x);
* W1 W1^T = W0 W0^T + U K U^T with U = [u, W0 a] and K = [[|a|^2, 1], [1, 0]], and the Woodbury identity: a 2 x 2
  determinant whose root is the outlier, and residues there, which are the overlaps.

Arithmetic is mpmath in private contexts; results are mpf.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from pencils.errors import InputError, PrecisionError
from pencils.exact.numbers import Number, check_digits
from theory.quadrature.mp import Function, Pair, context, gaussian_means, number

GUARD = 25  # decimal digits carried beyond those asked for
MAX_NODES = 2**13
Matrix = tuple[Pair, Pair]


@dataclass(frozen=True)
class SpikeByDensity:
    """The leading singular value of W1 and the squared overlaps of its singular vectors with beta, u/|u| and a/|a|.

    Numbers right to ``digits`` + 5 digits; below the threshold ``singular_value`` is the edge of the bulk.
    """

    outlier: bool
    singular_value: Number
    overlap: Number
    left_overlap: Number
    right_overlap: Number
    digits: int


def spike(theta1: Any, theta2: Any, psi2: Any, digits: int = 30) -> SpikeByDensity:
    """Leading singular value and overlaps of W0 + u a^T in the limit, from the density alone.

    The outlier is x > lambda_+ with det(I + K diag(theta1^2 h(x), J(x)/psi2)) = 0, K = [[1, 1], [1, 0]]; it exists iff
    the determinant is negative at lambda_+, for it tends to 1 at infinity. Parameters are mpf or exact numbers.
    Raises InputError unless psi2 > 0 and theta2^2 <= theta1^2, PrecisionError too near the threshold, where the
    quadrature would need more than MAX_NODES nodes. Source: Theorem 3 of ``ba2022`` (statements.md, section 2).
    """
    digits = check_digits(digits)
    ctx = context(digits + GUARD)
    t1, t2, ratio = (number(ctx, value, name) for value, name in ((theta1, "theta1"), (theta2, "theta2"), (psi2, "psi2")))
    if ratio <= 0:
        raise InputError(f"psi2 = {psi2}: the ratio N/d of width to dimension must be positive")
    if t2**2 > t1**2 * (1 + ctx.mpf(10) ** -digits):
        raise InputError(f"theta2 = {theta2}: |<u, beta>| is at most |u| = |theta1| = {theta1}, since |beta| = 1")
    forms = _Forms(ctx, t1, ratio)

    # At the threshold itself the determinant vanishes at the edge; a value within rounding of 0 counts as that.
    if forms.determinant(ctx.zero, digits + GUARD // 2) > -(ctx.mpf(10) ** -(digits + GUARD // 2)):
        return SpikeByDensity(False, ctx.sqrt(forms.curve(ctx.zero)), ctx.zero, ctx.zero, ctx.zero, digits)
    a = _outlier(forms, digits + GUARD // 2)
    x, h = forms.curve(a), forms.h(a)
    # W1 a = u + W0 a = U (1, 1)^T, so that U^T Q0 W1 a = D (1, 1)^T.
    return SpikeByDensity(
        True,
        ctx.sqrt(x),
        forms.residue(a, (t2 * h, ctx.zero)),
        forms.residue(a, (t1 * h, ctx.zero)),
        forms.residue(a, forms.diagonal(a)) / x,
        digits,
    )


class _Forms:
    """The 2 x 2 matrix I + K U^T Q0(x) U in the limit, at points x = lambda(i a) of the curve, each to ``accuracy``
    digits (``full`` where none is given)."""

    def __init__(self, ctx: Any, theta1: Any, psi2: Any) -> None:
        self.ctx, self.theta1, self.psi2, self.root = ctx, theta1, psi2, ctx.sqrt(psi2)
        self.full = ctx.dps - GUARD // 2
        self.cache: dict[Any, tuple[int, Pair]] = {}

    def curve(self, a: Any) -> Any:
        """lambda(i a) = 1 + psi2 + 2 sqrt(psi2) cosh a; a = 0 is the upper edge, where the density ends."""
        return 1 + self.psi2 + 2 * self.root * self.ctx.cosh(a)

    def integrals(self, a: Any, accuracy: int) -> Pair:
        """J = int lambda rho/(lambda - x) and J' = dJ/dx = int lambda rho/(lambda - x)^2, by the midpoint rule.

        The weight lambda removes the pole of rho at lambda = 0, so that the integrands in t are analytic and of period
        2 pi but for poles at t = +-i a, which come close near the threshold. With tan(t/2) = k tan(phi/2) and
        k^2 = tanh(a/2), still of period 2 pi, all singularities are at distance w = 2 artanh k ~ sqrt(2 a) from the
        real phi line, and the error with M nodes on (0, pi) is of order exp(-2 M w): doubling M squares it. Two
        successive values that agree to p digits therefore mean that the second has about 2 p, and p are asked for. At
        a = 0 (the edge) the integrand of J is a trigonometric polynomial in t, for which the rule is exact; J' is
        infinite there, and only J is compared.
        """
        known = self.cache.get(a)
        if known is not None and known[0] >= accuracy:
            return known[1]
        ctx = self.ctx
        squeeze = ctx.sqrt(ctx.tanh(a / 2)) if a else ctx.one
        # Start where exp(-2 M w) < 10^-accuracy; w is infinite at the edge, and as good as that far away.
        width = 2 * ctx.atanh(squeeze) if a and squeeze < 1 else ctx.mpf(accuracy)
        nodes = 16
        while nodes * width < 1.2 * accuracy and nodes <= MAX_NODES:
            nodes *= 2
        compared = 2 if a else 1
        previous: Pair | None = None
        while nodes <= MAX_NODES:
            values = self._midpoint(a, squeeze, nodes)
            if previous and all(
                abs(new - old) <= abs(new) * ctx.mpf(10) ** -accuracy
                for new, old in zip(values[:compared], previous[:compared], strict=True)
            ):
                self.cache[a] = accuracy, values
                return values
            previous = values
            nodes *= 2
        raise PrecisionError(
            f"theta1 = {ctx.nstr(self.theta1, 10)}, psi2 = {ctx.nstr(self.psi2, 10)}: so near the "
            f"threshold theta1^4 = psi2 that {MAX_NODES} nodes do not reach {accuracy} digits"
        )

    def _midpoint(self, a: Any, squeeze: Any, nodes: int) -> Pair:
        ctx = self.ctx
        square, gap = squeeze**2, 2 * ctx.sinh(a / 2) ** 2
        first = second = ctx.zero
        for cosine in _cosines(ctx, nodes):
            # In terms of cos phi: 1 - cos t = 2 k^2 (1 - cos phi)/s, 1 + cos t = 2 (1 + cos phi)/s, dt = 2 k dphi/s.
            up, down = 1 + cosine, square * (1 - cosine)
            s = up + down
            below = 1 / (-2 * down / s - gap)  # 1/(cos t - cosh a), without cancellation at the edge
            term = up * down / s**3 * below
            first += term
            second += term * below
        # lambda - x = 2 sqrt(psi2) (cos t - cosh a), and lambda rho dlambda = (2 psi2/pi) sin^2 t dt; 8 k up down/s^3
        # is sin^2 t dt/dphi.
        scale, step = 16 * self.psi2 * squeeze / nodes, 2 * self.root
        return scale * first / step, scale * second / step**2

    def h(self, a: Any, accuracy: int | None = None) -> Any:
        """int mu(d lambda)/(lambda - x) = (J - 1)/x over the whole law, atom included, as its mass is 1."""
        return (self.integrals(a, accuracy or self.full)[0] - 1) / self.curve(a)

    def diagonal(self, a: Any, accuracy: int | None = None) -> Pair:
        """D(x) = (u^T Q0 u, (W0 a)^T Q0 W0 a); the second is the mean of lambda/(lambda - x) over the companion law,
        whose continuous part has the density rho/psi2."""
        accuracy = accuracy or self.full
        return self.theta1**2 * self.h(a, accuracy), self.integrals(a, accuracy)[0] / self.psi2

    def matrix(self, a: Any, accuracy: int | None = None) -> Matrix:
        """I + K D with K = [[1, 1], [1, 0]]."""
        d1, d2 = self.diagonal(a, accuracy)
        return (1 + d1, d2), (d1, self.ctx.one)

    def determinant(self, a: Any, accuracy: int | None = None) -> Any:
        (p, q), (r, s) = self.matrix(a, accuracy)
        return p * s - q * r

    def slope(self, a: Any, accuracy: int | None = None) -> Any:
        """d det/dx = tr(adj(I + K D) K D'), Jacobi's formula."""
        accuracy = accuracy or self.full
        prime = self.integrals(a, accuracy)[1]
        # dh/dx is the mean of 1/(lambda - x)^2 = (lambda/(lambda - x)^2 - 1/(lambda - x))/x.
        d1, d2 = self.theta1**2 * (prime - self.h(a, accuracy)) / self.curve(a), prime / self.psi2
        (p, q), (r, _) = _adjugate(self.matrix(a, accuracy))
        return (p + q) * d1 + r * d2  # K D' = [[d1, d2], [d1, 0]]

    def residue(self, a: Any, v: Pair) -> Any:
        """Minus the residue at the root of w^T (W1 W1^T - x)^{-1} w, that is <w, l>^2, where v = U^T Q0 w.

        Woodbury: w^T Q1 w = w^T Q0 w - v^T (I + K D)^{-1} K v, and (I + K D)^{-1} = adj/det.
        """
        (p, q), (r, s) = _adjugate(self.matrix(a))
        k1, k2 = v[0] + v[1], v[0]  # K v
        return (v[0] * (p * k1 + q * k2) + v[1] * (r * k1 + s * k2)) / self.slope(a)


def _adjugate(matrix: Matrix) -> Matrix:
    (p, q), (r, s) = matrix
    return (s, -q), (-r, p)


def _outlier(forms: _Forms, digits: int) -> Any:
    """The a > 0 with det(lambda(i a)) = 0: bracket, bisect, then Newton with as many digits as each step can use.

    The variable a opens the square root at the edge, so that the determinant is smooth down to a = 0.
    """
    ctx, rough = forms.ctx, 10
    low, high = ctx.zero, ctx.one
    while forms.determinant(high, rough) < 0:
        low, high = high, 2 * high
    while high - low > high / 8:
        middle = (low + high) / 2
        low, high = (middle, high) if forms.determinant(middle, rough) < 0 else (low, middle)
    a, accuracy = (low + high) / 2, rough
    for _ in range(20):
        gradient = forms.slope(a, accuracy) * 2 * forms.root * ctx.sinh(a)
        step = forms.determinant(a, accuracy) / gradient
        a -= step
        if not low / 2 < a < 2 * high:
            break
        if accuracy == forms.full and abs(step) <= a * ctx.mpf(10) ** -digits:
            return a
        correct = int(-2 * ctx.log10(abs(step) / a)) if step else forms.full  # digits, as Newton doubles them
        accuracy = min(forms.full, max(rough, 2 * correct + 5))
    raise PrecisionError(f"the outlier was not found to {digits} digits; the last step was {ctx.nstr(step, 5)}")


def theta_route(
    sigma_prime: Function,
    sigma_star: Function,
    sigma_star_breakpoints: Sequence[Any],
    eta: Any,
    psi1: Any,
    sigma_eps: Any,
    digits: int = 30,
    sigma_breakpoints: Sequence[Any] = (),
) -> tuple[Number, Number]:
    """(theta1, theta2) of Theorem 3 from the exact second moment of the gradient direction at finite size.

    With y = sigma*(g) + eps, X n x d Gaussian and d = n/psi1, u = (eta mu1/n) X^T y has
    E|u|^2 = eta^2 mu1^2 [(1 - 1/n)(E y g)^2 + ((d - 1) E y^2 + E y^2 g^2)/n], which is affine in 1/n, so that its
    values at n and 2 n give the limit theta1^2 exactly; theta2 = E<u, beta> = eta mu1 E y g. Here mu1 = E sigma'(z).
    Functions take (mpmath context, mpf); their kinks and jumps are listed (0 always is one). An
    expectation below 10^-(digits + 12) counts as 0. Raises InputError for psi1 <= 0,
    PrecisionError where the quadrature does not converge. Source: Theorem 3 of ``ba2022`` (statements.md, section 2).
    """
    digits = check_digits(digits)
    ctx = context(digits + GUARD)
    kinks = {number(ctx, point, "a breakpoint") for point in (*sigma_star_breakpoints, *sigma_breakpoints)}

    def integrand(z: Any) -> list[Any]:
        f = sigma_star(ctx, z)
        zf = z * f
        return [sigma_prime(ctx, z), zf, f * f, zf * zf]

    return thetas(ctx, gaussian_means(ctx, integrand, kinks, digits), eta, psi1, sigma_eps)


def thetas(ctx: Any, moments: Sequence[Any], eta: Any, psi1: Any, sigma_eps: Any) -> tuple[Number, Number]:
    """(theta1, theta2) from mu1, E z f, E f^2, E (z f)^2 of a centred teacher f; see ``theta_route``."""
    step, ratio, noise = (number(ctx, value, name) for value, name in ((eta, "eta"), (psi1, "psi1"), (sigma_eps, "sigma_eps")))
    if ratio <= 0:
        raise InputError(f"psi1 = {psi1}: the ratio n/d of samples to dimension must be positive")
    mu1, overlap, square, weighted = moments
    square, weighted = square + noise**2, weighted + noise**2  # eps is independent of g, and E g^2 = 1

    small, large = (second_moment(ctx.mpf(n), n / ratio, overlap, square, weighted) for n in (100, 200))
    limit = 2 * large - small
    return step * mu1 * ctx.sqrt(limit), step * mu1 * overlap


def second_moment(n: Any, d: Any, overlap: Any, square: Any, weighted: Any) -> Any:
    """E|X^T y/n|^2 at finite n and d, from E y g, E y^2 and E y^2 g^2: of the n^2 pairs of samples, n(n-1) are distinct
    and contribute |E y x|^2 each, the others E y^2 |x|^2 with |x|^2 = g^2 plus d - 1 independent squares."""
    return (1 - 1 / n) * overlap**2 + ((d - 1) * square + weighted) / n


@lru_cache(maxsize=32)
def _cosines(ctx: Any, nodes: int) -> list[Any]:
    return [ctx.cos(ctx.pi * (2 * j + 1) / (2 * nodes)) for j in range(nodes)]
