"""A declaration as text, ``NAMES: SHAPE, CLAUSE, ...``, for instance ``X Y: n x d, variance 1/n``: checked, and made ensembles.

A shape with one side is square, or a column for a vector.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import sympy as sp

from pencils.errors import InputError, ParseError
from pencils.language.declarations import short
from pencils.language.ensembles import Deterministic, Ensemble, Gaussian, Vector, Wigner, commuting
from pencils.language.parse import parse
from pencils.language.scalar_text import RESERVED, Scalars, number

CLAUSES = {
    "gaussian": ("variance",),
    "wigner": ("variance", "real", "complex"),
    "deterministic": ("law", "singular"),
    "commuting": ("law",),
    "vector": ("norm", "components", "overlap"),
}
FLAGS = ("real", "complex")


class Declaration:
    """``NAMES: SHAPE, CLAUSE, ...``; a clause is a word and what follows it."""

    def __init__(self, kind: str, text: str) -> None:
        self.kind, self.what = kind, f"{kind} {short(text, 60)!r}"
        front, colon, back = text.partition(":")
        self.names = front.split()
        shape, *clauses = [part.strip() for part in back.split(",")]
        if not colon or not self.names or not shape:
            raise InputError(f'{self.what}: write NAMES: SHAPE, for instance "X: n x d", and clauses after commas')
        for name in self.names:
            if not re.fullmatch(r"[^\W\d]\w*", name) or name in RESERVED:
                raise InputError(f"{self.what}: {short(name, 20)!r} is {RESERVED.get(name, 'no name')}")
        sides = re.split(r"\s+x\s+", shape, maxsplit=1)
        if len(sides) == 1:
            sides = [shape, "1"] if kind == "vector" else [shape, shape]
        try:
            self.sides = [parse(side, self.what) for side in sides]
        except ParseError as error:
            raise ParseError(f"{error}; a shape is written as n x d, or d for a square matrix or a vector") from error
        self.clauses: list[tuple[str, str]] = []
        for clause in clauses:
            word, _, rest = clause.partition(" ")
            if word == "density":
                raise InputError(
                    f"{self.what}: a law with a density is declared in Python, as Deterministic(density=(rho, t, low, "
                    "high)); here a law has finitely many values"
                )
            if word not in CLAUSES[kind]:
                spaces = "; between the entries of a law are spaces" if ":" in word else ""
                raise InputError(
                    f"{self.what}: {short(clause, 20)!r} is not accepted; after the shape may come "
                    f"{', '.join(CLAUSES[kind])}{spaces}"
                )
            if bool(rest.strip()) == (word in FLAGS):
                raise InputError(f"{self.what}: {word} {'stands alone' if word in FLAGS else 'needs a value after it'}")
            if word != "overlap" and word in dict(self.clauses):
                raise InputError(f"{self.what}: {word} is given twice")
            self.clauses.append((word, rest.strip()))

    def check_spaces_around_x(self, values: Mapping[str, Any]) -> None:
        """``nxd`` is a name of its own; beside values for n and d it is a shape without spaces."""
        for name in {str(side.value) for side in self.sides if side.kind == "name"} - set(values):
            for place in [k for k, letter in enumerate(name) if letter == "x"]:
                if name[:place] in values and name[place + 1 :] in values:
                    raise InputError(f'{self.what}: write "{name[:place]} x {name[place + 1 :]}", with spaces around the x')

    def ensembles(self, matrices: Mapping[str, sp.MatrixSymbol], scalars: Scalars) -> dict[sp.MatrixSymbol, Ensemble]:
        """The entries of the mapping of ensembles."""
        given, own = dict(self.clauses), [matrices[name] for name in self.names]
        try:
            if self.kind == "commuting":
                *columns, weights = zip(*self._law("law", len(own) + 1), strict=True)
                return dict(commuting(dict(zip(own, columns, strict=True)), weights))
            return dict.fromkeys(own, self._ensemble(given, matrices, scalars))
        except ParseError:
            raise  # it names the declaration already
        except InputError as error:
            said = str(error)
            raise InputError(said if said.startswith(self.what) else f"{self.what}: {said}") from error

    def _ensemble(self, given: Mapping[str, str], matrices: Mapping[str, sp.MatrixSymbol], scalars: Scalars) -> Ensemble:
        if self.kind == "vector":
            return self._vector(given, matrices)
        if self.kind == "deterministic":
            if len(given) != 1:
                raise InputError(
                    "give either its law (of eigenvalues) or its singular values; a matrix that stays a symbol "
                    "needs an array, which only Python can give"
                )
            law = self._law(next(iter(given)), 2)
            return Deterministic(law=law) if "law" in given else Deterministic(singular_values=law)
        variance = scalars.formula(parse(given.get("variance", "1"), self.what), self.what)
        if self.kind == "gaussian":
            return Gaussian(variance)
        if {"real", "complex"} <= set(given):
            raise InputError("real or complex, not both")
        return Wigner(variance, "complex" if "complex" in given else "real")

    def _vector(self, given: Mapping[str, str], matrices: Mapping[str, sp.MatrixSymbol]) -> Vector:
        components = self._numbers(given["components"]) if "components" in given else None
        overlaps: dict[sp.MatrixSymbol, Any] = {}
        for word, rest in self.clauses:
            if word == "overlap":
                name, *inner = rest.split()
                if name not in matrices or not inner:
                    raise InputError(f"overlap {short(rest, 20)!r}: give a declared vector and its inner product with this one")
                if matrices[name] in overlaps:
                    raise InputError(f"the overlap with {name} is given twice")
                if components is None and len(inner) != 1:
                    raise InputError(f"overlap with {name}: {len(inner)} numbers, and only components take more than one")
                found = self._numbers(" ".join(inner))
                overlaps[matrices[name]] = found if components is not None else found[0]
        norm = number(given["norm"], self.what) if "norm" in given else None
        return Vector(norm=norm, components=components, overlaps=overlaps)

    def _numbers(self, text: str) -> list[sp.Expr]:
        return [number(part, self.what) for part in text.split()]

    def _law(self, word: str, size: int) -> list[Sequence[sp.Expr]]:
        """Entries of ``size`` numbers with colons between them, the last the weight."""
        entries = [entry.split(":") for entry in dict(self.clauses).get(word, "").split()]
        wrong = next((entry for entry in entries if len(entry) != size), None)
        if wrong is not None or not entries:
            wanted = ":".join(["value"] * (size - 1) + ["weight"])
            raise InputError(f"{word} {short(':'.join(wrong or []), 20)!r}: an entry is {wanted}, without spaces in it")
        return [[number(part, self.what) for part in entry] for entry in entries]
