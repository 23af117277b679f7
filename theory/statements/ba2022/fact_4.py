"""Fact 4 and Proposition 1 of ba2022: what neither kernels nor the features after a small step can learn."""

from theory.register.record import Claim, Experiment, Statement

# A teacher with much beyond its linear part, and enough data for the risks to come near the bound.
EXPERIMENT = Experiment(
    observe="theory.equivalence.kernels:kernel_observables",
    setting={"activation": "tanh", "teacher": "relu", "psi1": "6", "psi2": "3", "lam": "1/10", "eta": "2", "sigma_eps": "1/10"},
    sizes=(80, 120, 180, 270),
    draws=12,
    parameters=("lam",),
)


def _bound(name: str, says: str, proof: str) -> Claim:
    return Claim(
        name=name,
        kind="inequality",
        says=f"mu2*^2 over the risk {says}",
        printed="1",
        derived="1",
        proof=f"derivations.ba2022.linear_bound:{proof}",
        observable=f"mu2_star**2/{name}",
        expected="confirmed",
    )


ENTRIES = (
    Statement(
        "ba2022.fact-4",
        "A small step does not beat the kernel bound",
        "ba2022, Fact 4",
        "read",
        claims=(_bound("step", "of ridge regression on the features after a small step", "equivalent_features"),),
        experiment=EXPERIMENT,
        notes=(
            "mu2*^2 = |P_{>1} f*|^2. At finite d the risk may be less by what n samples teach of the second degree, of order 1/d.",
        ),
    ),
    Statement(
        "ba2022.proposition-1",
        "The kernel lower bound",
        "ba2022, Proposition 1",
        "read",
        claims=(
            _bound("conjugate", "with the conjugate kernel of N random neurons", "kernels"),
            _bound("tangent", "with the neural tangent kernel of N random neurons", "kernels"),
            _bound("inner_product", "with the rotation-invariant kernel exp(<x, x'>/d)", "kernels"),
        ),
        experiment=EXPERIMENT,
        notes=("|P_{>1} f*|^2 is mu2*^2 for a single-index teacher.",),
    ),
)
