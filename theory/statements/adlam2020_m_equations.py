"""adlam2020, (S67) and (S68): the two equations of m1 and m2 for the kernel of random features."""

from theory.register.record import Claim, Statement
from theory.risk.forms import CURVE, M1, M2, OMEGA, RIGHT, SPECTRAL

ENTRIES = (
    Statement(
        key="adlam2020.m-equations",
        title="Two equations for the resolvent of the random-features kernel",
        source="adlam2020, (S67) and (S68)",
        provenance="second-hand",
        hypotheses={"mu1 != 0": "mu1 > 0"},
        where={"printed": {**SPECTRAL, "m1": M1, "m2": M2}, "derived": SPECTRAL},
        bindings={"omega": OMEGA},
        curve=CURVE,
        claims=(
            Claim(
                name="m1",
                kind="limit",
                says="(1/n) tr K^-1, K = Phi0 Phi0^T + lambda (n/N) I",
                derived=M1,
                proof="derivations.adlam:m1",
                route="theory.risk.route:m1",
            ),
            Claim(
                name="m2",
                kind="limit",
                says="(1/(n d)) tr X~^T K^-1 X~",
                derived=M2,
                proof="derivations.adlam:m2",
                route="theory.risk.route:m2",
            ),
            Claim(
                name="S67",
                kind="limit",
                says="the first equation: its first term, printed, is minus its second",
                printed="(m1 - m2)*(mu2**2*m1 + mu1**2*m2)/psi1",
                derived=RIGHT,
                proof="derivations.adlam:first",
                route="theory.risk.route:first_equation",
                expected="confirmed",
            ),
            Claim(
                name="S68",
                kind="limit",
                says="the second equation: its first term, printed, is minus its second",
                printed="psi2/psi1*(mu1**2*m1*m2 + (m2 - m1)/psi1)",
                derived=RIGHT,
                proof="derivations.adlam:second",
                route="theory.risk.route:second_equation",
                expected="confirmed",
            ),
        ),
        sweep=("psi2", "1/10", "4"),
        notes=("The routes of S67 and S68 put the pencils' m1 and m2 into the printed first terms.",),
    ),
)
