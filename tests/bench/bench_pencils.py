"""From expression to reduced equations (import included, a fresh process each), then numbers: one table in one run.

Run ``python tests/bench/bench_pencils.py``. Targets are those of the issue: equations in .94 s (E1), 1.16 (E2), 2.90 (E3),
5.2 (P12), 6.8 (P14), 15 s and 200 MB (E6); P12 at 50 digits in 50 ms once the equations are known, 1,000 digits in 1 s.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parents[1] / "helpers"
EQUATIONS = {"e1()": 0.94, "e2()": 1.16, "e3()": 2.90, "p12('t1')": 5.2, "p14('bias')": 6.8, "e6()": 15.0}
CHILD = """
import resource, sys, time
start = time.perf_counter()
sys.path.insert(0, {here!r})
import benchmark_models as models
from pencils import expected_trace
model = models.{call}
law = expected_trace(model.expr, model.ensembles)
count = len(law.equations)
print(time.perf_counter() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, law.pencil.size, count)
"""


def main() -> None:
    print(f"{'model':<14}{'blocks':>8}{'unknowns':>10}{'seconds':>9}{'target':>8}{'MB':>7}")
    for call, target in EQUATIONS.items():
        code = CHILD.format(here=str(HERE), call=call)
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        seconds, memory, blocks, unknowns = done.stdout.split()
        print(f"{call:<14}{blocks:>8}{unknowns:>10}{float(seconds):>9.2f}{target:>8.2f}{float(memory):>7.0f}")
    sys.path.insert(0, str(HERE))
    import benchmark_models as models

    from pencils import expected_trace

    p12, p7 = models.p12("t1"), models.p7("anticommutator")
    for name, model, values, digits in (
        ("P12, 50 digits", p12, p12.values, 50),
        ("P12, 1000 digits", p12, p12.values, 1000),
        ("P7 at 3.33 + i0, 30 digits", p7, {**p7.values, models.z: "3.33"}, 30),
    ):
        law = expected_trace(model.expr, model.ensembles)
        law.evaluate(values, digits=digits)
        start = time.perf_counter()
        law.evaluate(values, digits=digits)
        print(f"{name:<30}{1000 * (time.perf_counter() - start):8.1f} ms")


if __name__ == "__main__":
    main()
