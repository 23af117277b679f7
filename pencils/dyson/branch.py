"""The right solution of a Dyson equation: from where it is unique, followed to where it is wanted.

Hermitise: H = [[0, L], [L^*, 0]]. For eta > 0 the Dyson equation of (H - i eta)^{-1} has exactly one solution with positive
imaginary part (Helton, Rashidi Far, Speicher), found from large eta, where the iteration contracts. It is followed down in
eta; as long as L stays invertible its lower left block tends to E L^{-1}, which Newton's method on the equation of L itself
then polishes. Every step is accepted by residual and by positivity, never by looking right.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import sympy as sp

from pencils.dyson.equation import Dyson, hermitize
from pencils.dyson.floats import Array, FloatSystem
from pencils.errors import ConvergenceError

FALL = 0.35  # eta is multiplied by this from one level to the next
LOWEST = 1e-11  # the last eta
HEIGHT = 1e-5  # above the real axis: from here the solution is followed down to a boundary value
INSIDE = 1e-3  # the last eta at a real point that may lie inside the spectrum: what this leaves open, the path decides


class Follower:
    """Solver of one Dyson equation in float64 for batches of parameter values."""

    def __init__(self, dyson: Dyson) -> None:
        self.dyson = dyson
        self.hermitian = type(dyson)(hermitize(dyson.pencil), dyson.ensembles, dyson.form)

    def solve(self, parameters: Mapping[sp.Symbol, Array], lowest: float = LOWEST) -> tuple[FloatSystem, Array]:
        """The physical g at every point. Raises ConvergenceError with the last iterate and residual."""
        system = FloatSystem(self.dyson, parameters, self.dyson.pairs)
        if not self.hermitian.terms:
            return system, self._deterministic(system)
        size = self.dyson.pencil.size
        needed = [(size + k, l, form) for k, l, form in system.pairs]
        doubled = FloatSystem(self.hermitian, parameters, needed)
        places = [doubled.pairs.index(pair) for pair in needed]
        eta, g = self._start(doubled)
        last, before = eta, None
        while eta > lowest:
            last, g = eta, self._level(doubled, g, last, eta)
            heading = self._gap(doubled, g, eta)
            # the diagonal over eta has settled once eta is small beside the smallest singular value of L
            if before is not None and np.all(heading < 1.1 * before[1]):
                candidate, residual = system.newton(g[:, places])
                if np.all((residual < 1e-11) & self._is_limit(system, candidate, before[0], g[:, places])):
                    return system, candidate
            before = g[:, places], heading
            eta *= FALL
        _, residual = system.newton(g[:, places], steps=0)
        raise ConvergenceError(
            "the equation could not be followed to the parameters given: the matrix is singular there, or they lie inside "
            f"the spectrum (last iterate {np.round(g[0, places], 6).tolist()}, residual {float(np.max(residual)):.2g})"
        )

    def boundary(self, parameters: Mapping[sp.Symbol, Array], spectral: sp.Symbol) -> tuple[FloatSystem, Array]:
        """The solution at x + i0 in the spectral parameter (x - i0 for parameters below the axis), along x + ih in steps so
        short that g hardly moves. Raises ConvergenceError where Newton's iteration cannot follow."""
        upwards = np.where(parameters[spectral].imag < 0, -1j, 1j)

        def at(height: float) -> dict[sp.Symbol, Array]:
            return {**parameters, spectral: parameters[spectral] + height * upwards}

        _, g = self.solve(at(HEIGHT))
        height, ratio = HEIGHT, 0.5
        while height > 0:
            lower = height * ratio if height > 1e-14 else 0.0
            system = FloatSystem(self.dyson, at(lower), self.dyson.pairs)
            candidate, residual = system.newton(g)
            move = np.max(np.abs(candidate - g), axis=1, initial=0.0) / np.max(np.abs(g), axis=1, initial=1e-300)
            if np.all(residual < 1e-11) and np.all(move < 0.25):
                g, height, ratio = candidate, lower, 0.5
                continue
            ratio = (1 + ratio) / 2
            if ratio > 0.999:
                raise ConvergenceError(
                    f"the boundary value could not be reached below height {height:.2g} (last iterate "
                    f"{np.round(g[0], 6).tolist()}, residual {float(np.max(residual)):.2g})"
                )
        return system, g

    @staticmethod
    def _deterministic(system: FloatSystem) -> Array:
        """The traces of A^{-1}: nothing is random, and there is no equation to solve."""
        try:
            return system.traces(system.inverses(np.zeros((system.batch, len(system.pairs)), complex)))
        except np.linalg.LinAlgError as error:
            raise ConvergenceError("the matrix is singular at the parameters given") from error

    @staticmethod
    def _is_limit(system: FloatSystem, candidate: Array, before: Array, now: Array) -> npt.NDArray[np.bool_]:
        """Whether the hermitised solutions at the last two eta tend to the candidate as eta^2, from where Newton's iteration
        contracts: a second step, with the derivative kept, is short beside the first (Deuflhard's monotonicity test)."""

        def size(vector: Array) -> Any:
            return np.max(np.abs(vector), axis=1, initial=0.0)

        scale = size(candidate) + 1e-300
        second_order = now - candidate - FALL**2 * (before - candidate)
        quadratic = size(second_order) <= 0.2 * FALL**2 * size(before - candidate) + 1e-10 * scale
        try:
            inverses = system.inverses(now)
            first = system.correction(inverses, system.traces(inverses) - now)
            second = system.correction(inverses, system.traces(system.inverses(now + first)) - now - first)
        except np.linalg.LinAlgError:
            return np.zeros(system.batch, bool)
        return quadratic & (size(second) <= 0.1 * size(first) + 1e-10 * scale)

    def _start(self, doubled: FloatSystem) -> tuple[float, Array]:
        """An eta beyond the norm of H, and the leading term of the solution there."""
        scale = max((float(np.abs(stack.base).sum(axis=(-2, -1)).max()) for stack in doubled.stacks), default=1.0)
        scale += float(np.sqrt(np.abs(doubled.coefficient).sum(axis=1).max(initial=0.0)))
        eta = 2 * scale + 1
        g = np.zeros((doubled.batch, len(doubled.pairs)), complex)
        g[:, [index for index, (k, l, form) in enumerate(doubled.pairs) if k == l and form == 0]] = 1j / eta
        return eta, g

    def _level(self, doubled: FloatSystem, g: Array, last: float, eta: float, depth: int = 3) -> Array:
        """The solution at ``eta`` from that at ``last``: Newton where its result is positive; for the other points by way of
        an eta between; in the end by averaged iteration, which converges for every eta > 0."""
        candidate, residual = doubled.newton(g, eta, steps=8, tolerance=1e-10)
        bad = ~((residual < 1e-8) & self._positive(doubled, candidate, eta))
        if not bad.any():
            return candidate
        part, start = doubled.take(bad), g[bad]
        if depth:
            middle = float(np.sqrt(last * eta))
            start = self._level(part, start, last, middle, depth - 1)
            candidate[bad] = self._level(part, start, middle, eta, depth - 1)
            return candidate
        for _ in range(60):
            for _ in range(30):
                start = (start + part.traces(part.inverses(start, eta))) / 2
            found, residual = part.newton(start, eta, steps=8, tolerance=1e-10)
            if np.all((residual < 1e-8) & self._positive(part, found, eta)):
                candidate[bad] = found
                return candidate
        raise ConvergenceError(f"no convergence at eta = {eta:.3g}; residual {float(np.max(residual)):.2g}")

    @staticmethod
    def _positive(doubled: FloatSystem, g: Array, eta: float) -> npt.NDArray[np.bool_]:
        """Whether Im M > 0 for M = (A - Sigma - i eta)^{-1} on every fiber, at every point. Im M = M (Im Sigma + eta) M^*, where
        the rounding of A, which may be large, does not enter."""
        positive = np.ones(doubled.batch, bool)
        for sigma in doubled.sigmas(g):
            imaginary = (sigma - np.conj(np.swapaxes(sigma, 1, 2))) / 2j
            rounding = 1e-15 * np.max(np.abs(sigma), axis=(1, 2), initial=0.0)
            positive &= np.linalg.eigvalsh(imaginary)[:, 0] + eta > -rounding
        return positive

    @staticmethod
    def _gap(doubled: FloatSystem, g: Array, eta: float) -> Array:
        """Im of the diagonal over eta: bounded while L keeps away from singular, of order 1/eta inside the spectrum."""
        diagonal = [index for index, (k, l, form) in enumerate(doubled.pairs) if k == l and form == 0]
        return np.max(np.abs(g[:, diagonal].imag), axis=1, initial=0.0) / eta
