"""A model: checked parameters, exact numbers and functions, and the Hermite data that activation and teacher give.

The data that forms use are the oriented and centred ones: activation and teacher
have their means subtracted, and mu1 >= 0 because (sigma, a) -> (-sigma, -a) leaves the step as it is; ``notes`` says what was done.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from math import factorial
from typing import TYPE_CHECKING, Any

from pencils.errors import InputError
from pencils.exact.numbers import to_ball
from theory.proof.symbols import COMMON, Alphabet
from theory.register.parameters import COEFFICIENT, HERMITE, accepted_parameters, check_parameters, wanted

if TYPE_CHECKING:
    import sympy as sp

    from theory.activations.moments import Moment
    from theory.register.record import Root


@dataclass(frozen=True)
class Model:
    """A point of the theory: checked parameter values, and the exact or enclosed value of every symbol of ``needs``. Names are
    those of ``alphabet``."""

    values: Mapping[str, Any]
    given: Mapping[str, str] = field(default_factory=dict)
    bindings: Mapping[str, Root] = field(default_factory=dict)
    needs: tuple[str, ...] = ()
    alphabet: Alphabet = COMMON

    @classmethod
    def build(
        cls,
        given: Mapping[str, Any],
        needs: Iterable[str],
        owner: str,
        bindings: Mapping[str, Root] | None = None,
        alphabet: Alphabet = COMMON,
    ) -> Model:
        """Check ``given`` against the symbols that are needed. Raises InputError naming what is wrong or missing."""
        needs = list(dict.fromkeys(needs))
        values = check_parameters(given, accepted_parameters(needs), owner, alphabet)
        missing = []
        for name in needs:
            function = HERMITE.get(name)
            if function in values and name in values:
                raise InputError(f"{name} and {function} are both given; {name} stands in for the {function}: give one")
            if name not in values and function not in values:
                missing.append(name)
        if missing:
            raise InputError(f"{owner}: missing {wanted(missing)}; it needs {wanted(needs)}")
        return cls(values, {name: str(value) for name, value in given.items()}, bindings or {}, tuple(needs), alphabet)

    @cached_property
    def notes(self) -> list[str]:
        """What was subtracted or turned round, in words."""
        notes = [
            note
            for name in ("activation", "teacher")
            # a polynomial in several variables is taken as it is, and so is a teacher whose mean is asked for
            if hasattr(self.values.get(name), "centred") and not (name == "teacher" and "c0_star" in self.needs)
            for note in self.values[name].centred().notes()
        ]
        if self._mu1_negative:
            notes.append("mu1 < 0: the activation is replaced by its negative, and a by -a; the step is the same")
        return notes

    def moment(self, name: str) -> Moment:
        """The Hermite datum of the centred function behind ``name``, before orientation."""
        from theory.activations.hermite import HermiteExpansion
        from theory.activations.moments import combine

        matched = COEFFICIENT.match(name)
        if matched is not None:
            k, given = int(matched[1]), HermiteExpansion(self.values[HERMITE[name]])
            return combine(name, lambda value: value / factorial(k), given.coefficient(k))
        expansion = HermiteExpansion(self.values[HERMITE[name]].centred())
        if name == "slope_energy":
            return expansion.slope_energy
        return expansion.mu1 if name.startswith("mu1") else expansion.mu2

    @cached_property
    def _mu1_negative(self) -> bool:
        if "mu1" in self.values:
            return bool(self.values["mu1"] < 0)
        if "activation" not in self.values:
            return False
        return self.moment("mu1").sign() < 0

    def exact(self, name: str) -> sp.Expr | None:
        """The exact SymPy value of a symbol, or None where there is no closed form."""
        import sympy as sp

        if name in self.bindings:
            return None
        if name in self.values:
            value: Any = sp.Rational(self.values[name].numerator, self.values[name].denominator)
        else:
            value = self.moment(name).exact
        return -value if name == "mu1" and value is not None and self._mu1_negative else value

    def ball(self, name: str, bits: int) -> Any:
        """Enclosure of a symbol's value at ``bits`` of working precision."""
        if (name, bits) not in self._balls:
            self._balls[name, bits] = self._ball(name, bits)
        return self._balls[name, bits]

    @cached_property
    def _balls(self) -> dict[tuple[str, int], Any]:
        return {}

    def _ball(self, name: str, bits: int) -> Any:
        if name in self.bindings:
            from theory.register.roots import root_ball

            return root_ball(name, self.bindings[name], self.ball, bits, self.alphabet)
        value = to_ball(self.values[name]) if name in self.values else self.moment(name).ball(bits)
        return -value if name == "mu1" and self._mu1_negative else value

    def _repr_latex_(self) -> str:
        rows = [f"{self.alphabet.latex_name(name)} = {text}" for name, text in self.given.items()]
        return "$" + r",\quad ".join(rows) + "$"
