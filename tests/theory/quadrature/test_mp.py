"""theory.quadrature.mp: means under N(0, 1) for second routes, and the wall around them."""

import ast
from fractions import Fraction
from pathlib import Path

import mpmath
import pytest
from flint import arb

from pencils.errors import InputError, PrecisionError
from pencils.exact.numbers import as_ball, working_precision
from theory.quadrature.mp import context, gaussian_means, midpoint, normal_nodes, number, rounded

THEORY = Path(__file__).resolve().parents[3] / "theory"


def imported(path):
    """Dotted names that a file imports, those inside functions too."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_means_with_and_without_kinks():
    """E z^4 = 3, E cos z = exp(-1/2), E|z - 1/3| = 2 phi(c) + c erf(c/sqrt 2), c = 1/3; E z = 0 exactly."""
    ctx = context(50)
    c = ctx.mpf(1) / 3
    found = gaussian_means(ctx, lambda z: [z**4, ctx.cos(z), abs(z - c), z], {c}, 30)
    expected = [3, ctx.exp(-ctx.mpf(1) / 2), 2 * ctx.npdf(c) + c * ctx.erf(c / ctx.sqrt(2)), 0]
    assert all(abs(one - other) < ctx.mpf(10) ** -34 for one, other in zip(found, expected, strict=True))
    assert found[3] == 0
    with pytest.raises(PrecisionError, match="breakpoints"):
        gaussian_means(ctx, lambda z: [abs(z - c)], set(), 30)


def test_nodes_carry_the_density():
    ctx = context(40)
    total = sum(weight for _, weight in normal_nodes(ctx, ctx.mpf(0), ctx.mpf(1), 5))
    assert abs(total - (ctx.ncdf(1) - ctx.mpf(1) / 2)) < ctx.mpf(10) ** -38


def test_numbers_in_and_out():
    ctx, other = context(30), context(60)
    assert number(ctx, "1/4") == number(ctx, Fraction(1, 4)) == number(ctx, other.mpf(1) / 4) == 0.25
    assert number(ctx, other.mpf(1) / 3) == ctx.mpf(1) / 3
    with pytest.raises(InputError, match="finite"):
        number(ctx, mpmath.inf, "theta1")
    assert rounded(ctx, 1 + ctx.mpf(10) ** -25, 20) == 1 and rounded(ctx, ctx.zero, 20) == 0
    assert rounded(ctx, ctx.mpf(2) / 3000, 3) == Fraction(667, 10**6) and rounded(ctx, -ctx.mpf(12345), 2) == -12000
    with working_precision(200):
        assert abs(as_ball(midpoint(other, arb(2).sqrt())) ** 2 - 2) < arb(10) ** -58


def test_first_routes_do_not_use_it():
    """Whoever imports it is a second route by name, or is what second routes are made of."""
    made_of = {"spike/density.py"}
    users = {path for path in THEORY.rglob("*.py") if any(name.startswith("theory.quadrature.mp") for name in imported(path))}
    names = {str(path.relative_to(THEORY)) for path in users}
    assert {name for name in names if not name.endswith("route.py")} == made_of
    kit = set(imported(THEORY / "quadrature" / "mp.py"))
    assert not {name for name in kit if name.startswith("theory.")}
