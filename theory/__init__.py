"""The theory of one gradient step and the register of its statements.

``theory.statement(KEY)`` gives a statement with ``evaluate``, ``verify``, ``compare``, ``simulate``, ``derive`` and
``latex``; ``theory.entry(KEY)`` gives quantities too; ``theory.entries()`` all of them.
"""

from theory.entries import entries, entry, statement
from theory.register.record import Claim, Experiment, Quantity, Statement

__all__ = ["Claim", "Experiment", "Quantity", "Statement", "entries", "entry", "statement"]
