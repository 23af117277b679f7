"""One gradient step at finite size, exactly as it is defined (``ba2022``, section 1), with what can be measured on it.

Nothing here uses the theory under test: no rank-one approximation, no Gaussian equivalent, no limit. The gradient is
the gradient of the loss, entry by entry; the only liberty is the order of the matrix products.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.linalg.blas import dgemm

from pencils.errors import InputError, SimulationError
from pencils.exact.numbers import exact
from theory.activations.floats import Array, Nonlinearity
from theory.trial.sizes import Sizes, whole

Observe = Callable[["Step"], Mapping[str, float]]

BLOCK = 512
# sigma is applied to this many entries at a time, so that its temporaries stay in the cache.
_CHUNK_ENTRIES = 2**15


@dataclass(frozen=True)
class Task:
    """What a step was made with, and the draw's stream after it: fresh data come from here."""

    eta: float
    sigma_eps: float
    sigma: Nonlinearity
    sigma_star: Nonlinearity
    rng: np.random.Generator


@dataclass(frozen=True)
class Step:
    """One draw of the model and its first step.

    W0, W1 are d x N (a column is a neuron), a has N entries, beta is a unit vector of length d, xty = X^T y. With the
    split, B and C are d x N and G0 = A + B + C; otherwise they and mu1 are None. The data are not kept.
    """

    sizes: Sizes
    W0: Array
    W1: Array
    a: Array
    beta: Array
    xty: Array
    task: Task
    mu1: float | None = None
    B: Array | None = None
    C: Array | None = None

    @property
    def A(self) -> Array:
        """The mu1 part of the gradient, mu1/(n sqrt N) X^T y a^T, as a dense d x N matrix."""
        if self.mu1 is None:
            raise InputError("this step was made without the split of its gradient; call one_step with parts=True")
        return (self.mu1 / (self.sizes.n * math.sqrt(self.sizes.N))) * np.outer(self.xty, self.a)


def one_step(
    sizes: Sizes,
    eta: Any,
    sigma_eps: Any,
    sigma: Nonlinearity,
    sigma_star: Nonlinearity,
    rng: np.random.Generator,
    block: int = BLOCK,
    parts: bool = False,
    mu1: float | None = None,
) -> Step:
    """Draw data and initial weights, and take one full-batch gradient step on the first layer.

    x ~ N(0, I_d), y = sigma_star(<x, beta>) + eps with Gaussian eps of variance sigma_eps^2, beta uniform on the unit
    sphere, (W0)_ij ~ N(0, 1/d), a_j ~ N(0, 1/N); W1 = W0 + eta sqrt(N) G0 with G0 as in :func:`gradient`. With
    ``parts`` (which needs ``mu1`` = E z sigma(z)) its three terms are kept. Memory: O(dN) and ``block`` rows of data
    and preactivations. ``rng`` gives beta, a, W0, eps, X in this order, so that ``block`` changes rounding only.
    Raises InputError for parameters out of range. Source: ``ba2022`` section 1 (W0 for the misprinted W1 inside G0).
    """
    step_size, noise = float(exact(eta, "eta")), float(exact(sigma_eps, "sigma_eps"))
    if noise < 0:
        raise InputError(f"sigma_eps = {sigma_eps}: a standard deviation is not negative")
    if parts and mu1 is None:
        raise InputError("parts=True splits sigma' = mu1 + rest: give mu1 = E z sigma(z)")
    d, n, N = sizes.d, sizes.n, sizes.N
    block = min(whole("block", block, 1), n)
    beta = rng.standard_normal(d)
    beta /= np.linalg.norm(beta)
    a = rng.standard_normal(N)
    a /= math.sqrt(N)
    W0 = rng.standard_normal((d, N))
    W0 /= math.sqrt(d)
    eps = noise * rng.standard_normal(n)
    task = Task(step_size, noise, sigma, sigma_star, rng)

    def data() -> Iterator[tuple[Array, Array]]:
        # One buffer for every block: touching fresh memory costs as much as drawing the numbers.
        buffer = np.empty((block, d))
        for start in range(0, n, block):
            rows = buffer[: min(block, n - start)]
            rng.standard_normal(out=rows)
            yield rows, sigma_star.value(rows @ beta) + eps[start : start + block]

    if not parts:
        (W1,), xty = _backpropagate(data(), n, W0, a, sigma, None)
        W1 *= step_size * math.sqrt(N)
        W1 += W0
        return Step(sizes, W0, W1, a, beta, xty, task)
    (B, C), xty = _backpropagate(data(), n, W0, a, sigma, mu1)
    step = Step(sizes, W0, np.empty_like(W0), a, beta, xty, task, mu1, B, C)
    np.add(W0, step_size * math.sqrt(N) * (step.A + B + C), out=step.W1)
    return step


def gradient(X: Array, y: Array, W0: Array, a: Array, sigma: Nonlinearity) -> Array:
    """Minus the gradient in W, at W0, of the loss (1/n) sum_i (1/2)(f(x_i) - y_i)^2, f(x) = N^{-1/2} a^T sigma(W^T x).

    G0 = (1/n) X^T [(N^{-1/2} (y - N^{-1/2} sigma(X W0) a) a^T) o sigma'(X W0)], d x N, for X n x d, y of length n,
    W0 d x N and a of length N. Source: ``ba2022`` section 1.
    """
    return _backpropagate([(X, y)], len(X), W0, a, sigma, None)[0][0]


def _backpropagate(
    data: Iterable[tuple[Array, Array]], n: int, W0: Array, a: Array, sigma: Nonlinearity, mu1: float | None
) -> tuple[list[Array], Array]:
    """([G0], X^T y), or ([B, C], X^T y) when mu1 is given; ``data`` gives the n rows of X and y block by block.

    Each matrix is X^T S diag(a)/(n sqrt N) with an n x N matrix S of its own: for B it is y o (sigma' - mu1), what the
    labels contribute beyond the rank-one A; for C it is -f o sigma', what the network's own output f contributes. A row
    of S needs one row of X, so a block of rows is made, used and forgotten.
    """
    d, N = W0.shape
    chunk = max(1, _CHUNK_ENTRIES // N)
    # Transposes in Fortran order are the same memory: dgemm then adds to them in place, without a d x N temporary.
    totals = [np.zeros((N, d), order="F") for _ in range(1 if mu1 is None else 2)]
    buffers: list[Array] = []
    xty = np.zeros(d)
    for X, y in data:
        buffers = buffers or [np.empty((len(X), N)) for _ in totals]  # the first block is the largest
        S = [buffer[: len(X)] for buffer in buffers]
        np.matmul(X, W0, out=S[0])
        for low in range(0, len(X), chunk):
            here = S[0][low : low + chunk]
            target = y[low : low + chunk]
            value, slope = sigma.both(here)
            f = value @ a / math.sqrt(N)
            # slope may be the memory of ``here`` (when sigma' is the identity), so ``here`` is written last.
            if mu1 is None:
                np.multiply(slope, (target - f)[:, None], out=here)
            else:
                np.multiply(slope, -f[:, None], out=S[1][low : low + chunk])
                np.multiply(slope - mu1, target[:, None], out=here)
        totals = [
            dgemm(1.0, weights.T, X.T, beta=1.0, c=total, trans_b=True, overwrite_c=True)
            for weights, total in zip(S, totals, strict=True)
        ]
        xty += X.T @ y
    for total in totals:
        total *= (a / (n * math.sqrt(N)))[:, None]
    return [total.T for total in totals], xty


@dataclass(frozen=True)
class Samples:
    """Independent draws of the observables at one size; ``values`` holds every one of them."""

    sizes: Sizes
    seed: int
    values: dict[str, tuple[float, ...]]

    @property
    def draws(self) -> int:
        return len(next(iter(self.values.values())))

    def mean(self, name: str) -> float:
        return float(np.mean(self.values[name]))

    def standard_error(self, name: str) -> float:
        """Standard error of the mean, from the scatter of the draws."""
        return float(np.std(self.values[name], ddof=1)) / math.sqrt(self.draws)

    def as_dict(self) -> dict[str, Any]:
        """The record in plain types, for JSON; the ratios are those of the rounded sizes."""
        sizes = self.sizes
        return {
            "d": sizes.d,
            "n": sizes.n,
            "N": sizes.N,
            "psi1": str(sizes.psi1),
            "psi2": str(sizes.psi2),
            "draws": self.draws,
            "seed": self.seed,
            "observables": {
                name: {"mean": self.mean(name), "standard_error": self.standard_error(name), "values": list(values)}
                for name, values in self.values.items()
            },
        }


def draws(
    observe: Observe,
    sizes: Sequence[Sizes],
    *,
    eta: Any,
    sigma_eps: Any,
    sigma: Nonlinearity,
    sigma_star: Nonlinearity,
    parts: bool = False,
    mu1: float | None = None,
    draws: int = 8,
    seed: int = 0,
    jobs: int = 1,
    block: int = BLOCK,
    progress: Callable[[int, int], None] | None = None,
) -> list[Samples]:
    """``draws`` independent steps at each of the sizes, observed by ``observe``; one record a size, in their order.

    The numbers depend on ``seed`` and not on ``jobs``: every draw has its own stream (``SeedSequence.spawn``) and runs
    on one BLAS thread. ``progress(done, total)`` is called after each draw. Raises InputError for fewer than two draws
    (there would be no standard error), SimulationError for a value that is not finite.
    """
    settings = {
        "eta": eta,
        "sigma_eps": sigma_eps,
        "sigma": sigma,
        "sigma_star": sigma_star,
        "block": block,
        "parts": parts,
        "mu1": mu1,
    }

    def measure(size: Sizes, rng: np.random.Generator) -> Mapping[str, float]:
        return observe(one_step(size, rng=rng, **settings))

    return sampled(measure, sizes, draws, seed, jobs, progress)


def sampled(
    measure: Callable[[Sizes, np.random.Generator], Mapping[str, float]],
    sizes: Sequence[Sizes],
    draws: int = 8,
    seed: int = 0,
    jobs: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> list[Samples]:
    """``draws`` independent values of ``measure(size, rng)`` at each size, as :func:`draws` has them for one step."""
    import joblib

    sizes = list(sizes)
    for name, given, least in (("draws", draws, 2), ("jobs", jobs, 1), ("seed", seed, 0), ("sizes", len(sizes), 1)):
        whole(name, given, least)
    streams = [stream.spawn(draws) for stream in np.random.SeedSequence(seed).spawn(len(sizes))]
    tasks = [
        joblib.delayed(_draw)(measure, size, stream) for size, children in zip(sizes, streams, strict=True) for stream in children
    ]
    seen: list[dict[str, float]] = []
    for observed in joblib.Parallel(n_jobs=jobs, backend="loky", return_as="generator")(tasks):
        seen.append(observed)
        if progress is not None:
            progress(len(seen), len(tasks))
    records = []
    for index, size in enumerate(sizes):
        mine = seen[index * draws : (index + 1) * draws]
        values = {name: tuple(one[name] for one in mine) for name in mine[0]}
        for name, column in values.items():
            if not np.isfinite(column).all():
                raise SimulationError(f"{name} at d = {size.d}: a draw is not finite; is the activation bounded enough?")
        records.append(Samples(size, seed, values))
    return records


def _draw(
    measure: Callable[[Sizes, np.random.Generator], Mapping[str, float]], sizes: Sizes, stream: np.random.SeedSequence
) -> dict[str, float]:
    from threadpoolctl import threadpool_limits

    # One thread here and in every process: rounding then cannot depend on jobs, and processes do not fight for cores.
    with threadpool_limits(limits=1, user_api="blas"):
        return {name: float(value) for name, value in measure(sizes, np.random.default_rng(stream)).items()}
