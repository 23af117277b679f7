"""The parameters of the model and their checks: exact numbers, activation and teacher, and the Hermite data they give.

Parameters are checked without SymPy. The data that forms use are the oriented and centred ones: activation and teacher
have their means subtracted, and mu1 >= 0 because (sigma, a) -> (-sigma, -a) leaves the step as it is; ``notes`` says what
was done.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from fractions import Fraction
from functools import cached_property
from math import factorial
from typing import TYPE_CHECKING, Any

from pencils.errors import InputError
from pencils.exact.numbers import exact, to_ball
from pencils.language.parse import parse

if TYPE_CHECKING:
    import sympy as sp

    from theory.activations.activation import Activation
    from theory.activations.moments import Moment
    from theory.activations.polynomial import PolynomialTeacher
    from theory.register.record import Root


@dataclass(frozen=True)
class Parameter:
    """What a parameter may be; ``check`` turns the given value into the kept one or raises InputError."""

    meaning: str
    check: Callable[[str, Any], Any]


def _bounded(low: int, strict: bool) -> Callable[[str, Any], Fraction]:
    def check(name: str, value: Any) -> Fraction:
        number = exact(value, name)
        if number < low or (strict and number == low):
            raise InputError(f"{name} = {value}: {name} must be {'greater than' if strict else 'at least'} {low}")
        return number

    return check


def _penalty(name: str, value: Any) -> Fraction:
    number = exact(value, name)
    if number <= 0:
        raise InputError(
            f"{name} = {value}: {name} must be greater than 0; at 0+ the risks tend to those of ba2022.ridgeless, "
            "which are finite unless psi1 = psi2"
        )
    return number


def _positive_or_infinite(name: str, value: Any) -> Fraction | None:
    """None stands for infinity."""
    if str(value).strip().lower() in ("inf", "oo", "infinity"):
        return None
    return _bounded(0, True)(name, value)


def _one_of(*words: str) -> Callable[[str, Any], str]:
    def check(name: str, value: Any) -> str:
        word = str(value).strip().lower()
        if word not in words:
            raise InputError(f"{name} = {value}: {name} is one of {', '.join(words)}")
        return word

    return check


def _discrete_law(name: str, value: Any) -> str | tuple[tuple[Fraction, Fraction], ...]:
    """``uniform``, ``gaussian``, or pairs (value, weight) from ``1:1/2,2:1/2``; weights are scaled to sum 1."""
    word = str(value).strip().lower()
    if word in ("uniform", "gaussian"):
        return word
    pairs = []
    for part in word.split(","):
        atom, colon, weight = part.partition(":")
        if not colon:
            raise InputError(f"{name} = {value}: {name} is uniform, gaussian, or a list value:weight such as 1:1/2,2:1/2")
        pairs.append((exact(atom.strip(), name), _bounded(0, True)(f"weight in {name}", weight.strip())))
    if all(atom == 0 for atom, _ in pairs):
        raise InputError(f"{name} = {value}: at least one value must differ from 0, or no neuron moves")
    return tuple(pairs)


def _real(name: str, value: Any) -> Fraction:
    return exact(value, name)


def _whole(name: str, value: Any) -> int:
    number = exact(value, name)
    if number.denominator != 1 or number < 0:
        raise InputError(f"{name} = {value}: {name} must be a whole number, 0 or more")
    return int(number)


def _from_one(name: str, value: Any) -> int:
    number = _whole(name, value)
    if number == 0:
        raise InputError(f"{name} = {value}: {name} must be 1 or more")
    return number


def _from_two(name: str, value: Any) -> int:
    number = _whole(name, value)
    if number < 2:
        raise InputError(f"{name} = {value}: {name} must be 2 or more")
    return number


def _truth(name: str, value: Any) -> bool:
    if isinstance(value, bool):
        return value
    words = {"true": True, "yes": True, "false": False, "no": False}
    if str(value).lower() not in words:
        raise InputError(f"{name} = {value}: {name} must be true or false")
    return words[str(value).lower()]


def _complex(name: str, value: Any) -> Any:
    if isinstance(value, str):
        return parse(value, name, words={"i", "I"})
    return value


def _function(name: str, value: Any) -> Activation:
    from theory.activations.activation import activation

    return activation(value, role=name)


def _polynomial(name: str, value: Any) -> PolynomialTeacher:
    from theory.activations.polynomial import polynomial

    return polynomial(value, name)


def _direction(name: str, value: Any) -> tuple[sp.Expr, ...]:
    """Exact coordinates from ``3/5,4/5,0`` or a sequence; not all 0."""
    from theory.activations.polynomial import number

    parts = value.split(",") if isinstance(value, str) else value if isinstance(value, (list, tuple)) else [value]
    found = tuple(number(part.strip() if isinstance(part, str) else part, name) for part in parts)
    if not any(found):
        raise InputError(f"{name} = {value}: a direction has a coordinate that is not 0")
    return found


def _unit_interval(name: str, value: Any) -> Fraction:
    number = exact(value, name)
    if abs(number) > 1:
        raise InputError(f"{name} = {value}: {name} must be in [-1, 1], where the monomials are reproduced")
    return number


def _numbers(name: str, value: Any) -> tuple[Fraction, ...]:
    """Exact numbers from ``1,-1/2`` or a sequence."""
    parts = value.split(",") if isinstance(value, str) else value if isinstance(value, (list, tuple)) else [value]
    return tuple(exact(part, name) for part in parts)


PARAMETERS: dict[str, Parameter] = {
    "psi1": Parameter("limit of n/d, > 0", _bounded(0, True)),
    "psi2": Parameter("limit of N/d, > 0", _bounded(0, True)),
    "eta": Parameter("learning rate, >= 0", _bounded(0, False)),
    "lam": Parameter("ridge penalty lambda, > 0", _penalty),
    "sigma_eps": Parameter("standard deviation of the label noise, >= 0", _bounded(0, False)),
    "activation": Parameter("activation: a name or a formula in x", _function),
    "teacher": Parameter("teacher's link function: a name or a formula in x", _function),
    "mu1": Parameter("E[z sigma(z)], in place of the activation", _real),
    "mu2": Parameter("nonlinear part of the activation, >= 0, in place of the activation", _bounded(0, False)),
    "slope_energy": Parameter("E sigma'^2 >= mu1^2, in place of the activation", _bounded(0, False)),
    "mu1_star": Parameter("E[z sigma*(z)], in place of the teacher", _real),
    "mu2_star": Parameter("nonlinear part of the teacher, >= 0, in place of the teacher", _bounded(0, False)),
    "alpha0": Parameter("limit of n0/d, samples of the step, > 0 or inf", _positive_or_infinite),
    "etabar": Parameter("learning rate over sqrt(N), > 0", _bounded(0, True)),
    "readout": Parameter("law of sqrt(N) a: uniform, gaussian, or a list value:weight", _discrete_law),
    "phi": Parameter("limit of d/n, > 0", _bounded(0, True)),
    "psi": Parameter("limit of d/N, > 0", _bounded(0, True)),
    "alpha": Parameter("exponent of the learning rate, eta = n^alpha, >= 0", _bounded(0, False)),
    "centre": Parameter("false: the teacher keeps its mean (true)", _truth),
    "n": Parameter("number of samples, a whole number, 2 or more", _from_two),
    "spikes": Parameter(
        "source: those moniri2024 is reported to have; step: those of the step as written; silent: the step of a network with "
        "no output before it",
        _one_of("source", "step", "silent"),
    ),
    "c": Parameter("factor of the learning rate, eta = c n^alpha, > 0", _bounded(0, True)),
    "ell": Parameter("number of spikes, a whole number, 1 or more", _from_one),
    "rows": Parameter("rows of W0: gaussian or sphere", _one_of("gaussian", "sphere")),
    "c0_star": Parameter("mean of the teacher, in place of the teacher", _real),
    **{f"c{k}": Parameter(f"E[He_{k}(z) sigma(z)]/{k}!, in place of the activation", _real) for k in (2, 3, 4)},
    **{f"c{k}_star": Parameter(f"E[He_{k}(z) sigma*(z)]/{k}!, in place of the teacher", _real) for k in (2, 3, 4)},
    "order": Parameter("highest Hermite index, a whole number", _whole),
    "normalize": Parameter("true: activation and teacher scaled to variance one (false)", _truth),
    "polynomial": Parameter("a teacher that is a polynomial in x1, x2, ..., such as (x1**2-1)/2 + x1*x2", _polynomial),
    "w": Parameter("a neuron's weights, d exact numbers such as 3/5,4/5,0", _direction),
    "preprocess": Parameter("true: mean and linear part of the teacher are taken off first (true)", _truth),
    "k": Parameter("degree, a whole number", _whole),
    "x": Parameter("a point of [-1, 1]", _unit_interval),
    "H": Parameter("eigenvalues of H = E grad^2 f* on S*, such as 1,-1/2", _numbers),
    "tensor": Parameter("a symmetric tensor as its polynomial in x1, x2, ..., along the eigenvectors of H", _polynomial),
    "d": Parameter("input dimension, a whole number, 2 or more", _from_two),
    "p": Parameter("degree of the Hermite polynomial, a whole number, 2 or more", _from_two),
    "q": Parameter("number of queries, a whole number, 1 or more", _from_one),
    "size": Parameter("number of vectors of a packing, a whole number, 2 or more", _from_two),
    "seed": Parameter("seed of random vectors, a whole number", _whole),
    "construction": Parameter("how a packing is made: signs, bent or legendre", _one_of("signs", "bent", "legendre")),
    "degree": Parameter("degree p in a bound, > 0", _bounded(0, True)),
    "order_k": Parameter("order k of a monomial in a bound, > 0", _bounded(0, True)),
    "rank": Parameter("rank r of H in a bound, > 0", _bounded(0, True)),
    "kappa_H": Parameter("|H^+|/sqrt r in a bound, > 0", _bounded(0, True)),
    "iota": Parameter("a logarithm in a bound, > 0", _bounded(0, True)),
    "width": Parameter("width m in a bound, > 0", _bounded(0, True)),
    "eta1": Parameter("learning rate of the first step, > 0", _bounded(0, True)),
    "overlap": Parameter("<v, w> of two unit vectors", _real),
    "target": Parameter("link function of a second task on the same direction", _function),
    "power": Parameter("n = d^power, > 0", _bounded(0, True)),
    "z": Parameter("spectral parameter, a real or complex number such as 7/10 + i/2", _complex),
}

# Hermite data: which function they belong to. The star marks the teacher's.
# c_k = E[sigma He_k]/k! of the activation, c_{*,k} of the teacher, as they are given: not centred
COEFFICIENT = re.compile(r"c(\d)(_star)?\Z")
HERMITE = {
    **dict.fromkeys(("mu1", "mu2", "slope_energy", "c2", "c3", "c4"), "activation"),
    **dict.fromkeys(("mu1_star", "mu2_star", "c0_star", "c2_star", "c3_star", "c4_star"), "teacher"),
}


def check_parameters(
    given: Mapping[str, Any], accepted: Iterable[str], owner: str, reads: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """The checked values of ``given``; ``reads`` maps a name to the rule of ``PARAMETERS`` by which it is read where that is
    not its own. InputError for a name that is not accepted or a value out of range."""
    accepted = list(accepted)
    checked = {}
    for name, value in given.items():
        if name not in accepted:
            near = get_close_matches(name, accepted, n=1)
            hint = f"did you mean {near[0]}? " if near else ""
            raise InputError(f"unknown parameter {name!r} for {owner}; {hint}accepted: {', '.join(accepted)}")
        checked[name] = PARAMETERS[(reads or {}).get(name, name)].check(name, value)
    return checked


def accepted_parameters(symbols: Iterable[str]) -> list[str]:
    """Parameter names that can supply the given symbols: themselves, and the function behind Hermite data."""
    names = list(dict.fromkeys(symbols))
    # a user may give all that is known of a function, though the forms use part of it
    names += [name for name in HERMITE if HERMITE[name] in {HERMITE.get(other) for other in names} and name not in names]
    functions = [HERMITE[name] for name in names if name in HERMITE]
    plain = [name for name in names if name not in HERMITE]
    return [*plain, *dict.fromkeys(functions), *[name for name in names if name in HERMITE]]


@dataclass(frozen=True)
class Model:
    """A point of the theory: checked parameter values, and the exact or enclosed value of every symbol of ``needs``."""

    values: Mapping[str, Any]
    given: Mapping[str, str] = field(default_factory=dict)
    bindings: Mapping[str, Root] = field(default_factory=dict)
    needs: tuple[str, ...] = ()

    @classmethod
    def build(cls, given: Mapping[str, Any], needs: Iterable[str], owner: str, bindings: Mapping[str, Root] | None = None) -> Model:
        """Check ``given`` against the symbols that are needed. Raises InputError naming what is wrong or missing."""
        needs = list(dict.fromkeys(needs))
        values = check_parameters(given, accepted_parameters(needs), owner)
        missing = []
        for name in needs:
            function = HERMITE.get(name)
            if function in values and name in values:
                raise InputError(f"{name} and {function} are both given; {name} stands in for the {function}: give one")
            if name not in values and function not in values:
                missing.append(name)
        if missing:
            raise InputError(f"{owner}: missing {_wanted(missing)}; it needs {_wanted(needs)}")
        return cls(values, {name: str(value) for name, value in given.items()}, bindings or {}, tuple(needs))

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

        wanted = COEFFICIENT.match(name)
        if wanted is not None:
            k, given = int(wanted[1]), HermiteExpansion(self.values[HERMITE[name]])
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

            return root_ball(name, self.bindings[name], self, bits)
        value = to_ball(self.values[name]) if name in self.values else self.moment(name).ball(bits)
        return -value if name == "mu1" and self._mu1_negative else value

    def _repr_latex_(self) -> str:
        from theory.proof.symbols import TABLE

        rows = [f"{TABLE[name].latex if name in TABLE else name} = {text}" for name, text in self.given.items()]
        return "$" + r",\quad ".join(rows) + "$"


def _wanted(symbols: list[str]) -> str:
    """The parameters that supply some symbols, in words: ``psi1, activation (or mu1)``."""
    plain = [name for name in symbols if name not in HERMITE]
    for function in dict.fromkeys(HERMITE[name] for name in symbols if name in HERMITE):
        data = [name for name in symbols if HERMITE.get(name) == function]
        plain.append(f"{function} (or {', '.join(data)})")
    return ", ".join(plain)
