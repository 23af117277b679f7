"""Algorithm 1 of damian2022: its first step in closed form, and the algorithm run as it is written."""

from theory.register.record import Claim, Experiment, Statement

ENTRIES = (
    Statement(
        key="damian2022.algorithm-1",
        title="Algorithm 1: one step with weight decay 1/eta1, fresh biases, a ridge head",
        source="damian2022, Algorithm 1",
        provenance="read",
        claims=(
            Claim(
                name="initial",
                kind="identity",
                says="what neuron m+1-j adds at initialisation, sigma_j = sigma(w_j.x) being what neuron j adds over a_j: f = 0",
                printed="-a_j*sigma_j",
                derived="-a_j*sigma_j",
                proof="derivations.damian2022.algorithm:pair",
                expected="confirmed",
            ),
            Claim(
                name="first_step",
                kind="identity",
                says="a component of w_j^(1) = w_j - eta1 (grad L + w_j/eta1), L = (1/n) sum (f - yhat)^2 without 1/2",
                printed="2*eta1*a_j*g_n",
                derived="2*eta1*a_j*g_n",
                proof="derivations.damian2022.algorithm:first_step",
                expected="confirmed",
            ),
            Claim(
                name="output_at_start",
                kind="inequality",
                says="the largest |f| at initialisation over the training points as matrix products give it, over what "
                "rounding is allowed, (sqrt m + sqrt d) 2^-53 (sum (|a_j| |w_j|.|x|)^2)^(1/2); summed without rounding it is 0 "
                "in every bit, or the run stops",
                derived="1",
                observable="output_error",
                seen="every draw",
                expected="open",
            ),
            Claim(
                name="step_rounding",
                kind="inequality",
                says="the step of the loss's own gradient against 2 eta1 a_j g_n(w_j): the largest difference over what "
                "rounding is allowed, 2^-53 (sqrt n |g_n| + 4 rms) on g_n, rms that of its terms, 8 2^-53 |w_j|, and what "
                "rounding leaves of f",
                derived="1",
                observable="step_error",
                seen="every draw",
                expected="open",
            ),
            Claim(
                name="trace_of_W0",
                kind="inequality",
                says="the step from weights r_j w_j, r_j uniform on [1/2, 2], against the step from w_j, over what rounding is "
                "allowed in both: no length of W0 is left, only the half-spaces w_j.x > 0",
                derived="1",
                observable="trace",
                seen="every draw",
                expected="open",
            ),
            Claim(
                name="risk",
                kind="inequality",
                says="test risk E (f - f*)^2 less the energy of f* in degrees 3 and above, which is 1/2 for He2/2 + "
                "He4/sqrt(48): below it, a direction has been learnt",
                derived="0",
                observable="risk - beyond",
                seen="largest size",
                expected="open",
            ),
            Claim(
                name="against_random_features",
                kind="inequality",
                says="its test risk less that of the same learner without its step, on the same samples",
                derived="0",
                observable="risk - random_features",
                seen="largest size",
                expected="open",
            ),
        ),
        experiment=Experiment(
            observe="theory.hessian.step_trial:observe",
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
