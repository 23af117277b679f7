"""What the unknowns are said to be: every expression shown has the unknown's value when it is put in as a model of its own."""

import contextlib

import pytest
import sympy as sp
from benchmark_models import e1, e2, e3, p3, p7, p9, p12, p14, p15

import pencils.linear.meaning
from pencils import expected_trace
from pencils.dyson.printing import latex
from pencils.language.tree import Atom, Identity, Inverse, Product, Sum, text, walk

MODELS = {
    "E1": e1(),
    "E2": e2(),
    "E3": e3(),
    "P3": p3(),
    "P9": p9(3),
    "P12": p12("t2"),
    "P14 bias": p14("bias"),
    "P14 var": p14("var"),
    "P15": p15(),
}


def expr_of(node):
    """The tree as the SymPy expression that a user would give."""
    if isinstance(node, Atom):
        return node.symbol.T if node.transposed else node.symbol
    if isinstance(node, Identity):
        return sp.Identity(node.rows)
    if isinstance(node, Inverse):
        return expr_of(node.arg).inverse()
    if isinstance(node, Product):
        return sp.MatMul(*map(expr_of, node.factors))
    assert isinstance(node, Sum)
    return sp.MatAdd(*[c * expr_of(term) for c, term in node.terms])


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.slow) if name == "P12" else name for name in MODELS])
def test_the_expression_has_the_value_of_the_unknown(name):
    """Its own pencil, equations and solution, none of which the elimination has seen."""
    model = MODELS[name]
    law = expected_trace(model.expr, model.ensembles)
    balls, _ = law.system.evaluator.solved(law.system.exact(model.values), 20)
    known = dict(zip(law.system.evaluator.pairs, balls, strict=True))
    shown = {symbol: node for symbol, node in law.meanings.items() if node is not None}
    assert len(shown) >= len(law.meanings) - (1 if name == "P12" else 0)
    for symbol, node in shown.items():
        expr = expr_of(node)
        own = {m: model.ensembles[m] for m in expr.atoms(sp.MatrixSymbol)}
        read = pencils.language.expression.read(expr, own)
        other = pencils.law.Law(read)  # no limit is asked for: an unknown may carry a power of n
        value = complex(other.evaluate({s: model.values[s] for s in other.parameters}, 15))
        ball = known[law.reduced.pairs[symbol]]
        assert abs(value - complex(ball)) < 1e-12 * (1 + abs(value)), (symbol, text(node))
        assert text(node) in law.unknowns[symbol] and latex(node) in law.latex()


def test_words_and_latex_of_the_ridge_resolvent():
    """E1 by hand: g_1 = tr (Z^T Z + lambda)^{-1} and the companion -tr (Z Z^T/lambda + 1)^{-1}."""
    law = expected_trace(e1().expr, e1().ensembles)
    words = {str(symbol): said for symbol, said in law.unknowns.items()}
    assert words["g_1"] == "normalised trace (1/d) E Tr of inv(Z.T*Z + lambda*I)"
    assert words["g_2"] == "normalised trace (1/n) E Tr of -inv(Z*Z.T/lambda + I)"
    assert r"\left(Z^{T} Z + \lambda I_{d}\right)^{-1}" in law.latex()


def test_a_false_expression_is_not_shown(monkeypatch):
    """The check can fail: an elimination that errs by a sign, or by a factor 2, leaves the block without an expression."""
    law = expected_trace(e1().expr, e1().ensembles)
    right = pencils.linear.meaning.BlockElimination.block
    for factor in (-1, 2):

        def wrong(self, state, equation, factor=factor):
            node = right(self, state, equation)
            return Sum(node.rows, node.cols, ((sp.Integer(factor), node),))

        monkeypatch.setattr(pencils.linear.meaning.BlockElimination, "block", wrong)
        assert pencils.linear.meaning.meaning(law.pencil, law.system.symmetric, 0, 0) is None
    said = next(iter(law.unknowns.values()))
    assert said == "normalised trace (1/d) E Tr of block (1, 1) of L^-1, where L is the pencil of 2 blocks"
    assert r"\left[L^{-1}\right]_{1,1}" in law.latex()


@pytest.mark.parametrize("model", [e3(), p7()], ids=["E3", "P7"])
def test_nothing_is_inverted_that_may_be_singular(model):
    """S1 with an eigenvalue 0, or W W^T of a tall W, has no inverse, though it has one at generic matrices: whatever the
    elimination inverts contains an identity."""
    law = expected_trace(model.expr, model.ensembles)
    blocks = []
    for state, equation, _ in law.reduced.pairs.values():
        for seed in range(pencils.linear.meaning.TRIES):
            for flipped in (False, True):
                with contextlib.suppress(pencils.linear.meaning.TooLong):
                    elimination = pencils.linear.meaning.BlockElimination(law.pencil, law.system.symmetric, flipped, seed)
                    blocks.append(elimination.block(state, equation))
    inverses = [part for node in blocks if node is not None for part in walk(node) if isinstance(part, Inverse)]
    assert inverses
    for inverse in inverses:
        assert any(isinstance(part, Identity) for part in walk(inverse.arg))
