"""Limits of the risk and of the gain of a small step: psi1, psi2 -> infinity, lambda -> 0 and infinity."""

from theory.register.record import Claim, Statement
from theory.risk.forms import (
    BIAS,
    DELTA,
    DF2,
    FULL_RANK,
    POPULATION,
    R0,
    SPECTRAL,
    VARIANCE,
    ZERO_RIDGE,
    gain_at,
)
from theory.statements.ba2022.theorem_3 import HYPOTHESES, ORIENTED, THETA1, THETA2, WITH_NOISE

# the second routes extrapolate the pencils' risks, at some seconds a model
LIMIT_DIGITS, LIMIT_MODELS = 10, 2
SMALL_STEP = {**WITH_NOISE, "theta1": THETA1, "theta2": THETA2}
_KERNEL_LINEAR = "((psi1 - 1)*mu1**2 + mu2**2)"
# the positive root of mu1^2 p^2 + ((psi1 - 1) mu1^2 + mu2^2) p - mu2^2, that is of df1 = 1 at infinite width
KERNEL_P = f"2*mu2**2/({_KERNEL_LINEAR} + sqrt({_KERNEL_LINEAR}**2 + 4*mu1**2*mu2**2))"

ENTRIES = (
    Statement(
        key="ba2022.theorem-31",
        title="The gain with infinitely many samples",
        source="ba2022, Theorem 31",
        provenance="reported",
        hypotheses=HYPOTHESES,
        where={"derived": {"omega": POPULATION, **SPECTRAL, "theta2": THETA2}},
        claims=(
            Claim(
                name="R0_population",
                kind="limit",
                says="lim R0 as psi1 -> infinity: s = lambda, df2 = 0",
                derived="mu1_star**2*(a2 + r*p*(1 + a1)/q) + mu2_star**2",
                proof="derivations.ba2022.risk_limits:population_risk",
                route="theory.risk.limits_route:population_risk",
                digits=LIMIT_DIGITS,
                models=LIMIT_MODELS,
            ),
            Claim(
                name="delta_population",
                kind="limit",
                says="lim delta as psi1 -> infinity: theta1 = theta2 too; it increases in eta, as delta does at every psi1",
                derived=f"mu1_star**2*theta2**2*a1*{gain_at('theta2')}",
                proof="derivations.ba2022.risk_limits:population_gain",
                route="theory.risk.limits_route:population_gain",
                digits=LIMIT_DIGITS,
                models=LIMIT_MODELS,
            ),
        ),
        sweep=("eta", "0", "5"),
        notes=ORIENTED,
    ),
    Statement(
        key="ba2022.proposition-9",
        title="The gain at infinite width vanishes like 1/psi2",
        source="ba2022, Proposition 9",
        provenance="reported",
        hypotheses={**HYPOTHESES, "mu2 != 0": "mu2 > 0"},
        where={"derived": {"p": KERNEL_P, "theta2": THETA2}},
        claims=(
            Claim(
                name="gain_constant",
                kind="limit",
                says="lim psi2 delta as psi2 -> infinity",
                derived="2*psi1*mu1_star**2*theta2**2*mu1**2*p**3/(mu1**2*p**2 + mu2**2)",
                proof="derivations.ba2022.risk_limits:wide",
                route="theory.risk.limits_route:wide",
                digits=LIMIT_DIGITS,
                models=LIMIT_MODELS,
            ),
        ),
        sweep=("psi1", "1/10", "4"),
        notes=(
            "Reported: delta = O(1/psi2). lambda does not enter: the penalty (n lambda/N)|a|^2 vanishes against the kernel.",
            "theta1, and with it the label noise, does not enter the leading constant.",
            *ORIENTED,
        ),
    ),
    Statement(
        key="ba2022.ridgeless",
        title="The limit lambda -> 0: the ridgeless risk",
        source="statements, section 2",
        provenance="derived",
        hypotheses={**HYPOTHESES, "psi1 != psi2": "Abs(psi1 - psi2) > 0"},
        where={"derived": {**SMALL_STEP, "omega": f"Max({ZERO_RIDGE}, {FULL_RANK})", **SPECTRAL, "df2": DF2}},
        claims=(
            Claim(
                name="bias",
                kind="limit",
                says="lim of the bias as lambda -> 0",
                derived=BIAS,
                proof="derivations.ba2022.risk_limits:ridgeless_bias",
                route="theory.risk.limits_route:ridgeless_bias",
                digits=LIMIT_DIGITS,
                models=LIMIT_MODELS,
            ),
            Claim(
                name="variance",
                kind="limit",
                says="lim of the variance as lambda -> 0",
                derived=VARIANCE,
                proof="derivations.ba2022.risk_limits:ridgeless_variance",
                route="theory.risk.limits_route:ridgeless_variance",
                digits=LIMIT_DIGITS,
                models=LIMIT_MODELS,
            ),
            Claim(
                name="R0",
                kind="limit",
                says="lim of R0 as lambda -> 0",
                derived=R0,
                proof="derivations.ba2022.risk_limits:ridgeless_risk",
                route="theory.risk.limits_route:ridgeless_risk",
                digits=LIMIT_DIGITS,
                models=LIMIT_MODELS,
            ),
            Claim(
                name="delta",
                kind="limit",
                says="lim of delta as lambda -> 0",
                derived=DELTA,
                proof="derivations.ba2022.risk_limits:ridgeless_gain",
                route="theory.risk.limits_route:ridgeless_gain",
                digits=LIMIT_DIGITS,
                models=LIMIT_MODELS,
            ),
        ),
        sweep=("psi2", "1/10", "4"),
        notes=("At psi1 = psi2 the limits are infinite: see ba2022.ridgeless-peak.", *ORIENTED),
    ),
    Statement(
        key="ba2022.ridgeless-peak",
        title="The peak of the ridgeless risk at psi1 = psi2",
        source="statements, section 2",
        provenance="derived",
        hypotheses={**HYPOTHESES, "mu2 != 0": "mu2 > 0"},
        where={"derived": {"omega": ZERO_RIDGE, **SPECTRAL}},
        claims=(
            Claim(
                name="peak_constant",
                kind="limit",
                says="lim sqrt(lambda) R0 as lambda -> 0 at psi1 = psi2",
                derived="sqrt(omega*p)/2*(mu1_star**2*a2 + mu2_star**2 + sigma_eps**2)",
                proof="derivations.ba2022.risk_limits:peak",
                route="theory.risk.limits_route:peak",
                digits=LIMIT_DIGITS,
                models=LIMIT_MODELS,
            ),
        ),
        sweep=("psi2", "1/10", "4"),
    ),
    Statement(
        key="ba2022.large-ridge",
        title="The limit lambda -> infinity: nothing is learned",
        source="statements, section 2",
        provenance="derived",
        hypotheses=HYPOTHESES,
        where={"derived": {"theta2": THETA2}},
        claims=(
            Claim(
                name="R0_null",
                kind="limit",
                says="lim R0 as lambda -> infinity",
                derived="mu1_star**2 + mu2_star**2",
                proof="derivations.ba2022.risk_limits:null_risk",
                route="theory.risk.limits_route:null_risk",
                digits=LIMIT_DIGITS,
                models=LIMIT_MODELS,
            ),
            Claim(
                name="gain_decay",
                kind="limit",
                says="lim lambda delta as lambda -> infinity",
                derived="2*mu1**2*mu1_star**2*theta2**2",
                proof="derivations.ba2022.risk_limits:null_gain",
                route="theory.risk.limits_route:null_gain",
                digits=LIMIT_DIGITS,
                models=LIMIT_MODELS,
            ),
        ),
        sweep=("eta", "0", "5"),
        notes=ORIENTED,
    ),
)
