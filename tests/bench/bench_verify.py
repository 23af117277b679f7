"""What it costs to verify each entry of the register and to double each derivation step by step.

    python tests/bench/bench_verify.py [NAME ...] [--unknown] [--write]

Without names all are measured (some minutes); ``--unknown`` measures those that ``tests/costs.json`` does not have. ``--write``
puts the new numbers there and takes names off that no longer exist; the suite then runs what is cheap and marks the rest ``slow``.

What is timed is the suite's own test of that name. Each runs in a process of its own, forked from one in which every module is
imported and no value is computed: imports are shared by all and belong to none, caches are empty, and the numbers do not depend
on the order. An entry that a neighbour's cached derivations would make cheaper pays for them here: this is what it costs alone.
Times are CPU times of the process, divided by those of a reference computation run before and after it, so that another machine,
or one that is shared, finds about the same numbers: seconds of a machine that takes ``REFERENCE`` seconds for it.
"""

from __future__ import annotations

import argparse
import importlib
import json
import multiprocessing
import os
import pkgutil
import sys
import time
from collections.abc import Callable
from fractions import Fraction
from multiprocessing.connection import Connection
from pathlib import Path
from runpy import run_path
from typing import Any

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # CPU time is then that of one core
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "helpers"))

from costs import FILE, LIMITS, costs

TESTS = Path(__file__).resolve().parents[1]
REFERENCE = 0.1  # seconds
PARTS = {
    "entries": ("theory/evidence/test_verify.py", "test_the_whole_register_is_as_expected"),
    "derivations": ("theory/proof/test_steps.py", "test_every_step_of_every_derivation_can_fail"),
}


def reference() -> float:
    """Seconds that a fixed computation takes here: a power of a polynomial in two variables, coefficients in Q, in plain Python,
    which is what SymPy's work is like."""
    start = time.process_time()
    base = {(i, j): Fraction(i + 1, j + 2) for i in range(5) for j in range(5)}
    power = base
    for _ in range(5):
        product: dict[tuple[int, int], Fraction] = {}
        for (i, j), left in power.items():
            for (k, m), right in base.items():
                place = (i + k, j + m)
                product[place] = product.get(place, Fraction(0)) + left * right
        power = product
    return time.process_time() - start


def work() -> dict[str, dict[str, Callable[[], None]]]:
    """The tests to time, kind -> name -> a call; every module is imported afterwards."""
    found = {}
    for kind, (path, name) in PARTS.items():
        test = run_path(str(TESTS / path))[name]
        (mark,) = [mark for mark in test.pytestmark if mark.name == "parametrize"]
        names = [getattr(one, "values", (one,))[0] for one in mark.args[1]]
        found[kind] = {one: lambda test=test, one=one: test(one) for one in names}
    for package in ("pencils", "theory", "derivations"):
        for module in pkgutil.walk_packages(importlib.import_module(package).__path__, f"{package}."):
            importlib.import_module(module.name)
    return found


def _child(call: Callable[[], None], answer: Connection) -> None:
    start = time.process_time()
    try:
        call()
        answer.send(time.process_time() - start)
    except BaseException as error:
        answer.send(f"{type(error).__name__}: {error}"[:200])


def alone(call: Callable[[], None]) -> float | str:
    """CPU seconds of a call in a process of its own, or what went wrong."""
    context = multiprocessing.get_context("fork")
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=_child, args=(call, there))
    process.start()
    there.close()
    try:
        answer = here.recv()
    except EOFError:
        answer = "the process died"
    process.join()
    return answer


def measured(calls: dict[str, Callable[[], None]]) -> dict[str, float]:
    """Name -> seconds of the reference machine, two digits; each is printed when it is known. What fails has no cost."""
    found = {}
    before = reference()
    for name, call in calls.items():
        answer, after = alone(call), reference()
        if isinstance(answer, str):
            print(f"{'fails':>8}    {name}: {answer}", flush=True)
        else:
            found[name] = float(f"{answer * REFERENCE * 2 / (before + after):.2g}")
            print(f"{found[name]:8.2g} s  {name}", flush=True)
        before = after
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("names", nargs="*", help="entries and derivations; all without")
    parser.add_argument("--unknown", action="store_true", help="those without a cost only")
    parser.add_argument("--write", action="store_true", help="into tests/costs.json")
    given = parser.parse_args()
    calls, known = work(), costs()
    missing = [name for name in given.names if not any(name in part for part in calls.values())]
    if missing:
        parser.error(f"neither an entry nor a derivation: {', '.join(missing)}")
    new: dict[str, dict[str, float]] = {}
    for kind, part in calls.items():
        chosen: Any = [name for name in part if name in given.names] if given.names else part
        new[kind] = measured({name: part[name] for name in chosen if not (given.unknown and name in known[kind])})
    whole = {kind: {name: cost for name, cost in {**known[kind], **new[kind]}.items() if name in calls[kind]} for kind in calls}
    for kind, part in whole.items():
        quick, limit = [cost for cost in part.values() if cost <= LIMITS[kind]], LIMITS[kind]
        print(f"\n{kind}: {len(part)}, {sum(part.values()):.0f} s; at most {limit:g} s each: {len(quick)}, {sum(quick):.0f} s")
        for name, cost in sorted(part.items(), key=lambda item: -item[1])[:10]:
            print(f"{cost:8.2g} s  {name}")
    if given.write:
        FILE.write_text(json.dumps(whole, indent=1, sort_keys=True) + "\n")


if __name__ == "__main__":
    main()
