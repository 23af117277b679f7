"""Random-matrix calculus: a SymPy matrix expression -> linear pencil -> self-consistent equations -> numbers.

Knows nothing of neural networks. m(z) is the normalised trace of (M - z)^{-1} throughout. ``expected_trace`` gives a ``Law`` and
``spectrum`` a ``Spectrum``; the ensembles are declared beside the expression. The public names are loaded when first used, so that
importing a light room of this package stays light.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
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
    from pencils.finite_size.check import Check, Checks
    from pencils.finite_size.sample import Sample
    from pencils.language.declarations import DeclarationError
    from pencils.language.ensembles import Deterministic, Gaussian, Vector, Wigner, commuting
    from pencils.law import Derivative, Law, expected_trace
    from pencils.outliers.determinant import Outliers
    from pencils.outliers.search import Outlier
    from pencils.outliers.thresholds import Threshold
    from pencils.spectral_law import Edge, Spectrum, spectrum

_ROOMS = {
    "pencils.errors": (
        "ConvergenceError",
        "DerivationError",
        "GradstepError",
        "InputError",
        "MomentError",
        "NoPolynomialError",
        "ParseError",
        "PrecisionError",
        "SimulationError",
    ),
    "pencils.finite_size.check": (
        "Check",
        "Checks",
    ),
    "pencils.finite_size.sample": ("Sample",),
    "pencils.language.declarations": ("DeclarationError",),
    "pencils.language.ensembles": (
        "Deterministic",
        "Gaussian",
        "Vector",
        "Wigner",
        "commuting",
    ),
    "pencils.law": (
        "Derivative",
        "Law",
        "expected_trace",
    ),
    "pencils.outliers.determinant": ("Outliers",),
    "pencils.outliers.search": ("Outlier",),
    "pencils.outliers.thresholds": ("Threshold",),
    "pencils.spectral_law": (
        "Edge",
        "Spectrum",
        "spectrum",
    ),
}
_PLACES = {name: room for room, names in _ROOMS.items() for name in names}

__all__ = [
    "Check",
    "Checks",
    "ConvergenceError",
    "DeclarationError",
    "DerivationError",
    "Derivative",
    "Deterministic",
    "Edge",
    "Gaussian",
    "GradstepError",
    "InputError",
    "Law",
    "MomentError",
    "NoPolynomialError",
    "Outlier",
    "Outliers",
    "ParseError",
    "PrecisionError",
    "Sample",
    "SimulationError",
    "Spectrum",
    "Threshold",
    "Vector",
    "Wigner",
    "commuting",
    "expected_trace",
    "spectrum",
]


def __getattr__(name: str) -> Any:
    if name in _PLACES:
        return getattr(import_module(_PLACES[name]), name)
    raise AttributeError(f"module 'pencils' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
