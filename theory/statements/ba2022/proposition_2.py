"""Proposition 2 of ba2022: the first gradient is rank one up to a relative error of order log^2(n)/sqrt(n)."""

from theory.register.record import Claim, Experiment, Statement

ENTRIES = (
    Statement(
        key="ba2022.proposition-2",
        title="The first gradient is nearly rank one: G0 = A + B + C",
        source="ba2022, Proposition 2",
        provenance="read",
        hypotheses={"mu1 != 0": "mu1 > 0"},
        claims=(
            Claim(
                name="hadamard",
                kind="inequality",
                says="|(y a^T) o M| <= |y|_inf |a|_inf |M|, because the Hadamard product is diag(y) M diag(a); stated as the bound "
                "of |((y a^T) o M) v|^2",
                printed="(y_inf*a_inf*M_norm*v_norm)**2",
                derived="(y_inf*a_inf*M_norm*v_norm)**2",
                proof="derivations.ba2022.rank_one:hadamard",
                expected="confirmed",
            ),
            Claim(
                name="rank_one_norm",
                kind="limit",
                says="sqrt(N)|A|, where |A| = (mu1/(n sqrt N)) |X^T y| |a| (l2 norms)",
                derived="mu1*sqrt(mu1_star**2 + (mu1_star**2 + mu2_star**2 + sigma_eps**2)/psi1)",
                proof="derivations.ba2022.rank_one:rank_one_norm",
                route="theory.spike.route:rank_one_norm",
                observable="A*sqrt(N)",
            ),
            Claim(
                name="rate_B",
                kind="rate",
                says="|B|/|A| <= C log^2(n)/sqrt n",
                printed="-1/2",
                derived="-1/2",
                proof="derivations.ba2022.rank_one:rate_b",
                observable="B_over_A",
                logs=2,
                expected="confirmed",
            ),
            Claim(
                name="rate_C",
                kind="rate",
                says="|C|/|A| <= C log^2(n)/sqrt n",
                printed="-1/2",
                derived="-1/2",
                proof="derivations.ba2022.rank_one:rate_c",
                observable="C_over_A",
                logs=2,
                expected="confirmed",
            ),
        ),
        experiment=Experiment(
            observe="theory.spike.trial:split_observables",
            setting={"activation": "tanh", "teacher": "tanh", "eta": "1", "psi1": "2", "psi2": "1", "sigma_eps": "1/2"},
            sizes=(100, 200, 400, 800),
            draws=8,
            parts=True,
        ),
        notes=(
            "A rate is an upper bound up to logarithms: the fitted exponent must not lie above it.",
            "The submitted version prints W1 for W0 inside G0 (read: a misprint).",
        ),
    ),
)
