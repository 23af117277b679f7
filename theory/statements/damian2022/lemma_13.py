"""What Lemma 13 of damian2022 says of a step: which coefficients, the order of its terms, and why the linear part is taken off."""

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
        key="damian2022.lemma-13",
        title="The coefficients in the population gradient are those of sigma, not of sigma'",
        source="damian2022, Lemma 13 and section 5.1",
        provenance="read",
        hypotheses={"|<u, w>| <= 1": "Abs(overlap) <= 1"},
        claims=(
            Claim(
                name="along_u",
                printed_proof="derivations.damian2022.gradient:printed_witness",
                kind="equality",
                says="component along u of g(w) for f* = He_3(<u, x>) + He_4(<u, x>), overlap = <u, w>, |w| = 1; printed: the sum "
                "over k >= 2 with c_k the coefficients of sigma', as the text of section 5.1 has it",
                printed="(3*overlap**4 - 3*overlap**2)/sqrt(2*pi)",
                derived="(3*overlap**5 - 4*overlap**3)/sqrt(2*pi)",
                proof="derivations.damian2022.gradient:witness",
                route="theory.hessian.gradient_route:along_u",
                observable="seen",
                expected="erratum",
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
    Statement(
        key="damian2022.lemma-13-orders",
        title="Order in d of the terms of the population gradient, w uniform on the sphere",
        source="damian2022, Lemma 13",
        provenance="read",
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
    Statement(
        key="damian2022.preprocessing",
        title="Without preprocessing C_1/2 moves all neurons one way",
        source="damian2022, Algorithm 1 and section 5.1",
        provenance="read",
        claims=(
            Claim(
                name="aligned",
                kind="limit",
                says="mean cosine between a_i w_i^(1) and a_j w_j^(1) without preprocessing, |C_1| = mu1*, C_0 = c0*",
                derived="mu1_star**2/(mu1_star**2 + 2*c0_star**2/pi)",
                proof="derivations.damian2022.gradient:aligned",
                observable="raw",
            ),
            Claim(
                name="spread",
                kind="limit",
                says="1 - the mean cosine with preprocessing: H w is odd in w",
                derived="1",
                proof="derivations.damian2022.gradient:spread",
                observable="1 - clean",
                trend=("1/2", "1"),
            ),
        ),
        experiment=Experiment(
            observe="theory.hessian.gradient_trial:observe_cosine",
            setting={"mu1_star": "1", "c0_star": "1/2"},
            sizes=(16, 24, 36, 54),
            draws=12,
            from_scratch=True,
            n="4*d**2*sqrt(d)",
            N="100",
        ),
        notes=(
            "The empirical mean y x leaves (I - X^T X/n) b/2 in every neuron, of order |b| sqrt(d/n): it is below "
            "the signal d^-1/2 only where n is large beside d^2, so the experiment takes n of order d^{5/2}.",
        ),
    ),
    Statement(
        key="damian2022.ba2022-first-term",
        title="The gradient of ba2022 is the first term of the series of damian2022",
        source="damian2022, Lemma 13; ba2022, Proposition 2",
        provenance="derived",
        claims=(
            Claim(
                name="first_term",
                kind="equality",
                says="component along beta of the term k = 0, c_1 C_1 = mu1 E[y x], for a general sigma: E of mu1 X^T y/n, the "
                "left vector of A = (mu1/(n sqrt N)) X^T y a^T",
                derived="mu1*mu1_star",
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
