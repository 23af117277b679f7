"""Random-matrix calculus: a SymPy matrix expression -> linear pencil -> self-consistent equations -> numbers.

Knows nothing of neural networks. m(z) is the normalised trace of (M - z)^{-1} throughout. The public names are loaded when
first used, so that importing a light room of this package stays light.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pencils.language.ensembles import Deterministic, Gaussian, Vector, Wigner, commuting
    from pencils.law import Law, expected_trace
    from pencils.spectral_law import Spectrum, spectrum

_PLACES = {
    "Deterministic": "pencils.language.ensembles",
    "Gaussian": "pencils.language.ensembles",
    "Vector": "pencils.language.ensembles",
    "Wigner": "pencils.language.ensembles",
    "commuting": "pencils.language.ensembles",
    "Law": "pencils.law",
    "expected_trace": "pencils.law",
    "Spectrum": "pencils.spectral_law",
    "spectrum": "pencils.spectral_law",
}

__all__ = [
    "Deterministic",
    "Gaussian",
    "Law",
    "Spectrum",
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
