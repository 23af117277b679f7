"""The constant of Lemma 21 of damian2022 at the leading term of the gradient."""

from theory.register.record import Claim, Statement

_CONSTANTS = {1: "1", 2: "2/(1 + 2/d)", 3: "6/((1 + 2/d)*(1 + 4/d))", 4: "24/((1 + 2/d)*(1 + 4/d)*(1 + 6/d))"}

ENTRIES = (
    Statement(
        "damian2022.moment-matrix",
        "The constant of Lemma 21 at the leading term, and the second moment of z_T",
        "damian2022, Lemma 21",
        "read",
        claims=(
            *(
                Claim(
                    f"smallest_{k}",
                    f"smallest eigenvalue of E (H w)^(x){2 * k} on symmetric tensors of order {k}: its least over H of any "
                    f"signature with that kappa and r{' >= 2' if k > 1 else ''}, reached where all |h_i| are equal",
                    f"{constant}/(rank*d*kappa_H**2)**{k}",
                    kind="identity",
                )
                for k, constant in _CONSTANTS.items()
            ),
            Claim(
                "largest_2",
                "the other eigenvalue at k = 2, all |h_i| equal",
                "(rank + 2)/(1 + 2/d)/(rank*d*kappa_H**2)**2",
                kind="identity",
            ),
            Claim(
                "greatest_2",
                "supremum over H of smallest eigenvalue times (r d kappa^2)^2 at k = 2, approached as all |h_i| but the least grow",
                "2*(rank + 2)/(rank + 1)/(1 + 2/d)",
                kind="identity",
            ),
            Claim(
                "one",
                "(j+1) d/(d+2j) >= 1, so k! d^k/(d ... (d+2k-2)) >= 1: the leading term has c = (2 pi)^-k for all d >= 2",
                "1",
                kind="inequality",
            ),
            Claim(
                "second_moment",
                "E z_T^2 <= (2 pi r d kappa^2)^k |T|^2 for the minimum-norm z_T of g = H w/sqrt(2 pi)",
                "(2*pi*rank*d*kappa_H**2)**order_k",
                kind="inequality",
            ),
            Claim(
                "rescaled",
                "the same for 2 eta_1 a g, eta_1 = C sqrt(d/iota^3): r^k kappa^(2k) up to logarithms, so r^p kappa^(2p) at k = p",
                "(pi/2*rank*kappa_H**2*iota**3/C**2)**order_k",
                kind="inequality",
            ),
        ),
        notes=(
            "The source's constant c is not given, so nothing is compared with it; its matrix is of g_n, ours of the leading term "
            "H w/sqrt(2 pi) of its mean.",
            "E f*^2 = 1 gives |H|_F^2 <= 2, so kappa^2 >= 1/2.",
        ),
        chapter="derivations.damian2022.moments",
    ),
)
