"""Outliers and thresholds of a model whose support without finite-rank terms is known beforehand."""

from pencils.exact.numbers import DEFAULT_DIGITS
from pencils.outliers.determinant import Outliers
from pencils.outliers.finite_rank import FiniteRank
from pencils.outliers.thresholds import thresholds as thresholds_of


def problem(expr, laws, support):
    return Outliers(FiniteRank(expr, laws), lambda given, digits: support)


def outliers(expr, laws, values, digits=DEFAULT_DIGITS, support=()):
    return problem(expr, laws, support).find(values, digits)


def thresholds(expr, laws, parameter, values, digits=DEFAULT_DIGITS, support=()):
    return thresholds_of(problem(expr, laws, support), parameter, values, digits)
