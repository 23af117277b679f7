"""The theory of one gradient step and the register of its statements.

``theory.statement(KEY)`` gives a statement with ``evaluate``, ``verify``, ``compare``, ``simulate``, ``derive`` and
``latex``; ``theory.entry(KEY)`` gives quantities too; ``theory.entries()`` all of them.
"""

from theory.record import Claim, Experiment, Quantity, Statement
from theory.register import entries, entry, statement

__all__ = ["Claim", "Experiment", "Quantity", "Statement", "entries", "entry", "statement"]
