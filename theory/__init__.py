"""The theory of one gradient step and the register of its statements.

``theory.statement(KEY)`` gives a statement with ``evaluate``, ``verify``, ``compare``, ``simulate``, ``derive`` and
``latex``; ``theory.entry(KEY)`` gives quantities too; ``theory.entries()`` all of them. Records (``Statement``, ``Claim``,
``Quantity``, ``Experiment``), results (``Row``, ``Comparison``, ``Report``, ``Proof``, ``Model``) and errors are here by name;
what is heavy is loaded when it is first named.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pencils.errors import (
    ConvergenceError,
    DerivationError,
    GradstepError,
    InputError,
    MomentError,
    NoPolynomialError,
    ParseError,
    PrecisionError,
    SimulationError,
)
from theory.handles import QuantityHandle, StatementHandle, entries, entry, handle, statement
from theory.load import load
from theory.register.kinds import Kind, Provenance, Verdict
from theory.register.record import NONE, SAME, Claim, Experiment, Figure, Quantity, Root, Statement

if TYPE_CHECKING:
    from theory.evidence.compare import Comparison
    from theory.evidence.verify import Row
    from theory.proof.steps import Proof
    from theory.register.evaluate import Evaluation
    from theory.register.model import Model
    from theory.trial.experiment import Report

_PLACES = {
    "Comparison": "theory.evidence.compare",
    "Evaluation": "theory.register.evaluate",
    "Model": "theory.register.model",
    "Proof": "theory.proof.steps",
    "Report": "theory.trial.experiment",
    "Row": "theory.evidence.verify",
}

__all__ = [
    "NONE",
    "SAME",
    "Claim",
    "Comparison",
    "ConvergenceError",
    "DerivationError",
    "Evaluation",
    "Experiment",
    "Figure",
    "GradstepError",
    "InputError",
    "Kind",
    "Model",
    "MomentError",
    "NoPolynomialError",
    "ParseError",
    "PrecisionError",
    "Proof",
    "Provenance",
    "Quantity",
    "QuantityHandle",
    "Report",
    "Root",
    "Row",
    "SimulationError",
    "Statement",
    "StatementHandle",
    "Verdict",
    "entries",
    "entry",
    "handle",
    "statement",
]


def __getattr__(name: str) -> Any:
    if name in _PLACES:
        return load(f"{_PLACES[name]}:{name}")
    raise AttributeError(f"module 'theory' has no attribute {name!r}")
