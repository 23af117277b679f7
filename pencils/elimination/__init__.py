"""From equations to one polynomial. ``Equations`` enter; the irreducible polynomial of the value leaves, its exact moments, and the
value itself where only a polynomial can tell that it is 0."""
