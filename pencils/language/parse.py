"""The safe parser: text of a formula -> a tree of plain tuples -> SymPy.

Grammar: numbers, names, + - * / ** ^, parentheses, comparisons, and calls ``f(a, b)`` of functions from a given list; where the
caller allows it, a transpose ``X.T``. Nothing else is a sentence of it, so no text can reach Python: no other attribute,
no subscript, no string, no keyword. The tree is built without SymPy, so that a mistake is answered before anything heavy
is imported, and it is measured (length, depth, size of powers) before anything is computed with it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING, Any

from pencils.errors import ParseError
from pencils.exact.numbers import exact
from pencils.language.formula import MAX_DEGREE, Node, measure, names

if TYPE_CHECKING:
    import sympy as sp

__all__ = ["MAX_DEGREE", "Node", "names", "parse", "to_sympy"]
MAX_LENGTH = 2000
MAX_DEPTH = 60

_TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)"
    r"|(?P<name>[^\W\d]\w*)"
    r"|(?P<transpose>\.T\b)"
    r"|(?P<op>\*\*|<=|>=|==|!=|[-+*/^(),<>]))"
)
_BINARY = {"<": 1, "<=": 1, ">": 1, ">=": 1, "==": 1, "!=": 1, "+": 2, "-": 2, "*": 3, "/": 3, "**": 5}
_GRAMMAR_WORDS = {"Piecewise", "True", "otherwise"}
_COMPARISONS = {"<", "<=", ">", ">=", "==", "!="}
_UNARY_BINDING = 4  # -x**2 is -(x**2), and -x*y is (-x)*y


def parse(text: str, what: str = "formula", words: Collection[str] | None = None, transpose: bool = False) -> Node:
    """The tree of ``text``. Raises ParseError naming the word that is not of the grammar, or the limit exceeded.

    ``words`` are the names and functions that exist; the first other word is the error, whatever follows it.
    ``transpose`` accepts ``.T`` after a name, a call or parentheses, which binds before any operator.
    """
    if not isinstance(text, str):
        raise ParseError(f"{what}: expected text, got {type(text).__name__}")
    if len(text) > MAX_LENGTH:
        raise ParseError(f"{what}: {len(text)} characters; at most {MAX_LENGTH} are accepted")
    parser = _Parser(_tokens(text, what, words, transpose), what)
    node = parser.expression(0, 0)
    if parser.peek() is not None:
        raise parser.unexpected()
    measure(node, what)
    return node


def _tokens(text: str, what: str, words: Collection[str] | None, transpose: bool) -> list[tuple[str, str, int]]:
    tokens, at = [], 0
    stripped = text.rstrip()
    while at < len(stripped):
        match = _TOKEN.match(stripped, at)
        if match is None or (match.lastgroup == "transpose" and not transpose):
            rest = stripped[at:].lstrip()
            raise ParseError(
                f"{what}: {rest.split()[0][:20]!r} at position {len(stripped) - len(rest) + 1} is not accepted; "
                f"a formula has numbers, names, + - * / ** ( ) , {'.T' if transpose else 'comparisons'} and known functions"
            )
        kind = match.lastgroup or ""
        word = match[kind]
        if kind == "name" and words is not None and word not in words and word not in _GRAMMAR_WORDS:
            raise ParseError(f"{what}: unknown word {word[:40]!r}; accepted: {_listing(words)}")
        tokens.append((kind, "**" if word == "^" else word, match.start(kind)))
        at = match.end()
    return tokens


class _Parser:
    """Precedence climbing over the tokens; ``depth`` bounds the recursion."""

    def __init__(self, tokens: list[tuple[str, str, int]], what: str) -> None:
        self.tokens, self.what, self.next = tokens, what, 0

    def peek(self) -> tuple[str, str, int] | None:
        return self.tokens[self.next] if self.next < len(self.tokens) else None

    def take(self) -> tuple[str, str, int]:
        token = self.peek()
        if token is None:
            raise ParseError(f"{self.what}: ends too early; something is missing after the last sign")
        self.next += 1
        return token

    def unexpected(self) -> ParseError:
        token = self.peek()
        if token is None:
            return ParseError(f"{self.what}: ends too early; a closing ')' is missing")
        product = " (a product is written with *)" if token[1][0].isalnum() else ""
        return ParseError(f"{self.what}: {token[1]!r} at position {token[2] + 1} is not expected there{product}")

    def expect(self, word: str) -> None:
        token = self.peek()
        if token is None or token[1] != word:
            raise self.unexpected()
        self.next += 1

    def expression(self, binding: int, depth: int) -> Node:
        if depth > MAX_DEPTH:
            raise ParseError(f"{self.what}: nested more than {MAX_DEPTH} levels deep")
        left = self.operand(depth)
        while (token := self.peek()) is not None and token[0] == "transpose":
            self.next += 1
            left = Node("transpose", None, (left,), token[2])
        while (token := self.peek()) is not None and _BINARY.get(token[1], -1) >= binding and token[0] == "op":
            operator, strength = token[1], _BINARY[token[1]]
            if operator in _COMPARISONS and left.kind in _COMPARISONS:
                raise ParseError(f"{self.what}: comparisons cannot be chained; {operator!r} at position {token[2] + 1}")
            self.next += 1
            # ** binds to the right and takes a sign in its exponent; the others bind to the left.
            right = self.expression(_UNARY_BINDING if operator == "**" else strength + 1, depth + 1)
            left = Node(operator, None, (left, right), token[2])
        return left

    def operand(self, depth: int) -> Node:
        kind, word, at = self.take()
        if kind == "number":
            return Node("number", exact(word, self.what), (), at)
        if kind == "name":
            following = self.peek()
            if following is None or following[1] != "(":
                return Node("name", word, (), at)
            self.next += 1
            args = [self.expression(0, depth + 1)]
            while (following := self.peek()) is not None and following[1] == ",":
                self.next += 1
                args.append(self.expression(0, depth + 1))
            self.expect(")")
            return Node("call", word, tuple(args), at)
        if word == "(":
            inner = self.expression(0, depth + 1)
            if (following := self.peek()) is not None and following[1] == ",":
                parts = [inner]
                while (following := self.peek()) is not None and following[1] == ",":
                    self.next += 1
                    parts.append(self.expression(0, depth + 1))
                self.expect(")")
                return Node("pair", None, tuple(parts), at)
            self.expect(")")
            return inner
        if word in ("-", "+"):
            inner = self.expression(_UNARY_BINDING, depth + 1)
            return inner if word == "+" else Node("neg", None, (inner,), at)
        self.next -= 1
        raise self.unexpected()


def _listing(words: Collection[str], limit: int = 40) -> str:
    ordered = sorted(words)
    return ", ".join(ordered[:limit]) + (", ..." if len(ordered) > limit else "") if ordered else "none here"


def to_sympy(
    node: Node, values: Mapping[str, sp.Basic], functions: Mapping[str, Callable[..., Any]], what: str = "formula"
) -> sp.Basic:
    """SymPy form of the tree, with names and functions from the two mappings and nothing else.

    ``Piecewise((value, condition), ..., (value, True))`` is part of the grammar. Raises ParseError for an unknown
    word, a wrong number of arguments or a division by zero.
    """
    import sympy as sp

    if node.kind == "number":
        return sp.Rational(node.value.numerator, node.value.denominator)
    if node.kind == "name":
        if node.value in _GRAMMAR_WORDS:
            return sp.true
        if node.value not in values:
            raise ParseError(f"{what}: unknown name {node.value!r}; accepted names: {_listing(values)}")
        return values[node.value]
    if node.kind == "call" and node.value == "Piecewise":
        pairs = [arg.args for arg in node.args]
        if any(arg.kind != "pair" or len(arg.args) != 2 for arg in node.args):
            raise ParseError(f"{what}: Piecewise takes pairs (value, condition)")
        pieces = [tuple(to_sympy(part, values, functions, what) for part in pair) for pair in pairs]
        for value, condition in pieces:
            if not isinstance(value, sp.Expr) or isinstance(condition, sp.Expr):
                raise ParseError(f"{what}: Piecewise takes pairs of a value and a comparison")
        return sp.Piecewise(*pieces)
    if node.kind == "pair":
        raise ParseError(f"{what}: a list in parentheses at position {node.at + 1} is accepted only inside Piecewise")
    args = [to_sympy(arg, values, functions, what) for arg in node.args]
    if node.kind == "call":
        if node.value not in functions:
            raise ParseError(f"{what}: unknown function {node.value!r}; accepted functions: {_listing(functions)}")
        if any(not isinstance(arg, (sp.Expr, sp.MatrixBase, sp.MatrixExpr)) for arg in args):
            raise ParseError(f"{what}: {node.value!r} at position {node.at + 1} cannot act on a comparison")
        try:
            return functions[node.value](*args)
        except TypeError as error:
            raise ParseError(f"{what}: {node.value} does not take {len(args)} argument(s)") from error
    return _operate(node, args, what)


def _operate(node: Node, args: list[Any], what: str) -> Any:
    import sympy as sp

    if any(not isinstance(arg, sp.Expr) for arg in args):
        raise ParseError(f"{what}: {node.kind!r} at position {node.at + 1} cannot act on a comparison")
    if node.kind == "neg":
        return -args[0]
    left, right = args
    if node.kind in _COMPARISONS:
        relation = {"<": sp.Lt, "<=": sp.Le, ">": sp.Gt, ">=": sp.Ge, "==": sp.Eq, "!=": sp.Ne}[node.kind]
        return relation(left, right)
    if (node.kind == "/" and right == 0) or (node.kind == "**" and left == 0 and right.is_negative):
        raise ParseError(f"{what}: division by zero at position {node.at + 1}")
    if node.kind == "+":
        return left + right
    if node.kind == "-":
        return left - right
    if node.kind == "*":
        return left * right
    return left / right if node.kind == "/" else left**right
