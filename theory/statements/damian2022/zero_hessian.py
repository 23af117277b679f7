"""Teachers without a Hessian, He_p with p >= 3: the population gradient of order d^(-(p-1)/2), or none."""

from theory.hessian.letters import LETTERS
from theory.register.record import Claim, Experiment, Quantity, Statement

_SOURCE = "damian2022, Lemma 13 and Theorem 2 (statements, section 4)"

ENTRIES = (
    Quantity(
        "damian2022.zero-hessian",
        "Population gradient of ReLU neurons at He_p(<u, x>)/sqrt(p!): E|g(w)|^2 over the sphere",
        _SOURCE,
        ("p", "d"),
        "theory.hessian.zero_hessian:compute",
        letters=LETTERS,
        route="theory.hessian.lower_bound_route:zero_hessian",
        samples=tuple({"p": p, "d": d} for p, d in (("3", "5"), ("4", "3"), ("4", "50"), ("5", "9"), ("6", "7"), ("8", "12"))),
        chapter=("derivations.damian2022.zero_hessian:mean_square_4", "derivations.damian2022.zero_hessian:gradient_6"),
        notes=(
            "limit: that of d^(p-1) E|g|^2; exponent: that of d in |g|, none where the gradient is 0.",
            "Biases are 0, as Algorithm 1 has them in its first step.",
        ),
    ),
    Statement(
        "damian2022.zero-hessian-order",
        "Without a Hessian the gradient is of order d^(-(p-1)/2) at even p, and 0 at odd p",
        _SOURCE,
        "derived",
        claims=(
            Claim(
                "information_exponent",
                "the first k at which E f* He_k(<w, x>) is not 0 for f* = He_p(<u, x>)/sqrt(p!), at any w with <u, w> != 0",
                "degree",
                kind="identity",
                proof="derivations.damian2022.lower_bound:information_exponent",
            ),
            Claim(
                "mean_square_4",
                "pi E|g(w)|^2 over the sphere at p = 4, in any dimension",
                "5/(d*(d + 2)*(d + 4))*(1 - 105/(16*(d + 6)))",
                kind="identity",
            ),
            Claim("gradient_4", "root mean square of |g(w)| at p = 4", "-3/2", kind="rate", against="d"),
            Claim(
                "gradient_even",
                "root mean square of |g(w)| at even p: the issue's -(p - 1)/2",
                "-(degree - 1)/2",
                kind="rate",
                against="d",
            ),
            Claim(
                "gradient_odd",
                "<g(w), u> for an odd teacher mu1* He_1 + He_p/sqrt(p!), p = 3, 5, 7, before preprocessing: C_1/2 at every w; "
                "preprocessing takes this off, and the population gradient is 0",
                "mu1_star/2",
                kind="identity",
            ),
        ),
        experiment=Experiment(
            "theory.hessian.lower_bound_trial:gradient_sizes",
            setting={},
            sizes=(400, 800, 1600, 3200),
            draws=12,
            from_scratch=True,
            n="d",
            N="d",
            measures=("gradient_4",),
        ),
        notes=(
            "The order d^(-(p-1)/2) is that of c_p C_p(w^(p-1))/(p-1)!, and c_p of ReLU is 0 at odd p >= 3, c_(p+2) too: no "
            "component is left, along u or along w. An activation with c_p != 0 (or a bias) has that order at odd p as well.",
        ),
        chapter="derivations.damian2022.zero_hessian",
    ),
)
