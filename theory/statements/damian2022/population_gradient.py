"""The population gradient of damian2022 for a polynomial teacher, exactly."""

from theory.hessian.letters import LETTERS, POLYNOMIAL_TEACHER
from theory.register.record import Experiment, Quantity

_SAMPLES = (
    {"teacher": "(x1**2-1)/2 + x1*x2", "w": "3/5,4/5,0"},
    {"teacher": "1 + x1 - 2*x2*x3 + x1**2*x2**2/3 + x3**3", "w": "2/7,-3/7,6/7", "preprocess": "false"},
    {"teacher": "He2((x1+x2)/sqrt(2)) + sqrt(3)*x1*x2**3 - x3**2", "w": "1,2,3"},
    {"teacher": "He4(x1)*x2**2 + x1**3", "w": "sqrt(2)/2,-sqrt(2)/2", "preprocess": "false"},
)

ENTRIES = (
    Quantity(
        key="damian2022.population-gradient",
        title="g(w) = E[(f*(x) - alpha - b.x) x sigma'(<w, x>)], sigma the ReLU, f* a polynomial, at any d",
        source="damian2022, Lemma 13",
        parameters=("teacher", "w"),
        optional=("preprocess",),
        letters=LETTERS | POLYNOMIAL_TEACHER,
        compute="theory.hessian.gradient:compute",
        route="theory.hessian.gradient_route:gradient",
        samples=_SAMPLES,
        chapter=("derivations.damian2022.gradient:series", "derivations.damian2022.gradient:relu"),
        experiment=Experiment(
            observe="theory.hessian.gradient_trial:observe",
            setting={"teacher": "(x1**2-1)/2 + x1*x2", "w": "3/5,4/5,0"},
            sizes=(8, 12, 18, 27),
            draws=12,
            from_scratch=True,
            n="1000*d",
            N="2",
        ),
        judged={"along_w": ("along_w",)},
        notes=(
            "d is the length of w; a w of another length than 1 is divided by its length. The teacher is taken as given: its "
            "energy E f*^2 is reported, and nothing is rescaled.",
            "order_k is the part of order d^{-k/2} for w uniform on the sphere and few directions; leading is H w/sqrt(2 pi), "
            "and is order_1. For the ReLU every term of odd Hermite degree above 1 is 0.",
            "alpha = C_0 and b = C_1 are what preprocessing takes off (0 with preprocess=false); kappa = |H^+|/sqrt(r), r the "
            "number of directions on which the teacher depends, and infinite where H has lower rank.",
        ),
    ),
)
