"""moniri2024: a teacher without a linear part gains nothing from the step."""

from theory.register.record import Claim, Experiment, Statement
from theory.staircase.forms import NO_LINEAR_PART, SCRATCH


def _claims(name: str, words: str) -> tuple[Claim, Claim]:
    """What the step leaves as it is, by itself and over the same for labels of which the step cannot know."""
    ratio, control = f"{name}_after/{name}_before", f"control_{name}_before/control_{name}_after"
    says = f"{words} after the step over that before"
    proof = f"derivations.moniri2024.spikes:no_gain_in_{name}"
    # the features' bulk moves by n^(alpha - 1/2), and quadratic forms in it by the square of that
    plain = Claim(name, says, "1", "1", "confirmed", proof=proof, observable=ratio, trend=("21/50", "1"))
    other = f"{says}, over the same for labels along a direction orthogonal to beta"
    return plain, Claim(f"{name}_of_beta", other, "1", proof=proof, observable=f"{ratio}*{control}")


ENTRIES = (
    Statement(
        "moniri2024.information-exponent",
        "A teacher with c_{*,1} = 0 gains nothing from the step",
        "moniri2024",
        "reported",
        claims=(*_claims("loss", "training loss"), *_claims("risk", "test error")),
        experiment=Experiment(
            "theory.staircase.no_gain_trial:observe_exponent",
            NO_LINEAR_PART,
            sizes=(120, 200, 330, 540),
            draws=32,
            variants=({"teacher": "He3/sqrt(6)"}, {"alpha": "1/10"}),
            **SCRATCH,
        ),
        notes=("For any l and alpha < 1/2: every g_k = u_k^T R y carries cos(b, beta), whose limit is 0.",),
    ),
)
