"""The right solution of a Dyson equation: from where it is unique, followed to where it is wanted.

Hermitise: H = [[0, L], [L^*, 0]]. For eta > 0 the Dyson equation of (H - i eta)^{-1} has exactly one solution with positive
imaginary part (Helton, Rashidi Far, Speicher), found from large eta, where the iteration contracts. It is followed down in
eta; as long as L stays invertible its lower left block tends to E L^{-1}, which Newton's method on the equation of L itself
then polishes. Every step is accepted by residual and by positivity, never by looking right.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import sympy as sp

from pencils.dyson import Dyson, hermitize
from pencils.errors import ConvergenceError
from pencils.numeric import Array, FloatSystem

FALL = 0.35  # eta is multiplied by this from one level to the next
LOWEST = 1e-9


class Follower:
    """Solver of one Dyson equation in float64 for batches of parameter values."""

    def __init__(self, dyson: Dyson) -> None:
        self.dyson = dyson
        self.hermitian = Dyson(hermitize(dyson.pencil), dyson.ensembles, dyson.form)

    def solve(self, parameters: Mapping[sp.Symbol, Array]) -> tuple[FloatSystem, Array]:
        """The physical g at every point. Raises ConvergenceError with the last iterate and residual."""
        system = FloatSystem(self.dyson, parameters, self.dyson.pairs)
        size = self.dyson.pencil.size
        needed = [(size + k, l, form) for k, l, form in system.pairs]
        doubled = FloatSystem(self.hermitian, parameters, needed)
        places = [doubled.pairs.index(pair) for pair in needed]
        eta, g = self._start(doubled)
        best: Array | None = None
        while eta > LOWEST:
            g = self._level(doubled, g, eta)
            # what Newton finds for L itself is accepted when it is where the hermitised solution is heading
            candidate, residual = system.newton(g[:, places])
            distance = np.max(np.abs(candidate - g[:, places]) / (1 + np.abs(candidate)), axis=1, initial=0.0)
            heading = self._gap(doubled, g, eta)
            if np.all(residual < 1e-11) and np.all(distance < 0.5 * np.sqrt(eta)) and np.all(heading < 1e3):
                if best is not None and np.allclose(best, candidate, rtol=1e-8, atol=1e-10):
                    return system, candidate
                best = candidate
            eta *= FALL
        raise ConvergenceError(
            "the equation could not be followed to the parameters given: the matrix is singular there, or they lie inside "
            f"the spectrum (last iterate {np.round(g[0, places], 6).tolist()}, residual {float(np.max(residual)):.2g})"
        )

    def _start(self, doubled: FloatSystem) -> tuple[float, Array]:
        """An eta beyond the norm of H, and the leading term of the solution there."""
        scale = max((float(np.abs(base).sum(axis=(1, 2)).max()) for base, *_ in doubled.fibers), default=1.0)
        scale += float(np.sqrt(np.abs(doubled.coefficient).sum(axis=1).max(initial=0.0)))
        eta = 2 * scale + 1
        g = np.zeros((doubled.batch, len(doubled.pairs)), complex)
        g[:, [index for index, (k, l, form) in enumerate(doubled.pairs) if k == l and form == 0]] = 1j / eta
        return eta, g

    def _level(self, doubled: FloatSystem, g: Array, eta: float) -> Array:
        """The solution at one eta from that at the last one: Newton if its result is positive, else averaged iteration,
        which converges for every eta > 0."""
        candidate, residual = doubled.newton(g, eta, steps=8, tolerance=1e-10)
        if np.all(residual < 1e-8) and self._positive(doubled, candidate, eta):
            return candidate
        for _ in range(60):
            for _ in range(30):
                g = (g + doubled.traces(doubled.inverses(g, eta))) / 2
            candidate, residual = doubled.newton(g, eta, steps=8, tolerance=1e-10)
            if np.all(residual < 1e-8) and self._positive(doubled, candidate, eta):
                return candidate
        raise ConvergenceError(f"no convergence at eta = {eta:.3g}; residual {float(np.max(residual)):.2g}")

    @staticmethod
    def _positive(doubled: FloatSystem, g: Array, eta: float) -> bool:
        """Im (A - Sigma - i eta)^{-1} > 0 on every fiber."""
        for inverse in doubled.inverses(g, eta):
            imaginary = (inverse - np.conj(np.swapaxes(inverse, 1, 2))) / 2j
            if np.linalg.eigvalsh(imaginary).min() <= 0:
                return False
        return True

    @staticmethod
    def _gap(doubled: FloatSystem, g: Array, eta: float) -> Array:
        """Im of the diagonal over eta: bounded while L keeps away from singular, of order 1/eta inside the spectrum."""
        diagonal = [index for index, (k, l, form) in enumerate(doubled.pairs) if k == l and form == 0]
        return np.max(np.abs(g[:, diagonal].imag), axis=1, initial=0.0) / eta
