"""What preprocessing does to the first gradient, section 5.1 of damian2022."""

from theory.register.record import Claim, Experiment, Statement

ENTRIES = (
    Statement(
        "damian2022.preprocessing",
        "Without preprocessing C_1/2 moves all neurons one way",
        "damian2022, Algorithm 1 and section 5.1",
        "read",
        claims=(
            Claim(
                "aligned",
                "mean cosine between a_i w_i^(1) and a_j w_j^(1) without preprocessing, |C_1| = mu1*, C_0 = c0*",
                "mu1_star**2/(mu1_star**2 + 2*c0_star**2/pi)",
                observable="raw",
            ),
            Claim(
                "spread", "1 - the mean cosine with preprocessing: H w is odd in w", "1", observable="1 - clean", trend=("1/2", "1")
            ),
        ),
        experiment=Experiment(
            observe="theory.hessian.gradient_trial:observe_cosine",
            setting={"mu1_star": "1", "c0_star": "1/2"},
            sizes=(16, 24, 36, 54),
            draws=12,
            from_scratch=True,
            n="4*d**2*sqrt(d)",
            N="100",
        ),
        notes=(
            "The empirical mean y x leaves (I - X^T X/n) b/2 in every neuron, of order |b| sqrt(d/n): it is below "
            "the signal d^-1/2 only where n is large beside d^2, so the experiment takes n of order d^{5/2}.",
        ),
        chapter="derivations.damian2022.gradient",
    ),
)
