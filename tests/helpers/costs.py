"""What is verified in a plain run is chosen by cost: ``tests/costs.json`` says what each entry and each derivation takes.

``tests/bench/bench_verify.py --write`` measures it, in seconds of a reference machine. What costs more than its limit is marked
``slow``; what the file does not know is run, so that nothing new is left out in silence.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

FILE = Path(__file__).resolve().parents[1] / "costs.json"
LIMITS = {"entries": 2.0, "derivations": 1.0}  # seconds of the reference machine


def costs() -> dict[str, dict[str, float]]:
    """Measured costs: kind ("entries", "derivations") -> name -> seconds. Empty where nothing was measured."""
    return json.loads(FILE.read_text()) if FILE.exists() else {kind: {} for kind in LIMITS}


def by_cost(kind: str, names: Iterable[str]) -> list[Any]:
    """The names as parameters of a test, those above the limit of their kind marked ``slow``."""
    known = costs()[kind]
    return [pytest.param(name, marks=pytest.mark.slow) if known.get(name, 0) > LIMITS[kind] else name for name in names]
