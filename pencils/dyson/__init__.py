"""From a pencil to equations, from equations to numbers. A pencil enters; the operator-valued Dyson equation leaves, as few
equations in named unknowns, and their physical solution in float64, in certified balls, on the real axis. ``Equations`` holds it
all for one expression."""
