"""Lemma 13 of damian2022: the population gradient, as section 5.1 prints it."""

from theory.register.record import Claim, Experiment, Statement

ENTRIES = (
    Statement(
        "damian2022.lemma-13",
        "The coefficients in the population gradient are those of sigma, not of sigma'",
        "damian2022, Lemma 13 and section 5.1",
        "read",
        hypotheses={"|<u, w>| <= 1": "Abs(overlap) <= 1"},
        claims=(
            Claim(
                "along_u",
                "component along u of g(w) for f* = He_3(<u, x>) + He_4(<u, x>), overlap = <u, w>, |w| = 1; printed: the sum "
                "over k >= 2 with c_k the coefficients of sigma', as the text of section 5.1 has it",
                "(3*overlap**5 - 4*overlap**3)/sqrt(2*pi)",
                "(3*overlap**4 - 3*overlap**2)/sqrt(2*pi)",
                "erratum",
                printed_proof="derivations.damian2022.gradient:printed_witness",
                kind="equality",
                proof="derivations.damian2022.gradient:witness",
                route="theory.hessian.gradient_route:along_u",
                observable="seen",
            ),
        ),
        experiment=Experiment(
            observe="theory.hessian.gradient_trial:observe_along_u",
            setting={"polynomial": "He3(x1) + He4(x1)", "overlap": "9/10"},
            sizes=(8, 12, 18, 27),
            draws=24,
            from_scratch=True,
            n="1500*d",
            N="2",
        ),
        notes=(
            "The formula of Lemma 13 itself is right with c_k = E sigma He_k; read with those of sigma' (c_k -> "
            "c_{k+1}) its sum would give He_3 a gradient, which it has not, and He_4 none, which it has.",
        ),
    ),
)
