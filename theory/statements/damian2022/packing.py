"""The packing of Theorem 2 of damian2022: sign vectors with small overlaps."""

from theory.register.record import Quantity

ENTRIES = (
    Quantity(
        "damian2022.packing",
        "Sign vectors with small overlaps, constructed and measured",
        "damian2022, Theorem 2 (statements, section 4)",
        ("d", "size"),
        "theory.hessian.packing:compute",
        optional=("construction", "seed"),
        route="theory.hessian.lower_bound_route:packing",
        samples=(
            {"d": "100", "size": "150"},
            {"d": "64", "size": "300", "construction": "bent"},
            {"d": "37", "size": "250", "construction": "legendre"},
        ),
        chapter=("derivations.damian2022.lower_bound:packing", "derivations.damian2022.lower_bound:union"),
        notes=(
            "construction: signs (random), bent (d = 4^k, d^(3/2) vectors), legendre (d an odd prime, (d^2 - d)/2 vectors).",
            "The overlaps of bent and legendre are of order d^(-1/2) without a logarithm; with polynomials of degree k in place "
            "of quadratics, the logarithm in Theorem 2 gives way to a constant of p and b for q = d^b: "
            "theorem-2-steps.without_logarithm.",
        ),
    ),
)
