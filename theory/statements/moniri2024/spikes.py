"""moniri2024: one spike a degree in the features after a step with eta = n^alpha."""

from theory.register.record import NONE, SAME, Claim, Experiment, Statement
from theory.staircase.forms import SCRATCH, TEACHER

_SPIKES = "derivations.moniri2024.spikes"
_RESIDUAL = "(mu1_star**2 + mu2_star**2 + sigma_eps**2 + mu1**2 + mu2**2)"
_LENGTH = f"mu1_star**2 + mu1**2 + phi*{_RESIDUAL}"
_OWN = f"phi*{_RESIDUAL}*(slope_energy - mu1**2)"
_ALPHAS = {"10": ("1/10", 1, "-3/10"), "29": ("29/100", 2, "-13/100"), "36": ("9/25", 3, "-3/50"), "39": ("39/100", 4, "-1/20")}


def _identity(name: str, says: str, derived: str, printed: str | None = None) -> Claim:
    expected = "confirmed" if printed else "derived"
    return Claim(name, says, derived, printed, expected, kind="identity", proof=f"{_SPIKES}:{name}")


def _remainder(name: str, alpha: str, ell: int, exponent: str) -> Claim:
    says = f"|F - F0 - the {ell} spikes with b and q_j|/sqrt n at alpha = {alpha}: n^((l+1) alpha - l/2)"
    return Claim(f"remainder_{name}", says, exponent, kind="rate", proof=(f"{_SPIKES}:remainder", {"level": ell, "alpha": alpha}))


def _reported(name: str, alpha: str, ell: int) -> Claim:
    says = f"|F - F0 - sum_(k <= {ell}) c_1^k c_k eta^k (X beta_hat)^ok (a^ok)^T|/sqrt n at alpha = {alpha}; the source: o(1)"
    proof = (f"{_SPIKES}:reported", {"alpha": alpha})
    return Claim(f"reported_{name}", says, alpha, "0", "differs, as reported", kind="rate", proof=proof)


ENTRIES = (
    Statement(
        "moniri2024.spikes",
        "One step with eta = n^alpha: which spikes outgrow the bulk of the features",
        "moniri2024",
        "reported",
        claims=(
            _identity(
                "outgrows",
                "the l-th spike, c_k eta^k h_k(X b) (a^{ok})^T at k = l, outgrows the bulk",
                "alpha > (ell - 1)/(2*ell)",
                SAME,
            ),
            _identity("stays", "the next spike stays below the bulk", "alpha < ell/(2*ell + 2)", SAME),
            _identity(
                "next_dominates",
                "what is left, over sqrt n, is of the order n^((l+1) alpha - l/2) of the next spike, and not n^(alpha - 1/2)",
                "alpha > (ell - 1)/(2*ell)",
            ),
            Claim(
                "cosine",
                "cos^2 of beta and the gradient's direction b = X^T (y - f0)/n; that of X^T y/n, which the source takes, is "
                "c_{*,1}^2/(c_{*,1}^2 + phi E y^2)",
                f"mu1_star**2/({_LENGTH})",
                observable="cosine_squared",
            ),
            Claim("length", "squared length of the common direction b", _LENGTH, observable="length_squared"),
            Claim(
                "own",
                "|q_j|^2, which adds to every even spike a constant: h_2(p) = c_1^2 p^2 + |q_j|^2; (X~ beta_hat)^{o2} has none",
                _OWN,
                observable="own_squared",
            ),
            Claim("error", "|G - c_1 a b^T| <= C log^2(n)/sqrt n", "-1/2", kind="rate", logs=2),
            Claim(
                "error_reported",
                "|G - c_1 a (X^T y/n)^T|: it does not vanish, f0 = a^T sigma(W0 x) being of the labels' order",
                "0",
                kind="rate",
                proof="derivations.moniri2024.direction:labels_direction",
            ),
            *(_remainder(name, *numbers) for name, numbers in _ALPHAS.items()),
            *(_reported(name, alpha, ell) for name, (alpha, ell, _) in _ALPHAS.items()),
            Claim(
                "boundary",
                "at alpha = l/(2l+2) the exponent of the next spike vanishes: the source leaves the case open; here its finite "
                "strength decides (moniri2024.outliers), for which no theorem is claimed",
                "ell/2 - (ell + 1)*ell/(2*ell + 2)",
                expected="open",
                kind="identity",
                proof=NONE,
            ),
        ),
        experiment=Experiment(
            "theory.staircase.spikes_trial:observe",
            {"phi": "2/5", "psi": "7/10", "sigma_eps": "1/2", "activation": "softplus", "teacher": TEACHER},
            sizes=(150, 250, 400, 640),
            draws=24,
            measures=("error", "error_reported", *(f"{what}_{name}" for what in ("remainder", "reported") for name in _ALPHAS)),
            **SCRATCH,
        ),
        notes=(
            "The source's text was not seen. Its setup as reported has a_j ~ N(0, 1/N) and f = a^T sigma(W x) without a further "
            "N^(-1/2): then f0 is of order one, and the gradient points along X^T (y - f0)/n. With a small f0 (a factor "
            "N^(-1/2), or neurons in pairs of opposite sign) b is X^T y/n; the constants |q_j|^2 remain.",
            "c_k = 0 takes the k-th spike away: relu and softplus have none of degree 3.",
            "At alpha .36 and .39 relu's series in eta a_j is not yet one of falling terms at n = 2000: the "
            "remainder still grows there.",
        ),
        chapter="derivations.moniri2024.direction",
    ),
)
