"""The spike of one gradient step as data: its closed forms, its trial, and what statements about a step have in common.

theta1 is the limit of |u|, u = (eta mu1/n) X^T y, theta2 that of <u, beta>, mubar^2 = E y^2. Source: statements.md, section 2
(``ba2022``, Theorem 3); derived in ``derivations.ba2022.noise_term`` and ``derivations.ba2022.spike``.
"""

from __future__ import annotations

from theory.register.formulas import Formulas
from theory.register.record import Claim, Experiment

THETA1 = "eta*mu1*sqrt(mubar**2/psi1 + mu1_star**2)"
THETA2 = "eta*mu1*mu1_star"
OUTLIER = "theta1 > psi2**(1/4)"
BULK_EDGE = "1 + sqrt(psi2)"


def beyond(value: str, bulk: str) -> str:
    """``value`` where there is an outlier, ``bulk`` where there is none."""
    return f"Piecewise(({value}, {OUTLIER}), ({bulk}, True))"


SINGULAR_VALUE = beyond("sqrt((1 + theta1**2)*(psi2 + theta1**2))/theta1", BULK_EDGE)
OVERLAP = beyond("theta2**2/theta1**2*(1 - (psi2 + theta1**2)/(theta1**2*(theta1**2 + 1)))", "0")
LEFT_OVERLAP = beyond("(theta1**4 - psi2)/(theta1**2*(1 + theta1**2))", "0")
RIGHT_OVERLAP = beyond("(theta1**4 - psi2)/(theta1**2*(psi2 + theta1**2))", "0")

WITH_NOISE = {"mubar": "sqrt(mu1_star**2 + mu2_star**2 + sigma_eps**2)"}
WITHOUT_NOISE = {"mubar": "sqrt(mu1_star**2 + mu2_star**2)"}
SPIKE = Formulas(
    forms={
        "theta1": THETA1,
        "theta2": THETA2,
        "outlier": OUTLIER,
        "singular_value": SINGULAR_VALUE,
        "overlap": OVERLAP,
        "left_overlap": LEFT_OVERLAP,
        "right_overlap": RIGHT_OVERLAP,
    },
    where=WITH_NOISE,
)

HYPOTHESES = {"mu1 != 0": "mu1 > 0"}  # oriented: the model turns sigma round so that mu1 >= 0
ORIENTED = ("mu1 >= 0 is no restriction: (sigma, a) -> (-sigma, -a) leaves the step as it is.",)
# The point at which the sheet tells the two forms of mubar apart.
TRIAL = Experiment(
    observe="theory.spike.trial:spike_observables",
    setting={"activation": "erf", "teacher": "tanh", "eta": "3", "psi1": "2", "psi2": "1", "sigma_eps": "3/2"},
    sizes=(200, 300, 450, 675),
    draws=16,
)
# The network's own output (the part C of the gradient) adds about -(eta mu1^2/sqrt N) W0 a a^T to the step: along W0 a, so
# that what depends on the spike moves in first order, by d^(-1/2) and not by 1/d.
SPIKE_TREND = ("1/2", "1")


def lengths(expected: str, observed: bool = True) -> tuple[Claim, ...]:
    """The claims theta1, with the verdict ``expected``, and theta2; ``observed``: where the step itself is what is simulated."""
    return (
        Claim(
            name="theta1",
            kind="limit",
            says="theta1, the limit of |u|, u = (eta mu1/n) X^T y",
            printed=THETA1,
            derived=THETA1,
            proof="derivations.ba2022.noise_term:theta1",
            route="theory.spike.route:theta1",
            observable="eta*mu1*sqrt(gradient_direction_squared)" if observed else None,
            expected=expected,
        ),
        Claim(
            name="theta2",
            kind="limit",
            says="theta2, the limit of <u, beta>",
            printed=THETA2,
            derived=THETA2,
            proof="derivations.ba2022.noise_term:theta2",
            route="theory.spike.route:theta2",
            observable="eta*mu1*projection" if observed else None,
            expected="confirmed",
        ),
    )


def spike_claims(expected: str) -> tuple[Claim, ...]:
    """The claims of the spike theorem; ``expected`` is the verdict of those that depend on theta1."""
    return (
        *lengths(expected),
        Claim(
            name="outlier",
            kind="threshold",
            says="an outlier iff theta1 > psi2^(1/4)",
            printed=OUTLIER,
            derived=OUTLIER,
            proof="derivations.ba2022.spike:outlier",
            route="theory.spike.route:outlier",
            expected=expected,
        ),
        Claim(
            name="singular_value",
            kind="limit",
            says="s1(W1)",
            printed=SINGULAR_VALUE,
            derived=SINGULAR_VALUE,
            proof="derivations.ba2022.spike:singular_value",
            route="theory.spike.route:singular_value",
            observable="singular_value",
            trend=SPIKE_TREND,
            expected=expected,
        ),
        Claim(
            name="overlap",
            kind="limit",
            says="<u1, beta>^2 of the leading left singular vector",
            printed=OVERLAP,
            derived=OVERLAP,
            proof="derivations.ba2022.spike:overlap",
            route="theory.spike.route:overlap",
            observable="overlap",
            trend=SPIKE_TREND,
            expected=expected,
        ),
    )
