"""The expression without its finite-rank terms."""

from benchmark_models import n
from known_bulk import outliers, problem
from spiked_models import COVARIANCE, ROOT, SEMICIRCLE, SPIKED, W, X, a, b, theta

from pencils import Gaussian, Vector
from pencils.outliers.bulk import bulk


def test_vectors_that_are_only_declared():
    assert outliers(W, SPIKED[1], {n: 1}, support=SEMICIRCLE) == [] and problem(W, SPIKED[1], SEMICIRCLE).determinant == 1


def test_bulk():
    expr, laws = bulk(ROOT * X * X.T * ROOT / n + theta * a * b.T, {**COVARIANCE[1], b: Vector()})
    assert expr == X * X.T / n and laws == {X: Gaussian()}
