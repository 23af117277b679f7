"""Every answer of the register, written to a folder; two such folders compared byte for byte: what a refactoring is checked with.

    python tests/snapshot.py FOLDER [--parts answers,derive,verify,export] [--only PREFIX ...]
    python tests/snapshot.py --compare BEFORE AFTER [--ignore FIELD ...]

``answers``: list, show and eval, in words and as JSON, eval at the samples of a quantity and at sampled models of a statement;
``derive``: text and LaTeX of the derivations; ``verify`` and ``export`` (no figures): of the whole register, some minutes each.
A command's answer is what it prints and the status it exits with. To snapshot an earlier commit, run this file in a checkout of it.

``--compare`` names what differs, what only one folder has, and exits with 1 if anything does. ``--ignore proof`` leaves the field
"proof" of JSON answers out of the comparison, for a refactoring that moves what it names.
"""

from __future__ import annotations

import argparse
import difflib
import json
import os
import sys
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from click.testing import CliRunner

from theory.commands.main import main as gradstep
from theory.entries import entries
from theory.register.record import Quantity
from theory.register.sampler import models

PARTS = ("answers", "derive", "verify", "export")
MODELS = 2  # of a statement


def samples(entry: Any) -> list[list[str]]:
    """Parameters to evaluate an entry at, and the digits that it has, as words of the command line."""
    if isinstance(entry, Quantity):
        given: list[Any] = list(entry.samples)
    else:
        given = [model.given for model in models(entry, MODELS)] if any(claim.numeric for claim in entry.claims) else []
    reach = getattr(entry, "digits", None)  # of what is computed in floating point
    more = ["--digits", str(reach)] if reach else []
    return [[*(f"{name}={value}" for name, value in one.items()), *more] for one in given]


def questions(parts: Collection[str], only: Collection[str]) -> Iterator[tuple[str, list[str]]]:
    """(name of the answer's file, words of the command)."""
    chosen = {key: entry for key, entry in entries().items() if not only or key.startswith(tuple(only))}
    if "answers" in parts:
        yield "list.txt", ["list"]
        yield "list.json", ["list", "--json"]
        for key, entry in chosen.items():
            yield f"show-{key}.txt", ["show", key]
            yield f"show-{key}.json", ["show", key, "--json"]
            for number, words in enumerate(samples(entry)):
                yield f"eval-{key}-{number}.txt", ["eval", key, *words]
                yield f"eval-{key}-{number}.json", ["eval", key, *words, "--json"]
    if "derive" in parts:
        for key in chosen:
            yield f"derive-{key}.txt", ["derive", key]
            yield f"derive-{key}.tex", ["derive", key, "--latex"]
    if "verify" in parts:
        yield "verify.json", ["verify", *(chosen if only else ()), "--json"]
    if "export" in parts:
        for suffix in ("tex", "md"):
            yield f"export-{suffix}.txt", ["export", "--no-figures", "-o", f"book.{suffix}"]


def answer(words: list[str]) -> str:
    """What a command prints, the error that ends it where one does, and its exit status."""
    result = CliRunner().invoke(gradstep, words)
    text = result.output
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        text += f"{type(result.exception).__name__}: {result.exception}\n"
    return f"{text}exit {result.exit_code}\n"


def write(folder: Path, parts: Collection[str], only: Collection[str]) -> None:
    """The answers as files of the folder, which is made. Books are written from inside it, so that no answer names a path."""
    folder.mkdir(parents=True, exist_ok=True)
    os.chdir(folder)
    for name, words in questions(parts, only):
        Path(name).write_text(answer(words))


def without(data: Any, fields: Collection[str]) -> Any:
    """JSON data without the fields of those names, at any depth."""
    if isinstance(data, dict):
        return {name: without(value, fields) for name, value in data.items() if name not in fields}
    return [without(value, fields) for value in data] if isinstance(data, list) else data


def read(path: Path, ignored: Collection[str]) -> str:
    """An answer as it is compared."""
    text = path.read_text()
    if not ignored or path.suffix != ".json":
        return text
    body, mark, status = text.rpartition("exit ")
    try:
        return json.dumps(without(json.loads(body), ignored), indent=2, ensure_ascii=False) + f"\n{mark}{status}"
    except ValueError:  # a command that failed
        return text


def compare(before: Path, after: Path, ignored: Collection[str]) -> int:
    """The number of answers that differ or stand in one folder only; each is printed, with its first changed lines."""
    names = [{path.name for path in folder.iterdir()} for folder in (before, after)]
    found = 0
    for name in sorted(names[0] | names[1]):
        if not (name in names[0] and name in names[1]):
            print(f"{name}: only in {before if name in names[0] else after}")
            found += 1
            continue
        texts = [read(folder / name, ignored) for folder in (before, after)]
        if texts[0] != texts[1]:
            changed = list(difflib.unified_diff(*(text.splitlines() for text in texts), lineterm="", n=0))[2:]
            print(f"{name}: differs", *changed[:12], *(["..."] if len(changed) > 12 else []), sep="\n  ")
            found += 1
    print(f"{len(names[0] & names[1])} answers in both, {found} differences")
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, help="where the answers are written")
    parser.add_argument("--parts", default=",".join(PARTS), help=f"which, of {','.join(PARTS)}")
    parser.add_argument("--only", nargs="*", default=(), metavar="PREFIX", help="entries whose key begins so")
    parser.add_argument("--compare", nargs=2, type=Path, metavar=("BEFORE", "AFTER"))
    parser.add_argument("--ignore", nargs="*", default=(), metavar="FIELD", help="fields of JSON answers that may differ")
    given = parser.parse_args()
    if given.compare:
        sys.exit(1 if compare(*given.compare, given.ignore) else 0)
    if given.folder is None:
        parser.error("a FOLDER, or --compare BEFORE AFTER")
    parts = given.parts.split(",")
    if not set(parts) <= set(PARTS):
        parser.error(f"parts are {', '.join(PARTS)}")
    write(given.folder, parts, given.only)


if __name__ == "__main__":
    main()
