"""The first gradient of ba2022 is the first term of the series of damian2022."""

from theory.register.record import Claim, Experiment, Statement

ENTRIES = (
    Statement(
        "damian2022.ba2022-first-term",
        "The gradient of ba2022 is the first term of the series of damian2022",
        "damian2022, Lemma 13; ba2022, Proposition 2",
        "derived",
        claims=(
            Claim(
                "first_term",
                "component along beta of the term k = 0, c_1 C_1 = mu1 E[y x], for a general sigma: E of mu1 X^T y/n, the "
                "left vector of A = (mu1/(n sqrt N)) X^T y a^T",
                "mu1*mu1_star",
                kind="equality",
                proof="derivations.damian2022.gradient:first_term",
                observable="seen",
            ),
        ),
        experiment=Experiment(
            observe="theory.hessian.gradient_trial:observe_first_term",
            setting={"activation": "tanh", "teacher": "sin(3*x/2)"},
            sizes=(40, 60, 90, 135),
            draws=16,
            from_scratch=True,
            n="40*d",
            N="200",
        ),
        notes=("The other terms vanish in the mean over w ~ N(0, I/d) as d grows: they are of order d^-1/2 and less.",),
    ),
)
