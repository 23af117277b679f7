"""What ``eval`` computes for the Marchenko-Pastur law."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pencils.exact.numbers import refine, to_ball


def marchenko_pastur(parameters: Mapping[str, Any], digits: int) -> dict[str, Any]:
    """Transforms of both laws at z, edges of the bulk, masses of the atoms at 0, first four moments of the d x d law."""
    import sympy as sp

    from pencils.language.parse import Node, to_sympy
    from theory.marchenko_pastur.law import MarchenkoPastur

    psi2, z = parameters["psi2"], parameters["z"]
    if isinstance(z, Node):
        z = to_sympy(z, {"i": sp.I, "I": sp.I}, {}, "z")
    law, companion = MarchenkoPastur(psi2), MarchenkoPastur(psi2, companion=True)

    def edge(sign: int) -> Any:
        return refine(lambda bits: (1 + sign * to_ball(psi2).sqrt()) ** 2, digits, "edge")

    def rational(value: Any) -> Any:
        return refine(lambda bits: to_ball(value), digits)

    return {
        "stieltjes": refine(lambda bits: law.stieltjes_ball(z, bits), digits, "m(z)"),
        "stieltjes_companion": refine(lambda bits: companion.stieltjes_ball(z, bits), digits, "the companion's m(z)"),
        "edges": [edge(-1), edge(1)],
        "atom": rational(_mass_at_zero(law)),
        "atom_companion": rational(_mass_at_zero(companion)),
        "moments": [rational(moment) for moment in law.moments(4)],
    }


def _mass_at_zero(law: Any) -> Any:
    import sympy as sp

    return sum((mass for _, mass in law.atoms()), sp.Integer(0))
