"""moniri2024: what a step does not do, for a teacher without a linear part and for a constant learning rate."""

from theory.register.record import Claim, Experiment, Statement

_NO_LINEAR_PART = {
    "phi": "2/5",
    "psi": "7/10",
    "alpha": "29/100",
    "lam": "1/10",
    "sigma_eps": "1/2",
    "activation": "relu",
    "teacher": "He2/sqrt(2)",
}

ENTRIES = (
    Statement(
        key="moniri2024.information-exponent",
        title="A teacher with c_{*,1} = 0 gains nothing from the step",
        source="moniri2024",
        provenance="reported",
        claims=tuple(
            Claim(
                name=name + suffix,
                kind="limit",
                says=f"{words} after the step over that before" + more,
                printed=printed,
                derived="1",
                proof=f"derivations.moniri2024.spikes:no_gain_in_{name}",
                observable=f"{name}_after/{name}_before" + over.format(name=name),
                trend=(power, "1"),
                expected="confirmed" if printed else "derived",
            )
            for name, words in (("loss", "training loss"), ("risk", "test error"))
            for suffix, more, over, printed, power in (
                # the features' bulk moves by n^(alpha - 1/2), and quadratic forms in it by the square of that
                ("", "", "", "1", "21/50"),
                (
                    "_of_beta",
                    ", over the same for labels along a direction orthogonal to beta",
                    "*control_{name}_before/control_{name}_after",
                    None,
                    "1",
                ),
            )
        ),
        experiment=Experiment(
            observe="theory.staircase.no_gain_trial:observe_exponent",
            setting=_NO_LINEAR_PART,
            sizes=(120, 200, 330, 540),
            draws=32,
            variants=({"teacher": "He3/sqrt(6)"}, {"alpha": "1/10"}),
            from_scratch=True,
            n="d/phi",
            N="d/psi",
        ),
        notes=("For any l and alpha < 1/2: every g_k = u_k^T R y carries cos(b, beta), whose limit is 0.",),
    ),
    Statement(
        key="moniri2024.constant-step",
        title="A step with eta of order one learns the linear part only",
        source="moniri2024",
        provenance="reported",
        claims=(
            Claim(
                name="risk",
                kind="inequality",
                says="mu2*^2 over the test error after a step with eta of order one: no test of it is run, since what a step with "
                "eta = n^0.29 attains at these n is above mu2*^2 too; the next claim tells the two apart",
                printed="1",
                derived="1",
                proof="derivations.ba2022.linear_bound:equivalent_features",
                expected="confirmed",
            ),
            Claim(
                name="second",
                kind="rate",
                says="the square of E f(x) He_2(<x, beta>)/sqrt 2 after a step with eta of order one",
                derived="-1",
                proof="derivations.moniri2024.spikes:second_degree",
                observable="second**2",
                against="d",
            ),
            Claim(
                name="second_at_29",
                kind="inequality",
                says="1/20 over the same component (not squared) after a step with eta = n^0.29: it stays above 1/20",
                derived="1",
                observable="1/(20*second_large)",
                expected="open",
            ),
        ),
        experiment=Experiment(
            observe="theory.staircase.no_gain_trial:observe_constant",
            setting={**_NO_LINEAR_PART, "eta": "1", "teacher": "He1 + He2/sqrt(2)"},
            sizes=(120, 180, 270, 405),
            draws=24,
            from_scratch=True,
            n="d/phi",
            N="d/psi",
        ),
        notes=("The teacher's own component is sqrt(2) c_{*,2}, 1 here.",),
    ),
)
