"""moniri2024: one spike a degree in the features after a step with eta = n^alpha."""

from theory.register.record import Claim, Experiment, Statement
from theory.staircase.forms import TEACHER

_RESIDUAL = "(mu1_star**2 + mu2_star**2 + sigma_eps**2 + mu1**2 + mu2**2)"
_ALPHAS = (("10", "1/10", 1, "-3/10"), ("29", "29/100", 2, "-13/100"), ("36", "9/25", 3, "-3/50"), ("39", "39/100", 4, "-1/20"))

ENTRIES = (
    Statement(
        key="moniri2024.spikes",
        title="One step with eta = n^alpha: which spikes outgrow the bulk of the features",
        source="moniri2024",
        provenance="reported",
        claims=(
            Claim(
                name="outgrows",
                kind="identity",
                says="the l-th spike, c_k eta^k h_k(X b) (a^{ok})^T at k = l, outgrows the bulk",
                printed="alpha > (ell - 1)/(2*ell)",
                derived="alpha > (ell - 1)/(2*ell)",
                proof="derivations.moniri2024.spikes:outgrows",
                expected="confirmed",
            ),
            Claim(
                name="stays",
                kind="identity",
                says="the next spike stays below the bulk",
                printed="alpha < ell/(2*ell + 2)",
                derived="alpha < ell/(2*ell + 2)",
                proof="derivations.moniri2024.spikes:stays",
                expected="confirmed",
            ),
            Claim(
                name="next_dominates",
                kind="identity",
                says="what is left, over sqrt n, is of the order n^((l+1) alpha - l/2) of the next spike, and not n^(alpha - 1/2)",
                derived="alpha > (ell - 1)/(2*ell)",
                proof="derivations.moniri2024.spikes:next_dominates",
            ),
            Claim(
                name="cosine",
                kind="limit",
                says="cos^2 of beta and the gradient's direction b = X^T (y - f0)/n; that of X^T y/n, which the source takes, is "
                "c_{*,1}^2/(c_{*,1}^2 + phi E y^2)",
                derived=f"mu1_star**2/(mu1_star**2 + mu1**2 + phi*{_RESIDUAL})",
                proof="derivations.moniri2024.direction:cosine",
                observable="cosine_squared",
            ),
            Claim(
                name="length",
                kind="limit",
                says="squared length of the common direction b",
                derived=f"mu1_star**2 + mu1**2 + phi*{_RESIDUAL}",
                proof="derivations.moniri2024.direction:length",
                observable="length_squared",
            ),
            Claim(
                name="own",
                kind="limit",
                says="|q_j|^2, which adds to every even spike a constant: h_2(p) = c_1^2 p^2 + |q_j|^2; (X~ beta_hat)^{o2} has "
                "none",
                derived=f"phi*{_RESIDUAL}*(slope_energy - mu1**2)",
                proof="derivations.moniri2024.direction:own",
                observable="own_squared",
            ),
            Claim(
                name="error",
                kind="rate",
                says="|G - c_1 a b^T| <= C log^2(n)/sqrt n",
                derived="-1/2",
                proof="derivations.moniri2024.direction:error",
                observable="error",
                logs=2,
            ),
            Claim(
                name="error_reported",
                kind="rate",
                says="|G - c_1 a (X^T y/n)^T|: it does not vanish, f0 = a^T sigma(W0 x) being of the labels' order",
                derived="0",
                proof="derivations.moniri2024.direction:labels_direction",
                observable="error_reported",
            ),
            *(
                Claim(
                    name=f"remainder_{name}",
                    kind="rate",
                    says=f"|F - F0 - the {ell} spikes with b and q_j|/sqrt n at alpha = {alpha}: n^((l+1) alpha - l/2)",
                    derived=exponent,
                    proof=("derivations.moniri2024.spikes:remainder", {"level": ell, "alpha": alpha}),
                    observable=f"remainder_{name}",
                )
                for name, alpha, ell, exponent in _ALPHAS
            ),
            *(
                Claim(
                    name=f"reported_{name}",
                    kind="rate",
                    says=f"|F - F0 - sum_(k <= {ell}) c_1^k c_k eta^k (X beta_hat)^ok (a^ok)^T|/sqrt n at alpha = "
                    f"{alpha}; the source: o(1)",
                    printed="0",
                    derived=alpha,
                    proof=("derivations.moniri2024.spikes:reported", {"alpha": alpha}),
                    observable=f"reported_{name}",
                    expected="differs, as reported",
                )
                for name, alpha, ell, _ in _ALPHAS
            ),
            Claim(
                name="boundary",
                kind="identity",
                says="at alpha = l/(2l+2) the exponent of the next spike vanishes: the source leaves the case "
                "open; here its finite "
                "strength decides (moniri2024.outliers), for which no theorem is claimed",
                derived="ell/2 - (ell + 1)*ell/(2*ell + 2)",
                expected="open",
            ),
        ),
        experiment=Experiment(
            observe="theory.staircase.spikes_trial:observe",
            setting={
                "phi": "2/5",
                "psi": "7/10",
                "sigma_eps": "1/2",
                "activation": "softplus",
                "teacher": TEACHER,
            },
            sizes=(150, 250, 400, 640),
            draws=24,
            from_scratch=True,
            n="d/phi",
            N="d/psi",
        ),
        notes=(
            "The source's text was not seen. Its setup as reported has a_j ~ N(0, 1/N) and f = a^T sigma(W x) without a further "
            "N^(-1/2): then f0 is of order one, and the gradient points along X^T (y - f0)/n. With a small f0 (a factor "
            "N^(-1/2), or neurons in pairs of opposite sign) b is X^T y/n; the constants |q_j|^2 remain.",
            "c_k = 0 takes the k-th spike away: relu and softplus have none of degree 3.",
            "At alpha .36 and .39 relu's series in eta a_j is not yet one of falling terms at n = 2000: the "
            "remainder still grows there.",
        ),
    ),
)
