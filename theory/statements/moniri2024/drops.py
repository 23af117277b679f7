"""moniri2024: the drops of the training loss and of the test error in closed form."""

from theory.register.record import Claim, Statement
from theory.risk.forms import BIAS, DF2, OMEGA, VARIANCE
from theory.spike.forms import HYPOTHESES
from theory.staircase.forms import ERROR_DROPS, FREE, LOSS_DROPS, PRINTED, TRACES


def _claims(letter: str, chapter: str, says: str, drops: dict[int, str], printed: dict[int, str]) -> tuple[Claim, ...]:
    return tuple(
        Claim(
            name=f"{letter}_{ell}",
            kind="limit",
            says=says.format(ell=ell),
            printed=printed.get(ell),
            derived=derived,
            proof=(f"derivations.moniri2024.drops:{chapter}", {"ell": ell}),
            route=("theory.staircase.drops_route:drop", {"of": letter.lower(), "ell": ell}),
            models=2,
            expected="confirmed" if ell in printed else "derived",
        )
        for ell, derived in drops.items()
    )


ENTRIES = (
    Statement(
        key="moniri2024.drops",
        title="The drops of the training loss and of the test error in closed form",
        source="moniri2024 (Delta_1 reported, Delta_2 recalled; the rest is not printed or was not seen)",
        provenance="reported",
        hypotheses={**HYPOTHESES, "the activation's c_k != 0 for k <= 4": "Abs(c2*c3*c4) > 0"},
        where={
            "printed": TRACES,
            "derived": {**TRACES, **FREE, "df2": DF2, "bias": BIAS, "variance": VARIANCE},
        },
        bindings={"omega": OMEGA},
        claims=(
            *_claims("Delta", "delta", "drop of the training loss with {ell} spikes", LOSS_DROPS, PRINTED),
            *_claims("Lambda", "lambda_", "drop of the test error with {ell} spikes", ERROR_DROPS, {}),
        ),
        sweep=("psi1", "1/10", "4"),
        notes=(
            "psi1 = 1/phi, psi2 = 1/psi, mu1 = c_1, mu2 = c_{>1}, mu1_star = c_{*,1}; lambda is the source's. The teacher is "
            "centred.",
            "Delta_ell and Lambda_ell need c_k != 0 for k <= ell alone; moniri2024.training-loss leaves out what is absent.",
        ),
    ),
)
