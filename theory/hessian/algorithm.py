"""Algorithm 1 of ``damian2022`` as it is written, at finite size, and the two learners that see no direction beside it.

Preprocessing (alpha = mean y, b = mean y x, yhat = y - alpha - b.x), symmetric initialisation, one step of gradient descent on W
with weight decay lambda1 = 1/eta1, fresh biases, a ridge head, the prediction alpha + b.x + a^T sigma(W x + bias). Nothing of
the theory is used: the gradient is that of the loss (1/n) sum (f - yhat)^2, with the network's own output in it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pencils.errors import InputError

Array = npt.NDArray[np.float64]
Target = Callable[[Array], Array]  # values of f* on the rows of an n x d array

PENALTIES = np.logspace(-7, 1, 17)  # lambda2, among which validation chooses
HELD_OUT = 5  # one sample in five validates; the head is then fitted on all of them
BLOCK = 2000


@dataclass(frozen=True)
class Link:
    """f*(x) = sum_k coefficients[k] He_k(<u, x>), |u| = 1, He_k monic: grad^k f* has mean k! coefficients[k] u^{(x)k}."""

    coefficients: tuple[float, ...]

    @classmethod
    def of(cls, teacher: Any, role: str = "teacher") -> Link:
        """The link of a teacher of the formula language (``He2/2 + He4/sqrt(48)``); InputError, which calls it by its ``role``,
        unless a polynomial of degree at least 2, because what is not one has no finite list of tensors."""
        import sympy as sp

        from theory.activations.activation import activation, variable

        found = activation(teacher, role)
        try:
            polynomial = sp.Poly(found.expr, variable())
        except sp.PolynomialError as error:
            raise InputError(f"{found.label}: not a polynomial in x; damian2022 takes polynomial teachers") from error
        if polynomial.degree() < 2:
            raise InputError(f"{found.label}: of degree below 2, preprocessing leaves nothing to learn")
        # c_k = E f^(k)(z)/k!, exactly: in floating point a zero would be rounded to 1e-17 and kappa to 1e17.
        return cls(
            tuple(
                float(_mean(polynomial.diff((variable(), k)) if k else polynomial) / math.factorial(k))
                for k in range(polynomial.degree() + 1)
            )
        )

    @property
    def degree(self) -> int:
        return len(self.coefficients) - 1

    @property
    def kappa(self) -> float:
        """|H^+|/sqrt r = 1/|2 coefficients[2]| at r = 1; infinite where E f'' = 0 (Assumption 2 fails)."""
        return 1 / abs(2 * self.coefficients[2]) if self.coefficients[2] else math.inf

    def curved(self) -> Link:
        """The link itself; InputError where H = 0, which Theorems 1 and 3 exclude."""
        if self.coefficients[2] == 0:
            raise InputError(
                "teacher: E f'' = 0, so H = 0 and kappa is infinite: Assumption 2 fails, and nothing of the source is left to "
                "judge; see damian2022.zero-hessian"
            )
        return self

    def energy(self, least: int = 0) -> float:
        """E of the square of the part of degree at least ``least``."""
        return sum(math.factorial(k) * c**2 for k, c in enumerate(self.coefficients) if k >= least)

    def along(self, u: Array) -> Target:
        """f* on the rows of an n x d array."""
        return lambda X: np.asarray(np.polynomial.hermite_e.hermeval(X @ u, self.coefficients))


def _mean(polynomial: Any) -> Any:
    """E of a SymPy polynomial of z ~ N(0, 1), exactly."""
    import sympy as sp

    return sp.expand(sum(value * sp.factorial2(power - 1) for (power,), value in polynomial.terms() if power % 2 == 0))


def relu(t: Array) -> Array:
    return np.maximum(t, 0.0)


def direction(d: int, rng: np.random.Generator) -> Array:
    """A unit vector, uniform on the sphere."""
    u = rng.standard_normal(d)
    return np.asarray(u / np.linalg.norm(u))


def sample(target: Target, n: int, d: int, noise: float, rng: np.random.Generator) -> tuple[Array, Array]:
    """n rows x ~ N(0, I_d) and y = f*(x) + eps, eps uniform on {-noise, noise}."""
    X = rng.standard_normal((n, d))
    return X, target(X) + noise * rng.choice((-1.0, 1.0), n)


@dataclass(frozen=True)
class Linear:
    """What preprocessing takes away: alpha + b.x."""

    alpha: float
    b: Array

    @classmethod
    def fit(cls, X: Array, y: Array) -> Linear:
        """alpha = mean y and b = mean y x (not least squares)."""
        return cls(float(y.mean()), X.T @ y / len(y))

    def __call__(self, X: Array) -> Array:
        return np.asarray(self.alpha + X @ self.b)


def initialise(m: int, d: int, rng: np.random.Generator) -> tuple[Array, Array]:
    """(W m x d, a): a_j = +-1, w_j ~ N(0, I/d) for j <= m/2, mirrored by a_j = -a_{m+1-j}, w_j = w_{m+1-j}, so that f = 0.

    Raises InputError for an odd m, which has no mirror.
    """
    if m < 2 or m % 2:
        raise InputError(f"m = {m}: the symmetric initialisation pairs neurons; give an even width, 2 or more")
    half = rng.standard_normal((m // 2, d)) / math.sqrt(d)
    signs = rng.choice((-1.0, 1.0), m // 2)
    return np.concatenate([half, half[::-1]]), np.concatenate([signs, -signs[::-1]])


def loss_gradient(W: Array, a: Array, X: Array, y: Array) -> Array:
    """grad_W of (1/n) sum_i (a^T relu(W x_i) - y_i)^2, m x d; by blocks of rows, to keep memory at BLOCK x m."""
    total = np.zeros_like(W)
    for low in range(0, len(X), BLOCK):
        rows, values = X[low : low + BLOCK], y[low : low + BLOCK]
        before = rows @ W.T
        residual = relu(before) @ a - values
        total += ((before > 0) * residual[:, None]).T @ rows
    return np.asarray(2 / len(X) * a[:, None] * total)


def empirical_gradient(W: Array, X: Array, yhat: Array) -> Array:
    """g_n(w) = (1/n) sum_i yhat_i x_i sigma'(w.x_i) for each row w of W."""
    total = np.zeros_like(W)
    for low in range(0, len(X), BLOCK):
        rows = X[low : low + BLOCK]
        total += (rows @ W.T > 0).T.astype(float) @ (rows * yhat[low : low + BLOCK, None])
    return np.asarray(total / len(X))


def step(W: Array, a: Array, X: Array, yhat: Array, eta1: float) -> Array:
    """W - eta1 (grad_W L + lambda1 W), lambda1 = 1/eta1."""
    lambda1 = 1 / eta1
    return np.asarray(W - eta1 * (loss_gradient(W, a, X, yhat) + lambda1 * W))


@dataclass(frozen=True)
class Network:
    """x -> linear(x) + a^T relu(W x + bias); ``penalty`` is the lambda2 that validation chose."""

    linear: Linear
    W: Array
    bias: Array
    a: Array
    penalty: float

    def __call__(self, X: Array) -> Array:
        blocks = [X[low : low + BLOCK] for low in range(0, len(X), BLOCK)]
        return np.concatenate([self.linear(rows) + relu(rows @ self.W.T + self.bias) @ self.a for rows in blocks])


def head(W: Array, X: Array, y: Array, linear: Linear, rng: np.random.Generator) -> Network:
    """Redraw the biases, b_j ~ N(0, 1), and fit a by ridge regression of y - linear(x) on the features.

    a minimises (1/n) |yhat - Phi a|^2 + lambda2 |a|^2, to which gradient descent with decay converges; lambda2 is the one of
    PENALTIES with the least square error on a fifth of the samples, held out.
    """
    bias = rng.standard_normal(len(W))
    yhat, features = y - linear(X), relu(X @ W.T + bias)
    keep = len(y) - max(1, len(y) // HELD_OUT)
    paths = ridge_path(features[:keep], yhat[:keep])
    errors = np.mean((features[keep:] @ paths - yhat[keep:, None]) ** 2, axis=0)
    best = int(np.argmin(errors))
    return Network(linear, W, bias, ridge_path(features, yhat, PENALTIES[best : best + 1])[:, 0], float(PENALTIES[best]))


def ridge_path(features: Array, y: Array, penalties: Array = PENALTIES) -> Array:
    """The minimisers of (1/n) |y - Phi a|^2 + lambda |a|^2, one column a penalty, from one symmetric eigenproblem."""
    n, m = features.shape
    wide = m > n
    gram = (features @ features.T if wide else features.T @ features) / n
    values, vectors = np.linalg.eigh(gram)
    # Rounding puts the null space at +-1e-16 of the largest eigenvalue: zero is what it is.
    shrunk = 1 / (np.maximum(values, 0.0)[:, None] + penalties[None, :])
    if wide:
        return np.asarray(features.T @ (vectors @ (shrunk * (vectors.T @ y)[:, None])) / n)
    return np.asarray(vectors @ (shrunk * (vectors.T @ (features.T @ y) / n)[:, None]))


def algorithm_1(X: Array, y: Array, m: int, eta1: float, rng: np.random.Generator) -> Network:
    """Algorithm 1 on n samples: step and head use the same ones."""
    linear = Linear.fit(X, y)
    W, a = initialise(m, X.shape[1], rng)
    return head(step(W, a, X, y - linear(X), eta1), X, y, linear, rng)


def random_features(X: Array, y: Array, m: int, rng: np.random.Generator) -> Network:
    """The same learner without its step: W stays at initialisation, w_j ~ N(0, I/d), all of them independent."""
    d = X.shape[1]
    return head(rng.standard_normal((m, d)) / math.sqrt(d), X, y, Linear.fit(X, y), rng)


def transfer(W: Array, X: Array, y: Array, rng: np.random.Generator) -> Network:
    """Theorem 3: a head for another target on fresh samples, over first-layer weights learnt before."""
    return head(W, X, y, Linear.fit(X, y), rng)


def neural_tangent_kernel(X: Array, Z: Array) -> Array:
    """The NTK of a two-layer ReLU network at infinite width, w ~ N(0, I/d), biases N(0, 1), a = +-1, both layers trained.

    With v = (x/sqrt d, 1): |v||v'| (sin t + (pi - t) cos t)/(2 pi) + <v, v'>~ (pi - t)/(2 pi), t the angle of v and v'; the first
    is E relu relu, the second E relu' relu' times <x, x'>/d + 1.
    """
    d = X.shape[1]
    V, U = (np.hstack([part / math.sqrt(d), np.ones((len(part), 1))]) for part in (X, Z))
    inner = V @ U.T
    lengths = np.outer(np.linalg.norm(V, axis=1), np.linalg.norm(U, axis=1))
    cosine = np.clip(inner / lengths, -1.0, 1.0)
    angle = np.arccos(cosine)
    return np.asarray((lengths * (np.sqrt(1 - cosine**2) + (math.pi - angle) * cosine) + inner * (math.pi - angle)) / (2 * math.pi))


def kernel_ridge(X: Array, y: Array, kernel: Callable[[Array, Array], Array] = neural_tangent_kernel) -> Target:
    """Ridge regression in the kernel's space after the same preprocessing, its penalty chosen on held-out samples."""
    linear = Linear.fit(X, y)
    yhat, n = y - linear(X), len(y)
    keep = n - max(1, n // HELD_OUT)
    gram = kernel(X, X)
    values, vectors = np.linalg.eigh(gram[:keep, :keep] / keep)
    turned = vectors.T @ yhat[:keep] / keep
    paths = vectors @ (turned[:, None] / (np.maximum(values, 0.0)[:, None] + PENALTIES))
    errors = np.mean((gram[keep:, :keep] @ paths - yhat[keep:, None]) ** 2, axis=0)
    penalty = float(PENALTIES[np.argmin(errors)])
    weights = np.linalg.solve(gram + n * penalty * np.eye(n), yhat)
    return lambda Z: np.asarray(linear(Z) + kernel(Z, X) @ weights)
