"""Theorem 3 of damian2022: the rate of transfer to a second task."""

from theory.register.record import Claim, Experiment, Statement

_TEACHER = {"teacher": "He2/2 + He4/sqrt(48)", "sigma_eps": "1", "eta": "1/2"}

ENTRIES = (
    Statement(
        "damian2022.theorem-3",
        "Transfer: a head on N fresh samples, sqrt(r^p kappa^2p/min(m, N)) + N^(-1/4)",
        "damian2022, Theorem 3",
        "read",
        claims=(
            Claim(
                "samples",
                "E |f - f*| with N = d^3 fresh samples, width 2 d^2, pretrained on d^4, where N^(-1/4) is the largest term",
                "-3/4",
                kind="rate",
                against="d",
                proof="derivations.damian2022.algorithm:statistics_path",
                observable="samples",
            ),
            Claim(
                "width",
                "E |f - f*| with N = d^4 fresh samples, width 4 d, pretrained on d^4, where m^(-1/2) is the largest term",
                "-1/2",
                kind="rate",
                against="d",
                proof="derivations.damian2022.algorithm:width_path",
                observable="width_error",
            ),
            Claim(
                "against_random_features",
                "the risk of the transferred head less that of random features on the same number of samples",
                "0",
                expected="open",
                kind="inequality",
                observable="risk - random_features",
                seen="largest size",
            ),
            Claim(
                "against_no_transfer",
                "the risk of the transferred head less that of Algorithm 1 on the second task alone, whose H is 0 (He3)",
                "0",
                expected="open",
                kind="inequality",
                observable="risk - alone",
                seen="largest size",
            ),
        ),
        experiment=Experiment(
            observe="theory.hessian.rates:observe_theorem_3",
            setting={**_TEACHER, "target": "He3/sqrt(6)"},
            sizes=(6, 8, 10, 12),
            draws=16,
            from_scratch=True,
            n="d**4",
            N="d**3",
        ),
        notes=(
            "N is here the number of fresh samples of the second task, f* = target along the direction of the first.",
            "The constants are not given: only exponents are tested, as upper bounds.",
        ),
    ),
)
