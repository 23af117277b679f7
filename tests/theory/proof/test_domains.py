"""Domains: what they refuse and in which words, what SymPy is told, where their random numbers lie."""

import random
from fractions import Fraction
from itertools import pairwise

import pytest
import sympy as sp

from pencils.errors import InputError
from theory.proof.domains import Among, Complex, Negative, NonNegative, Number, Positive, Real, UnitInterval, Whole
from theory.proof.inputs import DiscreteLaw, Numbers, OneOf, PositiveOrInfinite, Truth
from theory.proof.points import far_points, midpoint, random_points
from theory.proof.symbols import COMMON, Alphabet, symbol, symbols
from theory.proof.table import TABLE, Symbol

NUMBERS = [
    Positive(),
    NonNegative(),
    Real(),
    Negative(),
    Complex(),
    UnitInterval(),
    Whole(),
    Whole(3),
    Among(1, 2, 4),
    Among("-1/2", 0),
]


@pytest.mark.parametrize("domain", NUMBERS, ids=str)
def test_random_numbers_lie_in_the_domain(domain):
    rng = random.Random(1)
    span = domain.span()
    drawn = [domain.draw(rng, *span) for _ in range(60)]
    found = [*drawn, *(domain.point(rng, *span) for _ in range(60)), *(domain.far(rng) for _ in range(60))]
    assert len(set(found)) > 1
    for value in found:
        if not isinstance(domain, Complex):
            assert domain.check("s", value) == value
            for fact, holds in domain.assumptions().items():
                assert getattr(sp.Rational(value.numerator, value.denominator), f"is_{fact}") is holds
    for low, high in pairwise(drawn):
        middle = domain.between(low, high)
        assert min(low, high) <= middle <= max(low, high)
        if not isinstance(domain, Complex):
            domain.check("s", middle)


@pytest.mark.parametrize(
    ("domain", "value", "words"),
    [
        (Positive(), 0, "s = 0: s must be greater than 0"),
        (Positive("; or else"), -1, "s = -1: s must be greater than 0; or else"),
        (NonNegative(), "-1/2", "s = -1/2: s must be at least 0"),
        (Negative(), 0, "s = 0: s must be less than 0"),
        (UnitInterval(", where it is"), 2, "s = 2: s must be in [-1, 1], where it is"),
        (Whole(), "1/2", "s = 1/2: s must be a whole number, 0 or more"),
        (Whole(1), -1, "s = -1: s must be a whole number, 0 or more"),
        (Whole(2), 1, "s = 1: s must be 2 or more"),
        (Among(1, 2, 3, 4), 5, "s = 5: s is one of 1, 2, 3, 4"),
        (OneOf("gaussian", "sphere"), "cube", "s = cube: s is one of gaussian, sphere"),
        (Truth(), "perhaps", "s = perhaps: s must be true or false"),
        (PositiveOrInfinite(), 0, "s = 0: s must be greater than 0"),
        (DiscreteLaw(), "0:1", "s = 0:1: at least one value must differ from 0, or no neuron moves"),
        (DiscreteLaw(), "1:0", "weight in s = 0: weight in s must be greater than 0"),
    ],
)
def test_what_is_refused(domain, value, words):
    with pytest.raises(InputError) as refused:
        domain.check("s", value)
    assert str(refused.value) == words


def test_what_is_kept():
    assert PositiveOrInfinite().check("s", " INF ") is None
    assert Numbers().check("s", "1,-1/2") == (1, Fraction(-1, 2)) and Numbers().check("s", 3) == (3,)
    assert Truth().check("s", "Yes") is True and OneOf("a").check("s", " A ") == "a"
    assert DiscreteLaw().check("s", "1:1/2,2:1/2") == ((1, Fraction(1, 2)), (2, Fraction(1, 2)))
    assert type(Whole(2).check("s", "4")) is int


def test_every_symbol_of_the_table_is_one_of_sympy():
    for name in COMMON.words:
        entry = TABLE[name]
        low, high = entry.span(entry.number)
        assert low < high and symbol(name).name == name and entry.meaning
        if isinstance(entry.domain, Number) and not isinstance(entry.domain, Complex):
            drawn = entry.domain.draw(random.Random(0), *entry.span(entry.domain))
            assert entry.domain.check(name, drawn) == drawn
    assert "activation" not in COMMON and "activation" in list(COMMON)
    with pytest.raises(InputError, match="unknown symbol 'activation'"):
        symbol("activation")
    with pytest.raises(InputError, match="unknown symbol 'nonsense'"):
        COMMON.entry("nonsense")


def test_points_do_not_move():
    """The points of a seed are part of what is printed: a witness, and how many points were tried."""
    theta1, theta2, z = symbols("theta1 theta2 z")
    near = next(random_points([theta1, theta2, z], 1, 3))
    size, turn = sp.Rational(33643, 13332), sp.Rational(61, 97)
    assert near == {theta1: Fraction(5707, 3333), theta2: Fraction(51883, 13332), z: size * (1 + sp.I * turn)}
    far = next(far_points([theta1, theta2], 1, 3))
    assert far == {theta1: Fraction(4574, 5), theta2: Fraction(3449, 500000)}


def test_symbols_from_elsewhere_are_drawn_by_their_assumptions():
    others = [sp.Symbol("a", negative=True), sp.Symbol("b", real=True), sp.Symbol("c"), sp.Symbol("k", integer=True, positive=True)]
    for point in random_points(others, 20):
        assert point[others[0]] < 0 < point[others[3]] and not sp.sympify(point[others[2]]).is_real


def test_a_letter_shadows_the_table():
    own = Alphabet.of({"theta1": Symbol("T", "a whole number", Whole(5))})
    theta1 = own.symbol("theta1")
    assert theta1 != symbol("theta1") and own.latex(theta1 + symbol("eta")) == r"\eta + T"
    found = list(random_points([theta1], 9, 0, own))
    assert all(point[theta1].denominator == 1 and 5 <= point[theta1] <= 9 for point in found)
    assert midpoint({theta1: Fraction(5)}, {theta1: Fraction(8)}, own)[theta1] == 6
    assert own.words == COMMON.words and hash(own) == hash(Alphabet.of({"theta1": Symbol("T", "a whole number", Whole(5))}))
