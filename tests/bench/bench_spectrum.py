"""Elimination to one polynomial, and moments, after the equations; densities and edges: one row a model, in one process.

Run ``python tests/bench/bench_spectrum.py``. The targets are those of the issue: polynomials 2 s each; 20 moments 1 s; the density
of P9 (p = 5) on 1,000 points 1 s, equations known; the edges of P3 1 s, from the expression.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "helpers"))
import benchmark_models as models
import numpy as np
import sympy as sp

from pencils import Gaussian, expected_trace, spectrum
from pencils.elimination.moments import moments
from pencils.errors import NoPolynomialError
from pencils.spectral_law import Spectrum

X, Y = models.matrix("X", models.p, models.n), models.matrix("Y", models.p, models.m)
QUOTIENT = ((X * X.T / models.n).inverse() * (Y * Y.T / models.m) - models.z * models.eye(models.p)).inverse()
ELIMINATION = {
    "P1": models.p1(),
    "P2": models.p2(),
    "P3": models.p3(),
    "P4": models.p4(),
    "P5": models.p5(),
    "P7": models.p7(),
    "P9, p = 2": models.p9(2),
    "P9, p = 3": models.p9(3),
    "P9, p = 5": models.p9(5),
    "P12 t1": models.p12("t1"),
    "P12 t2": models.p12("t2"),
    "P15": models.p15(),
    "P18": models.p18(),
    "quotient": models.Model(QUOTIENT, {X: Gaussian(), Y: Gaussian()}, {}),
    "E3": models.e3(),
    "E6": models.e6(),
}
MOMENTS = ("P2", "P3", "P7", "P9, p = 5", "P15")


def elimination() -> None:
    """The polynomial with every parameter a symbol."""
    print(f"{'polynomial':<14}{'degree':>8}{'seconds':>9}{'target':>8}")
    for name, model in ELIMINATION.items():
        law = expected_trace(model.expr, model.ensembles)
        law.equations  # noqa: B018 - timed elsewhere
        start = time.perf_counter()
        try:
            degree = str(law.polynomial().degree())
        except NoPolynomialError:
            degree = "refused"
        print(f"{name:<14}{degree:>8}{time.perf_counter() - start:>9.2f}{2.0:>8.2f}")


def twenty_moments() -> None:
    """At the numbers of the sheet."""
    print(f"\n{'20 moments':<14}{'':>8}{'seconds':>9}{'target':>8}")
    for name in MOMENTS:
        model = ELIMINATION[name]
        law = expected_trace(model.expr, model.ensembles)
        law.equations  # noqa: B018 - timed elsewhere
        start = time.perf_counter()
        moments(law.system, 20, {s: v for s, v in model.values.items() if s != models.z})
        print(f"{name:<14}{'':>8}{time.perf_counter() - start:>9.2f}{1.0:>8.2f}")


def matrix_of(model: models.Model) -> tuple[Spectrum, dict[Any, Any]]:
    """The spectrum of M for a model of (M - z)^{-1}, and its parameters."""
    terms = model.expr.args[0].args
    M = sp.MatAdd(*[term for term in terms if not term.has(models.z)])
    M = M.args[0] if len(M.args) == 1 else M
    return spectrum(M, model.ensembles), {s: v for s, v in model.values.items() if s != models.z}


def best(work: Callable[[], Any], times: int = 5) -> float:
    """The shortest of several runs, in seconds of the clock."""
    found = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        found.append(time.perf_counter() - start)
    return min(found)


def densities() -> None:
    """1,000 points, equations known and compiled."""
    print(f"\n{'1,000 points':<14}{'':>8}{'seconds':>9}{'target':>8}")
    grids = {"P9, p = 5": (1e-4, 15.0), "P9, p = 2": (1e-4, 7.0), "P3": (0.0, 6.0), "P5": (-3.0, 3.0)}
    for name, (low, high) in grids.items():
        law, values = matrix_of(ELIMINATION[name])
        xs = np.linspace(low, high, 1000)
        law.density(xs[:2], values)
        seconds = best(lambda law=law, xs=xs, values=values: law.density(xs, values))
        print(f"{name:<14}{'':>8}{seconds:>9.2f}{'1.00' if name == 'P9, p = 5' else '':>8}")


def edges() -> None:
    """From the expression: equations and polynomial included."""
    print(f"\n{'edges':<14}{'digits':>8}{'seconds':>9}{'target':>8}")
    for name, digits, target in (("P3", 30, "1.00"), ("P3", 1000, ""), ("P5", 30, ""), ("P9, p = 5", 30, ""), ("P15", 30, "")):

        def work(name: str = name, digits: int = digits) -> None:
            law, values = matrix_of(ELIMINATION[name])
            law.edges(values, digits)

        print(f"{name:<14}{digits:>8}{best(work):>9.2f}{target:>8}")


if __name__ == "__main__":
    elimination()
    twenty_moments()
    densities()
    edges()
