"""Benchmark of one gradient step: its time against its matrix products alone, and its memory.

    OPENBLAS_NUM_THREADS=1 python tests/bench/bench_step.py [--d 4000 --n 8000 --N 4000 --block 512 --repeats 1]

One run prints the time of ``one_step`` (erf student, tanh teacher, drawing of data and weights included), the time of
the two products it cannot do without (the same shapes, the same blocks, the same routines: X W0 and X^T S), their
ratio, and the peak resident memory of the process before the products are timed. The two are timed alternately and the
smallest of ``repeats`` is taken: a busy machine slows both, but not evenly. Wanted: a ratio of at most 1.3, a peak
below 4 GiB at the default sizes. Run it from the root of the repository.
"""

from __future__ import annotations

import argparse
import resource
import sys
import time
from pathlib import Path

import numpy as np
import sympy as sp
from scipy.linalg.blas import dgemm

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from theory.activations.floats import Nonlinearity, nonlinearity
from theory.trial.sizes import Sizes
from theory.trial.step import BLOCK, one_step


def time_step(sizes: Sizes, sigma: Nonlinearity, sigma_star: Nonlinearity, block: int) -> float:
    start = time.perf_counter()
    one_step(sizes, 3, "1.5", sigma, sigma_star, np.random.default_rng(0), block=block)
    return time.perf_counter() - start


def time_products(sizes: Sizes, block: int) -> float:
    rng = np.random.default_rng(1)
    X, W0 = rng.standard_normal((sizes.n, sizes.d)), rng.standard_normal((sizes.d, sizes.N))
    block = min(block, sizes.n)
    S, total = np.zeros((block, sizes.N)), np.zeros((sizes.N, sizes.d), order="F")
    start = time.perf_counter()
    for low in range(0, sizes.n, block):
        rows = X[low : low + block]
        filled = S[: len(rows)]
        np.matmul(rows, W0, out=filled)
        dgemm(1.0, filled.T, rows.T, beta=1.0, c=total, trans_b=True, overwrite_c=True)
    return time.perf_counter() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    for name, default in (("d", 4000), ("n", 8000), ("N", 4000), ("block", BLOCK), ("repeats", 1)):
        parser.add_argument(f"--{name}", type=int, default=default)
    given = parser.parse_args()
    sizes = Sizes(given.d, given.n, given.N)
    x = sp.Symbol("x")
    sigma, sigma_star = nonlinearity(sp.erf(x), x), nonlinearity(sp.tanh(x), x)
    steps, products, peak = [], [], 0
    for _ in range(given.repeats):
        steps.append(time_step(sizes, sigma, sigma_star, given.block))
        # Kilobytes on Linux. Only the first reading is free of what time_products allocates.
        peak = peak or resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        products.append(time_products(sizes, given.block))
    operations = 4 * sizes.d * sizes.n * sizes.N
    print(f"d = {sizes.d}, n = {sizes.n}, N = {sizes.N}, blocks of {given.block} rows, best of {given.repeats}")
    print(f"one_step        {min(steps):8.2f} s")
    print(f"products alone  {min(products):8.2f} s  ({operations / min(products) / 1e9:.0f} GFlop/s)")
    print(f"ratio           {min(steps) / min(products):8.3f}")
    print(f"peak memory     {peak / 2**20:8.2f} GiB")


if __name__ == "__main__":
    main()
