"""Theorem 3 of ba2022, the spike, as reported and as corrected; and the singular vectors, which it does not state."""

from theory.register.record import Claim, Experiment, Statement

THETA1 = "eta*mu1*sqrt(mubar**2/psi1 + mu1_star**2)"
THETA2 = "eta*mu1*mu1_star"
OUTLIER = "theta1 > psi2**(1/4)"
SINGULAR_VALUE = f"Piecewise((sqrt((1 + theta1**2)*(psi2 + theta1**2))/theta1, {OUTLIER}), (1 + sqrt(psi2), True))"
OVERLAP = f"Piecewise((theta2**2/theta1**2*(1 - (psi2 + theta1**2)/(theta1**2*(theta1**2 + 1))), {OUTLIER}), (0, True))"

WITH_NOISE = {"mubar": "sqrt(mu1_star**2 + mu2_star**2 + sigma_eps**2)"}
WITHOUT_NOISE = {"mubar": "sqrt(mu1_star**2 + mu2_star**2)"}

# The point at which the sheet tells the two forms apart.
EXPERIMENT = Experiment(
    observe="theory.spike.trial:spike_observables",
    setting={"activation": "erf", "teacher": "tanh", "eta": "3", "psi1": "2", "psi2": "1", "sigma_eps": "3/2"},
    sizes=(200, 300, 450, 675),
    draws=16,
)
# The network's own output (the part C of the gradient) adds about -(eta mu1^2/sqrt N) W0 a a^T to the step: along W0 a, so
# that what depends on the spike moves in first order, by d^(-1/2) and not by 1/d.
SPIKE_TREND = ("1/2", "1")
HYPOTHESES = {"mu1 != 0": "mu1 > 0"}  # oriented: the model turns sigma round so that mu1 >= 0
ORIENTED = ("mu1 >= 0 is no restriction: (sigma, a) -> (-sigma, -a) leaves the step as it is.",)


def spike_claims(expected: str) -> tuple[Claim, ...]:
    """The claims of the spike theorem; ``expected`` is the verdict of those that depend on theta1."""
    return (
        Claim(
            name="theta1",
            kind="limit",
            says="theta1, the limit of |u|, u = (eta mu1/n) X^T y",
            printed=THETA1,
            derived=THETA1,
            proof="derivations.ba2022.noise_term:theta1",
            route="theory.spike.route:theta1",
            observable="eta*mu1*sqrt(gradient_direction_squared)",
            expected=expected,
        ),
        Claim(
            name="theta2",
            kind="limit",
            says="theta2, the limit of <u, beta>",
            printed=THETA2,
            derived=THETA2,
            proof="derivations.ba2022.noise_term:theta2",
            route="theory.spike.route:theta2",
            observable="eta*mu1*projection",
            expected="confirmed",
        ),
        Claim(
            name="outlier",
            kind="threshold",
            says="an outlier iff theta1 > psi2^(1/4)",
            printed=OUTLIER,
            derived=OUTLIER,
            proof="derivations.ba2022.spike:outlier",
            route="theory.spike.route:outlier",
            expected=expected,
        ),
        Claim(
            name="singular_value",
            kind="limit",
            says="s1(W1)",
            printed=SINGULAR_VALUE,
            derived=SINGULAR_VALUE,
            proof="derivations.ba2022.spike:singular_value",
            route="theory.spike.route:singular_value",
            observable="singular_value",
            trend=SPIKE_TREND,
            expected=expected,
        ),
        Claim(
            name="overlap",
            kind="limit",
            says="<u1, beta>^2 of the leading left singular vector",
            printed=OVERLAP,
            derived=OVERLAP,
            proof="derivations.ba2022.spike:overlap",
            route="theory.spike.route:overlap",
            observable="overlap",
            trend=SPIKE_TREND,
            expected=expected,
        ),
    )


ENTRIES = (
    Statement(
        key="ba2022.theorem-3",
        title="The spike of one gradient step",
        source="ba2022, Theorem 3",
        provenance="reported",
        hypotheses=HYPOTHESES,
        where={"printed": WITHOUT_NOISE, "derived": WITH_NOISE},
        claims=spike_claims("differs, as reported"),
        notes=(
            "The printed statement is reported to drop sigma_eps^2 from E y^2; its own proof is reported to carry it.",
            *ORIENTED,
        ),
        experiment=EXPERIMENT,
        sweep=("eta", "0", "5"),
    ),
    Statement(
        key="ba2022.theorem-3-bulk",
        title="The other singular values stay at the bulk edge",
        source="ba2022, Theorem 3",
        provenance="reported",
        claims=(
            Claim(
                name="second_singular_value",
                kind="limit",
                says="s_i(W1) for fixed i > 1",
                printed="1 + sqrt(psi2)",
                derived="1 + sqrt(psi2)",
                proof="derivations.ba2022.spike:bulk_edge",
                route="theory.marchenko_pastur.route:bulk_edge",
                observable="second_singular_value",
                trend=("2/3", "4/3"),
                expected="confirmed",
            ),
        ),
        experiment=Experiment(EXPERIMENT.observe, {**EXPERIMENT.setting, "sigma_eps": "0"}, EXPERIMENT.sizes, 8),
        sweep=("psi2", "1/10", "4"),
        notes=("At the edge of the bulk the approach is of order d^(-2/3) and the variance d^(-4/3) (Tracy-Widom scale).",),
    ),
    Statement(
        key="ba2022.spike-vectors",
        title="Singular vectors of the spike along the rank-one update",
        source="statements, section 2 (from the proof of Theorem 3)",
        provenance="derived",
        hypotheses=HYPOTHESES,
        where={"derived": {**WITH_NOISE, "theta1": THETA1}},
        claims=(
            Claim(
                name="left_overlap",
                kind="limit",
                says="<u1, u/|u|>^2 of the leading left singular vector, u = (eta mu1/n) X^T y",
                derived=f"Piecewise(((theta1**4 - psi2)/(theta1**2*(1 + theta1**2)), {OUTLIER}), (0, True))",
                proof="derivations.ba2022.spike:left_overlap",
                route="theory.spike.route:left_overlap",
                observable="left_overlap",
                trend=SPIKE_TREND,
            ),
            Claim(
                name="right_overlap",
                kind="limit",
                says="<v1, a/|a|>^2 of the leading right singular vector",
                derived=f"Piecewise(((theta1**4 - psi2)/(theta1**2*(psi2 + theta1**2)), {OUTLIER}), (0, True))",
                proof="derivations.ba2022.spike:right_overlap",
                route="theory.spike.route:right_overlap",
                observable="right_overlap",
                trend=SPIKE_TREND,
            ),
        ),
        notes=ORIENTED,
        experiment=EXPERIMENT,
        sweep=("eta", "0", "5"),
    ),
)
