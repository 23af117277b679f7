"""Proposition 2 of ba2022: the first gradient is rank one up to a relative error of order log^2(n)/sqrt(n)."""

from theory.register.record import SAME, Claim, Experiment, Statement

ENTRIES = (
    Statement(
        "ba2022.proposition-2",
        "The first gradient is nearly rank one: G0 = A + B + C",
        "ba2022, Proposition 2",
        "read",
        hypotheses={"mu1 != 0": "mu1 > 0"},
        claims=(
            Claim(
                "hadamard",
                "|(y a^T) o M| <= |y|_inf |a|_inf |M|, because the Hadamard product is diag(y) M diag(a); stated as the bound "
                "of |((y a^T) o M) v|^2",
                "(y_inf*a_inf*M_norm*v_norm)**2",
                SAME,
                "confirmed",
                kind="inequality",
            ),
            Claim(
                "rank_one_norm",
                "sqrt(N)|A|, where |A| = (mu1/(n sqrt N)) |X^T y| |a| (l2 norms)",
                "mu1*sqrt(mu1_star**2 + (mu1_star**2 + mu2_star**2 + sigma_eps**2)/psi1)",
                route="theory.spike.route:rank_one_norm",
                observable="A*sqrt(N)",
            ),
            Claim(
                "rate_B",
                "|B|/|A| <= C log^2(n)/sqrt n",
                "-1/2",
                SAME,
                "confirmed",
                kind="rate",
                proof="derivations.ba2022.rank_one:rate_b",
                observable="B_over_A",
                logs=2,
            ),
            Claim(
                "rate_C",
                "|C|/|A| <= C log^2(n)/sqrt n",
                "-1/2",
                SAME,
                "confirmed",
                kind="rate",
                proof="derivations.ba2022.rank_one:rate_c",
                observable="C_over_A",
                logs=2,
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
        chapter="derivations.ba2022.rank_one",
    ),
)
