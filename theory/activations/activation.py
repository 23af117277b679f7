"""Activations: text of a formula in ``x`` -> a checked function of one real variable, centred and normalised on demand.

Reading a text, and refusing a bad one, uses no SymPy; ``Activation.expr`` builds the expression when it is first asked
for, and then checks that it is real on the line and has E sigma(z)^2 < oo, z ~ N(0, 1).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pencils.errors import InputError
from theory.functions.language import ALIASES, BUILTINS, ONE_ARGUMENT, read, to_expression, variable

if TYPE_CHECKING:
    import sympy as sp

    from theory.activations.moments import Moment

__all__ = ["BUILTINS", "Activation", "activation", "variable"]


@dataclass(frozen=True)
class Activation:
    """A real function sigma of one real variable with E sigma(z)^2 < oo, perhaps centred and normalised.

    ``(base - subtracted)/scale`` with subtracted = E base(z) when ``is_centred`` and scale^2 = Var base(z) when
    ``is_normalised``. ``subtracted`` and ``scale`` are exact SymPy numbers, or None where no closed form is known.
    """

    text: str
    role: str = "activation"
    is_centred: bool = False
    is_normalised: bool = False
    given: sp.Expr | None = None

    @property
    def name(self) -> str:
        """The built-in's name, or the text of the formula."""
        word = self.text.lower()
        word = ALIASES.get(word, word)
        return word if word in BUILTINS else self.text

    @property
    def label(self) -> str:
        """How messages call it: ``teacher relu(x)``."""
        bare = self.given is None and self.text.lower() in ONE_ARGUMENT
        return f"{self.role} {self.text}(x)" if bare else f"{self.role} {self.text}"

    @cached_property
    def base(self) -> sp.Expr:
        """The function before centring, in the symbol ``variable()``. Raises InputError where it is not real on the
        line, MomentError where E sigma(z)^2 is infinite or its finiteness cannot be shown."""
        from theory.functions.growth import growth_bound

        expr = to_expression(self.text, self.role) if self.given is None else self.given
        growth_bound(expr, self.label)
        return expr

    @cached_property
    def subtracted(self) -> sp.Expr | None:
        """The constant that centring subtracts: 0 when not centred, None when E sigma(z) has no known closed form."""
        import sympy as sp

        if not self.is_centred:
            return sp.S.Zero
        from theory.activations.moments import base_coefficient

        return base_coefficient(self.base, 0).exact

    @cached_property
    def scale(self) -> sp.Expr | None:
        """The constant that normalising divides by: 1 when not normalised, None without a known closed form."""
        import sympy as sp

        if not self.is_normalised:
            return sp.S.One
        from theory.activations.moments import base_deviation

        return base_deviation(self.base).exact

    @property
    def expr(self) -> sp.Expr:
        """The function itself; a constant without closed form appears as the symbol ``mu_0`` (mean) or ``s`` (standard
        deviation), see ``numeric``. Errors as for ``base``."""
        import sympy as sp

        mean = sp.Symbol("mu_0", real=True) if self.subtracted is None else self.subtracted
        scale = sp.Symbol("s", positive=True) if self.scale is None else self.scale
        return (self.base - mean) / scale

    def numeric(self, digits: int = 30) -> sp.Expr:
        """``expr`` with the constants that have no closed form replaced by their values to ``digits`` digits."""
        import sympy as sp

        from theory.activations.moments import base_coefficient, base_deviation

        values = {}
        if self.subtracted is None:
            values[sp.Symbol("mu_0", real=True)] = base_coefficient(self.base, 0).value(digits)
        if self.scale is None:
            values[sp.Symbol("s", positive=True)] = base_deviation(self.base).value(digits)
        return self.expr.xreplace(values)

    def centred(self) -> Activation:
        """sigma - E sigma(z): mu0 is exactly 0, every other Hermite coefficient is unchanged."""
        return replace(self, is_centred=True)

    def normalised(self) -> Activation:
        """(sigma - E sigma(z)) / sqrt(Var sigma(z)): mean 0, variance 1. Raises InputError for a constant function."""
        from theory.activations.moments import base_deviation

        if base_deviation(self.base).exact == 0:
            raise InputError(f"{self.label}: a constant has variance 0 and cannot be normalised")
        return replace(self, is_centred=True, is_normalised=True)

    def notes(self) -> list[str]:
        """What centring and normalising did, one line each; empty for a function used as it was given."""
        from theory.activations.moments import base_coefficient, base_deviation

        lines = []
        if self.is_centred:
            if self.subtracted == 0:
                lines.append(f"{self.label} centred: its mean is exactly 0, nothing was subtracted")
            else:
                lines.append(f"{self.label} centred: subtracted {_shown(base_coefficient(self.base, 0))}")
        if self.is_normalised:
            if self.scale == 1:
                lines.append(f"{self.label} normalised: its variance is exactly 1, nothing was divided")
            else:
                lines.append(f"{self.label} normalised: divided by {_shown(base_deviation(self.base))}")
        return lines

    def _repr_latex_(self) -> str:
        import sympy as sp

        return f"$\\displaystyle {sp.latex(self.expr)}$"


def activation(value: Any, role: str = "activation") -> Activation:
    """The activation that a text, a SymPy expression in one symbol, or an Activation denotes; ``role`` names it in
    messages. Raises ParseError for a text outside the grammar, InputError for anything else."""
    if isinstance(value, Activation):
        return value if role == "activation" else replace(value, role=role)
    if isinstance(value, str):
        text = value.strip()
        read(text, role)
        return Activation(text, role)
    symbols = getattr(value, "free_symbols", None)
    if symbols is None or not getattr(value, "is_commutative", False) or not hasattr(value, "as_coeff_Mul"):
        raise InputError(f"{role}: give a formula in x as text, or a SymPy expression, not {type(value).__name__}")
    if len(symbols) > 1:
        names = ", ".join(sorted(str(symbol) for symbol in symbols))
        raise InputError(f"{role}: a function of one variable is wanted, this one has {names}")
    expr = value.subs(dict.fromkeys(symbols, variable()))
    return Activation(str(expr), role, given=expr)


def _shown(constant: Moment) -> str:
    exact = constant.exact
    if exact is not None and exact.is_Rational:
        return str(exact)
    return f"{constant.value(10)} ({'no closed form is known' if exact is None else f'= {exact}'})"
