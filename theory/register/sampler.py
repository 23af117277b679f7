"""Models that satisfy a statement's hypotheses: a fixed spread of exact points at which forms and routes are compared."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from pencils.errors import InputError
from theory.proof.domains import Number
from theory.proof.symbols import Alphabet
from theory.register.evaluate import build_model, hypotheses, value_of
from theory.register.forms import reading
from theory.register.model import Model
from theory.register.parameters import HERMITE, accepted_parameters
from theory.register.record import Statement

# Functions with and without closed Hermite data, odd and not, so that no form is compared on one kind alone.
ACTIVATIONS = ("tanh", "erf", "softplus", "sin", "relu")
# With every Hermite coefficient: the five above have none of odd order beyond 1, or none of even order.
FULL_ACTIVATIONS = ("He1 + He2/3 - He3/5 + He4/7", "tanh(x + 1/2)")
TEACHERS = ("tanh", "relu", "erf", "He1 + He2/sqrt(2)", "sin(3*x/2)")


def experiment_model(statement: Statement) -> Model | None:
    """The model at which a statement is simulated, so that forms and simulation stand at one point; None without one."""
    if statement.experiment is None or not any(claim.numeric for claim in statement.claims):
        return None
    accepted = accepted_parameters(reading(statement).needs)
    return build_model(statement, {k: v for k, v in statement.experiment.setting.items() if k in accepted})


def models(statement: Statement, count: int, seed: int = 0, attempts: int = 200) -> Iterator[Model]:
    """Up to ``count`` models satisfying the hypotheses; fewer if ``attempts`` draws do not give as many.

    Parameters are drawn in their domains: multiples of 1/16, and whole numbers now and then, so that borders such as
    psi2 = 1 are met; each draw takes the next pair of activation and teacher.
    """
    needs = reading(statement).needs
    # Statements with the same needs share their models, so that a route's work is done once.
    rng = random.Random(f"{needs} {seed}")
    found = 0
    for draw in range(attempts):
        if found == count:
            return
        model = build_model(statement, _parameters(needs, rng, draw, statement.alphabet))
        if all(hypotheses(statement, model).values()):
            found += 1
            yield model


def _parameters(needs: list[str], rng: random.Random, draw: int, alphabet: Alphabet) -> dict[str, Any]:
    chosen: dict[str, Any] = {}
    for name in needs:
        if name in HERMITE:
            activations = FULL_ACTIVATIONS if {"c2", "c3", "c4"} & set(needs) else ACTIVATIONS
            pool = activations if HERMITE[name] == "activation" else TEACHERS
            chosen[HERMITE[name]] = pool[draw % len(pool)]
            continue
        entry = alphabet.entry(name)
        if not isinstance(entry.domain, Number):
            raise InputError(f"{name}: no models are drawn of what is no number")
        chosen[name] = entry.domain.draw(rng, *entry.span(entry.domain))
    return chosen


def border_models(statement: Statement, form: Any, found: list[Model], steps: int = 9) -> list[Model]:
    """Pairs of models on the two sides of a comparison's border, close to it: for each of the first models, parameters are
    moved one by one across their ranges, and where the truth changes the change is bisected."""
    pairs: list[Model] = []
    for model in found[:2]:
        for name in model.values:
            if name not in statement.alphabet or name in HERMITE:
                continue
            entry = statement.alphabet.entry(name)
            domain = entry.domain if isinstance(entry.domain, Number) else entry.number
            low, high = entry.span(domain)

            def at(value: Fraction, name: str = name, model: Model = model) -> Model:
                return build_model(statement, {**model.given, name: value})

            truths = [value_of(form, at(end), 20) for end in (low, high)]
            if truths[0] == truths[1]:
                continue
            for _ in range(steps):
                middle = domain.between(low, high)
                low, high = (middle, high) if value_of(form, at(middle), 20) == truths[0] else (low, middle)
            pairs += [at(low), at(high)]
    return pairs[:8]
