"""Scalars of declarations and expressions, made exact: numbers, coefficients, variances."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import sympy as sp
from sympy.matrices.expressions.matexpr import MatrixElement

from pencils.errors import InputError
from pencils.exact.numbers import exact

PARTS = (sp.Add, sp.Mul, sp.Pow, sp.Symbol, sp.Number, sp.NumberSymbol, type(sp.I))


def number(value: Any, what: str) -> sp.Expr:
    """An exact real SymPy number: rationals as given, SymPy numbers kept."""
    if isinstance(value, sp.Expr) and value.is_number and value.is_real and not value.has(sp.Float):
        return value
    fraction = exact(value, what)
    return sp.Rational(fraction.numerator, fraction.denominator)


def numbers(values: Any, what: str) -> tuple[sp.Expr, ...]:
    """A list of exact real numbers."""
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise InputError(f"{what}: give a list of numbers, not {values!r}")
    return tuple(number(value, what) for value in values)


def scalar(value: sp.Expr, what: str) -> sp.Expr:
    """A coefficient or a variance: sums, products and rational powers of numbers and symbols, floats made exact.

    A float is taken as the decimal that it prints. Raises InputError for functions, matrix elements, traces, and for a
    float that fills its precision.
    """
    exacts = {}
    for part in sp.preorder_traversal(value):
        if isinstance(part, (sp.MatrixExpr, sp.MatrixBase, MatrixElement, sp.Trace, sp.Determinant)):
            raise InputError(f"{part} in {what}: a scalar must not be made of matrices; write a symbol and give its value")
        if isinstance(part, sp.conjugate):
            raise InputError(f"{part} in {what}: a parameter is not conjugated; declare it with real=True, or use .T")
        if not isinstance(part, PARTS) or not part.is_commutative:
            raise InputError(
                f"{part} in {what}: only +, *, / and rational powers of numbers and symbols are accepted; "
                "write a symbol and give its value"
            )
        if part.is_Number and not part.is_finite:
            raise InputError(f"{part} in {what}: a scalar must be finite")
        if isinstance(part, sp.Pow) and not (part.exp.is_Rational or part.exp.is_Float):
            raise InputError(f"{part} in {what}: only rational powers are accepted")
        if part.is_Float:
            exacts[part] = typed_decimal(part, what)
    return value.xreplace(exacts)


def typed_decimal(value: sp.Float, what: str) -> sp.Rational:
    """The decimal that was typed. One that fills its precision was computed (0.1/3): its exact value is lost."""
    digits, places = (text.lstrip("-").partition("e")[0].replace(".", "") for text in (str(value), sp.sstr(value, full_prec=True)))
    if value and len(digits.strip("0")) >= len(places.lstrip("0")):
        raise InputError(f"{value} in {what}: a rounded number; write it exactly, as in sympy.Rational(1, 30)")
    return number(value, what)
