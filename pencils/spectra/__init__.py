"""The spectrum that the equations of a resolvent have. ``Equations`` and exact parameters enter; density, edges, atoms and support
leave, by the polynomial where there is one and by folds of the equations where there is none; and a picture of them."""
