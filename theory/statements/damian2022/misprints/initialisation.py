"""A misprint of damian2022: the initialisation in pairs."""

from theory.register.record import Claim, Statement

ENTRIES = (
    Statement(
        "damian2022.misprint-initialisation",
        "The symmetric initialisation pairs j with m + 1 - j",
        "damian2022, Algorithm 1",
        "read",
        claims=(
            Claim(
                "paired",
                "how many of m = 6 neurons have a partner other than themselves with -a and the same w, which makes f = 0; "
                "printed: a_j = -a_{m-j}, w_j = w_{m-j}, j <= m/2, which pairs m/2 with itself and leaves m alone",
                "6",
                "4",
                "erratum",
                printed_proof="derivations.damian2022.gradient:printed_paired",
                kind="equality",
                proof="derivations.damian2022.gradient:paired",
                route="theory.hessian.gradient_route:paired",
            ),
            Claim(
                "index_sum",
                "sum of all indices of the pairs, j <= m/2: that of 1, ..., m only if the pairs are all the neurons",
                "width*(width + 1)/2",
                "width**2/2",
                "erratum",
                printed_proof="derivations.damian2022.gradient:printed_index_sum",
                kind="identity",
                proof="derivations.damian2022.gradient:all_neurons",
            ),
        ),
        notes=(
            "Under the printed rule f(x) = a_{m/2} sigma(w_{m/2}.x) + a_m sigma(w_m.x) at the start, of mean square |x|^2/d, not "
            "0; and a_{m/2} = -a_{m/2} contradicts a = +-1.",
        ),
    ),
)
