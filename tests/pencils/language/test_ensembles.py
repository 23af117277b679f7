"""Declarations of ensembles: what is accepted, what is made exact, what is refused."""

import pytest
import sympy as sp

from pencils.errors import InputError
from pencils.language.ensembles import Deterministic, Gaussian, Vector, Wigner, commuting, gram
from pencils.language.scalars import scalar

n, d = sp.symbols("n d", positive=True)
A, B = sp.MatrixSymbol("A", d, d), sp.MatrixSymbol("B", d, d)
u, v, w = (sp.MatrixSymbol(name, d, 1) for name in "uvw")
HALF = sp.Rational(1, 2)


def test_numbers_become_exact():
    assert Gaussian("1/2").variance == HALF
    assert Gaussian(0.1).variance == sp.Rational(1, 10)
    assert Gaussian(sp.Float(0.25) / n).variance == 1 / (4 * n)
    assert Wigner(1 / n).variance == 1 / n
    assert Deterministic(law=[(sp.sqrt(3), 0.5), (-1, "1/2")]).law == ((sp.sqrt(3), HALF), (-1, HALF))


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Gaussian(-1), "positive"),
        (lambda: Gaussian(0), "positive"),
        (lambda: Gaussian("x"), "not a number"),
        (lambda: Gaussian(sp.exp(n)), "only"),
        (lambda: Gaussian(sp.I), "positive"),
        (lambda: Wigner(field="quaternion"), "'real' or 'complex'"),
        (lambda: Deterministic(law=[(1, 1)], singular_values=[(1, 1)]), "not both"),
        (lambda: Deterministic(law=[(1, "1/2")]), "add up to 1"),
        (lambda: Deterministic(law=[]), "add up to 1, not none"),
        (lambda: Deterministic(law=[(1, 2), (1, -1)]), "positive"),
        (lambda: Deterministic(law=[1, 2]), "pairs"),
        (lambda: Deterministic(law=3), "pairs"),
        (lambda: Deterministic(singular_values=[(-1, 1)]), "negative"),
        (lambda: Deterministic(law=[(sp.I, 1)]), "not a number"),
        (lambda: Vector(norm=-1), "lengths"),
        (lambda: Vector(norm=1, components=[1]), "not both"),
        (lambda: Vector(components=[]), "lengths"),
        (lambda: Vector(components=[1, 2], overlaps={u: [1]}), "1 numbers for 2 components"),
        (lambda: Vector(components=[1, 2], overlaps={u: 1}), "list"),
        (lambda: commuting({A: [1, 2]}, ["1/2", "1/3"]), "add up to 1"),
        (lambda: commuting({A: [1]}, ["1/2", "1/2"]), "A: 1 values for 2 weights"),
        (lambda: commuting({A: 1}, [1]), "list"),
        (lambda: commuting({"A": [1]}, [1]), "matrix symbols"),
        (lambda: commuting({}, [1]), "matrix symbols"),
        (lambda: commuting({A: [1], sp.MatrixSymbol("C", n, n): [1]}, [1]), "in one space"),
    ],
)
def test_refused(make, words):
    with pytest.raises(InputError, match=words):
        make()


def test_commuting_shares_one_law():
    entries = commuting({A: [1, sp.sqrt(3)], B: [2, "1/2"]}, weights=["1/4", "3/4"])
    assert entries[A].joint == entries[B].joint is not None
    assert entries[B].law == ((2, sp.Rational(1, 4)), (HALF, sp.Rational(3, 4)))


def test_norm_follows_from_components():
    assert Vector(components=[3, 4]).norm == 5
    assert Vector().norm == 1


def test_gram_of_norms_and_overlaps():
    vectors = {u: Vector(norm=2, overlaps={v: "1/2"}), v: Vector(), w: Vector(norm=3)}
    assert gram(vectors) == [sp.Matrix([[4, HALF, 0], [HALF, 1, 0], [0, 0, 9]])]
    split = {u: Vector(components=[1, 2], overlaps={v: [1, "-1/2"]}), v: Vector(components=[1, HALF])}
    assert gram(split) == [sp.Matrix([[1, 1], [1, 1]]), sp.Matrix([[4, -HALF], [-HALF, HALF**2]])]


def test_gram_refuses_what_does_not_exist():
    with pytest.raises(InputError, match="negative eigenvalue"):  # Cauchy-Schwarz
        gram({u: Vector(overlaps={v: "11/10"}), v: Vector()})
    with pytest.raises(InputError, match="declared twice"):
        gram({u: Vector(overlaps={v: "1/2"}), v: Vector(overlaps={u: "1/3"})})
    with pytest.raises(InputError, match="same number of components"):
        gram({u: Vector(components=[1]), v: Vector(components=[1, 2])})


def test_scalars():
    lam = sp.Symbol("lambda")
    assert scalar(0.5 * lam / sp.sqrt(n) + sp.I * sp.pi, "c") == lam / sp.sqrt(n) / 2 + sp.I * sp.pi
    for wrong in (
        sp.sin(lam),
        sp.Function("f")(lam),
        2**lam,
        sp.oo * lam,
        A[0, 0],
        sp.Trace(A) * lam,
        sp.Determinant(A),
        sp.conjugate(lam),
        sp.Symbol("q", commutative=False),
        abs(lam),
        sp.Float(0.1) / 3,
    ):
        with pytest.raises(InputError, match="in here"):
            scalar(sp.sympify(wrong), "here")
