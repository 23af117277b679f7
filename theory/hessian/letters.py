"""The letters of damian2022: what p, q, w and x are there, for its statements and its chapters. Importing this room is cheap."""

from theory.proof.domains import UnitInterval, Whole
from theory.proof.inputs import Direction, Polynomial
from theory.proof.table import Symbol

LETTERS = {
    "p": Symbol("p", "degree of the Hermite polynomial, a whole number, 2 or more", Whole(2)),
    "q": Symbol("q", "number of queries, a whole number, 1 or more", Whole(1)),
    "w": Symbol(None, "a neuron's weights, d exact numbers such as 3/5,4/5,0", Direction()),
    "x": Symbol("x", "a point of [-1, 1]", UnitInterval(", where the monomials are reproduced")),
}
# where the teacher is a polynomial in several variables
POLYNOMIAL_TEACHER = {"teacher": Symbol(None, "a polynomial in x1, x2, ..., such as (x1**2-1)/2 + x1*x2", Polynomial())}
