"""Orders in d of the terms of the population gradient, Lemma 13 of damian2022."""

from theory.register.record import Claim, Experiment, Statement


def _order(name: str, says: str, exponent: str, proof: str) -> Claim:
    return Claim(
        name=name,
        kind="rate",
        says=says,
        derived=exponent,
        proof=f"derivations.damian2022.gradient:{proof}",
        observable=name,
        against="d",
    )


ENTRIES = (
    Statement(
        "damian2022.lemma-13-orders",
        "Order in d of the terms of the population gradient, w uniform on the sphere",
        "damian2022, Lemma 13",
        "read",
        claims=(
            _order("quadratic_along", "k = 1: H w/sqrt(2 pi), here the part of g along x_1 for f* = He_2(x_1)", "-1/2", "order_1"),
            _order("quadratic_across", "k = 2: c_4 w C_2(w, w)/2, the part across x_1 for f* = He_2(x_1)", "-1", "order_2"),
            _order("quartic_along", "k = 3: c_4 C_4(w, w, w, .)/3!, along x_1 for f* = He_4(x_1)", "-3/2", "order_3"),
        ),
        experiment=Experiment(
            observe="theory.hessian.gradient_trial:observe_orders",
            setting={},
            sizes=(100, 200, 400, 800),
            draws=12,
            from_scratch=True,
            n="2",
            N="200",
        ),
        notes=(
            "Root mean square over w. Term k is a form of degree k in few coordinates of w: E <u, w>^{2k} = (2k-1)!!/(d(d+2)..).",
            "With H = 0 the first even p with C_p != 0 gives order d^{-(p-1)/2}. C_p with p odd and above 1 never shows in g: "
            "c_p = c_{p+2} = 0 for the ReLU without bias.",
        ),
    ),
)
