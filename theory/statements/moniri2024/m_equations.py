"""moniri2024: the two equations of m1 and m2, in its letters."""

from theory.register.record import Claim, Statement
from theory.risk.forms import CURVE, OMEGA, RIGHT, SPECTRAL
from theory.staircase.forms import KERNEL, LETTERS

ENTRIES = (
    Statement(
        key="moniri2024.m-equations",
        title="The two equations of m1 and m2, in the letters of moniri2024",
        source="moniri2024 (recalled)",
        provenance="recalled",
        hypotheses={"mu1 != 0": "mu1 > 0"},
        where={
            "printed": {**SPECTRAL, **LETTERS, **KERNEL},
            "derived": {**SPECTRAL, **LETTERS, **KERNEL},
        },
        bindings={"omega": OMEGA},
        curve=CURVE,
        claims=(
            Claim(
                name="first",
                kind="limit",
                says="phi (m1 - m2)(c_{>1}^2 m1 + c_1^2 m2), which is c_1^2 m1 m2 (1 - (lambda psi/phi) m1)",
                printed="phi*(m1 - m2)*(mu2**2*m1 + mu1**2*m2)",
                derived=RIGHT,
                proof="derivations.adlam:first",
                route="theory.risk.route:first_equation",
                expected="confirmed",
            ),
            Claim(
                name="second",
                kind="limit",
                says="c_1^2 m1 m2 + phi (m2 - m1) times a factor, recalled as psi/phi; it is c_1^2 m1 m2 (1 - (lambda psi/phi) m1)",
                printed="psi/phi*(mu1**2*m1*m2 + phi*(m2 - m1))",
                derived=RIGHT,
                proof="derivations.adlam:second",
                route="theory.risk.route:second_equation",
                expected="differs, as reported",
            ),
        ),
        sweep=("psi2", "1/10", "4"),
        notes=("The factor is phi/psi = N/n: with it the equation is (S68) of adlam2020.",),
    ),
)
