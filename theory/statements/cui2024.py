"""cui2024 and dandi2025: spiked random features, second-hand."""

from theory.register.record import Quantity, Reported

_SHEET = {
    "psi1": "1/2",
    "psi2": "1",
    "alpha0": "20",
    "etabar": "3",
    "lam": "1/5",
    "sigma_eps": "0",
    "activation": "tanh",
    "teacher": "sin",
}
_NOISY = {
    "psi1": "3/2",
    "psi2": "2",
    "alpha0": "inf",
    "etabar": "2",
    "lam": "1/20",
    "sigma_eps": "1/2",
    "activation": "erf",
    "teacher": "tanh(2*x)",
}

ENTRIES = (
    Quantity(
        key="cui2024.spiked-random-features",
        title="Risk of ridge regression on spiked random features, readout uniform, rows of W0 on the sphere",
        source="cui2024 (statements, section 5)",
        provenance="second-hand",
        parameters=("psi1", "psi2", "alpha0", "etabar", "lam", "sigma_eps", "activation", "teacher"),
        compute="theory.large_step.spiked_features:compute",
        route="theory.large_step.spiked_route:spiked_random_features",
        samples=(_SHEET, _NOISY, {**_SHEET, "psi1": "2", "alpha0": "1/2", "sigma_eps": "1/2"}),
        digits=10,
        reported_provenance="second-hand",
        reported=tuple(
            Reported({**_SHEET, "psi1": psi1, "lam": lam}, "risk", printed, "confirmed")
            for psi1, lam, printed in (("1/2", "1/5", ".0463"), ("3/2", "1/15", ".0379"), ("3", "1/30", ".0325"))
        ),
        notes=(
            "Its letters: alpha = psi1, p/d = psi2, eta = etabar, lambda = lam psi1/psi2 (ridge sum (y - f)^2 + lambda |a|^2).",
            "The second route is large-step.risk with H replaced by its mean and no fluctuation of a neuron's length; the "
            "activation of these equations need not be odd.",
            "As a statement about the step it is an approximation: at finite alpha0 the bulk is not isotropic, and at "
            "alpha0 = inf the length of a row is tied to its projection on beta by m3 = E sigma^(3); see large-step.risk.",
        ),
    ),
    Quantity(
        key="dandi2025.bounds",
        title="Risk after a large step at the best lambda, readout uniform: between two least-squares distances",
        source="dandi2025 (statements, section 5)",
        provenance="second-hand",
        parameters=("etabar", "activation", "teacher"),
        compute="theory.large_step.bounds:compute",
        route="theory.large_step.spiked_route:bounds",
        samples=tuple(
            {"etabar": etabar, "activation": activation, "teacher": teacher}
            for etabar, activation, teacher in (("3", "softplus", "softplus"), ("2", "erf", "tanh(2*x)"))
        ),
        digits=8,
        picture="theory.large_step.figure:draw_bounds",
        notes=(
            "inf_v E(sigma* - v A)^2 >= inf_lambda R >= inf_(v1,v2) E(sigma* - v1 A - v2 k B)^2, A = E sigma(kappa k + z), "
            "B = E sigma'(kappa k + z): lower holds for neurons that differ only by their projection on beta.",
            "A step makes their lengths differ too, by chance (rows Gaussian) and with their projections (m3 != 0): then "
            "lower_with_lengths, where D2 = E sigma''(kappa k + z) joins the fit, is the bound, and lower is none.",
            "The activation need not be odd.",
        ),
    ),
)
