"""Second route to the law of W0 W0^T: quadrature of its density, and the zeros of a discriminant, in mpmath.

The closed form of the Stieltjes transform and its branches are not used.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pencils.errors import InputError
from pencils.exact.numbers import Number, exact
from theory.quadrature.mp import context, number
from theory.register.model import Model


def edges(psi2: Any, digits: int) -> tuple[Any, list[Any]]:
    """(context, ends of the bulk): where the roots m of z m^2 + (z + 1 - psi2) m + 1 = 0 meet, the zeros in z of the
    discriminant (z + 1 - psi2)^2 - 4 z, found numerically."""
    ctx = context(2 * digits + 40)  # at psi2 = 1 and near it small zeros need more digits
    ratio = number(ctx, psi2, "psi2")
    return ctx, sorted(ctx.re(z) for z in ctx.polyroots([1, -2 * (1 + ratio), (1 - ratio) ** 2], maxsteps=500, extraprec=400))


def bulk_edge(model: Model, digits: int) -> Number:
    """Square root of the upper end of the bulk."""
    ctx, ends = edges(model.values["psi2"], digits)
    return ctx.sqrt(ends[1])


def bulk_edge_squared(model: Model, digits: int) -> Number:
    """The upper end of the bulk."""
    return edges(model.values["psi2"], digits)[1][1]


def over_density(psi2: Any, integrand: Callable[[Any, Any], Any], digits: int) -> tuple[Any, Any]:
    """(context, int integrand(lambda) rho(lambda) dlambda) over the bulk of the d x d law, lambda = |1 + sqrt(psi2) e^{it}|^2.

    In t the integrand is periodic and analytic, so that the midpoint rule converges geometrically: nodes are doubled
    until two values agree to digits + 5.
    """
    ctx = context(digits + 20)
    ratio = number(ctx, psi2, "psi2")
    previous, nodes = None, 32
    while nodes <= 2**14:
        total = ctx.zero
        for index in range(nodes):
            t = ctx.pi * (2 * index + 1) / (2 * nodes)
            place = 1 + ratio + 2 * ctx.sqrt(ratio) * ctx.cos(t)
            total += 2 * ratio * ctx.sin(t) ** 2 / (nodes * place) * integrand(ctx, place)
        if previous is not None and abs(total - previous) <= abs(total) * ctx.mpf(10) ** -(digits + 5):
            return ctx, total
        previous, nodes = total, 2 * nodes
    raise InputError(f"the density route did not reach {digits} digits at psi2 = {psi2}")


def bulk_second_moment(model: Model, digits: int) -> Number:
    """int lambda^2 over the density."""
    return over_density(model.values["psi2"], lambda ctx, place: place**2, digits)[1]


def stieltjes(sample: Mapping[str, str], digits: int) -> dict[str, Number]:
    """Transforms of both laws and moments at a real z outside the bulk, by quadrature of the density and the atoms."""
    psi2, z = exact(sample["psi2"]), exact(sample["z"])
    ctx, bulk = over_density(psi2, lambda ctx, place: 1 / (place - number(ctx, z)), digits)
    point, ratio = number(ctx, z), number(ctx, psi2)
    atom, companion_atom = max(ctx.zero, 1 - ratio), max(ctx.zero, 1 - 1 / ratio)
    values = {
        "stieltjes": bulk - atom / point,
        "stieltjes_companion": bulk / ratio - companion_atom / point,
        "atom": atom,
        "atom_companion": companion_atom,
    }
    for k in range(4):
        values[f"moments[{k}]"] = over_density(psi2, lambda ctx, place, k=k: place ** (k + 1), digits)[1]  # type: ignore[misc]
    return values | {f"edges[{k}]": edge for k, edge in enumerate(edges(psi2, digits)[1])}
