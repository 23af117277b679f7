"""The Marchenko-Pastur law of W0 W0^T, W0 in R^{d x N} with entries N(0, 1/d), N/d -> psi2."""

from theory.register.record import Claim, Quantity, Statement

ENTRIES = (
    Quantity(
        key="marchenko-pastur",
        title="Stieltjes transforms m(z) of the d x d law and of its companion, edges, atoms and moments",
        source="statements, sections 1 and 2",
        parameters=("psi2", "z"),
        compute="theory.marchenko_pastur.values:marchenko_pastur",
        route="theory.marchenko_pastur.route:stieltjes",
        samples=({"psi2": "1/2", "z": "-1"}, {"psi2": "1", "z": "5"}, {"psi2": "3", "z": "-1/10"}),
        notes=("m(z) = normalised trace of (W0 W0^T - z)^{-1}; inside the bulk z means z + i0.",),
    ),
    Statement(
        key="marchenko-pastur.law",
        title="The law and its companion",
        source="statements, section 2 (Theorem 7)",
        provenance="derived",
        claims=(
            Claim(
                name="companion",
                kind="identity",
                says="the companion's transform in terms of the d x d one",
                derived="m/psi2 - (1 - 1/psi2)/z",
                proof="derivations.marchenko_pastur:companion",
            ),
            Claim(
                name="second_moment",
                kind="limit",
                says="(1/d) E tr (W0 W0^T)^2",
                derived="psi2**2 + psi2",
                proof="derivations.marchenko_pastur:second_moment",
                route="theory.marchenko_pastur.route:bulk_second_moment",
            ),
            Claim(
                name="edge",
                kind="limit",
                says="the upper edge of the bulk",
                derived="(1 + sqrt(psi2))**2",
                proof="derivations.marchenko_pastur:stieltjes_at_edge",
                route="theory.marchenko_pastur.route:bulk_edge_squared",
            ),
        ),
        sweep=("psi2", "1/10", "4"),
        curve={"z": "-1/m + psi2/(1 + m)"},
    ),
)
