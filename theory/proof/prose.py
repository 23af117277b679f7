"""Plain sentences with formulas in them, as LaTeX: ``mu1*``, ``X^T y``, ``psi_2^(1/4)`` become mathematics.

Sentences of the register and of derivations are written once, readable in a terminal; here the words that are symbols
are found and set as the papers set them.
"""

from __future__ import annotations

import re
from collections.abc import Callable

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "_": r"\_",
    "&": r"\&",
    "%": r"\%",
    "#": r"\#",
    "$": r"\$",
    "^": r"\^{}",
    "~": r"\~{}",
    "<": r"$<$",
    ">": r"$>$",
    "|": r"$|$",
}
_GREEK = {
    "alpha": r"\alpha",
    "beta": r"\beta",
    "eta": r"\eta",
    "eps": r"\varepsilon",
    "lambda": r"\lambda",
    "mu": r"\mu",
    "mubar": r"\bar\mu",
    "phi": r"\phi",
    "psi": r"\psi",
    "sigma": r"\sigma",
    "theta": r"\theta",
    "kappa": r"\kappa",
    "tau": r"\tau",
    "delta": r"\delta",
}
_SIGNS = {
    "<=>": r"\iff",
    "<": r"\langle",
    ">": r"\rangle",
    "<=": r"\le",
    ">=": r"\ge",
    "->": r"\to",
    "!=": r"\ne",
    "infinity": r"\infty",
}
_INDEX = {"eps": r"\varepsilon", "perp": r"\perp", "inf": r"\infty"}

_SYMBOL = re.compile(
    r"(?P<sqrt>sqrt\s?)?"
    r"(?:(?<![A-Za-z\\])(?:(?P<greek>" + "|".join(sorted(_GREEK, key=len, reverse=True)) + r")(?![A-Za-z])"
    r"|(?P<word>sum|log)(?=[_^])|(?P<latin>[A-Za-z])(?=[_^*'\d~]))|(?P<closing>[|)\]>])(?=_inf|\^-?\d))"
    r"(?P<tilde>~)?(?P<index>_?\d+|_(?:eps|inf|[A-Za-z]{1,2})(?![A-Za-z]))?(?P<star>\*)?(?P<prime>'+)?(?P<perp>_perp)?"
    r"(?P<power>\^(?:-?\w+|\([^()]*\)))?"
)
_SIGN = re.compile(r"<=>|<=|>=|->|!=|\binfinity\b|<(?=[A-Za-z])|(?<=[\w*|])>|\bsqrt(?: (?P<root>\w)\b|\((?P<rooted>\w)\))")


def escape(text: str) -> str:
    """Plain text as LaTeX text, nothing read as a formula."""
    return "".join(_SPECIAL.get(letter, letter) for letter in text)


def breakable(text: str) -> str:
    """A key or name as LaTeX that may be broken after its dots, dashes and underscores."""
    return re.sub(r"(\\_|[.-])", r"\1\\allowbreak{}", escape(text))


def markdown(text: str) -> str:
    """Plain text whose stars, bars and underscores Markdown must not read as its own."""
    return re.sub(r"([*_<>|])", r"\\\1", text)


def prose(text: str, plain: Callable[[str], str] = escape) -> str:
    """A sentence with its symbols as mathematics, the rest by ``plain``: ``escape`` for LaTeX, or ``markdown``."""
    parts, at = [], 0
    for match in re.finditer(f"{_SYMBOL.pattern}|(?P<sign>{_SIGN.pattern})", text):
        formula = _formula(match)
        if formula is None:
            continue
        parts += [plain(text[at : match.start()]), f"${formula}$"]
        at = match.end()
    return "".join([*parts, plain(text[at:])]).replace("$$", " ")


def _formula(match: re.Match[str]) -> str | None:
    if match["sign"]:
        letter = match["root"] or match["rooted"]
        return rf"\sqrt{{{letter}}}" if letter else _SIGNS[match["sign"]]
    base = _GREEK[match["greek"]] if match["greek"] else "\\" + match["word"] if match["word"] else None
    base = base or match["closing"] or match["latin"]
    if base == ">":
        base = r"\rangle"
    if match["latin"] and not any(match[part] for part in ("index", "star", "prime", "power", "tilde", "perp")):
        return None
    if match["tilde"]:
        base = rf"\tilde {base}"
    index = (match["index"] or match["perp"] or "").lstrip("_")
    upper = ("*" if match["star"] else "") + (r"\prime" * len(match["prime"] or ""))
    formula = base + (f"_{{{_INDEX.get(index, index)}}}" if index else "") + (f"^{{{upper}}}" if upper else "")
    if match["power"]:
        power = match["power"][1:].strip("()")
        formula = f"{{{formula}}}^{{{power}}}" if upper else f"{formula}^{{{power}}}"
    return rf"\sqrt{{{formula}}}" if match["sqrt"] else formula
