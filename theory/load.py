"""References: a dotted name ``"package.module:function"``, or the pair of one and the arguments that it is called with by name.

Records of the register name their derivations, second routes, observations and pictures so; this is the one place where such a
name becomes a function, when it runs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from typing import Any

Reference = str | tuple[str, Mapping[str, Any]]


def load(reference: Reference) -> Callable[..., Any]:
    """The function of a reference, its arguments bound. ImportError or AttributeError for a name that leads nowhere."""
    dotted, arguments = (reference, {}) if isinstance(reference, str) else reference
    module, _, name = dotted.partition(":")
    function: Callable[..., Any] = getattr(import_module(module), name)
    return partial(function, **arguments) if arguments else function


def label(reference: Reference) -> str:
    """A reference as text: ``package.module:function(level=2)``. Two with one label are the same."""
    if isinstance(reference, str):
        return reference
    dotted, arguments = reference
    return f"{dotted}({', '.join(f'{name}={value}' for name, value in arguments.items())})"


def called(reference: Reference) -> str:
    """The name of the function alone, with its arguments: what a derivation of a quantity is listed under."""
    return label(reference).partition(":")[2]
