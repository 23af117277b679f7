"""Whether the ensembles fit the matrix symbols that they are given for, and each other."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from enum import Enum
from typing import Any

import sympy as sp

from pencils.errors import InputError
from pencils.language.ensembles import Deterministic, Ensemble, Vector, Wigner, gram, same


class Remedy(Enum):
    """What to do about a declaration: in Python, and on the command line, where matrices cannot be given as arrays."""

    DECLARE = "add it to the mapping of ensembles", 'declare it, for instance with --gaussian "X: n x d"'
    JOINT = (
        "declare them with commuting(...), or all of them as Deterministic() with arrays",
        'declare them together, as in --commuting "S T: d, law 1:2:1/2 3:1/2:1/2"; matrices that do not commute need arrays, '
        "which only Python takes",
    )
    VECTOR = (
        "declare it as a Vector, since a dimension that is an integer stays finite",
        'declare it as a vector, as in --vector "u: d", since a dimension that is an integer stays finite',
    )
    COMPONENTS = (
        "declare Vector(components=[...]), one for each value",
        'give its components, one for each value, as in --vector "u: d, components 1 1/2"',
    )
    NORM = "declare its norm", 'give its norm, as in --vector "u: d, norm 2"'
    ARRAY = (
        "declare that matrix as Deterministic() and give arrays",
        "this needs the matrix as an array, which only Python takes",
    )
    SINGULAR = "give singular_values", 'give singular values, as in --deterministic "A: p x n, singular 1/2:1/2 3/2:1/2"'
    EIGENVALUES = (
        "give a law of eigenvalues, an array, or two symbols with equal values as dimensions",
        'give a law of eigenvalues, as in --deterministic "S: d, law 1:1/2 3:1/2", or two names with equal values as '
        "dimensions; arrays only Python takes",
    )
    ADJOINT = "use .adjoint()", "it equals its adjoint, which is written without .T"
    OUTLIERS = (
        "they belong to spectrum(...).outliers(); vectors are accepted at the ends, as in u.T*E*v",
        "what they do to the spectrum is computed in Python, spectrum(...).outliers(); vectors are accepted at the ends, as in "
        "u.T*E*v",
    )

    def __init__(self, python: str, command: str) -> None:
        self.python, self.command = python, command


class DeclarationError(InputError):
    """What is wrong with a declaration, and what to do about it as data: the command line has its own words."""

    def __init__(self, wrong: str, remedy: Remedy) -> None:
        super().__init__(f"{wrong}: {remedy.python}")
        self.wrong, self.remedy = wrong, remedy

    def for_command(self) -> InputError:
        """The same error in the words of the command line."""
        return InputError(f"{self.wrong}: {self.remedy.command}")


def short(value: Any, limit: int = 80) -> str:
    text = " ".join(str(value).split())
    return text if len(text) <= limit else text[: limit - 3] + "..."


def check_mapping(ensembles: Any) -> None:
    if not isinstance(ensembles, Mapping):
        raise InputError(f"ensembles: give a mapping such as {{X: Gaussian()}}, not {type(ensembles).__name__}")
    for symbol, ensemble in ensembles.items():
        if not isinstance(symbol, sp.MatrixSymbol):
            raise InputError(f"{symbol} in the mapping of ensembles is no matrix symbol")
        if not isinstance(ensemble, Ensemble):
            raise InputError(
                f"{symbol}: declared as {short(ensemble)}; accepted are Gaussian(), Wigner(), Deterministic(), Vector()"
            )


def check_names(symbols: Iterable[Any]) -> None:
    """One name, one symbol: SymPy tells symbols apart by shape and assumptions as well, a reader cannot."""
    seen: dict[str, Any] = {}
    for symbol in symbols:
        other = seen.setdefault(str(symbol), symbol)
        if other != symbol and isinstance(symbol, sp.MatrixSymbol):
            shapes = " and ".join(sorted(f"{s.rows} x {s.cols}" for s in (other, symbol)))
            raise InputError(f"two matrices are called {symbol}: {shapes}, or dimensions with different assumptions")
        if other != symbol:
            raise InputError(f"two different symbols are called {symbol}: their assumptions differ (positive=True or not)")


def check_declaration(symbol: sp.MatrixSymbol, ensembles: Mapping[sp.MatrixSymbol, Ensemble]) -> None:
    if symbol not in ensembles:
        raise DeclarationError(f"the matrix {symbol} is not declared", Remedy.DECLARE)
    rows, cols = symbol.shape
    shape, ensemble = f"{symbol} is {rows} x {cols}", ensembles[symbol]
    if (rows, cols) == (1, 1):
        raise InputError(f"{shape}: write it as a scalar symbol")
    if isinstance(ensemble, Vector) and cols != 1:
        raise InputError(f"{shape}: a vector has one column")
    if cols == 1 and not isinstance(ensemble, Vector):
        raise DeclarationError(shape, Remedy.VECTOR)
    if rows.is_Integer or (cols.is_Integer and cols != 1):
        raise InputError(f"{shape}: a dimension that is an integer stays finite, and only vectors (one column) are accepted")
    if isinstance(ensemble, Deterministic) and ensemble.singular_values is not None and same(rows, cols):
        raise DeclarationError(
            f"{shape}, so that its left and right singular vectors meet in one space, and singular values do not say how",
            Remedy.EIGENVALUES,
        )
    if not same(rows, cols):
        if isinstance(ensemble, Wigner) or (isinstance(ensemble, Deterministic) and ensemble.symmetric):
            raise InputError(f"{shape}: a symmetric or Wigner matrix must be square")
        if isinstance(ensemble, Deterministic) and ensemble.law is not None:
            raise DeclarationError(f"{shape}, and a matrix with a law of eigenvalues must be square", Remedy.SINGULAR)


def check_unused(ensembles: Mapping[sp.MatrixSymbol, Ensemble], used: Mapping[sp.MatrixSymbol, Ensemble]) -> None:
    groups = {ensemble.joint for ensemble in used.values() if isinstance(ensemble, Deterministic)} - {None}
    named = {symbol for e in used.values() if isinstance(e, Vector) for symbol, _ in e.overlaps}
    for symbol, ensemble in ensembles.items():
        joint = isinstance(ensemble, Deterministic) and ensemble.joint in groups
        if symbol not in used and symbol not in named and not joint:
            raise InputError(f"{symbol} is declared but does not occur in the expression (SymPy cancels A - A and B*B**-1)")


def check_spaces(used: Mapping[sp.MatrixSymbol, Ensemble]) -> None:
    """The directions of deterministic matrices and vectors that meet in one space must be known to each other."""
    fixed: dict[sp.Expr, dict[sp.MatrixSymbol, Deterministic]] = defaultdict(dict)
    vectors: dict[sp.Expr, dict[sp.MatrixSymbol, Vector]] = defaultdict(dict)
    for symbol, ensemble in sorted(used.items(), key=str):
        if isinstance(ensemble, Deterministic):
            for space in symbol.shape:
                fixed[sp.expand(space)][symbol] = ensemble
        elif isinstance(ensemble, Vector):
            vectors[sp.expand(symbol.rows)][symbol] = ensemble
    for space, matrices in fixed.items():
        (name, first), *others = matrices.items()
        for other_name, other in others:
            if not (first.is_array and other.is_array) and (first.joint is None or first.joint != other.joint):
                raise DeclarationError(
                    f"{name} and {other_name} meet in the space of dimension {space} and were declared apart", Remedy.JOINT
                )
    for space, group in vectors.items():
        law = next(iter(fixed[space].values()), None)
        for symbol, vector in group.items():
            _check_components(symbol, vector, law, space)
        if law is None or not law.is_array:
            gram(group)


def no_components(symbol: sp.MatrixSymbol) -> InputError:
    """What is said of a vector in the space of a law with a density."""
    return InputError(
        f"{symbol} meets a law with a density in the space of dimension {symbol.rows}: its components there are not "
        "declared one by one; give the matrix a law with finitely many values"
    )


def _check_components(symbol: sp.MatrixSymbol, vector: Vector, law: Deterministic | None, space: sp.Expr) -> None:
    if law is not None and law.singular_values is not None:
        raise DeclarationError(
            f"{symbol} meets a matrix with a law of singular values in the space of dimension {space}", Remedy.ARRAY
        )
    if law is not None and law.density is not None:
        raise no_components(symbol)
    if law is not None and law.law is not None and len(vector.components or ()) != len(law.law):
        raise DeclarationError(
            f"{symbol} meets a law of {len(law.law)} values in the space of dimension {space}", Remedy.COMPONENTS
        )
    if (law is None or law.law is None) and vector.components is not None:
        raise DeclarationError(f"{symbol} has components, and no law acts in the space of dimension {space}", Remedy.NORM)
