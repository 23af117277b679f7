"""Benchmark of the risk after a large step: one point in double precision, one point to 30 digits.

    OPENBLAS_NUM_THREADS=1 python tests/bench/bench_large_step.py

Wanted: under 0.2 s a point in double precision, the fixed point and the errors of a new setting from scratch; 30 digits
under 20 s, both discretisations included. Process time is printed beside the wall clock, for machines that are shared.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from fractions import Fraction as Q
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from theory.activations.activation import activation
from theory.large_step.risk import LargeStep, Solver
from theory.large_step.values import with_errors


def setting(**changes: Any) -> LargeStep:
    base: dict[str, Any] = {
        "psi1": Q(3, 2),
        "psi2": Q(1),
        "lam": Q(1, 100),
        "sigma_eps": Q(0),
        "activation": activation("tanh"),
        "teacher": activation("sin"),
        "etabar": Q(1),
        "alpha0": Q(1, 2),
    }
    return LargeStep(**{**base, **changes})


def timed(what: str, run: Callable[[], Any], repeats: int) -> None:
    best = [float("inf")] * 2
    for _ in range(repeats):
        wall, own = time.perf_counter(), time.process_time()
        result = run()
        best = [min(best[0], time.perf_counter() - wall), min(best[1], time.process_time() - own)]
    print(f"{what:<44} {best[0]:8.3f} s  (process {best[1]:.3f} s)  {result}")


def main() -> None:
    noisy = setting(teacher=activation("tanh(2*x)"), sigma_eps=Q(1, 2), etabar=Q(4))
    timed("uniform readout", lambda: Solver(setting()).solve().risk, 7)
    timed("uniform readout, noise", lambda: Solver(noisy).solve().risk, 7)
    timed("population gradient", lambda: Solver(setting(alpha0=None)).solve().risk, 7)
    timed("Gaussian readout", lambda: Solver(setting(readout="gaussian")).solve().risk, 5)
    timed("30 digits", lambda: with_errors(setting(), 30)["risk"].str(30, radius=False), 1)


if __name__ == "__main__":
    main()
