"""Beyond the paper: the best ridge penalty before a small step and after it."""

from theory.register.record import Quantity

ENTRIES = (
    Quantity(
        key="ba2022.best-ridge",
        title="The best lambda for R0 and for R1, and the gain of a small step at each",
        source="statements, section 2",
        parameters=("psi1", "psi2", "eta", "sigma_eps"),
        optional=("activation", "teacher", "mu1", "mu2", "mu1_star", "mu2_star"),
        compute="theory.risk.best_ridge:best_ridge",
        route="theory.risk.limits_route:best_ridge",
        samples=(
            {
                "psi1": "2",
                "psi2": "3/2",
                "eta": "2",
                "sigma_eps": "1/2",
                "mu1": "3/5",
                "mu2": "3/10",
                "mu1_star": "9/10",
                "mu2_star": "1/5",
            },
        ),
    ),
)
