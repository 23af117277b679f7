"""Algorithm 1 of damian2022: its first step in closed form, and the algorithm run as it is written."""

from theory.register.record import SAME, Claim, Experiment, Statement

ENTRIES = (
    Statement(
        "damian2022.algorithm-1",
        "Algorithm 1: one step with weight decay 1/eta1, fresh biases, a ridge head",
        "damian2022, Algorithm 1",
        "read",
        claims=(
            Claim(
                "initial",
                "what neuron m+1-j adds at initialisation, sigma_j = sigma(w_j.x) being what neuron j adds over a_j: f = 0",
                "-a_j*sigma_j",
                SAME,
                "confirmed",
                kind="identity",
                proof="derivations.damian2022.algorithm:initial",
            ),
            Claim(
                "first_step",
                "a component of w_j^(1) = w_j - eta1 (grad L + w_j/eta1), L = (1/n) sum (f - yhat)^2 without 1/2",
                "2*eta1*a_j*g_n",
                SAME,
                "confirmed",
                kind="identity",
                proof="derivations.damian2022.algorithm:first_step",
            ),
            Claim(
                "output_at_start",
                "the largest |f| at initialisation over the training points as matrix products give it, over what "
                "rounding is allowed, (sqrt m + sqrt d) 2^-53 (sum (|a_j| |w_j|.|x|)^2)^(1/2); summed without rounding it is 0 "
                "in every bit, or the run stops",
                "1",
                expected="open",
                kind="inequality",
                observable="output_error",
                seen="every draw",
            ),
            Claim(
                "step_rounding",
                "the step of the loss's own gradient against 2 eta1 a_j g_n(w_j): the largest difference over what "
                "rounding is allowed, 2^-53 (sqrt n |g_n| + 4 rms) on g_n, rms that of its terms, 8 2^-53 |w_j|, and what "
                "rounding leaves of f",
                "1",
                expected="open",
                kind="inequality",
                observable="step_error",
                seen="every draw",
            ),
            Claim(
                "trace_of_W0",
                "the step from weights r_j w_j, r_j uniform on [1/2, 2], against the step from w_j, over what rounding is "
                "allowed in both: no length of W0 is left, only the half-spaces w_j.x > 0",
                "1",
                expected="open",
                kind="inequality",
                observable="trace",
                seen="every draw",
            ),
            Claim(
                "risk",
                "test risk E (f - f*)^2 less the energy of f* in degrees 3 and above, which is 1/2 for He2/2 + "
                "He4/sqrt(48): below it, a direction has been learnt",
                "0",
                expected="open",
                kind="inequality",
                observable="risk - beyond",
                seen="largest size",
            ),
            Claim(
                "against_random_features",
                "its test risk less that of the same learner without its step, on the same samples",
                "0",
                expected="open",
                kind="inequality",
                observable="risk - random_features",
                seen="largest size",
            ),
        ),
        experiment=Experiment(
            "theory.hessian.step_trial:observe",
            setting={"teacher": "He2/2 + He4/sqrt(48)", "sigma_eps": "1", "eta": "1/2", "width": "100", "power": "3"},
            sizes=(8, 11, 15, 20),
            draws=8,
            from_scratch=True,
            n="d**power",
            N="width",
        ),
        notes=(
            "eta1 = eta sqrt(d): eta is C/iota^(3/2) of the source. n = d^power. The teacher is a polynomial link of one "
            "direction, with H not 0.",
            "What holds exactly is judged at the worst entry of every draw, in units of what rounding errors of independent "
            "signs add up to; risks by their mean at the largest size.",
            "The head's gradient descent with decay is run to its limit, ridge regression; lambda2 is chosen on a fifth of the "
            "samples, held out, and the head then fitted on all. Noise is +-sigma_eps. Risks are against the noiseless teacher.",
        ),
    ),
)
