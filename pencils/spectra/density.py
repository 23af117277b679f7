"""The normalised trace of a resolvent at many points of the closed upper half plane, in float64: densities on a grid.

Far above the axis the physical solution is known (``branch.Follower``). Every point is followed from there straight down, all
points at once, each with its own step: Euler's predictor, Newton's iteration on the reduced equations, and the step is
taken only when the corrections contract, when they are short beside the step, and when the new value keeps to the theorem of
Schwarz and Pick: m maps the upper half plane into itself, so it does not increase hyperbolic distances. The axis itself is
reached in one last step, where the predictor is nearly right already. Where a law has a density, averages over it are sums at
nodes, whose number is doubled until m stays.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import sympy as sp

from pencils.dyson.branch import Follower
from pencils.dyson.dual_numbers import Dual, compile_dual
from pencils.dyson.equations import Equations
from pencils.dyson.floats import Array
from pencils.errors import ConvergenceError
from pencils.language.densities import COUNTS, FLOAT_DIGITS

FLOOR = 1e-30  # height, beside the size of the problem, below which a point is given up
AGREEMENT = 0.25  # longest correction of a predicted step, beside the step
EASY = 0.05  # a step with a shorter one is doubled
LANDING = 1e-3  # longest correction of the last step, onto the axis, beside the unknowns
SHORT = 1e-6  # a Newton step after which the next would be of the order of its square
STUCK = 0.995  # a step that lowers a point by less is no step
SWEEPS = 2000
TOPS, HIGHER = 8, 30.0  # heights at which the equation is tried, and the factor from one to the next
EPSILON = 2.0**-52
BATCH = 40000  # points times nodes that are solved for at once
CERTAIN = 1e-9  # relative error of m that rounding may leave
ZERO = 1e-12  # beside the unknowns, an m that counts as 0
SETTLED = 1e-10  # relative change of m on doubling the nodes of a continuous law


class Descent:
    """Solver of the equations of one law with spectral parameter ``z`` and all other parameters fixed; at ``count`` nodes, where it
    has a density (0: as many as are wanted)."""

    def __init__(self, of: Equations, values: Mapping[sp.Symbol, sp.Expr], z: sp.Symbol, count: int = 0) -> None:
        self.of, self.z, self.exact, self.count = of, z, dict(values), count
        self.by_nodes: dict[int, Descent] = {}
        self.constants = {s: complex(v) for s, v in values.items()}
        reduced = of.reduced
        self.core = list(reduced.unknowns)
        symbols = [*self.core, z, *self.constants]
        rows = [e.rhs - e.lhs for e in reduced.equations]
        definitions = [(d.lhs, d.rhs) for d in reduced.definitions]
        self.floor = np.zeros((len(self.core), 1))
        if self.is_adaptive:
            return
        self.system = compile_dual(symbols, definitions, rows, count)
        self.value = compile_dual(symbols, definitions, [reduced.value], count)

    @property
    def is_adaptive(self) -> bool:
        """Whether the number of nodes is still to be chosen."""
        return self.of.dyson.is_continuous and not self.count

    def at_nodes(self, count: int) -> Descent:
        """The solver at ``count`` nodes."""
        if count not in self.by_nodes:
            self.by_nodes[count] = Descent(self.of, self.exact, self.z, count)
        return self.by_nodes[count]

    @property
    def finest(self) -> Descent:
        """The solver with the largest number of nodes that was used."""
        return self.at_nodes(max(self.by_nodes)) if self.is_adaptive else self

    def stieltjes(self, points: npt.NDArray[Any]) -> tuple[Array, npt.NDArray[np.bool_]]:
        """m(z) at points of the closed upper half plane (x + i0 on the axis), and where it was found."""
        if self.is_adaptive:
            return self._settled(np.asarray(points))
        g, found = self.unknowns(points)
        m = self.value(self._dual(g, np.asarray(points, complex)))[0].value * np.ones(len(points))
        return np.where(found, m, np.nan), found

    def _settled(self, points: npt.NDArray[Any]) -> tuple[Array, npt.NDArray[np.bool_]]:
        """m(z) where doubling the number of nodes does not change it."""
        m, found = np.full(len(points), np.nan + 0j), np.zeros(len(points), bool)
        active = np.arange(len(points))
        for count in COUNTS:
            if not len(active):
                break
            inner = self.at_nodes(count)
            parts = [inner.stieltjes(points[part]) for part in np.array_split(active, -(-len(active) * count // BATCH))]
            values, good = (np.concatenate(column) for column in zip(*parts, strict=True))
            with np.errstate(invalid="ignore"):
                found[active] = good & (np.abs(values - m[active]) <= SETTLED * np.abs(values))
            m[active] = values
            active = active[~found[active]]
        return np.where(found, m, np.nan), found

    def unknowns(self, points: npt.NDArray[Any]) -> tuple[Array, npt.NDArray[np.bool_]]:
        """The unknowns of the equations at points of the closed upper half plane, (unknown, point), and where they were found."""
        points = np.asarray(points, complex)
        if not len(points):
            return np.zeros((len(self.core), 0), complex), np.zeros(0, bool)
        centre = (points.real.min() + points.real.max()) / 2
        width = points.real.max() - centre
        top = max(8 * width, 4 * points.imag.max(), abs(centre)) or 1.0
        for _ in range(TOPS):
            first, top = self._start(centre, top)
            # an unknown may vanish on the way: then its size at the start is the measure
            self.floor = 1e-3 * np.abs(first)
            g, here = np.repeat(first, len(points), axis=1), np.full(len(points), centre + 1j * top)
            g, landed, _, _ = self.step(g, here, points.real + 1j * top)
            if landed.all():
                return self._descend(g, points, top)
            top *= 4  # the step sideways is short beside the height only when that is large
        raise ConvergenceError(f"the equations could not be followed along Im z = {top / 4:.3g}")

    def density(self, xs: npt.NDArray[np.float64]) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.bool_]]:
        """Im m(x + i0)/pi, 0 outside the spectrum, and where it was found."""
        m, found = self.stieltjes(np.asarray(xs, float))
        return np.where(found, m.imag / np.pi, np.nan), found

    # -- the start and the way down ---------------------------------------------------------------------------------

    def _start(self, centre: float, top: float) -> tuple[Array, float]:
        """The unknowns of the reduced equations at centre + i top, by the theorem of uniqueness for the hermitised equation;
        higher up where that is not far above the spectrum, which |m| top < 1/2 tells, or not to be solved."""
        dyson = self.of.dyson
        # far above the spectrum few nodes are enough, and what they leave Newton's iteration puts right
        follower = Follower(dyson.at_nodes(min(self.count, COUNTS[1]), FLOAT_DIGITS) if self.count else dyson)
        for attempt in range(TOPS):
            z = centre + 1j * top
            parameters = {s: np.array([v]) for s, v in {**self.constants, self.z: z}.items()}
            try:
                system, g = follower.solve({s: parameters[s] for s in self.of.parameters})
            except ConvergenceError:
                if attempt == TOPS - 1:
                    raise
                top *= HIGHER
                continue
            found = g[0, [system.pairs.index(self.of.pairs[s]) for s in self.core]][:, None]
            size = float(abs((self.value(self._dual(found, np.array([z])))[0].value * np.ones(1))[0]))
            if size * top > 0.5 or attempt == TOPS - 1:
                break
            top = max(HIGHER * top, 2 / size)
        return found, top

    def _descend(self, g: Array, goal: Array, top: float) -> tuple[Array, npt.NDArray[np.bool_]]:
        height = np.full(len(goal), top)
        ratio, fits = np.full(len(goal), 0.5), np.zeros(len(goal), bool)
        final, failed = np.zeros(len(goal), bool), np.zeros(len(goal), bool)
        for _ in range(SWEEPS):
            active = np.flatnonzero(~final & ~failed)
            if not len(active):
                break
            h, target, jump = height[active], goal[active], fits[active]
            lower = np.maximum(h * ratio[active], target.imag)
            lower = np.where(jump, target.imag, lower)
            start, end = target.real + 1j * h, target.real + 1j * lower
            moved, good, error, easy = self.step(g[:, active], start, end)
            taken = active[good]
            g[:, taken], height[taken] = moved[:, good], lower[good]
            final[taken] = lower[good] == goal[taken].imag
            # a step that was easy doubles (in the logarithm of the height); one that failed is halved
            easy &= good & ~jump
            refused = ~good & ~jump
            ratio[active[easy]] = np.maximum(ratio[active[easy]] ** 2, 0.1)
            ratio[active[refused]] = np.sqrt(ratio[active[refused]])
            fits[active] = good & (error < 1e-4) & (lower < 1e-2 * (top + np.abs(target.real)))
            failed |= ~final & ((ratio > STUCK) | ((height < FLOOR * top) & (goal.imag == 0)))
        if final.any():
            g[:, final], final[final] = self._polished(g[:, final], goal[final])
        return g, final

    def _polished(self, g: Array, z: Array) -> tuple[Array, npt.NDArray[np.bool_]]:
        """Newton's iteration to rounding; what is real on the axis is made real, when the iteration says so from its real
        part. Also where m is certain: next to an edge rounding and the last step may leave it open."""
        with np.errstate(all="ignore"):
            g, last = self._newton(g, z)
            real = np.flatnonzero((z.imag == 0) & np.all(np.abs(g.imag) <= 1e-7 * self._scale(g), axis=0))
            straight, step = self._newton(g[:, real].real.astype(complex), z[real])
            near = np.all(np.abs(straight - g[:, real]) <= 1e-7 * self._scale(straight), axis=0)
            g[:, real[near]], last[:, real[near]] = straight[:, near].real, step[:, near]
            _, jacobian, _ = self.linear(g, z)
            rounding = np.abs(_inverse(jacobian)) @ (4 * EPSILON * np.abs(g)).T[..., None]
            value = self.value(self._dual(g, z))[0]
            m = value.value * np.ones(len(z))
            slope = np.abs(value.slope[: len(self.core)]) * np.ones(len(z))
            error = (slope * (np.abs(last) + rounding[..., 0].T)).sum(axis=0)
            # m may be 0, by symmetry
            size = CERTAIN * np.abs(m) + ZERO * (slope * self._scale(g)).sum(axis=0)
            good = (error <= size) & (m.imag >= -size)
        return g, good

    # -- one step ---------------------------------------------------------------------------------------------------

    def step(self, g: Array, start: Array, end: Array) -> tuple[Array, npt.NDArray[np.bool_], Any, Any]:
        """(unknowns at ``end``, whether to believe them, length of the correction beside them, whether it was short)."""
        with np.errstate(all="ignore"):
            _, jacobian, slope = self.linear(g, start)
            guess = g - _solve(jacobian, slope) * (end - start)
            moved, sizes = guess.copy(), np.full((6, len(end)), np.inf)
            moving = np.arange(len(end))
            for k in range(5):
                residual, jacobian, _ = self.linear(moved[:, moving], end[moving])
                step = -_solve(jacobian, residual)
                moved[:, moving] += step
                sizes[k + 1 :, moving] = self._relative(step, moved[:, moving])
                # finished when the step is short, hopeless when it is long or does not contract
                going = sizes[k + 1, moving] < (0.5 if k == 0 else 0.25 * sizes[k, moving] + 1e-10)
                moving = moving[going & ((sizes[k + 1, moving] > SHORT) | (k == 0))]
                if not len(moving):
                    break
            error = self._relative(moved - guess, moved)
            measure = np.abs(end - start) / start.imag  # hyperbolic length, nearly
            good = (sizes[-1] < SHORT) & (sizes[2] <= 0.25 * sizes[1] + 1e-10)
            on_axis = end.imag == 0
            good &= error <= np.where(on_axis, LANDING, AGREEMENT * measure + 1e-9)
            good &= on_axis | self.keeps_to_schwarz_pick(g, start, moved, end)
        return moved, good, error, error <= EASY * measure

    def keeps_to_schwarz_pick(self, g: Array, start: Array, moved: Array, end: Array) -> npt.NDArray[np.bool_]:
        """Whether m moves from ``start`` to ``end`` by no more than the hyperbolic distance, and stays in the upper half plane."""
        before, after = (self.value(self._dual(a, z))[0].value * np.ones(len(z)) for a, z in ((g, start), (moved, end)))
        image = np.abs((after - before) / (after - np.conj(before)))
        return (after.imag > 0) & (image <= np.abs((end - start) / (end - np.conj(start))) * (1 + 1e-6) + 1e-9)

    def _newton(self, g: Array, z: Array) -> tuple[Array, Array]:
        """Newton's iteration at every point until its steps do not shrink any more; the last steps."""
        last, step = np.full(len(z), np.inf), np.full(g.shape, np.inf, complex)
        for _ in range(6):
            residual, jacobian, _ = self.linear(g, z)
            move = -_solve(jacobian, residual)
            size = self._relative(move, g)
            better = size < last
            g, step = np.where(better, g + move, g), np.where(better, move, step)
            last = np.where(better, size, last)
            if np.all(~better | (last < EPSILON)):
                break
        return g, step

    def _relative(self, step: Array, g: Array) -> npt.NDArray[np.float64]:
        """The largest component of a step beside the unknown's own size; of a small unknown, beside the largest one's."""
        return np.max(np.abs(step) / self._scale(g), axis=0, initial=0.0)

    def _scale(self, g: Array) -> npt.NDArray[np.float64]:
        return np.maximum(np.abs(g) + 1e-3 * np.max(np.abs(g), axis=0, initial=0.0), self.floor)

    def _dual(self, g: Array, z: Array) -> list[Any]:
        """Unknowns and z as numbers with their derivatives in all of them; the parameters as numbers."""
        count, batch = len(self.core) + 1, len(z)
        found = []
        for k, value in enumerate([*g, z]):
            slope = np.zeros((count, 1), complex)
            slope[k] = 1
            found.append(Dual(value, np.broadcast_to(slope, (count, batch))))
        return [*found, *self.constants.values()]

    def linear(self, g: Array, z: Array) -> tuple[Array, Array, Array]:
        """F(g) - g, its derivative in g (batch, unknown, unknown), and in z."""
        size, batch = len(self.core), len(z)
        residual, slopes = np.zeros((size, batch), complex), np.zeros((size, size + 1, batch), complex)
        for k, row in enumerate(self.system(self._dual(g, z))):
            residual[k], slopes[k] = row.value, row.slope
        return residual, np.moveaxis(slopes[:, :size], 2, 0), slopes[:, size]


def _solve(matrix: Array, right: Array) -> Array:
    """Solutions of a batch of systems, NaN where one is singular. Arrays (batch, k, k) and (k, batch)."""
    if not len(right):
        return right
    if len(right) == 1:
        return right / matrix[:, 0, 0]
    try:
        return np.asarray(np.linalg.solve(matrix, right.T[..., None])[..., 0].T)
    except np.linalg.LinAlgError:
        return (_inverse(matrix) @ right.T[..., None])[..., 0].T


def _inverse(matrix: Array) -> Array:
    """Inverses of a batch of matrices, NaN for a singular one (which NumPy refuses, with the whole batch)."""
    try:
        return np.asarray(np.linalg.inv(matrix))
    except np.linalg.LinAlgError:
        return np.array(
            [_inverse(one) if len(matrix) > 1 else np.full(one.shape, np.nan) for one in np.split(matrix, len(matrix))]
        ).reshape(matrix.shape)
