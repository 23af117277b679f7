"""Theorem 11 of ba2022: after a large step the risk is at most 10 tau* plus O(d/n); its pieces, each with its evidence."""

from theory.register.record import NONE, SAME, Claim, Experiment, Statement

_ENERGY = "(mu1_star**2 + mu2_star**2 + sigma_eps**2)/psi1"  # E y^2 d/n

ENTRIES = (
    Statement(
        "ba2022.theorem-11",
        "The risk after one large step, eta = etabar sqrt(N)",
        "ba2022, Theorem 11",
        "read",
        claims=(
            Claim(
                "width",
                "neurons with sqrt(N) a_j near alpha share kappa = etabar mu1 mu1* alpha, and average to "
                "E sigma(kappa xi_1 + xi_2) given xi_1 = <beta, x> (the subset argument)",
                "etabar*mu1*mu1_star*alpha",
                kind="identity",
            ),
            Claim(
                "width_slope",
                "the slope of <w_j - w_j^0, beta> against sqrt(N) a_j over the neurons: kappa for each unit of alpha",
                "etabar*mu1*mu1_star",
                observable="width",
                trend=("1/2", "1"),
            ),
            Claim(
                "average",
                "mean square of the average over the neurons with |sqrt(N) a_j - 1| <= N^(-1/3), less "
                "E sigma(kappa xi_1 + xi_2) given xi_1, in the step's own direction",
                "-2/3",
                kind="rate",
                observable="average_error",
            ),
            Claim(
                "erf_average", "E erf(kappa x + xi) for xi ~ N(0, 1)", "erf(kappa*x/sqrt(3))", SAME, "confirmed", kind="identity"
            ),
            Claim(
                "erf_zero",
                "the average of erf neurons at kappa = sqrt 3 is the teacher erf itself: tau* = 0",
                "erf(x)",
                SAME,
                "confirmed",
                kind="identity",
            ),
            Claim(
                "combination",
                "R1 <= B1 + B2 + 2 sqrt(B1 B2), B1 and B2 the mean squares of two errors that add up",
                "B1 + B2 + 2*sqrt(B1*B2)",
                kind="inequality",
            ),
            Claim(
                "alignment",
                "cos^2 of the angle between the step's direction and beta, theta2^2/theta1^2: no better than X^T y/n itself",
                f"mu1_star**2/(mu1_star**2 + {_ENERGY})",
                observable="projection**2/gradient_direction_squared",
            ),
            Claim(
                "direction_error",
                "|X^T y/n - mu1* beta|^2, the d/n error of the gradient's direction: E y^2 d/n",
                _ENERGY,
                observable="gradient_direction_squared - 2*mu1_star*projection + mu1_star**2",
            ),
            Claim(
                "risk",
                "R1 at n/d above a constant and n^(eps-1) < lambda/N < n^(-eps), sigma bounded; C is not given, so that no "
                "value is claimed: not derived here, what simulation attains is in the next two",
                "10*tau_star + C*(sqrt(tau_star*d/n) + d/n)",
                SAME,
                "open",
                kind="inequality",
                proof=NONE,
            ),
            Claim(
                "risk_exponent",
                "where tau* = 0 (erf and erf): the exponent of R1 in n/d, fitted over n/d = 4, 8, 16, 32 in every draw; "
                "O(d/n) says that it is at most -1",
                "-1",
                SAME,
                "open",
                kind="inequality",
                proof=NONE,
                trend=("1/2", "1"),
            ),
            Claim(
                "attained",
                "R1/(tau* + d/n) at n/d = 32: what is attained of the constant 10 (and of C, were it as large)",
                "10",
                expected="open",
                kind="inequality",
                proof=NONE,
                trend=("1/2", "1"),
            ),
        ),
        hypotheses={"mu1_star != 0": "Abs(mu1_star) > 0"},
        experiment=Experiment(
            "theory.large_step.trial:observe",
            {"activation": "erf", "teacher": "erf", "eta": "1", "etabar": "3", "psi1": "4", "psi2": "4", "sigma_eps": "1/4"},
            sizes=(60, 90, 135, 200),
            draws=12,
            parameters=("etabar",),
            variants=({"activation": "tanh", "teacher": "tanh"},),
            measures=("risk_exponent", "attained"),
        ),
        sweep=("psi1", "1/4", "20"),
        notes=(
            "tau* itself is the entry ba2022.tau-star; ba2022.theorem-11-constant has what averages of neurons attain.",
            "In simulation lambda/N = n^(-3/4), inside the theorem's window; eta = 1 is the step whose direction is measured.",
        ),
        chapter="derivations.ba2022.large_step_bound",
        routes="theory.large_step.direction_route",
    ),
)
