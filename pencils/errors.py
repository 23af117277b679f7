"""The one tree of errors: every message says what was given, what is accepted and why."""

from __future__ import annotations


class GradstepError(Exception):
    """Root of every error that this distribution raises on purpose; its text is one readable line."""


class InputError(GradstepError, ValueError):
    """Something given from outside (a number, a name, a formula) is not acceptable."""


class ParseError(InputError):
    """A text is not a formula of the accepted grammar; the message names the offending word."""


class MomentError(InputError):
    """An activation has no finite second moment under N(0, 1), or its finiteness could not be shown."""


class PrecisionError(GradstepError, ArithmeticError):
    """The digits asked for could not be reached, or a comparison could not be decided at any precision tried."""


class DerivationError(GradstepError):
    """A step of a derivation is not true, or could not be checked."""


class SimulationError(GradstepError):
    """A simulation could not be run or gave no usable sample."""


class ConvergenceError(GradstepError, ArithmeticError):
    """An equation could not be solved to the accuracy asked for; carries the last iterate and residual in its text."""


class NoPolynomialError(GradstepError):
    """A law has no polynomial that a bounded effort finds; the text says what was tried and what still works."""
