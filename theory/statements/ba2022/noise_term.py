"""The second moment of the first gradient: where the noise term of Theorem 3 comes from."""

from theory.register.record import Claim, Experiment, Statement

ENTRIES = (
    Statement(
        key="ba2022.noise-term",
        title="Second moment of the first gradient X^T y / n",
        source="statements, section 2 (under Theorem 3)",
        provenance="derived",
        claims=(
            Claim(
                name="projection",
                kind="limit",
                says="<X^T y/n, beta> -> mu1*",
                derived="mu1_star",
                proof="derivations.ba2022.noise_term:projection",
                route="theory.spike.route:projection",
                observable="projection",
            ),
            Claim(
                name="second_moment",
                kind="limit",
                says="|X^T y/n|^2 -> mu1*^2 + (|f*|^2 + sigma_eps^2)/psi1; exactly "
                "(1 - 1/n)|E y x|^2 + (1/n) E y^2 |x|^2 at finite n and d",
                derived="mu1_star**2 + (mu1_star**2 + mu2_star**2 + sigma_eps**2)/psi1",
                proof="derivations.ba2022.noise_term:limit",
                route="theory.spike.route:second_moment",
                observable="gradient_direction_squared",
            ),
        ),
        experiment=Experiment(
            observe="theory.spike.trial:spike_observables",
            setting={"activation": "erf", "teacher": "tanh", "eta": "3", "psi1": "2", "psi2": "1", "sigma_eps": "3/2"},
            sizes=(200, 300, 450, 675),
            draws=16,
        ),
        sweep=("sigma_eps", "0", "2"),
    ),
)
