"""Concentration of the first gradient of damian2022: noise against signal."""

from theory.register.record import NONE, SAME, Claim, Experiment, Statement

ENTRIES = (
    Statement(
        "damian2022.concentration",
        "g_n against g: the noise of the first step, and the n at which the signal exceeds it",
        "damian2022, Lemma 16, Corollary 34, Assumption 2",
        "read",
        claims=(
            Claim(
                "gap",
                "n E |g_n(w) - g(w)|^2/d at a fixed w, n/d -> oo: a quarter of E yhat^2, because preprocessing turns "
                "sigma' into sigma' - 1/2",
                "(mu2_star**2 + sigma_eps**2)/4",
                observable="gap_squared*n/d",
            ),
            Claim(
                "supremum",
                "n sup_w |g_n - g|^2 at n = 4 d^2, no logarithm with it (a lower bound of the supremum is seen: the best "
                "of random directions, then of a search from there)",
                "1",
                kind="rate",
                against="d",
                observable="sup_squared*n",
            ),
            Claim(
                "supremum_printed",
                "the same as it is printed, with iota^(p+1), p = 4: not held against draws, because at the sizes that can "
                "be run log^5 d grows as d^(3/2) does, and no draw could fail it",
                "1",
                SAME,
                "open",
                proof=NONE,
                kind="rate",
                logs=5,
                against="d",
            ),
            Claim(
                "supremum_in_n",
                "the exponent of sup_w |g_n - g| in n, fitted over n = d, d^1.5, d^2, d^2.5 in every draw: at most that "
                "of sqrt(d/n), the powers of iota aside",
                "-1/2",
                kind="inequality",
                proof="derivations.damian2022.algorithm:slope",
                observable="sup_slope",
                trend=("1/2", "1"),
            ),
            Claim(
                "crossing",
                "where the signal in the weakest direction of H, 1/(kappa sqrt(r d)), exceeds the noise sqrt(d/n): the n "
                "that Theorem 1 asks for",
                "n > d**2*kappa_H**2*rank",
                SAME,
                "confirmed",
                kind="identity",
            ),
            Claim(
                "crossing_in_d",
                "the n at which |g_n - g| and |g| have one root mean square over the neurons",
                "2",
                kind="rate",
                against="d",
                proof="derivations.damian2022.algorithm:crossing_size",
                observable="crossing",
            ),
            Claim(
                "crossing_constant",
                "that n over d^2: a multiple of kappa^2 = 1/(4 c2*^2) that the energy of yhat sets",
                "pi/2*(mu2_star**2 + sigma_eps**2)/(4*c2_star**2)",
                observable="crossing/d**2",
            ),
            Claim(
                "crossing_in_kappa",
                "the exponent of that n in kappa, fitted over 1, 2, 4 times the teacher's kappa, the energy kept",
                "2",
                proof="derivations.damian2022.algorithm:crossing_kappa",
                observable="crossing_kappa",
            ),
            Claim(
                "preactivation",
                "the largest (g_n(w_j).x_i)^2 over the n = d^3 training points, averaged over neurons (over a fixed "
                "number of which the largest is no more than that number times this), over the square that one of n Gaussian "
                "values of variance one exceeds on average, 2 log n: one logarithm, for the source's three",
                "-1",
                kind="rate",
                against="d",
                observable="preactivation",
            ),
            Claim(
                "preactivation_printed",
                "the largest (g_n(w_j).x_i)^2 as it is printed, with iota^3: not held against draws, because at the sizes "
                "that can be run log^3 d grows as d^(9/10) does, and a square that hardly falls would pass",
                "-1",
                SAME,
                "open",
                proof=NONE,
                kind="rate",
                logs=3,
                against="d",
            ),
        ),
        experiment=Experiment(
            observe="theory.hessian.concentration:observe",
            setting={"teacher": "He2/2 + He4/sqrt(48)", "sigma_eps": "1"},
            sizes=(16, 24, 36, 54),
            draws=32,
            from_scratch=True,
            n="4*d**2",
            N="200",
        ),
        notes=(
            "The supremum over the sphere is not computed: g_n is piecewise constant in w, and what is reported is the best w "
            "found.",
            "iota is a constant times log(n m d) in the source. What is held against draws has the least power of the "
            "logarithm that is argued for: none for the supremum (of the Gaussian limit), one for the preactivations, divided "
            "out in the observable.",
            "The teacher is a link of one direction, with H not 0, and of a degree above 2, which takes the energy that He2 "
            "loses where kappa is changed.",
        ),
        chapter="derivations.damian2022.algorithm",
    ),
)
