"""Alphabets: the letters in which an entry, its chapter and a reader's formula are written.

Through an ``Alphabet`` everything looks a name up: the table's symbols, and before them the letters that a source brings of its
own. ``symbol``, ``symbols``, ``read_form`` and
``latex`` are those of the table alone. Importing this room is cheap; SymPy is loaded when a
symbol is first made.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

from pencils.errors import InputError
from pencils.language.parse import Node, names, parse
from theory.proof.table import TABLE, Symbol

if TYPE_CHECKING:
    import sympy as sp

    from theory.proof.domains import Number

# Functions that a form may call; kept as names so that reading a form costs no SymPy.
FORM_FUNCTIONS = ("sqrt", "exp", "log", "erf", "asin", "Abs", "Max", "Min")
CONSTANTS = ("True", "pi")


@dataclass(frozen=True)
class Alphabet:
    """``letters`` are (name, symbol) of a source's own, which shadow those of the table.

    Two symbols of one name that differ in their domain are different symbols of SymPy: a statement and its chapter agree when
    both have their letters from one place. ``name in alphabet`` says whether a formula may use the name.
    """

    letters: tuple[tuple[str, Symbol], ...] = ()

    @classmethod
    def of(cls, letters: Mapping[str, Symbol]) -> Alphabet:
        """The alphabet of some letters; InputError for a name that a formula reads as something else."""
        for name in letters:
            if not name.isidentifier() or name in (*FORM_FUNCTIONS, *CONSTANTS, "False", "I", "i"):
                raise InputError(f"{name!r} cannot be a letter: a formula reads it otherwise")
        return cls(tuple(letters.items())) if letters else COMMON

    @cached_property
    def _known(self) -> dict[str, Symbol]:
        return {**TABLE, **dict(self.letters)}

    def __contains__(self, name: object) -> bool:
        return name in self._known and self._known[str(name)].latex is not None

    def __iter__(self) -> Iterator[str]:
        """The names, symbols of formulas or not, in the order in which an entry asks for them."""
        return iter(self._known)

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The names that formulas may use."""
        return tuple(name for name in self._known if name in self)

    def entry(self, name: str) -> Symbol:
        """What the alphabet says of a name, be it a symbol of formulas or a parameter alone; InputError for any other."""
        if name not in self._known:
            raise InputError(f"unknown symbol {name!r}; known: {', '.join(self._known)}")
        return self._known[name]

    def symbol(self, name: str) -> sp.Symbol:
        """The SymPy symbol of a name in formulas; InputError for any other name."""
        if name not in self:
            raise InputError(f"unknown symbol {name!r}; known: {', '.join(self.words)}")
        return _symbol(name, self._known[name].number)

    def symbols(self, spaced: str) -> tuple[sp.Symbol, ...]:
        """Several symbols, names separated by blanks."""
        return tuple(self.symbol(name) for name in spaced.split())

    def latex_name(self, name: str) -> str:
        """LaTeX of a symbol by its name; the name itself where there is none."""
        return (self._known[name].latex if name in self._known else None) or name

    def latex(self, expr: sp.Basic) -> str:
        """LaTeX of an expression with the papers' symbols."""
        import sympy as sp

        shown = {s: self.latex_name(s.name) for s in expr.free_symbols if isinstance(s, sp.Symbol) and s.name in self}
        return str(sp.latex(expr, symbol_names=shown, fold_short_frac=False))

    def check_form(self, text: str, what: str = "form") -> Node:
        """The tree of a form, its words and grammar checked without SymPy; ParseError for anything else."""
        return parse(text, what, words=[*self.words, *FORM_FUNCTIONS, "pi"])

    def read_form(self, text: str, what: str = "form") -> sp.Expr:
        """SymPy form of a text in these letters; unknown words raise ParseError."""
        return self.form_of(self.check_form(text, what), what)

    def form_of(self, tree: Node, what: str = "form") -> sp.Expr:
        """SymPy form of a tree that ``check_form`` gave."""
        import sympy as sp

        from pencils.language.parse import to_sympy

        return to_sympy(
            tree,
            {"pi": sp.pi, **{name: self.symbol(name) for name in names(tree) if name in self}},
            {name: _form_function(getattr(sp, name), name) for name in FORM_FUNCTIONS},
            what,
        )


COMMON = Alphabet()


@cache
def _symbol(name: str, domain: Number) -> sp.Symbol:
    import sympy as sp

    return sp.Symbol(name, **domain.assumptions())


def _form_function(function: Any, name: str) -> Any:
    """A SymPy function with the arguments it has on paper (SymPy reads a second argument of sqrt as an option)."""
    return function if name in ("Max", "Min") else lambda argument: function(argument)


def symbol(name: str) -> sp.Symbol:
    """The SymPy symbol of a name in the table; InputError for any other name."""
    return COMMON.symbol(name)


def symbols(names: str) -> tuple[sp.Symbol, ...]:
    """Several symbols of the table, names separated by blanks."""
    return COMMON.symbols(names)


def read_form(text: str, what: str = "form") -> sp.Expr:
    """SymPy form of a text in the symbols of the table; unknown words raise ParseError."""
    return COMMON.read_form(text, what)


def latex(expr: sp.Basic) -> str:
    """LaTeX of an expression with the symbols of the table."""
    return COMMON.latex(expr)
