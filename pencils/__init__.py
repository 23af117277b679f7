"""Random-matrix calculus: a SymPy matrix expression -> linear pencil -> self-consistent equations -> numbers.

Knows nothing of neural networks. m(z) is the normalised trace of (M - z)^{-1} throughout. The public names are loaded when
first used, so that importing a light room of this package stays light.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pencils.ensembles import Deterministic, Gaussian, Vector, Wigner, commuting
    from pencils.law import Law, expected_trace
    from pencils.spectra import Spectrum, spectrum

_PLACES = {
    "Deterministic": "pencils.ensembles",
    "Gaussian": "pencils.ensembles",
    "Vector": "pencils.ensembles",
    "Wigner": "pencils.ensembles",
    "commuting": "pencils.ensembles",
    "Law": "pencils.law",
    "expected_trace": "pencils.law",
    "Spectrum": "pencils.spectra",
    "spectrum": "pencils.spectra",
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
