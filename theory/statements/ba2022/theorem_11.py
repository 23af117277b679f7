"""Theorem 11 of ba2022: after a large step the risk is at most 10 tau* plus O(d/n); its pieces, each with its evidence."""

from theory.register.record import Claim, Experiment, Statement

BOUND = "10*tau_star + C*(sqrt(tau_star*d/n) + d/n)"

ENTRIES = (
    Statement(
        key="ba2022.theorem-11",
        title="The risk after one large step, eta = etabar sqrt(N)",
        source="ba2022, Theorem 11",
        provenance="read",
        hypotheses={"mu1_star != 0": "Abs(mu1_star) > 0"},
        claims=(
            Claim(
                name="width",
                kind="identity",
                says="neurons with sqrt(N) a_j near alpha share kappa = etabar mu1 mu1* alpha, and average to "
                "E sigma(kappa xi_1 + xi_2) given xi_1 = <beta, x> (the subset argument)",
                derived="etabar*mu1*mu1_star*alpha",
                proof="derivations.ba2022.large_step_bound:width",
            ),
            Claim(
                name="width_slope",
                kind="limit",
                says="the slope of <w_j - w_j^0, beta> against sqrt(N) a_j over the neurons: kappa for each unit of alpha",
                derived="etabar*mu1*mu1_star",
                proof="derivations.ba2022.large_step_bound:width_slope",
                route="theory.large_step.direction_route:width",
                observable="width",
                trend=("1/2", "1"),
            ),
            Claim(
                name="average",
                kind="rate",
                says="mean square of the average over the neurons with |sqrt(N) a_j - 1| <= N^(-1/3), less "
                "E sigma(kappa xi_1 + xi_2) given xi_1, in the step's own direction",
                derived="-2/3",
                proof="derivations.ba2022.large_step_bound:average_rate",
                observable="average_error",
            ),
            Claim(
                name="erf_average",
                kind="identity",
                says="E erf(kappa x + xi) for xi ~ N(0, 1)",
                printed="erf(kappa*x/sqrt(3))",
                derived="erf(kappa*x/sqrt(3))",
                proof="derivations.ba2022.large_step_bound:erf_average",
                expected="confirmed",
            ),
            Claim(
                name="erf_zero",
                kind="identity",
                says="the average of erf neurons at kappa = sqrt 3 is the teacher erf itself: tau* = 0",
                printed="erf(x)",
                derived="erf(x)",
                proof="derivations.ba2022.large_step_bound:erf_zero",
                expected="confirmed",
            ),
            Claim(
                name="combination",
                kind="inequality",
                says="R1 <= B1 + B2 + 2 sqrt(B1 B2), B1 and B2 the mean squares of two errors that add up",
                derived="B1 + B2 + 2*sqrt(B1*B2)",
                proof="derivations.ba2022.large_step_bound:combination",
            ),
            Claim(
                name="alignment",
                kind="limit",
                says="cos^2 of the angle between the step's direction and beta, theta2^2/theta1^2: no better than X^T y/n itself",
                derived="mu1_star**2/(mu1_star**2 + (mu1_star**2 + mu2_star**2 + sigma_eps**2)/psi1)",
                proof="derivations.ba2022.large_step_bound:alignment",
                route="theory.large_step.direction_route:alignment",
                observable="projection**2/gradient_direction_squared",
            ),
            Claim(
                name="direction_error",
                kind="limit",
                says="|X^T y/n - mu1* beta|^2, the d/n error of the gradient's direction: E y^2 d/n",
                derived="(mu1_star**2 + mu2_star**2 + sigma_eps**2)/psi1",
                proof="derivations.ba2022.large_step_bound:direction_error",
                route="theory.large_step.direction_route:direction_error",
                observable="gradient_direction_squared - 2*mu1_star*projection + mu1_star**2",
            ),
            Claim(
                name="risk",
                kind="inequality",
                says="R1 at n/d above a constant and n^(eps-1) < lambda/N < n^(-eps), sigma bounded; C is not given, so that no "
                "value is claimed: not derived here, what simulation attains is in the next two",
                printed=BOUND,
                derived=BOUND,
                expected="open",
            ),
            Claim(
                name="risk_exponent",
                kind="inequality",
                says="where tau* = 0 (erf and erf): the exponent of R1 in n/d, fitted over n/d = 4, 8, 16, 32 in every draw; "
                "O(d/n) says that it is at most -1",
                printed="-1",
                derived="-1",
                observable="risk_exponent",
                trend=("1/2", "1"),
                expected="open",
            ),
            Claim(
                name="attained",
                kind="inequality",
                says="R1/(tau* + d/n) at n/d = 32: what is attained of the constant 10 (and of C, were it as large)",
                derived="10",
                observable="attained",
                trend=("1/2", "1"),
                expected="open",
            ),
        ),
        experiment=Experiment(
            observe="theory.large_step.trial:observe",
            setting={
                "activation": "erf",
                "teacher": "erf",
                "eta": "1",
                "etabar": "3",
                "psi1": "4",
                "psi2": "4",
                "sigma_eps": "1/4",
            },
            sizes=(60, 90, 135, 200),
            draws=12,
            parameters=("etabar",),
            variants=({"activation": "tanh", "teacher": "tanh"},),
        ),
        sweep=("psi1", "1/4", "20"),
        notes=(
            "tau* itself is the entry ba2022.tau-star; ba2022.theorem-11-constant has what averages of neurons attain.",
            "In simulation lambda/N = n^(-3/4), inside the theorem's window; eta = 1 is the step whose direction is measured.",
        ),
    ),
)
