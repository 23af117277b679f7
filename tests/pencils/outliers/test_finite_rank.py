"""The expression without its finite-rank terms."""

from benchmark_models import n
from spiked_models import COVARIANCE, ROOT, SEMICIRCLE, SPIKED, W, X, a, b, theta

from pencils import Gaussian, Vector
from pencils.outliers.determinant import Outliers, outliers
from pencils.outliers.finite_rank import bulk


def test_vectors_that_are_only_declared():
    assert outliers(W, SPIKED[1], {n: 1}, support=SEMICIRCLE) == [] and Outliers(W, SPIKED[1]).determinant == 1


def test_bulk():
    expr, laws = bulk(ROOT * X * X.T * ROOT / n + theta * a * b.T, {**COVARIANCE[1], b: Vector()})
    assert expr == X * X.T / n and laws == {X: Gaussian()}
